//! Describe one dataset: its origin, its files, and how they become a table.

use serde::Serialize;
use serde_json::{Value, json};

use super::table::{DependentRows, TableOptions};

/// One dataset, or one variant of it (`california:raw`).
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    /// `yacht`, or `california:raw` for a variant.
    pub key: String,
    /// One line of description.
    pub title: String,
    /// The citation.
    pub citation: String,
    /// The citation's DOI; `None` where none was assigned.
    pub doi: Option<String>,
    /// The data's licence, or a note that none is stated.
    pub licence: String,
    /// The home page.
    pub home: String,
    /// The files that the table is made of, with their pins and sources.
    pub files: Vec<DataFile>,
    /// The bundled copy; `None` where there is none.
    pub bundled: Option<Bundled>,
    /// How the files become columns of numbers.
    pub layout: Layout,
    /// The d features.
    pub features: Vec<Column>,
    /// The file's columns of text or of dates in a table with text: a feature of theirs has another
    /// name, such as `colour=red`.
    pub not_numeric: Vec<String>,
    /// The target.
    pub target: Column,
    /// Which rows depend on each other; `None` where none are known to.
    pub dependent: Option<DependentRows>,
    /// Whether the target is what its line over the periods leaves, above its mean.
    pub detrended: bool,
    /// Distance between neighbouring values of a discrete or rounded target, in the target's unit.
    pub resolution: Option<f64>,
    /// Number of values that the target takes, where they are so few that it has no density.
    pub values: Option<u32>,
    /// Number of rows, n.
    pub rows: usize,
    /// SHA-256 of the parsed matrix; `None` until the file was available once.
    pub parsed_sha256: Option<String>,
    /// Peculiarities that a user must know.
    pub quirks: Vec<String>,
}

/// A file with its pin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    /// Its name in the cache and on a mirror.
    pub name: String,
    /// Its size in bytes, where known.
    pub bytes: Option<u64>,
    /// SHA-256 of its bytes, lower-case hexadecimal.
    pub sha256: String,
    /// The addresses of its home, in the order to try.
    pub sources: Vec<HomeSource>,
}

/// An address of a file's home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeSource {
    /// The address of the file or of the archive that holds it.
    pub url: String,
    /// The archive's kind and the exact name of its member; `None` for a plain file.
    pub member: Option<(Archive, String)>,
}

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
pub enum Archive {
    /// A zip file.
    #[serde(rename = "zip")]
    Zip,
    /// A gzip-compressed tar file.
    #[serde(rename = "tar.gz")]
    TarGz,
}

/// A copy bundled in this program.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundled {
    /// Its name in the folder `data`, gzip-compressed.
    pub file: String,
    /// SHA-256 of the uncompressed bytes.
    pub sha256: String,
    /// The package that the bytes come from, and how they were changed.
    pub origin: String,
    /// How the bytes become columns: the copy may have another layout than the original.
    pub layout: Layout,
    /// The order of the rows, for a variant whose rows are those of the copy in another order.
    pub order: Option<Order>,
}

/// The order of a variant's rows: a bundled file of row numbers, one on each line, from 0.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// Its name in the folder `data`, gzip-compressed.
    pub file: String,
    /// SHA-256 of the uncompressed bytes.
    pub sha256: String,
}

/// How files become columns of numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Layout {
    /// The files' format.
    pub format: Format,
    /// Names of the files' columns, in order.
    pub columns: Vec<String>,
    /// Names in the header, where they differ from `columns`.
    pub header_names: Option<Vec<String>>,
    /// Columns that are not read.
    pub skip: Vec<String>,
    /// Round every number to this many significant decimal digits.
    pub significant_digits: Option<u8>,
}

/// A file format with its options.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Format {
    /// Columns between single separators; cells may be quoted.
    Delimited {
        /// One ASCII character.
        separator: char,
        /// Whether the first line names the columns.
        header: bool,
    },
    /// Columns between runs of blanks, without a header.
    Blanks,
    /// A sheet of an `.xls` or `.xlsx` workbook, whose first row names the columns; data end at the
    /// first empty row.
    Excel {
        /// The sheet.
        sheet: Sheet,
    },
    /// Several files of columns between blanks: those of a part side by side, the parts one below
    /// the other.
    MultiFile {
        /// Number of columns of each file of a part.
        widths: Vec<usize>,
        /// The parts from top to bottom.
        parts: Vec<Part>,
    },
    /// A text file that is read as a user's own table is: text becomes categories, dates and
    /// numbers, and cells may be missing.
    Table(TableOptions),
}

/// A sheet of a workbook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum Sheet {
    /// By its position, from 1.
    Place(usize),
    /// By its name.
    Name(String),
}

/// Files that lie side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Their names from left to right.
    pub files: Vec<String>,
    /// Number of rows of each.
    pub rows: usize,
}

/// A column of the table: a column of the file, perhaps divided by another or by a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name in the table.
    pub name: String,
    /// Its unit; empty where it has none.
    pub unit: String,
    /// The file's column.
    pub from: String,
    /// Divide by this column of the file.
    pub per: Option<String>,
    /// Divide by this number.
    pub divide: Option<f64>,
}

impl Column {
    fn definition(&self) -> Value {
        json!({ "from": self.from, "per": self.per, "divide": self.divide })
    }
}

impl Dataset {
    /// The key without the variant: the name of the folder in a cache or mirror.
    pub fn folder(&self) -> &str {
        self.key.split_once(':').map_or(self.key.as_str(), |(folder, _)| folder)
    }

    /// Number of features: the columns that a reader of the data sees. In a table with text a
    /// column may be several features of a method, one for each level.
    pub fn columns(&self) -> usize {
        self.features.len()
    }

    /// The names of the features that are columns of numbers.
    pub fn numeric_features(&self) -> impl Iterator<Item = &str> + Clone {
        let is_numeric = |column: &&Column| !self.not_numeric.contains(&column.from);
        self.features.iter().filter(is_numeric).map(|column| column.name.as_str())
    }

    /// Whether the target is discrete and has no density: it is a whole number, such as a grade or
    /// a count, or takes few values. In a table with text it is only where `values` says so,
    /// because prices in whole dollars have a density.
    pub fn is_discrete(&self) -> bool {
        let is_whole = |step: f64| step >= 1.0 && step.fract() == 0.0;
        let is_table = matches!(self.layout.format, Format::Table(_));
        self.values.is_some() || (!is_table && self.resolution.is_some_and(is_whole))
    }

    /// The part of the entry that identifies the data in a trial's key: pinned file hashes, format,
    /// columns and derivation, known without the data. Titles, descriptions, units and addresses
    /// are not part of it; nor is the pin of the parsed matrix, which follows from the rest, but
    /// for tables with text: how text becomes numbers may change with the program. Two values are
    /// equal exactly when the tables have the same definition.
    pub fn definition(&self) -> Value {
        let files: serde_json::Map<String, Value> = self
            .files
            .iter()
            .map(|file| (file.name.clone(), Value::String(file.sha256.clone())))
            .collect();
        let mut definition = json!({
            "files": files,
            "layout": self.layout,
            "features": self.features.iter().map(Column::definition).collect::<Vec<_>>(),
            "target": self.target.definition(),
            "resolution": self.resolution,
            "rows": self.rows,
        });
        if let Some(dependent) = &self.dependent {
            let (key, value) = dependent.definition();
            definition[key] = value;
        }
        if self.detrended {
            definition["detrended"] = true.into();
        }
        if let (Format::Table(_), Some(hash)) = (&self.layout.format, &self.parsed_sha256) {
            definition["parsed_sha256"] = hash.as_str().into();
        }
        definition
    }
}
