//! Read times of day and durations as numbers of hours.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::clock::seconds_of;
use super::error::OwnError;
use super::finding::Finding;
use crate::data::printable;

/// The hour from which on a time of three parts is more probably one of the day than a duration beside minutes and seconds.
const LATE: f64 = 13.0;

/// What `36:15` is in a column of times of day or durations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Hours {
    /// 36 hours and 15 minutes.
    HoursFirst,
    /// 36 minutes and 15 seconds, as beside `1:02:03`.
    MinutesFirst,
}

/// A cell, read.
#[derive(Clone, Debug, PartialEq)]
enum Span {
    /// Two numbers around a colon, by their hours if these are hours and minutes.
    Pair(f64),
    /// Three numbers between colons, or more that is certain.
    Hours(f64),
    /// Numbers with the units behind them.
    Words(Vec<char>, f64),
}

impl Hours {
    /// How a column of these cells, none of which is missing, is read; `None` where some cell is no time, where all are the same, and for
    /// numbers with one and the same unit.
    pub fn of(given: &[&str]) -> Option<Self> {
        let spans: Vec<Span> = given.iter().map(|text| Span::of(text)).collect::<Option<_>>()?;
        let units: BTreeSet<&[char]> = spans.iter().map(Span::units).collect();
        let is_measure = units.len() == 1 && units.iter().all(|units| units.len() == 1);
        if is_measure || given.iter().all(|text| Some(text) == given.first()) {
            return None;
        }
        let has_certain = spans.iter().any(|span| matches!(span, Span::Hours(_)));
        let is_beyond_day = spans.iter().any(|span| matches!(span, Span::Pair(hours) if *hours > 24.0));
        Some(if has_certain && is_beyond_day && !is_late(&spans) { Self::MinutesFirst } else { Self::HoursFirst })
    }

    /// The hours in a text.
    pub fn number(self, text: &str) -> Option<f64> {
        Some(match (Span::of(text)?, self) {
            (Span::Pair(hours), Self::HoursFirst) | (Span::Hours(hours) | Span::Words(_, hours), _) => hours,
            (Span::Pair(hours), Self::MinutesFirst) => hours / 60.0,
        })
    }

    /// The hours in a cell.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for another text.
    pub fn read(self, cells: &Cells, row: usize, place: usize) -> Result<f64, OwnError> {
        let expected = || cells.wrong_text(row, place, "a time of day or a duration such as 17:30 or 1:02:03");
        self.number(cells.text(row, place)).ok_or_else(expected)
    }

    /// How cells were read; `what` names their column.
    pub fn findings(self, what: &str, column: &str, given: &[&str]) -> Vec<Finding> {
        let Some((text, hours)) = given.iter().find_map(|text| Some((printable(text, 30), self.number(text)?))) else {
            return Vec::new();
        };
        let read = Finding::note(format!(
            "{what} is times of day or durations, read as numbers of hours: \"{text}\" is {hours}"
        ));
        let spans: Vec<Span> = given.iter().filter_map(|text| Span::of(text)).collect();
        let pair = given.iter().find(|text| matches!(Span::of(text), Some(Span::Pair(_))));
        let has_certain = spans.iter().any(|span| matches!(span, Span::Hours(_)));
        let open = pair.filter(|_| has_certain && !is_late(&spans)).map(|pair| {
            let (read, other) = match self {
                Self::HoursFirst => ("hours and minutes", "minutes and seconds"),
                Self::MinutesFirst => ("minutes and seconds", "hours and minutes"),
            };
            Finding::warning(format!(
                "{what} has times of two and of three numbers: \"{pair}\" is read as {read}, and may also be {other}; write all times \
                 with three numbers, like 1:02:03, to be sure",
                pair = printable(pair, 30)
            ))
        });
        std::iter::once(read).chain(open).map(|finding| finding.about(super::finding::Topic::Hours, [column])).collect()
    }
}

/// Whether times of three numbers are those of a day by their hours.
fn is_late(spans: &[Span]) -> bool {
    spans.iter().any(|span| matches!(span, Span::Hours(hours) if *hours >= LATE))
}

