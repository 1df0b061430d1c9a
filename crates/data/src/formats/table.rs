//! Read a text file as a user's own table is, and put its rows into groups or into the order of
//! time.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::iter;

use ndarray::Array1;

use super::{FileBytes, check_header, check_rows, shape};
use crate::error::DataError;
use crate::manifest::{Column, Dataset, DependentRows, Layout, TableOptions};
use crate::own::{By, CellRules, Cells, DependenceColumn, FileFormat, OwnTable, Separator};
use uq_core::math::ordered_bits::ordered_bits;
use uq_core::printable::printable;
use uq_core::{Dependence, Table};

/// The table of a dataset. Its features are those of the file's columns: text is one feature for
/// each level but the first, and one feature more says where cells are missing. Rows without a
/// target are left out.
///
/// # Errors
/// [`DataError::Shape`] for another header or number of rows, and for a column without a feature;
/// [`DataError::Own`] for what is no table.
pub(super) fn read(
    dataset: &Dataset,
    layout: &Layout,
    options: &TableOptions,
    files: &[FileBytes<'_>],
) -> Result<Table, DataError> {
    let cells = all_cells(dataset, layout, options, files)?;
    let is_feature = |name: &str| dataset.features.iter().any(|column| column.from == name);
    let (cells, by) = match &dataset.dependent {
        Some(dependent) => with_dependence(cells, dependent, is_feature)?,
        None => (cells, None),
    };
    let target = &dataset.target;
    let is_used = |name: &&String| {
        let depends = by.as_ref().is_some_and(|by| by.column == **name);
        is_feature(name) || **name == target.from || depends
    };
    let drop: Vec<String> = cells.names().iter().filter(|name| !is_used(name)).cloned().collect();
    // The manifest says what is a feature, also where it numbers the rows.
    let rules = CellRules {
        na: options.na.clone(),
        level_na: options.level_na.clone(),
        keep_index: true,
        ..CellRules::default()
    };
    let own = OwnTable::without_totals(&cells, &target.from, &drop, by.as_ref(), &rules)?;
    check_rows(cells.file(), own.table.rows(), dataset.rows)?;
    let mut table = named(dataset, own, cells.file())?;
    if let (true, Dependence::Periods(periods)) = (dataset.detrended, &table.dependence) {
        remove_trend(&mut table.target, periods);
    }
    Ok(table)
}

/// Subtracts from n targets their least-squares line over the number of their period, and adds
/// their mean. A single period has no trend.
fn remove_trend(target: &mut Array1<f64>, periods: &[usize]) {
    let count = target.len() as f64;
    let middle = periods.iter().map(|&period| period as f64).sum::<f64>() / count;
    let mean = target.sum() / count;
    let (mut products, mut squares) = (0.0, 0.0);
    for (&period, &value) in periods.iter().zip(target.iter()) {
        let from_middle = period as f64 - middle;
        products += from_middle * (value - mean);
        squares += from_middle * from_middle;
    }
    if squares > 0.0 {
        let slope = products / squares;
        for (value, &period) in target.iter_mut().zip(periods) {
            *value -= slope * (period as f64 - middle);
        }
    }
}

/// The cells of all files, one below the other, under the names of the layout.
fn all_cells(
    dataset: &Dataset,
    layout: &Layout,
    options: &TableOptions,
    files: &[FileBytes<'_>],
) -> Result<Cells, DataError> {
    let format = FileFormat {
        encoding: options.encoding,
        separator: options.separator,
        ..FileFormat::default()
    };
    let read = |file: &FileBytes<'_>| -> Result<Cells, DataError> {
        let bytes = match options.header {
            true => Cow::Borrowed(file.bytes),
            false => Cow::Owned(with_header(layout, options, file.bytes)),
        };
        let cells = Cells::parse_as(file.name, &bytes, &format)?;
        check_header(file.name, layout, cells.names())?;
        let rows = options.file_rows.unwrap_or(cells.rows());
        Ok(cells.renamed(layout.columns.clone()).first(rows))
    };
    let Some(stacked) = &options.stacked else {
        let first = files.first().ok_or_else(|| no_file(&dataset.key))?;
        return read(first);
    };
    let mut all: Option<Cells> = None;
    // The order is the manifest's, whatever that of `files` is.
    for (pinned, cell) in dataset.files.iter().zip(&stacked.cells) {
        let file = files.iter().find(|file| file.name == pinned.name);
        let file = file.ok_or_else(|| no_file(&pinned.name))?;
        let cells = read(file)?.with_column(&stacked.column, |_| cell.clone());
        all = Some(match all {
            Some(above) => above.above(cells),
            None => cells,
        });
    }
    all.ok_or_else(|| no_file(&dataset.key))
}

fn no_file(what: &str) -> DataError {
    shape(what, "no such file", "a file of the dataset")
}

/// A file without a header below one with the layout's names.
fn with_header(layout: &Layout, options: &TableOptions, bytes: &[u8]) -> Vec<u8> {
    let separator = options.separator.map_or(',', Separator::character).to_string();
    let quoted = layout.columns.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\"")));
    let header = quoted.collect::<Vec<_>>().join(&separator) + "\n";
    [header.as_bytes(), bytes].concat()
}

