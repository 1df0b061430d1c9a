//! Recommend a method and give the reasons: of the methods whose intervals do not cover too few rows, the simplest of the best.
//!
//! The best has the lowest product of CRPS and interval score (of one bound its pinball loss) at rows that its fits have not seen: the one
//! scores the whole distribution, the other what is asked for, and in a product units do not matter. A simpler method is as good where both its CRPS and its
//! interval score (of one bound its pinball loss) are, with a probability above 0.8, at most 2 % higher. The probability is the
//! posterior of Corani & Benavoli (2015) for differences over overlapping folds. A method that ignores the features is recommended only where none has a lower CRPS.
//!
//! The coverage of the whole procedure is estimated on rows that have chosen nothing: each fold's rows are predicted by the method
//! that the other folds recommend.

use crate::methods::candidates::{CALIBRATED, Candidate};
use crate::metrics::percent;
use crate::predictive::Bounds;
use crate::runner::try_table::{Evaluation, FOLDS, FoldScores};
use crate::stats::corrected::Corrected;
use crate::stats::coverage::{Coverage, Judged, Kept};
use crate::stats::digits::number;

use super::division::{caveat, holds};
use super::kinds::{KindOfRow, below_zero, kinds};
use super::summary::{Summed, coverage, summed, summed_without};
use super::words::{Words, stated};

/// A score that is higher by at most this share is as good.
const MARGIN: f64 = 0.02;
/// A simpler method has to be as good with a probability above this.
const SURE: f64 = 0.8;

/// What to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// The recommended method, if there is one.
    pub method: Option<String>,
    /// Recommendation, reasons and limits, in Markdown.
    pub text: String,
}

/// A method with all that the choice needs.
#[derive(Clone, Copy)]
struct Rated<'a> {
    summed: &'a Summed<'a>,
    crps: f64,
}

impl<'a> Rated<'a> {
    fn all(summed: &'a [Summed]) -> Vec<Self> {
        let known = summed.iter().filter(|method| method.coverage.is_some());
        known.filter_map(|summed| Some(Self { summed, crps: summed.crps()? })).collect()
    }

    fn id(&self) -> &'a str {
        &self.summed.tried.id
    }

    fn ignores_features(&self) -> bool {
        Candidate::is_unconditional(self.id())
    }

    /// The geometric mean of CRPS and interval score; of methods with a coverage both are defined.
    fn loss(&self) -> f64 {
        self.summed.interval_score.map_or(self.crps, |score| (self.crps * score).sqrt())
    }

    /// The probability that a mean score of this method is at most that of another one times `factor`; `None` where the score is
    /// undefined.
    fn chance(&self, score: fn(&FoldScores) -> Option<f64>, other: &Rated, factor: f64) -> Option<f64> {
        let (a, b) = (&self.summed.folds, &other.summed.folds);
        let pairs = a.iter().zip(b).map(|(a, b)| Some(score(a)? - factor * score(b)?));
        let share = a.iter().map(|fold| fold.test_rows as f64 / fold.train_rows as f64).sum::<f64>() / a.len() as f64;
        let [below, at, _] = Corrected::of(&pairs.collect::<Option<Vec<f64>>>()?, share)?.probabilities(0.0);
        Some(below + at)
    }

    /// The probability that this method's CRPS is lower.
    fn beats(&self, other: &Rated) -> Option<f64> {
        self.chance(|fold| fold.crps, other, 1.0)
    }

    /// Whether it uses the features and most probably has a lower CRPS than a method that ignores them.
    fn is_informed(&self, anchor: &Rated) -> bool {
        !self.ignores_features() && self.beats(anchor).is_some_and(|p| p > 0.975)
    }

    /// The smaller of the probabilities that CRPS and interval score are at most [`MARGIN`] higher.
    fn is_as_good(&self, best: &Rated) -> Option<f64> {
        let crps = self.chance(|fold| fold.crps, best, 1.0 + MARGIN)?;
        Some(self.chance(|fold| fold.interval_score, best, 1.0 + MARGIN).map_or(crps, |score| score.min(crps)))
    }
}

