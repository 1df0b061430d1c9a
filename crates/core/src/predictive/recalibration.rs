//! Move the ends of prediction intervals by what outcomes have shown, without another fit.
//!
//! Each end is moved by a conformal quantile of its own scores (asymmetric conformalised quantile
//! regression: Romano, Patterson & Candès 2019, NeurIPS, Theorem 2), in widths of the interval, so
//! that wide intervals move further. Scores of older rows may count less (Barber, Candès, Ramdas &
//! Tibshirani 2023, Ann. Stat. 51, Theorem 2). The whole distribution follows its interval: it is
//! moved and stretched so that the quantiles at both ends are the moved ends.

use ndarray::Array1;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Bounds, Predictive, Side};

/// How far the ends of intervals are moved: in widths of the interval where it has both ends, in the
/// target's unit where it has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recalibration {
    /// How far the lower end goes down.
    pub lower: f64,
    /// How far the upper end goes up.
    pub upper: f64,
}

/// An interval and the outcome that it was meant for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalOutcome {
    /// Lower end; −∞ where there is an upper bound alone.
    pub lower: f64,
    /// Upper end; ∞ where there is a lower bound alone.
    pub upper: f64,
    /// The outcome.
    pub outcome: f64,
}

impl IntervalOutcome {
    /// How far the outcome lies below the lower end, and how far above the upper one; negative where
    /// it lies on the other side. In widths of the interval, or of one end in the target's unit. An
    /// interval without a width, or with an infinite one, has infinite scores where it misses the
    /// outcome, and else −1/2.
    pub fn scores(self, side: Side) -> [f64; 2] {
        let Self { lower, upper, outcome } = self;
        let [below, above] = [lower - outcome, outcome - upper];
        match side {
            Side::Lower => [below, f64::NEG_INFINITY],
            Side::Upper => [f64::NEG_INFINITY, above],
            Side::Both if upper > lower && (upper - lower).is_finite() => {
                [below, above].map(|score| score / (upper - lower))
            }
            Side::Both => {
                [below, above].map(|score| if score > 0.0 { f64::INFINITY } else { -0.5 })
            }
        }
    }

    /// Whether the outcome lies between the ends, or on one.
    pub fn is_covered(self) -> bool {
        self.lower <= self.outcome && self.outcome <= self.upper
    }

    /// The interval score of both ends (Gneiting & Raftery 2007, JASA 102, (43)), or the pinball loss
    /// of the only one, in the target's unit.
    pub fn loss(self, bounds: Bounds) -> f64 {
        let Self { lower, upper, outcome } = self;
        let pinball = |end: f64, level: f64| {
            let error = outcome - end;
            if error >= 0.0 { level * error } else { (level - 1.0) * error }
        };
        let (low, high) = bounds.levels();
        match bounds.side {
            Side::Lower => pinball(lower, low),
            Side::Upper => pinball(upper, high),
            Side::Both => {
                let missed = (lower - outcome).max(0.0) + (outcome - upper).max(0.0);
                upper - lower + 2.0 / (1.0 - bounds.level) * missed
            }
        }
    }

    /// The larger of both scores: above 0 where the interval has missed the outcome.
    pub fn score(self, side: Side) -> f64 {
        let [below, above] = self.scores(side);
        below.max(above)
    }
}

/// Why intervals cannot be recalibrated.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Unmoved {
    /// There are too few rows.
    #[error("found {found:.1} rows by weight, expected {expected} or more")]
    Few {
        /// The sum of their weights.
        found: f64,
        /// The smallest number for this level.
        expected: usize,
    },
    /// The moved ends would not enclose anything, or have no number.
    #[error("the moved intervals would have no width")]
    Degenerate,
}

impl Recalibration {
    /// The fewest rows from which intervals of `bounds` can be recalibrated.
    pub fn fewest_rows(bounds: Bounds) -> usize {
        // The smallest n with level × (n + 1) ≤ n, against the rounding of 0.95.
        let level = level_of_end(bounds);
        (level / (1.0 - level) - 1e-9).ceil() as usize
    }

