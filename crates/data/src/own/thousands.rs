//! Suspect points in plain numbers of separating thousands: `4.810` may be 4810.

use std::collections::HashSet;

use super::number::{Mark, digits, written};

/// From this number of different endings of three digits beside whole numbers on, they are no
/// fractions such as thirds or sevenths.
const ENDINGS: usize = 10;

/// What the plain numbers of a column show of points.
#[derive(Debug, Default)]
pub(super) struct Points<'a> {
    /// The last three digits of numbers whose points may separate thousands.
    endings: HashSet<&'a str>,
    /// Whether a number but 0 has no point.
    has_whole: bool,
    /// Whether a number has a point that separates no thousands.
    has_decimals: bool,
    /// Whether a number of 1000 or more has no point, so that points separate no thousands.
    is_unseparated: bool,
}

impl<'a> Points<'a> {
    /// The points in these plain numbers.
    pub fn of(texts: impl Iterator<Item = &'a str>) -> Self {
        Self::marked(texts, Mark::Point)
    }

    /// The commas in numbers that are read with a decimal comma.
    pub fn marked(texts: impl Iterator<Item = &'a str>, mark: Mark) -> Self {
        let mut points = Self::default();
        texts.for_each(|text| points.add(digits(text), mark));
        points
    }

    fn add(&mut self, text: &'a str, mark: Mark) {
        match (text.contains(mark.character()), separated(text, mark), written(text, mark)) {
            (true, Some(ending), _) => {
                self.endings.insert(ending);
            }
            (true, None, _) => self.has_decimals = true,
            (false, _, Some(number)) => {
                self.has_whole |= number != 0.0;
                self.is_unseparated |= number.abs() >= 1000.0;
            }
            (false, _, None) => {}
        }
    }

    /// Whether points may separate thousands: all numbers with a point have three digits behind it,
    /// and those without one are below 1000, as decimals hardly are. Where every number has three
    /// digits behind a point, it is suspected if all are whole hundreds, and other columns have no
    /// decimals (`others_have`).
    pub fn may_separate(&self, others_have: bool) -> bool {
        if self.endings.is_empty() || self.has_decimals || self.is_unseparated {
            return false;
        }
        if self.has_whole {
            return self.endings.len() >= ENDINGS
                || self.endings.iter().any(|ending| ending.ends_with('0'));
        }
        !others_have && self.endings.iter().all(|ending| ending.ends_with("00"))
    }

    /// Whether points may separate thousands in numbers that are as well whole ones of a table with
    /// thousands.
    pub fn may_separate_in_new(&self) -> bool {
        !self.endings.is_empty() && !self.has_decimals
    }
}

/// The last three digits of a number whose decimal marks may separate thousands.
fn separated(text: &str, mark: Mark) -> Option<&str> {
    let (_, ending) = text.rsplit_once(mark.character())?;
    written(text, mark.other()).is_some().then_some(ending)
}

/// Whether a number has a point that separates no thousands.
pub(super) fn has_decimals(text: &str) -> bool {
    text.contains('.') && separated(text, Mark::Point).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suspected(given: &[&str], others_have: bool) -> bool {
        Points::of(given.iter().copied()).may_separate(others_have)
    }

    #[test]
    fn three_digits_behind_every_point_beside_numbers_below_1000_are_suspected() {
        let many: Vec<String> =
            (1..12).map(|i| format!("{i}.{}", 101 + 7 * i)).chain(["850".into()]).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(suspected(&many, false) && suspected(&many, true));
        assert!(suspected(&["1.250", "850"], true) && suspected(&["-1.250", "850", "0"], true));
        assert!(suspected(&["250.000", "315.500", "1.000"], false));
    }

    #[test]
    fn commas_of_numbers_with_a_decimal_comma_are_judged_as_points_are() {
        let suspected =
            |given: &[&str]| Points::marked(given.iter().copied(), Mark::Comma).may_separate(true);
        assert!(suspected(&["1,250", "850"]) && suspected(&["1,250 €", "850 €"]));
        assert!(!suspected(&["1,25", "850"]) && !suspected(&["0,250", "850"]));
    }

    #[test]
    fn decimals_are_not_suspected() {
        for given in [
            &["12.345", "3.141", "0.250", "7"][..],
            &["12.345", "3.141"],
            &["1.250", "1250"],
            &["1.5", "850", "1.250"],
            &["1", "1.333", "1.667", "2"],
            &["0", "1.234", "2.345"],
            &["850", "900"],
            &["12.340", "3.141", "5.600"],
        ] {
            assert!(!suspected(given, false), "{given:?}");
        }
        assert!(!suspected(&["250.000", "315.500"], true), "other columns have decimals");
    }
}
