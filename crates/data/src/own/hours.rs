//! Read times of day and durations as numbers of hours.

mod span;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::error::OwnError;
use super::finding::Finding;
use uq_core::printable::printable;

use span::{PointHours, Span};

/// The hour from which on a time of three parts is more probably one of the day than a duration
/// beside minutes and seconds.
const LATE: f64 = 13.0;

/// What `36:15` is in a column of times of day or durations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Hours {
    /// 36 hours and 15 minutes.
    #[serde(rename = "hours-first")]
    HourThenMinute,
    /// 36 minutes and 15 seconds, as beside `1:02:03`.
    MinutesFirst,
    /// As the first; and `07.30 h` is 7 hours and 30 minutes.
    ClockWithPoint,
}

/// From this number of different pairs of digits below 60 behind points on, they are minutes rather
/// than decimals.
const MINUTES: usize = 10;

impl Hours {
    /// How a column of these cells, none of which is missing, is read; `None` where some cell is no
    /// time, where all are the same, and for numbers with one and the same unit.
    pub fn of(given: &[&str]) -> Option<Self> {
        let spans: Vec<Span> = given.iter().map(|text| Span::of(text)).collect::<Option<_>>()?;
        if given.iter().all(|text| Some(text) == given.first()) {
            return None;
        }
        if is_clock_with_point(&spans) {
            return Some(Self::ClockWithPoint);
        }
        let units: BTreeSet<&[char]> = spans.iter().map(Span::units).collect();
        if units.len() == 1 && units.iter().all(|units| units.len() == 1) {
            return None;
        }
        let has_certain = spans.iter().any(|span| matches!(span, Span::Hours(_)));
        let is_beyond_day =
            spans.iter().any(|span| matches!(span, Span::Pair(hours) if *hours > 24.0));
        Some(if has_certain && is_beyond_day && !is_late(&spans) {
            Self::MinutesFirst
        } else {
            Self::HourThenMinute
        })
    }

    /// The hours in a text.
    pub fn number(self, text: &str) -> Option<f64> {
        Some(match (Span::of(text)?, self) {
            (Span::Pair(hours), Self::MinutesFirst) => hours / 60.0,
            (Span::Pair(hours) | Span::Hours(hours) | Span::Words(_, hours), _) => hours,
            (Span::Point(point), Self::ClockWithPoint) => point.clock,
            (Span::Point(point), _) if point.is_padded => point.clock,
            (Span::Point(point), _) => point.decimal,
        })
    }

    /// The warning on numbers with a word for hours, all of which may be hours and minutes with a
    /// point; `what` names their column.
    pub fn suspect_points(what: &str, column: &str, given: &[&str]) -> Option<Finding> {
        let spans: Vec<Span> = given.iter().map(|text| Span::of(text)).collect::<Option<_>>()?;
        let points = points_of_day(&spans)?;
        let minutes: BTreeSet<u32> = points.iter().map(|point| point.minutes).collect();
        let text = printable(given.first().unwrap_or(&""), 30);
        let warning = format!(
            "{what} is read as numbers of hours with decimals, but all digits behind the points \
             may be minutes, as in \"{text}\": if they are, write a colon in place of the point"
        );
        (minutes.len() >= MINUTES)
            .then(|| Finding::warning(warning).about(super::finding::Topic::Hours, [column]))
    }

    /// The hours in a cell.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for another text.
    pub fn read(self, cells: &Cells, row: usize, place: usize) -> Result<f64, OwnError> {
        let expected =
            || cells.wrong_text(row, place, "a time of day or a duration such as 17:30 or 1:02:03");
        self.number(cells.text(row, place)).ok_or_else(expected)
    }

    /// How cells were read; `what` names their column.
    pub fn findings(self, what: &str, column: &str, given: &[&str]) -> Vec<Finding> {
        let Some((text, hours)) =
            given.iter().find_map(|text| Some((printable(text, 30), self.number(text)?)))
        else {
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
                Self::HourThenMinute | Self::ClockWithPoint => {
                    ("hours and minutes", "minutes and seconds")
                }
                Self::MinutesFirst => ("minutes and seconds", "hours and minutes"),
            };
            Finding::warning(format!(
                "{what} has times of two and of three numbers: \"{pair}\" is read as {read}, and \
                 may also be {other}; write all times with three numbers, like 1:02:03, to be sure",
                pair = printable(pair, 30)
            ))
        });
        std::iter::once(read)
            .chain(open)
            .map(|finding| finding.about(super::finding::Topic::Hours, [column]))
            .collect()
    }
}