    /// The move after which rows that are exchangeable with these are covered with a probability of
    /// at least the level of `bounds`. The rows are in the order of time, and the weight of one
    /// halves with each `half_life` rows that follow it, where that is given.
    ///
    /// # Errors
    /// [`Unmoved`].
    pub fn from_outcomes(
        rows: &[IntervalOutcome],
        bounds: Bounds,
        half_life: Option<f64>,
    ) -> Result<Self, Unmoved> {
        let weight = |place: usize| {
            half_life.map_or(1.0, |rows_| (-((rows.len() - place) as f64) / rows_).exp2())
        };
        let total: f64 = (0..rows.len()).map(weight).sum();
        let few = Unmoved::Few { found: total, expected: Self::fewest_rows(bounds) };
        let level = level_of_end(bounds);
        let end = |end: usize| {
            let mut scores: Vec<(f64, f64)> = rows
                .iter()
                .enumerate()
                .map(|(place, row)| (row.scores(bounds.side)[end], weight(place)))
                .collect();
            conformal_quantile(&mut scores, level)
        };
        let found = match bounds.side {
            Side::Lower => Self { lower: end(0).ok_or(few)?, upper: 0.0 },
            Side::Upper => Self { lower: 0.0, upper: end(1).ok_or(few)? },
            Side::Both => Self { lower: end(0).ok_or(few)?, upper: end(1).ok_or(few)? },
        };
        let has_width = bounds.side != Side::Both || found.stretch(bounds.side) > 0.0;
        let is_number = found.lower.is_finite() && found.upper.is_finite();
        if has_width && is_number { Ok(found) } else { Err(Unmoved::Degenerate) }
    }

    /// The factor of the width.
    pub fn stretch(self, side: Side) -> f64 {
        if side == Side::Both { 1.0 + self.lower + self.upper } else { 1.0 }
    }

    /// The moved interval; one of infinite width stays as it is.
    pub fn interval(self, (lower, upper): (f64, f64), side: Side) -> (f64, f64) {
        let unit = match side {
            Side::Both if !(upper - lower).is_finite() => return (lower, upper),
            Side::Both => upper - lower,
            Side::Lower | Side::Upper => 1.0,
        };
        (lower - self.lower * unit, upper + self.upper * unit)
    }

    /// One move that does what this one and then `next` do.
    #[must_use]
    pub fn then(self, next: Self, side: Side) -> Self {
        let unit = self.stretch(side);
        Self { lower: self.lower + unit * next.lower, upper: self.upper + unit * next.upper }
    }

    /// The distributions moved and stretched so that their intervals are the moved ones; one whose
    /// interval has an infinite width is stretched about its median. `None` where an interval or that
    /// is undefined.
    pub fn apply(self, predictive: &Predictive, bounds: Bounds) -> Option<Predictive> {
        let stretch = self.stretch(bounds.side);
        let by = |i: usize| {
            let ends = bounds.interval(predictive, i)?;
            let moved = self.interval(ends, bounds.side);
            if bounds.side == Side::Both && !(ends.1 - ends.0).is_finite() {
                let median = predictive.distribution().quantile(i, 0.5)?;
                return Some(median - stretch * median);
            }
            Some(match bounds.side {
                Side::Lower | Side::Both => moved.0 - stretch * ends.0,
                Side::Upper => moved.1 - stretch * ends.1,
            })
        };
        let by: Array1<f64> = (0..predictive.len()).map(by).collect::<Option<_>>()?;
        Some(predictive.affine(0.0, stretch).ok()?.moved(&by))
    }
}

/// The level that the quantile of an end's scores needs.
fn level_of_end(bounds: Bounds) -> f64 {
    match bounds.side {
        Side::Both => 0.5 + 0.5 * bounds.level,
        Side::Lower | Side::Upper => bounds.level,
    }
}

