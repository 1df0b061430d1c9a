//! Real workbooks, made of the XML that programs write.

use std::fmt::Write;

use super::*;
use crate::archive::tests::zip_of_all;
use crate::own::{Cells, FileFormat, OwnTable, Place, Topic};

/// What is in a cell of a test.
#[derive(Clone, Copy)]
enum Cell {
    Empty,
    Number(f64),
    Text(&'static str),
    /// A day as a number with the format of a date, perhaps with a time.
    Day(f64),
    Share(f64),
    True(bool),
    Failed(&'static str),
}
use Cell::{Day, Empty, Failed, Number, Share, Text, True};

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The name of a sheet, its rows, and the places of its joined cells.
type SheetParts<'a> = (&'a str, &'a [&'a [Cell]], &'a [&'a str]);

/// A workbook of these sheets.
fn xlsx(sheets: &[SheetParts]) -> Vec<u8> {
    let (mut listed, mut links, mut parts) = (String::new(), String::new(), Vec::new());
    for (number, (name, rows, merged)) in (1..).zip(sheets) {
        write!(listed, "<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"r{number}\"/>").unwrap();
        write!(
            links,
            "<Relationship Id=\"r{number}\" Type=\"{RELATIONS}/worksheet\" \
             Target=\"worksheets/sheet{number}.xml\"/>"
        )
        .unwrap();
        let mut data = String::new();
        for (i, row) in rows.iter().enumerate() {
            let cell = |(j, cell): (usize, &Cell)| {
                let place = format!("{}{}", char::from(b'A' + j as u8), i + 1);
                match cell {
                    Empty => String::new(),
                    Number(x) => format!("<c r=\"{place}\"><v>{x}</v></c>"),
                    Day(x) => format!("<c r=\"{place}\" s=\"1\"><v>{x}</v></c>"),
                    Share(x) => format!("<c r=\"{place}\" s=\"2\"><v>{x}</v></c>"),
                    True(x) => format!("<c r=\"{place}\" t=\"b\"><v>{}</v></c>", u8::from(*x)),
                    Failed(x) => format!("<c r=\"{place}\" t=\"e\"><v>{x}</v></c>"),
                    Text(x) => format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{x}</t></is></c>"),
                }
            };
            let cells: String = row.iter().enumerate().map(cell).collect();
            write!(data, "<row r=\"{}\">{cells}</row>", i + 1).unwrap();
        }
        let merged: String =
            merged.iter().map(|place| format!("<mergeCell ref=\"{place}\"/>")).collect();
        let merged =
            if merged.is_empty() { merged } else { format!("<mergeCells>{merged}</mergeCells>") };
        let sheet = format!(
            "<worksheet xmlns=\"{MAIN}\"><sheetData>{data}</sheetData>{merged}</worksheet>"
        );
        parts.push((format!("xl/worksheets/sheet{number}.xml"), sheet));
    }
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let book = format!(
        "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\"><sheets>{listed}</sheets></workbook>"
    );
    let root = format!(
        "<Relationships xmlns=\"{package}\"><Relationship Id=\"r1\" \
         Type=\"{RELATIONS}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let links = format!(
        "<Relationships xmlns=\"{package}\">{links}<Relationship Id=\"s\" \
         Type=\"{RELATIONS}/styles\" Target=\"styles.xml\"/></Relationships>"
    );
    let styles = format!(
        "<styleSheet xmlns=\"{MAIN}\"><cellXfs count=\"3\"><xf numFmtId=\"0\"/><xf \
         numFmtId=\"22\"/><xf numFmtId=\"9\"/></cellXfs></styleSheet>"
    );
    parts.extend([
        ("_rels/.rels".into(), root),
        ("xl/workbook.xml".into(), book),
        ("xl/_rels/workbook.xml.rels".into(), links),
        ("xl/styles.xml".into(), styles),
    ]);
    zip_of_all(
        &parts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect::<Vec<_>>(),
    )
}

