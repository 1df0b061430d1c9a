//! Read a cell as a number: as a plain one, or as people write it, with separators of thousands, a
//! decimal comma, a currency or a per cent sign.

use serde::{Deserialize, Serialize};

/// Largest absolute value of a number, because sums of squares of larger ones overflow.
pub(super) const LARGEST: f64 = 1e150;

/// What stands before or after a number without changing it.
/// Letters count in either case. One that another one begins or ends with stands behind it.
const CURRENCIES: [&str; 44] = [
    "US$", "A$", "C$", "HK$", "NZ$", "S$", "R$", "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₴", "₪",
    "฿", "₫", "₱", "₦", "USD", "EUR", "GBP", "CHF", "JPY", "INR", "CNY", "CAD", "AUD", "BRL",
    "SEK", "NOK", "DKK", "PLN", "CZK", "zł", "Kč", "Rs.", "Rs", "Rp", "Fr.", "kr.", "kr",
];

/// What stands after a number of hundredths.
pub(super) const PER_CENT: &str = "%";

/// What stands for a missing value in every column; letters count in either case.
const MISSING: [&str; 6] = ["", "na", "n/a", "nan", "null", "?"];

/// The character between the whole part of a number and its decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Mark {
    Point,
    Comma,
}

impl Mark {
    /// Its character.
    pub fn character(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    /// The one that separates thousands beside it.
    pub fn other(self) -> Self {
        match self {
            Self::Point => Self::Comma,
            Self::Comma => Self::Point,
        }
    }
}

/// The content of a cell that is read as a plain number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    Missing,
    Number(f64),
    TooLarge,
    Text,
}

impl Cell {
    pub fn of(text: &str) -> Self {
        if text.len() <= 4 && MISSING.iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Self::Missing;
        }
        match text.parse::<f64>() {
            Ok(number) if number.abs() <= LARGEST => Self::Number(number),
            Ok(_) => Self::TooLarge,
            Err(_) => Self::Text,
        }
    }
}

/// The number in a cell as people write it; `None` for another text, and for a number beyond
/// [`LARGEST`].
pub(super) fn written(text: &str, mark: Mark) -> Option<f64> {
    if !has_digit(text) {
        return None;
    }
    let Parts { sign, digits, .. } = Parts::of(text)?;
    let (decimal, thousands) = (mark.character(), mark.other().character());
    let (whole, decimals) =
        digits.split_once(decimal).map_or((digits, None), |(whole, rest)| (whole, Some(rest)));
    let whole = without_thousands(whole, thousands)?;
    let decimals = decimals.map(|decimals| format!(".{decimals}")).unwrap_or_default();
    let plain = format!("{sign}{whole}{decimals}");
    let has_digits_only =
        plain.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E'));
    let number = plain.parse::<f64>().ok().filter(|_| has_digits_only)?;
    (number.abs() <= LARGEST).then_some(number)
}

/// Whether a text may be a number or a date: most words are neither, which this shows at once.
pub(super) fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a cell is a number as people write it, by either decimal mark.
pub(super) fn is_written(text: &str) -> bool {
    [Mark::Point, Mark::Comma].iter().any(|mark| written(text, *mark).is_some())
}

/// The number in a cell, written plainly or with this decimal mark.
pub(super) fn number_in(text: &str, mark: Option<Mark>) -> Option<f64> {
    match (mark, Cell::of(text)) {
        (Some(mark), Cell::Number(_) | Cell::Text) => written(text, mark),
        (None, Cell::Number(number)) => Some(number),
        _ => None,
    }
}

/// The unit beside the number in a cell; empty where there is none.
pub(super) fn unit(text: &str) -> &'static str {
    Parts::of(text).map_or("", |parts| parts.unit)
}

/// The digits of a cell without sign and unit; another text as it is.
pub(super) fn digits(text: &str) -> &str {
    Parts::of(text).map_or(text, |parts| parts.digits)
}

/// A cell, divided.
struct Parts<'a> {
    unit: &'static str,
    /// `-` or nothing.
    sign: &'static str,
    digits: &'a str,
}

