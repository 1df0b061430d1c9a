//! Draw Friedman's first problem at a chosen number of rows.

use std::f64::consts::PI;

use ndarray::{Array1, Array2, ArrayView1};
use rand::RngExt;

use super::{Drawn, standard_normal};
use uq_core::Table;
use uq_core::math::random::Rng;

/// Number of features; the target does not depend on the last three.
const FEATURES: usize = 8;

/// Number of test rows, for any number of training rows.
const TEST_ROWS: usize = 1000;

/// Friedman (1991), *Multivariate adaptive regression splines*, Ann. Statist. 19, 1-67, eq. (61): y
/// = 10 sin(π x₁ x₂) + 20 (x₃ − ½)² + 10 x₄ + 5 x₅ + ε, x uniform on [0, 1], ε normal of standard
/// deviation 1. `N` training rows; there are ten features in the original.
pub(super) fn draw<const N: usize>(rng: &mut Rng) -> Drawn {
    let mut table = |rows: usize| {
        let features = Array2::from_shape_simple_fn((rows, FEATURES), || rng.random::<f64>());
        let target = features.rows().into_iter().map(|x| truth(x) + standard_normal(rng)).collect();
        Table::unnamed(features, target)
    };
    let (train, test) = (table(N), table(TEST_ROWS));
    let truth = test.features.rows().into_iter().map(truth).collect();
    Drawn { train, test, noise: Some(Array1::ones(TEST_ROWS)), truth: Some(truth) }
}

/// [`draw`] without its noise.
fn truth(x: ArrayView1<f64>) -> f64 {
    10.0 * (PI * x[0] * x[1]).sin() + 20.0 * (x[2] - 0.5).powi(2) + 10.0 * x[3] + 5.0 * x[4]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn moments_are_those_of_the_formula() {
        let Drawn { train, test, noise, truth } = draw::<10_000>(&mut Rng::seed_from_u64(3));
        assert_eq!((train.features.dim(), test.features.dim()), ((10_000, 8), (1000, 8)));
        assert_eq!(noise.unwrap(), Array1::<f64>::ones(1000));
        // 1000 normal errors of variance 1: five standard errors of their variance.
        let errors = test.target - truth.unwrap();
        assert!((errors.var(0.0) - 1.0).abs() < 5.0 * (2.0 / 1e3_f64).sqrt());
        // With mpmath's E sin(π u v) = 0.5246631 and variance 0.1118757: 10 of the one + 20/12 + 5
        // + 5/2, and 100 of the other + 400 (1/80 − 1/144) + 100/12 + 25/12 + 1.
        let mean = train.target.mean().unwrap();
        let variance = train.target.var(0.0);
        assert!((mean - 14.413297).abs() < 5.0 * (24.826464 / 1e4_f64).sqrt(), "{mean}");
        // The kurtosis is below that of the normal distribution: five of its standard errors.
        assert!((variance / 24.826464 - 1.0).abs() < 5.0 * (2.0 / 1e4_f64).sqrt(), "{variance}");
    }
}
