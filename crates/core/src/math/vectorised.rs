//! Evaluate elementary functions without branches, so that loops over them run on the processor's
//! vectors.
//!
//! Each function works on one number and is inlined into its caller; a loop over it inside a
//! [`WithSimd`](pulp::WithSimd) type is compiled for the processor's widest vectors. No product is
//! fused with a sum: the numbers do not depend on the processor.
//!
//! *References:* splitting of ln 2 and coefficients of the logarithm are those of FreeBSD's
//! `e_exp.c` and `e_log.c`: Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//! Developed at SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and
//! distribute this software is freely granted, provided that this notice is preserved.

pub mod normal;

/// Below this, [`exp`] is zero.
const EXP_FROM: f64 = -708.0;

/// Above this, [`exp`] is infinite.
const EXP_TO: f64 = 709.0;

/// 1.5 · 2⁵²: adding it rounds to a whole number, which is then in the lowest bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// 1 / j! from j = 13 down to 2.
const SERIES: [f64; 12] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
];

/// (eʳ − 1, 2ⁿ) with x = n ln 2 + r and |r| ≤ ½ ln 2; the first term that the series leaves out is
/// below 5e-18.
#[inline(always)]
fn reduced_exponential(x: f64) -> (f64, f64) {
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let mut series = SERIES[0];
    for coefficient in &SERIES[1..] {
        series = series * r + coefficient;
    }
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    (r + r * r * series, power)
}

/// eˣ to one unit in the last place; 0 below −708, infinite above 709, NaN for NaN.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let (rest, power) = reduced_exponential(x);
    let value = (1.0 + rest) * power;
    let value = if x > EXP_TO { f64::INFINITY } else { value };
    if x < EXP_FROM { 0.0 } else { value }
}

/// eˣ − 1 for x ≤ 0, relatively precise near 0; NaN for NaN.
#[inline(always)]
pub fn exp_m1_of_negative(x: f64) -> f64 {
    let (rest, power) = reduced_exponential(x);
    // 2ⁿ (eʳ − 1) + (2ⁿ − 1): for n = 0 the second term is exactly 0.
    let value = power * rest + (power - 1.0);
    if x < EXP_FROM { -1.0 } else { value }
}

/// tanh x, relatively precise near 0.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    // tanh |x| = (1 − e^(−2|x|)) / (1 + e^(−2|x|)).
    let below = exp_m1_of_negative(-2.0 * x.abs());
    (-below / (2.0 + below)).copysign(x)
}

/// The logistic function 1 / (1 + e⁻ˣ).
#[inline(always)]
pub fn sigmoid(x: f64) -> f64 {
    let small = exp(-x.abs());
    let upper = 1.0 / (1.0 + small);
    if x < 0.0 { small * upper } else { upper }
}

/// ln x to one unit in the last place; −∞ at 0, NaN below.
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    /// Bits of √½, where the logarithm's exponent changes.
    const FROM: u64 = 0x3fe6_a09e_667f_3bcd;
    /// Bits of 1.
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    /// Bits of 2⁵², whose lowest bits hold a whole number.
    const WHOLE: u64 = 0x4330_0000_0000_0000;
    const COEFFICIENTS: [f64; 7] = [
        1.479_819_860_511_658_6e-1,
        1.531_383_769_920_937_3e-1,
        1.818_357_216_161_805e-1,
        2.222_219_843_214_978_4e-1,
        2.857_142_874_366_239e-1,
        3.999_999_999_940_942e-1,
        6.666_666_666_666_735e-1,
    ];
    let subnormal = x < f64::MIN_POSITIVE;
    let scaled = if subnormal { x * 18_014_398_509_481_984.0 } else { x };
    let bits = scaled.to_bits();
    let exponent = bits.wrapping_add(ONE - FROM) >> 52;
    let n = f64::from_bits(exponent | WHOLE)
        - 4_503_599_627_371_519.0
        - if subnormal { 54.0 } else { 0.0 };
    let f = f64::from_bits(bits.wrapping_sub(exponent.wrapping_sub(1023) << 52)) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let mut series = COEFFICIENTS[0];
    for coefficient in &COEFFICIENTS[1..] {
        series = series * z + coefficient;
    }
    let half = 0.5 * f * f;
    let value = n * LN2_HIGH - ((half - (s * (half + z * series) + n * LN2_LOW)) - f);
    let value = if x < f64::INFINITY { value } else { x };
    let value = if x == 0.0 { f64::NEG_INFINITY } else { value };
    if x < 0.0 { f64::NAN } else { value }
}

