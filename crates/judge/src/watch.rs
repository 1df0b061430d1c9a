//! Judge the predictions of a model by what came true since: coverage by period, evidence that they
//! are no longer what they were, and what to do.
//!
//! [`Observed`] reads predictions with their outcomes, [`watch`] judges them. The evidence is that of
//! [`uq_core::stats::evidence`]: each alarm is raised with a stated probability at most, however
//! long one watches.

mod advice;
mod features;
mod fingerprint;
mod observed;
#[cfg(test)]
mod tests;

pub use advice::{Advice, Gain};
use advice::{advise, advise_without_alarm};
pub use features::{FeatureDrift, compare_features};
pub use fingerprint::fingerprint;
pub use observed::{Columns, Every, Observed, ObservedRow, RECALIBRATION};

use std::ops::Range;

use uq_core::math::median::median;
use uq_core::math::random::Streams;
use uq_core::predictive::{Bounds, IntervalOutcome};
use uq_core::stats::coverage::Coverage;
use uq_core::stats::evidence::{
    evidence_of_growth, evidence_of_misses, evidence_of_shares, first_alarm, interval_at_all_rows,
};
use uqbench_run::runner::model::kept_score;

/// What is asked of predictions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// Their intervals.
    pub bounds: Bounds,
    /// By how much the probability of being covered may be less than the level.
    pub tolerance: f64,
    /// The probability of ever raising an alarm where there is no reason.
    pub alpha: f64,
    /// Whether rows of one period depend on each other.
    pub dependent: bool,
}

impl Terms {
    /// The largest probability of a miss that is tolerated, 1 − (level − tolerance).
    pub fn most_missed(self) -> f64 {
        1.0 - self.bounds.level + self.tolerance
    }

    /// Refuses a tolerance that leaves nothing to test.
    ///
    /// # Errors
    /// What was found and expected.
    pub fn check(self) -> Result<(), String> {
        let Self { bounds, tolerance, .. } = self;
        if tolerance >= 0.0 && tolerance < bounds.level {
            Ok(())
        } else {
            Err(format!("found {tolerance}, expected less than the level, {}", bounds.level))
        }
    }
}

/// Evidence: without a reason as much is ever reached with a probability of at most one over it.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// After the last row of each period.
    pub by_period: Vec<f64>,
    /// The largest one so far.
    pub largest: f64,
    /// The period in which the alarm was raised, if it was.
    pub alarm: Option<usize>,
}

/// Rows of a period.
#[derive(Clone, Debug, PartialEq)]
pub struct Period {
    /// Its name.
    pub label: String,
    /// How many of its rows are covered.
    pub coverage: Coverage,
    /// The interval of the probability of being covered, in this period, which holds whenever one
    /// looks; `None` where rows depend on each other.
    pub interval: Option<(f64, f64)>,
    /// Mean width; `None` where the intervals have one end.
    pub width: Option<f64>,
    /// Mean interval score, or of one bound mean pinball loss.
    pub loss: f64,
    /// How many rows are covered up to its end.
    pub so_far: Coverage,
    /// The interval of the probability of being covered, from all rows up to its end.
    pub interval_so_far: Option<(f64, f64)>,
}

/// What came of predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    /// What was asked.
    pub terms: Terms,
    /// Its periods, in the order of time.
    pub periods: Vec<Period>,
    /// How many of all rows are covered.
    pub coverage: Coverage,
    /// How many outcomes lie below their interval.
    pub below: usize,
    /// The interval of the probability of being covered, which holds at all rows together; `None`
    /// where rows depend on each other.
    pub interval: Option<(f64, f64)>,
    /// Mean width; `None` where the intervals have one end.
    pub width: Option<f64>,
    /// Mean interval score, or of one bound mean pinball loss.
    pub loss: f64,
    /// Evidence that more rows are missed than is tolerated.
    pub misses: Evidence,
    /// Evidence that errors have grown since the comparison; `None` where the model keeps no scores
    /// of it, and where rows depend on each other.
    pub growth: Option<Evidence>,
    /// Number of scores that the growth is judged by.
    pub calibration_rows: usize,
    /// Features whose distribution has changed, by their distance; `None` where they were not
    /// compared.
    pub drifts: Option<Vec<FeatureDrift>>,
    /// What to do.
    pub advice: Advice,
    /// The day, or else the period, of the first row since the likely change, where there is one.
    pub since: Option<String>,
    /// The median of the outcomes since then less the middles of their intervals; `None` where the
    /// intervals have one end.
    pub offset: Option<f64>,
}

impl Watch {
    /// Whether an alarm was raised.
    pub fn is_alarmed(&self) -> bool {
        let growth = self.growth.as_ref().and_then(|growth| growth.alarm);
        self.misses.alarm.is_some() || growth.is_some()
    }
}

