//! Read a CSV file as cells of text, with the line of each row. A Parquet file is read as the text of its cells, too.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::error::{OwnError, Place, SHOWN, shape};
use super::parquet;
use crate::data::{nearest_name, printable};

/// Largest file that is read, in bytes.
const LIMIT: u64 = 512 << 20;

/// A file of text cells under a header. Every row has the header's number of cells.
#[derive(Clone, Debug)]
pub struct Cells {
    pub(super) file: String,
    separator: char,
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// One row of text.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Where it stands in the file.
    pub place: Place,
    pub cells: csv::StringRecord,
}

impl Cells {
    /// Reads a file of at most 512 MiB.
    ///
    /// # Errors
    /// As [`Cells::parse`], and [`OwnError::Unreadable`].
    pub fn read(path: &Path) -> Result<Self, OwnError> {
        let name = printable(&path.display().to_string(), 200);
        let unreadable = |message: String| OwnError::Unreadable { file: name.clone(), message };
        if path.is_dir() {
            return Err(unreadable("this is a folder, expected a CSV file".into()));
        }
        let file = File::open(path).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
        let mut bytes = Vec::new();
        file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
        if bytes.len() as u64 > LIMIT {
            let most = LIMIT >> 20;
            return Err(unreadable(format!("larger than {most} MiB; try a random part of its rows, header included")));
        }
        if parquet::is_parquet(&bytes) { Self::of_parquet(&name, &bytes) } else { Self::parse(&name, &bytes) }
    }

    /// Reads a Parquet file whose columns are numbers, text, or true and false. A missing value is an empty cell.
    ///
    /// # Errors
    /// [`OwnError::Shape`] for a file that is no such table or has no rows; [`OwnError::Column`] for a column of another
    /// type.
    pub fn of_parquet(file: &str, bytes: &[u8]) -> Result<Self, OwnError> {
        let (names, rows) = parquet::text(file, bytes)?;
        let numbered = rows.into_iter().zip(1..);
        let rows = numbered.map(|(cells, row)| Row { place: Place::Row(row), cells }).collect();
        Ok(Self { file: file.into(), separator: ',', names, rows })
    }

    /// Reads UTF-8 text between commas, semicolons or tabs, whichever the header has most of. Cells may be quoted,
    /// blanks around a cell are ignored, empty lines are skipped. A column without a name is called `column 1`, `column
    /// 2`, …
    ///
    /// # Errors
    /// [`OwnError::Shape`] for a file that is not such text, or has no header or no rows; [`OwnError::Ragged`];
    /// [`OwnError::Column`] for a name that occurs twice in the header.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, OwnError> {
        let text = text_of(file, bytes)?;
        let separator = separator_of(text);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator as u8)
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let mut record = csv::StringRecord::new();
        let mut lines = Lines { text: text.as_bytes(), counted: 0, line: 1 };
        let mut cells = Self { file: file.into(), separator, names: Vec::new(), rows: Vec::new() };
        let mut has_header = false;
        while reader.read_record(&mut record).map_err(|error| shape(file, &error.to_string(), "text in UTF-8"))? {
            let line = lines.of(record.position().map_or(0, |position| position.byte() as usize));
            if !has_header {
                cells.names = header(file, &record)?;
                has_header = true;
                continue;
            }
            if record.len() != cells.names.len() {
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

    /// The position of a column that was named with an option.
    ///
    /// # Errors
    /// [`OwnError::UnknownColumn`] with all names and the most similar one.
    pub fn place(&self, option: &'static str, name: &str) -> Result<usize, OwnError> {
        let names = || self.names.iter().map(String::as_str);
        names().position(|known| known == name).ok_or_else(|| OwnError::UnknownColumn {
            option,
            file: self.file.clone(),
            name: printable(name, SHOWN),
            nearest: nearest_name(name, names()).map(|name| printable(&name, SHOWN)),
            known: printable(&names().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", "), 600),
        })
    }
}

/// The file as text without a byte order mark.
fn text_of<'a>(file: &str, bytes: &'a [u8]) -> Result<&'a str, OwnError> {
    let csv = "text in UTF-8; save the table as \"CSV UTF-8\"";
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err(shape(file, "a spreadsheet or an archive", csv));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(shape(file, "text in UTF-16", csv));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = Lines { text: bytes, counted: 0, line: 1 }.of(error.valid_up_to());
        shape(file, &format!("bytes in line {line} that are not UTF-8"), csv)
    })?;
    if let Some(place) = text.find('\0') {
        let line = Lines { text: bytes, counted: 0, line: 1 }.of(place);
        return Err(shape(file, &format!("a zero byte in line {line}"), csv));
    }
    Ok(text.trim_start_matches('\u{feff}'))
}

/// Whichever of comma, semicolon and tab the header has most of outside quotation marks; the first of them for a tie.
fn separator_of(text: &str) -> char {
    let mut quoted = false;
    let header: String = text
        .trim_start()
        .chars()
        .take_while(|c| {
            quoted ^= *c == '"';
            quoted || !matches!(c, '\n' | '\r')
        })
        .collect();
    let mut counts = [(',', 0), (';', 0), ('\t', 0)];
    quoted = false;
    for c in header.chars() {
        quoted ^= c == '"';
        if !quoted && let Some((_, count)) = counts.iter_mut().find(|(separator, _)| *separator == c) {
            *count += 1;
        }
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(',', |(separator, _)| separator)
}

/// The names of the columns, each of them once.
fn header(file: &str, record: &csv::StringRecord) -> Result<Vec<String>, OwnError> {
    if record.iter().all(|cell| cell.parse::<f64>().is_ok()) {
        return Err(shape(file, "only numbers in the first line", "a header: a line with the names of the columns"));
    }
    let name = |(j, cell): (usize, &str)| if cell.is_empty() { format!("column {}", j + 1) } else { cell.to_owned() };
    let names: Vec<String> = record.iter().enumerate().map(name).collect();
    let mut first: HashMap<&str, usize> = HashMap::with_capacity(names.len());
    let twice = names.iter().enumerate().find_map(|(j, name)| first.insert(name, j).map(|earlier| (earlier, j)));
    match twice {
        None => Ok(names),
        Some((first, second)) => Err(OwnError::Column {
            file: file.into(),
            column: printable(&names[second], SHOWN),
            found: format!("this name as column {} and as column {} of the header", first + 1, second + 1),
            expected: "every name once".into(),
        }),
    }
}

/// Counts lines up to increasing positions.
struct Lines<'a> {
    text: &'a [u8],
    counted: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of the text that follows this position. A record's position is where the reader continued, which may be
    /// before empty lines or between the two bytes of a line end.
    fn of(&mut self, place: usize) -> u64 {
        let place = place.clamp(self.counted, self.text.len());
        let ends = self.text[place..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let part = &self.text[self.counted..place + ends];
        let is_end = |i: usize| part[i] == b'\n' || (part[i] == b'\r' && part.get(i + 1) != Some(&b'\n'));
        self.line += (0..part.len()).filter(|i| is_end(*i)).count() as u64;
        self.counted = place + ends;
        self.line
    }
}
