//! Map an interval onto the whole line, smoothly and so that a minimum at its end stays an ordinary
//! minimum.

use serde::{Deserialize, Serialize};

/// A start at an end of an interval is moved inside by this part of the half-width.
const OFF_THE_END: f64 = 1e-3;

/// The values that a coordinate may take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    low: f64,
    high: f64,
}

impl Interval {
    /// Any number.
    pub const LINE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The numbers from `low` to `high`; `None` unless both are finite and `low < high`.
    pub fn between(low: f64, high: f64) -> Option<Self> {
        (low.is_finite() && high.is_finite() && low < high).then_some(Self { low, high })
    }

    /// Its smallest number, −∞ for the whole line.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// Its largest number, ∞ for the whole line.
    pub fn high(&self) -> f64 {
        self.high
    }

    /// Whether `x` lies within `distance` of an end.
    pub fn is_active(&self, x: f64, distance: f64) -> bool {
        x - self.low <= distance || self.high - x <= distance
    }

    /// Middle and half of the width; `None` for the whole line.
    fn middle_and_half(&self) -> Option<(f64, f64)> {
        self.low.is_finite().then_some((0.5 * (self.low + self.high), 0.5 * (self.high - self.low)))
    }

    /// z with x = m + h sin((z − m)/h), x pulled inside.
    pub(super) fn free(&self, x: f64) -> f64 {
        let Some((middle, half)) = self.middle_and_half() else { return x };
        let most = 1.0 - OFF_THE_END;
        middle + half * ((x - middle) / half).clamp(-most, most).asin()
    }

    /// x = m + h sin((z − m)/h).
    pub(super) fn bounded(&self, z: f64) -> f64 {
        let Some((middle, half)) = self.middle_and_half() else { return z };
        (middle + half * ((z - middle) / half).sin()).clamp(self.low, self.high)
    }

    /// dx/dz = cos((z − m)/h).
    pub(super) fn slope(&self, z: f64) -> f64 {
        self.middle_and_half().map_or(1.0, |(middle, half)| ((z - middle) / half).cos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_substitution_is_undone_and_its_slope_is_its_derivative() {
        let interval = Interval::between(-3.0, 5.0).unwrap();
        for x in [-2.9, -1.0, 1.0, 4.7] {
            let z = interval.free(x);
            assert!((interval.bounded(z) - x).abs() < 1e-14);
            let h = 1e-6;
            let slope = (interval.bounded(z + h) - interval.bounded(z - h)) / (2.0 * h);
            assert!((slope - interval.slope(z)).abs() < 1e-9);
        }
        assert_eq!(
            (Interval::LINE.free(7.0), Interval::LINE.bounded(7.0), Interval::LINE.slope(7.0)),
            (7.0, 7.0, 1.0)
        );
    }

    #[test]
    fn a_start_outside_or_at_an_end_is_moved_inside() {
        let interval = Interval::between(0.0, 2.0).unwrap();
        for x in [-4.0, 0.0, 2.0, 1e300] {
            let inside = interval.bounded(interval.free(x));
            assert!(
                inside > 0.0 && inside < 2.0 && interval.slope(interval.free(x)) > 0.01,
                "{x}: {inside}"
            );
        }
        assert!(
            interval.is_active(1e-4, 1e-3)
                && interval.is_active(2.0, 1e-3)
                && !interval.is_active(1.0, 1e-3)
        );
        assert!(!Interval::LINE.is_active(1e300, 1.0));
    }

    #[test]
    fn an_interval_has_two_finite_ends_in_order() {
        for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert_eq!(Interval::between(low, high), None);
        }
    }
}
