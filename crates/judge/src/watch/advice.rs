//! Decide what to do about predictions: keep the model, recalibrate it, or fit it anew.

use super::{Evidence, Terms};
use uq_core::predictive::{Bounds, IntervalOutcome, Recalibration, Side};
use uq_core::stats::evidence::likely_start;

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advice {
    /// Nothing: there is no alarm.
    Keep,
    /// Intervals cover more than the level and the tolerance together: recalibrated ones are
    /// narrower.
    Narrow,
    /// Errors have changed: recalibrate with the newest rows.
    Recalibrate {
        /// How many.
        newest: usize,
        /// What it gains on rows that have not moved the intervals; `None` where there are too few
        /// rows to tell.
        gain: Option<Gain>,
    },
    /// Recalibrated intervals are no better than one interval for all rows.
    FitAnew {
        /// The newest rows on which they are not.
        newest: usize,
        /// The mean losses there.
        gain: Gain,
    },
    /// There are too few rows since the change to recalibrate with.
    Wait {
        /// How many there are.
        newest: usize,
        /// How many are needed.
        expected: usize,
    },
}

/// Mean interval scores, or pinball losses, on the newer half of rows, after the older half has
/// moved the intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// Of the intervals as they were.
    pub before: f64,
    /// Of the moved intervals.
    pub moved: f64,
    /// Of one interval for all rows, from the outcomes of the older half.
    pub constant: f64,
    /// Rows of the newer half.
    pub rows: usize,
}

/// What to do about `rows`, of which some were `missed`.
pub(super) fn advise(
    rows: &[IntervalOutcome],
    missed: &[bool],
    terms: Terms,
    misses: &Evidence,
    growth: Option<&Evidence>,
    interval: Option<(f64, f64)>,
) -> Advice {
    let Terms { bounds, tolerance, .. } = terms;
    let has_alarm = misses.alarm.or_else(|| growth.and_then(|growth| growth.alarm)).is_some();
    if !has_alarm {
        let is_wide = interval.is_some_and(|(low, _)| low > bounds.level + tolerance);
        return if is_wide { Advice::Narrow } else { Advice::Keep };
    }
    let newest = rows.len() - likely_start(missed, 1.0 - bounds.level);
    let expected = Recalibration::fewest_rows(bounds);
    if newest < expected {
        return Advice::Wait { newest, expected };
    }
    let gain = gain(&rows[rows.len() - newest..], bounds);
    match gain {
        Some(gain) if gain.moved >= gain.constant => Advice::FitAnew { newest, gain },
        gain => Advice::Recalibrate { newest, gain },
    }
}

/// What recalibration gains; `None` where half of the rows cannot move the intervals.
fn gain(rows: &[IntervalOutcome], bounds: Bounds) -> Option<Gain> {
    let (older, newer) = rows.split_at(rows.len() / 2);
    let by = Recalibration::from_outcomes(older, bounds, None).ok()?;
    // One interval is a move of the point 0 in the target's unit.
    let point = |row: &IntervalOutcome| IntervalOutcome { lower: 0.0, upper: 0.0, ..*row };
    let points: Vec<IntervalOutcome> = older.iter().map(point).collect();
    let ends = [Side::Lower, Side::Upper].map(|side| {
        let level = if bounds.side == Side::Both { 0.5 + 0.5 * bounds.level } else { bounds.level };
        Recalibration::from_outcomes(&points, Bounds { level, side }, None)
    });
    let [lower, upper] = ends.map(|end| end.ok());
    let mean = |moved: &dyn Fn(&IntervalOutcome) -> (f64, f64)| {
        let losses = newer.iter().map(|row| {
            let (lower, upper) = moved(row);
            IntervalOutcome { lower, upper, ..*row }.loss(bounds)
        });
        losses.sum::<f64>() / newer.len() as f64
    };
    let constant = (-lower?.lower, upper?.upper);
    Some(Gain {
        before: mean(&|row| (row.lower, row.upper)),
        moved: mean(&|row| by.interval((row.lower, row.upper), bounds.side)),
        constant: mean(&|_| constant),
        rows: newer.len(),
    })
}