/// The chosen method and the best one, of those whose intervals do not cover too few rows; `None` without one, and where
/// only methods are left that ignore the features, although others beat them.
fn choice<'a>(rated: &[Rated<'a>]) -> Option<(Rated<'a>, Rated<'a>)> {
    let honest = || rated.iter().copied().filter(|method| !method.summed.is_too_low());
    let best = honest().min_by(|a, b| a.loss().total_cmp(&b.loss()))?;
    // What ignores the features is no answer where they tell something.
    if best.ignores_features() && rated.iter().any(|method| method.is_informed(&best)) {
        return None;
    }
    let allowed = |method: &Rated| best.ignores_features() || !method.ignores_features();
    let as_good = |method: &Rated| method.id() == best.id() || method.is_as_good(&best).is_some_and(|p| p > SURE);
    let chosen = honest().filter(allowed).find(as_good).unwrap_or(best);
    Some((chosen, best))
}

/// The recommendation of an evaluation.
pub fn recommend(evaluation: &Evaluation) -> Recommendation {
    let all = summed(evaluation);
    let rated = Rated::all(&all);
    let level = stated(evaluation.bounds);
    if all.iter().all(|method| method.tried.folds.is_err()) {
        let text = "**Recommended: none.**\n\n- Every method failed, so nothing was compared: see above why.\n".into();
        return Recommendation { method: None, text };
    }
    let Some((chosen, best)) = choice(&rated) else { return none(&rated, evaluation.bounds) };
    let mut reasons = vec![reason_of_coverage(&chosen, evaluation), promise(&chosen, evaluation)];
    reasons.extend(reason_of_crps(&chosen, &best, &rated, evaluation.bounds));
    reasons.extend(reasons_against(&chosen, &rated, &level));
    reasons.extend(reason_of_features(&rated));
    reasons.extend(warning_of_kinds(&chosen, &rated, evaluation));
    reasons.extend(warning_of_values(&chosen, evaluation));
    reasons.push(caveat(evaluation));
    let list: String = reasons.iter().map(|reason| format!("- {reason}\n")).collect();
    Recommendation {
        method: Some(chosen.id().to_owned()),
        text: format!("**Recommended: `{}`.**\n\n{list}", chosen.id()),
    }
}

/// No method, and what may help.
fn none(rated: &[Rated], bounds: Bounds) -> Recommendation {
    let (level, Words { plural, .. }) = (stated(bounds), Words::of(bounds));
    let low = rated.iter().filter(|method| method.summed.is_too_low() && !method.ignores_features());
    let advice = low.min_by(|a, b| a.crps.total_cmp(&b.crps)).map(|best| {
        let (share, name) = (best.summed.coverage.map(|(coverage, _)| percent_of(coverage.share())), best.id());
        let calibrated = match name.starts_with(CALIBRATED) {
            true => String::new(),
            false => format!("; `--methods {CALIBRATED}{name}` tries it calibrated by its errors at out-of-fold rows"),
        };
        format!(
            "- `{name}` has the lowest CRPS of them, but its {plural} cover only {}{calibrated}.\n",
            share.unwrap_or_default()
        )
    });
    let of = if advice.is_some() { "every method that uses the features" } else { "every method" };
    let text = format!(
        "**Recommended: none.**\n\n- The {level} of {of} cover too few rows, or are undefined.\n{}",
        advice.unwrap_or_default()
    );
    Recommendation { method: None, text }
}

/// A coverage with its interval.
fn in_words(coverage: Coverage) -> String {
    let share = percent_of(coverage.share());
    let about = coverage.interval().map(|(low, high)| format!("{:.1} to {}", 100.0 * low, percent_of(high)));
    about.map_or_else(|| share.clone(), |about| format!("{share} (95 % interval: {about})"))
}

