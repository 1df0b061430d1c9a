//! Read the column that says which rows of a user's table depend on each other: their groups, or
//! their times.
//!
//! A time is a number or a date. Rows are put in its order, and rows of equal times are one period.
//! The time is no feature unless it is kept: every new row lies beyond its range, where a tree
//! answers with its last leaf and a Gaussian process with the mean, and where a fit that knows the
//! time would interpolate the rows that it holds out. Of a date, the parts that recur stay
//! features.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::column::Column;
use super::date::{DateForm, Moment};
use super::date_order::NewOrders;
use super::error::{OwnError, SHOWN};
use super::finding::{Finding, Severity};
use super::group::RowLabels;
use super::hours::Hours;
use super::level_na::LevelNa;
use super::missing::is_missing_number;
use super::notation::Notation;
use super::number::Cell;
use super::stopped::stopping_row;
use super::words::{Setting, Words};
use uq_core::Dependence;
use uq_core::printable::printable;

/// What a column says of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Rows of equal cells belong together.
    Group,
    /// Rows are ordered from past to future.
    Time,
}

impl By {
    /// The setting that names the column.
    pub fn setting(self) -> Setting {
        match self {
            Self::Group => Setting::Group,
            Self::Time => Setting::Time,
        }
    }
}

/// A column that says which rows depend on each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DependenceColumn {
    /// What it says.
    pub by: By,
    /// Its name, or its place as in `column 3`.
    pub column: String,
    /// Whether it is a feature, too.
    pub keep: bool,
}

/// What the column says of a table's rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dependent {
    /// What it says.
    pub by: By,
    /// Its name and its cells, in the table's order.
    pub labels: RowLabels,
    /// Whether it is a feature, too.
    pub keep: bool,
    /// How times are read, and the first and the last one.
    times: Option<(Column, [f64; 2])>,
}

impl Dependent {
    /// Reads the column at a place; also the order of the rows, which is that of the file for
    /// groups, and what depends in that order.
    ///
    /// # Errors
    /// [`OwnError::Missing`] for a missing cell; [`OwnError::Cell`] and [`OwnError::Column`] for
    /// what is no time.
    pub(super) fn read(
        cells: &Cells,
        place: usize,
        stated: &DependenceColumn,
        notation: Notation,
        findings: &mut Vec<Finding>,
    ) -> Result<(Self, Vec<usize>, Dependence), OwnError> {
        let DependenceColumn { by, keep, .. } = *stated;
        let (times, order, dependence) = match by {
            By::Group => (
                None,
                (0..cells.rows()).collect(),
                Dependence::Groups(groups(&cells.labels(place)?)),
            ),
            By::Time => {
                let (column, times) = times(cells, place, notation, findings)?;
                let mut order: Vec<usize> = (0..times.len()).collect();
                order.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
                let mut periods = vec![0; order.len()];
                for i in 1..order.len() {
                    periods[i] =
                        periods[i - 1] + usize::from(times[order[i - 1]] < times[order[i]]);
                }
                let ends =
                    [order.first(), order.last()].map(|row| row.map_or(0.0, |row| times[*row]));
                (Some((column, ends)), order, Dependence::Periods(periods))
            }
        };
        let name = cells.names[place].clone();
        let cells = order.iter().map(|row| cells.text(*row, place).to_owned()).collect();
        let labels = RowLabels { name, cells };
        let own = Self { by, labels, keep, times };
        findings.push(own.note());
        Ok((own, order, dependence))
    }

    /// The column of a time that is not kept, with the parts of a date that recur; `None` where it
    /// has none.
    pub(super) fn recurring(&self) -> Option<Column> {
        let (column, [first, last]) = self.times.as_ref()?;
        column.recurring(last - first)
    }

    /// What new rows need of it: each group's name once, or the last time alone.
    #[must_use]
    pub fn for_new_rows(&self) -> Self {
        let cells = &self.labels.cells;
        let cells = match self.by {
            By::Group => cells.iter().collect::<BTreeSet<_>>().into_iter().cloned().collect(),
            By::Time => cells.last().cloned().into_iter().collect(),
        };
        Self { labels: RowLabels { cells, ..self.labels.clone() }, ..self.clone() }
    }

