//! Recommend a method and give the reasons: of the methods whose intervals do not cover too few rows, the simplest of
//! the best.
//!
//! A difference of mean CRPS over the folds of a cross-validation is noise where the interval of Nadeau & Bengio (2003,
//! *Inference for the generalization error*, Machine Learning 52) holds zero: d̄ ± t₀.₉₇₅(n − 1) s √(1/n + test/train),
//! n folds. The correction widens Student's interval because the folds' training rows overlap.

use crate::methods::candidates::Candidate;
use crate::metrics::percent;
use crate::runner::try_table::{Division, Evaluation};
use crate::stats::corrected::Corrected;
use crate::stats::coverage::Judged;
use crate::stats::digits::number;
use crate::stats::paired::ALPHA;

use super::summary::{Summed, summed};

/// What to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// The recommended method, if there is one.
    pub method: Option<String>,
    /// Recommendation, reasons and limits, in Markdown.
    pub text: String,
}

/// A method with all that the choice needs.
struct Rated<'a> {
    summed: &'a Summed<'a>,
    crps: f64,
}

/// A paired difference of mean CRPS with its corrected half width.
struct Difference {
    mean: f64,
    half_width: f64,
}

impl Difference {
    /// `of` minus `from`, over folds.
    fn new(of: &Rated, from: &Rated) -> Option<Self> {
        let folds = |rated: &Rated| rated.summed.tried.folds.as_ref().ok().cloned();
        let (a, b) = (folds(of)?, folds(from)?);
        let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| Some(a.crps? - b.crps?)).collect::<Option<_>>()?;
        let share = a.iter().map(|fold| fold.test_rows as f64 / fold.train_rows as f64).sum::<f64>() / a.len() as f64;
        let corrected = Corrected::of(&differences, share)?;
        Some(Self { mean: corrected.summary.mean, half_width: corrected.half_width(ALPHA) })
    }

    /// Whether zero lies in the interval.
    fn is_noise(&self) -> bool {
        self.mean.abs() <= self.half_width
    }
}

/// The recommendation of an evaluation.
pub fn recommend(evaluation: &Evaluation) -> Recommendation {
    let all = summed(evaluation);
    let rated: Vec<Rated> = all
        .iter()
        .filter(|method| method.coverage.is_some())
        .filter_map(|summed| Some(Rated { summed, crps: summed.crps()? }))
        .collect();
    let level = percent(evaluation.level);
    let honest: Vec<&Rated> = rated.iter().filter(|method| !method.summed.is_too_low()).collect();
    if all.iter().all(|method| method.tried.folds.is_err()) {
        let text = "**Recommended: none.**\n\n- Every method failed, so nothing was compared: see above why.\n".into();
        return Recommendation { method: None, text };
    }
    let Some(best) = honest.iter().copied().min_by(|a, b| a.crps.total_cmp(&b.crps)) else {
        let text = format!(
            "**Recommended: none.**\n\n- The {level} intervals of every method cover significantly fewer rows than \
             stated, or are undefined.\n"
        );
        return Recommendation { method: None, text };
    };
    let is_as_good = |method: &Rated| id(method) == id(best) || is_noise(method, best);
    let chosen = honest.iter().copied().find(|method| is_as_good(method)).unwrap_or(best);

    let mut reasons = vec![reason_of_coverage(chosen, &level)];
    reasons.extend(reason_of_crps(chosen, best, &honest, &rated));
    reasons.extend(reasons_against(chosen, &rated, &level));
    if Candidate::is_unconditional(id(chosen)) {
        let informed = rated.iter().any(|method| is_clearly_better(method, chosen));
        reasons.push(if informed {
            "The features do carry information, but the intervals of the methods that use it cover too few rows.".into()
        } else {
            "No method beats those that ignore the features by more than the noise of the folds: on these rows \
             the features carry no information that these methods can use."
                .into()
        });
    }
    reasons.push(caveat(evaluation));
    let list: String = reasons.iter().map(|reason| format!("- {reason}\n")).collect();
    Recommendation {
        method: Some(id(chosen).to_owned()),
        text: format!("**Recommended: `{}`.**\n\n{list}", id(chosen)),
    }
}

