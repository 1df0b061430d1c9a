//! Represent a distribution by quantiles at fixed probability levels.
//!
//! Between the levels the quantile function is taken as linear. Beyond the outermost levels
//! quantiles are undefined. Where a score needs the whole distribution, the outer probability is
//! placed on the outermost quantiles.

use ndarray::{Array2, ArrayView1};
use serde::{Deserialize, Serialize};

use super::crps::{crps_outside, crps_piece};
use super::distribution::finite;
use super::{Distribution, Exactness, InvalidPredictive, Quantity, validate};

/// Levels that differ by no more than this are equal.
const SAME_LEVEL: f64 = 1e-12;

/// The assumption about the whole distribution.
const HOW: &str = "quantile function linear between its levels, flat beyond them";

/// Quantiles at L levels for each of n points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantiles {
    /// Probability levels, L, increasing, strictly between 0 and 1.
    pub levels: Vec<f64>,
    /// Quantiles, n × L, not decreasing along a row.
    pub values: Array2<f64>,
}

impl Quantiles {
    pub(super) fn exactness_of(quantity: Quantity) -> Exactness {
        match quantity {
            Quantity::LogDensity | Quantity::Probability => Exactness::Undefined,
            _ => Exactness::Approximate(HOW),
        }
    }

    pub(super) fn affine(&self, shift: f64, scale: f64) -> Self {
        Self { levels: self.levels.clone(), values: shift + scale * &self.values }
    }

    /// The first and the last level; `None` if there is no level.
    fn outer_levels(&self) -> Option<(f64, f64)> {
        Some((*self.levels.first()?, *self.levels.last()?))
    }

    /// The position of the given level that equals `level`.
    fn position(&self, level: f64) -> Option<usize> {
        self.levels.iter().position(|l| (l - level).abs() <= SAME_LEVEL)
    }

    /// E g(Y), where g is constant c on the outer atoms and `piece(a, b)` is its mean over a linear
    /// piece from a to b.
    fn average(
        &self,
        i: usize,
        atom: impl Fn(f64) -> f64,
        piece: impl Fn(f64, f64) -> f64,
    ) -> Option<f64> {
        let (p, q) = (&self.levels, self.values.row(i));
        let (first, last) = self.outer_levels()?;
        let inner: f64 = (1..p.len()).map(|l| (p[l] - p[l - 1]) * piece(q[l - 1], q[l])).sum();
        finite(first * atom(q[0]) + inner + (1.0 - last) * atom(q[p.len() - 1]))
    }

    /// The level at y by interpolation, given how many of the quantiles count as lying below y.
    fn level_at(&self, q: ArrayView1<f64>, below: usize, y: f64) -> f64 {
        let p = &self.levels;
        match below {
            0 => 0.0,
            all if all == p.len() => 1.0,
            l => p[l - 1] + (p[l] - p[l - 1]) * (y - q[l - 1]) / (q[l] - q[l - 1]),
        }
    }
}

impl Distribution for Quantiles {
    fn len(&self) -> usize {
        self.values.nrows()
    }

    fn mean(&self, i: usize) -> Option<f64> {
        self.average(i, |q| q, |a, b| 0.5 * (a + b))
    }

    fn variance(&self, i: usize) -> Option<f64> {
        let mean = self.mean(i)?;
        let piece = |a: f64, b: f64| {
            let (a, b) = (a - mean, b - mean);
            (a * a + a * b + b * b) / 3.0
        };
        self.average(i, |q| (q - mean).powi(2), piece)
    }

    fn log_density(&self, _: usize, _: f64) -> Option<f64> {
        None
    }

    fn cdf(&self, i: usize, y: f64) -> Option<f64> {
        let q = self.values.row(i);
        let below = q.iter().take_while(|&&value| value <= y).count();
        finite(self.level_at(q, below, y)).filter(|_| !y.is_nan())
    }

    fn cdf_below(&self, i: usize, y: f64) -> Option<f64> {
        let q = self.values.row(i);
        let below = q.iter().take_while(|&&value| value < y).count();
        finite(self.level_at(q, below, y)).filter(|_| !y.is_nan())
    }

    /// Undefined, because it would depend on the unknown distribution beyond the outermost levels.
    fn ln_probability(&self, _: usize, _: f64, _: f64) -> Option<f64> {
        None
    }

    fn quantile(&self, i: usize, level: f64) -> Option<f64> {
        let q = self.values.row(i);
        if let Some(l) = self.position(level) {
            return finite(q[l]);
        }
        let (first, last) = self.outer_levels()?;
        if !(level > first && level < last) {
            return None;
        }
        let l = self.levels.partition_point(|&p| p < level);
        let (p0, p1) = (self.levels[l - 1], self.levels[l]);
        finite(q[l - 1] + (q[l] - q[l - 1]) * (level - p0) / (p1 - p0))
    }

    fn crps_within(&self, i: usize, y: f64, low: f64, high: f64) -> Option<f64> {
        let (p, q) = (&self.levels, self.values.row(i));
        let within = |x: f64| x.clamp(low, high);
        let y = within(y);
        let piece = |l: usize| {
            let (from, to) = (within(q[l - 1]), within(q[l]));
            // The given level where the piece is whole: interpolation would round it.
            let level =
                |x: f64, end: usize| if x == q[end] { p[end] } else { self.level_at(q, l, x) };
            if from == to { 0.0 } else { crps_piece(from, to, level(from, l - 1), level(to, l), y) }
        };
        let inner: f64 = (1..p.len()).map(piece).sum();
        finite(crps_outside(within(*q.first()?), within(*q.last()?), y) + inner)
            .filter(|_| !y.is_nan())
    }

    fn exactness(&self, quantity: Quantity) -> Exactness {
        match quantity {
            Quantity::Quantile(level) if self.position(level).is_some() => Exactness::Exact,
            Quantity::Quantile(level)
                if !self.outer_levels().is_some_and(|(a, b)| level > a && level < b) =>
            {
                Exactness::Undefined
            }
            _ => Self::exactness_of(quantity),
        }
    }

    fn validate(&self) -> Result<(), InvalidPredictive> {
        validate::finite_matrix("quantiles", self.values.view())?;
        validate::length("a row of quantiles", self.values.ncols(), self.levels.len())?;
        let mut previous = 0.0;
        for (position, &found) in self.levels.iter().enumerate() {
            if !(found > previous && found < 1.0) {
                return Err(InvalidPredictive::Levels { position, found });
            }
            previous = found;
        }
        for (row, q) in self.values.rows().into_iter().enumerate() {
            if let Some(l) = (1..q.len()).find(|&l| q[l] < q[l - 1]) {
                let (lower_level, upper_level) = (self.levels[l - 1], self.levels[l]);
                return Err(InvalidPredictive::Crossing {
                    row,
                    lower_level,
                    lower: q[l - 1],
                    upper_level,
                    upper: q[l],
                });
            }
        }
        Ok(())
    }
}
