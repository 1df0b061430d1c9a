//! Read a cell as a date, with or without a time of day, and make numbers of it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::clock::{DAY, seconds_of, zoned};

/// The form of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum DateForm {
    YearMonthDay,
    DayMonthYear,
    MonthDayYear,
    /// The name of the month tells its parts, as in `5 January 2020`, `Jan 05, 2020` or `05-Jan-20`; without a day it is the first.
    MonthName,
    /// The first of a month, as in `2000-01` or `01/2000`.
    YearMonth,
}

impl DateForm {
    /// In the order in which they are preferred.
    pub const ALL: [Self; 5] =
        [Self::YearMonthDay, Self::DayMonthYear, Self::MonthDayYear, Self::MonthName, Self::YearMonth];

    /// Whether dates of this form have this one of [`PARTS`]: the weekday of the first of a month means nothing.
    pub fn has(self, part: usize) -> bool {
        self != Self::YearMonth || PARTS.get(part) != Some(&WEEKDAY)
    }

    /// Whether it has day and month as numbers that may be exchanged.
    pub fn has_order(self) -> bool {
        matches!(self, Self::DayMonthYear | Self::MonthDayYear)
    }

    /// Whether a date of this form has a year of two digits.
    pub fn is_short(self, text: &str) -> bool {
        let (date, _) = split(text);
        self.year_month_day(date).is_some_and(|[year, ..]| year.len() == 2)
    }

    /// The texts of year, month and day. A year of two digits stands last, after slashes, after points between two digits each, and
    /// beside the name of a month: of `20-01-05` nothing says what is the year.
    fn year_month_day(self, date: &str) -> Option<[&str; 3]> {
        if self == Self::MonthName {
            return by_month_name(date);
        }
        let mark = date.chars().find(|c| matches!(c, '-' | '/' | '.'))?;
        let parts: Vec<&str> = date.split(mark).collect();
        let is_year = |text: &str| text.len() == 4;
        let is_short =
            |a: &str, b: &str, c: &str| c.len() == 2 && (mark == '/' || (mark == '.' && a.len() + b.len() == 4));
        match (self, &parts[..]) {
            (Self::YearMonthDay, &[year, month, day]) if is_year(year) => Some([year, month, day]),
            (Self::DayMonthYear, &[day, month, year]) if is_year(year) || is_short(day, month, year) => {
                Some([year, month, day])
            }
            (Self::MonthDayYear, &[month, day, year]) if is_year(year) || is_short(month, day, year) => {
                Some([year, month, day])
            }
            (Self::YearMonth, &[year, month]) if is_year(year) && mark != '.' => Some([year, month, "1"]),
            (Self::YearMonth, &[month, year]) if is_year(year) && mark == '/' => Some([year, month, "1"]),
            _ => None,
        }
    }
}

impl fmt::Display for DateForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::YearMonthDay => "year, month, day",
            Self::DayMonthYear => "day, month, year",
            Self::MonthDayYear => "month, day, year",
            Self::MonthName => "with the name of the month",
            Self::YearMonth => "year and month",
        })
    }
}

/// A moment by the clock of a time zone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    /// Days from 1970-01-01 to its day.
    day: i64,
    /// Days from the first of January of its year, from 1.
    day_of_year: i64,
    /// Seconds from midnight, fewer than a day has.
    seconds: f64,
}

impl Moment {
    /// The moment in a text such as `2024-05-31`, `31.05.2024`, `05/31/24 05:30 PM` or `2024/05/31 17:30:00+02:00`;
    /// `None` for another text and for a day that the calendar does not have. It is by the clock that is so many
    /// minutes ahead of UTC as `zone` says, and a text that states no zone is taken to be by this clock.
    pub fn of(text: &str, form: DateForm, zone: i64) -> Option<Self> {
        let (date, time) = split(text);
        let [year, month, day] = form.year_month_day(date)?;
        let month = if form == DateForm::MonthName { month_of(month)? } else { number(month, 2)? };
        let (year, day) = (year_of(year)?, number(day, 2)?);
        if !(1..=12).contains(&month) || !(1..=days_of(year, month)).contains(&day) {
            return None;
        }
        let (time, stated) = time.map_or((None, None), |time| {
            let (time, stated) = zoned(time);
            (Some(time), stated)
        });
        let seconds = time.map_or(Some(0.0), seconds_of)?;
        let day_of_year = (1..month).map(|month| days_of(year, month)).sum::<i64>() + day;
        let written = Self { day: days_before(year) + day_of_year - 1, day_of_year, seconds };
        Some(written.later(zone - stated.unwrap_or(zone)))
    }

