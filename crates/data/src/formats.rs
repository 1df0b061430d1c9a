//! Parse the verified bytes of files into a [`Table`], or report the cell and the file that are
//! wrong.

mod excel;
mod matrix;
mod number;
mod table;
mod text;

use ndarray::{Array1, Array2};

use super::error::DataError;
use super::manifest::{Column, Dataset, Format, Layout};
use uq_core::printable::printable;
use uq_core::{Dependence, Table};

pub use matrix::parsed_sha256;

/// One file: its name, for messages, and its bytes.
#[derive(Clone, Copy, Debug)]
pub struct FileBytes<'a> {
    /// The file's name.
    pub name: &'a str,
    /// All of its bytes, uncompressed.
    pub bytes: &'a [u8],
}

/// The numbers of a file, column by column; a skipped column stays empty.
struct Columns {
    names: Vec<String>,
    wanted: Vec<bool>,
    values: Vec<Vec<f64>>,
    significant_digits: Option<u8>,
    /// Sources of the rows, in order: a file and the lines of its rows (for files side by side, the
    /// first file).
    sources: Vec<(String, Vec<u64>)>,
}

impl Columns {
    /// Empty columns, for one or more files.
    fn new(layout: &Layout, names: &[String]) -> Self {
        Self {
            names: names.to_vec(),
            wanted: names.iter().map(|name| !layout.skip.contains(name)).collect(),
            values: vec![Vec::new(); names.len()],
            significant_digits: layout.significant_digits,
            sources: Vec::new(),
        }
    }

    /// Empty columns, for one file.
    fn of_file(file: &str, layout: &Layout, names: &[String]) -> Self {
        Self { sources: vec![(file.into(), Vec::new())], ..Self::new(layout, names) }
    }

    /// Adds one finite number to column `index`.
    fn push(&mut self, index: usize, number: f64) {
        let number = match self.significant_digits {
            Some(digits) => number::round_to_significant(number, digits),
            None => number,
        };
        self.values[index].push(number);
    }

    /// Ends a row, which is in this line of the last file, from 1.
    fn end_row(&mut self, line: u64) {
        self.sources.last_mut().into_iter().for_each(|(_, lines)| lines.push(line));
    }

    fn rows(&self) -> usize {
        self.sources.iter().map(|(_, lines)| lines.len()).sum()
    }

    /// File and line of each row.
    fn places(&self) -> impl Iterator<Item = (&str, u64)> {
        self.sources
            .iter()
            .flat_map(|(file, lines)| lines.iter().map(|line| (file.as_str(), *line)))
    }
}

