//! Read a user's file or standard input as bytes, decompress it, and decode it as text.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};

use super::error::{OwnError, shape};
use super::finding::Finding;
use super::layout::line_of;
use super::signature::foreign;

/// Largest file that is read, in bytes, after decompression.
const LIMIT: u64 = 512 << 20;

/// How the bytes of a text file stand for characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
pub enum Charset {
    /// UTF-8, with or without a byte order mark.
    #[default]
    #[value(name = "utf-8", alias = "utf8")]
    #[serde(rename = "utf-8")]
    Utf8,
    /// One byte for each character of Western Europe, as Windows-1252, which is ISO 8859-1 with more characters.
    #[value(
        name = "latin-1",
        aliases = ["latin1", "iso-8859-1", "iso8859-1", "iso_8859-1", "windows-1252", "cp1252", "cp-1252"]
    )]
    #[serde(rename = "latin-1")]
    Latin1,
}

/// The mark of UTF-8 at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The characters of the bytes 0x80 to 0x9F in Windows-1252. The bytes that it leaves undefined are control characters,
/// as in the WHATWG's Encoding Standard.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

impl Charset {
    /// The encoding of a file that is said to have this one, and what to note: a byte order mark outweighs an option.
    pub(super) fn or_marked(self, file: &str, bytes: &[u8]) -> (Self, Option<Finding>) {
        if self == Self::Utf8 || !bytes.starts_with(BYTE_ORDER_MARK) {
            return (self, None);
        }
        (Self::Utf8, Some(Finding::note(format!("{file}: it begins with the mark of UTF-8, and is read as UTF-8"))))
    }

    /// The warning on text in UTF-8 that is to be read as Latin-1.
    pub(super) fn warning_of_utf8(self, file: &str, bytes: &[u8]) -> Option<Finding> {
        let is_utf8 = || !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok();
        (self == Self::Latin1 && is_utf8()).then(|| {
            Finding::warning(format!(
                "{file}: this is text in UTF-8, which is read as Latin-1: each letter such as ü becomes two others; leave out --encoding"
            ))
        })
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "utf-8",
            Self::Latin1 => "latin-1",
        })
    }
}

/// Whether a path stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of a file without its folder and its endings, such as `my` for `data/my.csv.gz`.
pub fn stem(path: &Path) -> String {
    if is_standard_input(path) {
        return "standard-input".into();
    }
    let is_compressed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    let stem = path.file_stem().map_or(path, Path::new);
    let stem = stem.file_stem().filter(|_| is_compressed).unwrap_or(stem.as_os_str());
    stem.to_string_lossy().into_owned()
}

/// The bytes of a file or of standard input (`-`), and whether gzip had compressed them.
pub(super) fn read(path: &Path, name: &str) -> Result<(Vec<u8>, bool), OwnError> {
    let unreadable = |message: String| OwnError::Unreadable { file: name.into(), message };
    if path.is_dir() {
        return Err(unreadable("this is a folder, expected a CSV file".into()));
    }
    let failed = |error: io::Error| unreadable(format!("cannot be read: {error}"));
    let damaged = |error: io::Error| {
        unreadable(format!("this is a gzip file that cannot be decompressed: {error}; is it damaged or cut?"))
    };
    let all = |source: &mut dyn Read, failed: &dyn Fn(io::Error) -> OwnError| {
        let mut bytes = Vec::new();
        source.take(LIMIT + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LIMIT {
            let most = LIMIT >> 20;
            return Err(unreadable(format!("larger than {most} MiB; try a random part of its rows, header included")));
        }
        Ok(bytes)
    };
    let bytes = if is_standard_input(path) {
        all(&mut io::stdin().lock(), &failed)?
    } else {
        all(&mut File::open(path).map_err(failed)?, &failed)?
    };
    if bytes.starts_with(b"\x1f\x8b") {
        Ok((all(&mut MultiGzDecoder::new(&bytes[..]), &damaged)?, true))
    } else {
        Ok((bytes, false))
    }
}

/// The file as text without a byte order mark.
pub(super) fn text_of<'a>(file: &str, bytes: &'a [u8], charset: Charset) -> Result<Cow<'a, str>, OwnError> {
    if let Some((found, expected)) = foreign(bytes) {
        return Err(shape(file, found, expected));
    }
    let csv = "text in UTF-8; save the table as \"CSV UTF-8\"";
    let text: Cow<str> = match charset {
        Charset::Latin1 => bytes.iter().map(|byte| windows(*byte)).collect::<String>().into(),
        Charset::Utf8 => {
            let text = std::str::from_utf8(bytes).map_err(|error| {
                let line = line_of(bytes, error.valid_up_to());
                let expected = format!("{csv}, or try --encoding latin-1");
                shape(file, &format!("bytes in line {line} that are not UTF-8"), &expected)
            })?;
            text.trim_start_matches('\u{feff}').into()
        }
    };
    match text.find('\0') {
        Some(place) => {
            let line = line_of(text.as_bytes(), place);
            Err(shape(file, &format!("a zero byte in line {line}"), csv))
        }
        None => Ok(text),
    }
}

