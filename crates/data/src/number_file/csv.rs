//! Read text between commas, as a program writes it: a header, then a row of numbers a line.

use std::collections::HashMap;

use csv::{ReaderBuilder, StringRecord, Trim};

use super::{Labels, Limits, SHOWN, check_size};
use crate::own::{OwnError, Place};
use uq_core::printable::printable;

/// A text of columns.
#[derive(Debug, Default)]
pub(super) struct Table {
    columns: Vec<Column>,
    /// The line of each row, from 1.
    pub lines: Vec<u64>,
    pub rows: usize,
}

#[derive(Debug)]
enum Column {
    Numbers(Vec<f64>),
    /// The first cell that is no number.
    Wrong(OwnError),
    Labels(Labels, HashMap<String, usize>),
}

impl Table {
    /// The names of the columns, and the columns. Those of the names `labels` have names, all
    /// others numbers.
    ///
    /// # Errors
    /// [`OwnError::Shape`] and [`OwnError::Ragged`] for other text, [`OwnError::Unreadable`] beyond
    /// the limits.
    pub fn parse(
        file: &str,
        bytes: &[u8],
        labels: &[&str],
        limits: &Limits,
    ) -> Result<(Vec<String>, Self), OwnError> {
        let wrong = |found: String| OwnError::Shape {
            file: file.into(),
            found: printable(&found, 200),
            expected: "a Parquet file, or text in UTF-8 between commas, a header and a row a line"
                .into(),
        };
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader = ReaderBuilder::new().trim(Trim::All).flexible(true).from_reader(text);
        let names: Vec<String> = reader
            .headers()
            .map_err(|error| wrong(format!("bytes that are none ({error})")))?
            .iter()
            .map(str::to_owned)
            .collect();
        // One line is the header. A row has at least two bytes for each cell.
        let feeds = text.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1);
        let fewest = feeds.min(text.len() / (2 * names.len().max(1)));
        check_size(file, fewest as u64, names.len() as u64, limits)?;
        let column = |name: &String| match labels.contains(&name.as_str()) {
            true => Column::Labels(Labels::default(), HashMap::new()),
            false => Column::Numbers(Vec::new()),
        };
        let mut table = Self { columns: names.iter().map(column).collect(), ..Self::default() };
        let mut record = StringRecord::new();
        while reader
            .read_record(&mut record)
            .map_err(|error| wrong(format!("a line that is none ({error})")))?
        {
            let line = record.position().map_or(0, csv::Position::line);
            if record.len() != names.len() {
                return Err(OwnError::Ragged {
                    file: file.into(),
                    place: Place::Line(line),
                    found: record.len(),
                    expected: names.len(),
                    hint: "",
                });
            }
            table.add(file, &names, line, &record);
            if table.rows > limits.rows {
                check_size(file, table.rows as u64, names.len() as u64, limits)?;
            }
        }
        if table.rows == 0 {
            return Err(wrong("no row below the header".into()));
        }
        Ok((names, table))
    }

    fn add(&mut self, file: &str, names: &[String], line: u64, record: &StringRecord) {
        for ((column, cell), name) in self.columns.iter_mut().zip(record).zip(names) {
            match column {
                Column::Numbers(numbers) => match number(cell) {
                    Some(number) => numbers.push(number),
                    None => {
                        *column = Column::Wrong(OwnError::Cell {
                            file: file.into(),
                            place: Place::Line(line),
                            column: printable(name, SHOWN),
                            found: format!("\"{}\"", printable(cell, SHOWN)),
                            expected: "a number".into(),
                        });
                    }
                },
                Column::Wrong(_) => {}
                Column::Labels(labels, known) => {
                    let next = labels.names.len();
                    let place = *known.entry(cell.to_owned()).or_insert(next);
                    if place == next {
                        labels.names.push(cell.to_owned());
                    }
                    labels.of_row.push(place);
                }
            }
        }
        self.lines.push(line);
        self.rows += 1;
    }

    pub fn numbers(&self, place: usize) -> Result<Vec<f64>, OwnError> {
        match &self.columns[place] {
            Column::Numbers(numbers) => Ok(numbers.clone()),
            Column::Wrong(error) => Err(error.clone()),
            // Nobody asks for the numbers of names.
            Column::Labels(labels, _) => Ok(vec![f64::NAN; labels.of_row.len()]),
        }
    }

    pub fn labels(&self, place: usize) -> Labels {
        match &self.columns[place] {
            Column::Labels(labels, _) => labels.clone(),
            Column::Numbers(_) | Column::Wrong(_) => Labels::default(),
        }
    }
}

/// The number in a cell; NaN where one is missing.
fn number(cell: &str) -> Option<f64> {
    let is_missing = ["", "NA", "NaN", "nan", "null", "None"].contains(&cell);
    if is_missing { Some(f64::NAN) } else { cell.parse().ok() }
}
