//! Recommend a method, with the reasons, the warnings and the limits.

use uq_core::predictive::Bounds;
use uq_methods::Guarantee;
use uqbench_run::candidates::CALIBRATED;
use uqbench_run::runner::try_table::{Evaluation, Tried};

use super::choice::{Choice, MARGIN, NoChoice, Rated, SURE, choice};
use super::procedure::{estimate, overstated};
use super::reason::{Lead, Next, Offer, Promise, Reason, Tested, Theorem, TooFew, Warning};
use super::summary::summed;
use super::warnings::{
    adaptive, kinds_too_high, untried, warning_of_blocks, warning_of_kinds, warning_of_slab,
    warning_of_values,
};
use crate::words::try_table::reasons::{promise, reason, why};
use crate::words::try_table::warnings::warning;

/// What to use.
#[derive(Clone, Debug, PartialEq)]
pub struct Recommendation {
    /// The intervals that were asked for.
    pub bounds: Bounds,
    /// The recommended method, if there is one.
    pub method: Option<String>,
    /// Why this method, or why none, and the limits.
    pub reasons: Vec<Reason>,
    /// What to beware of.
    pub warnings: Vec<Warning>,
}

impl Recommendation {
    /// Why this method or none, and what to beware of, in Markdown.
    pub fn text(&self) -> String {
        let reasons = self.reasons_in_words().into_iter().map(|reason| format!("- {reason}\n"));
        let warnings =
            self.warnings_in_words().into_iter().map(|warning| format!("- Warning: {warning}\n"));
        let list: String = reasons.chain(warnings).collect();
        format!("## {}\n\n{list}", why(self.method.as_deref()))
    }

    /// The reasons, each in sentences of Markdown.
    pub fn reasons_in_words(&self) -> Vec<String> {
        self.reasons.iter().map(|found| reason(found, self.bounds)).collect()
    }

    /// The warnings, each in sentences of Markdown.
    pub fn warnings_in_words(&self) -> Vec<String> {
        self.warnings.iter().map(|found| warning(found, self.bounds)).collect()
    }
}

/// The recommendation of an evaluation.
pub fn recommend(evaluation: &Evaluation) -> Recommendation {
    let bounds = evaluation.bounds;
    let none = |reasons| Recommendation { bounds, method: None, reasons, warnings: Vec::new() };
    let all = summed(evaluation);
    if all.iter().all(|method| method.tried.folds.is_err()) {
        return none(vec![Reason::AllFailed]);
    }
    let rated = Rated::all(&all);
    let found = match choice(&rated) {
        Ok(found) => found,
        Err(why) => return none(reasons_of_none(why, &rated, evaluation)),
    };
    let chosen = &found.chosen;
    let mut reasons: Vec<Reason> = tested(chosen).map(Reason::Tested).into_iter().collect();
    reasons.push(Reason::Promise(theorem(chosen, evaluation), estimate(evaluation)));
    reasons.push(Reason::Lead(lead(&found, &rated)));
    reasons.extend(reason_of_beaten(&found));
    reasons.extend(gain(chosen, &rated));
    reasons.extend(reasons_against(chosen, &rated));
    reasons.extend(reason_of_features(&rated, chosen));
    reasons.extend(kinds_too_high(chosen, evaluation).map(Reason::KindsTooHigh));
    reasons.push(Reason::Limits(evaluation.division));
    let warnings = [
        lowest_of_features(&rated).is_none().then_some(Warning::FeaturesUntried),
        warning_of_kinds(chosen, &rated, evaluation),
        warning_of_slab(chosen, evaluation),
        warning_of_blocks(chosen, evaluation),
        warning_of_values(chosen, &rated, evaluation),
    ];
    Recommendation {
        bounds,
        method: Some(chosen.id().to_owned()),
        reasons,
        warnings: warnings.into_iter().flatten().collect(),
    }
}

