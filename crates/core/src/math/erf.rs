//! Evaluate the error function to full precision: absolute in the centre, relative in the tails.
//!
//! The function of statrs has coefficients of only ten digits in part of its range.
//!
//! *References:* the rational approximations and their coefficients are those of FreeBSD's
//! `s_erf.c`: Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at
//! SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this
//! software is freely granted, provided that this notice is preserved.

/// erf on [0, 0.84375]: erf x = x + x P(x²)/Q(x²).
const CENTRE: Ratio<5, 6> = Ratio {
    over: [
        0.128_379_167_095_512_56,
        -0.325_042_107_247_001_5,
        -0.028_481_749_575_598_51,
        -0.005_770_270_296_489_442,
        -2.376_301_665_665_016_3e-05,
    ],
    under: [
        1.0,
        0.397_917_223_959_155_35,
        0.065_022_249_988_767_3,
        0.005_081_306_281_875_766,
        0.000_132_494_738_004_321_64,
        -3.960_228_278_775_368e-06,
    ],
};

/// erf on [0.84375, 1.25]: erf x = [`AT_ONE`] + P(x − 1)/Q(x − 1).
const SHOULDER: Ratio<7, 7> = Ratio {
    over: [
        -0.002_362_118_560_752_659_4,
        0.414_856_118_683_748_33,
        -0.372_207_876_035_701_3,
        0.318_346_619_901_161_75,
        -0.110_894_694_282_396_68,
        0.035_478_304_325_618_236,
        -0.002_166_375_594_868_791,
    ],
    under: [
        1.0,
        0.106_420_880_400_844_23,
        0.540_397_917_702_171,
        0.071_828_654_414_196_27,
        0.126_171_219_808_761_64,
        0.013_637_083_912_029_05,
        0.011_984_499_846_799_107,
    ],
};

/// erfc on [1.25, 1/0.35]: ln(x erfc x) + x² + 0.5625 = R(1/x²)/S(1/x²).
const NEAR_TAIL: Ratio<8, 9> = Ratio {
    over: [
        -0.009_864_944_034_847_148,
        -0.693_858_572_707_181_8,
        -10.558_626_225_323_291,
        -62.375_332_450_326_006,
        -162.396_669_462_573_47,
        -184.605_092_906_711_04,
        -81.287_435_506_306_6,
        -9.814_329_344_169_145,
    ],
    under: [
        1.0,
        19.651_271_667_439_257,
        137.657_754_143_519_04,
        434.565_877_475_229_23,
        645.387_271_733_267_9,
        429.008_140_027_567_83,
        108.635_005_541_779_44,
        6.570_249_770_319_282,
        -0.060_424_415_214_858_1,
    ],
};

/// erfc on [1/0.35, 28]: the same with other coefficients.
const FAR_TAIL: Ratio<7, 8> = Ratio {
    over: [
        -0.009_864_942_924_700_1,
        -0.799_283_237_680_523,
        -17.757_954_917_754_752,
        -160.636_384_855_821_92,
        -637.566_443_368_389_6,
        -1_025.095_131_611_077_2,
        -483.519_191_608_651_4,
    ],
    under: [
        1.0,
        30.338_060_743_482_46,
        325.792_512_996_573_9,
        1_536.729_586_084_437,
        3_199.858_219_508_595_5,
        2_553.050_406_433_164_4,
        474.528_541_206_955_37,
        -22.440_952_446_585_82,
    ],
};

/// erf 1, rounded to single precision, so that the ratio that is added to it is small.
const AT_ONE: f64 = 0.845_062_911_510_467_5;

/// A ratio of two polynomials, coefficients from the constant upwards.
struct Ratio<const N: usize, const M: usize> {
    over: [f64; N],
    under: [f64; M],
}

impl<const N: usize, const M: usize> Ratio<N, M> {
    fn at(&self, x: f64) -> f64 {
        let horner =
            |coefficients: &[f64]| coefficients.iter().rev().fold(0.0, |sum, c| c + x * sum);
        horner(&self.over) / horner(&self.under)
    }
}

