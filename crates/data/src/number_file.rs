//! Read a file of numbers that somebody else has made: columns of numbers, and of names, in Parquet
//! or in text between commas, within limits that hold before anything is unpacked.
//!
//! [`own`](crate::own) guesses what a person meant by a table. Here nothing is guessed, because a
//! program writes such a file, and it may be large or hostile.

mod csv;
mod parquet;

use std::path::Path;

use self::csv::Table;
use self::parquet::Parquet;
use super::own::{OwnError, Place};
use uq_core::names::counted;
use uq_core::printable::printable;
use uqbench_system::disk::read_regular;
use uqbench_system::machine::free_memory;

/// Longest text of a file in a message, in characters.
const SHOWN: usize = 60;

/// What such a file may have at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub bytes: u64,
    /// Bytes to which its columns unpack.
    pub unpacked: u64,
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
}

/// The bytes of a file, of at most as many as the limits allow.
///
/// # Errors
/// [`OwnError::Unreadable`].
pub fn read_bytes(path: &Path, limits: &Limits) -> Result<Vec<u8>, OwnError> {
    let failed = |message: String| OwnError::Unreadable { file: shown(path), message };
    let most = free_memory().map_or(limits.bytes, |free| limits.bytes.min(free));
    read_regular(path, most).map_err(|error| failed(format!("it cannot be read: {error}")))
}

/// The name of a file in messages.
pub fn shown(path: &Path) -> String {
    printable(&path.display().to_string(), 200)
}

/// A file of numbers, whose columns are read one by one.
pub struct NumberFile<'a> {
    /// Its name in messages.
    name: String,
    names: Vec<String>,
    rows: usize,
    content: Content<'a>,
}

enum Content<'a> {
    Parquet(Box<Parquet<'a>>),
    Csv(Table),
}

/// A column of names: each row has one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// The different names, in the order of their first rows.
    pub names: Vec<String>,
    /// The place of each row's name among them, n.
    pub of_row: Vec<usize>,
}

impl<'a> NumberFile<'a> {
    /// The file with these bytes. The columns `labels` have names, all others numbers.
    ///
    /// # Errors
    /// [`OwnError::Shape`] for what is no such file, [`OwnError::Unreadable`] for one beyond the
    /// limits, [`OwnError::Column`] for two columns of one name.
    pub fn new(
        name: &str,
        bytes: &'a [u8],
        labels: &[&str],
        limits: &Limits,
    ) -> Result<Self, OwnError> {
        let (names, rows, content) = if bytes.starts_with(b"PAR1") {
            let parquet = Parquet::open(name, bytes, limits)?;
            (parquet.names(), parquet.rows(), Content::Parquet(Box::new(parquet)))
        } else {
            let (names, table) = Table::parse(name, bytes, labels, limits)?;
            (names, table.rows, Content::Csv(table))
        };
        let file = Self { name: name.into(), names, rows, content };
        file.refuse_repeated_names()?;
        Ok(file)
    }

    fn refuse_repeated_names(&self) -> Result<(), OwnError> {
        let mut sorted: Vec<&String> = self.names.iter().collect();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(OwnError::Column {
                file: self.name.clone(),
                column: printable(pair[0], SHOWN),
                found: "two columns of this name".into(),
                expected: "one; rename or remove the other".into(),
            }),
            None => Ok(()),
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of rows, n.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The place of the column of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Where a row stands in the file.
    pub fn place(&self, row: usize) -> Place {
        match &self.content {
            Content::Parquet(_) => Place::Row(row as u64 + 1),
            Content::Csv(table) => Place::Line(table.lines[row]),
        }
    }

    /// The numbers of a column, n; NaN where one is missing.
    ///
    /// # Errors
    /// [`OwnError::Column`] for a column of another type, [`OwnError::Cell`] for a cell that is no
    /// number, [`OwnError::Shape`] for a damaged file.
    pub fn numbers(&self, place: usize) -> Result<Vec<f64>, OwnError> {
        match &self.content {
            Content::Parquet(parquet) => parquet.numbers(&self.name, place),
            Content::Csv(table) => table.numbers(place),
        }
    }

    /// The names of a column.
    ///
    /// # Errors
    /// [`OwnError::Column`] for a column of another type, or whose names are long or missing;
    /// [`OwnError::Shape`] for a damaged file.
    pub fn labels(&self, place: usize) -> Result<Labels, OwnError> {
        match &self.content {
            Content::Parquet(parquet) => parquet.labels(&self.name, place),
            Content::Csv(table) => Ok(table.labels(place)),
        }
    }

    /// The error that a cell is not what its column needs.
    pub fn wrong(&self, row: usize, place: usize, found: String, expected: &str) -> OwnError {
        OwnError::Cell {
            file: self.name.clone(),
            place: self.place(row),
            column: printable(&self.names[place], SHOWN),
            found,
            expected: expected.into(),
        }
    }
}

/// Refuses a file with too many rows or columns, or for whose numbers there is no memory.
fn check_size(name: &str, rows: u64, columns: u64, limits: &Limits) -> Result<(), OwnError> {
    let refuse = |why: String| {
        let found = format!("it has {} and {}", some(rows, "row"), some(columns, "column"));
        Err(OwnError::Unreadable { file: name.into(), message: format!("{found}: {why}") })
    };
    if columns > limits.columns as u64 {
        return refuse(format!("at most {} are read", some(limits.columns as u64, "column")));
    }
    if rows > limits.rows as u64 {
        return refuse(format!("at most {} are expected", some(limits.rows as u64, "row")));
    }
    let wanted = rows.saturating_mul(columns).saturating_mul(COPIES * 8);
    match free_memory().filter(|free| wanted > *free) {
        Some(free) => refuse(format!(
            "to read them takes some {} MiB of memory, and {} MiB are free",
            wanted >> 20,
            free >> 20
        )),
        None => Ok(()),
    }
}

/// How often a number is in memory while a file is read and scored.
const COPIES: u64 = 3;

fn some(count: u64, thing: &str) -> String {
    counted(usize::try_from(count).unwrap_or(usize::MAX), thing)
}

#[cfg(test)]
mod tests;
