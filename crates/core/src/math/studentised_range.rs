//! Evaluate the distribution of the studentised range at infinitely many degrees of freedom: the
//! range R of k independent standard normal numbers.
//!
//! ```text
//! P(R < q) = k ∫ φ(z) [Φ(z) − Φ(z − q)]^(k−1) dz                            (1)
//! p(q)     = k (k − 1) ∫ φ(z) φ(z − q) [Φ(z) − Φ(z − q)]^(k−2) dz           (2)
//! ```
//!
//! Both integrals are trapezoidal sums. The integrand of (1) is entire and on the line Im z = y at
//! most exp(k y²/2) times its values on the real line, so that the sum of step h has a relative
//! error of about exp(−2π² / (k h²)).
//!
//! References: Tippett (1925), Biometrika 17, 364-387 (equation 1); Trefethen & Weideman (2014),
//! SIAM Review 56, 385-458 (error of the trapezoidal rule).

use std::f64::consts::SQRT_2;

use super::root::increasing_root;
use super::special::{normal_cdf, normal_density, normal_quantile};

/// Step of the sum times √k: the relative error of the sum, exp(−2π²/0.49), is below rounding.
const STEP: f64 = 0.7;

/// Half the length of the sum: beyond it the density of one number is below rounding.
const REACH: f64 = 9.0;

/// Quantile of the range of `k` independent standard normal numbers; infinite at 1, NaN for a
/// probability outside \[0, 1\], zero for fewer than two numbers.
pub fn studentised_range_quantile(p: f64, k: usize) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if k < 2 || p == 0.0 {
        return 0.0;
    }
    if p == 1.0 {
        return f64::INFINITY;
    }
    // Bonferroni's bound over the k (k − 1)/2 differences, each of variance 2; sharp for k = 2 and
    // in the upper tail.
    let bound = -SQRT_2 * normal_quantile((1.0 - p) / (k as f64 * (k - 1) as f64));
    increasing_root(0.0, bound + 1.0, bound, |q| {
        let (cdf, density) = cdf_and_density(q, k);
        (cdf - p, density)
    })
}

/// Equations 1, to about 1e-15, and 2 for q ≥ 0 and k ≥ 2.
fn cdf_and_density(q: f64, k: usize) -> (f64, f64) {
    let numbers = k as f64;
    let step = STEP / numbers.sqrt();
    let half = (REACH / step).ceil() as i64;
    let (mut cdf, mut density) = (0.0, 0.0);
    for i in -half..=half {
        let z = i as f64 * step;
        let within = normal_cdf(z) - normal_cdf(z - q);
        let others = within.powf(numbers - 2.0);
        cdf += normal_density(z) * within * others; // (1)
        density += normal_density(z) * normal_density(z - q) * others; // (2)
    }
    ((numbers * step * cdf).min(1.0), numbers * (numbers - 1.0) * step * density)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_an_independent_quadrature() {
        // Equation 1 by mpmath.quad with 30 digits.
        let values = [
            (0.5, 3, 0.066_578_054_864_713_03),
            (3.5, 3, 0.964_442_958_136_839_6),
            (2.0, 5, 0.381_550_519_449_008_14),
            (1.0, 10, 0.000_519_869_455_464_124_5),
            (4.0, 10, 0.873_147_867_849_403_6),
            (5.0, 20, 0.948_635_336_420_866_4),
            (6.5, 50, 0.995_673_481_412_217_8),
            (8.0, 4, 0.999_999_907_645_098_5),
        ];
        for (q, k, expected) in values {
            let found = cdf_and_density(q, k).0;
            assert!((found - expected).abs() < 1e-14, "{q} {k}: {found}");
        }
    }

    #[test]
    fn two_numbers_have_a_closed_form() {
        // The difference of two standard normal numbers has variance 2: P(R < q) = erf(q/2).
        for q in [1e-3, 0.3, 1.0, 2.7, 6.0, 11.0] {
            assert!(
                (cdf_and_density(q, 2).0 - crate::math::erf::erf(0.5 * q)).abs() < 1e-15,
                "{q}"
            );
        }
    }

    #[test]
    fn quantiles_are_those_of_an_independent_root_search() {
        // mpmath.findroot on equation 1 with 30 digits.
        let values = [
            (0.9, 2, 2.326_174_307_353_348),
            (0.95, 2, 2.771_807_648_699_356),
            (0.99, 3, 4.120_303_206_460_117),
            (0.95, 4, 3.633_159_574_902_629),
            (0.9, 10, 4.129_346_398_236_872),
            (0.95, 20, 5.011_688_794_118_441),
            (0.99, 50, 6.228_392_608_582_209),
        ];
        for (p, k, expected) in values {
            let found = studentised_range_quantile(p, k);
            assert!((found - expected).abs() < 1e-12, "{p} {k}: {found}");
        }
    }

    #[test]
    fn quantiles_are_those_of_published_tables() {
        // Demšar (2006), table 5a: q/√2, of which the paper prints some digits cut and others
        // rounded.
        let published = [
            (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
            (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
        ];
        for (alpha, row) in published {
            for (k, expected) in (2..).zip(row) {
                let found = studentised_range_quantile(1.0 - alpha, k) / SQRT_2;
                assert!((found - expected).abs() < 1e-3, "{alpha} {k}: {found}");
            }
        }
        // Harter (1960), Annals of Mathematical Statistics 31, table 2, infinite degrees of
        // freedom.
        for (p, k, expected) in
            [(0.95, 3, 3.314), (0.95, 10, 4.474), (0.99, 4, 4.403), (0.99, 20, 5.645)]
        {
            assert!((studentised_range_quantile(p, k) - expected).abs() < 5.1e-4, "{p} {k}");
        }
    }

    #[test]
    fn quantile_inverts_the_distribution_function() {
        for k in [2, 3, 7, 40, 300] {
            for p in [1e-6, 0.01, 0.3, 0.9, 0.999_999] {
                let q = studentised_range_quantile(p, k);
                assert!((cdf_and_density(q, k).0 - p).abs() < 1e-14, "{k} {p}: {q}");
            }
        }
    }

    #[test]
    fn limits_are_exact() {
        assert!((cdf_and_density(f64::INFINITY, 5).0 - 1.0).abs() < 1e-15);
        assert_eq!(studentised_range_quantile(0.95, 1), 0.0);
        assert_eq!(
            (studentised_range_quantile(0.0, 4), studentised_range_quantile(1.0, 4)),
            (0.0, f64::INFINITY)
        );
        assert!(
            studentised_range_quantile(1.1, 4).is_nan()
                && studentised_range_quantile(f64::NAN, 4).is_nan()
        );
    }
}
