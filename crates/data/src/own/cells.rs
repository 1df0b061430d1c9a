//! Read a CSV file as cells of text, with the line of each row. A Parquet file is read as the text
//! of its cells, too.

mod extend;
mod joined;
mod select;

pub use joined::{Joined, Truth};

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::bytes::{is_standard_input, read, text_of};
use super::error::{OwnError, Place, SHOWN, Stray, shape};
use super::file_format::{FileFormat, Separator};
use super::finding::{Finding, Topic};
use super::layout::{Header, Layout, header};
use super::lines::{Empty, Line, lines};
use super::numeric::is_number;
use super::size::check_text;
use super::strays::{find_blank, note_layout, stray_findings, strays};
use super::surplus::{Surplus, surplus};
use super::{parquet, workbook};
use uq_core::names::counted;
use uq_core::printable::printable;

/// A file of text cells under a header. Every row has the header's number of cells.
#[derive(Clone, Debug)]
pub struct Cells {
    pub(super) file: String,
    separator: char,
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Row>,
    findings: Vec<Finding>,
    /// Empty lines of a text, which are no rows.
    empty: Empty,
    /// Number of comment lines below the header.
    comments: usize,
    repeated: Option<OwnError>,
    /// The error of each column that cannot be used, by its position.
    foreign: BTreeMap<usize, OwnError>,
    /// The positions of the columns that have no name in the file.
    nameless: BTreeSet<usize>,
    /// The positions of the columns of a workbook or Parquet file of which numbers are texts.
    written: BTreeSet<usize>,
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

impl Cells {
    /// Reads a file of at most 512 MiB, or standard input for the path `-`. Gzip, Parquet and
    /// workbooks are recognised by their first bytes.
    ///
    /// # Errors
    /// As [`Cells::parse`], and [`OwnError::Unreadable`].
    pub fn read(path: &Path) -> Result<Self, OwnError> {
        Self::read_as(path, &FileFormat::default())
    }

    /// As [`Cells::read`], of a file of this format.
    ///
    /// # Errors
    /// As [`Cells::read`], and [`OwnError::UnknownSheet`].
    pub fn read_as(path: &Path, format: &FileFormat) -> Result<Self, OwnError> {
        Self::read_new(path, format)?.whole()
    }

    /// As [`Cells::read_as`], for new rows: a row with another number of cells than the header, or
    /// without any, stops no other row and stays among them.
    ///
    /// # Errors
    /// As [`Cells::read_as`], but for [`OwnError::Ragged`].
    pub fn read_new(path: &Path, format: &FileFormat) -> Result<Self, OwnError> {
        let name = if is_standard_input(path) {
            "standard input".into()
        } else {
            path.display().to_string()
        };
        let name = printable(&name, 200);
        let (bytes, compressed) = read(path, &name)?;
        let is_workbook = workbook::is_workbook(&bytes);
        if let Some(sheet) = format.sheet.as_ref().filter(|_| !is_workbook) {
            let expected = format!(
                "a workbook, Excel or OpenDocument, with the sheet \"{}\"",
                printable(sheet, SHOWN)
            );
            return Err(shape(&name, "a file of another kind", &expected));
        }
        let mut cells = if parquet::is_parquet(&bytes) {
            Self::of_parquet(&name, &bytes)?
        } else if is_workbook {
            Self::of_workbook(&name, &bytes, format.sheet.as_deref())?
        } else {
            check_text(&name, &bytes)?;
            Self::parse_new(&name, &bytes, format)?
        };
        if compressed {
            cells.findings.insert(0, Finding::note(format!("{name}: decompressed by gzip")));
        }
        Ok(cells)
    }

