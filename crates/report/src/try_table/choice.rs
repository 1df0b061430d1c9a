//! Choose a method: the simplest of the best, of those whose intervals do not cover too few rows.
//!
//! The best has the lowest product of CRPS and interval score (of one bound its pinball loss) at
//! rows that its fits have not seen: the one scores the whole distribution, the other what is asked
//! for, and in a product units do not matter. A simpler method is as good where both its CRPS and
//! its interval score are, with a probability above 0.8, at most 2 % higher. The probability is the
//! posterior of Corani & Benavoli (2015) for differences over overlapping folds.
//!
//! A method that uses the features *beats* one that ignores them where its CRPS is lower with a
//! probability above 0.8. What ignores the features is chosen only where it is the best and nothing
//! beats it. If methods beat it whose intervals do not cover too few rows, the choice is among
//! these; if only other methods beat it, there is no choice.
//!
//! The coverage of the whole procedure is estimated on rows that have chosen nothing: each fold's
//! rows are predicted by the method that its training rows alone choose, or, where no comparison
//! was made on these alone, by the one that the other folds choose.

use uq_core::stats::corrected::Corrected;
use uqbench_run::candidates::Candidate;
use uqbench_run::runner::try_table::{Evaluation, FoldScores, Folding};

use super::reason::Scored;
use super::summary::{Summed, summed_once, summed_without};

/// A score that is higher by at most this share is as good.
pub(super) const MARGIN: f64 = 0.02;
/// Whether a score is lower, or as good, is decided by a probability above this.
pub(super) const SURE: f64 = 0.8;

/// A method with all that the choice needs.
#[derive(Clone, Copy)]
pub(super) struct Rated<'a> {
    pub summed: &'a Summed<'a>,
    pub crps: f64,
}

/// What is recommended, and why.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    /// The recommended method.
    pub chosen: Rated<'a>,
    /// The best one; the recommended one is as good, and as simple or simpler.
    pub best: Rated<'a>,
    /// A method that has a lower product of CRPS and interval score, but ignores the features, and
    /// is beaten.
    pub beaten: Option<Rated<'a>>,
}

/// Why no method is recommended.
#[derive(Clone, Copy)]
pub(super) enum NoChoice<'a> {
    /// No method has both intervals and a CRPS.
    Undefined,
    /// Every method's intervals cover too few rows.
    TooFew,
    /// What ignores the features is the best of the others, but a method whose intervals cover too
    /// few rows beats it.
    Beaten { reference: Rated<'a>, by: Rated<'a> },
}

impl<'a> Rated<'a> {
    /// Those methods whose intervals and CRPS are defined.
    pub fn all(summed: &'a [Summed]) -> Vec<Self> {
        let known = summed.iter().filter(|method| method.coverage.is_some());
        known.filter_map(|summed| Some(Self { summed, crps: summed.crps()? })).collect()
    }

    pub fn id(&self) -> &'a str {
        &self.summed.tried.id
    }

    pub fn ignores_features(&self) -> bool {
        Candidate::is_unconditional(self.id())
    }

    /// Its name and its CRPS with the spread over folds.
    pub fn scored(&self) -> Scored {
        let sd = self.summed.crps.and_then(|crps| crps.sd);
        Scored { method: self.id().to_owned(), crps: self.crps, sd }
    }

    /// Whether its intervals do not cover too few rows.
    pub fn is_honest(&self) -> bool {
        !self.summed.is_too_low()
    }

    /// The geometric mean of CRPS and interval score; of methods with a coverage both are defined.
    pub fn loss(&self) -> f64 {
        self.summed.interval_score.map_or(self.crps, |score| (self.crps * score).sqrt())
    }

    /// The probabilities that a mean score of this method is below, at and above that of another
    /// one times `factor`; `None` where the score is undefined.
    fn chances(
        &self,
        score: fn(&FoldScores) -> Option<f64>,
        other: &Rated,
        factor: f64,
    ) -> Option<[f64; 3]> {
        let (a, b) = (&self.summed.folds, &other.summed.folds);
        let pairs = a.iter().zip(b).map(|(a, b)| Some(score(a)? - factor * score(b)?));
        let share =
            a.iter().map(|fold| fold.test_rows as f64 / fold.train_rows as f64).sum::<f64>()
                / a.len() as f64;
        Some(Corrected::compare(&pairs.collect::<Option<Vec<f64>>>()?, share)?.probabilities(0.0))
    }

    /// The probability that its CRPS is lower.
    pub fn lower_crps(&self, other: &Rated) -> Option<f64> {
        self.chances(|fold| fold.crps, other, 1.0).map(|[below, _, _]| below)
    }

    /// Whether it uses the features and most probably has a lower CRPS than `reference`, which
    /// ignores them.
    pub fn beats(&self, reference: &Rated) -> bool {
        !self.ignores_features() && self.lower_crps(reference).is_some_and(|p| p > SURE)
    }

    /// The smaller of the probabilities that CRPS and interval score are at most [`MARGIN`] higher.
    pub fn is_as_good(&self, best: &Rated) -> Option<f64> {
        let within =
            |score| self.chances(score, best, 1.0 + MARGIN).map(|[below, at, _]| below + at);
        let crps = within(|fold| fold.crps)?;
        Some(within(|fold| fold.interval_score).map_or(crps, |score| score.min(crps)))
    }
}