    /// Refuses a column that no table has.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        match &self.times {
            Some((column, _)) if self.by == By::Time => column.check(),
            None if self.by == By::Group => Ok(()),
            _ => Err(format!(
                "the column \"{}\" has no groups or times",
                printable(&self.labels.name, SHOWN)
            )),
        }
    }

    /// How the column is used.
    fn note(&self) -> Finding {
        let name = printable(&self.labels.name, SHOWN);
        let kept = if self.keep { "it is a feature, too" } else { "it is no feature" };
        Finding::note(match self.by {
            By::Group => format!("the column \"{name}\" is the group of each row; {kept}").into(),
            By::Time if self.keep => {
                format!("the rows are put in the order of the column \"{name}\"; {kept}").into()
            }
            By::Time => {
                let parts = self.recurring().map(|column| column.features().join("\", \""));
                let parts = parts
                    .map(|parts| format!(" but for what recurs, \"{parts}\""))
                    .unwrap_or_default();
                let why = "because every later row lies beyond its range";
                let told = format!(
                    "the rows are put in the order of the column \"{name}\"; {kept}{parts}, {why} ("
                );
                Words::from(told) + Setting::Keep + " makes it one)"
            }
        })
    }

    /// What a user should know of new rows: that some are of groups of the table, or earlier than
    /// its last row.
    pub fn of_new(&self, cells: &Cells) -> Vec<Finding> {
        let (name, rows) = (printable(&self.labels.name, SHOWN), cells.rows());
        let Some(place) = cells.find(&self.labels.name) else {
            let what = match self.by {
                By::Group => "are of new groups",
                By::Time => "are later than the table's",
            };
            return vec![Finding::warning(format!(
                "{}: found no column \"{name}\", so it is not known whether its rows {what}, as \
                 the page presumes",
                cells.file()
            ))];
        };
        let Some((column, [_, last])) = &self.times else {
            let known: HashSet<&str> = self.labels.cells.iter().map(String::as_str).collect();
            let count = cells.texts(place).filter(|text| known.contains(text)).count();
            let text = format!(
                "{count} of {rows} new rows are of groups of the table (\"{name}\"): the page is \
                 about new groups, and the intervals of known ones may be wider than necessary"
            );
            return if count > 0 { vec![Finding::note(text)] } else { Vec::new() };
        };
        let (column, mut findings) = column.adapt(cells, place, &NewOrders::default());
        let times: Vec<Option<f64>> =
            (0..rows).map(|row| column.time(cells, row, place).ok()).collect();
        let unknown = times.iter().filter(|time| time.is_none()).count();
        let earlier = times.iter().flatten().filter(|time| *time < last).count();
        let last = printable(self.labels.cells.last().map_or("", String::as_str), SHOWN);
        if earlier > 0 {
            findings.push(Finding::warning(format!(
                "{earlier} of {rows} new rows are earlier than the last row of the table \
                 (\"{name}\" is {last} there): the page is about later rows"
            )));
        }
        if unknown > 0 {
            findings.push(Finding::warning(format!(
                "{unknown} of {rows} new rows have no time like those of the table in the column \
                 \"{name}\", so it is not known whether they are later"
            )));
        }
        findings
    }
}

/// The group of each row, numbered in the order of their first rows.
fn groups(labels: &[String]) -> Vec<usize> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut number = |label| {
        let next = known.len();
        *known.entry(label).or_insert(next)
    };
    labels.iter().map(|label| number(label.as_str())).collect()
}

