//! Read a sheet of a workbook as lines of text, so that its cells are checked as those of a CSV
//! file are.

mod container;
mod content;
mod limits;
mod records;
mod sheet;

use std::io::Cursor;

use calamine::{
    Data, Dimensions, Ods, Reader, SheetType, SheetVisible, Xls, Xlsb, Xlsx, open_workbook_from_rs,
};
use zip::ZipArchive;

use super::error::{OwnError, SHOWN, shape};
use super::finding::{Finding, Topic};
use super::size::check_expanded;
use super::words::{Setting, Words};
use uq_core::names::nearest_name;
use uq_core::printable::printable;
use uqbench_system::survive;

use content::Content;
use limits::{MOST_CELLS, check_archive, check_needed, check_repeats};
pub(super) use sheet::Sheet;

/// The kinds of workbooks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Xls,
    Xlsx,
    Xlsb,
    Ods,
}

/// Cells between two looks at the memory.
const LOOKED_AT: usize = 1 << 16;
/// Bytes of a text that is a reason to look at once.
const LONG: u64 = 1 << 14;

/// How an Excel workbook from before 2007 begins, and every file in the same container.
const CONTAINER: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Whether a file is a workbook, by its content.
pub(super) fn is_workbook(bytes: &[u8]) -> bool {
    kind(bytes).is_some()
}

fn kind(bytes: &[u8]) -> Option<Kind> {
    if bytes.starts_with(CONTAINER) {
        return Some(Kind::Xls);
    }
    let archive =
        ZipArchive::new(Cursor::new(bytes)).ok().filter(|_| bytes.starts_with(b"PK\x03\x04"))?;
    let mut names = archive.file_names().filter_map(Result::ok);
    let has = |name: &str| archive.index_for_name(name).is_some();
    if has("xl/workbook.bin") {
        Some(Kind::Xlsb)
    } else if names.any(|name| name.starts_with("xl/")) {
        Some(Kind::Xlsx)
    } else {
        (has("content.xml") && has("mimetype")).then_some(Kind::Ods)
    }
}

/// Where a cell stands, row and column from 0, and what is in it.
type Placed = ((u32, u32), Content);

/// What a sheet has in it.
struct Found {
    cells: Vec<Placed>,
    merged: Vec<Dimensions>,
    /// What is to be known of the choice of the sheet.
    findings: Vec<Finding>,
}

/// The sheet of a name, or the first one that can be seen.
pub(super) fn read(file: &str, bytes: &[u8], sheet: Option<&str>) -> Result<Sheet, OwnError> {
    check_archive(file, bytes)?;
    // The reader may panic at some damage.
    let read = || {
        let Found { cells, merged, findings } = found(file, bytes, sheet)?;
        let choice = findings.first().map(|choice| choice.text.clone());
        let sheet = Sheet::of(file, cells, &merged, findings)
            .map_err(|error| name_sheets(error, choice.as_ref()))?;
        Ok(Sheet { choice, ..sheet })
    };
    survive(read).map_err(|message| unreadable(file, &message))?
}

/// An error about the content of a sheet, with the other sheets where the program has chosen this
/// one.
pub(super) fn name_sheets(error: OwnError, choice: Option<&Words>) -> OwnError {
    match (error, choice) {
        (OwnError::Shape { file, found, expected }, Some(choice)) => {
            OwnError::Shape { file, found, expected: expected + " (" + choice.clone() + ")" }
        }
        (error, _) => error,
    }
}

fn unreadable(file: &str, why: &str) -> OwnError {
    let expected =
        "a whole workbook without a password; save it again, or its sheet as \"CSV UTF-8\"";
    shape(file, &format!("a workbook that cannot be read ({why})"), expected)
}