fn reason_of_coverage(chosen: &Rated, evaluation: &Evaluation) -> String {
    let Some((coverage, kept)) = chosen.summed.coverage else { return String::new() };
    let judged = match kept {
        Kept::AsStated => "as stated",
        Kept::TooLow => "too few",
        Kept::TooHigh => Words::of(evaluation.bounds).too_high,
        Kept::CannotTell => "too few rows to tell whether that is as stated",
    };
    format!("Its {} cover {} of the test rows: {judged}.", stated(evaluation.bounds), in_words(coverage))
}

/// What a comparison says of a method's intervals, in sentences: their coverage, what is guaranteed, what is estimated of the
/// recommended method on rows that have chosen nothing, and where it holds.
pub fn promises(evaluation: &Evaluation, id: &str) -> Vec<String> {
    let all = summed(evaluation);
    let rated = Rated::all(&all);
    let Some(method) = rated.iter().find(|method| method.id() == id) else { return Vec::new() };
    let is_recommended = choice(&rated).is_some_and(|(chosen, _)| chosen.id() == id);
    let sentences = [
        Some(reason_of_coverage(method, evaluation)),
        Some(guaranteed(method, evaluation)),
        is_recommended.then(|| in_all(evaluation)),
        Some(holds(evaluation).into()),
    ];
    sentences.into_iter().flatten().collect()
}

/// What is guaranteed, and what is estimated.
fn promise(chosen: &Rated, evaluation: &Evaluation) -> String {
    format!("{} {}", guaranteed(chosen, evaluation), in_all(evaluation))
}

/// What a theorem says.
fn guaranteed(chosen: &Rated, evaluation: &Evaluation) -> String {
    let guaranteed = match chosen.summed.tried.guaranteed {
        Some(least) => {
            format!("at least {} by a theorem, for rows that are exchangeable with these", percent_of(least))
        }
        None if evaluation.division.is_stated() => "none, because the theorems are about exchangeable rows".into(),
        None => "none, because no theorem is known for this method".into(),
    };
    format!("Guaranteed coverage: {guaranteed}.")
}

/// What is estimated on rows that have chosen nothing.
fn in_all(evaluation: &Evaluation) -> String {
    let estimated = match estimated(evaluation) {
        Some(coverage) => in_words(coverage),
        None => "not known, because some folds recommend no method".into(),
    };
    format!(
        "Estimated on rows that have chosen nothing, each fold predicted by the method that the other folds recommend: {estimated}."
    )
}

/// The coverage of the whole procedure.
fn estimated(evaluation: &Evaluation) -> Option<Coverage> {
    let (mut covered, mut tested) = (0, 0);
    for repeat in 0..evaluation.repeats as usize {
        for fold in 0..FOLDS as usize {
            let others = summed_without(evaluation, repeat, fold);
            let (chosen, _) = choice(&Rated::all(&others))?;
            let scores = chosen.summed.tried.folds.as_ref().ok()?.get(repeat * FOLDS as usize + fold)?;
            covered += scores.covered?;
            tested += scores.test_rows;
        }
    }
    coverage(covered, tested, evaluation.repeats)
}

