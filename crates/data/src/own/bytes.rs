//! Read a user's file or standard input as bytes, decompress it, and decode it as text.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::charset::{Charset, Malformed, likely, unmarked_utf16};
use super::error::{OwnError, shape};
use super::layout::line_of;
use super::signature::foreign;
use super::words::{Setting, Words};
use uqbench_system::named_file::read_named;

/// Largest file that is read, in bytes, after decompression.
pub(super) const LIMIT: u64 = 512 << 20;

/// What a text file should be.
const CSV: &str = "text in UTF-8; save the table as \"CSV UTF-8\"";

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
        unreadable(format!(
            "this is a gzip file that cannot be decompressed: {error}; is it damaged or cut?"
        ))
    };
    let too_large = || {
        unreadable(format!(
            "larger than {} MiB; try a random part of its rows, header included",
            LIMIT >> 20
        ))
    };
    let all = |source: &mut dyn Read, failed: &dyn Fn(io::Error) -> OwnError| {
        let mut bytes = Vec::new();
        source.take(LIMIT + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LIMIT { Err(too_large()) } else { Ok(bytes) }
    };
    let bytes = if is_standard_input(path) {
        all(&mut io::stdin().lock(), &failed)?
    } else {
        read_named(path, LIMIT).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => too_large(),
            _ => failed(error),
        })?
    };
    if bytes.starts_with(b"\x1f\x8b") {
        Ok((all(&mut MultiGzDecoder::new(&bytes[..]), &damaged)?, true))
    } else {
        Ok((bytes, false))
    }
}

/// The file as text without a byte order mark.
pub(super) fn text_of<'a>(
    file: &str,
    bytes: &'a [u8],
    charset: Charset,
) -> Result<Cow<'a, str>, OwnError> {
    if let Some((found, expected)) = foreign(bytes) {
        return Err(shape(file, found, expected));
    }
    if charset.is_utf16() && !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok() {
        let expected =
            Words::from(format!("text in {charset}, as asked for; leave out ")) + Setting::Encoding;
        return Err(shape(file, "text in UTF-8", expected));
    }
    let text = charset.decode(bytes).map_err(|Malformed { place, line }| {
        if charset != Charset::UTF_8 {
            let found = format!("bytes in line {line} that are no text in {charset}");
            let expected = Words::from("the encoding that the file is in; ")
                + Setting::Encoding
                + " NAME chooses another one";
            return shape(file, &found, expected);
        }
        let readings = likely(bytes, place);
        let expected = match readings == Words::default() {
            true => CSV.into(),
            false => Words::from(format!("{CSV}, or name its encoding: ")) + readings,
        };
        shape(file, &format!("bytes in line {line} that are not UTF-8"), expected)
    })?;
    match text.find('\0') {
        Some(place) => {
            let line = line_of(text.as_bytes(), place);
            let hint = unmarked_utf16(bytes).map(|charset| {
                Words::from(", or try ") + Setting::Encoding + format!(" {charset}")
            });
            let expected = Words::from(CSV) + hint.unwrap_or_default();
            Err(shape(file, &format!("a zero byte in line {line}"), expected))
        }
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
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
        assert!(
            error.starts_with("my.csv.gz: this is a gzip file that cannot be decompressed: "),
            "{error}"
        );
    }

    #[test]
    fn an_encoding_is_read_where_it_is_named_or_marked() {
        let bytes = b"Gr\xf6\xdfe,y\n1,2\n";
        assert_eq!(text_of("f", bytes, Charset::LATIN_1).unwrap(), "Größe,y\n1,2\n");
        assert!(
            text_of("f", bytes, Charset::UTF_8)
                .unwrap_err()
                .to_string()
                .contains("`encoding` latin-1")
        );
        let cyrillic =
            text_of("f", b"\xc3\xee\xf0\xee\xe4,y\n", Charset::UTF_8).unwrap_err().to_string();
        assert!(
            cyrillic.contains("`encoding` windows-1251") && !cyrillic.contains("latin-1"),
            "{cyrillic}"
        );
        assert!(text_of("f", b"x,y\n", "utf-16le".parse().unwrap()).is_err(), "that is no UTF-16");
    }

    #[test]
    fn utf_16_without_a_mark_is_recognised_by_its_zero_bytes() {
        let wide = |swap: bool| -> Vec<u8> {
            "x,y\n1,2\n".bytes().flat_map(|byte| if swap { [0, byte] } else { [byte, 0] }).collect()
        };
        for (swap, name) in [(false, "utf-16le"), (true, "utf-16be")] {
            let told = text_of("f", &wide(swap), Charset::UTF_8).unwrap_err().to_string();
            assert!(told.contains(&format!("`encoding` {name}")), "{told}");
            assert_eq!(text_of("f", &wide(swap), name.parse().unwrap()).unwrap(), "x,y\n1,2\n");
        }
        assert!(
            !text_of("f", b"x,y\n1,\0\n", Charset::UTF_8)
                .unwrap_err()
                .to_string()
                .contains("`encoding`")
        );
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
