//! Read columns of numbers from a sheet of an `.xls` or `.xlsx` workbook.

use std::io::Cursor;

use calamine::{Data, Reader, open_workbook_auto_from_rs};

use super::{Columns, FileBytes, check_header, number, shape};
use crate::error::DataError;
use crate::manifest::{Layout, Sheet};
use uq_core::printable::printable;

/// The sheet's columns; its first row is the header, and the first empty row ends the data.
pub(super) fn sheet(
    file: FileBytes<'_>,
    layout: &Layout,
    sheet: &Sheet,
) -> Result<Columns, DataError> {
    let broken = |error: calamine::Error| {
        shape(file.name, &printable(&error.to_string(), 120), "an Excel workbook")
    };
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
        return Err(shape(
            file.name,
            &format!("{first_column} empty columns"),
            "data from the first column on",
        ));
    }
    let width = layout.columns.len();
    let mut rows = (u64::from(first_row) + 1..).zip(range.rows());
    let Some((_, header)) = rows.next() else {
        return Err(shape(file.name, "an empty sheet", "a header"));
    };
    let named = header.iter().rposition(|cell| *cell != Data::Empty).map_or(0, |last| last + 1);
    check_header(
        file.name,
        layout,
        &header[..named].iter().map(Data::to_string).collect::<Vec<_>>(),
    )?;

    let mut columns = Columns::of_file(file.name, layout, &layout.columns);
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
                column: layout
                    .columns
                    .get(index)
                    .cloned()
                    .unwrap_or_else(|| (index + 1).to_string()),
                found: found(cell),
                expected: expected.into(),
            })?;
            columns.push(index, number);
        }
        columns.end_row(row);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::tests::zip_of_all;

    /// An `.xlsx` workbook whose sheet "Data", its second, has these rows; an empty text is an
    /// empty cell.
    fn workbook(rows: &[&[&str]]) -> Vec<u8> {
        let cell = |row: usize, column: usize, text: &str| {
            let place = format!("{}{}", char::from(b'A' + column as u8), row + 1);
            match text.parse::<f64>() {
                _ if text.is_empty() => String::new(),
                Ok(_) => format!("<c r=\"{place}\"><v>{text}</v></c>"),
                Err(_) => format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>"),
            }
        };
        let mut data = String::new();
        for (i, row) in rows.iter().enumerate() {
            let cells: String = row.iter().enumerate().map(|(j, text)| cell(i, j, text)).collect();
            data += &format!("<row r=\"{}\">{cells}</row>", i + 1);
        }
        let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
        let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let sheet = |data: &str| {
            format!("<worksheet xmlns=\"{main}\"><sheetData>{data}</sheetData></worksheet>")
        };
        let links = |links: &[(&str, &str)]| {
            let links: String = (1..)
                .zip(links)
                .map(|(id, (kind, to))| {
                    format!(
                        "<Relationship Id=\"r{id}\" Type=\"{relations}/{kind}\" Target=\"{to}\"/>"
                    )
                })
                .collect();
            let package = "http://schemas.openxmlformats.org/package/2006/relationships";
            format!("<Relationships xmlns=\"{package}\">{links}</Relationships>")
        };
        let book = format!(
            "<workbook xmlns=\"{main}\" xmlns:r=\"{relations}\"><sheets><sheet name=\"Empty\" \
             sheetId=\"1\" r:id=\"r1\"/><sheet name=\"Data\" sheetId=\"2\" \
             r:id=\"r2\"/></sheets></workbook>"
        );
        let sheets =
            [("worksheet", "worksheets/sheet1.xml"), ("worksheet", "worksheets/sheet2.xml")];
        zip_of_all(&[
            ("_rels/.rels", links(&[("officeDocument", "xl/workbook.xml")]).as_bytes()),
            ("xl/workbook.xml", book.as_bytes()),
            ("xl/_rels/workbook.xml.rels", links(&sheets).as_bytes()),
            ("xl/worksheets/sheet1.xml", sheet("").as_bytes()),
            ("xl/worksheets/sheet2.xml", sheet(&data).as_bytes()),
        ])
    }

    fn read(rows: &[&[&str]], which: Sheet) -> Result<Vec<Vec<f64>>, String> {
        let layout = Layout {
            format: crate::manifest::Format::Excel { sheet: which.clone() },
            columns: vec!["a".into(), "b".into(), "c d".into()],
            header_names: None,
            skip: vec!["b".into()],
            significant_digits: None,
        };
        let bytes = workbook(rows);
        sheet(FileBytes { name: "book.xlsx", bytes: &bytes }, &layout, &which)
            .map(|columns| columns.values)
            .map_err(|error| error.to_string())
    }

    const HEADER: &[&str] = &["a", "b", "c  d "];

    #[test]
    fn a_sheet_is_found_by_place_or_name_and_ends_at_its_first_empty_row() {
        let rows =
            [HEADER, &["1", "text", "2.5"], &["-3", "", "4"], &["", "", ""], &["9", "9", "9"]];
        for which in [Sheet::Place(2), Sheet::Name("Data".into())] {
            assert_eq!(read(&rows, which).unwrap(), [vec![1.0, -3.0], vec![], vec![2.5, 4.0]]);
        }
    }

    #[test]
    fn errors_name_the_cell() {
        let data = || Sheet::Name("Data".into());
        for (rows, expected) in [
            (
                vec![HEADER, &["1", "", ""]],
                "book.xlsx, row 2, column c d: found an empty cell, expected a number (a missing",
            ),
            (
                vec![HEADER, &["1", "2", "x"]],
                "book.xlsx, row 2, column c d: found \"x\", expected a number",
            ),
            (
                vec![HEADER, &["1", "2", "3", "4"]],
                "book.xlsx, row 2, column 4: found \"4\", expected no further column",
            ),
            (
                vec![&["a", "c d", "b"], &["1", "2", "3"]],
                "book.xlsx: found \"c d\" as column 2 of the header, expected \"b\"",
            ),
        ] {
            let message = read(&rows, data()).unwrap_err();
            assert!(message.starts_with(expected), "{message}");
        }
        let message = read(&[HEADER], Sheet::Name("data".into())).unwrap_err();
        assert_eq!(message, "book.xlsx: found the sheets Empty, Data, expected a sheet \"data\"");
        let message = read(&[HEADER], Sheet::Place(3)).unwrap_err();
        assert_eq!(message, "book.xlsx: found the sheets Empty, Data, expected at least 3 sheets");
        assert_eq!(
            read(&[HEADER], Sheet::Place(1)).unwrap_err(),
            "book.xlsx: found an empty sheet, expected a header"
        );
    }
}
