//! Define the quantities of a predictive distribution, and how exactly each form can compute them.

use ndarray::Array1;

use super::InvalidPredictive;

/// n distributions of one form. Methods take a point `i`, below [`Distribution::len`].
///
/// A result is `None` where the form does not define the quantity, or where it is not finite. The
/// only exception is the logarithm of probability zero, which is −∞.
pub trait Distribution {
    /// Number of points, n.
    fn len(&self) -> usize;

    /// Whether there is no point.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Mean, in the target's units.
    fn mean(&self, i: usize) -> Option<f64>;

    /// Variance, in squared units.
    fn variance(&self, i: usize) -> Option<f64>;

    /// ln p(y), in nats for a density per unit of the target.
    fn log_density(&self, i: usize, y: f64) -> Option<f64>;

    /// F(y) = P(Y ≤ y).
    fn cdf(&self, i: usize, y: f64) -> Option<f64>;

    /// F(y−) = P(Y < y), which differs from F(y) at an atom.
    fn cdf_below(&self, i: usize, y: f64) -> Option<f64>;

    /// ln P(`low` ≤ Y < `high`), in nats; −∞ where the interval has no probability. The lower end
    /// is closed and the upper one open, so that neighbouring intervals share no atom.
    fn ln_probability(&self, i: usize, low: f64, high: f64) -> Option<f64>;

    /// The smallest value v with F(v) ≥ `level`.
    fn quantile(&self, i: usize, level: f64) -> Option<f64>;

    /// The quantiles of all points at `level`, n; `None` if any is undefined. The numbers are those
    /// of [`Distribution::quantile`]. A form that can compute many at once faster overrides this
    /// method.
    fn quantiles(&self, level: f64) -> Option<Array1<f64>> {
        (0..self.len()).map(|i| self.quantile(i, level)).collect()
    }

    /// Continuous ranked probability score ∫ (F(x) − 1{y ≤ x})² dx, in the target's units.
    fn crps(&self, i: usize, y: f64) -> Option<f64> {
        self.crps_within(i, y, f64::NEG_INFINITY, f64::INFINITY)
    }

    /// The part of the CRPS that an interval adds, ∫ (F(x) − 1{y ≤ x})² dx over `low` ≤ x ≤ `high`,
    /// in the target's units; an end may be infinite. It is the CRPS of the distribution and the
    /// outcome moved into the interval, with max(`low`, min(·, `high`)) for each value (Allen,
    /// Ginsbourger & Ziegel 2023, SIAM/ASA J. Uncertain. Quantif. 11).
    ///
    /// # Panics
    /// Unless `low` ≤ `high`.
    fn crps_within(&self, i: usize, y: f64, low: f64, high: f64) -> Option<f64>;

    /// How exactly the form computes `quantity`.
    fn exactness(&self, quantity: Quantity) -> Exactness;

    /// Checks that there is at least one point, and that the numbers define a distribution at each
    /// point.
    ///
    /// # Errors
    /// [`InvalidPredictive`] with the first row at fault.
    fn validate(&self) -> Result<(), InvalidPredictive>;
}

/// A quantity of a distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// The mean.
    Mean,
    /// The variance.
    Variance,
    /// The log density.
    LogDensity,
    /// The distribution function, and its limit from below.
    Cdf,
    /// The probability of any interval.
    Probability,
    /// The quantile at this level.
    Quantile(f64),
    /// The continuous ranked probability score.
    Crps,
    /// The part of the continuous ranked probability score within any interval.
    CrpsWithin,
}

/// How exactly a form computes a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exactness {
    /// By a closed form, or to rounding.
    Exact,
    /// By the stated approximation.
    Approximate(&'static str),
    /// Not at all: the score is `None`, and a dash in a table.
    Undefined,
}

impl Exactness {
    /// The exactness of a score that needs both quantities.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Undefined, _) | (_, Self::Undefined) => Self::Undefined,
            (Self::Approximate(how), _) | (_, Self::Approximate(how)) => Self::Approximate(how),
            (Self::Exact, Self::Exact) => Self::Exact,
        }
    }
}

/// The number if it is finite, because no form returns infinity or NaN.
pub(super) fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

/// The logarithm of a probability or of a density if it is one, −∞ included.
pub(super) fn ln_of_probability(x: f64) -> Option<f64> {
    (x < f64::INFINITY).then_some(x)
}
