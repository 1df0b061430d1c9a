//! Hold the numbers that a parameter may have, and describe them in words.

use std::fmt::{self, Debug, Display};
use std::ops::{Bound, RangeBounds, RangeFrom, RangeFull, RangeInclusive};

use serde::Serialize;

/// Numbers from a lower to an upper end; never one that is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub(crate) low: Bound<f64>,
    pub(crate) high: Bound<f64>,
    whole: bool,
    /// Whether a list must hold at least one number.
    one_or_more: bool,
}

/// The numbers above `low`.
pub const fn above(low: f64) -> Range {
    Range { low: Bound::Excluded(low), high: Bound::Unbounded, whole: false, one_or_more: false }
}

/// A list of at least one number of this range.
pub fn one_or_more(range: impl Into<Range>) -> Range {
    Range { one_or_more: true, ..range.into() }
}

impl Range {
    /// The range with this upper end, which belongs to it.
    pub const fn to(self, high: f64) -> Self {
        Self { high: Bound::Included(high), ..self }
    }

    /// The range with this upper end, which does not belong to it.
    pub const fn below(self, high: f64) -> Self {
        Self { high: Bound::Excluded(high), ..self }
    }

    /// Whether a number is one of them.
    pub fn contains(&self, x: f64) -> bool {
        x.is_finite() && (self.low, self.high).contains(&x)
    }

    /// The ends in words, after `a number` or `numbers`.
    fn ends(&self) -> String {
        let [low, high] = [self.low, self.high].map(|end| match end {
            Bound::Included(x) | Bound::Excluded(x) => {
                Short { number: x, whole: self.whole }.to_string()
            }
            Bound::Unbounded => String::new(),
        });
        match (self.low, self.high) {
            (Bound::Included(_), Bound::Included(_)) => format!(" from {low} to {high}"),
            (Bound::Included(_), Bound::Excluded(_)) => format!(" from {low} to below {high}"),
            (Bound::Included(_), Bound::Unbounded) => format!(" of at least {low}"),
            (Bound::Excluded(_), Bound::Included(_)) => format!(" above {low}, at most {high}"),
            (Bound::Excluded(_), Bound::Excluded(_)) => {
                format!(" between {low} and {high}, both excluded")
            }
            (Bound::Excluded(_), Bound::Unbounded) => format!(" above {low}"),
            (Bound::Unbounded, Bound::Included(_)) => format!(" of at most {high}"),
            (Bound::Unbounded, Bound::Excluded(_)) => format!(" below {high}"),
            (Bound::Unbounded, Bound::Unbounded) => String::new(),
        }
    }
}

impl Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.whole { "a whole number" } else { "a number" }, self.ends())
    }
}

/// An end of a range as a person writes it: `0.01`, `5000`, `1e-14`.
struct Short {
    number: f64,
    whole: bool,
}

impl Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = self.number.to_string();
        if self.whole || plain.len() <= 6 {
            f.write_str(&plain)
        } else {
            write!(f, "{:e}", self.number)
        }
    }
}

impl From<RangeInclusive<usize>> for Range {
    fn from(range: RangeInclusive<usize>) -> Self {
        Self { whole: true, ..(*range.start() as f64..=*range.end() as f64).into() }
    }
}

impl From<RangeFrom<usize>> for Range {
    fn from(range: RangeFrom<usize>) -> Self {
        Self { whole: true, ..(range.start as f64..).into() }
    }
}

impl From<RangeInclusive<f64>> for Range {
    fn from(range: RangeInclusive<f64>) -> Self {
        Self::from(*range.start()..).to(*range.end())
    }
}

impl From<RangeFrom<f64>> for Range {
    fn from(range: RangeFrom<f64>) -> Self {
        Self { low: Bound::Included(range.start), ..Self::from(..) }
    }
}

impl From<std::ops::Range<f64>> for Range {
    fn from(range: std::ops::Range<f64>) -> Self {
        Self::from(range.start..).below(range.end)
    }
}

impl From<RangeFull> for Range {
    fn from(_: RangeFull) -> Self {
        Self { low: Bound::Unbounded, high: Bound::Unbounded, whole: false, one_or_more: false }
    }
}

/// The types that a [`Range`] applies to: a number, a number or none, a list of numbers.
pub trait Numbers: Serialize {
    /// What the range allows, in words.
    fn expected(range: &Range) -> String;

    /// The value in words, where the range does not allow it.
    fn fault(&self, range: &Range) -> Option<String>;
}

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl Numbers for $number {
            fn expected(range: &Range) -> String {
                range.to_string()
            }

            fn fault(&self, range: &Range) -> Option<String> {
                (!range.contains(*self as f64)).then(|| self.to_string())
            }
        })+
    };
}
numbers!(f64, usize, u16, u32, u64);

impl<T: Numbers> Numbers for Option<T> {
    fn expected(range: &Range) -> String {
        format!("{}, or null", T::expected(range))
    }

    fn fault(&self, range: &Range) -> Option<String> {
        self.as_ref()?.fault(range)
    }
}

impl<T: Numbers + Debug> Numbers for Vec<T> {
    fn expected(range: &Range) -> String {
        let count = if range.one_or_more { "one or more " } else { "" };
        format!("{count}{}{}", if range.whole { "whole numbers" } else { "numbers" }, range.ends())
    }

    fn fault(&self, range: &Range) -> Option<String> {
        let allowed = !(range.one_or_more && self.is_empty())
            && self.iter().all(|x| x.fault(range).is_none());
        (!allowed).then(|| format!("{self:?}"))
    }
}