    /// Reads a Parquet file whose columns are numbers, text, or true and false. A missing value is
    /// an empty cell. A column of another type is refused where it is used.
    ///
    /// # Errors
    /// [`OwnError::Shape`] for a file that is no table or has no rows; [`OwnError::Column`] where
    /// all columns are of other types.
    pub fn of_parquet(file: &str, bytes: &[u8]) -> Result<Self, OwnError> {
        let parquet::Read { names, rows, foreign, written, findings } = parquet::read(file, bytes)?;
        let numbered = rows.into_iter().zip(1..);
        let rows = numbered.map(|(cells, row)| Row::new(Place::Row(row), cells)).collect();
        let (empty, comments, nameless) = (Empty::default(), 0, BTreeSet::new());
        let (file, separator, repeated) = (file.into(), ',', None);
        Ok(Self {
            file,
            separator,
            names,
            rows,
            findings,
            empty,
            comments,
            repeated,
            foreign,
            nameless,
            written,
        })
    }

    /// Reads the first sheet of a workbook, or the one of a name, as text. A row knows its place in
    /// the sheet.
    ///
    /// # Errors
    /// [`OwnError::Shape`] for a workbook that cannot be read or is too large, and for a sheet
    /// without header or rows; [`OwnError::UnknownSheet`].
    pub(super) fn of_workbook(
        file: &str,
        bytes: &[u8],
        sheet: Option<&str>,
    ) -> Result<Self, OwnError> {
        let workbook::Sheet { header, lines, written, findings, choice } =
            workbook::read(file, bytes, sheet)?;
        let cells = Self::below(file, ',', (&header, lines), findings);
        let cells = cells.map_err(|error| workbook::name_sheets(error, choice.as_ref()))?;
        Ok(Self { written, ..cells })
    }

    /// Reads text in UTF-8 between commas, semicolons, tabs or vertical bars, whichever divides the
    /// header and the lines below it alike, or else between blanks. Cells may be quoted, blanks
    /// around a cell are ignored, empty lines are skipped. A line that begins with `#` or `%` is a
    /// comment if it has another number of cells than the header, or text where all other lines
    /// have numbers. A line without anything in its cells, the header again and units below the
    /// header are no rows. A column without a name is called `column 1`, `column 2`, …; the second
    /// column of the name `x` is called `x (2)`; names of rows that have no name in the header are
    /// the column `row`.
    ///
    /// # Errors
    /// [`OwnError::Shape`] for a file that is not such text, or has no header or no rows;
    /// [`OwnError::Ragged`].
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, OwnError> {
        Self::parse_as(file, bytes, &FileFormat::default())
    }

    /// As [`Cells::parse`], of text in a format.
    ///
    /// # Errors
    /// As [`Cells::parse`].
    pub fn parse_as(file: &str, bytes: &[u8], format: &FileFormat) -> Result<Self, OwnError> {
        Self::parse_new(file, bytes, format)?.whole()
    }

    /// As [`Cells::parse`] in a format, but a row with another number of cells than the header, or
    /// without any, stops no other row and stays among them. An empty line of a text of one column
    /// is such a row.
    ///
    /// # Errors
    /// As [`Cells::parse`], but for [`OwnError::Ragged`].
    pub fn parse_new(file: &str, bytes: &[u8], format: &FileFormat) -> Result<Self, OwnError> {
        let (charset, note) = format.encoding.or_marked(file, bytes);
        let text = text_of(file, bytes, charset)?;
        let layout = Layout::of(file, text, format.separator.map(Separator::character));
        let (lines, empty) = lines(file, &layout)?;
        let mut lines = lines.into_iter();
        let first =
            lines.next().ok_or_else(|| shape(file, "an empty file", "a header and rows"))?;
        let above = note
            .into_iter()
            .chain(charset.warning_of_utf8(file, bytes))
            .chain(layout.above.clone())
            .collect();
        let (comments, lines): (usize, Vec<Line>) = (layout.comments, lines.collect());
        let mut cells = Self::below(file, layout.separator, (&first.cells, lines), above)?;
        cells.empty = empty;
        cells.findings.extend(note_layout(file, layout.separator, comments + cells.comments));
        Ok(cells)
    }