impl Span {
    /// The span in a text such as `7:30`, `05:30 PM`, `-1:02:03.5`, `2 days 01:02:03`, `PT1H30M` or `1h 30min`.
    fn of(text: &str) -> Option<Self> {
        if let Some(rest) = text.strip_prefix(['-', '\u{2212}']) {
            return Some(match Self::of(rest.trim_start()).filter(|_| !rest.starts_with(['-', '\u{2212}']))? {
                Self::Pair(hours) => Self::Pair(-hours),
                Self::Hours(hours) => Self::Hours(-hours),
                Self::Words(units, hours) => Self::Words(units, -hours),
            });
        }
        if text.ends_with(['m', 'M']) && text.contains(':') {
            return seconds_of(text).map(|seconds| Self::Hours(seconds / 3600.0));
        }
        if let Some(rest) = text.strip_prefix('P') {
            return of_iso(rest).map(Self::Hours);
        }
        let Some((days, clock)) = text.rsplit_once(' ').filter(|(_, clock)| clock.contains(':')) else {
            return of_clock(text).or_else(|| of_words(text));
        };
        let days =
            days.trim_end_matches(',').strip_suffix("days").or(days.trim_end_matches(',').strip_suffix("day"))?;
        match of_clock(clock)? {
            Self::Hours(hours) => Some(Self::Hours(24.0 * digits(days.trim_end())? + hours)),
            Self::Pair(_) | Self::Words(..) => None,
        }
    }

    /// The units behind its numbers.
    fn units(&self) -> &[char] {
        match self {
            Self::Words(units, _) => units,
            Self::Pair(_) | Self::Hours(_) => &[],
        }
    }
}

/// A number of digits alone, perhaps with decimals.
fn digits(text: &str) -> Option<f64> {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse::<f64>().ok().filter(|_| is_number)
}

/// Two or three numbers between colons: all but the first have two digits below 60, and the last may have decimals.
fn of_clock(text: &str) -> Option<Span> {
    let whole = |text: &str| digits(text).filter(|_| text.len() <= 6 && !text.contains('.'));
    let sixty = |text: &str| {
        let is_two = text.split('.').next().is_some_and(|whole| whole.len() == 2);
        digits(text).filter(|number| is_two && *number < 60.0)
    };
    match text.split(':').collect::<Vec<_>>()[..] {
        [first, second] if second.len() == 2 => Some(Span::Pair(whole(first)? + sixty(second)? / 60.0)),
        [hours, minutes, seconds] if minutes.len() == 2 => {
            Some(Span::Hours(whole(hours)? + sixty(minutes)? / 60.0 + sixty(seconds)? / 3600.0))
        }
        _ => None,
    }
}

/// The hours of a duration of ISO 8601 behind its `P`, such as `T1H30M` or `1DT2H`; months and years have no fixed length.
fn of_iso(text: &str) -> Option<f64> {
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    let days = parts(date)?.into_iter().map(|(number, unit)| match unit.as_str() {
        "D" => Some(24.0 * number),
        "W" => Some(168.0 * number),
        _ => None,
    });
    let hours = parts(time)?.into_iter().map(|(number, unit)| match unit.as_str() {
        "H" => Some(number),
        "M" => Some(number / 60.0),
        "S" => Some(number / 3600.0),
        _ => None,
    });
    let all: Vec<f64> = days.chain(hours).collect::<Option<_>>()?;
    (!all.is_empty()).then(|| all.iter().sum())
}

