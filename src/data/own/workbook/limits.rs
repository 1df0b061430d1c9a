//! Bound what a workbook unpacks to, before it is read.

use std::io::{self, Cursor, Read};

use zip::ZipArchive;

use super::unreadable;
use crate::data::own::bytes::LIMIT;
use crate::data::own::error::{OwnError, shape};

/// Most cells of a sheet that have something in them, and of a rectangle around them.
pub(super) const MOST_CELLS: usize = 20_000_000;

/// The error on a workbook that is too large.
pub(super) fn too_large(file: &str) -> OwnError {
    let expected = format!(
        "at most {} MiB unpacked, and {} million cells; save a part of the sheet as CSV",
        LIMIT >> 20,
        MOST_CELLS / 1_000_000
    );
    shape(file, "a workbook that is too large", &expected)
}

/// Refuses an archive whose files are larger than they may be: by what it states, and by what it unpacks to.
pub(super) fn check_archive(file: &str, bytes: &[u8]) -> Result<(), OwnError> {
    if !bytes.starts_with(b"PK") {
        return Ok(());
    }
    let failed = |why: String| unreadable(file, &why);
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| failed(error.to_string()))?;
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
        let size = io::copy(&mut part.take(left + 1), &mut io::sink()).map_err(|error| failed(error.to_string()))?;
        left = left.checked_sub(size).ok_or_else(|| too_large(file))?;
    }
    Ok(())
}

/// Refuses a sheet of OpenDocument whose repeated rows and columns are too many cells.
pub(super) fn check_repeats(file: &str, bytes: &[u8]) -> Result<(), OwnError> {
    let failed = |why: String| unreadable(file, &why);
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| failed(error.to_string()))?;
    let mut content = Vec::new();
    let part = archive.by_name("content.xml").map_err(|error| failed(error.to_string()))?;
    part.take(LIMIT).read_to_end(&mut content).map_err(|error| failed(error.to_string()))?;
    if repeated_cells(&content) > MOST_CELLS as u64 { Err(too_large(file)) } else { Ok(()) }
}

/// The cells of all sheets: of the rectangle around those with something in them.
fn repeated_cells(content: &[u8]) -> u64 {
    let (mut all, mut table, mut row) = (0_u64, Extent::default(), Row::default());
    for tag in content.split(|byte| *byte == b'<') {
        let tag = tag.split(|byte| *byte == b'>').next().unwrap_or_default();
        let is = |name: &str| {
            tag.strip_prefix(name.as_bytes())
                .is_some_and(|rest| !rest.first().is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'-'))
        };
        if is("table:table-row") || is("/table:table") {
            table.add(std::mem::take(&mut row));
        }
        if is("table:table-row") {
            row.repeats = number(tag, b"number-rows-repeated=").unwrap_or(1);
        }
        if is("table:table-cell") || is("table:covered-table-cell") {
            row.columns = row.columns.saturating_add(number(tag, b"number-columns-repeated=").unwrap_or(1));
            if [&b"value"[..], b"formula"].iter().any(|word| tag.windows(word.len()).any(|part| part == *word)) {
                row.used = row.columns;
            }
        }
        if is("/table:table") {
            all = all.saturating_add(std::mem::take(&mut table).cells());
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
}

#[derive(Default)]
struct Extent {
    rows: u64,
    used_rows: u64,
    used_columns: u64,
}

impl Extent {
    fn add(&mut self, row: Row) {
        self.rows = self.rows.saturating_add(row.repeats);
        if row.used > 0 {
            self.used_rows = self.rows;
            self.used_columns = self.used_columns.max(row.used);
        }
    }

    fn cells(self) -> u64 {
        self.used_rows.saturating_mul(self.used_columns)
    }
}

/// The number of an attribute.
fn number(tag: &[u8], name: &[u8]) -> Option<u64> {
    let place = tag.windows(name.len()).position(|part| part == name)? + name.len();
    let digits = tag.get(place + 1..)?;
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
            "<table:table table:name=\"a\"><table:table-row>{cell}/>{cell} table:number-columns-repeated=\"3\"/></table:table-row>\
             <table:table-row table:number-rows-repeated=\"5\">{cell}/></table:table-row>\
             <table:table-row table:number-rows-repeated='1000000'><table:table-cell table:number-columns-repeated=\"16384\"/>\
             </table:table-row></table:table><table:table><table:table-row>{cell}/></table:table-row></table:table>"
        );
        assert_eq!(repeated_cells(content.as_bytes()), 6 * 4 + 1, "what is empty at the end counts for nothing");
        let bomb = format!(
            "<table:table><table:table-row table:number-rows-repeated=\"1000000\">{cell} table:number-columns-repeated=\"1000\"/></table:table-row></table:table>"
        );
        assert_eq!(repeated_cells(bomb.as_bytes()), 1_000_000_000);
    }
}
