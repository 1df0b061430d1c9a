//! Read a CSV file as cells of text, with the line of each row. A Parquet file is read as the text of its cells, too.

use std::collections::BTreeMap;
use std::path::Path;

use super::bytes::{Charset, is_standard_input, read, text_of};
use super::error::{OwnError, Place, SHOWN, shape};
use super::finding::Finding;
use super::layout::{Header, Layout, Lines, MARKS, header};
use super::missing::is_missing_number;
use super::number::{Cell, Mark, written};
use super::parquet;
use super::surplus::{Surplus, surplus};
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
    /// Why its cells are not those of the header.
    pub wrong: Option<OwnError>,
}

impl Row {
    fn new(place: Place, cells: csv::StringRecord) -> Self {
        Self { place, cells, wrong: None }
    }
}

/// One line of a text as cells.
struct Line<'a> {
    number: u64,
    cells: csv::StringRecord,
    /// The text from its beginning.
    rest: &'a str,
}

impl Line<'_> {
    /// Whether it is a comment where it has another number of cells than the header, or text where all rows have
    /// numbers.
    fn is_marked(&self) -> bool {
        self.rest.trim_start().starts_with(MARKS)
    }
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
        Self::read_new(path, charset)?.whole()
    }

    /// As [`Cells::read_as`], for new rows: a row with another number of cells than the header stops no other row.
    ///
    /// # Errors
    /// As [`Cells::read`], but for [`OwnError::Ragged`].
    pub fn read_new(path: &Path, charset: Charset) -> Result<Self, OwnError> {
        let name = if is_standard_input(path) { "standard input".into() } else { path.display().to_string() };
        let name = printable(&name, 200);
        let (bytes, compressed) = read(path, &name)?;
        let mut cells = if parquet::is_parquet(&bytes) {
            Self::of_parquet(&name, &bytes)?
        } else {
            Self::parse_new(&name, &bytes, charset)?
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
        let parquet::Read { names, rows, foreign, findings } = parquet::read(file, bytes)?;
        let numbered = rows.into_iter().zip(1..);
        let rows = numbered.map(|(cells, row)| Row::new(Place::Row(row), cells)).collect();
        Ok(Self { file: file.into(), separator: ',', names, rows, findings, repeated: None, foreign })
    }

    /// Reads text in UTF-8 between commas, semicolons or tabs, whichever the header has most of, or else between
    /// vertical bars or blanks. Cells may be quoted, blanks around a cell are ignored, empty lines are skipped. A line that
    /// begins with `#` or `%` is a comment if it has another number of cells than the header, or text where all other
    /// lines have numbers. A column without a name is called `column 1`, `column 2`, …; the second column of the name
    /// `x` is called `x (2)`; names of rows that have no name in the header are the column `row`.
    ///
    /// # Errors
    /// [`OwnError::Shape`] for a file that is not such text, or has no header or no rows; [`OwnError::Ragged`].
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, OwnError> {
        Self::parse_new(file, bytes, Charset::Utf8)?.whole()
    }

    /// As [`Cells::parse`] in an encoding, but a row with another number of cells than the header stops no other row.
    ///
    /// # Errors
    /// As [`Cells::parse`], but for [`OwnError::Ragged`].
    pub fn parse_new(file: &str, bytes: &[u8], charset: Charset) -> Result<Self, OwnError> {
        let (charset, note) = charset.or_marked(file, bytes);
        let layout = Layout::of(file, text_of(file, bytes, charset)?);
        let mut lines = lines(file, &layout)?.into_iter();
        let first = lines.next().ok_or_else(|| shape(file, "an empty file", "a header and rows"))?;
        let lines: Vec<Line> = lines.collect();
        let Header { names, renamed, repeated } = header(file, &first.cells)?;
        let (separator, comments) = (layout.separator, layout.comments);
        let wrong = charset.warning_of_utf8(file, bytes);
        let findings = note.into_iter().chain(wrong).chain(layout.above.clone()).chain(renamed).collect();
        let (rows, foreign) = (Vec::with_capacity(lines.len()), BTreeMap::new());
        let mut cells = Self { file: file.into(), separator, names, rows, findings, repeated, foreign };
        let comments = comments + cells.take(lines);
        cells.findings.extend(told_layout(file, separator, comments));
        if cells.rows.is_empty() {
            return Err(shape(file, "a header without rows", "rows below it"));
        }
        Ok(cells)
    }

    /// Takes the lines below the header as rows. Returns the number of comments among them.
    fn take(&mut self, mut lines: Vec<Line>) -> usize {
        let unmarked = lines.iter().filter(|line| !line.is_marked()).map(|line| (&line.cells, line.rest.trim_start()));
        let surplus = surplus(self.names.len(), self.separator, unmarked);
        if surplus == Some(Surplus::RowNames) {
            let taken = |name: &str| self.names.iter().any(|known| known == name);
            let name =
                (1..).map(|i| if i == 1 { "row".to_owned() } else { format!("row ({i})") }).find(|name| !taken(name));
            let name: String = name.unwrap_or_default();
            let finding = format!(
                "{}: the header has no name for the first cell of each row: it is called \"{name}\"",
                self.file
            );
            self.findings.push(Finding::note(finding));
            self.names.insert(0, name);
        }
        if surplus == Some(Surplus::Trailing) {
            let names = self.names.len();
            lines.iter_mut().filter(|line| line.cells.len() == names + 1).for_each(|line| line.cells.truncate(names));
        }
        let numbers = self.numbers_unmarked(&lines);
        let is_text = |cell: Option<&str>| cell.is_some_and(|cell| !is_number(cell));
        let is_comment = |line: &Line| {
            let has_text = || numbers.iter().any(|place| is_text(line.cells.get(*place)));
            line.is_marked() && (line.cells.len() != self.names.len() || has_text())
        };
        let (comments, rows): (Vec<Line>, Vec<Line>) = lines.into_iter().partition(is_comment);
        let mut whole = comments.iter().filter(|line| line.cells.len() == self.names.len());
        if let Some(first) = whole.next() {
            self.findings.push(Finding::warning(format!(
                "{}: {} of the lines that begin with # or % have all cells of a row, the first in line {}: they are left out as comments, \
                 so that rows are lost if they are rows",
                self.file,
                1 + whole.count(),
                first.number
            )));
        }
        let rows: Vec<Row> = rows.into_iter().map(|line| self.row(line)).collect();
        self.rows = rows;
        comments.len()
    }

    /// The columns that are numbers in every line without a mark, where some line with one has the header's number of
    /// cells.
    fn numbers_unmarked(&self, lines: &[Line]) -> Vec<usize> {
        let is_whole = |line: &&Line| line.cells.len() == self.names.len();
        if !lines.iter().filter(is_whole).any(Line::is_marked) {
            return Vec::new();
        }
        let unmarked: Vec<&Line> = lines.iter().filter(is_whole).filter(|line| !line.is_marked()).collect();
        let is_numbers = |place: &usize| unmarked.iter().all(|line| line.cells.get(*place).is_some_and(is_number));
        if unmarked.is_empty() { Vec::new() } else { (0..self.names.len()).filter(is_numbers).collect() }
    }

    /// A line as a row.
    fn row(&self, line: Line) -> Row {
        let torn = line.cells.iter().any(|cell| cell.contains('\n'));
        let ragged = || OwnError::Ragged {
            file: self.file.clone(),
            line: line.number,
            found: line.cells.len(),
            expected: self.names.len(),
            hint: if torn { "; is a quotation mark not closed?" } else { "" },
        };
        let wrong = (line.cells.len() != self.names.len()).then(ragged);
        Row { place: Place::Line(line.number), cells: line.cells, wrong }
    }

    /// Refuses a file of which some row has another number of cells than the header.
    fn whole(self) -> Result<Self, OwnError> {
        let wrong = self.rows.iter().find_map(|row| row.wrong.clone());
        wrong.map_or(Ok(self), Err)
    }

    /// Refuses a row that has another number of cells than the header.
    pub(super) fn refuse_ragged(&self, row: usize) -> Result<(), OwnError> {
        self.rows[row].wrong.clone().map_or(Ok(()), Err)
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

    /// Whether its cells were numbers, dates or text before they were read, so that a number has one meaning.
    pub(super) fn is_typed(&self) -> bool {
        self.rows.first().is_some_and(|row| matches!(row.place, Place::Row(_)))
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

/// The lines of a text that are not empty, the header's first.
fn lines<'a>(file: &str, layout: &'a Layout) -> Result<Vec<Line<'a>>, OwnError> {
    let Layout { text, start, separator, .. } = layout;
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(if *separator == ' ' { b'\t' } else { *separator as u8 })
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text[*start..].as_bytes());
    let mut counted = Lines::new(text.as_bytes());
    let mut cells = csv::StringRecord::new();
    let mut lines = Vec::new();
    while reader.read_record(&mut cells).map_err(|error| shape(file, &error.to_string(), "text in UTF-8"))? {
        let place = start + cells.position().map_or(0, |position| position.byte() as usize);
        lines.push(Line { number: counted.of(place), cells: cells.clone(), rest: &text[place..] });
    }
    Ok(lines)
}

/// Whether a cell is a number in some notation, or missing.
fn is_number(text: &str) -> bool {
    let is_written = || [Mark::Point, Mark::Comma].into_iter().any(|mark| written(text, mark).is_some());
    is_missing_number(text) || Cell::of(text) != Cell::Text || is_written()
}

/// Notes on a separator that is no comma, and on comments.
fn told_layout(file: &str, separator: char, comments: usize) -> Vec<Finding> {
    let between = [(';', "semicolons"), ('\t', "tabs"), ('|', "vertical bars"), (' ', "blanks")];
    let named = between.into_iter().find(|(known, _)| *known == separator);
    let separator = named.map(|(_, name)| format!("{file}: cells are separated by {name}"));
    let lines = match comments {
        0 => None,
        1 => Some("1 comment line that begins".to_owned()),
        more => Some(format!("{more} comment lines that begin")),
    };
    let comments = lines.map(|lines| format!("{file}: {lines} with # or % left out"));
    separator.into_iter().chain(comments).map(Finding::note).collect()
}