/// The character of a byte in Windows-1252.
fn windows(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn a_compressed_file_is_read_as_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.csv.gz");
        let mut encoder = GzEncoder::new(File::create(&path).unwrap(), Compression::default());
        encoder.write_all(b"x,y\n1,2\n").unwrap();
        encoder.finish().unwrap();
        assert_eq!(read(&path, "my.csv.gz").unwrap(), (b"x,y\n1,2\n".to_vec(), true));
        std::fs::write(&path, b"\x1f\x8bnot gzip").unwrap();
        let error = read(&path, "my.csv.gz").unwrap_err().to_string();
        assert!(error.starts_with("my.csv.gz: this is a gzip file that cannot be decompressed: "), "{error}");
    }

    #[test]
    fn latin_1_is_read_where_it_is_named() {
        let bytes = b"Gr\xf6\xdfe,y\n1,2\n";
        assert_eq!(text_of("f", bytes, Charset::Latin1).unwrap(), "Größe,y\n1,2\n");
        assert_eq!(text_of("f", b"\x80 5\x92s \x9f\xff", Charset::Latin1).unwrap(), "€ 5’s Ÿÿ", "as in Windows-1252");
        assert_eq!(Charset::Latin1.warning_of_utf8("f", bytes), None);
        let both = [Charset::Latin1, Charset::Utf8]
            .map(|charset| charset.warning_of_utf8("f", "Größe,y".as_bytes()).is_some());
        assert_eq!(both, [true, false]);
        let error = text_of("f", bytes, Charset::Utf8).unwrap_err().to_string();
        assert!(
            error.contains("bytes in line 1 that are not UTF-8") && error.contains("--encoding latin-1"),
            "{error}"
        );
    }

    #[test]
    fn an_encoding_has_several_names() {
        use clap::ValueEnum;
        for name in ["latin1", "Latin-1", "ISO-8859-1", "windows-1252"] {
            assert_eq!(Charset::from_str(name, true), Ok(Charset::Latin1), "{name}");
        }
        assert_eq!(Charset::from_str("UTF8", true), Ok(Charset::Utf8));
        assert!(Charset::from_str("utf-16", true).is_err());
    }

    #[test]
    fn a_byte_order_mark_outweighs_the_named_encoding() {
        let bytes = "\u{feff}Größe,y\n1,2\n".as_bytes();
        let (charset, note) = Charset::Latin1.or_marked("f", bytes);
        assert_eq!(text_of("f", bytes, charset).unwrap(), "Größe,y\n1,2\n");
        assert!(note.unwrap().text.contains("is read as UTF-8"));
        assert_eq!(Charset::Utf8.or_marked("f", bytes), (Charset::Utf8, None));
        assert_eq!(Charset::Latin1.or_marked("f", b"x,y\n"), (Charset::Latin1, None));
    }

    #[test]
    fn the_stem_of_a_file_has_no_ending() {
        for (path, expected) in [
            ("a/my.csv.gz", "my"),
            ("my.csv", "my"),
            ("my.GZ", "my"),
            ("my.2024.csv", "my.2024"),
            ("my", "my"),
            ("-", "standard-input"),
        ] {
            assert_eq!(stem(Path::new(path)), expected, "{path}");
        }
    }
}