/// The hours of numbers with units, the largest unit first, such as `1h 30min` or `2 d 5 h`.
fn of_words(text: &str) -> Option<Span> {
    let (mut units, mut hours) = (Vec::new(), 0.0);
    for (number, unit) in parts(text)? {
        let (unit, factor) = match unit.to_lowercase().as_str() {
            "d" | "day" | "days" => ('d', 24.0),
            "h" | "hr" | "hrs" | "hour" | "hours" | "std" => ('h', 1.0),
            "min" | "mins" | "minute" | "minutes" => ('m', 1.0 / 60.0),
            // Alone it may be metres.
            "m" if units.last() == Some(&'h') => ('m', 1.0 / 60.0),
            "s" | "sec" | "secs" | "second" | "seconds" => ('s', 1.0 / 3600.0),
            _ => return None,
        };
        if units.contains(&unit) {
            return None;
        }
        units.push(unit);
        hours += number * factor;
    }
    (!units.is_empty()).then_some(Span::Words(units, hours))
}

/// Numbers, each with the letters behind it.
fn parts(text: &str) -> Option<Vec<(f64, String)>> {
    let (mut rest, mut parts) = (text.trim(), Vec::new());
    while !rest.is_empty() {
        let number = rest.find(|c: char| c.is_alphabetic() || c == ' ')?;
        let behind = rest[number..].trim_start();
        let end = behind.find(|c: char| !c.is_alphabetic()).unwrap_or(behind.len());
        parts.push((digits(&rest[..number])?, behind[..end].to_owned()));
        rest = behind[end..].trim_start_matches(['.', ',', ' ']);
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(given: &[&str]) -> Option<Vec<f64>> {
        let hours = Hours::of(given)?;
        given.iter().map(|text| hours.number(text)).collect()
    }

    #[test]
    fn times_of_day_and_durations_are_hours() {
        for (given, expected) in [
            (["7:30", "24:00"], [7.5, 24.0]),
            (["07:30:00", "23:59:59.5"], [7.5, 86_399.5 / 3600.0]),
            (["1:02:03", "100:00:00"], [3723.0 / 3600.0, 100.0]),
            (["36:15", "0:45"], [36.25, 0.75]),
            (["05:30 PM", "12:00 am"], [17.5, 0.0]),
            (["-0:30", "1:00"], [-0.5, 1.0]),
            (["PT1H", "P1DT2H30M"], [1.0, 26.5]),
            (["PT90S", "PT0.5H"], [0.025, 0.5]),
            (["1h 30min", "45 min"], [1.5, 0.75]),
            (["2 d 6 h", "5h"], [54.0, 5.0]),
            (["1h15m", "2h0m"], [1.25, 2.0]),
            (["0 days 01:30:00", "2 days, 06:00:00"], [1.5, 54.0]),
            (["59:30", "1:02:03"], [59.5 / 60.0, 3723.0 / 3600.0]),
            (["7:30", "23:59:59"], [7.5, 86_399.0 / 3600.0]),
        ] {
            let found = numbers(&given).unwrap_or_else(|| panic!("{given:?}"));
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{given:?}: {found:?}");
        }
    }

    #[test]
    fn other_texts_and_numbers_with_one_unit_are_no_times() {
        for given in [
            ["7:30", "later"],
            ["7:30", "7:30"],
            ["16:9", "4:3"],
            ["7:60", "7:30"],
            ["12 min", "30 min"],
            ["12 m", "30 m"],
            ["5 h", "7 h"],
            ["P1Y", "P2Y"],
            ["P", "PT"],
            ["1h 2h", "3h"],
            ["--1:00", "2:00"],
            ["1:2:3", "1:2:4"],
            ["house 1", "house 2"],
            ["", ""],
            ["1 2", "3 4"],
        ] {
            assert_eq!(numbers(&given), None, "{given:?}");
        }
    }

    #[test]
    fn times_of_two_numbers_beside_times_of_three_are_told_where_nothing_decides() {
        let warns = |given: &[&str]| {
            let findings = Hours::of(given).unwrap().findings("x", "x", given);
            findings.iter().any(|finding| finding.severity == super::super::finding::Severity::Warning)
        };
        assert!(warns(&["59:30", "1:02:03"]) && warns(&["12:30", "1:02:03"]));
        assert!(!warns(&["7:30", "23:59:59"]) && !warns(&["7:30", "8:15"]) && !warns(&["1:02:03", "0:12:03"]));
    }
}