impl<'a> Parts<'a> {
    /// `None` for several units or signs. A currency may stand before the sign, after it or at the
    /// end, a per cent sign at the end only. Brackets around a number are a minus, as accountants
    /// write it.
    fn of(text: &'a str) -> Option<Self> {
        // Most cells have none, and are not compared with each unit.
        let is_plain = |byte: u8| byte.is_ascii_digit() || b".,-+ ".contains(&byte);
        let (currencies, per_cent): (&[&str], &[&str]) =
            if text.bytes().all(is_plain) { (&[], &[]) } else { (&CURRENCIES, &[PER_CENT]) };
        let currency = |text: &'a str| {
            let found =
                currencies.iter().find_map(|unit| Some((*unit, behind(text, unit)?.trim_start())));
            found.unwrap_or(("", text))
        };
        let whole = bracketed(text.trim());
        let (first, text) = currency(whole.unwrap_or(text.trim()));
        let at_end = currencies.iter().chain(per_cent);
        let at_end =
            at_end.into_iter().find_map(|unit| Some((*unit, before(text, unit)?.trim_end())));
        let (last, text) = at_end.unwrap_or(("", text));
        let minus =
            bracketed(text).or_else(|| Some(text.strip_prefix(['-', '\u{2212}'])?.trim_start()));
        let text = minus.unwrap_or_else(|| text.strip_prefix('+').unwrap_or(text).trim_start());
        let (middle, digits) = currency(text);
        let mut units = [first, middle, last].into_iter().filter(|unit| !unit.is_empty());
        let unit = units.next().unwrap_or_default();
        let is_one = units.next().is_none() && !(whole.is_some() && minus.is_some());
        let sign = if whole.or(minus).is_some() { "-" } else { "" };
        (is_one && !digits.starts_with(['-', '+'])).then_some(Self { unit, sign, digits })
    }
}

/// The text behind a unit that it begins with.
fn behind<'a>(text: &'a str, unit: &str) -> Option<&'a str> {
    let (first, rest) = text.split_at_checked(unit.len())?;
    first.eq_ignore_ascii_case(unit).then_some(rest)
}

/// The text before a unit that it ends with.
fn before<'a>(text: &'a str, unit: &str) -> Option<&'a str> {
    let (rest, last) = text.split_at_checked(text.len().checked_sub(unit.len())?)?;
    last.eq_ignore_ascii_case(unit).then_some(rest)
}

/// What stands in brackets around a whole text.
pub(super) fn bracketed(text: &str) -> Option<&str> {
    Some(text.strip_prefix('(')?.strip_suffix(')')?.trim())
}

/// A whole number without the separators of its thousands, which are all the same: the given one, a
/// blank or an apostrophe. `None` where they do not stand before every third digit, or where the
/// first group begins with 0.
fn without_thousands(whole: &str, thousands: char) -> Option<String> {
    let all = [thousands, ' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}'];
    let Some(separator) = whole.chars().find(|c| all.contains(c)) else {
        return Some(whole.to_owned());
    };
    let mut groups = whole.split(separator);
    let is_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let is_first = |first: &&str| {
        (1..=3).contains(&first.len()) && is_digits(first) && !first.starts_with('0')
    };
    let first = groups.next().filter(is_first)?;
    let rest: Vec<&str> = groups.collect();
    let are_digits = rest.iter().all(|group| is_digits(group));
    let are_threes = rest.iter().all(|group| group.len() == 3);
    (are_digits && (are_threes || (separator == ',' && are_indian(first, &rest))))
        .then(|| first.to_owned() + &rest.concat())
}

/// Whether groups are those of India, as in `1,00,000`: two digits each, but for the last one.
fn are_indian(first: &str, rest: &[&str]) -> bool {
    let Some((last, twos)) = rest.split_last() else { return false };
    first.len() <= 2
        && last.len() == 3
        && !twos.is_empty()
        && twos.iter().all(|group| group.len() == 2)
}

