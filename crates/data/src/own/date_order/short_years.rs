//! Judge over a whole column what is only open in each of its dates: where a year of two digits
//! stands, and whether `May-22` has a day.

use std::collections::BTreeSet;

use super::super::date::{DateForm, Moment, mark_of, number_beside_month};

/// If days of a month are read as years, the dates span at least this many times as many days as by
/// the right reading.
const FEWER: f64 = 3.0;
/// Numbers beside names of months that span fewer are years, where more are days.
const SPAN_OF_YEARS: u32 = 10;
const SPAN_OF_DAYS: u32 = 20;
/// The largest day that every month has.
const LAST_DAY: u32 = 28;

/// Where dates of three numbers of two digits have their year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::own) enum ShortYear {
    First,
    Last,
    /// Nothing tells.
    Open,
}

impl ShortYear {
    /// The place of the year in these dates; `None` where some are no dates with the year first and
    /// two digits. Dates of a table are near each other: days that are read as years are not.
    pub fn of(given: &[&str]) -> Option<Self> {
        let first = span(given, DateForm::ShortYearFirst)?;
        let last = [DateForm::DayMonthYear, DateForm::MonthDayYear]
            .iter()
            .filter_map(|form| span(given, *form));
        let Some(last) = last.reduce(f64::min) else { return Some(Self::First) };
        Some(if FEWER * first < last {
            Self::First
        } else if FEWER * last < first || !given.iter().any(|text| mark_of(text) == Some('-')) {
            // Slashes and points hardly ever stand behind a year of two digits.
            Self::Last
        } else {
            Self::Open
        })
    }

    /// Whether dates of a form are likely, where the year stands so.
    pub fn allows(self, form: DateForm) -> bool {
        match form {
            DateForm::ShortYearFirst => self != Self::Last,
            DateForm::DayMonthYear | DateForm::MonthDayYear => self != Self::First,
            _ => true,
        }
    }
}

/// The days from the first to the last of these dates, all of which have this form.
fn span(given: &[&str], form: DateForm) -> Option<f64> {
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    for text in given {
        let days = Moment::of(text, form, 0)?.days();
        ends = [ends[0].min(days), ends[1].max(days)];
    }
    (ends[0] <= ends[1]).then_some(ends[1] - ends[0])
}

/// What the numbers beside names of months are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::own) enum BesideMonth {
    Years,
    Days,
    /// Nothing tells.
    Open,
}

impl BesideMonth {
    /// The reading of texts such as `May-22`, all of which may be months with a year; `sorted` says
    /// whether the rows are in the order of these.
    pub fn of(given: &[&str], sorted: bool) -> Self {
        let numbers: BTreeSet<u32> =
            given.iter().filter_map(|text| number_beside_month(text)).collect();
        let (Some(least), Some(most)) = (numbers.first().copied(), numbers.last().copied()) else {
            return Self::Years;
        };
        let span = most - least + 1;
        let is_no_day = most > 31 || least == 0;
        if is_no_day || span <= SPAN_OF_YEARS || (sorted && given.len() > 2) {
            Self::Years
        } else if span >= SPAN_OF_DAYS && most >= LAST_DAY {
            Self::Days
        } else {
            Self::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: impl Iterator<Item = String>) -> Option<ShortYear> {
        let given: Vec<String> = given.collect();
        ShortYear::of(&given.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn years_are_where_numbers_are_near_each_other() {
        for mark in ["-", "/", "."] {
            let text = |i: u32, first: bool| {
                let (year, month, day) = (21 + i % 2, 1 + i * 5 % 12, 1 + i * 7 % 28);
                let ends = if first { [year, day] } else { [day, year] };
                format!("{:02}{mark}{month:02}{mark}{:02}", ends[0], ends[1])
            };
            assert_eq!(of((0..30).map(|i| text(i, true))), Some(ShortYear::First), "{mark}");
            assert_eq!(of((0..30).map(|i| text(i, false))), Some(ShortYear::Last), "{mark}");
        }
        assert_eq!(of(["22-05-21".to_owned()].into_iter()), Some(ShortYear::Open));
        assert_eq!(of(["22/05/21".to_owned()].into_iter()), Some(ShortYear::Last));
        assert_eq!(
            of(["98-05-21".to_owned()].into_iter()),
            Some(ShortYear::First),
            "no month has 98 days"
        );
        assert_eq!(of(["05-22-21".to_owned()].into_iter()), None);
    }

    #[test]
    fn numbers_beside_months_are_years_or_days() {
        let of = |given: &[&str]| BesideMonth::of(given, false);
        assert_eq!(of(&["May-22", "Jun-22", "Jan-21"]), BesideMonth::Years);
        assert_eq!(of(&["May-98", "Jun-03"]), BesideMonth::Years);
        assert_eq!(of(&["May-02", "Jun-30", "Jan-11"]), BesideMonth::Days);
        assert_eq!(of(&["May-05", "Jun-20"]), BesideMonth::Open);
        assert_eq!(
            BesideMonth::of(&["May-05", "Jun-12", "Jan-30"], true),
            BesideMonth::Years,
            "in their order"
        );
    }
}