    /// The same of a text in this form, or in one that has no other meaning whatever form is expected: with the year first, or with the
    /// name of the month.
    pub fn read(text: &str, form: DateForm, zone: i64) -> Option<Self> {
        [form, DateForm::YearMonthDay, DateForm::MonthName].into_iter().find_map(|form| Self::of(text, form, zone))
    }

    /// The minutes by which the clock of a text is ahead of UTC, where it states them.
    pub fn zone_of(text: &str) -> Option<i64> {
        split(text).1.and_then(|time| zoned(time).1)
    }

    /// The moment so many minutes later; the end of a day is the start of the next one.
    fn later(self, minutes: i64) -> Self {
        if minutes == 0 && self.seconds < DAY {
            return self;
        }
        let seconds = self.seconds + 60.0 * minutes as f64;
        let day = self.day + (seconds / DAY).floor() as i64;
        Self { day, day_of_year: day_of_year(day), seconds: seconds.rem_euclid(DAY) }
    }

    /// Days from the start of 1970.
    pub fn days(self) -> f64 {
        self.day as f64 + self.seconds / DAY
    }

    /// Its numbers in the order of [`PARTS`].
    pub fn parts(self) -> [f64; 4] {
        // 1970-01-01 was a Thursday.
        let weekday = (self.day + 3).rem_euclid(7) + 1;
        [self.days(), self.day_of_year as f64, weekday as f64, self.seconds / 3600.0]
    }
}

const WEEKDAY: &str = "weekday from Monday";

/// What the numbers of a moment mean.
pub(super) const PARTS: [&str; 4] = ["days since 1970-01-01", "day of the year", WEEKDAY, "hour"];

/// Days after which each of them begins anew.
pub(super) const PERIODS: [f64; 4] = [f64::INFINITY, 365.25, 7.0, 1.0];

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
fn month_of(text: &str) -> Option<i64> {
    let lower = text.to_lowercase();
    let is_short = lower.len() == 3 || lower == "sept";
    let month = MONTHS.iter().position(|name| *name == lower || (is_short && name.starts_with(&lower)))?;
    Some(month as i64 + 1)
}

/// The texts of year, month and day of a date with the name of a month.
fn by_month_name(date: &str) -> Option<[&str; 3]> {
    let is_mark = |c: char| matches!(c, ' ' | ',' | '-' | '/' | '.');
    let words: Vec<&str> = date.split(is_mark).filter(|word| !word.is_empty()).collect();
    let is_month = |word: &str| month_of(word).is_some();
    match words[..] {
        [month, day, year] if is_month(month) => Some([year, month, day]),
        [year, month, day] if is_month(month) && year.len() == 4 => Some([year, month, day]),
        [day, month, year] if is_month(month) => Some([year, month, day]),
        [month, year] | [year, month] if is_month(month) && year.len() == 4 => Some([year, month, "1"]),
        _ => None,
    }
}

/// A text divided into its date and its time of day, which has a colon.
fn split(text: &str) -> (&str, Option<&str>) {
    match text.find(':').and_then(|colon| text[..colon].rfind([' ', 'T'])) {
        Some(end) => (text[..end].trim_end(), Some(text[end + 1..].trim())),
        None => (text, None),
    }
}

/// A whole number of at most so many digits.
fn number(text: &str, most: usize) -> Option<i64> {
    let is_number = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse::<i64>().ok().filter(|_| is_number)
}