/// The table of a dataset from the bytes of its files, which `layout` describes: the dataset's own
/// layout, or that of its bundled copy. The result has the manifest's rows, its names and units,
/// and finite numbers only, but for NaN where a table with text misses a number.
///
/// # Errors
/// [`DataError::Parse`] for a cell, [`DataError::Shape`] for a file as a whole, [`DataError::Own`]
/// for a table with text.
pub fn parse(
    dataset: &Dataset,
    layout: &Layout,
    files: &[FileBytes<'_>],
) -> Result<Table, DataError> {
    let first =
        files.first().copied().ok_or_else(|| shape(&dataset.key, "no file", "at least one"))?;
    let columns = match &layout.format {
        Format::Delimited { separator, header } => {
            text::delimited(first, layout, *separator, *header)?
        }
        Format::Blanks => text::blanks(first, layout, &layout.columns)?,
        Format::Excel { sheet } => excel::sheet(first, layout, sheet)?,
        Format::MultiFile { widths, parts } => {
            let mut all = Columns::new(layout, &layout.columns);
            for part in parts {
                let mut start = 0;
                for (place, (name, width)) in part.files.iter().zip(widths).enumerate() {
                    let file = files.iter().find(|file| file.name == name).copied();
                    let file =
                        file.ok_or_else(|| shape(name, "no such file", "a file of the dataset"))?;
                    let names = &layout.columns[start..start + width];
                    let read = text::blanks(file, layout, names)?;
                    check_rows(name, read.rows(), part.rows)?;
                    for (into, from) in all.values[start..start + width].iter_mut().zip(read.values)
                    {
                        into.extend(from);
                    }
                    if place == 0 {
                        all.sources.extend(read.sources);
                    }
                    start += width;
                }
            }
            all
        }
        Format::Table(options) => return table::read(dataset, layout, options, files),
    };
    check_rows(first.name, columns.rows(), dataset.rows)?;
    table_of(dataset, &columns, first.name)
}

fn table_of(dataset: &Dataset, columns: &Columns, file: &str) -> Result<Table, DataError> {
    let mut features = Array2::zeros((dataset.rows, dataset.columns()));
    for (j, column) in dataset.features.iter().enumerate() {
        features.column_mut(j).assign(&derive(column, columns, file)?);
    }
    Ok(Table {
        features,
        target: derive(&dataset.target, columns, file)?,
        feature_names: dataset.features.iter().map(|column| column.name.clone()).collect(),
        feature_units: dataset.features.iter().map(|column| column.unit.clone()).collect(),
        target_name: dataset.target.name.clone(),
        target_unit: dataset.target.unit.clone(),
        target_resolution: dataset.resolution,
        dependence: Dependence::Unknown,
    })
}

/// The values of a table's column: the file's, divided by another column and by a number where the
/// manifest says so.
fn derive(column: &Column, columns: &Columns, file: &str) -> Result<Array1<f64>, DataError> {
    let find = |name: &str| {
        let index = columns.names.iter().position(|known| known == name);
        index
            .map(|index| &columns.values[index])
            .ok_or_else(|| shape(file, "no such column", &format!("\"{name}\"")))
    };
    let mut values = Array1::from(find(&column.from)?.clone());
    if let Some(per) = &column.per {
        values.iter_mut().zip(find(per)?).for_each(|(value, per)| *value /= per);
    }
    if let Some(divide) = column.divide {
        values /= divide;
    }
    match values.iter().zip(columns.places()).find(|(value, _)| !value.is_finite()) {
        None => Ok(values),
        Some((value, (file, line))) => Err(DataError::Parse {
            file: file.into(),
            row: line,
            column: column.name.clone(),
            found: format!("{value} after the division"),
            expected: "a finite number".into(),
        }),
    }
}

fn check_rows(file: &str, found: usize, expected: usize) -> Result<(), DataError> {
    if found == expected {
        Ok(())
    } else {
        Err(shape(file, &format!("{found} rows"), &format!("{expected} rows")))
    }
}

/// Checks the names in a header against the layout's; runs of blanks in a header count as one.
fn check_header(file: &str, layout: &Layout, found: &[String]) -> Result<(), DataError> {
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = layout.header_names.as_ref().unwrap_or(&layout.columns);
    let found: Vec<String> =
        found.iter().map(|name| squeeze(name.trim_start_matches('\u{feff}'))).collect();
    if let Some(name) =
        found.iter().enumerate().find_map(|(i, name)| found[..i].contains(name).then_some(name))
    {
        let expected = "every column once";
        return Err(shape(
            file,
            &format!("the column \"{}\" twice in the header", printable(name, 60)),
            expected,
        ));
    }
    for (index, name) in expected.iter().map(|name| squeeze(name)).enumerate() {
        if found.get(index) == Some(&name) {
            continue;
        }
        let there = match found.get(index) {
            Some(other) => {
                format!("\"{}\" as column {} of the header", printable(other, 60), index + 1)
            }
            None => format!("a header of {} columns", found.len()),
        };
        return Err(shape(file, &there, &format!("\"{name}\" as column {}", index + 1)));
    }
    if found.len() > expected.len() {
        let there = format!(
            "the further column \"{}\" in the header",
            printable(&found[expected.len()], 60)
        );
        return Err(shape(file, &there, &format!("{} columns", expected.len())));
    }
    Ok(())
}

fn shape(file: &str, found: &str, expected: &str) -> DataError {
    DataError::Shape { file: file.into(), found: found.into(), expected: expected.into() }
}

#[cfg(test)]
mod tests;
