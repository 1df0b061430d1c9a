//! Read dates with the name of a month.

use super::periods::words;

/// Names of months. The first three letters are enough.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The number of a month from its name, its first three letters, or `Sept`.
pub(super) fn month_of(text: &str) -> Option<i64> {
    let lower = text.to_lowercase();
    let is_short = lower.len() == 3 || lower == "sept";
    let month =
        MONTHS.iter().position(|name| *name == lower || (is_short && name.starts_with(&lower)))?;
    Some(month as i64 + 1)
}

/// The texts of year, month and day of a date with the name of a month.
pub(super) fn by_month_name(date: &str) -> Option<[&str; 3]> {
    let is_mark = |c: char| matches!(c, ' ' | ',' | '-' | '/' | '.');
    let words: Vec<&str> = date.split(is_mark).filter(|word| !word.is_empty()).collect();
    let is_month = |word: &str| month_of(word).is_some();
    match words[..] {
        [month, day, year] if is_month(month) => Some([year, month, day]),
        [year, month, day] if is_month(month) && year.len() == 4 => Some([year, month, day]),
        [day, month, year] if is_month(month) => Some([year, month, day]),
        [month, year] | [year, month] if is_month(month) && year.len() == 4 => {
            Some([year, month, "1"])
        }
        _ => None,
    }
}

/// The texts of year, month and first day of a month with its name, such as `May 2022`, `May-22`,
/// `May '22` or `2022-May`.
pub(super) fn by_month_and_year(date: &str) -> Option<[&str; 3]> {
    let [month, number] = month_and_number(date)?;
    matches!(number.len(), 2 | 4).then_some([number, month, "1"])
}

/// The texts of a month and of the number beside it, as in `May-22`, where they are all of a text.
fn month_and_number(text: &str) -> Option<[&str; 2]> {
    let is_month = |word: &str| month_of(word).is_some();
    match words(text)?[..] {
        [month, number] | [number, month]
            if is_month(month) && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            Some([month, number])
        }
        _ => None,
    }
}

/// The number beside the name of a month, of at most two digits: a day, or a year without its
/// century.
pub(in crate::own) fn number_beside_month(text: &str) -> Option<u32> {
    month_and_number(text)
        .filter(|[_, number]| number.len() <= 2)
        .and_then(|[_, number]| number.parse().ok())
}