fn found(file: &str, bytes: &[u8], sheet: Option<&str>) -> Result<Found, OwnError> {
    let bytes = Cursor::new(bytes);
    let failed = |why: String| unreadable(file, &why);
    let (mut cells, mut merged) = (Vec::new(), Vec::new());
    let mut text = 0;
    let mut add = |place: (u32, u32), data: &Data| {
        let Some(content) = Content::of(data) else { return Ok(()) };
        let length = content.text().len() as u64;
        text += length;
        cells.push((place, content));
        match cells.len() {
            count if count > MOST_CELLS => Err(limits::too_large(file)),
            // To look at the memory takes longer than to read a cell.
            count if count % LOOKED_AT == 0 || length >= LONG => {
                check_expanded(file, count as u64, text)
            }
            _ => Ok(()),
        }
    };
    let findings = match kind(bytes.get_ref()) {
        Some(Kind::Xlsx) => {
            let mut book: Xlsx<_> = open_workbook_from_rs(bytes)
                .map_err(|error: calamine::XlsxError| failed(error.to_string()))?;
            let (name, findings) = choose(file, &book, sheet)?;
            merged = book.merge_cells_by_sheet_name(&name).unwrap_or_default();
            let failed = |error: calamine::XlsxError| failed(error.to_string());
            let mut reader = book.worksheet_cells_reader(&name).map_err(failed)?;
            while let Some(cell) = reader.next_cell().map_err(failed)? {
                add(cell.get_position(), &Data::from(cell.get_value().clone()))?;
            }
            findings
        }
        Some(Kind::Xlsb) => {
            let mut book: Xlsb<_> = open_workbook_from_rs(bytes)
                .map_err(|error: calamine::XlsbError| failed(error.to_string()))?;
            let (name, findings) = choose(file, &book, sheet)?;
            let failed = |error: calamine::XlsbError| failed(error.to_string());
            let mut reader = book.worksheet_cells_reader(&name).map_err(failed)?;
            while let Some(cell) = reader.next_cell().map_err(failed)? {
                add(cell.get_position(), &Data::from(cell.get_value().clone()))?;
            }
            findings
        }
        Some(Kind::Ods) => {
            check_repeats(file, bytes.get_ref())?;
            let mut book: Ods<_> = open_workbook_from_rs(bytes)
                .map_err(|error: calamine::OdsError| failed(error.to_string()))?;
            let (name, findings) = choose(file, &book, sheet)?;
            let range = book.worksheet_range(&name).map_err(|error| failed(error.to_string()))?;
            add_range(&range, add)?;
            findings
        }
        Some(Kind::Xls) | None => {
            records::needed(bytes.get_ref()).map_or(Ok(()), |needed| check_needed(file, needed))?;
            let mut book: Xls<_> = open_workbook_from_rs(bytes)
                .map_err(|error: calamine::XlsError| failed(error.to_string()))?;
            let (name, findings) = choose(file, &book, sheet)?;
            merged = book.merge_cells_by_sheet_name(&name).unwrap_or_default();
            let range = book.worksheet_range(&name).map_err(|error| failed(error.to_string()))?;
            add_range(&range, add)?;
            findings
        }
    };
    Ok(Found { cells, merged, findings })
}

fn add_range(
    range: &calamine::Range<Data>,
    mut add: impl FnMut((u32, u32), &Data) -> Result<(), OwnError>,
) -> Result<(), OwnError> {
    let (row, column) = range.start().unwrap_or_default();
    let mut used = range.used_cells();
    used.try_for_each(|(i, j, data)| add((row + i as u32, column + j as u32), data))
}

/// The name of the sheet that is asked for, or of the first one that can be seen, and which others
/// there are.
fn choose<'a, R: Reader<Cursor<&'a [u8]>>>(
    file: &str,
    book: &R,
    asked: Option<&str>,
) -> Result<(String, Vec<Finding>), OwnError> {
    let sheets: Vec<_> =
        book.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet).collect();
    let names = || sheets.iter().map(|sheet| sheet.name.as_str());
    let listed = || {
        let all = names()
            .map(|name| format!("\"{}\"", printable(name, SHOWN)))
            .collect::<Vec<_>>()
            .join(", ");
        printable(&all, 600)
    };
    let Some(asked) = asked else {
        let first =
            sheets.iter().find(|sheet| sheet.visible == SheetVisible::Visible).or(sheets.first());
        let name = first
            .map(|sheet| sheet.name.clone())
            .ok_or_else(|| unreadable(file, "it has no sheet"))?;
        let shown = printable(&name, SHOWN);
        let text = format!(
            "{file}: its sheet \"{shown}\" is read, one of {}: {}; ",
            sheets.len(),
            listed()
        );
        let text = Words::from(text) + Setting::Sheet + " NAME chooses another one";
        let told =
            (sheets.len() > 1).then(|| Finding::note(text).about(Topic::Sheet, [] as [&str; 0]));
        return Ok((name, told.into_iter().collect()));
    };
    let unknown = || OwnError::UnknownSheet {
        file: file.into(),
        name: printable(asked, SHOWN),
        nearest: nearest_name(asked, names()).map(|name| printable(&name, SHOWN)),
        known: listed(),
    };
    let is_asked = |name: &&str| name.trim() == asked.trim();
    names().find(is_asked).map(|name| (name.to_owned(), Vec::new())).ok_or_else(unknown)
}

#[cfg(test)]
mod tests;