/// A year of four digits, or of two: 1969 to 2068, as POSIX has it.
fn year_of(text: &str) -> Option<i64> {
    match (text.len(), number(text, 4)?) {
        (4, year) => Some(year),
        (2, year) => Some(if year < 69 { 2000 + year } else { 1900 + year }),
        _ => None,
    }
}

/// Whether a text such as `2000-01` may be the years 2000 to 2001.
pub(super) fn is_season(text: &str) -> bool {
    let years = text.split_once(['-', '/']).and_then(|(first, last)| Some((number(first, 4)?, number(last, 2)?)));
    years.is_some_and(|(first, last)| (first + 1) % 100 == last)
}

/// Whether a text looks as a date does, of whatever form: three numbers, or two and the name of a month.
pub(super) fn is_date_like(text: &str) -> bool {
    let is_mark = |c: char| matches!(c, ' ' | ',' | '-' | '/' | '.' | ':' | 'T' | 'Z' | '+');
    let words: Vec<&str> = text.split(is_mark).filter(|word| !word.is_empty()).collect();
    let numbers = words.iter().filter(|word| number(word, 9).is_some()).count();
    let months = words.iter().filter(|word| month_of(word).is_some()).count();
    numbers + months == words.len() && numbers + months >= 3 && months <= 1
}