/// The column that says which rows depend on each other: one of the file, or a new one, of numbers
/// of groups or of periods.
///
/// # Errors
/// [`DataError::Own`] for times of several columns that are no numbers.
fn with_dependence(
    cells: Cells,
    dependent: &DependentRows,
    is_feature: impl Fn(&str) -> bool,
) -> Result<(Cells, Option<DependenceColumn>), DataError> {
    let place = |name: &String| cells.named(None, name);
    let (by, numbers) = match dependent {
        DependentRows::Times(names) => {
            if let [name] = &names[..] {
                let (column, keep) = (name.clone(), is_feature(name));
                let by = DependenceColumn { by: By::Time, column, keep };
                return Ok((cells, Some(by)));
            }
            let places = names.iter().map(place).collect::<Result<Vec<_>, _>>()?;
            (By::Time, ranks(&cells.numbers(&places)?, cells.rows()))
        }
        DependentRows::Groups(names) => {
            let places = names.iter().map(place).collect::<Result<Vec<_>, _>>()?;
            let mut known: HashMap<Vec<&str>, usize> = HashMap::new();
            let columns: Vec<Vec<&str>> =
                places.iter().map(|place| cells.texts(*place).collect()).collect();
            let group = |row: usize| {
                let next = known.len();
                *known.entry(columns.iter().map(|texts| texts[row]).collect()).or_insert(next)
            };
            (By::Group, (0..cells.rows()).map(group).collect::<Vec<_>>())
        }
        DependentRows::Blocks(size) => {
            (By::Group, (0..cells.rows()).map(|row| row / size).collect())
        }
    };
    let is_free = |name: &String| !cells.names().contains(name);
    let mut names = iter::successors(Some(String::from("rows")), |name| Some(format!("{name}'")));
    let column = names.find(is_free).unwrap_or_default();
    let cells = cells.with_column(&column, |row| numbers[row].to_string());
    Ok((cells, Some(DependenceColumn { by, column, keep: false })))
}

/// The rank of each row by its numbers in these columns, the first one most significant; equal rows
/// have one rank.
fn ranks(columns: &[Vec<f64>], rows: usize) -> Vec<usize> {
    let keys: Vec<Vec<u64>> = (0..rows)
        .map(|row| columns.iter().map(|numbers| ordered_bits(numbers[row])).collect())
        .collect();
    let mut ranks: BTreeMap<&[u64], usize> = keys.iter().map(|key| (&key[..], 0)).collect();
    ranks.values_mut().enumerate().for_each(|(rank, of_key)| *of_key = rank);
    keys.iter().map(|key| ranks[&key[..]]).collect()
}

/// The table with the manifest's names and units.
///
/// # Errors
/// [`DataError::Shape`] for a column that has no feature.
fn named(dataset: &Dataset, own: OwnTable, file: &str) -> Result<Table, DataError> {
    let OwnTable { table, mut encoding, .. } = own;
    let has_feature = |column: &&Column| encoding.source_names().any(|name| name == column.from);
    if let Some(column) = dataset.features.iter().find(|column| !has_feature(column)) {
        let name = printable(&column.from, 60);
        let found = format!("nothing that a method could use in the column \"{name}\"");
        return Err(shape(file, &found, "a feature; columns without one belong in `skip`"));
    }
    let column_of = |from: &str| dataset.features.iter().find(|column| column.from == from);
    encoding.rename(|from| column_of(from).map(|column| column.name.clone()));
    let feature_names = encoding.feature_names();
    // A level has no unit, nor has a part of a date.
    let unit = |(feature, source): (&String, &str)| {
        let is_own = |column: &&Column| column.name == source && column.name == *feature;
        dataset.features.iter().find(is_own).map_or_else(String::new, |column| column.unit.clone())
    };
    let feature_units = feature_names.iter().zip(encoding.source_names()).map(unit).collect();
    Ok(Table {
        feature_names,
        feature_units,
        target_name: dataset.target.name.clone(),
        target_unit: dataset.target.unit.clone(),
        target_resolution: dataset.resolution,
        ..table
    })
}

#[cfg(test)]
mod tests;