/// Whether more than nine tenths of the `cells` of a column are `numbers`: the others are then
/// probably typing errors.
pub(super) fn is_nearly_all(numbers: usize, cells: usize) -> bool {
    numbers * 10 > cells * 9
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, point, comma) in [
            ("1,234.5", Some(1234.5), None),
            ("1.234,5", None, Some(1234.5)),
            ("1,5", None, Some(1.5)),
            ("1,234", Some(1234.0), Some(1.234)),
            ("1.234", Some(1.234), Some(1234.0)),
            ("0,123", None, Some(0.123)),
            ("0.123", Some(0.123), None),
            ("-0,123", None, Some(-0.123)),
            ("012 345", None, None),
            ("0,5", None, Some(0.5)),
            ("12 345 678", Some(12_345_678.0), Some(12_345_678.0)),
            ("12\u{a0}345,6", None, Some(12_345.6)),
            ("12'345.6", Some(12_345.6), None),
            ("$1,200", Some(1200.0), Some(1.2)),
            ("-$ 1,200.50", Some(-1200.5), None),
            ("€ -3,5", None, Some(-3.5)),
            ("3,50 €", None, Some(3.5)),
            ("1200 EUR", Some(1200.0), Some(1200.0)),
            ("Rs. 1,200.50", Some(1200.5), None),
            ("Rs 12", Some(12.0), Some(12.0)),
            ("R$ 24.722", Some(24.722), Some(24_722.0)),
            ("US$1,200", Some(1200.0), Some(1.2)),
            ("1200 US$", Some(1200.0), Some(1200.0)),
            ("12 usd", Some(12.0), Some(12.0)),
            ("kr 1 200", Some(1200.0), Some(1200.0)),
            ("12,5 zł", None, Some(12.5)),
            ("₽5", Some(5.0), Some(5.0)),
            ("X$5", None, None),
            ("12.5 %", Some(12.5), None),
            ("\u{2212}7", Some(-7.0), Some(-7.0)),
            ("1,5e3", None, Some(1500.0)),
            ("2.5E-3", Some(0.0025), None),
            ("1,23,456", Some(123_456.0), None),
            ("12,34,567.5", Some(1_234_567.5), None),
            ("₹ 1,00,000", Some(100_000.0), None),
            ("1,2,345", None, None),
            ("123,45,678", None, None),
            ("1.23.456", None, None),
            ("12,34", None, Some(12.34)),
            ("1,2345.6", None, None),
            ("1'234,567", None, Some(1234.567)),
            ("(27.5)", Some(-27.5), None),
            ("(1,234.50)", Some(-1234.5), None),
            ("$(27)", Some(-27.0), Some(-27.0)),
            ("($27)", Some(-27.0), Some(-27.0)),
            ("(27,5 €)", None, Some(-27.5)),
            ("(3 %)", Some(-3.0), Some(-3.0)),
            ("(-5)", None, None),
            ("((5))", None, None),
            ("()", None, None),
            ("(5", None, None),
            ("1e999", None, None),
            ("inf", None, None),
            ("nan", None, None),
            ("%", None, None),
            ("%5", None, None),
            ("$5%", None, None),
            ("$-5 USD", None, None),
            ("$$5", None, None),
            ("--5", None, None),
            ("", None, None),
            ("-", None, None),
            ("USD", None, None),
            ("12 kg", None, None),
            ("2020-01-02", None, None),
        ] {
            assert_eq!(written(text, Mark::Point), point, "{text} with a point");
            assert_eq!(written(text, Mark::Comma), comma, "{text} with a comma");
        }
    }

    #[test]
    fn the_unit_of_a_number_is_known() {
        for (text, expected) in [
            ("5", ""),
            ("$ 5", "$"),
            ("-€5", "€"),
            ("5 EUR", "EUR"),
            ("1,5 %", "%"),
            ("$5%", ""),
            ("5 us$", "US$"),
        ] {
            assert_eq!(unit(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_number_is_read_in_both_notations(number: i32, cents in 0u8..100) {
            let grouped = |thousands: char| {
                let digits: Vec<char> = number.unsigned_abs().to_string().chars().rev().collect();
                let groups: Vec<String> =
                    digits.chunks(3).map(|group| group.iter().collect()).collect();
                groups.join(&thousands.to_string()).chars().rev().collect::<String>()
            };
            let sign = if number < 0 { "-" } else { "" };
            let expected = format!("{number}.{cents:02}").parse::<f64>().ok();
            prop_assert_eq!(
                written(&format!("{sign}{}.{cents:02}", grouped(',')), Mark::Point),
                expected
            );
            prop_assert_eq!(
                written(&format!("{sign}{},{cents:02}", grouped('.')), Mark::Comma),
                expected
            );
            let minus = written(&format!("({}.{cents:02})", grouped(',')), Mark::Point);
            prop_assert_eq!(minus, written(&format!("-{}.{cents:02}", grouped(',')), Mark::Point));
        }
    }
}