/// The method with the lowest CRPS of those that use the features and have scores; `None` where
/// there is none.
pub(super) fn best_of_features(evaluation: &Evaluation) -> Option<&Tried> {
    let all = summed(evaluation);
    let rated = Rated::all(&all);
    let best = lowest_of_features(&rated)?.id();
    evaluation.methods.iter().find(|tried| tried.id == best)
}

fn lowest_of_features<'r, 'a>(rated: &'r [Rated<'a>]) -> Option<&'r Rated<'a>> {
    rated
        .iter()
        .filter(|method| !method.ignores_features())
        .min_by(|a, b| a.crps.total_cmp(&b.crps))
}

/// Why there is no method, and what may help.
fn reasons_of_none(why: NoChoice, rated: &[Rated], evaluation: &Evaluation) -> Vec<Reason> {
    match why {
        NoChoice::Undefined => vec![Reason::NoneComparable],
        NoChoice::TooFew => {
            let is_of_all = rated.len() == evaluation.methods.len();
            let lowest = lowest_of_features(rated).and_then(|best| too_few(best, evaluation));
            [Reason::AllTooFew { is_of_all }]
                .into_iter()
                .chain(lowest.map(Reason::LowestTooFew))
                .collect()
        }
        NoChoice::Beaten { reference, by } => {
            let probability = by.lower_crps(&reference);
            let beating = too_few(&by, evaluation);
            [Reason::ReferenceBeaten { reference: reference.id().to_owned() }]
                .into_iter()
                .chain(beating.map(|by| Reason::BeatingTooFew { by, probability }))
                .collect()
        }
    }
}

/// A method whose intervals cover too few rows, and how to try it calibrated where it has not been;
/// `None` where it has no intervals.
fn too_few(method: &Rated, evaluation: &Evaluation) -> Option<TooFew> {
    let (coverage, _) = method.summed.coverage?;
    let id = method.id();
    let calibrated = (!id.starts_with(CALIBRATED)).then(|| format!("{CALIBRATED}{id}"));
    let offer = calibrated
        .and_then(|name| untried(name, evaluation))
        .map(Offer::Calibrated)
        .or_else(|| adaptive(id, evaluation));
    Some(TooFew { method: id.to_owned(), coverage, offer })
}

/// What a method covers of the test rows; `None` where it has no intervals.
pub(super) fn tested(method: &Rated) -> Option<Tested> {
    method.summed.coverage.map(|(coverage, kept)| Tested { coverage, kept })
}

/// What a comparison says of a method's intervals, in sentences: their coverage, what is
/// guaranteed, what is estimated of the whole procedure where it recommends the method, and where
/// it holds.
pub fn promises(evaluation: &Evaluation, id: &str) -> Vec<String> {
    promised(evaluation, id).iter().map(|found| promise(found, evaluation.bounds)).collect()
}

/// What the intervals of a method promise, as data; none where the method has no scores.
pub(super) fn promised(evaluation: &Evaluation, id: &str) -> Vec<Promise> {
    let all = summed(evaluation);
    let rated = Rated::all(&all);
    let Some(method) = rated.iter().find(|method| method.id() == id) else { return Vec::new() };
    let is_recommended = choice(&rated).is_ok_and(|found| found.chosen.id() == id);
    let promises = [
        tested(method).map(Promise::Tested),
        Some(Promise::Theorem(theorem(method, evaluation))),
        is_recommended.then(|| Promise::Procedure(estimate(evaluation))),
        is_recommended.then(|| overstated(evaluation)).flatten().map(Promise::Overstated),
        Some(Promise::Holds(evaluation.division)),
    ];
    promises.into_iter().flatten().collect()
}

