//! Read columns of numbers from a sheet of an `.xls` or `.xlsx` workbook.

use std::io::Cursor;

use calamine::{Data, Reader, open_workbook_auto_from_rs};

use super::{Columns, FileBytes, check_header, number, shape};
use crate::data::error::{DataError, printable};
use crate::data::manifest::{Layout, Sheet};

/// The sheet's columns; its first row is the header, and the first empty row ends the data.
pub(super) fn sheet(file: FileBytes<'_>, layout: &Layout, sheet: &Sheet) -> Result<Columns, DataError> {
    let broken = |error: calamine::Error| shape(file.name, &printable(&error.to_string(), 120), "an Excel workbook");
    let mut workbook = open_workbook_auto_from_rs(Cursor::new(file.bytes)).map_err(broken)?;
    let names = workbook.sheet_names();
    let name = match sheet {
        Sheet::Name(name) => names.iter().find(|known| *known == name),
        Sheet::Place(place) => place.checked_sub(1).and_then(|index| names.get(index)),
    };
    let Some(name) = name.cloned() else {
        let found = names.iter().map(|name| printable(name, 30)).collect::<Vec<_>>().join(", ");
        let expected = match sheet {
            Sheet::Name(name) => format!("a sheet \"{name}\""),
            Sheet::Place(place) => format!("at least {place} sheets"),
        };
        return Err(shape(file.name, &format!("the sheets {found}"), &expected));
    };
    let range = workbook.worksheet_range(&name).map_err(broken)?;
    let (first_row, first_column) = range.start().unwrap_or((0, 0));
    if first_column != 0 {
        return Err(shape(file.name, &format!("{first_column} empty columns"), "data from the first column on"));
    }
    let width = layout.columns.len();
    let mut rows = (u64::from(first_row) + 1..).zip(range.rows());
    let Some((_, header)) = rows.next() else {
        return Err(shape(file.name, "an empty sheet", "a header"));
    };
    let named = header.iter().rposition(|cell| *cell != Data::Empty).map_or(0, |last| last + 1);
    check_header(file.name, layout, &header[..named].iter().map(Data::to_string).collect::<Vec<_>>())?;

    let mut columns = Columns::new(layout, &layout.columns);
    for (row, cells) in rows {
        if cells.iter().all(|cell| *cell == Data::Empty) {
            break;
        }
        for index in 0..cells.len().max(width) {
            if columns.wanted.get(index) == Some(&false) {
                continue;
            }
            let cell = cells.get(index).unwrap_or(&Data::Empty);
            let parsed = if index < width {
                parse(cell)
            } else if *cell == Data::Empty {
                continue;
            } else {
                Err("no further column")
            };
            let number = parsed.map_err(|expected| DataError::Parse {
                file: file.name.into(),
                row,
                column: layout.columns.get(index).cloned().unwrap_or_else(|| (index + 1).to_string()),
                found: found(cell),
                expected: expected.into(),
            })?;
            columns.push(index, number);
        }
    }
    Ok(columns)
}

fn parse(cell: &Data) -> Result<f64, &'static str> {
    match cell {
        Data::Float(number) if number.is_finite() => Ok(*number),
        Data::Float(_) => Err("a finite number"),
        Data::Int(number) => number::parse(&number.to_string()),
        Data::String(text) => number::parse(text),
        Data::Empty => number::parse(""),
        _ => Err("a number"),
    }
}

fn found(cell: &Data) -> String {
    match cell {
        Data::Empty => "an empty cell".into(),
        other => format!("\"{}\"", printable(&other.to_string(), 40)),
    }
}
