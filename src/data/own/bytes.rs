//! Read a user's file or standard input as bytes, decompress it, and decode it as text.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::error::{OwnError, shape};
use super::layout::line_of;

/// Largest file that is read, in bytes, after decompression.
const LIMIT: u64 = 512 << 20;

/// How the bytes of a text file stand for characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Charset {
    /// UTF-8, with or without a byte order mark.
    #[default]
    #[value(name = "utf-8")]
    Utf8,
    /// ISO 8859-1: one byte for each character of Western Europe.
    #[value(name = "latin-1")]
    Latin1,
}

/// Whether a path stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of a file or of standard input (`-`), and whether gzip had compressed them.
pub(super) fn read(path: &Path, name: &str) -> Result<(Vec<u8>, bool), OwnError> {
    let unreadable = |message: String| OwnError::Unreadable { file: name.into(), message };
    let failed = |error: io::Error| unreadable(format!("cannot be read: {error}"));
    if path.is_dir() {
        return Err(unreadable("this is a folder, expected a CSV file".into()));
    }
    let all = |source: &mut dyn Read| {
        let mut bytes = Vec::new();
        source.take(LIMIT + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LIMIT {
            let most = LIMIT >> 20;
            return Err(unreadable(format!("larger than {most} MiB; try a random part of its rows, header included")));
        }
        Ok(bytes)
    };
    let bytes = if is_standard_input(path) {
        all(&mut io::stdin().lock())?
    } else {
        all(&mut File::open(path).map_err(failed)?)?
    };
    if bytes.starts_with(b"\x1f\x8b") {
        Ok((all(&mut MultiGzDecoder::new(&bytes[..]))?, true))
    } else {
        Ok((bytes, false))
    }
}

/// The file as text without a byte order mark.
pub(super) fn text_of<'a>(file: &str, bytes: &'a [u8], charset: Charset) -> Result<Cow<'a, str>, OwnError> {
    let csv = "text in UTF-8; save the table as \"CSV UTF-8\"";
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err(shape(file, "a spreadsheet or an archive", csv));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(shape(file, "text in UTF-16", csv));
    }
    let text: Cow<str> = match charset {
        Charset::Latin1 => bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into(),
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
        assert!(error.starts_with("my.csv.gz: cannot be read: "), "{error}");
    }

    #[test]
    fn latin_1_is_read_where_it_is_named() {
        let bytes = b"Gr\xf6\xdfe,y\n1,2\n";
        assert_eq!(text_of("f", bytes, Charset::Latin1).unwrap(), "Größe,y\n1,2\n");
        let error = text_of("f", bytes, Charset::Utf8).unwrap_err().to_string();
        assert!(
            error.contains("bytes in line 1 that are not UTF-8") && error.contains("--encoding latin-1"),
            "{error}"
        );
    }
}
