//! Make features of a column of dates.

mod new_rows;

use ndarray::ArrayViewMut1;
use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::clock::zone_text;
use super::date::{DateForm, Moment, PARTS, PERIODS, is_season, mark_of};
use super::date_order::{BesideMonth, ShortYear};
use super::error::{OwnError, SHOWN};
use super::finding::{Finding, Topic};
use uq_core::printable::printable;

/// How dates are read, and what is a feature of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub(super) struct Dates {
    form: DateForm,
    /// These of the numbers of a date.
    parts: Vec<usize>,
    /// The clock by which they are read, in minutes ahead of UTC.
    zone: i64,
    /// What stands between the numbers of dates whose order may be exchanged, where it is known.
    mark: Option<char>,
}

/// As a file has it. Those of the clock of UTC are written as all were before others could be read.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Marked(DateForm, Vec<usize>, i64, char),
    Zoned(DateForm, Vec<usize>, i64),
    Plain(DateForm, Vec<usize>),
}

impl From<Written> for Dates {
    fn from(written: Written) -> Self {
        match written {
            Written::Marked(form, parts, zone, mark) => {
                Self { form, parts, zone, mark: Some(mark) }
            }
            Written::Zoned(form, parts, zone) => Self { form, parts, zone, mark: None },
            Written::Plain(form, parts) => Self { form, parts, zone: 0, mark: None },
        }
    }
}

impl From<Dates> for Written {
    fn from(Dates { form, parts, zone, mark }: Dates) -> Self {
        match (mark, zone) {
            (Some(mark), _) => Self::Marked(form, parts, zone, mark),
            (None, 0) => Self::Plain(form, parts),
            (None, _) => Self::Zoned(form, parts, zone),
        }
    }
}

impl Dates {
    /// The features of a column of dates; `None` where some cell is no date, or all are the same
    /// one. Of several forms that fit it is that of the file's other columns (`common`), or the
    /// first one in which the rows are sorted, or else the first one. `name` is the column's.
    pub fn of(
        given: &[&str],
        name: &str,
        common: Option<DateForm>,
        findings: &mut Vec<Finding>,
    ) -> Option<Self> {
        let shown = printable(name, SHOWN);
        let (zone, mixed) = zone_of(given);
        let Fitting { mut fitting, several } = Fitting::of(given, zone);
        let year = ShortYear::of(given);
        fitting.retain(|(form, _)| {
            year.map_or(*form != DateForm::ShortYearFirst, |year| year.allows(*form))
        });
        let is_common = |(form, _): &&(DateForm, Vec<Moment>)| Some(*form) == common;
        let is_sorted = |(_, moments): &&(DateForm, Vec<Moment>)| {
            moments.is_sorted_by_key(|moment| moment.days())
        };
        let of_others = fitting.iter().find(is_common);
        let (form, moments) = of_others.or(fitting.iter().find(is_sorted)).or(fitting.first())?;
        if *form == DateForm::YearMonth && given.iter().all(|text| is_season(text)) {
            return None;
        }
        let beside = months_beside(*form, given, moments);
        if beside == BesideMonth::Days {
            return None;
        }
        let varies = |part: &usize| {
            form.has(*part)
                && moments.iter().any(|moment| moment.parts()[*part] != moments[0].parts()[*part])
        };
        let parts: Vec<usize> = (0..PARTS.len()).filter(varies).collect();
        if parts.is_empty() {
            return None;
        }
        let names: Vec<&str> = parts.iter().map(|part| PARTS[*part]).collect();
        let short = if given.iter().any(|text| form.is_short(text)) {
            "; years of two digits are 1969 to 2068"
        } else {
            ""
        };
        let clock = if zone == 0 {
            String::new()
        } else {
            format!("; all by the clock of {}", zone_text(zone))
        };
        let several =
            if several { "; others with the year first or with the name of the month" } else { "" };
        findings.push(Finding::note(format!(
            "the column \"{shown}\" is read as dates ({form}{short}{clock}{several}); its \
             features: {}",
            names.join(", ")
        )));
        if let Some(mixed) = mixed {
            findings.push(Finding::warning(format!(
                "the column \"{shown}\" has times of different offsets from UTC ({mixed}): they \
                 are converted to UTC, so that its hours and days are those of UTC"
            )));
        }
        let other =
            fitting.iter().find(|(_, others)| others != moments).filter(|_| of_others.is_none());
        if let Some((other, _)) = other {
            findings.push(Finding::warning(format!(
                "the dates of the column \"{shown}\" may also be read as {other}; write them as \
                 2024-12-31 to be sure"
            ))
            .about(Topic::DateOrder, [name]));
        }
        if beside == BesideMonth::Open {
            findings.push(
                Finding::warning(format!(
                    "the numbers beside the months of the column \"{shown}\" may be days or years: \
                 they are read as years; write the dates as 2024-12-31 to be sure"
                ))
                .about(Topic::DateOrder, [name]),
            );
        }
        let has_mark = form.has_order() || *form == DateForm::ShortYearFirst;
        let mark = given
            .iter()
            .filter(|text| Moment::of(text, *form, zone).is_some())
            .find_map(|text| mark_of(text));
        Some(Self { form: *form, parts, zone, mark: mark.filter(|_| has_mark) })
    }

