//! Write the scorecard in JSON: each line with the names that a reader needs, and no reference to a
//! plan.

use serde::{Serialize, Serializer};

use super::cell::summary;
use super::real;
use crate::judgement::claims::{ClaimResult, Wording};
use crate::judgement::{ClaimLine, NumberLine, Scorecard};
use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::Plan;

/// A scorecard as JSON has it.
#[derive(Serialize)]
struct Card<'a> {
    numbers: Vec<Number<'a>>,
    claims: Vec<Claim<'a>>,
    passed: usize,
    judged: usize,
    by_chance: f64,
}

/// A judged number.
#[derive(Serialize)]
struct Number<'a> {
    dataset: String,
    column: String,
    variant: Option<&'a str>,
    metric: &'a MetricId,
    printed: &'a str,
    printed_spread: Option<&'a str>,
    spread_kind: &'static str,
    #[serde(serialize_with = "summary")]
    ours: Option<Summary>,
    #[serde(serialize_with = "real::option::serialize")]
    half_width: Option<f64>,
    #[serde(serialize_with = "real::option::serialize")]
    tolerance: Option<f64>,
    verdict: String,
    first_trial: Option<&'a TrialKey>,
}

/// A judged claim.
#[derive(Serialize)]
struct Claim<'a> {
    id: &'a str,
    text: &'a str,
    /// What the sentence is called in its paper; `None` where no paper states it.
    sentence: Option<&'a str>,
    reading: &'a str,
    /// Name of the reading, where it is not the primary one.
    other_reading: Option<&'a str>,
    ours: &'static str,
    printed: &'static str,
    /// What our runs show, in words.
    shown: String,
    repetitions: usize,
    first_trial: Option<&'a TrialKey>,
}

/// Writes a scorecard.
///
/// # Errors
/// Those of the serializer.
pub(super) fn serialize<S: Serializer>(card: &Scorecard, serializer: S) -> Result<S::Ok, S::Error> {
    let Scorecard { plan, numbers, claims, passed, judged, by_chance, wording, .. } = card;
    Card {
        numbers: numbers.iter().map(|line| number(plan, line)).collect(),
        claims: claims.iter().map(|line| claim(line, *wording)).collect(),
        passed: *passed,
        judged: *judged,
        by_chance: *by_chance,
    }
    .serialize(serializer)
}

fn number<'a>(plan: &'a Plan, line: &'a NumberLine) -> Number<'a> {
    let [dataset, column] = line.headings(plan);
    Number {
        dataset,
        column,
        variant: line.variant(plan),
        metric: &line.metric.id,
        printed: &line.printed.value,
        printed_spread: line.printed.spread.as_deref(),
        spread_kind: line.printed.spread_kind.as_str(),
        ours: line.own,
        half_width: line.judgement.and_then(|judgement| judgement.half_width),
        tolerance: line.judgement.map(|judgement| judgement.tolerance),
        verdict: line.verdict.to_string(),
        first_trial: line.first_trial.as_ref(),
    }
}

fn claim<'a>(line: &'a ClaimLine, wording: Wording) -> Claim<'a> {
    let ClaimLine { claim, result, notes, first_trial } = line;
    let ClaimResult { own, printed, n, .. } = result;
    Claim {
        id: &claim.id,
        text: &claim.text,
        sentence: claim.sentence(),
        reading: &claim.reading,
        other_reading: claim.other_reading.as_deref(),
        ours: own.as_str(),
        printed: printed.as_str(),
        shown: wording(&notes.own),
        repetitions: *n,
        first_trial: first_trial.as_ref(),
    }
}
