//! Recognise a file of another kind than text by how it begins, and say what to do with it.

/// What a file is, how the files of this kind begin, and what is expected in its place.
type Kind = (&'static str, &'static [u8], &'static str);

const CSV: &str = "text in UTF-8; save the table as \"CSV UTF-8\"";
const UNPACKED: &str = "text, Parquet or gzip; decompress it first";
const TABLE: &str = "text or Parquet; write the table as CSV with the program that made the file";

const KINDS: [Kind; 16] = [
    ("text in UTF-32", b"\xff\xfe\0\0", CSV),
    ("text in UTF-32", b"\0\0\xfe\xff", CSV),
    ("a file compressed by xz", b"\xfd7zXZ\0", UNPACKED),
    ("a file compressed by Zstandard", b"\x28\xb5\x2f\xfd", UNPACKED),
    ("a 7z archive", b"7z\xbc\xaf\x27\x1c", UNPACKED),
    ("an Arrow or Feather file", b"ARROW1\0\0", TABLE),
    ("an HDF5 file", b"\x89HDF", TABLE),
    ("an SQLite database", b"SQLite format 3\0", TABLE),
    ("arrays of NumPy", b"\x93NUMPY", TABLE),
    ("a pickle of Python", b"\x80\x04\x95", TABLE),
    ("a pickle of Python", b"\x80\x05\x95", TABLE),
    ("objects of R (.RData)", b"RDX2\n", TABLE),
    ("objects of R (.RData)", b"RDX3\n", TABLE),
    ("an object of R (.rds)", b"X\n\0\0\0", TABLE),
    ("a PDF document", b"%PDF-", TABLE),
    ("an Avro file", b"Obj\x01", TABLE),
];

/// What a file is and what is expected in its place; `None` where it may be text.
pub(super) fn foreign(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let known = KINDS.iter().find(|(_, begin, _)| bytes.starts_with(begin));
    let known = known.map(|(found, _, expected)| (*found, *expected));
    known.or_else(|| bzipped(bytes)).or_else(|| zipped(bytes)).or_else(|| marked_up(bytes))
}

/// Of files of bzip2, which begin with a level between two words.
fn bzipped(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let is_it = bytes.starts_with(b"BZh") && bytes.get(4..10) == Some(b"1AY&SY");
    is_it.then_some(("a file compressed by bzip2", UNPACKED))
}

/// Of files that begin as zip archives do.
fn zipped(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    // A whole one is read.
    let sheet = "a whole workbook; this one is cut or damaged: save it again, or its sheet as \
                 \"CSV UTF-8\"";
    match bytes.starts_with(b"PK\x03\x04") {
        false => None,
        true if has(b"xl/") => Some(("an Excel workbook (.xlsx)", sheet)),
        true if has(b"opendocument") => Some(("a spreadsheet of OpenDocument (.ods)", sheet)),
        true => Some(("a zip archive", "the table in it; unpack it first")),
    }
}

/// Of text that is no table.
fn marked_up(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let begins = |word: &str| {
        text.get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    let is_json = match text.split_first() {
        Some((b'{', rest)) => rest.trim_ascii_start().starts_with(b"\""),
        Some((b'[', rest)) => {
            rest.trim_ascii_start().starts_with(b"{") || rest.trim_ascii_start().starts_with(b"[")
        }
        _ => false,
    };
    if is_json {
        return Some(("JSON", "a table: text with a header and a line for each row, or Parquet"));
    }
    if begins("<!doctype html") || begins("<html") {
        return Some(("a page of the web (HTML)", "the file that it links to"));
    }
    begins("<?xml").then_some(("XML", TABLE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_kinds_are_named() {
        for (bytes, found) in [
            (
                &b"PK\x03\x04\x14\0\x06\0[Content_Types].xml \0xl/workbook.xml"[..],
                "an Excel workbook (.xlsx)",
            ),
            (b"PK\x03\x04\x14\0\0\0\x08\0my.csv", "a zip archive"),
            (b"\xfd7zXZ\0\0\x04", "a file compressed by xz"),
            (b"BZh91AY&SY", "a file compressed by bzip2"),
            (b"\xff\xfe\0\0x\0\0\0", "text in UTF-32"),
            (b"{\"x\": [1, 2]}", "JSON"),
            (b"\xef\xbb\xbf\n[ {\"x\": 1}]", "JSON"),
            (b"<!DOCTYPE html>\n<title>", "a page of the web (HTML)"),
        ] {
            assert_eq!(foreign(bytes).map(|(found, _)| found), Some(found));
        }
        for text in
            ["x,y\n1,2\n", "[x],y\n", "{x},y\n", "", "BZhours,y\n", "% of men,y\n1,2\n", "<1,y\n"]
        {
            assert_eq!(foreign(text.as_bytes()), None, "{text}");
        }
    }
}