/// A workbook of two rows, of which the second one is the last cell that a sheet may have.
fn corners() -> Vec<u8> {
    let rows: &[&[Cell]] = &[&[Text("x"), Text("y")], &[Number(1.0)], &[Number(2.0)]];
    let book = xlsx(&[("Data", rows, &[])]);
    let mut archive = ZipArchive::new(Cursor::new(&book[..])).unwrap();
    let names: Vec<String> = (0..archive.len())
        .map(|i| archive.by_index(i).unwrap().name().unwrap().into_owned())
        .collect();
    let parts: Vec<(String, String)> = names
        .into_iter()
        .map(|name| {
            let mut text = String::new();
            std::io::Read::read_to_string(&mut archive.by_name(&name).unwrap(), &mut text).unwrap();
            let far: String = (3..1_300)
                .map(|row| format!("<row r=\"{row}\"><c r=\"XFD{row}\"><v>1</v></c></row>"))
                .collect();
            let end = text
                .find("<row r=\"3\">")
                .map(|place| text[..place].to_owned() + &far + "</sheetData></worksheet>");
            (name, end.unwrap_or(text))
        })
        .collect();
    zip_of_all(
        &parts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect::<Vec<_>>(),
    )
}

/// A workbook of OpenDocument with one sheet of these rows, as XML.
fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content \
         xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><office:body><office:spreadsheet><table:table \
         table:name=\"Data\">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
    );
    let manifest = "<manifest:manifest \
                    xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"></manifest:manifest>";
    zip_of_all(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content.as_bytes()),
        ("META-INF/manifest.xml", manifest.as_bytes()),
    ])
}

fn cells(bytes: &[u8], sheet: Option<&str>) -> Result<Cells, OwnError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.book");
    std::fs::write(&path, bytes).unwrap();
    Cells::read_as(&path, &FileFormat { sheet: sheet.map(Into::into), ..FileFormat::default() })
}

fn texts(cells: &Cells) -> Vec<Vec<String>> {
    (0..cells.names().len()).map(|place| cells.texts(place).map(str::to_owned).collect()).collect()
}

fn topics(cells: &Cells) -> Vec<Topic> {
    cells.findings().iter().map(|finding| finding.topic).collect()
}

#[test]
fn a_sheet_is_read_as_the_csv_file_of_it() {
    let rows: &[&[Cell]] = &[
        &[Text("id"), Text("day"), Text("share"), Text("ok"), Text("y")],
        &[Number(3.0), Day(45322.0), Share(0.125), True(true), Number(1.5)],
        &[Number(4.0), Day(45323.0), Share(0.25), True(false), Number(-2e-3)],
    ];
    let found = cells(&xlsx(&[("Data", rows, &[])]), None).unwrap();
    let csv = "id,day,share,ok,y\n3,2024-01-31,0.125,TRUE,1.5\n4,2024-02-01,0.25,FALSE,-0.002\n";
    let csv = Cells::parse("my.csv", csv.as_bytes()).unwrap();
    assert_eq!((found.names(), texts(&found)), (csv.names(), texts(&csv)));
    assert_eq!(found.findings(), []);
}

#[test]
fn a_header_below_titles_and_blank_rows_is_found() {
    let rows: &[&[Cell]] = &[
        &[Text("Export of May")],
        &[],
        &[Text("Station"), Text("Berlin")],
        &[Text("x"), Text("z"), Text("colour"), Text("size"), Text("y")],
        &[Number(1.0), Empty, Text("red"), Number(2.0), Number(7.0)],
        &[],
        &[Number(2.0), Number(5.0), Text("blue"), Number(2.0), Number(8.0)],
    ];
    let found = cells(&xlsx(&[("Data", rows, &[])]), None).unwrap();
    assert_eq!(found.names(), ["x", "z", "colour", "size", "y"]);
    assert_eq!((found.rows(), topics(&found)), (2, vec![Topic::Sheet, Topic::BlankRows]));
    let places: Vec<Place> = found.rows.iter().map(|row| row.place).collect();
    assert_eq!(places, [Place::Row(5), Place::Row(7)], "as the sheet counts them");
}

#[test]
fn a_title_of_as_many_cells_as_the_table_has_is_no_header() {
    let table: &[&[Cell]] = &[
        &[Text("x"), Text("colour"), Text("y")],
        &[Number(1.0), Text("red"), Number(7.0)],
        &[Number(2.0), Text("blue"), Number(8.0)],
    ];
    let title: &[Cell] = &[Text("Station"), Text("Bern"), Number(2024.0)];
    let empty: &[Cell] = &[];
    for above in [
        &[title, empty][..],
        &[title, &[Text("Year"), Number(2024.0)], empty],
        &[title, empty, empty],
    ] {
        let rows = [above, table].concat();
        let found = cells(&xlsx(&[("Data", &rows, &[])]), None).unwrap();
        assert_eq!((found.names(), found.rows()), (&["x", "colour", "y"].map(String::from)[..], 2));
        assert_eq!(topics(&found), [Topic::Sheet]);
    }
    let gap = [&table[..1], &[empty], &table[1..]].concat();
    let found = cells(&xlsx(&[("Data", &gap, &[])]), None).unwrap();
    assert_eq!((found.names()[0].as_str(), found.rows()), ("x", 2));
}