    /// The lines below a header as rows.
    fn below(
        file: &str,
        separator: char,
        (first, lines): (&csv::StringRecord, Vec<Line>),
        mut findings: Vec<Finding>,
    ) -> Result<Self, OwnError> {
        let Header { names, renamed, repeated } = header(file, first)?;
        let nameless = (0..names.len()).filter(|place| first.get(*place) == Some("")).collect();
        findings.extend(renamed);
        let (rows, foreign) = (Vec::with_capacity(lines.len()), BTreeMap::new());
        let (empty, comments) = (Empty::default(), 0);
        let file = file.to_owned();
        let written = BTreeSet::new();
        let mut cells = Self {
            file,
            separator,
            names,
            rows,
            findings,
            empty,
            comments,
            repeated,
            foreign,
            nameless,
            written,
        };
        cells.take(first, lines);
        if cells.rows.is_empty() {
            return Err(cells.without_rows());
        }
        Ok(cells)
    }

    fn without_rows(&self) -> OwnError {
        shape(&self.file, "a header without rows", "rows below it")
    }

    /// Takes the lines below the header as rows.
    fn take(&mut self, header: &csv::StringRecord, lines: Vec<Line>) {
        let strays = strays(header, &lines);
        self.findings.extend(stray_findings(&self.file, &strays, &lines));
        let mut lines: Vec<(Line, Option<Stray>)> = lines.into_iter().zip(strays).collect();
        let unmarked = lines.iter().filter(|(line, stray)| stray.is_none() && !line.is_marked());
        let unmarked = unmarked.map(|(line, _)| (&line.cells, line.rest.trim_start()));
        let surplus = surplus(self.names.len(), self.separator, unmarked);
        if surplus == Some(Surplus::RowNames) {
            let taken = |name: &str| self.names.iter().any(|known| known == name);
            let name = (1..)
                .map(|i| if i == 1 { "row".to_owned() } else { format!("row ({i})") })
                .find(|name| !taken(name));
            let name: String = name.unwrap_or_default();
            let finding = format!(
                "{}: the header has no name for the first cell of each row: it is called \
                 \"{name}\"",
                self.file
            );
            self.findings.push(Finding::note(finding));
            self.names.insert(0, name);
            self.nameless =
                std::iter::once(0).chain(self.nameless.iter().map(|place| place + 1)).collect();
        }
        if surplus == Some(Surplus::Trailing) {
            let names = self.names.len();
            let longer = lines.iter_mut().filter(|(line, _)| line.cells.len() == names + 1);
            longer.for_each(|(line, _)| line.cells.truncate(names));
        }
        let numbers = self.numbers_unmarked(&lines);
        let is_text = |cell: Option<&str>| cell.is_some_and(|cell| !is_number(cell));
        let is_comment = |(line, stray): &(Line, Option<Stray>)| {
            let has_text = || numbers.iter().any(|place| is_text(line.cells.get(*place)));
            stray.is_none()
                && line.is_marked()
                && (line.cells.len() != self.names.len() || has_text())
        };
        let (comments, rows): (Vec<_>, Vec<_>) = lines.into_iter().partition(is_comment);
        let mut whole = comments
            .iter()
            .map(|(line, _)| line)
            .filter(|line| line.cells.len() == self.names.len());
        if let Some(first) = whole.next() {
            self.findings.push(Finding::warning(format!(
                "{}: {} of the lines that begin with # or % have all cells of a row, the first in \
                 {}: they are left out as comments, so that rows are lost if they are rows",
                self.file,
                1 + whole.count(),
                first.place
            )));
        }
        self.comments = comments.len();
        self.rows = rows.into_iter().map(|(line, stray)| self.row(line, stray)).collect();
    }