/// What a theorem says of a method.
pub(super) fn theorem(method: &Rated, evaluation: &Evaluation) -> Theorem {
    match &method.summed.tried.guaranteed {
        Some(Guarantee { least, theorem }) => Theorem::Guarantees {
            least: *least,
            theorem: theorem.clone(),
            is_below_level: *least < evaluation.bounds.level - 1e-9,
        },
        None if evaluation.division.is_stated() => Theorem::Dependent,
        None => Theorem::Unknown,
    }
}

/// Why this method of those whose intervals do not cover too few rows.
fn lead(found: &Choice, rated: &[Rated]) -> Lead {
    let Choice { chosen, best, beaten } = found;
    let beaten = beaten.map(|reference| reference.id().to_owned());
    if chosen.id() != best.id() {
        return Lead::Simpler {
            chosen: chosen.scored(),
            best: best.scored(),
            beaten,
            probability: chosen.is_as_good(best),
            margin: MARGIN,
        };
    }
    let honest: Vec<&Rated> = rated.iter().filter(|method| method.is_honest()).collect();
    if honest.len() == 1 {
        return Lead::Only(chosen.scored());
    }
    let is_lower = honest.iter().any(|other| other.crps < chosen.crps);
    Lead::Best {
        chosen: chosen.scored(),
        has_lowest_crps: beaten.is_none() && !is_lower,
        beaten,
        next: next(chosen, &honest),
    }
}

/// The next method, and how far it is behind.
fn next(chosen: &Rated, honest: &[&Rated]) -> Option<Next> {
    let others = honest.iter().filter(|other| {
        other.id() != chosen.id() && !other.ignores_features() && other.loss() >= chosen.loss()
    });
    let next = others.min_by(|a, b| a.loss().total_cmp(&b.loss()));
    next.filter(|_| chosen.loss() > 0.0).map(|next| Next {
        method: next.id().to_owned(),
        behind: (next.loss() / chosen.loss()).powi(2) - 1.0,
    })
}

/// That a method which ignores the features would be the best one, were it not beaten.
fn reason_of_beaten(found: &Choice) -> Option<Reason> {
    let reference = found.beaten?;
    Some(Reason::NotReference {
        reference: reference.id().to_owned(),
        chosen: found.chosen.id().to_owned(),
        probability: found.chosen.lower_crps(&reference),
    })
}

/// What the features contribute to a method that uses them.
fn gain(chosen: &Rated, rated: &[Rated]) -> Option<Reason> {
    let anchor =
        lowest_anchor(rated).filter(|anchor| !chosen.ignores_features() && anchor.crps > 0.0)?;
    Some(Reason::Gain {
        reference: anchor.id().to_owned(),
        share: (1.0 - chosen.crps / anchor.crps).abs(),
        is_below: chosen.crps <= anchor.crps,
    })
}

fn lowest_anchor<'a>(rated: &[Rated<'a>]) -> Option<Rated<'a>> {
    let anchors = rated.iter().copied().filter(Rated::ignores_features);
    anchors.min_by(|a, b| a.crps.total_cmp(&b.crps))
}

/// Why methods of lower CRPS are not recommended: their intervals cover too few rows.
fn reasons_against(chosen: &Rated, rated: &[Rated]) -> Vec<Reason> {
    let against = rated.iter().filter(|method| !method.is_honest() && method.crps < chosen.crps);
    let reason = |method: &Rated| {
        let (coverage, _) = method.summed.coverage?;
        Some(Reason::NotTooFew { method: method.id().to_owned(), coverage })
    };
    against.filter_map(reason).collect()
}

/// That the features tell nothing, where no method can use them.
fn reason_of_features(rated: &[Rated], chosen: &Rated) -> Option<Reason> {
    let anchor = lowest_anchor(rated).filter(|_| lowest_of_features(rated).is_some())?;
    (!rated.iter().any(|method| method.beats(&anchor))).then(|| Reason::FeaturesSayNothing {
        reference: anchor.id().to_owned(),
        chosen: (!chosen.ignores_features()).then(|| chosen.id().to_owned()),
        sure: SURE,
    })
}
