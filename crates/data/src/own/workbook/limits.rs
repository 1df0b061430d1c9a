//! Bound what a workbook unpacks to, before it is read.

use std::io::{self, Cursor, Read};

use zip::ZipArchive;

use super::unreadable;
use crate::own::bytes::LIMIT;
use crate::own::error::{OwnError, shape};
use crate::own::size::check_expanded;

/// Most cells of a sheet that have something in them, and of a rectangle around them.
pub(super) const MOST_CELLS: usize = 20_000_000;

/// How many cells with nothing in them take the memory of one that has something: most of a
/// rectangle may be empty.
const EMPTY: u64 = 6;

/// What the sheets of a workbook take when they are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needed {
    /// Cells of the rectangles around those that have something in them, of all sheets.
    pub cells: u64,
    /// Cells of the largest sheet, or the cells that it claims to have: its reader makes room for
    /// them.
    pub largest: u64,
    /// Bytes of all texts, each as often as a cell has it.
    pub text: u64,
}

/// Refuses sheets that are too large, of which the reader takes all.
pub(super) fn check_needed(file: &str, needed: Needed) -> Result<(), OwnError> {
    if needed.largest > MOST_CELLS as u64 {
        return Err(too_large(file));
    }
    check_expanded(file, needed.cells / EMPTY, needed.text)
}

/// The error on a workbook that is too large.
pub(super) fn too_large(file: &str) -> OwnError {
    let expected = format!(
        "at most {} MiB unpacked, and {} million cells; save a part of the sheet as CSV",
        LIMIT >> 20,
        MOST_CELLS / 1_000_000
    );
    shape(file, "a workbook that is too large", &expected)
}

/// Refuses an archive whose files are larger than they may be: by what it states, and by what it
/// unpacks to.
pub(super) fn check_archive(file: &str, bytes: &[u8]) -> Result<(), OwnError> {
    if !bytes.starts_with(b"PK") {
        return Ok(());
    }
    let failed = |why: String| unreadable(file, &why);
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|error| failed(error.to_string()))?;
    let mut sizes = Vec::with_capacity(archive.len());
    for i in 0..archive.len() {
        sizes.push(archive.by_index(i).map_err(|error| failed(error.to_string()))?.size());
    }
    if sizes.into_iter().fold(0, u64::saturating_add) > LIMIT {
        return Err(too_large(file));
    }
    let mut left = LIMIT;
    for i in 0..archive.len() {
        let part = archive.by_index(i).map_err(|error| failed(error.to_string()))?;
        let size = io::copy(&mut part.take(left + 1), &mut io::sink())
            .map_err(|error| failed(error.to_string()))?;
        left = left.checked_sub(size).ok_or_else(|| too_large(file))?;
    }
    Ok(())
}

/// Refuses a workbook of OpenDocument whose repeated rows and columns are too many cells, or too
/// much text.
pub(super) fn check_repeats(file: &str, bytes: &[u8]) -> Result<(), OwnError> {
    let failed = |why: String| unreadable(file, &why);
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|error| failed(error.to_string()))?;
    let mut content = Vec::new();
    let part = archive.by_name("content.xml").map_err(|error| failed(error.to_string()))?;
    part.take(LIMIT).read_to_end(&mut content).map_err(|error| failed(error.to_string()))?;
    check_needed(file, repeated(&content))
}

/// What all sheets take, where repeated rows and columns count as often as they are there.
fn repeated(content: &[u8]) -> Needed {
    let (mut all, mut table, mut row, mut repeats) =
        (Needed::default(), Extent::default(), Row::default(), 0);
    for part in content.split(|byte| *byte == b'<') {
        let end = part.iter().position(|byte| *byte == b'>').unwrap_or(part.len());
        let (tag, text) = part.split_at(end);
        let is = |name: &str| {
            tag.strip_prefix(name.as_bytes()).is_some_and(|rest| {
                !rest.first().is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'-')
            })
        };
        if is("table:table-row") || is("/table:table") {
            table.add(std::mem::take(&mut row));
        }
        if is("table:table-row") {
            row.repeats = number(tag, b"number-rows-repeated=").unwrap_or(1);
        }
        if is("table:table-cell") || is("table:covered-table-cell") {
            repeats = number(tag, b"number-columns-repeated=").unwrap_or(1);
            row.columns = row.columns.saturating_add(repeats);
            // A formula is kept beside its value.
            let stated =
                [&b"string-value="[..], b"formula="].map(|name| length(tag, name)).iter().sum();
            row.add_text(stated, repeats);
            if [&b"value"[..], b"formula"]
                .iter()
                .any(|word| tag.windows(word.len()).any(|part| part == *word))
            {
                row.used = row.columns;
            }
        }
        if is("text:s") {
            row.add_text(number(tag, b"text:c=").unwrap_or(1), repeats);
        }
        if is("/table:table-cell")
            || is("/table:covered-table-cell")
            || tag.ends_with(b"/") && is("table:table-cell")
        {
            repeats = 0;
        }
        row.add_text(text.len().saturating_sub(1) as u64, repeats);
        if is("/table:table") {
            let table = std::mem::take(&mut table);
            all.text = all.text.saturating_add(table.text);
            all.cells = all.cells.saturating_add(table.cells());
            all.largest = all.cells;
        }
    }
    all
}