/// ln(1 + x) for x ≥ 0, relatively precise near 0.
#[inline(always)]
pub fn ln_1p_of_positive(x: f64) -> f64 {
    let u = 1.0 + x;
    let correction = (x - (u - 1.0)) / u;
    ln(u) + if x < f64::INFINITY { correction } else { 0.0 }
}

/// softplus x = ln(1 + eˣ).
#[inline(always)]
pub fn softplus(x: f64) -> f64 {
    // `max` would not return a NaN.
    let linear = if x < 0.0 { 0.0 } else { x };
    linear + ln_1p_of_positive(exp(-x.abs()))
}

/// The sum of N numbers, a power of two, by halves.
#[inline(always)]
pub fn sum<const N: usize>(lane: &[f64; N]) -> f64 {
    let mut lane = *lane;
    let mut half = N / 2;
    while half > 0 {
        for b in 0..half {
            lane[b] += lane[b + half];
        }
        half /= 2;
    }
    lane[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_is_summed_completely() {
        let lane: [f64; 16] = std::array::from_fn(|b| (1_u32 << b).into());
        assert_eq!((sum(&lane), sum(&[1.5])), (65_535.0, 1.5));
    }

    #[test]
    fn the_exponential_agrees_with_the_standard_library() {
        let mut worst = 0.0_f64;
        for step in 0..700_000 {
            let x = f64::from(step) * 1.011e-3;
            worst =
                worst.max((exp(-x) / (-x).exp() - 1.0).abs()).max((exp(x) / x.exp() - 1.0).abs());
        }
        assert!(worst < 4.5e-16, "{worst:e}");
        assert_eq!(
            (exp(0.0), exp(-0.0), exp(-709.0), exp(f64::NEG_INFINITY)),
            (1.0, 1.0, 0.0, 0.0)
        );
        assert_eq!(
            (exp(709.5), exp(1e5), exp(f64::INFINITY)),
            (f64::INFINITY, f64::INFINITY, f64::INFINITY)
        );
        assert!(exp(708.99).is_finite() && exp(f64::NAN).is_nan());
    }

    /// Points of either sign and every size, away from zero.
    fn points() -> impl Iterator<Item = f64> {
        (0..40_000).map(|i| {
            let size = 10_f64.powf(-12.0 + f64::from(i / 2) * 14.5 / 20_000.0);
            if i % 2 == 0 { size } else { -size }
        })
    }

    #[test]
    fn the_others_agree_with_the_standard_library_to_a_few_units_in_the_last_place() {
        let worst = |found: fn(f64) -> f64, expected: fn(f64) -> f64, domain: fn(f64) -> bool| {
            points()
                .filter(|x| domain(*x))
                .map(|x| (found(x) / expected(x) - 1.0).abs())
                .filter(|e| !e.is_nan())
                .fold(0.0, f64::max)
        };
        let all = |_: f64| true;
        assert!(worst(tanh, f64::tanh, all) < 1e-15);
        assert!(worst(ln, f64::ln, |x| x > 0.0) < 5e-16);
        assert!(worst(ln_1p_of_positive, f64::ln_1p, |x| x > 0.0) < 6e-16);
        assert!(worst(exp_m1_of_negative, f64::exp_m1, |x| x < 0.0) < 1e-15);
        let exact =
            |x: f64| if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) };
        assert!(worst(sigmoid, exact, |x| x > -700.0) < 1e-15);
        let exact = |x: f64| if x < 0.0 { x.exp().ln_1p() } else { x + (-x).exp().ln_1p() };
        assert!(worst(softplus, exact, |x| x > -700.0) < 1e-15);
    }

    #[test]
    fn limits_are_exact_and_nan_stays() {
        assert_eq!(
            (tanh(1000.0), tanh(-1000.0), tanh(0.0), tanh(-1e-300)),
            (1.0, -1.0, 0.0, -1e-300)
        );
        assert_eq!((softplus(1000.0), softplus(-1000.0)), (1000.0, 0.0));
        assert_eq!((softplus(f64::INFINITY), softplus(f64::NEG_INFINITY)), (f64::INFINITY, 0.0));
        assert_eq!((sigmoid(1000.0), sigmoid(-1000.0), sigmoid(0.0)), (1.0, 0.0, 0.5));
        assert_eq!((ln(0.0), ln(1.0), ln(f64::INFINITY)), (f64::NEG_INFINITY, 0.0, f64::INFINITY));
        assert_eq!(ln(5e-324), 5e-324_f64.ln());
        assert_eq!(ln_1p_of_positive(f64::INFINITY), f64::INFINITY);
        assert!(ln(-1.0).is_nan());
        for f in [tanh, softplus, sigmoid, ln, ln_1p_of_positive, exp_m1_of_negative] {
            assert!(f(f64::NAN).is_nan());
        }
    }
}