    /// Whether a table may have it.
    pub fn is_valid(&self) -> bool {
        self.parts.iter().all(|part| *part < PARTS.len())
    }

    /// Those parts alone that have recurred after this number of days; `None` where there are none.
    pub fn recurring(&self, days: f64) -> Option<Self> {
        let parts: Vec<usize> =
            self.parts.iter().copied().filter(|part| days >= 2.0 * PERIODS[*part]).collect();
        (!parts.is_empty()).then(|| Self { parts, ..self.clone() })
    }

    /// Names of the features of the column of this name.
    pub fn features(&self, column: &str) -> Vec<String> {
        self.parts.iter().map(|part| format!("{column} ({})", PARTS[*part])).collect()
    }

    /// Number of features.
    pub fn width(&self) -> usize {
        self.parts.len()
    }

    /// The time in a cell, in days.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for what is no such date.
    pub fn days(&self, cells: &Cells, row: usize, place: usize) -> Result<f64, OwnError> {
        Ok(self.moment(cells, row, place)?.days())
    }

    /// Writes the features of a cell.
    ///
    /// # Errors
    /// As [`Dates::days`].
    pub fn write(
        &self,
        cells: &Cells,
        row: usize,
        place: usize,
        mut features: ArrayViewMut1<f64>,
    ) -> Result<(), OwnError> {
        let numbers = self.moment(cells, row, place)?.parts();
        self.parts
            .iter()
            .zip(features.iter_mut())
            .for_each(|(part, feature)| *feature = numbers[*part]);
        Ok(())
    }

    fn moment(&self, cells: &Cells, row: usize, place: usize) -> Result<Moment, OwnError> {
        let expected = || cells.wrong_text(row, place, format!("a date of the form {}", self.form));
        Moment::read(cells.text(row, place), self.form, self.zone).ok_or_else(expected)
    }
}

/// What the numbers beside names of months are, where dates have this form.
fn months_beside(form: DateForm, given: &[&str], moments: &[Moment]) -> BesideMonth {
    match form {
        DateForm::MonthYear => {
            BesideMonth::of(given, moments.is_sorted_by_key(|moment| moment.days()))
        }
        _ => BesideMonth::Years,
    }
}

/// The forms in which all cells of a column are dates, with these.
struct Fitting {
    fitting: Vec<(DateForm, Vec<Moment>)>,
    /// Whether some cells are of a second form, which has no other meaning.
    several: bool,
}