fn id<'a>(method: &Rated<'a>) -> &'a str {
    &method.summed.tried.id
}

fn is_noise(method: &Rated, best: &Rated) -> bool {
    Difference::new(method, best).is_some_and(|difference| difference.is_noise())
}

fn is_clearly_better(method: &Rated, than: &Rated) -> bool {
    method.crps < than.crps && !is_noise(method, than)
}

fn reason_of_coverage(chosen: &Rated, level: &str) -> String {
    let Some((coverage, judged)) = chosen.summed.coverage else { return String::new() };
    let wide = if judged == Judged::TooHigh { "; they are wider than necessary" } else { "" };
    let share = percent_of(coverage.share());
    let about =
        coverage.interval().map(|(low, high)| format!(" (95 % interval: {:.1} to {})", 100.0 * low, percent_of(high)));
    let about = about.unwrap_or_default();
    format!("Its {level} intervals cover {share} of the test rows{about}, not significantly less than stated{wide}.")
}

/// A share as it stands in a sentence, to a tenth of a percent.
fn percent_of(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn reason_of_crps(chosen: &Rated, best: &Rated, honest: &[&Rated], rated: &[Rated]) -> Vec<String> {
    let crps = |method: &Rated| number(method.crps, method.summed.crps.and_then(|crps| crps.sd));
    let mut reasons = Vec::new();
    if id(chosen) != id(best) {
        let difference = Difference::new(chosen, best);
        let noise = difference.map(|d| {
            format!(", {} ± {},", number(d.mean, Some(d.half_width)), number(d.half_width, Some(d.half_width)))
        });
        reasons.push(format!(
            "`{}` has a lower CRPS ({} against {}), but the difference{} is within the noise of the folds, and `{}` is \
             simpler.",
            id(best),
            crps(best),
            crps(chosen),
            noise.unwrap_or_default(),
            id(chosen)
        ));
    } else if honest.len() > 1 {
        reasons.push(format!(
            "Its CRPS, {}, is the lowest of the methods whose intervals do not cover too few rows.",
            crps(chosen)
        ));
    } else {
        reasons.push(format!(
            "It is the only method whose intervals do not cover too few rows; its CRPS is {}.",
            crps(chosen)
        ));
    }
    let anchors = rated.iter().filter(|method| Candidate::is_unconditional(id(method)));
    let anchor = anchors.min_by(|a, b| a.crps.total_cmp(&b.crps));
    if let Some(anchor) = anchor.filter(|_| !Candidate::is_unconditional(id(chosen)))
        && anchor.crps > 0.0
    {
        let gain = percent_of(1.0 - chosen.crps / anchor.crps);
        reasons.push(format!("Its CRPS is {gain} below that of `{}`, which ignores the features.", id(anchor)));
    }
    reasons
}

/// Why methods of lower CRPS are not recommended: their intervals cover too few rows.
fn reasons_against(chosen: &Rated, rated: &[Rated], level: &str) -> Vec<String> {
    let against = rated.iter().filter(|method| method.summed.is_too_low() && method.crps < chosen.crps);
    let reason = |method: &Rated| {
        let (coverage, _) = method.summed.coverage?;
        let share = percent_of(coverage.share());
        let name = id(method);
        Some(format!(
            "Not `{name}`, though its CRPS is lower: its {level} intervals cover only {share} of the test rows."
        ))
    };
    against.filter_map(reason).collect()
}

fn caveat(evaluation: &Evaluation) -> String {
    let repeated = match evaluation.division {
        Division::Repeated { .. } => " with features seen before",
        _ => "",
    };
    format!(
        "Limits: nothing was tuned, so another setting may do better. Coverage holds on average over new rows \
         like these{repeated} (exchangeable with them: no later times, other places or features out of range), not for \
         each kind of row."
    )
}