/// A share as it stands in a sentence, to a tenth of a percent.
fn percent_of(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn reason_of_crps(chosen: &Rated, best: &Rated, rated: &[Rated], bounds: Bounds) -> Vec<String> {
    let Words { plural, score, .. } = Words::of(bounds);
    let crps = |method: &Rated| number(method.crps, method.summed.crps.and_then(|crps| crps.sd));
    let mut reasons = Vec::new();
    if chosen.id() != best.id() {
        let sure = chosen.is_as_good(best).map_or_else(String::new, |p| format!(" ({p:.2})"));
        reasons.push(format!(
            "`{}` has the lowest product of CRPS and {score} (CRPS {} against {}), but `{}` is simpler, and its CRPS and {score} are \
             most probably{sure} at most {} higher.",
            best.id(),
            crps(best),
            crps(chosen),
            chosen.id(),
            percent(MARGIN)
        ));
    } else if rated.iter().filter(|method| !method.summed.is_too_low()).count() > 1 {
        let product =
            match rated.iter().filter(|method| !method.summed.is_too_low()).any(|other| other.crps < chosen.crps) {
                false => format!("CRPS, {}, and the lowest product of it and the {score}", crps(chosen)),
                true => format!("product of CRPS ({}) and {score}", crps(chosen)),
            };
        reasons.push(format!("It has the lowest {product} of the methods whose {plural} do not cover too few rows."));
    } else {
        reasons.push(format!(
            "It is the only method whose {plural} do not cover too few rows; its CRPS is {}.",
            crps(chosen)
        ));
    }
    if let Some(anchor) = lowest_anchor(rated).filter(|anchor| !chosen.ignores_features() && anchor.crps > 0.0) {
        let gain = percent_of((1.0 - chosen.crps / anchor.crps).abs());
        let side = if chosen.crps <= anchor.crps { "below" } else { "above" };
        reasons.push(format!("Its CRPS is {gain} {side} that of `{}`, which ignores the features.", anchor.id()));
    }
    reasons
}

fn lowest_anchor<'a>(rated: &[Rated<'a>]) -> Option<Rated<'a>> {
    let anchors = rated.iter().copied().filter(Rated::ignores_features);
    anchors.min_by(|a, b| a.crps.total_cmp(&b.crps))
}

/// Why methods of lower CRPS are not recommended: their intervals cover too few rows.
fn reasons_against(chosen: &Rated, rated: &[Rated], level: &str) -> Vec<String> {
    let against = rated.iter().filter(|method| method.summed.is_too_low() && method.crps < chosen.crps);
    let reason = |method: &Rated| {
        let (coverage, _) = method.summed.coverage?;
        let share = percent_of(coverage.share());
        let name = method.id();
        Some(format!("Not `{name}`, though its CRPS is lower: its {level} cover only {share} of the test rows."))
    };
    against.filter_map(reason).collect()
}

/// That the features tell nothing, where no method can use them.
fn reason_of_features(rated: &[Rated]) -> Option<String> {
    let anchor = lowest_anchor(rated)?;
    (!rated.iter().any(|method| method.is_informed(&anchor))).then(|| {
        "No method beats those that ignore the features by more than the noise of the folds: on these rows the features carry \
         no information that these methods can use."
            .into()
    })
}

/// Kinds of rows of which the intervals cover too few, and a method that covers enough of each kind.
fn warning_of_kinds(chosen: &Rated, rated: &[Rated], evaluation: &Evaluation) -> Option<String> {
    let low = |method: &Rated| -> Vec<KindOfRow> {
        let all = kinds(method.summed.tried, evaluation).into_iter();
        all.filter(|kind| kind.judged == Judged::TooLow).collect()
    };
    let found = low(chosen);
    if found.is_empty() {
        return None;
    }
    let each = |kind: &KindOfRow| {
        format!("{} ({} of {} rows)", kind.name, percent_of(kind.coverage.share()), kind.coverage.rows)
    };
    let others = rated.iter().filter(|other| other.id() != chosen.id() && !other.summed.is_too_low());
    let mends = others.filter(|other| low(other).is_empty()).min_by(|a, b| a.crps.total_cmp(&b.crps));
    let advice = match mends {
        Some(other) => {
            format!("`{}` covers enough rows of every kind; its CRPS is {}", other.id(), number(other.crps, None))
        }
        None => "No other method here covers enough rows of every kind".into(),
    };
    let shown = found.iter().map(each).collect::<Vec<_>>().join("; ");
    let plural = Words::of(evaluation.bounds).plural;
    Some(format!("Warning: its {plural} cover too few rows of some kinds: {shown}. {advice}."))
}

/// Ends of intervals below zero, where no target is.
fn warning_of_values(chosen: &Rated, evaluation: &Evaluation) -> Option<String> {
    let share = below_zero(chosen.summed.tried, evaluation)?;
    Some(format!(
        "Warning: {} of its {} reach below zero, but no target does. If the target cannot be negative, read such an end as zero.",
        percent_of(share),
        Words::of(evaluation.bounds).plural
    ))
}
