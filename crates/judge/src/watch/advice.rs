//! Decide what to do about predictions: keep the model, recalibrate it, or fit it anew.

use super::Terms;
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
    /// Errors have changed, but moved intervals are no better on the newer half of the newest rows.
    NoGain {
        /// How many rows are the newest.
        newest: usize,
        /// The mean losses there.
        gain: Gain,
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

impl Advice {
    /// The number of the newest rows, since the likely change.
    pub fn newest(self) -> Option<usize> {
        match self {
            Self::Keep | Self::Narrow => None,
            Self::Recalibrate { newest, .. }
            | Self::NoGain { newest, .. }
            | Self::FitAnew { newest, .. }
            | Self::Wait { newest, .. } => Some(newest),
        }
    }
}

/// What to do about `rows` where no alarm was raised, of which the coverage lies in `interval`.
pub(super) fn advise_without_alarm(terms: Terms, interval: Option<(f64, f64)>) -> Advice {
    let most = terms.bounds.level + terms.tolerance;
    let is_wide = interval.is_some_and(|(low, _)| low > most);
    if is_wide { Advice::Narrow } else { Advice::Keep }
}

/// What to do about `rows` after an alarm, of which those that are `bad` have raised it: the level
/// leaves 1 − level of these.
pub(super) fn advise(rows: &[IntervalOutcome], bad: &[bool], bounds: Bounds) -> Advice {
    let newest = rows.len() - likely_start(bad, 1.0 - bounds.level);
    let expected = Recalibration::fewest_rows(bounds);
    if newest < expected {
        return Advice::Wait { newest, expected };
    }
    match gain(&rows[rows.len() - newest..], bounds) {
        Some(gain) if gain.moved >= gain.constant => Advice::FitAnew { newest, gain },
        Some(gain) if gain.moved >= gain.before => Advice::NoGain { newest, gain },
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