/// The method with the lowest product of CRPS and interval score.
fn lowest<'a>(methods: &[Rated<'a>]) -> Option<Rated<'a>> {
    methods.iter().copied().min_by(|a, b| a.loss().total_cmp(&b.loss()))
}

/// The method to use. `rated` is in the order of simplicity.
///
/// # Errors
/// The reason why there is none.
pub(super) fn choice<'a>(rated: &[Rated<'a>]) -> Result<Choice<'a>, NoChoice<'a>> {
    let honest: Vec<Rated> = rated.iter().copied().filter(Rated::is_honest).collect();
    let nothing = if rated.is_empty() { NoChoice::Undefined } else { NoChoice::TooFew };
    let best = lowest(&honest).ok_or(nothing)?;
    if !best.ignores_features() {
        let informed: Vec<Rated> =
            honest.into_iter().filter(|method| !method.ignores_features()).collect();
        return Ok(simplest(&informed, best, None));
    }
    let beating: Vec<Rated> = honest.iter().copied().filter(|method| method.beats(&best)).collect();
    if let Some(informed) = lowest(&beating) {
        return Ok(simplest(&beating, informed, Some(best)));
    }
    let dishonest =
        rated.iter().copied().filter(|method| !method.is_honest() && method.beats(&best));
    if let Some(by) = dishonest.min_by(|a, b| a.crps.total_cmp(&b.crps)) {
        return Err(NoChoice::Beaten { reference: best, by });
    }
    // A simpler method that ignores the features may be beaten where the best one is not.
    let is_beaten =
        |method: &Rated| method.ignores_features() && rated.iter().any(|other| other.beats(method));
    let unbeaten: Vec<Rated> = honest.into_iter().filter(|method| !is_beaten(method)).collect();
    Ok(simplest(&unbeaten, best, None))
}

/// The simplest of `allowed` that is as good as the best of them.
fn simplest<'a>(allowed: &[Rated<'a>], best: Rated<'a>, beaten: Option<Rated<'a>>) -> Choice<'a> {
    let as_good = |method: &&Rated| {
        method.id() == best.id() || method.is_as_good(&best).is_some_and(|p| p > SURE)
    };
    Choice { chosen: allowed.iter().find(as_good).copied().unwrap_or(best), best, beaten }
}

/// The scores of each fold by the method that was chosen without its rows: on its training rows
/// alone, in the first division, where the evaluation has comparisons of these, and otherwise on
/// the other folds, in every division. `None` where some fold chooses no method.
pub(super) fn chosen_without(evaluation: &Evaluation) -> Option<Vec<&FoldScores>> {
    let Folding { folds, repeats } = evaluation.folding;
    let folds = folds as usize;
    let chosen_of = |all: Vec<Summed>, place: usize| {
        let id = choice(&Rated::all(&all)).ok()?.chosen.id().to_owned();
        evaluation.methods.iter().find(|tried| tried.id == id)?.folds.as_ref().ok()?.get(place)
    };
    if !evaluation.inside.is_empty() {
        let inside = evaluation.inside.iter().enumerate();
        let level = evaluation.bounds.level;
        return inside.map(|(fold, tried)| chosen_of(summed_once(tried, level), fold)).collect();
    }
    let without = |place: usize| summed_without(evaluation, place / folds, place % folds);
    (0..folds * repeats as usize).map(|place| chosen_of(without(place), place)).collect()
}
