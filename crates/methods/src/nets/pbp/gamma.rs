//! Update the distribution of a precision by the three normalising constants of a row.

use serde::{Deserialize, Serialize};

/// A precision's Gamma(α, β) distribution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Gamma {
    /// α.
    pub shape: f64,
    /// β.
    pub rate: f64,
}

/// Above this value of ln Z − ln Z₁, the row counts as one whose mean is known.
const OUTLIER: f64 = 1.0;

impl Gamma {
    /// The start of the paper's networks.
    pub const START: Self = Self { shape: 6.0, rate: 6.0 };

    /// β/(α − 1), the mean of the variance.
    pub fn plug_in_variance(self) -> f64 {
        self.rate / (self.shape - 1.0)
    }

    /// Whether the variance has a mean.
    pub fn is_proper(self) -> bool {
        self.shape > 1.0 && self.rate > 0.0 && self.shape.is_finite() && self.rate.is_finite()
    }

    /// Equations (7) and (8) for a residual with this square, whose variance is `further` plus one
    /// over the precision. Unchanged where the update is not proper.
    pub fn updated(self, square: f64, further: f64) -> Self {
        let Self { shape, rate } = self;
        let ln_z = |shift: f64| {
            let variance = further + rate / (shape + shift);
            -0.5 * (variance.ln() + square / variance) // (4)
        };
        let (z, z1, z2) = (ln_z(-1.0), ln_z(0.0), ln_z(1.0));
        let updated = if z - z1 > OUTLIER {
            Self { shape: shape + 0.5, rate: rate + 0.5 * square }
        } else {
            let shape_updated = 1.0 / (z2 - 2.0 * z1 + z + shape.recip().ln_1p()).exp_m1(); // (7)
            // (8)
            Self { shape: shape_updated, rate: shape_updated * (z - z1).exp() * rate / shape }
        };
        if updated.is_proper() { updated } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_update_is_the_papers() {
        for (shape, rate, square, further) in
            [(6.0, 6.0, 0.7, 0.3), (40.0, 11.0, 0.0, 1e-3), (900.0, 90.0, 0.2, 0.05)]
        {
            let z = |shift: f64| {
                let variance: f64 = further + rate / (shape + shift);
                (-0.5 * square / variance).exp() / variance.sqrt()
            };
            let (z, z1, z2): (f64, f64, f64) = (z(-1.0), z(0.0), z(1.0));
            let found = Gamma { shape, rate }.updated(square, further);
            let new_shape = 1.0 / (z2 * z / (z1 * z1) * (shape + 1.0) / shape - 1.0);
            let new_rate = 1.0 / (z2 / z1 * (shape + 1.0) / rate - z1 / z * shape / rate);
            assert!((found.shape / new_shape - 1.0).abs() < 1e-10, "{found:?} against {new_shape}");
            assert!((found.rate / new_rate - 1.0).abs() < 1e-10, "{found:?} against {new_rate}");
        }
    }

    #[test]
    fn many_residuals_of_a_known_mean_determine_their_variance() {
        let mut gamma = Gamma::START;
        for i in 0..20_000 {
            // The middles of twenty equally probable slices of a uniform distribution on ± √3 ·
            // 0.2, of variance 0.0399.
            let residual = 3.0_f64.sqrt() * 0.2 * (f64::from(i % 20) / 10.0 - 0.95);
            gamma = gamma.updated(residual * residual, 0.0);
        }
        // Bayes' rule for a known mean: half a row is added to α, half its square to β.
        let exact = Gamma { shape: 6.0 + 10_000.0, rate: 6.0 + 10_000.0 * 0.0399 };
        assert!(
            (gamma.plug_in_variance() / exact.plug_in_variance() - 1.0).abs() < 5e-3,
            "{gamma:?}"
        );
    }

    #[test]
    fn an_outlier_counts_once_and_an_invalid_residual_not_at_all() {
        let found = Gamma::START.updated(1e12, 0.0);
        assert_eq!(found, Gamma { shape: 6.5, rate: 6.0 + 5e11 });
        assert_eq!(Gamma::START.updated(f64::NAN, 0.0), Gamma::START);
        assert_eq!(Gamma::START.updated(f64::INFINITY, 0.0), Gamma::START);
    }
}