/// Whether a number is a day of the years 1900 to 2100 that is written as 20200131.
pub(super) fn is_compact_date(value: f64) -> bool {
    if value.fract() != 0.0 || !(19_000_101.0..=21_001_231.0).contains(&value) {
        return false;
    }
    let digits = value as i64;
    let (year, month, day) = (digits / 10_000, digits / 100 % 100, digits % 100);
    (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day)
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

/// Days from the first of January of its year, from 1, of a day that is given in days from 1970-01-01.
fn day_of_year(day: i64) -> i64 {
    let mut year = 1970 + day.div_euclid(366);
    while days_before(year) > day {
        year -= 1;
    }
    while days_before(year + 1) <= day {
        year += 1;
    }
    day - days_before(year) + 1
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
            ("12/31/24", DateForm::MonthDayYear, [20_088.0, 366.0, 2.0, 0.0]),
            ("31.12.24", DateForm::DayMonthYear, [20_088.0, 366.0, 2.0, 0.0]),
            ("12/31/69", DateForm::MonthDayYear, [-1.0, 365.0, 3.0, 0.0]),
            ("31 December 2024", DateForm::MonthName, [20_088.0, 366.0, 2.0, 0.0]),
            ("Dec 31, 2024", DateForm::MonthName, [20_088.0, 366.0, 2.0, 0.0]),
            ("31-DEC-24 06:00", DateForm::MonthName, [20_088.25, 366.0, 2.0, 6.0]),
            ("2024 Dec 31", DateForm::MonthName, [20_088.0, 366.0, 2.0, 0.0]),
            ("Jan 1970", DateForm::MonthName, [0.0, 1.0, 4.0, 0.0]),
            ("1970-01", DateForm::YearMonth, [0.0, 1.0, 4.0, 0.0]),
            ("01/1970", DateForm::YearMonth, [0.0, 1.0, 4.0, 0.0]),
            ("12/31/2024 06:00 PM", DateForm::MonthDayYear, [20_088.75, 366.0, 2.0, 18.0]),
            ("12/31/2024 12:00 am", DateForm::MonthDayYear, [20_088.0, 366.0, 2.0, 0.0]),
            ("31.12.2023 24:00", DateForm::DayMonthYear, [19_723.0, 1.0, 1.0, 0.0]),
            ("2024-02-28T24:00:00Z", DateForm::YearMonthDay, [19_782.0, 60.0, 4.0, 0.0]),
            ("12/31/2024 12:00:00PM", DateForm::MonthDayYear, [20_088.5, 366.0, 2.0, 12.0]),
        ] {
            assert_eq!(Moment::of(text, form, 0).map(Moment::parts), Some(parts), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in
            ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-01", "24-01-01", "2024-01", "1.5", "2024-01-01 25:00"]
        {
            assert_eq!(Moment::of(text, DateForm::YearMonthDay, 0), None, "{text}");
        }
        assert_eq!(Moment::of("13/31/2024", DateForm::MonthDayYear, 0), None);
        for text in ["12/31/2024 13:00 PM", "12/31/2024 0:30 AM", "12-31-24", "1.2.24", "12/31/024"] {
            assert_eq!(Moment::of(text, DateForm::MonthDayYear, 0), None, "{text}");
        }
        for text in ["31 Dezember 2024", "Ma 2024", "Jan 24", "31 Dec", "Dec 31 2024 soon"] {
            assert_eq!(Moment::of(text, DateForm::MonthName, 0), None, "{text}");
        }
        for text in ["2024-13", "2024.01", "24-01", "01-2024", "2024"] {
            assert_eq!(Moment::of(text, DateForm::YearMonth, 0), None, "{text}");
        }
        for text in ["2024-01-01T10:00+15:00", "2024-01-01T10:00+2", "2024-01-01T10:00+", "2024-01-01 10:00 to 11:00"] {
            assert_eq!(Moment::of(text, DateForm::YearMonthDay, 0), None, "{text}");
        }
    }

    #[test]
    fn a_time_with_an_offset_is_read_by_the_clock_that_is_asked_for() {
        let parts = |text: &str, zone: i64| Moment::of(text, DateForm::YearMonthDay, zone).map(Moment::parts);
        for text in ["2024-12-31T23:00+02:00", "2024-12-31T23:00 +0200", "2024-12-31 23:00:00+02", "2024-12-31 23:00"] {
            assert_eq!(parts(text, 120), parts("2024-12-31 23:00", 0), "{text} by its own clock");
        }
        assert_eq!(parts("2025-01-01T01:00+02:00", 0), parts("2024-12-31 23:00", 0));
        assert_eq!(parts("2024-12-31T23:00Z", 120), parts("2025-01-01 01:00", 0));
        assert_eq!(parts("2024-12-31T23:30-05:30", 0), parts("2025-01-01 05:00", 0));
        assert_eq!(parts("2024-02-28T23:00:00.5-02:00", 0), parts("2024-02-29 01:00:00.5", 0));
        let zones =
            ["2024-12-31T23:00-05:30", "2024-12-31T23:00Z", "2024-12-31 23:00", "2024-12-31"].map(Moment::zone_of);
        assert_eq!(zones, [Some(-330), Some(0), None, None]);
    }

    #[test]
    fn what_looks_like_a_date_or_may_be_another_thing_is_known() {
        for text in ["20-01-05", "2024-01-31T10:00+02:00", "Mar 5 99"] {
            assert!(is_date_like(text), "{text}");
        }
        for text in ["12 kg", "a-b-c", "1.5", "2024", "house 1 2 3"] {
            assert!(!is_date_like(text), "{text}");
        }
        assert!(is_season("2000-01") && is_season("1999/00") && !is_season("2000-02") && !is_season("x-1"));
        assert!(is_compact_date(20_240_229.0) && !is_compact_date(20_230_229.0) && !is_compact_date(20_240_101.5));
        assert!(DateForm::DayMonthYear.is_short("05/01/20") && !DateForm::DayMonthYear.is_short("05/01/2020"));
    }

    #[test]
    fn each_day_is_one_after_the_day_before_it() {
        let mut last = Moment::of("1896-02-28", DateForm::YearMonthDay, 0).unwrap().day;
        for year in 1896..2105 {
            for month in 1..=12 {
                for day in 1..=days_of(year, month) {
                    let text = format!("{year}-{month:02}-{day:02}");
                    let found = Moment::of(&text, DateForm::YearMonthDay, 0).unwrap().day;
                    assert!((year, month) < (1896, 3) || found == last + 1, "{text}");
                    let parts = Moment::of(&text, DateForm::YearMonthDay, 0).unwrap().parts();
                    assert_eq!(day_of_year(found) as f64, parts[1], "{text}");
                    last = found;
                }
            }
        }
    }
}
