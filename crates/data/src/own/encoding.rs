//! Encode columns of text as numbers. The encoding is chosen on the training rows and then applied
//! to new rows.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ndarray::{Array2, ArrayView2, ArrayViewMut1, Axis, Slice};
use serde::{Deserialize, Serialize};

use super::absent::{Absent, blanked};
use super::cells::Cells;
use super::column::Column;
use super::date_order::NewOrders;
use super::error::{OwnError, SHOWN};
use super::filled::{AllFilled, Filled};
use super::finding::Finding;
use super::group::RowGroup;
use super::index::{is_index, is_name_of_index, only_index};
use uq_core::names::{did_you_mean, nearest_name};
use uq_core::printable::printable;

/// How the columns of a file become features. Made from the training rows, applied to new ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encoding {
    pub(super) target: String,
    pub(super) dropped: Vec<String>,
    pub(super) columns: Vec<Column>,
    /// Values that stand for missing ones, in new rows as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) absent: Vec<Absent>,
}

/// The features of new rows, as far as they have them.
#[derive(Clone, Debug, PartialEq)]
pub struct NewFeatures {
    /// The features of the rows that can be answered, in order, m × d.
    pub features: Array2<f64>,
    /// For each row of the file, why it cannot be answered; `None` where it can.
    pub reasons: Vec<Option<OwnError>>,
    /// For each row of the file, what was filled in for cells that no row is like that the encoding
    /// was made from.
    pub notes: Vec<Option<String>>,
    /// What was filled in for such cells, over all rows.
    pub findings: Vec<Finding>,
}

impl Encoding {
    /// Names of the features: a numeric column's own, `column=level` for each level but the first
    /// of a categorical one.
    pub fn feature_names(&self) -> Vec<String> {
        self.columns.iter().flat_map(Column::features).collect()
    }

    /// The name of the target.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The names of the columns that become features.
    pub fn column_names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The name of the column that each feature is made of.
    pub fn source_names(&self) -> impl Iterator<Item = &str> {
        self.sources().map(|column| column.name.as_str())
    }

    /// Gives columns another name, from which their features have theirs.
    pub fn rename(&mut self, new: impl Fn(&str) -> Option<String>) {
        for column in &mut self.columns {
            if let Some(name) = new(&column.name) {
                column.name = name;
            }
        }
    }

