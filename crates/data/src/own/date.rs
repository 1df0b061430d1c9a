//! Read a cell as a date, with or without a time of day, and make numbers of it.

mod calendar;
mod names;
mod periods;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

pub(super) use calendar::{written_day, written_month};
pub(super) use names::number_beside_month;

use super::clock::{DAY, seconds_of, zoned};
use super::number::has_digit;
use calendar::{day_of_year, days_before, days_of, number, year_of};
use names::{by_month_and_year, by_month_name, month_of};
use periods::{day_of_week, month_of_quarter};

/// The form of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum DateForm {
    YearMonthDay,
    DayMonthYear,
    MonthDayYear,
    /// The name of the month tells its parts, as in `5 January 2020`, `Jan 05, 2020` or
    /// `05-Jan-20`; without a day it is the first.
    MonthName,
    /// The first of a month, as in `2000-01` or `01/2000`.
    YearMonth,
    /// The first of a month with its name, as in `May 2022`, `May-22` or `2022-May`.
    MonthYear,
    /// The Monday of a week of ISO 8601, or one of its days, as in `2022-W20`, `2022-W20-3` or
    /// `KW 20/2022`.
    Week,
    /// The first day of a quarter, as in `2022-Q3`.
    Quarter,
    /// The year first, with two digits, as in `22-05-21`.
    ShortYearFirst,
}

impl DateForm {
    /// In the order in which they are preferred.
    pub const ALL: [Self; 9] = [
        Self::YearMonthDay,
        Self::DayMonthYear,
        Self::MonthDayYear,
        Self::MonthYear,
        Self::MonthName,
        Self::YearMonth,
        Self::Week,
        Self::Quarter,
        Self::ShortYearFirst,
    ];

