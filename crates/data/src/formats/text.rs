//! Read columns of numbers from text: between separators, or between runs of blanks.

use super::{Columns, FileBytes, check_header, number, shape};
use crate::error::DataError;
use crate::manifest::Layout;
use uq_core::printable::printable;

/// Columns between single separators; cells may be quoted, blanks around a cell are ignored, empty
/// lines are skipped.
pub(super) fn delimited(
    file: FileBytes<'_>,
    layout: &Layout,
    separator: char,
    header: bool,
) -> Result<Columns, DataError> {
    let separator = u8::try_from(separator)
        .map_err(|_| shape(file.name, "another separator", "one ASCII character"))?;
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(file.bytes);
    let mut columns = Columns::of_file(file.name, layout, &layout.columns);
    let mut record = csv::ByteRecord::new();
    let mut awaits_header = header;
    let (mut line, mut counted) = (1, 0);
    loop {
        let more = reader
            .read_byte_record(&mut record)
            .map_err(|error| shape(file.name, &error.to_string(), "text"))?;
        if !more {
            break;
        }
        // A record's position is where the reader continued, which may be before empty lines or
        // between the two bytes of a line end.
        let position = record.position().map_or(counted, |position| position.byte() as usize);
        let empty =
            file.bytes[position..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        line += file.bytes[counted..position + empty].iter().filter(|byte| **byte == b'\n').count()
            as u64;
        counted = position + empty;
        if awaits_header {
            let names: Vec<String> =
                record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect();
            check_header(file.name, layout, &names)?;
            awaits_header = false;
            continue;
        }
        push_row(&mut columns, file.name, line, record.iter())?;
    }
    if awaits_header {
        return Err(shape(file.name, "an empty file", "a header"));
    }
    Ok(columns)
}

/// Columns between runs of blanks, without a header; empty lines are skipped.
pub(super) fn blanks(
    file: FileBytes<'_>,
    layout: &Layout,
    names: &[String],
) -> Result<Columns, DataError> {
    let mut columns = Columns::of_file(file.name, layout, names);
    for (line, row) in (1..).zip(file.bytes.split(|byte| *byte == b'\n')) {
        let mut cells =
            row.split(u8::is_ascii_whitespace).filter(|cell| !cell.is_empty()).peekable();
        if cells.peek().is_some() {
            push_row(&mut columns, file.name, line, cells)?;
        }
    }
    Ok(columns)
}

fn push_row<'a>(
    columns: &mut Columns,
    file: &str,
    line: u64,
    cells: impl Iterator<Item = &'a [u8]>,
) -> Result<(), DataError> {
    let expected = columns.names.len();
    let mut count = 0;
    for cell in cells {
        let index = count;
        count += 1;
        if index >= expected || !columns.wanted[index] {
            continue;
        }
        let number = std::str::from_utf8(cell).map_err(|_| "a number").and_then(number::parse);
        match number {
            Ok(number) => columns.push(index, number),
            Err(expected) => {
                return Err(DataError::Parse {
                    file: file.into(),
                    row: line,
                    column: columns.names[index].clone(),
                    found: quoted(cell),
                    expected: expected.into(),
                });
            }
        }
    }
    if count == expected {
        columns.end_row(line);
        return Ok(());
    }
    Err(DataError::Parse {
        file: file.into(),
        row: line,
        column: if count < expected {
            columns.names[count].clone()
        } else {
            (expected + 1).to_string()
        },
        found: format!("a row of {count} columns"),
        expected: format!("{expected} columns"),
    })
}

fn quoted(cell: &[u8]) -> String {
    format!("\"{}\"", printable(&String::from_utf8_lossy(cell), 40))
}