/// The smallest score that `level` of the weight does not exceed, where one more row of weight 1 has
/// an infinite score. The pairs are scores and weights. `None` where that row alone decides.
fn conformal_quantile(scores: &mut [(f64, f64)], level: f64) -> Option<f64> {
    scores.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = scores.iter().map(|(_, weight)| weight).sum::<f64>() + 1.0;
    let mut below = 0.0;
    // Against the rounding of sums: 0.95 of 20 are 19.
    let needed = level * total - 1e-9 * total;
    for (score, weight) in scores {
        below += *weight;
        if below >= needed {
            return Some(*score);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::{Rng, Streams, standard_normal};
    use crate::predictive::{Form, Gaussian, Quantiles};
    use ndarray::array;

    const BOTH: Bounds = Bounds { level: 0.9, side: Side::Both };

    /// A row whose interval is that of N(0, 1) times `width`, and whose outcome is N(`shift`, sd²)
    /// times `width`.
    fn row(rng: &mut Rng, shift: f64, sd: f64) -> IntervalOutcome {
        let width = standard_normal(rng).abs() + 0.1;
        let outcome = width * (shift + sd * standard_normal(rng));
        IntervalOutcome { lower: -1.645 * width, upper: 1.645 * width, outcome }
    }

    #[test]
    fn moved_intervals_cover_the_next_rows_as_often_as_they_promise() {
        // One calibration and one next row in each of 4000 runs: standard error 0.5 %.
        for (shift, sd) in [(0.0, 1.0), (1.0, 1.0), (0.0, 2.5), (-0.5, 0.4)] {
            let covers = |seed: u64| {
                let mut rng = Streams::new(seed, "recalibration").stream("rows", 0);
                let rows: Vec<IntervalOutcome> =
                    (0..99).map(|_| row(&mut rng, shift, sd)).collect();
                let found = Recalibration::from_outcomes(&rows, BOTH, None).unwrap();
                let next = row(&mut rng, shift, sd);
                let ends = found.interval((next.lower, next.upper), Side::Both);
                ends.0 <= next.outcome && next.outcome <= ends.1
            };
            let covered = (0..4000).filter(|seed| covers(*seed)).count() as f64 / 4000.0;
            // Each end errs in (100 − 95) / 100 of the runs: exactly 0.9 together.
            assert!((covered - 0.9).abs() < 0.02, "{shift}, {sd}: {covered}");
        }
    }

    #[test]
    fn a_half_life_follows_a_jump_that_equal_weights_have_not_seen() {
        let mut rng = Streams::new(5, "recalibration").stream("rows", 0);
        let rows: Vec<IntervalOutcome> =
            (0..600).map(|place| row(&mut rng, if place < 400 { 0.0 } else { 4.0 }, 1.0)).collect();
        let equal = Recalibration::from_outcomes(&rows, BOTH, None).unwrap();
        let recent = Recalibration::from_outcomes(&rows, BOTH, Some(30.0)).unwrap();
        // 4 is 1.22 widths of 3.29; the 1 % of the weight that is older hardly counts.
        assert!((recent.upper - 1.22).abs() < 0.25 && recent.lower < -0.8, "{recent:?}");
        assert!(equal.lower.abs() < 0.15, "{equal:?}");
    }

    #[test]
    fn too_few_rows_and_intervals_without_width_are_refused() {
        assert_eq!(Recalibration::fewest_rows(BOTH), 19);
        let upper = Bounds { level: 0.9, side: Side::Upper };
        assert_eq!(Recalibration::fewest_rows(upper), 9);
        let row =
            |i: u32| IntervalOutcome { lower: -1.0, upper: 1.0, outcome: f64::from(i % 7) / 7.0 };
        let rows: Vec<IntervalOutcome> = (0..19).map(row).collect();
        assert!(Recalibration::from_outcomes(&rows, BOTH, None).is_ok());
        assert_eq!(
            Recalibration::from_outcomes(&rows[..18], BOTH, None),
            Err(Unmoved::Few { found: 18.0, expected: 19 })
        );
        assert!(matches!(
            Recalibration::from_outcomes(&rows, BOTH, Some(3.0)),
            Err(Unmoved::Few { .. })
        ));
        // Outcomes at one place of all intervals leave no width.
        let same = [IntervalOutcome { lower: 0.0, upper: 1.0, outcome: 0.25 }; 30];
        assert_eq!(Recalibration::from_outcomes(&same, BOTH, None), Err(Unmoved::Degenerate));
        let points = [IntervalOutcome { lower: 0.0, upper: 0.0, outcome: 0.25 }; 30];
        assert_eq!(Recalibration::from_outcomes(&points, BOTH, None), Err(Unmoved::Degenerate));
        assert_eq!(points[0].score(Side::Both), f64::INFINITY);
        let open = IntervalOutcome { lower: 0.0, upper: f64::INFINITY, outcome: 7.0 };
        assert_eq!(open.scores(Side::Both), [-0.5, -0.5]);
        assert_eq!(IntervalOutcome { outcome: -1.0, ..open }.score(Side::Both), f64::INFINITY);
        let by = Recalibration { lower: 0.5, upper: 0.5 };
        assert_eq!(by.interval((0.0, f64::INFINITY), Side::Both), (0.0, f64::INFINITY));
        let halves = [open; 60];
        let found = Recalibration::from_outcomes(&halves, BOTH, None);
        assert_eq!(found, Err(Unmoved::Degenerate), "no interval has a width");
        assert_eq!(
            IntervalOutcome { lower: 2.0, upper: 2.0, outcome: 2.0 }.scores(Side::Both),
            [-0.5, -0.5]
        );
    }

    #[test]
    fn the_distribution_follows_its_interval_and_two_moves_are_one() {
        let gaussian = Gaussian { mean: array![1.0, -2.0], variance: array![1.0, 9.0] };
        let levels = vec![0.05, 0.5, 0.95];
        let values = array![[0.0, 1.0, 3.0], [5.0, 5.0, 6.0]];
        let forms = [Form::Gaussian(gaussian), Form::Quantiles(Quantiles { levels, values })];
        let [first, second] = [
            Recalibration { lower: 0.5, upper: -0.25 },
            Recalibration { lower: -0.125, upper: 0.75 },
        ];
        for form in forms {
            for side in [Side::Both, Side::Lower, Side::Upper] {
                let bounds = Bounds { level: if side == Side::Both { 0.9 } else { 0.95 }, side };
                let before = Predictive::new(form.clone());
                let once = first.apply(&before, bounds).unwrap();
                let twice = second.apply(&once, bounds).unwrap();
                let together = first.then(second, side).apply(&before, bounds).unwrap();
                for i in 0..2 {
                    let ends = |of: &Predictive| bounds.interval(of, i).unwrap();
                    let close = |a: (f64, f64), b: (f64, f64)| {
                        let is_close = |a: f64, b: f64| a == b || (a - b).abs() < 1e-9;
                        is_close(a.0, b.0) && is_close(a.1, b.1)
                    };
                    assert!(close(ends(&once), first.interval(ends(&before), side)), "{side}");
                    assert!(close(ends(&twice), second.interval(ends(&once), side)), "{side}");
                    assert!(close(ends(&together), ends(&twice)), "{side}");
                }
            }
        }
        let row = IntervalOutcome { lower: 1.0, upper: 3.0, outcome: 4.0 };
        assert_eq!(row.scores(Side::Both), [-1.5, 0.5]);
        assert_eq!(row.score(Side::Upper), 1.0);
        assert!((row.loss(BOTH) - (2.0 + 20.0)).abs() < 1e-9 && !row.is_covered());
        let upper = Bounds { level: 0.9, side: Side::Upper };
        assert!((row.loss(upper) - 0.9).abs() < 1e-12);
        assert_eq!(row.score(Side::Lower), -3.0);
    }
}