    /// Whether dates of this form have this one of [`PARTS`]: the weekday of the first of a month
    /// means nothing.
    pub fn has(self, part: usize) -> bool {
        !matches!(self, Self::YearMonth | Self::MonthYear | Self::Quarter)
            || PARTS.get(part) != Some(&WEEKDAY)
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

    /// Days from 1970-01-01 to a date.
    fn day(self, date: &str) -> Option<i64> {
        if self == Self::Week {
            return day_of_week(date);
        }
        let [year, month, day] = if self == Self::Quarter {
            let [year, month] = month_of_quarter(date)?;
            [year, month, 1]
        } else {
            let [year, month, day] = self.year_month_day(date)?;
            let has_name = matches!(self, Self::MonthName | Self::MonthYear);
            let month = if has_name { month_of(month)? } else { number(month, 2)? };
            [year_of(year)?, month, number(day, 2)?]
        };
        if !(1..=12).contains(&month) || !(1..=days_of(year, month)).contains(&day) {
            return None;
        }
        Some(
            days_before(year) + (1..month).map(|month| days_of(year, month)).sum::<i64>() + day - 1,
        )
    }

    /// The texts of year, month and day. A year of two digits stands last, after slashes and
    /// dashes, after points between two digits each, and beside the name of a month. It stands
    /// first in [`Self::ShortYearFirst`] alone: its column as a whole says so.
    fn year_month_day(self, date: &str) -> Option<[&str; 3]> {
        match self {
            Self::MonthName => return by_month_name(date),
            Self::MonthYear => return by_month_and_year(date),
            _ => {}
        }
        let mark = mark_of(date)?;
        let parts: Vec<&str> = date.split(mark).collect();
        let is_year = |text: &str| text.len() == 4;
        let is_short =
            |a: &str, b: &str, c: &str| c.len() == 2 && (mark != '.' || a.len() + b.len() == 4);
        match (self, &parts[..]) {
            (Self::YearMonthDay, &[year, month, day]) if is_year(year) => Some([year, month, day]),
            (Self::DayMonthYear, &[day, month, year])
                if is_year(year) || is_short(day, month, year) =>
            {
                Some([year, month, day])
            }
            (Self::MonthDayYear, &[month, day, year])
                if is_year(year) || is_short(month, day, year) =>
            {
                Some([year, month, day])
            }
            (Self::YearMonth, &[year, month]) if is_year(year) && mark != '.' => {
                Some([year, month, "1"])
            }
            (Self::YearMonth, &[month, year])
                if is_year(year) && (mark == '/' || month.len() == 2) =>
            {
                Some([year, month, "1"])
            }
            (Self::ShortYearFirst, &[year, month, day])
                if [year, month, day].iter().all(|part| part.len() == 2) =>
            {
                Some([year, month, day])
            }
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
            Self::MonthYear => "name of the month and year",
            Self::Week => "year and week",
            Self::Quarter => "year and quarter",
            Self::ShortYearFirst => "year with two digits, month, day",
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
    /// The moment in a text such as `2024-05-31`, `31.05.2024`, `05/31/24 05:30 PM`,
    /// `2024/05/31 17:30:00+02:00` or `20240531T173000`; `None` for another text and for a day that
    /// the calendar does not have. It is by the clock that is `zone` minutes ahead of UTC, and a text that states no
    /// zone is taken to be by this clock.
    pub fn of(text: &str, form: DateForm, zone: i64) -> Option<Self> {
        if !has_digit(text) {
            return None;
        }
        let text = &*extended(text);
        let (date, time) = split(text);
        let day = form.day(date)?;
        let (time, stated) = time.map_or((None, None), |time| {
            let (time, stated) = zoned(time);
            (Some(time), stated)
        });
        let seconds = time.map_or(Some(0.0), seconds_of)?;
        let written = Self { day, day_of_year: day_of_year(day), seconds };
        Some(written.later(zone - stated.unwrap_or(zone)))
    }

    /// The date and time of a text in this form, or in one that has no other meaning whatever form
    /// is expected: with the year first, or with the name of the month.
    pub fn read(text: &str, form: DateForm, zone: i64) -> Option<Self> {
        [form, DateForm::YearMonthDay, DateForm::MonthName]
            .into_iter()
            .find_map(|form| Self::of(text, form, zone))
    }

    /// The minutes by which the clock of a text is ahead of UTC, where it states them.
    pub fn zone_of(text: &str) -> Option<i64> {
        split(&extended(text)).1.and_then(|time| zoned(time).1)
    }

    /// The moment `minutes` minutes later; the end of a day is the start of the next one.
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

/// What stands between the numbers of a date.
pub(super) fn mark_of(date: &str) -> Option<char> {
    date.chars().find(|c| matches!(c, '-' | '/' | '.'))
}

/// The basic format of ISO 8601 in its extended one: `2024-05-31T17:30:00` for `20240531T173000`;
/// any other text as it is.
fn extended(text: &str) -> Cow<'_, str> {
    let plain = Cow::Borrowed(text);
    let Some((date, rest)) = text.split_once('T').filter(|(date, _)| date.len() == 8) else {
        return plain;
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if !date.bytes().all(|byte| byte.is_ascii_digit()) || !matches!(digits, 4 | 6) {
        return plain;
    }
    let (time, zone) = rest.split_at(digits);
    let second = if digits == 6 { &time[4..] } else { "00" };
    let [year, month, day] = [&date[..4], &date[4..6], &date[6..]];
    let [hour, minute] = [&time[..2], &time[2..4]];
    Cow::Owned(format!("{year}-{month}-{day}T{hour}:{minute}:{second}{zone}"))
}

/// A text divided into its date and its time of day, which has a colon.
fn split(text: &str) -> (&str, Option<&str>) {
    match text.find(':').and_then(|colon| text[..colon].rfind([' ', 'T'])) {
        Some(end) => (text[..end].trim_end(), Some(text[end + 1..].trim())),
        None => (text, None),
    }
}

/// Whether a text such as `2000-01` may be the years 2000 to 2001.
pub(super) fn is_season(text: &str) -> bool {
    let years = text
        .split_once(['-', '/'])
        .and_then(|(first, last)| Some((number(first, 4)?, number(last, 2)?)));
    years.is_some_and(|(first, last)| (first + 1) % 100 == last)
}

/// Whether a text looks as a date does, of whatever form: three numbers, or two and the name of a
/// month.
pub(super) fn is_date_like(text: &str) -> bool {
    let is_mark = |c: char| matches!(c, ' ' | ',' | '-' | '/' | '.' | ':' | 'T' | 'Z' | '+');
    let words: Vec<&str> = text.split(is_mark).filter(|word| !word.is_empty()).collect();
    let numbers = words.iter().filter(|word| number(word, 9).is_some()).count();
    let months = words.iter().filter(|word| month_of(word).is_some()).count();
    let has_parts = numbers + months == words.len() && numbers + months >= 3 && months <= 1;
    has_parts || [DateForm::Week, DateForm::Quarter].iter().any(|form| form.day(text).is_some())
}

/// Whether numbers such as `01.2022` are months: all have a month of two digits, some with a zero
/// before it, and a year of our time.
pub(super) fn are_months(given: &[&str]) -> bool {
    let is_month = |text: &&str| {
        let year = text.split_once('.').and_then(|(_, year)| number(year, 4));
        year.is_some_and(|year| (1900..2100).contains(&year))
            && DateForm::YearMonth.day(text).is_some()
    };
    given.iter().any(|text| text.starts_with('0')) && given.iter().all(is_month)
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
            ("20241231T120000", DateForm::YearMonthDay, [20_088.5, 366.0, 2.0, 12.0]),
            ("20241231T1200Z", DateForm::YearMonthDay, [20_088.5, 366.0, 2.0, 12.0]),
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
            ("01-1970", DateForm::YearMonth, [0.0, 1.0, 4.0, 0.0]),
            ("01.1970", DateForm::YearMonth, [0.0, 1.0, 4.0, 0.0]),
            ("Jan-70", DateForm::MonthYear, [0.0, 1.0, 4.0, 0.0]),
            ("Jan '70", DateForm::MonthYear, [0.0, 1.0, 4.0, 0.0]),
            ("1970-January", DateForm::MonthYear, [0.0, 1.0, 4.0, 0.0]),
            ("1970-W01-4", DateForm::Week, [0.0, 1.0, 4.0, 0.0]),
            ("1970-Q1", DateForm::Quarter, [0.0, 1.0, 4.0, 0.0]),
            ("12-31-24", DateForm::MonthDayYear, [20_088.0, 366.0, 2.0, 0.0]),
            ("24-12-31", DateForm::ShortYearFirst, [20_088.0, 366.0, 2.0, 0.0]),
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
        for text in [
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-01",
            "24-01-01",
            "2024-01",
            "1.5",
            "2024-01-01 25:00",
        ] {
            assert_eq!(Moment::of(text, DateForm::YearMonthDay, 0), None, "{text}");
        }
        assert_eq!(Moment::of("13/31/2024", DateForm::MonthDayYear, 0), None);
        for text in ["12/31/2024 13:00 PM", "12/31/2024 0:30 AM", "1.2.24", "12/31/024"] {
            assert_eq!(Moment::of(text, DateForm::MonthDayYear, 0), None, "{text}");
        }
        for text in ["31 Dezember 2024", "Ma 2024", "Jan 24", "31 Dec", "Dec 31 2024 soon"] {
            assert_eq!(Moment::of(text, DateForm::MonthName, 0), None, "{text}");
        }
        for text in ["2024-13", "2024.01", "24-01", "1-2024", "2024", "13.2024"] {
            assert_eq!(Moment::of(text, DateForm::YearMonth, 0), None, "{text}");
        }
        for text in [
            "2024-01-01T10:00+15:00",
            "2024-01-01T10:00+2",
            "2024-01-01T10:00+",
            "2024-01-01 10:00 to 11:00",
        ] {
            assert_eq!(Moment::of(text, DateForm::YearMonthDay, 0), None, "{text}");
        }
    }

    #[test]
    fn a_time_with_an_offset_is_read_by_the_clock_that_is_asked_for() {
        let parts = |text: &str, zone: i64| {
            Moment::of(text, DateForm::YearMonthDay, zone).map(Moment::parts)
        };
        for text in [
            "2024-12-31T23:00+02:00",
            "2024-12-31T23:00 +0200",
            "2024-12-31 23:00:00+02",
            "2024-12-31 23:00",
        ] {
            assert_eq!(parts(text, 120), parts("2024-12-31 23:00", 0), "{text} by its own clock");
        }
        assert_eq!(parts("2025-01-01T01:00+02:00", 0), parts("2024-12-31 23:00", 0));
        assert_eq!(parts("2024-12-31T23:00Z", 120), parts("2025-01-01 01:00", 0));
        assert_eq!(parts("2024-12-31T23:30-05:30", 0), parts("2025-01-01 05:00", 0));
        assert_eq!(parts("2024-02-28T23:00:00.5-02:00", 0), parts("2024-02-29 01:00:00.5", 0));
        let zones =
            ["2024-12-31T23:00-05:30", "2024-12-31T23:00Z", "2024-12-31 23:00", "2024-12-31"]
                .map(Moment::zone_of);
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
        assert!(
            is_season("2000-01")
                && is_season("1999/00")
                && !is_season("2000-02")
                && !is_season("x-1")
        );
        assert!(
            is_compact_date(20_240_229.0)
                && !is_compact_date(20_230_229.0)
                && !is_compact_date(20_240_101.5)
        );
        assert!(
            DateForm::DayMonthYear.is_short("05/01/20")
                && !DateForm::DayMonthYear.is_short("05/01/2020")
        );
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