    /// Refuses an encoding that no table has.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        self.columns.iter().try_for_each(Column::check)
    }

    /// The column that each feature is made of.
    pub(super) fn sources(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().flat_map(|column| std::iter::repeat_n(column, column.width()))
    }

    /// The names of its columns of dates.
    pub fn dates(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().filter(|column| column.is_date()).map(|column| column.name.as_str())
    }

    /// The rows of each level of each category, of a table with these features, n × d.
    pub fn categories(&self, features: ArrayView2<f64>) -> Vec<RowGroup> {
        let mut start = 0;
        let of = |column: &Column| {
            let part = features.slice_axis(Axis(1), Slice::from(start..start + column.width()));
            start += column.width();
            column.rows_of_levels(part)
        };
        self.columns.iter().flat_map(of).collect()
    }

    /// The places of the features that tell the values of a column apart: of a category or of
    /// numbers.
    ///
    /// # Errors
    /// In words, for a column that is no feature, and for one of dates.
    pub fn places_of_values(&self, name: &str) -> Result<Vec<usize>, String> {
        let Some(found) = self.columns.iter().position(|column| column.name == name) else {
            let names = || self.columns.iter().map(|column| column.name.as_str());
            let all = names()
                .map(|name| format!("\"{}\"", printable(name, SHOWN)))
                .collect::<Vec<_>>()
                .join(", ");
            let near = did_you_mean(&nearest_name(name, names()));
            return Err(format!(
                "\"{}\" is no feature{near}; the features are {all}",
                printable(name, SHOWN)
            ));
        };
        if self.columns[found].is_date() {
            return Err(format!(
                "\"{}\" has dates, expected a category, or numbers that rows share",
                printable(name, SHOWN)
            ));
        }
        let start = self.columns[..found].iter().map(Column::width).sum();
        Ok((start..start + self.columns[found].width()).collect())
    }

    /// The features of the rows of a file that has the same columns by name, in any order, n × d;
    /// NaN where a number is missing. Other columns are ignored.
    ///
    /// # Errors
    /// [`OwnError`]: an absent column; a cell that has no features.
    pub fn features(&self, cells: &Cells) -> Result<Array2<f64>, OwnError> {
        let NewFeatures { features, reasons, .. } = self.new_features(cells)?;
        reasons.into_iter().flatten().next().map_or(Ok(features), Err)
    }

    /// The features of such rows, row by row: a row with a cell that has no features stops no other
    /// row. A missing number where the encoding knows none is NaN, for which a fit has its median;
    /// a missing or unseen level is the most frequent one.
    ///
    /// # Errors
    /// [`OwnError::Column`] for an absent column, and for one of a foreign type.
    pub fn new_features(&self, cells: &Cells) -> Result<NewFeatures, OwnError> {
        let cells = &*blanked(cells, &self.absent);
        let known: HashMap<&str, usize> =
            cells.names.iter().enumerate().map(|(j, name)| (name.as_str(), j)).collect();
        // CSV and Parquet files of one frame give different names to its index.
        let of_index =
            |column: &Column| only_index(cells).filter(|_| is_name_of_index(&column.name));
        let place = |column: &Column| {
            let found = known.get(column.name.as_str()).copied().or_else(|| of_index(column));
            found.ok_or_else(|| self.absent(cells, &column.name))
        };
        let places: Vec<usize> = self.columns.iter().map(place).collect::<Result<_, _>>()?;
        cells.refuse_foreign(&places)?;
        let orders = self
            .columns
            .iter()
            .zip(&places)
            .filter_map(|(column, place)| column.new_order(cells, *place));
        let orders = NewOrders(orders.collect());
        let adapted = self
            .columns
            .iter()
            .zip(&places)
            .map(|(column, place)| column.adapt(cells, *place, &orders));
        let (columns, adapted): (Vec<Cow<Column>>, Vec<Vec<Finding>>) = adapted.unzip();
        let columns: Vec<(&Column, usize)> = columns.iter().map(Cow::as_ref).zip(places).collect();
        let mut features = Array2::zeros((cells.rows(), self.feature_names().len()));
        let mut answered = 0;
        let mut reasons = Vec::with_capacity(cells.rows());
        let mut filled = AllFilled::default();
        for row in 0..cells.rows() {
            let mut all = features.row_mut(answered);
            all.fill(0.0);
            let written = write(cells, row, &columns, all);
            answered += usize::from(written.is_ok());
            let (of_row, reason) =
                written.map_or_else(|error| (Vec::new(), Some(error)), |of_row| (of_row, None));
            filled.add(of_row);
            reasons.push(reason);
        }
        let (notes, filled) = filled.into_notes();
        let findings = adapted.into_iter().flatten().chain(filled).collect();
        let features = features.slice_axis(Axis(0), Slice::from(..answered)).to_owned();
        Ok(NewFeatures { features, reasons, notes, findings })
    }

    /// Sentences on the columns of a file with new rows that are not used.
    pub fn unused(&self, cells: &Cells) -> Vec<String> {
        let mut notes = Vec::new();
        let features: HashSet<&str> =
            self.columns.iter().map(|column| column.name.as_str()).collect();
        let is_used =
            |name: &String| features.contains(name.as_str()) || self.dropped.contains(name);
        if cells.names.contains(&self.target) {
            let name = printable(&self.target, SHOWN);
            notes.push(format!("{}: the target, \"{name}\", is ignored", cells.file));
        }
        let others = cells
            .names
            .iter()
            .enumerate()
            .filter(|(_, name)| !is_used(name) && **name != self.target);
        let others = others.filter(|(place, _)| !is_index(cells, *place)).map(|(_, name)| name);
        let others: Vec<String> = others.map(|name| format!("\"{name}\"")).collect();
        if !others.is_empty() {
            let others = printable(&others.join(", "), 300);
            notes.push(format!(
                "{}: columns that are no features are ignored: {others}",
                cells.file
            ));
        }
        notes
    }

    /// The error that a feature's column is absent, with the most similar name.
    fn absent(&self, cells: &Cells, name: &str) -> OwnError {
        let spare = cells.names.iter().filter(|known| {
            !self.columns.iter().any(|column| column.name == **known)
                && !self.dropped.contains(known)
        });
        let near = nearest_name(name, spare.map(String::as_str));
        let near = near
            .map(|near| format!(" (is it \"{}\"?)", printable(&near, SHOWN)))
            .unwrap_or_default();
        OwnError::Column {
            file: cells.file.clone(),
            column: printable(name, SHOWN),
            found: format!("no such column{near}"),
            expected: "every feature of the table that the methods are fitted on, by the same name"
                .into(),
        }
    }
}

/// Writes the features of one row of columns at their places, which are 0, and says what was filled
/// in for which column.
fn write<'a>(
    cells: &Cells,
    row: usize,
    columns: &[(&'a Column, usize)],
    mut features: ArrayViewMut1<f64>,
) -> Result<Vec<(&'a str, Filled)>, OwnError> {
    cells.refuse_ragged(row)?;
    let (mut start, mut filled) = (0, Vec::new());
    for (column, place) in columns {
        let end = start + column.width();
        let part = features.slice_axis_mut(Axis(0), Slice::from(start..end));
        filled.extend(
            column.write(cells, row, *place, part)?.map(|filled| (column.name.as_str(), filled)),
        );
        start = end;
    }
    Ok(filled)
}
