//! Read weeks of ISO 8601, such as `2022-W20`, and quarters, such as `2022-Q3`, as their first
//! days.

use super::calendar::{days_before, number, year_of};

/// What stands before or behind the number of a week, in small letters; German has `KW`.
const WEEKS: [&str; 6] = ["w", "kw", "cw", "wk", "week", "ww"];
/// What stands before or behind the number of a quarter, in small letters.
const QUARTERS: [&str; 3] = ["q", "qtr", "quarter"];

/// The numbers and words of a text, without what stands between them; `None` for other signs than
/// those of dates.
pub(super) fn words(text: &str) -> Option<Vec<&str>> {
    let is_mark = |c: char| matches!(c, ' ' | ',' | '-' | '/' | '.' | '\'' | '\u{2019}');
    let mut words = Vec::new();
    for part in text.split(is_mark).filter(|part| !part.is_empty()) {
        if !part.chars().all(|c| c.is_ascii_digit() || c.is_alphabetic()) {
            return None;
        }
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let is_digit = first.is_ascii_digit();
            let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
            words.push(&rest[..end]);
            rest = &rest[end..];
        }
    }
    Some(words)
}

/// Days from 1970-01-01 to the first day of a week, or to one of its days, as in `2022-W20`,
/// `2022W203`, `2022-W20-3` or `KW 20/2022`.
pub(super) fn day_of_week(date: &str) -> Option<i64> {
    let is_week = |word: &str| WEEKS.contains(&word.to_lowercase().as_str());
    let (year, week, day) = match words(date)?[..] {
        [year, word, week] if is_week(word) && week.len() == 3 => {
            (year, week.get(..2)?, week.get(2..)?)
        }
        [year, word, week] if is_week(word) => (year, week, "1"),
        [year, word, week, day] if is_week(word) => (year, week, day),
        [word, week, year] if is_week(word) => (year, week, "1"),
        _ => return None,
    };
    let year = year_of(year).filter(|_| year.len() == 4)?;
    let (week, day) = (number(week, 2)?, number(day, 1)?);
    let is_real = (1..=7).contains(&day) && week >= 1 && monday(year, week) < monday(year + 1, 1);
    is_real.then(|| monday(year, week) + day - 1)
}

/// Days from 1970-01-01 to the Monday of a week: the first one of a year has the fourth of January.
fn monday(year: i64, week: i64) -> i64 {
    let fourth = days_before(year) + 3;
    // 1970-01-01 was a Thursday.
    fourth - (fourth + 3).rem_euclid(7) + 7 * (week - 1)
}

/// The year and the first month of a quarter, as in `2022-Q3`, `Q3 2022`, `3Q22` or `Q3'22`.
pub(super) fn month_of_quarter(date: &str) -> Option<[i64; 2]> {
    let is_quarter = |word: &str| QUARTERS.contains(&word.to_lowercase().as_str());
    let (year, quarter) = match words(date)?[..] {
        [year, word, quarter] if is_quarter(word) && year.len() == 4 => (year, quarter),
        [word, quarter, year] | [quarter, word, year] if is_quarter(word) => (year, quarter),
        _ => return None,
    };
    let (year, quarter) = (year_of(year)?, number(quarter, 1)?);
    (1..=4).contains(&quarter).then_some([year, 3 * quarter - 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_begins_on_its_monday() {
        for (text, day) in [
            ("1970-W01", Some(-3)),
            ("1970-W01-4", Some(0)),
            ("2022-W20", Some(19_128)),
            ("2022W20", Some(19_128)),
            ("2022W203", Some(19_130)),
            ("KW 20/2022", Some(19_128)),
            ("W20 2022", Some(19_128)),
            ("2020-W53", Some(18_624)),
            ("2021-W53", None),
            ("2021-W00", None),
            ("2021-W20-8", None),
            ("W20-22", None),
            ("2022-20", None),
        ] {
            assert_eq!(day_of_week(text), day, "{text}");
        }
    }

    #[test]
    fn a_quarter_begins_in_its_first_month() {
        for text in [
            "2022-Q3",
            "2022Q3",
            "Q3 2022",
            "Q3/2022",
            "3Q22",
            "Q3'22",
            "2022-q3",
            "2022 Quarter 3",
        ] {
            assert_eq!(month_of_quarter(text), Some([2022, 7]), "{text}");
        }
        for text in ["2022-Q5", "Q0 2022", "Q3", "22-Q3", "2022-3", "Q12 2022"] {
            assert_eq!(month_of_quarter(text), None, "{text}");
        }
    }
}