#[test]
fn an_index_without_a_name_is_no_title() {
    let rows: &[&[Cell]] = &[
        &[Empty, Text("x"), Text("y")],
        &[Number(0.0), Number(1.0), Number(2.0)],
        &[Number(1.0), Number(3.0), Number(4.0)],
    ];
    let found = cells(&xlsx(&[("Sheet1", rows, &[])]), None).unwrap();
    assert_eq!((found.names(), found.rows()), (&["column 1", "x", "y"].map(String::from)[..], 2));
}

#[test]
fn joined_cells_of_a_column_have_one_value_and_those_of_a_row_are_a_title() {
    let rows: &[&[Cell]] = &[
        &[Text("site"), Text("wind"), Empty, Text("y")],
        &[Empty, Text("speed"), Text("direction"), Empty],
        &[Text("a"), Number(1.0), Number(10.0), Number(3.0)],
        &[Empty, Number(2.0), Number(20.0), Number(4.0)],
        &[Text("b"), Number(2.0), Number(20.0), Number(4.5)],
    ];
    let found =
        cells(&xlsx(&[("Data", rows, &["A1:A2", "B1:C1", "D1:D2", "A3:A4"])]), None).unwrap();
    assert_eq!(found.names(), ["site", "speed", "direction", "y"]);
    assert_eq!(texts(&found)[0], ["a", "a", "b"]);
    assert!(topics(&found).contains(&Topic::MergedCells));
}

#[test]
fn failed_cells_are_missing_and_named_by_address_and_column() {
    let rows: &[&[Cell]] = &[
        &[Text("x"), Text("y")],
        &[Number(1.0), Failed("#N/A")],
        &[Failed("#DIV/0!"), Number(2.0)],
        &[Number(2.0), Number(2.0)],
    ];
    let found = cells(&xlsx(&[("Data", rows, &[])]), None).unwrap();
    assert_eq!(texts(&found), [["1", "#DIV/0!", "2"], ["#N/A", "2", "2"]]);
    let finding =
        found.findings().iter().find(|finding| finding.topic == Topic::FailedCells).unwrap();
    assert_eq!(finding.columns, ["x", "y"]);
    assert!(
        finding.text.to_string().contains("B2") && finding.text.to_string().contains("A3"),
        "{}",
        finding.text
    );
}

#[test]
fn a_sheet_is_chosen_by_name_and_the_first_one_is_told() {
    let sheet = |name: &'static str| -> Vec<Vec<Cell>> {
        vec![vec![Text(name), Text("y")], vec![Number(1.0), Number(2.0)]]
    };
    let (a, b) = (sheet("a"), sheet("b"));
    let rows = |sheet: &'static [Vec<Cell>]| sheet.iter().map(Vec::as_slice).collect::<Vec<_>>();
    let [a, b] = [a, b].map(|sheet| rows(Vec::leak(sheet)));
    let book = xlsx(&[("First", &a, &[]), ("Second", &b, &[])]);
    let first = cells(&book, None).unwrap();
    assert_eq!((first.names()[0].as_str(), topics(&first)), ("a", vec![Topic::Sheet]));
    let second = cells(&book, Some("Second")).unwrap();
    assert_eq!((second.names()[0].as_str(), topics(&second)), ("b", vec![]));
    let error = cells(&book, Some("Secnd")).unwrap_err();
    assert!(error.is_usage());
    let OwnError::UnknownSheet { nearest, known, .. } = error else { panic!("{error}") };
    assert_eq!(nearest.as_deref(), Some("Second"));
    assert!(known.contains("First"));
    assert!(cells(b"x,y\n1,2\n", Some("Data")).is_err(), "that is no workbook");
}