/// Judges predictions: `rows` are in the order of time and not none, `calibration` has the scores of
/// the model's comparison, and ties among scores are in an order that `seed` draws.
pub fn watch(
    rows: &[ObservedRow],
    terms: Terms,
    calibration: &[f64],
    drifts: Option<Vec<FeatureDrift>>,
    seed: u64,
) -> Watch {
    let all: Vec<IntervalOutcome> = rows.iter().map(|row| row.interval).collect();
    let ends = period_ends(rows);
    let missed: Vec<bool> = all.iter().map(|row| !row.is_covered()).collect();
    let misses = match terms.dependent {
        true => {
            // The last period may be unfinished, and is not bet on.
            let finished = ends.len().saturating_sub(1);
            let shares = parts(&ends[..finished]).map(|part| {
                let of = &missed[part];
                of.iter().filter(|missed| **missed).count() as f64 / of.len() as f64
            });
            let mut evidence = evidence_of_shares(shares, terms.most_missed());
            evidence.push(evidence.last().copied().unwrap_or(1.0));
            by_period(&evidence, None, terms.alpha)
        }
        false => by_period(
            &evidence_of_misses(missed.iter().copied(), terms.most_missed()),
            Some(&ends),
            terms.alpha,
        ),
    };
    let is_judged = !terms.dependent && !calibration.is_empty();
    let scores: Vec<f64> = all.iter().map(|row| kept_score(*row, terms.bounds.side)).collect();
    let growth = is_judged.then(|| {
        let streams = Streams::new(seed, "watch");
        let evidence = evidence_of_growth(calibration, &scores, &streams);
        by_period(&evidence, Some(&ends), terms.alpha)
    });
    let whole = summary(&all, terms);
    let has_grown = growth.as_ref().is_some_and(|growth| growth.alarm.is_some());
    let advice = match (misses.alarm.is_some(), has_grown) {
        (true, _) => advise(&all, &missed, terms.bounds),
        (false, true) => {
            // Errors are larger, though few are misses: those beyond the level's quantile.
            let usual = quantile(calibration, terms.bounds.level);
            let large: Vec<bool> = scores.iter().map(|score| *score > usual).collect();
            advise(&all, &large, terms.bounds)
        }
        (false, false) => advise_without_alarm(terms, whole.interval),
    };
    let newest = advice.newest().map(|newest| &rows[rows.len() - newest..]);
    let first = newest.and_then(|newest| newest.first());
    Watch {
        terms,
        periods: periods(rows, &all, &ends, terms),
        coverage: whole.coverage,
        below: all.iter().filter(|row| row.outcome < row.lower).count(),
        interval: whole.interval,
        width: whole.width,
        loss: whole.loss,
        misses,
        growth,
        calibration_rows: calibration.len(),
        drifts,
        advice,
        since: first.map(|row| row.day.clone().unwrap_or_else(|| row.period.clone())),
        offset: newest.and_then(offset),
    }
}

/// The smallest of numbers that this share of them does not exceed; ∞ of none.
fn quantile(numbers: &[f64], share: f64) -> f64 {
    let mut ascending = numbers.to_vec();
    ascending.sort_by(f64::total_cmp);
    let place = (share * ascending.len() as f64).ceil() as usize;
    ascending.get(place.saturating_sub(1)).copied().unwrap_or(f64::INFINITY)
}

/// The median of outcomes less the middles of their intervals; `None` where one has no middle.
fn offset(rows: &[ObservedRow]) -> Option<f64> {
    let of_row = |row: &ObservedRow| {
        let IntervalOutcome { lower, upper, outcome } = row.interval;
        Some(outcome - f64::midpoint(lower, upper)).filter(|offset| offset.is_finite())
    };
    let offsets = rows.iter().map(of_row).collect::<Option<_>>()?;
    median(offsets)
}

/// The end of each period: the number of rows up to it.
fn period_ends(rows: &[ObservedRow]) -> Vec<usize> {
    let last = |row: usize| rows.get(row + 1).is_none_or(|next| next.period != rows[row].period);
    (0..rows.len()).filter(|row| last(*row)).map(|row| row + 1).collect()
}

/// The rows of each period.
fn parts(ends: &[usize]) -> impl Iterator<Item = Range<usize>> + '_ {
    ends.iter().enumerate().map(|(i, end)| if i == 0 { 0..*end } else { ends[i - 1]..*end })
}

/// Evidence after each row, or after each period where `ends` is none, by period.
fn by_period(evidence: &[f64], ends: Option<&[usize]>, alpha: f64) -> Evidence {
    let period = |row: usize| ends.map_or(row, |ends| ends.partition_point(|end| *end <= row));
    let by_period = match ends {
        Some(ends) => ends.iter().map(|end| evidence[end - 1]).collect(),
        None => evidence.to_vec(),
    };
    Evidence {
        by_period,
        largest: evidence.iter().copied().fold(1.0, f64::max),
        alarm: first_alarm(evidence, alpha).map(period),
    }
}

/// What rows have in common.
struct Summary {
    coverage: Coverage,
    interval: Option<(f64, f64)>,
    width: Option<f64>,
    loss: f64,
}

fn summary(rows: &[IntervalOutcome], terms: Terms) -> Summary {
    let coverage =
        Coverage { covered: rows.iter().filter(|row| row.is_covered()).count(), rows: rows.len() };
    let mean = |number: &dyn Fn(&IntervalOutcome) -> f64| {
        rows.iter().map(number).sum::<f64>() / rows.len() as f64
    };
    Summary {
        coverage,
        interval: interval(coverage, terms),
        width: Some(mean(&|row| row.upper - row.lower)).filter(|width| width.is_finite()),
        loss: mean(&|row| row.loss(terms.bounds)),
    }
}

fn interval(coverage: Coverage, terms: Terms) -> Option<(f64, f64)> {
    let Coverage { covered, rows } = coverage;
    (!terms.dependent).then(|| interval_at_all_rows(covered, rows, terms.alpha))
}

fn periods(
    rows: &[ObservedRow],
    all: &[IntervalOutcome],
    ends: &[usize],
    terms: Terms,
) -> Vec<Period> {
    let mut so_far = Coverage { covered: 0, rows: 0 };
    let period = |part: Range<usize>| {
        let Summary { coverage, interval: of_period, width, loss } =
            summary(&all[part.clone()], terms);
        so_far.covered += coverage.covered;
        so_far.rows += coverage.rows;
        Period {
            label: rows[part.start].period.clone(),
            coverage,
            interval: of_period,
            width,
            loss,
            so_far,
            interval_so_far: interval(so_far, terms),
        }
    };
    parts(ends).map(period).collect()
}
