//! Represent each point of prediction by weighted points: a discrete distribution, which has no
//! density.

use ndarray::Array2;

use super::crps::{crps_outside, crps_piece};
use super::distribution::{finite, ln_of_probability};
use super::validate::weight_row;
use super::{Distribution, Exactness, InvalidPredictive, Quantity, validate};

/// How far rounding may leave a sum of weights below the level that it should reach.
const LEVEL_TOLERANCE: f64 = 1e-12;

/// Weighted points: values n × m; weights 1 × m (the same at every point) or n × m, rows summing to
/// one.
#[derive(Clone, Debug, PartialEq)]
pub struct Atoms {
    /// Values, n × m.
    pub values: Array2<f64>,
    /// Weights, 1 × m or n × m.
    pub weights: Array2<f64>,
}

impl Atoms {
    pub(super) fn exactness_of(quantity: Quantity) -> Exactness {
        match quantity {
            Quantity::LogDensity => Exactness::Undefined,
            _ => Exactness::Exact,
        }
    }

    pub(super) fn affine(&self, shift: f64, scale: f64) -> Self {
        Self { values: shift + scale * &self.values, weights: self.weights.clone() }
    }

    /// Σ w g(value).
    fn average(&self, i: usize, g: impl Fn(f64) -> f64) -> f64 {
        weight_row(&self.weights, i)
            .iter()
            .zip(self.values.row(i))
            .map(|(w, &value)| w * g(value))
            .sum()
    }

    /// Values and weights in order of value, atoms without weight left out.
    fn sorted(&self, i: usize) -> Vec<(f64, f64)> {
        let weights = weight_row(&self.weights, i);
        // Sized first: a filtered iterator does not know its length, and growing costs more than
        // the sort.
        let mut atoms = Vec::with_capacity(self.values.ncols());
        atoms.extend(
            self.values
                .row(i)
                .iter()
                .copied()
                .zip(weights.iter().copied())
                .filter(|atom| atom.1 != 0.0),
        );
        atoms.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        atoms
    }
}

impl Distribution for Atoms {
    fn len(&self) -> usize {
        self.values.nrows()
    }

    fn mean(&self, i: usize) -> Option<f64> {
        finite(self.average(i, |value| value))
    }

    fn variance(&self, i: usize) -> Option<f64> {
        let mean = self.mean(i)?;
        finite(self.average(i, |value| (value - mean).powi(2)))
    }

    fn log_density(&self, _: usize, _: f64) -> Option<f64> {
        None
    }

    fn cdf(&self, i: usize, y: f64) -> Option<f64> {
        finite(self.average(i, |value| f64::from(value <= y)).min(1.0)).filter(|_| !y.is_nan())
    }

    fn cdf_below(&self, i: usize, y: f64) -> Option<f64> {
        finite(self.average(i, |value| f64::from(value < y)).min(1.0)).filter(|_| !y.is_nan())
    }

    fn ln_probability(&self, i: usize, low: f64, high: f64) -> Option<f64> {
        if low.is_nan() || high.is_nan() {
            return None;
        }
        ln_of_probability(
            self.average(i, |value| f64::from(low <= value && value < high)).min(1.0).ln(),
        )
    }

    fn quantile(&self, i: usize, level: f64) -> Option<f64> {
        if !(0.0..=1.0).contains(&level) {
            return None;
        }
        let atoms = self.sorted(i);
        let mut sum = 0.0;
        for &(value, weight) in &atoms {
            sum += weight;
            if sum >= level - LEVEL_TOLERANCE {
                return finite(value);
            }
        }
        // Rounding kept the sum of all weights below the level.
        atoms.last().and_then(|atom| finite(atom.0))
    }

    fn crps_within(&self, i: usize, y: f64, low: f64, high: f64) -> Option<f64> {
        let atoms = self.sorted(i);
        let within = |x: f64| x.clamp(low, high);
        let y = within(y);
        let mut sum = crps_outside(within(atoms.first()?.0), within(atoms.last()?.0), y);
        let mut level = 0.0;
        for pair in atoms.windows(2) {
            level += pair[0].1;
            sum += crps_piece(within(pair[0].0), within(pair[1].0), level, level, y);
        }
        finite(sum).filter(|_| !y.is_nan())
    }

    fn exactness(&self, quantity: Quantity) -> Exactness {
        Self::exactness_of(quantity)
    }

    fn validate(&self) -> Result<(), InvalidPredictive> {
        validate::finite_matrix("atoms", self.values.view())?;
        validate::weights(self.weights.view(), self.values.nrows(), self.values.ncols())
    }
}