impl Fitting {
    /// The forms of all cells, or else those of some cells where all others have one meaning
    /// whatever the form is.
    fn of(given: &[&str], zone: i64) -> Self {
        let with =
            |read: fn(&str, DateForm, i64) -> Option<Moment>| -> Vec<(DateForm, Vec<Moment>)> {
                let moments = |form: DateForm| {
                    given.iter().map(|text| read(text, form, zone)).collect::<Option<_>>()
                };
                let is_of_some = |form: &DateForm| {
                    given.iter().any(|text| Moment::of(text, *form, zone).is_some())
                };
                DateForm::ALL
                    .into_iter()
                    .filter(is_of_some)
                    .filter_map(|form| Some((form, moments(form)?)))
                    .collect()
            };
        let fitting = with(Moment::of);
        let several = fitting.is_empty();
        Self { fitting: if several { with(Moment::read) } else { fitting }, several }
    }
}

/// The clock by which dates are read: that of all of them, or else that of UTC; also what they
/// state where they differ. One that states none is by the clock of UTC, as nothing else is known.
fn zone_of(given: &[&str]) -> (i64, Option<String>) {
    let mut zones: Vec<Option<i64>> = given.iter().map(|text| Moment::zone_of(text)).collect();
    zones.sort_unstable();
    zones.dedup();
    let is_utc = |zone: &Option<i64>| zone.unwrap_or(0) == 0;
    match zones[..] {
        [Some(zone)] => (zone, None),
        _ if zones.iter().all(is_utc) => (0, None),
        _ => {
            let shown = zones.iter().map(|zone| zone.map_or("none".into(), zone_text));
            (0, Some(shown.collect::<Vec<_>>().join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &[&str]) -> (Option<Dates>, String) {
        let mut findings = Vec::new();
        let dates = Dates::of(given, "when", None, &mut findings);
        (dates, findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn times_of_one_offset_are_read_by_their_own_clock() {
        let (dates, told) = read(&["2024-01-01T00:30:00+02:00", "2024-01-02T12:00:00+02:00"]);
        let dates = dates.unwrap();
        assert_eq!((dates.zone, &dates.parts[..]), (120, &[0, 1, 2, 3][..]));
        assert!(
            told.starts_with(
                "note: the column \"when\" is read as dates (year, month, day; all by the clock of \
                 +02:00);"
            ),
            "{told}"
        );
        assert!(!told.contains("warning"), "{told}");
        let cells = Cells::parse(
            "f",
            b"when\n2024-01-01T00:30+02:00\n2024-01-01T00:30\n2023-12-31T22:30Z\nsoon\n",
        )
        .unwrap();
        let days: Vec<Option<f64>> = (0..4).map(|row| dates.days(&cells, row, 0).ok()).collect();
        let own = Some(19_723.0 + 0.5 / 24.0);
        assert_eq!(days, [own, own, own, None], "new rows may state another offset, or none");
    }

    #[test]
    fn different_offsets_are_converted_to_utc_aloud() {
        let (dates, told) = read(&["2024-03-30T12:00+01:00", "2024-04-01T12:00+02:00"]);
        assert_eq!(dates.unwrap().zone, 0);
        assert!(
            told.contains(
                "warning: the column \"when\" has times of different offsets from UTC (+01:00, \
                 +02:00): they"
            ),
            "{told}"
        );
        let (_, told) = read(&["2024-03-30T12:00", "2024-04-01T12:00+02:00"]);
        assert!(told.contains("(none, +02:00)"), "{told}");
        let (dates, told) =
            read(&["2024-03-30T12:00", "2024-04-01T13:00Z", "2024-04-02T12:00+00:00"]);
        assert!(dates.unwrap().zone == 0 && !told.contains("offset"), "{told}");
    }

    #[test]
    fn dates_of_utc_are_written_as_they_were_before_zones() {
        let (plain, _) = read(&["2024-01-01", "2024-01-02"]);
        let written = r#"["year-month-day",[0,1,2]]"#;
        assert_eq!(serde_json::to_string(&plain).unwrap(), written);
        assert_eq!(serde_json::from_str::<Option<Dates>>(written).unwrap(), plain);
        let (zoned, _) = read(&["2024-01-01T10:00+02:00", "2024-01-02T10:00+02:00"]);
        let written = r#"["year-month-day",[0,1,2],120]"#;
        assert_eq!(serde_json::to_string(&zoned).unwrap(), written);
        assert_eq!(serde_json::from_str::<Option<Dates>>(written).unwrap(), zoned);
    }
}