/// The time of each row, in days or in the column's unit, and how it is read.
pub(super) fn times(
    cells: &Cells,
    place: usize,
    notation: Notation,
    findings: &mut Vec<Finding>,
) -> Result<(Column, Vec<f64>), OwnError> {
    let missing: Vec<usize> =
        (0..cells.rows()).filter(|row| is_missing_number(cells.text(*row, place))).collect();
    if let Some(first) = missing.first() {
        let count = if missing.len() == 1 {
            "it is the only one".into()
        } else {
            format!("{} are missing", missing.len())
        };
        let advice = Words::from("of ")
            + Setting::Time
            + format!(", by which the rows are ordered ({count}); fill it in or delete the line");
        return Err(cells.missing(*first, place, advice));
    }
    let mut own = Vec::new();
    let column = Column::decide(cells, place, notation, LevelNa::Never, &mut own)?
        .filter(|column| !column.is_category());
    let column = column.ok_or_else(|| no_times(cells, place))?;
    let times =
        (0..cells.rows()).map(|row| column.time(cells, row, place)).collect::<Result<_, _>>()?;
    findings.extend(own.into_iter().filter(|finding| finding.severity == Severity::Warning));
    Ok((column, times))
}

/// The error that a column has no times.
fn no_times(cells: &Cells, place: usize) -> OwnError {
    let is_date =
        |text: &str| DateForm::ALL.into_iter().any(|form| Moment::of(text, form, 0).is_some());
    let is_hours = |text: &str| Hours::HourThenMinute.number(text).is_some();
    let is_time =
        |text: &str| is_date(text) || is_hours(text) || matches!(Cell::of(text), Cell::Number(_));
    let expected =
        Words::from("a date such as 2024-12-31, with or without a time of day, or a number: ")
            + Setting::Time
            + " orders the rows by it";
    let wrong = (0..cells.rows()).find(|row| !is_time(cells.text(*row, place)));
    let differs = || (1..cells.rows()).find(|row| cells.text(*row, place) != cells.text(0, place));
    match (wrong, stopping_row(cells, place).or_else(differs)) {
        (Some(row), _) => cells.wrong_text(row, place, expected),
        (None, Some(row)) => {
            cells.wrong_text(row, place, "dates of one form, such as 2024-12-31, in all rows")
        }
        (None, None) => OwnError::Column {
            file: cells.file.clone(),
            column: printable(&cells.names[place], SHOWN),
            found: format!("the time {} in every row", printable(cells.text(0, place), SHOWN)),
            expected: Words::from("times that differ: ")
                + Setting::Time
                + " orders the rows by them",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::OwnTable;

    fn read(text: &str, by: By, column: &str, keep: bool) -> Result<OwnTable, OwnError> {
        let column = DependenceColumn { by, column: column.into(), keep };
        OwnTable::dependent(
            &Cells::parse("my.csv", text.as_bytes()).unwrap(),
            "y",
            &[],
            Some(&column),
        )
    }

    /// 40 rows of these times, with the feature x and the target y.
    fn series(time: impl Fn(usize) -> String) -> String {
        let line = |i: usize| format!("{},{},{}\n", time(i), (i * 7) % 11, 3 * i + 1);
        "t,x,y\n".to_owned() + &(0..40).map(line).collect::<String>()
    }

    fn found(own: &OwnTable) -> String {
        own.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn rows_are_put_in_the_order_of_time_and_equal_times_are_one_period() {
        let own = read(&series(|i| ((39 - i) / 2).to_string()), By::Time, "t", false).unwrap();
        assert_eq!(own.table.dependence, Dependence::Periods((0..40).map(|row| row / 2).collect()));
        // Rows 38 and 39 of the file are the first, in the file's order.
        assert_eq!(own.table.target.to_vec()[..3], [115.0, 118.0, 109.0]);
        assert_eq!(own.table.feature_names, ["x"]);
        assert_eq!(own.dependent.as_ref().unwrap().labels.cells[..3], ["0", "0", "1"]);
        let kept = read(&series(|i| i.to_string()), By::Time, "column 1", true).unwrap();
        assert_eq!(kept.table.feature_names, ["t", "x"]);
        assert!(
            found(&kept).contains("order of the column \"t\"; it is a feature, too"),
            "{}",
            found(&kept)
        );
    }

    /// 40 days have each weekday several times, and each day of the year once.
    #[test]
    fn the_parts_of_a_date_that_recur_stay_features() {
        let day = |i: usize| format!("2024-{:02}-{:02}", 1 + i / 28, 1 + i % 28);
        let own = read(&series(day), By::Time, "t", false).unwrap();
        assert_eq!(own.table.feature_names, ["t (weekday from Monday)", "x"]);
        assert_eq!(
            own.table.features.column(0).to_vec()[..3],
            [1.0, 2.0, 3.0],
            "2024 began on a Monday"
        );
        assert!(
            found(&own)
                .contains("it is no feature but for what recurs, \"t (weekday from Monday)\""),
            "{}",
            found(&own)
        );
        let months = read(
            &series(|i| format!("{}-{:02}-01", 2015 + i / 12, 1 + i % 12)),
            By::Time,
            "t",
            false,
        )
        .unwrap();
        assert_eq!(
            months.table.feature_names,
            ["t (day of the year)", "t (weekday from Monday)", "x"]
        );
    }

    #[test]
    fn rows_of_equal_cells_are_a_group() {
        let text = series(|i| ["b", "a", "c"][i % 3].to_owned());
        let own = read(&text, By::Group, "t", false).unwrap();
        assert_eq!(own.table.dependence, Dependence::Groups((0..40).map(|row| row % 3).collect()));
        assert_eq!(own.table.feature_names, ["x"]);
        let kept = read(&text, By::Group, "t", true).unwrap();
        assert_eq!(kept.table.feature_names, ["t=b", "t=c", "x"]);
    }

    #[test]
    fn what_is_no_time_or_group_is_told() {
        let error =
            |text: &str, by, name: &str| read(text, by, name, false).unwrap_err().to_string();
        let mixed =
            |i: usize| if i == 7 { "soon".into() } else { format!("2024-01-{:02}", 1 + i % 28) };
        for (text, by, name, part) in [
            (
                series(mixed),
                By::Time,
                "t",
                "line 9, column \"t\": found \"soon\", expected a date such as 2024-12-31",
            ),
            (
                series(|i| if i == 3 { String::new() } else { i.to_string() }),
                By::Time,
                "t",
                "line 5, column \"t\": found a missing value",
            ),
            (
                series(|_| "2024-01-01".into()),
                By::Time,
                "t",
                "found the time 2024-01-01 in every row",
            ),
            (
                series(|i| if i == 3 { String::new() } else { ["a", "NA"][i % 2].into() }),
                By::Group,
                "t",
                "line 5, column \"t\": found a missing value",
            ),
            (series(|i| i.to_string()), By::Time, "T", "`time`: my.csv has no column \"T\""),
            (series(|i| i.to_string()), By::Group, "y", "`group`: \"y\" is the target"),
        ] {
            let told = error(&text, by, name);
            assert!(told.contains(part), "{part} in {told}");
        }
        let alone: String = (0..40).map(|i| format!("{i},{}\n", 3 * i)).collect();
        let told = error(&format!("t,y\n{alone}"), By::Time, "t");
        assert!(told.contains("`keep`"), "{told}");
    }

    #[test]
    fn new_rows_that_are_earlier_or_of_known_groups_are_told() {
        let new = |text: &str| Cells::parse("new.csv", text.as_bytes()).unwrap();
        let told = |own: &OwnTable, text: &str| {
            let findings = own.dependent.as_ref().unwrap().of_new(&new(text));
            findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        let own =
            read(&series(|i| format!("2024-01-{:02}", 1 + i % 28)), By::Time, "t", false).unwrap();
        assert_eq!(told(&own, "t,x\n2024-01-28,1\n2024-02-01,2\n"), "");
        let found = told(&own, "t,x\n2024-01-27,1\nsoon,2\n");
        assert!(
            found.contains(
                "warning: 1 of 2 new rows are earlier than the last row of the table \
                            (\"t\" is 2024-01-28"
            ),
            "{found}"
        );
        assert!(found.contains("1 of 2 new rows have no time"), "{found}");
        assert!(told(&own, "x\n1\n").contains("found no column \"t\""));
        let own = read(&series(|i| format!("g{}", i % 6)), By::Group, "t", false).unwrap();
        assert!(
            told(&own, "t,x\ng1,1\ng7,2\n")
                .starts_with("note: 1 of 2 new rows are of groups of the table")
        );
        assert_eq!(told(&own, "t,x\ng7,2\n"), "");
    }
}
