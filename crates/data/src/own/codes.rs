//! Tell codes that look like numbers, such as `01` beside `1` or `1E2` beside `100`, from numbers.

use std::collections::{HashMap, HashSet};

use super::error::SHOWN;
use super::finding::{Finding, Topic};
use uq_core::printable::printable;

/// Numbers of two digits up to this one are months, days, hours or minutes, which are written with
/// a zero before them.
const LARGEST_OF_CLOCK: f64 = 59.0;

/// What the numbers of a column show of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codes<'a> {
    /// Two different texts are one number.
    Merged(&'a str, &'a str),
    /// Digits with zeros before them, as no number usually has: all are equally long, or many have
    /// zeros.
    Padded(&'a str),
    /// A text is written as no number usually is: with zeros before it among others without, or as
    /// digits, an E and digits.
    Written(&'a str),
}

/// From this share of texts with zeros before them on, or with exponents, these are no accident.
const SHARE: f64 = 0.1;

impl<'a> Codes<'a> {
    /// What plain numbers, none of which is missing, show; `None` where they are numbers. `1.5` and
    /// `1.50`, `2` and `2.0` are one number written twice, and zeros before decimals are a width.
    pub fn of(given: &[&'a str]) -> Option<Self> {
        let is_code = |text: &&&str| is_padded(text) || is_exponent(text);
        let first = given.iter().find(is_code)?;
        merged(given).or_else(|| {
            let are_of_clock = given.iter().all(|text| is_of_clock(text));
            let have_decimals = given.iter().any(|text| text.contains('.'))
                && !given.iter().any(|text| is_exponent(text));
            (!are_of_clock && !have_decimals).then(|| {
                match given.iter().find(|text| is_padded(text)) {
                    Some(first) if are_padded(given) => Self::Padded(first),
                    _ => Self::Written(first),
                }
            })
        })
    }

    /// Whether they are probably no numbers.
    fn are_many(self, given: &[&str]) -> bool {
        let is_written = |text: &&&str| is_padded(text) || is_exponent(text);
        !matches!(self, Self::Written(_))
            || given.iter().filter(is_written).count() as f64 >= SHARE * given.len() as f64
    }
}

/// Whether digits have zeros before them as codes have: all are equally long, three digits or more,
/// or a tenth has zeros.
fn are_padded(given: &[&str]) -> bool {
    let is_digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    let length = given.first().map_or(0, |text| text.len());
    let are_equal = length > 2 && given.iter().all(|text| text.len() == length);
    let padded = given.iter().filter(|text| is_padded(text)).count();
    given.iter().all(is_digits) && (are_equal || padded as f64 >= SHARE * given.len() as f64)
}

impl Codes<'_> {
    /// Whether they are names rather than numbers.
    pub fn are_names(self) -> bool {
        matches!(self, Self::Merged(..) | Self::Padded(_))
    }

    /// The finding on a column of this name with these texts that is read as numbers.
    pub fn of_numbers(self, column: &str, given: &[&str]) -> Finding {
        let shown = printable(column, SHOWN);
        let finding = match self {
            Self::Merged(first, other) => Finding::warning(format!(
                "the column \"{shown}\" is read as numbers, of which different texts become equal, \
                 such as {} and {}: if they are codes, write a letter before each",
                quoted(first),
                quoted(other)
            )),
            Self::Padded(first) | Self::Written(first) => {
                let text = format!(
                    "the column \"{shown}\" is read as numbers, though some are written like \
                     codes, such as {}: if they are codes, write a letter before each",
                    quoted(first)
                );
                if self.are_many(given) { Finding::warning(text) } else { Finding::note(text) }
            }
        };
        finding.about(Topic::Codes, [column])
    }

    /// The note on a column of this name that is a category.
    pub fn of_levels(self, column: &str) -> Finding {
        let (first, why) = match self {
            Self::Merged(first, other) => {
                (first, format!(" beside {}, which as numbers would be equal", quoted(other)))
            }
            Self::Padded(first) | Self::Written(first) => {
                (first, ", which no number is written like".into())
            }
        };
        Finding::note(format!(
            "the column \"{}\" has codes, such as {}{why}: each is a level of its own",
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
        let (first, other) =
            known.entry((number + 0.0).to_bits()).or_insert_with(|| (text, spelled.clone()));
        if *other != spelled {
            return Some(Codes::Merged(first, text));
        }
    }
    None
}

/// What tells codes apart: the whole part with its zeros, or number and exponent; nothing of other
/// numbers.
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
    text.split_once(['e', 'E'])
        .is_some_and(|(number, exponent)| is_digits(number) && is_digits(exponent))
}

/// Whether a text may be a month, a day, an hour or a minute.
fn is_of_clock(text: &str) -> bool {
    let is_digits = text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits && text.parse::<f64>().is_ok_and(|number| number <= LARGEST_OF_CLOCK)
}

#[cfg(test)]
mod tests {
    use super::super::finding::Severity;
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
        for given in
            [&["10001", "00501"][..], &["030", "0211"], &["01", "99"], &["001", "002", "365"]]
        {
            let found = Codes::of(given).unwrap();
            assert!(matches!(found, Codes::Padded(_)) && found.are_names(), "{given:?} {found:?}");
            assert_eq!(found.of_numbers("x", given).severity, Severity::Warning);
        }
        let exponents = ["17", "5E1"];
        assert_eq!(Codes::of(&exponents), Some(Codes::Written("5E1")));
        assert_eq!(Codes::Written("5E1").of_numbers("x", &exponents).severity, Severity::Warning);
        let once: Vec<String> = (0..30)
            .map(|i| (100 + 31 * i).to_string())
            .chain(["007".into(), "2000".into()])
            .collect();
        let once: Vec<&str> = once.iter().map(String::as_str).collect();
        let found = Codes::of(&once).unwrap();
        assert!(found == Codes::Written("007") && !found.are_names(), "{found:?}");
        assert_eq!(found.of_numbers("x", &once).severity, Severity::Note);
        assert_eq!(Codes::of(&["007.25", "112.50"]), None, "numbers of one width");
    }
}
