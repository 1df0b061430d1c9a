//! Find the distance between neighbouring values of a rounded target.

use std::collections::HashSet;

use crate::description::is_discrete;
use uq_core::math::ordered_bits::ordered_bits;
use uq_math::divisor::greatest_common_divisor;

/// Largest number of decimals that is tried.
const DECIMALS: i32 = 6;

/// Above this, neighbouring whole numbers are not distinct in double precision.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// How fine the values of a target are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain {
    /// Number of distinct values.
    pub distinct: usize,
    /// Whether there are so few distinct values that a density of them is meaningless.
    pub discrete: bool,
    /// The distance of neighbouring values of whole numbers, and of discrete values with few
    /// decimals.
    pub step: Option<f64>,
}

impl Grain {
    /// The grain of these outcomes; none of them is NaN.
    pub fn of(outcomes: &[f64]) -> Self {
        let distinct = outcomes.iter().map(|y| ordered_bits(*y)).collect::<HashSet<u64>>().len();
        let discrete = is_discrete(distinct, outcomes.len());
        let step =
            resolution(outcomes).filter(|(_, whole)| *whole || discrete).map(|(step, _)| step);
        Self { distinct, discrete, step }
    }
}

/// The largest step of which all differences of these values are multiples; `None` where they have
/// more than six decimals, and where they do not differ.
pub fn grid_step(values: &[f64]) -> Option<f64> {
    resolution(values).map(|(step, _)| step)
}

/// The largest step of which all differences of these values are multiples, if they have at most
/// six decimals; `None` for values that do not differ. Also whether the values are whole numbers.
fn resolution(values: &[f64]) -> Option<(f64, bool)> {
    (0..=DECIMALS).find_map(|decimals| {
        let scale = 10_f64.powi(decimals);
        let whole = |y: &f64| {
            let scaled = (y * scale).round();
            // Division rounds as the parser of a decimal number does, so that equality means that
            // the text had these decimals.
            (scaled.abs() < LARGEST && scaled / scale == *y).then_some(scaled as i64)
        };
        let scaled: Vec<i64> = values.iter().map(whole).collect::<Option<_>>()?;
        let first = *scaled.first()?;
        let step =
            scaled.iter().fold(0, |step, y| greatest_common_divisor(step, y.abs_diff(first)));
        (step > 0).then_some((step as f64 / scale, decimals == 0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_decimal_values_are_not_taken_for_rounded_ones() {
        let tenths: Vec<f64> = (0..100).map(|i| f64::from(i) / 10.0).collect();
        assert_eq!(Grain::of(&tenths), Grain { distinct: 100, discrete: false, step: None });
        let counts: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(Grain::of(&counts), Grain { distinct: 100, discrete: false, step: Some(1.0) });
        let grades: Vec<f64> = (0..100).map(|i| f64::from(i % 4) / 2.0).collect();
        assert_eq!(Grain::of(&grades), Grain { distinct: 4, discrete: true, step: Some(0.5) });
    }

    #[test]
    fn the_step_of_rounded_values_is_found() {
        assert_eq!(resolution(&[3.0, 5.0, 8.0]), Some((1.0, true)));
        assert_eq!(resolution(&[100.0, 350.0, -150.0]), Some((250.0, true)));
        assert_eq!(resolution(&[0.1, 0.25, 0.4]), Some((0.15, false)));
        assert_eq!(resolution(&[0.1, 0.3, 0.2]), Some((0.1, false)));
        assert_eq!(resolution(&[2.0, 2.0]), None, "no differences");
        assert_eq!(resolution(&[1.0 / 3.0, 0.5]), None, "no common decimals");
        assert_eq!(resolution(&[1e300, 0.0]), None);
        assert_eq!(resolution(&[]), None);
    }
}
