//! Quantiles of mixtures against mpmath, against the distribution function, and against the same
//! rows in other tables.

use ndarray::{Array1, Array2, Axis, array, concatenate};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use super::super::gaussian;
use crate::predictive::{Distribution, Mixture};

#[test]
fn values_are_those_of_mpmath() {
    let mixture = Mixture {
        weights: array![[0.25, 0.5, 0.25]],
        means: array![[-2.0, 0.5, 3.0]],
        variances: array![[1.0, 0.0625, 4.0]],
    };
    // findroot on the distribution function in 40 digits.
    let values = [
        (1e-10, -9.289_978_226_335_256),
        (0.025, -3.286_327_818_656_838_8),
        (0.5, 0.469_797_631_549_708_94),
        (0.975, 5.563_103_131_089_425),
    ];
    for (level, expected) in values {
        let found = mixture.quantile(0, level).unwrap();
        assert!((found / expected - 1.0).abs() < 1e-15, "{level}: {found}");
    }
}

#[test]
fn levels_outside_the_open_unit_interval_and_numbers_that_are_not_finite_have_no_quantile() {
    let mixture = |mean: f64, weight: f64| Mixture {
        weights: array![[weight, 0.5]],
        means: array![[mean, 1.0]],
        variances: array![[1.0, 2.0]],
    };
    for level in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
        assert_eq!(
            (mixture(0.0, 0.5).quantile(0, level), mixture(0.0, 0.5).quantiles(level)),
            (None, None),
            "{level}"
        );
    }
    for (mean, weight) in [(f64::NAN, 0.5), (f64::INFINITY, 0.5), (0.0, f64::NAN)] {
        assert_eq!(mixture(mean, weight).quantile(0, 0.3), None, "{mean}, {weight}");
    }
}

#[test]
fn atoms_are_found() {
    let mixture = Mixture {
        weights: array![[0.25, 0.25, 0.5]],
        means: array![[1.0, 1e-3, -4.0]],
        variances: array![[0.0, 0.0, 1.0]],
    };
    // The normal component has almost all of its weight below zero; then 0.25 at 0.001 and 0.25 at
    // 1.
    for (level, expected) in [(0.6, 1e-3), (0.74, 1e-3), (0.76, 1.0), (0.999, 1.0)] {
        let found = mixture.quantile(0, level).unwrap();
        assert!((found / expected - 1.0).abs() <= f64::EPSILON, "{level}: {found}");
    }
    let one = Mixture { weights: array![[1.0]], means: array![[7.0]], variances: array![[0.0]] };
    assert_eq!(one.quantile(0, 0.3), Some(7.0));
}

/// Two rows of nine components, more than one group of lanes, of scales from 1e-4 to 1e2.
fn mixture(numbers: &[f64]) -> Mixture {
    let part = |at: usize| Array2::from_shape_vec((2, 9), numbers[at..at + 18].to_vec()).unwrap();
    let weights = part(0).mapv(|x| (4.0 * x).exp());
    Mixture {
        weights: &weights / &weights.sum_axis(Axis(1)).insert_axis(Axis(1)),
        means: 10.0 * part(18),
        variances: part(36).mapv(|x| 10_f64.powf(6.0 * x - 2.0)),
    }
}

proptest! {
    #[test]
    fn the_distribution_function_equals_the_level_at_the_quantile(
        numbers in proptest::collection::vec(-1.0..1.0_f64, 54),
        level in 1e-4..0.9999_f64,
    ) {
        let mixture = mixture(&numbers);
        let found = mixture.quantiles(level).unwrap();
        for (i, &q) in found.iter().enumerate() {
            let (mut cdf, mut density) = (0.0, 0.0);
            for c in 0..9 {
                let (w, mean, variance) =
                    (mixture.weights[[i, c]], mixture.means[[i, c]], mixture.variances[[i, c]]);
                cdf += w * gaussian::cdf(q, mean, variance);
                density += w * gaussian::log_density(q, mean, variance).unwrap().exp();
            }
            let bound = 1e-15 + 2.0 * f64::EPSILON * q.abs() * density;
            prop_assert!((cdf - level).abs() <= bound, "{:e} against {bound:e}", cdf - level);
        }
    }

    #[test]
    fn the_bits_of_a_row_do_not_depend_on_other_rows(
        numbers in proptest::collection::vec(-1.0..1.0_f64, 54),
        level in 0.001..0.999_f64,
    ) {
        let two = mixture(&numbers);
        let stack = |part: &Array2<f64>| {
            concatenate(Axis(0), &[part.view(), part.view(), part.view()]).unwrap()
        };
        let six = Mixture {
            weights: stack(&two.weights),
            means: stack(&two.means),
            variances: stack(&two.variances),
        };
        let alone: Array1<f64> = (0..6).map(|i| two.quantile(i % 2, level).unwrap()).collect();
        prop_assert_eq!(six.quantiles(level).unwrap(), alone);
    }
}