#[test]
fn where_the_first_sheet_has_no_such_table_the_others_are_named() {
    let text: &[&[Cell]] = &[&[Text("About"), Text("this file")], &[Text("Made by"), Text("us")]];
    let title: &[&[Cell]] = &[&[Text("About this file")]];
    let table: &[&[Cell]] = &[&[Text("x"), Text("y")], &[Number(1.0), Number(2.0)]];
    let of_title = cells(&xlsx(&[("About", title, &[]), ("Data", table, &[])]), None).unwrap_err();
    let of_nothing = cells(&xlsx(&[("About", &[], &[]), ("Data", table, &[])]), None).unwrap_err();
    let of_text = cells(&xlsx(&[("About", text, &[]), ("Data", table, &[])]), None).unwrap();
    let of_text = of_text.named(Setting::Target, "y").unwrap_err();
    for error in [of_title, of_nothing, of_text] {
        assert!(error.to_string().contains("\"Data\""), "{error}");
    }
}

#[test]
fn open_document_is_read() {
    let rows = "<table:table-row><table:table-cell \
                office:value-type=\"string\"><text:p>id</text:p></table:table-cell><table:table-cell \
                office:value-type=\"string\"><text:p>day</text:p></table:table-cell><table:table-cell \
                office:value-type=\"string\"><text:p>y</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell \
                office:value-type=\"float\" \
                office:value=\"3\"><text:p>3</text:p></table:table-cell><table:table-cell \
                office:value-type=\"date\" \
                office:date-value=\"2024-01-31\"><text:p>31.01.24</text:p></table:table-cell><table:table-cell \
                office:value-type=\"percentage\" office:value=\"0.5\"><text:p>50 \
                %</text:p></table:table-cell></table:table-row><table:table-row \
                table:number-rows-repeated=\"1000000\"><table:table-cell \
                table:number-columns-repeated=\"16384\"/></table:table-row>";
    let found = cells(&ods(rows), None).unwrap();
    assert_eq!(found.names(), ["id", "day", "y"]);
    assert_eq!(texts(&found), [["3"], ["2024-01-31"], ["0.5"]]);
    let bomb = "<table:table-row table:number-rows-repeated=\"1000000\"><table:table-cell \
                table:number-columns-repeated=\"16384\" office:value-type=\"float\" \
                office:value=\"1\"><text:p>1</text:p></table:table-cell></table:table-row>";
    assert!(matches!(cells(&ods(bomb), None), Err(OwnError::Shape { .. })), "too many cells");
}

/// Written by xlwt: the sheets "Data" and "Other", with dates and percentages.
const XLS: &[u8] = include_bytes!("../../../../../tests/data/book.xls");

#[test]
fn an_old_workbook_is_read() {
    let found = cells(XLS, None).unwrap();
    assert_eq!(found.names(), ["id", "day", "share", "y"]);
    assert_eq!(texts(&found)[0], ["3", "4"]);
    assert_eq!(texts(&found)[1], ["2024-01-31", "2024-02-01"]);
    assert_eq!(texts(&found)[2], ["0.125", "0.25"]);
    assert_eq!(cells(XLS, Some("Other")).unwrap().names(), ["a", "b"]);
}

#[test]
fn damage_and_size_are_errors() {
    let rows: &[&[Cell]] = &[&[Text("x"), Text("y")], &[Number(1.0), Number(2.0)]];
    let book = xlsx(&[("Data", rows, &[])]);
    for length in [10, book.len() / 2, book.len() - 5] {
        assert!(cells(&book[..length], None).is_err(), "{length}");
    }
    for length in [600, XLS.len() / 2] {
        assert!(cells(&XLS[..length], None).is_err(), "{length} of the old one");
    }
    assert!(cells(&xlsx(&[("Data", &[], &[])]), None).is_err(), "an empty sheet");
    assert!(cells(&xlsx(&[("Data", &rows[..1], &[])]), None).is_err(), "no rows");
    assert!(
        matches!(cells(&corners(), None), Err(OwnError::Shape { .. })),
        "17 billion cells around two"
    );
}