#[derive(Default)]
struct Row {
    repeats: u64,
    columns: u64,
    /// Columns up to the last cell with something in it.
    used: u64,
    /// Bytes of text.
    text: u64,
}

impl Row {
    fn add_text(&mut self, bytes: u64, repeats: u64) {
        self.text = self.text.saturating_add(bytes.saturating_mul(repeats));
    }
}

#[derive(Default)]
struct Extent {
    rows: u64,
    used_rows: u64,
    used_columns: u64,
    text: u64,
}

impl Extent {
    fn add(&mut self, row: Row) {
        self.rows = self.rows.saturating_add(row.repeats);
        self.text = self.text.saturating_add(row.text.saturating_mul(row.repeats));
        if row.used > 0 {
            self.used_rows = self.rows;
            self.used_columns = self.used_columns.max(row.used);
        }
    }

    fn cells(self) -> u64 {
        self.used_rows.saturating_mul(self.used_columns)
    }
}

/// The value of an attribute and what is behind it, without its first quote.
fn value<'a>(tag: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let place = tag.windows(name.len()).position(|part| part == name)? + name.len();
    tag.get(place + 1..)
}

/// The bytes of the value of an attribute.
fn length(tag: &[u8], name: &[u8]) -> u64 {
    let quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    value(tag, name).map_or(0, |rest| rest.iter().position(quote).unwrap_or(rest.len()) as u64)
}

/// The number of an attribute.
fn number(tag: &[u8], name: &[u8]) -> Option<u64> {
    let digits = value(tag, name)?;
    let end = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
    std::str::from_utf8(&digits[..end]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_rows_and_columns_are_multiplied() {
        let cell = "<table:table-cell office:value-type=\"float\" office:value=\"1\"";
        let content = format!(
            "<table:table table:name=\"a\"><table:table-row>{cell}/>{cell} \
             table:number-columns-repeated=\"3\"/></table:table-row><table:table-row \
             table:number-rows-repeated=\"5\">{cell}/></table:table-row><table:table-row \
             table:number-rows-repeated='1000000'><table:table-cell \
             table:number-columns-repeated=\"16384\"/></table:table-row></table:table><table:table><table:table-row>{cell}/></table:table-row></table:table>"
        );
        assert_eq!(
            repeated(content.as_bytes()).cells,
            6 * 4 + 1,
            "what is empty at the end counts for nothing"
        );
        let bomb = format!(
            "<table:table><table:table-row table:number-rows-repeated=\"1000000\">{cell} \
             table:number-columns-repeated=\"1000\"/></table:table-row></table:table>"
        );
        assert_eq!(repeated(bomb.as_bytes()).cells, 1_000_000_000);
    }

    #[test]
    fn a_text_counts_as_often_as_its_cell_is_repeated() {
        let cell = "<table:table-cell office:value-type=\"string\"";
        let row = |cells: &str| {
            format!(
                "<table:table><table:table-row \
                 table:number-rows-repeated=\"10\">{cells}</table:table-row></table:table>"
            )
        };
        let repeated = "table:number-columns-repeated=\"3\"";
        for (cells, text) in [
            (format!("{cell}><text:p>abcd</text:p></table:table-cell>"), 40),
            (
                format!(
                    "{cell} {repeated}><text:p>ab</text:p><text:p>c<text:s \
                     text:c=\"5\"/>d</text:p></table:table-cell>{cell}/>"
                ),
                270,
            ),
            (format!("{cell} office:string-value=\"abcd\" {repeated}/>\n"), 120),
            (format!("{cell} table:formula='of:=1' {repeated}/>\n"), 150),
        ] {
            assert_eq!(super::repeated(row(&cells).as_bytes()).text, text, "{cells}");
        }
    }
}
