//! Evaluate the normal distribution without branches, so that loops over lanes become vector
//! instructions.
//!
//! *References:* M. M. Shepherd, J. G. Laframboise: *Chebyshev approximation of (1 + 2x) exp(x²)
//! erfc x in 0 ≤ x < ∞*, Math. Comp. 36, 249-253, 1981, for the form of the approximation; its
//! coefficients here are our own.

use std::f64::consts::FRAC_1_SQRT_2;

use super::exp;

/// Beyond this many standard deviations a tail is zero in double precision.
const FARTHEST: f64 = 40.0;

/// (1 + 2a) exp(a²) erfc a as a polynomial of t = (a − 4)/(a + 4), for a from 0 to 29: even powers,
/// from the constant upwards.
///
/// Chebyshev interpolation of degree 22 in 50 digits, expanded in powers; the truncation error is
/// below 2e-17.
const EVEN: [f64; 12] = [
    1.232_995_118_625_552_6,
    0.015_379_652_102_619_736,
    -0.101_039_066_036_295_28,
    -0.066_330_365_812_786_74,
    -0.016_197_734_044_911_347,
    -0.000_757_773_433_721_886_1,
    0.000_150_622_607_316_364_9,
    -1.122_565_922_779_409_5e-5,
    3.025_521_686_086_864_5e-7,
    6.192_121_535_505_175e-8,
    -7.695_934_720_520_315e-9,
    -1.651_512_161_587_595_9e-9,
];

/// The odd powers of the same polynomial.
const ODD: [f64; 11] = [
    -0.139_621_116_840_562_91,
    0.068_097_054_254_740_82,
    0.093_732_834_996_698_17,
    0.037_167_515_563_513_706,
    0.005_031_969_752_284_4,
    -0.000_199_255_521_255_459_52,
    -2.440_299_991_746_261e-5,
    5.717_239_047_943_344e-6,
    -8.339_040_748_987_312e-7,
    1.141_005_878_096_124_4e-7,
    -1.316_657_945_108_110_2e-8,
];

/// The normal distribution function Φ(z), and exp(−z²/2), which is its density times √(2π).
///
/// Φ has an absolute error of at most 3e-16, and in the lower tail a relative error of at most
/// 3e-16 · (1 + z²/2). It is 0 and 1 beyond about 37.6 standard deviations. NaN counts as +∞; the
/// caller must handle it.
#[inline(always)]
pub fn normal_cdf_and_kernel(z: f64) -> (f64, f64) {
    let z = if z < FARTHEST { z } else { FARTHEST };
    let z = if z > -FARTHEST { z } else { -FARTHEST };
    let kernel = exp(-0.5 * z * z);
    let a = z.abs() * FRAC_1_SQRT_2;
    let t = (a - 4.0) / (a + 4.0);
    let square = t * t;
    // Two polynomials of half the degree can be evaluated in parallel.
    let (mut even, mut odd) = (EVEN[11], ODD[10]);
    for i in (0..11).rev() {
        even = even * square + EVEN[i];
    }
    for i in (0..10).rev() {
        odd = odd * square + ODD[i];
    }
    let tail = 0.5 * kernel * (even + t * odd) / (1.0 + 2.0 * a);
    (if z < 0.0 { tail } else { 1.0 - tail }, kernel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::special::normal_cdf;

    #[test]
    fn the_normal_distribution_has_the_values_of_mpmath() {
        // mpmath's ncdf, 18 digits.
        let values = [
            (-37.0, 5.725_571_222_524_577e-300),
            (-20.0, 2.753_624_118_606_233_7e-89),
            (-8.25, 7.919_726_314_642_477e-17),
            (-5.0, 2.866_515_718_791_939e-7),
            (-2.5, 0.006_209_665_325_776_135),
            (-1.0, 0.158_655_253_931_457_05),
            (-0.3, 0.382_088_577_811_047_4),
            (0.7, 0.758_036_347_776_927),
            (2.0, 0.977_249_868_051_820_8),
            (6.0, 0.999_999_999_013_412_3),
        ];
        for (z, expected) in values {
            let (found, kernel) = normal_cdf_and_kernel(z);
            assert!(
                (found / expected - 1.0).abs() <= 4e-16 * (1.0 + 0.5 * z * z),
                "{z}: {found:e}"
            );
            assert!((kernel / f64::exp(-0.5 * z * z) - 1.0).abs() < 5e-16, "{z}");
        }
        for (z, expected) in
            [(f64::NEG_INFINITY, 0.0), (-38.0, 0.0), (39.0, 1.0), (f64::INFINITY, 1.0)]
        {
            assert_eq!(normal_cdf_and_kernel(z), (expected, 0.0));
        }
    }

    #[test]
    fn it_agrees_with_the_branching_function_everywhere() {
        let mut worst = 0.0_f64;
        for step in -370_000..370_000 {
            let z = f64::from(step) * 1e-4;
            let (found, expected) = (normal_cdf_and_kernel(z).0, normal_cdf(z));
            worst = worst.max((found / expected - 1.0).abs() / (1.0 + 0.5 * z.min(0.0).powi(2)));
        }
        assert!(worst < 1e-15, "{worst:e}");
    }
}