    /// The columns that are numbers in every line without a mark, where some line with one has the
    /// header's number of cells.
    fn numbers_unmarked(&self, lines: &[(Line, Option<Stray>)]) -> Vec<usize> {
        let is_whole = |(line, stray): &&(Line, Option<Stray>)| {
            stray.is_none() && line.cells.len() == self.names.len()
        };
        if !lines.iter().filter(is_whole).any(|(line, _)| line.is_marked()) {
            return Vec::new();
        }
        let unmarked: Vec<&Line> = lines
            .iter()
            .filter(is_whole)
            .map(|(line, _)| line)
            .filter(|line| !line.is_marked())
            .collect();
        let is_numbers = |place: &usize| {
            unmarked.iter().all(|line| line.cells.get(*place).is_some_and(is_number))
        };
        if unmarked.is_empty() {
            Vec::new()
        } else {
            (0..self.names.len()).filter(is_numbers).collect()
        }
    }

    /// A line as a row.
    fn row(&self, line: Line, stray: Option<Stray>) -> Row {
        let (place, torn) = (line.place, line.cells.iter().any(|cell| cell.contains('\n')));
        let stray = stray.map(|stray| OwnError::Stray { file: self.file.clone(), place, stray });
        let ragged = || OwnError::Ragged {
            file: self.file.clone(),
            place,
            found: line.cells.len(),
            expected: self.names.len(),
            hint: if torn { "; is a quotation mark not closed?" } else { "" },
        };
        let wrong = stray.or_else(|| (line.cells.len() != self.names.len()).then(ragged));
        Row { place, cells: line.cells, wrong }
    }

    /// Leaves out what is no row of data, and refuses a file of which some row has another number
    /// of cells than the header.
    fn whole(mut self) -> Result<Self, OwnError> {
        let stray = |row: &Row| matches!(row.wrong, Some(OwnError::Stray { .. }));
        let errors: Vec<&OwnError> = self
            .rows
            .iter()
            .filter(|row| stray(row))
            .filter_map(|row| row.wrong.as_ref())
            .collect();
        let blank = find_blank(&self.file, &errors);
        self.findings.extend(blank);
        self.rows.retain(|row| !stray(row));
        if self.rows.is_empty() {
            return Err(self.without_rows());
        }
        let wrong = self.rows.iter().find_map(|row| row.wrong.clone());
        wrong.map_or(Ok(self), Err)
    }

    /// What is to be known of lines without any cell, which are no rows of a text of several
    /// columns.
    pub fn empty_lines(&self) -> Option<Finding> {
        let Empty { lines, first } = self.empty;
        let text = format!(
            "{}: {} without a cell, the first in line {first}, skipped",
            self.file,
            counted(lines, "line")
        );
        (lines > 0).then(|| Finding::note(text).about(Topic::BlankRows, [] as [&str; 0]))
    }

    /// Refuses a row that has another number of cells than the header, and a line that is no row of
    /// data.
    pub(super) fn refuse_ragged(&self, row: usize) -> Result<(), OwnError> {
        self.rows[row].wrong.clone().map_or(Ok(()), Err)
    }

    /// The character between cells.
    pub fn separator(&self) -> char {
        self.separator
    }

    /// How the file was read, with its name: its separator, comments and names where they are not
    /// the usual ones.
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
        places
            .iter()
            .find_map(|place| self.foreign.get(place))
            .map_or(Ok(()), |error| Err(error.clone()))
    }

    /// Whether the numbers of a column were numbers before they were read, not texts, so that each
    /// has one meaning.
    pub(super) fn is_typed(&self, place: usize) -> bool {
        self.rows.first().is_some_and(|row| matches!(row.place, Place::Row(_)))
            && !self.written.contains(&place)
    }

    /// Whether the column at this position has no name in the file.
    pub(super) fn is_nameless(&self, place: usize) -> bool {
        self.nameless.contains(&place)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The line or the number of each row in the file, ascending there.
    pub(super) fn lines(&self) -> impl Iterator<Item = u64> {
        self.rows.iter().map(|row| row.place.number())
    }

    /// Names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of the file in messages.
    pub fn file(&self) -> &str {
        &self.file
    }
}