/// The digits with points of times of day, of which there are some, where no other one has
/// decimals.
fn points_of_day(spans: &[Span]) -> Option<Vec<PointHours>> {
    let is_whole = |span: &Span| match span {
        Span::Words(units, hours) => units[..] == ['h'] && hours.fract() == 0.0 && *hours <= 24.0,
        Span::Point(point) => point.clock <= 24.0,
        Span::Pair(_) | Span::Hours(_) => true,
    };
    let point = |span: &Span| if let Span::Point(point) = span { Some(*point) } else { None };
    let points: Vec<PointHours> = spans.iter().filter_map(point).collect();
    (!points.is_empty() && spans.iter().all(is_whole)).then_some(points)
}

/// Whether digits with a point are hours and minutes: hours have a zero before them, or minutes are
/// quarters of an hour.
fn is_clock_with_point(spans: &[Span]) -> bool {
    let Some(points) = points_of_day(spans) else { return false };
    let minutes: BTreeSet<u32> = points.iter().map(|point| point.minutes).collect();
    let are_quarters =
        minutes.iter().all(|minutes| minutes.is_multiple_of(15)) && minutes.contains(&15);
    points.iter().any(|point| point.is_padded) || (are_quarters && minutes.contains(&45))
}

/// Whether times of three numbers are those of a day by their hours.
fn is_late(spans: &[Span]) -> bool {
    spans.iter().any(|span| matches!(span, Span::Hours(hours) if *hours >= LATE))
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
            (["14.30 Uhr", "7 Uhr"], [14.5, 7.0]),
            (["14:30 Uhr", "07.15 uhr"], [14.5, 7.25]),
            (["7h30", "14h"], [7.5, 14.0]),
            (["7 h 30", "0h05"], [7.5, 5.0 / 60.0]),
            (["2 PM", "2.15 p.m."], [14.0, 14.25]),
            (["12 am", "11:30 a.m."], [0.0, 11.5]),
            (["07.30 h", "14.45 h"], [7.5, 14.75]),
            (["07.30 hrs", "9 hrs"], [7.5, 9.0]),
            (["14:30 h", "7:15 h"], [14.5, 7.25]),
            (["59:30", "1:02:03"], [59.5 / 60.0, 3723.0 / 3600.0]),
            (["7:30", "23:59:59"], [7.5, 86_399.0 / 3600.0]),
        ] {
            let found = numbers(&given).unwrap_or_else(|| panic!("{given:?}"));
            assert!(
                found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12),
                "{given:?}: {found:?}"
            );
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
            ["7.30 h", "7.5 h"],
            ["1.25 h", "2.30 h"],
            ["07.30 h", "07.75 h"],
            ["14.30 Uhr", "14.70 Uhr"],
            ["25 Uhr", "3 Uhr"],
            ["13 PM", "3 PM"],
            ["7h3", "8h4"],
            ["7h75", "8h10"],
            ["12 m 30", "13 m 20"],
            ["3d10", "4d10"],
        ] {
            assert_eq!(numbers(&given), None, "{given:?}");
        }
    }

    #[test]
    fn times_of_two_numbers_beside_times_of_three_are_told_where_nothing_decides() {
        let warns = |given: &[&str]| {
            let findings = Hours::of(given).unwrap().findings("x", "x", given);
            findings
                .iter()
                .any(|finding| finding.severity == super::super::finding::Severity::Warning)
        };
        assert!(warns(&["59:30", "1:02:03"]) && warns(&["12:30", "1:02:03"]));
        assert!(
            !warns(&["7:30", "23:59:59"])
                && !warns(&["7:30", "8:15"])
                && !warns(&["1:02:03", "0:12:03"])
        );
    }

    #[test]
    fn points_that_may_stand_before_minutes_are_told() {
        let told = |given: &[String]| {
            let given: Vec<&str> = given.iter().map(String::as_str).collect();
            Hours::suspect_points("x", "x", &given).map(|finding| (finding.topic, finding.columns))
        };
        let with = |step: usize| {
            (0..30).map(|i| format!("{}.{:02} h", 10 + i % 9, i * step % 60)).collect::<Vec<_>>()
        };
        assert_eq!(
            told(&with(7)),
            Some((super::super::finding::Topic::Hours, vec!["x".to_owned()]))
        );
        assert_eq!(told(&with(20)), None, "few different ones");
        assert_eq!(
            told(&(0..30).map(|i| format!("{i}.{:02} h", i * 7 % 100)).collect::<Vec<_>>()),
            None,
            "decimals"
        );
    }
}
