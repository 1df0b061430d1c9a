//! Read a CSV file as cells of text, with the line of each row. A Parquet file is read as the text of its cells, too.

use std::collections::BTreeMap;
use std::path::Path;

use super::bytes::{Charset, is_standard_input, read, text_of};
use super::error::{OwnError, Place, SHOWN, shape};
use super::finding::Finding;
use super::layout::{Header, Layout, Lines, header};
use super::parquet;
use crate::data::{nearest_name, printable};

/// A file of text cells under a header. Every row has the header's number of cells.
#[derive(Clone, Debug)]
pub struct Cells {
    pub(super) file: String,
    separator: char,
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Row>,
    findings: Vec<Finding>,
    repeated: Option<OwnError>,
    /// The error of each column that cannot be used, by its position.
    foreign: BTreeMap<usize, OwnError>,
}

/// One row of text.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Where it stands in the file.
    pub place: Place,
    pub cells: csv::StringRecord,
}

impl Cells {
    /// Reads a file of at most 512 MiB, or standard input for the path `-`. Gzip and Parquet are recognised by their
    /// first bytes.
    ///
    /// # Errors
    /// As [`Cells::parse`], and [`OwnError::Unreadable`].
    pub fn read(path: &Path) -> Result<Self, OwnError> {
        Self::read_as(path, Charset::Utf8)
    }

    /// As [`Cells::read`], with the characters of a text file in this encoding.
    ///
    /// # Errors
    /// As [`Cells::read`].
    pub fn read_as(path: &Path, charset: Charset) -> Result<Self, OwnError> {
        let name = if is_standard_input(path) { "standard input".into() } else { path.display().to_string() };
        let name = printable(&name, 200);
        let (bytes, compressed) = read(path, &name)?;
        let mut cells = if parquet::is_parquet(&bytes) {
            Self::of_parquet(&name, &bytes)?
        } else {
            Self::parse_as(&name, &bytes, charset)?
        };
        if compressed {
            cells.findings.insert(0, Finding::note(format!("{name}: decompressed by gzip")));
        }
        Ok(cells)
    }

    /// Reads a Parquet file whose columns are numbers, text, or true and false. A missing value is an empty cell. A column of
    /// another type is refused where it is used.
    ///
    /// # Errors
    /// [`OwnError::Shape`] for a file that is no table or has no rows; [`OwnError::Column`] where all columns are of other
    /// types.
    pub fn of_parquet(file: &str, bytes: &[u8]) -> Result<Self, OwnError> {
        let parquet::Read { names, rows, foreign } = parquet::read(file, bytes)?;
        let numbered = rows.into_iter().zip(1..);
        let rows = numbered.map(|(cells, row)| Row { place: Place::Row(row), cells }).collect();
        Ok(Self { file: file.into(), separator: ',', names, rows, findings: Vec::new(), repeated: None, foreign })
    }

    /// Reads text in UTF-8 between commas, semicolons or tabs, whichever the header has most of, or else between
    /// vertical bars. Cells may be quoted, blanks around a cell are ignored, empty lines are skipped. A line that
    /// begins with `#` and has another number of cells than the header is a comment. A column without a name is called
    /// `column 1`, `column 2`, …; the second column of the name `x` is called `x (2)`.
    ///
    /// # Errors
    /// [`OwnError::Shape`] for a file that is not such text, or has no header or no rows; [`OwnError::Ragged`].
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, OwnError> {
        Self::parse_as(file, bytes, Charset::Utf8)
    }

