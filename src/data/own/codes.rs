//! Tell codes that look like numbers, such as `01` beside `1` or `1E2` beside `100`, from numbers.

use std::collections::{HashMap, HashSet};

use super::error::SHOWN;
use super::finding::{Finding, Topic};
use crate::data::printable;

/// Numbers of two digits up to this one are months, days, hours or minutes, which are written with a zero before them.
const LARGEST_OF_CLOCK: f64 = 59.0;

/// What the numbers of a column show of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codes<'a> {
    /// Two different texts are one number.
    Merged(&'a str, &'a str),
    /// A text is written as no number usually is.
    Written(&'a str),
}

impl<'a> Codes<'a> {
    /// What plain numbers, none of which is missing, show; `None` where they are numbers. `1.5` and `1.50`, `2` and `2.0` are one number
    /// written twice.
    pub fn of(given: &[&'a str]) -> Option<Self> {
        let is_code = |text: &&&str| is_padded(text) || is_exponent(text);
        let first = given.iter().find(is_code)?;
        merged(given).or_else(|| {
            let are_of_clock = given.iter().all(|text| is_of_clock(text));
            (!are_of_clock).then_some(Self::Written(first))
        })
    }
}

impl Codes<'_> {
    /// Whether they are names rather than numbers.
    pub fn are_names(self) -> bool {
        matches!(self, Self::Merged(..))
    }

    /// The finding on a column of this name that is read as numbers.
    pub fn of_numbers(self, column: &str) -> Finding {
        let shown = printable(column, SHOWN);
        let finding = match self {
            Self::Merged(first, other) => Finding::warning(format!(
                "the column \"{shown}\" is read as numbers, of which different texts become equal, such as {} and {}: if they are codes, \
                 write a letter before each",
                quoted(first),
                quoted(other)
            )),
            Self::Written(first) => Finding::note(format!(
                "the column \"{shown}\" is read as numbers, though some are written like codes, such as {}: if they are codes, write a \
                 letter before each",
                quoted(first)
            )),
        };
        finding.about(Topic::Codes, [column])
    }

    /// The note on a column of this name that is a category.
    pub fn of_levels(self, column: &str) -> Finding {
        let (Self::Merged(first, _) | Self::Written(first)) = self;
        let other =
            if let Self::Merged(_, other) = self { format!(" beside {}", quoted(other)) } else { String::new() };
        Finding::note(format!(
            "the column \"{}\" has codes, such as {}{other}, which as numbers would be equal: each is a level of its own",
            printable(column, SHOWN),
            quoted(first)
        ))
        .about(Topic::Codes, [column])
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text, 30))
}

/// The first two texts that are one number but for zeros before it or an exponent.
fn merged<'a>(given: &[&'a str]) -> Option<Codes<'a>> {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut known: HashMap<u64, (&str, String)> = HashMap::new();
    for text in given.iter().copied().filter(|text| seen.insert(text)) {
        let Ok(number) = text.parse::<f64>() else { continue };
        let spelled = spelling(text);
        // Zero has no sign here.
        let (first, other) = known.entry((number + 0.0).to_bits()).or_insert_with(|| (text, spelled.clone()));
        if *other != spelled {
            return Some(Codes::Merged(first, text));
        }
    }
    None
}

/// What tells codes apart: the whole part with its zeros, or number and exponent; nothing of other numbers.
fn spelling(text: &str) -> String {
    match (is_exponent(text), is_padded(text)) {
        (true, _) => text.to_ascii_lowercase(),
        (false, true) => unsigned(text).split('.').next().unwrap_or_default().to_owned(),
        (false, false) => String::new(),
    }
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

/// Whether a number has a zero before its first digit.
fn is_padded(text: &str) -> bool {
    let whole = unsigned(text).split('.').next().unwrap_or_default();
    whole.len() > 1 && whole.starts_with('0') && whole.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is digits, an E and digits. Programs write a sign there, or a point before.
fn is_exponent(text: &str) -> bool {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once(['e', 'E']).is_some_and(|(number, exponent)| is_digits(number) && is_digits(exponent))
}

/// Whether a text may be a month, a day, an hour or a minute.
fn is_of_clock(text: &str) -> bool {
    let is_digits = text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits && text.parse::<f64>().is_ok_and(|number| number <= LARGEST_OF_CLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_become_one_number_are_codes() {
        for (given, pair) in [
            (&["01", "1"][..], ("01", "1")),
            (&["3", "10", "010"], ("10", "010")),
            (&["100", "1E2"], ("100", "1E2")),
            (&["5e1", "50", "7"], ("5e1", "50")),
            (&["01.10", "1.1"], ("01.10", "1.1")),
            (&["000", "0"], ("000", "0")),
            (&["007", "07"], ("007", "07")),
        ] {
            assert_eq!(Codes::of(given), Some(Codes::Merged(pair.0, pair.1)), "{given:?}");
        }
    }

    #[test]
    fn one_number_written_twice_is_no_code() {
        for given in [
            &["1.5", "1.50"][..],
            &["2", "2.0"],
            &[".5", "0.5"],
            &["+3", "3"],
            &["0", "-0"],
            &["1e-05", "0.00001"],
            &["1e+05", "100000"],
            &["1.0E2", "100"],
            &["01", "12"],
            &["00", "23", "59"],
            &["0", "10"],
        ] {
            assert_eq!(Codes::of(given), None, "{given:?}");
        }
    }

    #[test]
    fn numbers_with_zeros_before_them_are_probably_codes() {
        assert_eq!(Codes::of(&["10001", "00501"]), Some(Codes::Written("00501")));
        assert_eq!(Codes::of(&["030", "0211"]), Some(Codes::Written("030")));
        assert_eq!(Codes::of(&["17", "5E1"]), Some(Codes::Written("5E1")));
        assert_eq!(Codes::of(&["01", "99"]), Some(Codes::Written("01")));
    }
}
