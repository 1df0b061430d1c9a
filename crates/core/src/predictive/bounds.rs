//! State a prediction interval: its probability, and whether it has both ends or one.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Predictive, central_levels};

/// Which ends a prediction interval has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Both: the central interval.
    #[default]
    Both,
    /// A lower bound alone.
    Lower,
    /// An upper bound alone.
    Upper,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Both => "both",
            Self::Lower => "lower",
            Self::Upper => "upper",
        })
    }
}

/// A prediction interval of probability p: the central one from quantile (1 − p)/2 to (1 + p)/2,
/// all values up to the quantile p, or all values from the quantile 1 − p on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Its probability, in (0, 1); above 1/2 where it has one end.
    pub level: f64,
    /// Its ends.
    #[serde(default)]
    pub side: Side,
}

impl Bounds {
    /// Refuses a probability that is none, and one bound on the far side of the median.
    ///
    /// # Errors
    /// What was found and expected.
    pub fn check(self) -> Result<(), String> {
        let Self { level, side } = self;
        match side {
            _ if !(level > 0.0 && level < 1.0) => {
                Err(format!("found the level {level}, which is not between 0 and 1"))
            }
            Side::Lower | Side::Upper if level <= 0.5 => Err(format!(
                "found the level {level} of {} bound, expected more than 0.5: the other side of \
                 the median is the other bound",
                if side == Side::Upper { "an upper" } else { "a lower" }
            )),
            _ => Ok(()),
        }
    }

    /// The levels of the quantiles that a method is asked for. Those of one bound are two, too: p
    /// and 1 − p, because some conformal methods predict ends in pairs.
    pub fn levels(self) -> (f64, f64) {
        match self.side {
            Side::Both => central_levels(self.level),
            Side::Lower | Side::Upper => (rest(self.level), self.level),
        }
    }

    /// The level of the quantile that is the only bound; `None` for an interval with both ends.
    pub fn quantile_level(self) -> Option<f64> {
        let (lower, upper) = self.levels();
        match self.side {
            Side::Both => None,
            Side::Lower => Some(lower),
            Side::Upper => Some(upper),
        }
    }

    /// The interval at point `i`; an end that it does not have is infinite. `None` where a quantile
    /// is undefined.
    pub fn interval(self, predictive: &Predictive, i: usize) -> Option<(f64, f64)> {
        let quantile = |level: f64| predictive.distribution().quantile(i, level);
        let (lower, upper) = self.levels();
        match self.side {
            Side::Both => predictive.interval(i, self.level),
            Side::Lower => Some((quantile(lower)?, f64::INFINITY)),
            Side::Upper => Some((f64::NEG_INFINITY, quantile(upper)?)),
        }
    }

    /// Width of the interval at point `i`; of a single bound its distance from the mean, which is
    /// negative where the bound lies on the other side of it. `None` where it is undefined.
    pub fn width(self, predictive: &Predictive, i: usize) -> Option<f64> {
        let (lower, upper) = self.interval(predictive, i)?;
        let mean = || predictive.distribution().mean(i);
        match self.side {
            Side::Both => Some(upper - lower),
            Side::Lower => Some(mean()? - lower),
            Side::Upper => Some(upper - mean()?),
        }
    }
}

/// 1 − p, rounded so that 1 − 0.9 is 0.1.
fn rest(level: f64) -> f64 {
    let rounded = ((1.0 - level) * 1e12).round() / 1e12;
    if rounded > 0.0 { rounded } else { 1.0 - level }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predictive::{Form, Gaussian};
    use ndarray::array;

    #[test]
    fn a_bound_is_the_quantile_of_its_level_and_both_are_the_central_interval() {
        let predictive =
            Predictive::new(Form::Gaussian(Gaussian { mean: array![1.0], variance: array![4.0] }));
        // 1.281 551 565 544 6 is the normal quantile of 0.9.
        let end = 2.0 * 1.281_551_565_544_6;
        let of = |side, level| Bounds { level, side }.interval(&predictive, 0).unwrap();
        let (low, high) = of(Side::Upper, 0.9);
        assert!(low == f64::NEG_INFINITY && (high - 1.0 - end).abs() < 1e-9);
        let (low, high) = of(Side::Lower, 0.9);
        assert!((low - 1.0 + end).abs() < 1e-9 && high == f64::INFINITY);
        let (low, high) = of(Side::Both, 0.8);
        assert!((low - 1.0 + end).abs() < 1e-9 && (high - 1.0 - end).abs() < 1e-9);
        for side in [Side::Lower, Side::Upper] {
            let width = Bounds { level: 0.9, side }.width(&predictive, 0).unwrap();
            assert!((width - end).abs() < 1e-9, "{side}");
        }
        assert_eq!(Bounds { level: 0.9, side: Side::Both }.levels(), central_levels(0.9));
    }

    #[test]
    fn the_level_of_a_lower_bound_is_written_shortly() {
        for (level, expected) in [(0.9, 0.1), (0.95, 0.05), (0.99, 0.01), (0.6, 0.4)] {
            assert_eq!(Bounds { level, side: Side::Lower }.quantile_level(), Some(expected));
        }
        let near = Bounds { level: 1.0 - 1e-15, side: Side::Lower }.quantile_level().unwrap();
        assert!(near > 0.0);
    }

    #[test]
    fn a_level_that_is_none_is_refused() {
        for (level, side, is_good) in [
            (0.9, Side::Upper, true),
            (0.5, Side::Upper, false),
            (0.5, Side::Both, true),
            (0.3, Side::Lower, false),
            (1.0, Side::Both, false),
            (f64::NAN, Side::Both, false),
        ] {
            assert_eq!(Bounds { level, side }.check().is_ok(), is_good, "{level} {side}");
        }
    }
}
