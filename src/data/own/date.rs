//! Read a cell as a date, with or without a time of day, and make numbers of it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The order of a date's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum DateForm {
    YearMonthDay,
    DayMonthYear,
    MonthDayYear,
}

impl DateForm {
    /// In the order in which they are preferred.
    pub const ALL: [Self; 3] = [Self::YearMonthDay, Self::DayMonthYear, Self::MonthDayYear];
}

impl fmt::Display for DateForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::YearMonthDay => "year, month, day",
            Self::DayMonthYear => "day, month, year",
            Self::MonthDayYear => "month, day, year",
        })
    }
}

/// A moment in the calendar of its text, without a time zone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    /// Days from 1970-01-01 to its day.
    day: i64,
    /// Days from the first of January of its year, from 1.
    day_of_year: i64,
    /// Seconds from midnight.
    seconds: f64,
}

impl Moment {
    /// The moment in a text such as `2024-05-31`, `31.05.2024` or `2024/05/31 17:30:00`; `None` for another text and
    /// for a day that the calendar does not have. The year has four digits. A text with a time zone other than `Z` or
    /// `+00:00` (UTC) is none.
    pub fn of(text: &str, form: DateForm) -> Option<Self> {
        let (date, time) = text.split_once(['T', ' ']).map_or((text, None), |(date, time)| (date, Some(time.trim())));
        let mark = date.chars().find(|c| matches!(c, '-' | '/' | '.'))?;
        let parts: Vec<&str> = date.split(mark).collect();
        let [a, b, c] = parts[..] else { return None };
        let (year, month, day) = match form {
            DateForm::YearMonthDay => (a, b, c),
            DateForm::DayMonthYear => (c, b, a),
            DateForm::MonthDayYear => (c, a, b),
        };
        let number = |text: &str, most: usize| {
            let is_number = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<i64>().ok().filter(|_| is_number)
        };
        let (month, day) = (number(month, 2)?, number(day, 2)?);
        let year = number(year, 4).filter(|_| year.len() == 4)?;
        if !(1..=12).contains(&month) || !(1..=days_of(year, month)).contains(&day) {
            return None;
        }
        let seconds = time.map_or(Some(0.0), seconds_of)?;
        let first = days_before(year);
        let day_of_year = (1..month).map(|month| days_of(year, month)).sum::<i64>() + day;
        Some(Self { day: first + day_of_year - 1, day_of_year, seconds })
    }

    /// Days from the start of 1970.
    pub fn days(self) -> f64 {
        self.day as f64 + self.seconds / 86_400.0
    }

    /// Its numbers in the order of [`PARTS`].
    pub fn parts(self) -> [f64; 4] {
        // 1970-01-01 was a Thursday.
        let weekday = (self.day + 3).rem_euclid(7) + 1;
        [self.days(), self.day_of_year as f64, weekday as f64, self.seconds / 3600.0]
    }
}

/// What the numbers of a moment mean.
pub(super) const PARTS: [&str; 4] = ["days since 1970-01-01", "day of the year", "weekday from Monday", "hour"];

/// Days after which each of them begins anew.
pub(super) const PERIODS: [f64; 4] = [f64::INFINITY, 365.25, 7.0, 1.0];

/// Seconds from midnight of a text such as `17:30`, `17:30:05`, `17:30:05.25Z` or `17:30:05+00:00`.
fn seconds_of(text: &str) -> Option<f64> {
    let local = ["Z", "+00:00"].into_iter().find_map(|zone| text.strip_suffix(zone)).unwrap_or(text).trim_end();
    let parts: Vec<&str> = local.split(':').collect();
    let ([hour, minute], second) = match parts[..] {
        [hour, minute] => ([hour, minute], "0"),
        [hour, minute, second] => ([hour, minute], second),
        _ => return None,
    };
    let number = |text: &str, end: f64| {
        let is_number = text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(['e', 'E']);
        text.parse::<f64>().ok().filter(|number| is_number && *number < end)
    };
    let whole = |text: &str, end: f64| number(text, end).filter(|number| number.fract() == 0.0);
    Some(whole(hour, 24.0)? * 3600.0 + whole(minute, 60.0)? * 60.0 + number(second, 60.0)?)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to the first day of a year in the Gregorian calendar.
fn days_before(year: i64) -> i64 {
    let leaps = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    (year - 1970) * 365 + leaps(year - 1) - leaps(1969)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days_have_their_numbers() {
        for (text, form, parts) in [
            ("1970-01-01", DateForm::YearMonthDay, [0.0, 1.0, 4.0, 0.0]),
            ("1969-12-31", DateForm::YearMonthDay, [-1.0, 365.0, 3.0, 0.0]),
            ("2000/02/29", DateForm::YearMonthDay, [11_016.0, 60.0, 2.0, 0.0]),
            ("31.12.2024", DateForm::DayMonthYear, [20_088.0, 366.0, 2.0, 0.0]),
            ("12/31/2024", DateForm::MonthDayYear, [20_088.0, 366.0, 2.0, 0.0]),
            ("2024-12-31T12:00:00Z", DateForm::YearMonthDay, [20_088.5, 366.0, 2.0, 12.0]),
            ("2024-12-31 12:00:00+00:00", DateForm::YearMonthDay, [20_088.5, 366.0, 2.0, 12.0]),
            ("2024-12-31 6:00", DateForm::YearMonthDay, [20_088.25, 366.0, 2.0, 6.0]),
            ("1600-03-01", DateForm::YearMonthDay, [-135_080.0, 61.0, 3.0, 0.0]),
        ] {
            assert_eq!(Moment::of(text, form).map(Moment::parts), Some(parts), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in
            ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-01", "24-01-01", "2024-01", "1.5", "2024-01-01 25:00"]
        {
            assert_eq!(Moment::of(text, DateForm::YearMonthDay), None, "{text}");
        }
        assert_eq!(Moment::of("13/31/2024", DateForm::MonthDayYear), None);
        assert_eq!(Moment::of("2024-01-01T10:00+02:00", DateForm::YearMonthDay), None);
    }

    #[test]
    fn each_day_is_one_after_the_day_before_it() {
        let mut last = Moment::of("1896-02-28", DateForm::YearMonthDay).unwrap().day;
        for year in 1896..2105 {
            for month in 1..=12 {
                for day in 1..=days_of(year, month) {
                    let text = format!("{year}-{month:02}-{day:02}");
                    let found = Moment::of(&text, DateForm::YearMonthDay).unwrap().day;
                    assert!((year, month) < (1896, 3) || found == last + 1, "{text}");
                    last = found;
                }
            }
        }
    }
}