    fn parse_as(file: &str, bytes: &[u8], charset: Charset) -> Result<Self, OwnError> {
        let (charset, note) = charset.or_marked(file, bytes);
        let text = text_of(file, bytes, charset)?;
        let Layout { start, separator, mut comments } = Layout::of(&text);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator as u8)
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text[start..].as_bytes());
        let mut record = csv::StringRecord::new();
        let mut lines = Lines::new(text.as_bytes());
        let (names, rows, findings) = (Vec::new(), Vec::new(), Vec::from_iter(note));
        let foreign = BTreeMap::new();
        let mut cells = Self { file: file.into(), separator, names, rows, findings, repeated: None, foreign };
        let mut has_header = false;
        while reader.read_record(&mut record).map_err(|error| shape(file, &error.to_string(), "text in UTF-8"))? {
            let place = start + record.position().map_or(0, |position| position.byte() as usize);
            let line = lines.of(place);
            if !has_header {
                let Header { names, renamed, repeated } = header(file, &record)?;
                (cells.names, cells.repeated) = (names, repeated);
                cells.findings.extend(renamed);
                has_header = true;
                continue;
            }
            if record.len() != cells.names.len() {
                if text[place..].trim_start().starts_with('#') {
                    comments += 1;
                    continue;
                }
                let torn = record.iter().any(|cell| cell.contains('\n'));
                return Err(OwnError::Ragged {
                    file: file.into(),
                    line,
                    found: record.len(),
                    expected: cells.names.len(),
                    hint: if torn { "; is a quotation mark not closed?" } else { "" },
                });
            }
            cells.rows.push(Row { place: Place::Line(line), cells: record.clone() });
        }
        let between = [(';', "semicolons"), ('\t', "tabs"), ('|', "vertical bars")];
        if let Some((_, name)) = between.iter().find(|(known, _)| *known == separator) {
            cells.findings.push(Finding::note(format!("{file}: cells are separated by {name}")));
        }
        if comments > 0 {
            let lines = if comments == 1 {
                "1 comment line that begins"
            } else {
                &format!("{comments} comment lines that begin")
            };
            cells.findings.push(Finding::note(format!("{file}: {lines} with # left out")));
        }
        match (has_header, cells.rows.is_empty()) {
            (false, _) => Err(shape(file, "an empty file", "a header and rows")),
            (true, true) => Err(shape(file, "a header without rows", "rows below it")),
            (true, false) => Ok(cells),
        }
    }

    /// The character between cells.
    pub fn separator(&self) -> char {
        self.separator
    }

    /// How the file was read, with its name: its separator, comments and names where they are not the usual ones.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Refuses a file whose columns are known by their names alone if a name occurs twice.
    ///
    /// # Errors
    /// [`OwnError::Column`] with both places.
    pub fn refuse_repeated_names(&self) -> Result<(), OwnError> {
        self.repeated.clone().map_or(Ok(()), Err)
    }

    /// Refuses columns of a Parquet file whose type cannot be read.
    ///
    /// # Errors
    /// [`OwnError::Column`] of the first such column.
    pub fn refuse_foreign(&self, places: &[usize]) -> Result<(), OwnError> {
        places.iter().find_map(|place| self.foreign.get(place)).map_or(Ok(()), |error| Err(error.clone()))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of the file in messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The same columns with the rows for which `is_kept` is true.
    pub(super) fn retain(&self, is_kept: impl Fn(usize) -> bool) -> Self {
        self.select((0..self.rows()).filter(|row| is_kept(*row)))
    }

    /// The same columns with these rows, in this order.
    pub(super) fn select(&self, rows: impl Iterator<Item = usize>) -> Self {
        let rows = rows.map(|row| self.rows[row].clone()).collect();
        Self {
            file: self.file.clone(),
            separator: self.separator,
            names: self.names.clone(),
            rows,
            findings: self.findings.clone(),
            repeated: self.repeated.clone(),
            foreign: self.foreign.clone(),
        }
    }

    /// The position of a column that was named with an option: by its name, or as `column 3` by its place in the
    /// header.
    ///
    /// # Errors
    /// [`OwnError::UnknownColumn`] with all names and the most similar one.
    pub fn place(&self, option: &'static str, name: &str) -> Result<usize, OwnError> {
        let by_place = || {
            let place = name.strip_prefix("column ")?.parse::<usize>().ok()?.checked_sub(1)?;
            (place < self.names.len()).then_some(place)
        };
        self.named(option, name).or_else(|error| by_place().ok_or(error))
    }

    /// The position of the column of this name, which was found with an option.
    ///
    /// # Errors
    /// As [`Cells::place`].
    pub fn named(&self, option: &'static str, name: &str) -> Result<usize, OwnError> {
        let names = || self.names.iter().map(String::as_str);
        self.find(name).ok_or_else(|| OwnError::UnknownColumn {
            option,
            file: self.file.clone(),
            name: printable(name, SHOWN),
            nearest: nearest_name(name, names()).map(|name| printable(&name, SHOWN)),
            known: printable(&names().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", "), 600),
        })
    }
}