/// The error function erf x = 2/√π ∫₀ˣ exp(−t²) dt.
#[inline]
pub fn erf(x: f64) -> f64 {
    if x.abs() < 0.84375 {
        return x + x * CENTRE.at(x * x);
    }
    // Also right for NaN, which `upper` returns.
    (1.0 - upper(x.abs())).copysign(x)
}

/// The complementary error function 1 − erf x, with relative precision for large x.
#[inline]
pub fn erfc(x: f64) -> f64 {
    if x.abs() < 0.84375 {
        let y = x * CENTRE.at(x * x);
        return if x < 0.25 { 1.0 - (x + y) } else { 0.5 - (x - 0.5 + y) };
    }
    if x < 0.0 { 2.0 - upper(-x) } else { upper(x) }
}

/// erfc x for x ≥ 0.84375.
fn upper(x: f64) -> f64 {
    if x < 1.25 {
        return 1.0 - AT_ONE - SHOULDER.at(x - 1.0);
    }
    if x >= 28.0 {
        return 0.0;
    }
    let s = 1.0 / (x * x);
    let log_correction = if x < 1.0 / 0.35 { NEAR_TAIL.at(s) } else { FAR_TAIL.at(s) };
    // x² to more than double precision: z² is exact, because z keeps only the upper half of the
    // digits of x.
    let z = f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000);
    (-z * z - 0.5625).exp() * ((z - x) * (z + x) + log_correction).exp() / x
}

#[cfg(test)]
mod tests {
    use super::{erf, erfc};

    #[test]
    fn values_are_those_of_the_c_library() {
        let values = [
            (1e-10, 1.128_379_167_095_512_6e-10, 0.999_999_999_887_162),
            (0.1, 0.112_462_916_018_284_9, 0.887_537_083_981_715_2),
            (0.3, 0.328_626_759_459_127_4, 0.671_373_240_540_872_6),
            (0.5, 0.520_499_877_813_046_5, 0.479_500_122_186_953_5),
            (0.8, 0.742_100_964_707_660_5, 0.257_899_035_292_339_5),
            (0.9, 0.796_908_212_422_832_2, 0.203_091_787_577_167_86),
            (1.2, 0.910_313_978_229_635_3, 0.089_686_021_770_364_65),
            (1.3, 0.934_007_944_940_652_4, 0.065_992_055_059_347_55),
            (2.0, 0.995_322_265_018_952_7, 0.004_677_734_981_047_265),
            (2.8, 0.999_924_986_805_334_6, 7.501_319_466_545_911e-05),
            (3.0, 0.999_977_909_503_001_4, 2.209_049_699_858_543_8e-05),
            (5.5, 0.999_999_999_999_992_7, 7.357_847_917_974_398e-15),
            (10.0, 1.0, 2.088_487_583_762_545e-45),
            (26.0, 1.0, 5.663_192_408_856_143e-296),
        ];
        for (x, expected_erf, expected_erfc) in values {
            assert!((erf(x) - expected_erf).abs() <= 3e-16, "erf {x}: {}", erf(x));
            assert!((erfc(x) / expected_erfc - 1.0).abs() <= 1e-15, "erfc {x}: {}", erfc(x));
            assert_eq!(erf(-x), -erf(x));
            assert!((erfc(-x) - 1.0 - expected_erf).abs() <= 5e-16);
        }
    }

    #[test]
    fn limits_are_exact() {
        assert_eq!((erf(0.0), erfc(0.0)), (0.0, 1.0));
        assert_eq!((erf(f64::INFINITY), erfc(f64::INFINITY)), (1.0, 0.0));
        assert_eq!((erf(f64::NEG_INFINITY), erfc(f64::NEG_INFINITY)), (-1.0, 2.0));
        assert!(erf(f64::NAN).is_nan() && erfc(f64::NAN).is_nan());
    }
}