#[test]
fn a_table_of_a_workbook_is_that_of_its_csv_file() {
    let lines: Vec<Vec<Cell>> = std::iter::once(vec![Text("x"), Text("colour"), Text("y")])
        .chain((0..30).map(|i| {
            let colour = ["red", "green"][i % 2];
            vec![Number((i * i) as f64), Text(colour), Number(i as f64 * 0.75)]
        }))
        .collect();
    let rows: Vec<&[Cell]> = lines.iter().map(Vec::as_slice).collect();
    let text: String = (0..30)
        .map(|i| format!("{},{},{}\n", i * i, ["red", "green"][i % 2], i as f64 * 0.75))
        .collect();
    let csv = Cells::parse("my.csv", format!("x,colour,y\n{text}").as_bytes()).unwrap();
    let book = cells(&xlsx(&[("Data", &rows, &[])]), None).unwrap();
    let [a, b] = [&csv, &book].map(|cells| OwnTable::new(cells, "y", &[]).unwrap());
    assert_eq!((a.table, a.encoding), (b.table, b.encoding));
}

/// A workbook of `rows` rows of a text of `letters` letters, which is written once, and a number.
fn shared(letters: usize, rows: usize, merged: &str) -> Vec<u8> {
    let book = xlsx(&[("Data", &[&[Text("x"), Text("y")]], &[])]);
    let mut archive = ZipArchive::new(Cursor::new(&book[..])).unwrap();
    let mut parts = Vec::new();
    for i in 0..archive.len() {
        let (mut part, mut text) = (archive.by_index(i).unwrap(), String::new());
        std::io::Read::read_to_string(&mut part, &mut text).unwrap();
        parts.push((part.name().unwrap().into_owned(), text));
    }
    let own = |row: usize| {
        let text = if merged.is_empty() || row == 2 {
            format!("<c r=\"A{row}\" t=\"s\"><v>0</v></c>")
        } else {
            String::new()
        };
        format!("<row r=\"{row}\">{text}<c r=\"B{row}\"><v>{row}</v></c></row>")
    };
    let rows: String = (2..rows + 2).map(own).collect();
    for (_, text) in parts.iter_mut().filter(|(name, _)| name.ends_with("sheet1.xml")) {
        *text = text.replace("</sheetData>", &format!("{rows}</sheetData>{merged}"));
    }
    let texts = format!("<sst xmlns=\"{MAIN}\"><si><t>{}</t></si></sst>", "a".repeat(letters));
    parts.push(("xl/sharedStrings.xml".into(), texts));
    zip_of_all(
        &parts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect::<Vec<_>>(),
    )
}

#[test]
fn a_text_that_is_written_once_counts_in_each_cell_that_has_it() {
    assert!(matches!(cells(&shared(200_000, 3000, ""), None), Err(OwnError::Unreadable { .. })));
    let merged = "<mergeCells><mergeCell ref=\"A2:A3001\"/></mergeCells>";
    assert!(cells(&shared(200_000, 3000, merged), None).is_err(), "joined cells");
    for (letters, rows, merged) in [(1000, 20_000, ""), (32_000, 50, ""), (1000, 3000, merged)] {
        let read = cells(&shared(letters, rows, merged), None).unwrap();
        let lengths: Vec<usize> = read.texts(0).map(str::len).collect();
        assert_eq!(lengths, vec![letters; rows]);
    }
}

#[test]
fn a_repeated_text_of_opendocument_counts_as_often_as_it_is_repeated() {
    let text = |letters: usize| {
        format!(
            "office:value-type=\"string\"><text:p>{}</text:p></table:table-cell>",
            "a".repeat(letters)
        )
    };
    let header = "<table:table-row><table:table-cell \
                  office:value-type=\"string\"><text:p>x</text:p></table:table-cell></table:table-row>";
    let rows = |letters: usize, repeats: usize| {
        ods(&format!(
            "{header}<table:table-row table:number-rows-repeated=\"{repeats}\"><table:table-cell \
             {}</table:table-row>",
            text(letters)
        ))
    };
    assert!(matches!(cells(&rows(200_000, 100_000), None), Err(OwnError::Unreadable { .. })));
    let blanks = "<table:table-cell office:value-type=\"string\"><text:p>a<text:s \
                  text:c=\"9999999999\"/></text:p></table:table-cell>";
    assert!(
        cells(&ods(&format!("{header}<table:table-row>{blanks}</table:table-row>")), None).is_err()
    );
    let read = cells(&rows(1000, 2000), None).unwrap();
    assert_eq!(read.texts(0).map(str::len).collect::<Vec<_>>(), vec![1000; 2000]);
}
