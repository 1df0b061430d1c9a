//! Know how the bytes of a text file stand for characters: by a byte order mark, or by the name of
//! an encoding.

mod likely;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use encoding_rs::{
    BIG5, DecoderResult, EUC_KR, Encoding, GBK, MACINTOSH, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1252, X_USER_DEFINED,
};
use serde::{Deserialize, Serialize};

use super::finding::{Finding, Topic};
use super::layout::line_of;
use super::words::{Setting, Words};

pub(super) use likely::likely;

/// How the bytes of a text file stand for characters: an encoding of the WHATWG's Encoding
/// Standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Charset(&'static Encoding);

/// Names that people and programs use beside those of the standard, in small letters.
const NAMES: [(&str, &Encoding); 14] = [
    ("latin-1", WINDOWS_1252),
    ("cp-1252", WINDOWS_1252),
    ("utf-8-sig", UTF_8),
    ("utf16", UTF_16LE),
    ("utf-16-le", UTF_16LE),
    ("utf-16-be", UTF_16BE),
    ("utf16le", UTF_16LE),
    ("utf16be", UTF_16BE),
    ("cp932", SHIFT_JIS),
    ("cp936", GBK),
    ("cp949", EUC_KR),
    ("cp950", BIG5),
    ("mac-roman", MACINTOSH),
    ("macroman", MACINTOSH),
];

/// Fewest characters beyond ASCII from which on bytes of an encoding of several bytes are not UTF-8
/// by chance.
const NO_CHANCE: usize = 4;

/// Fewest zero bytes that are no accident.
const FEWEST_ZEROS: usize = 4;

/// Why bytes are no text in an encoding.
pub(super) struct Malformed {
    /// The byte at which it stops.
    pub place: usize,
    /// The line of that byte, from 1.
    pub line: u64,
}

impl Default for Charset {
    fn default() -> Self {
        Self(UTF_8)
    }
}

impl Charset {
    /// UTF-8, with or without a byte order mark.
    pub const UTF_8: Self = Self(UTF_8);
    /// One byte for each character of Western Europe, as Windows-1252, which is ISO 8859-1 with
    /// more characters.
    pub const LATIN_1: Self = Self(WINDOWS_1252);

    /// The encoding of a file that is said to have this one, and what to note: a byte order mark
    /// outweighs an option, and so do the zero bytes of UTF-16 where the option is UTF-8.
    pub(super) fn or_marked(self, file: &str, bytes: &[u8]) -> (Self, Option<Finding>) {
        let marked = Encoding::for_bom(bytes)
            .map(|(marked, _)| Self(marked))
            .filter(|marked| *marked != self);
        let unmarked = || {
            unmarked_utf16(bytes).filter(|wide| self == Self::UTF_8 && wide.decode(bytes).is_ok())
        };
        let Some(marked) = marked else {
            let Some(wide) = unmarked() else { return (self, None) };
            let text =
                format!("{file}: every other byte is zero, as in {wide}: it is read as {wide}");
            return (wide, Some(Finding::note(text).about(Topic::Encoding, [] as [&str; 0])));
        };
        let text = format!("{file}: it begins with the mark of {marked}, and is read as {marked}");
        (marked, Some(Finding::note(text).about(Topic::Encoding, [] as [&str; 0])))
    }

    /// The warning on text in UTF-8 that is to be read in another encoding.
    pub(super) fn warning_of_utf8(self, file: &str, bytes: &[u8]) -> Option<Finding> {
        if self == Self::UTF_8 || self.is_utf16() || bytes.is_ascii() {
            return None;
        }
        let text = std::str::from_utf8(bytes).ok()?;
        let is_certain = self.0.is_single_byte()
            || text.chars().filter(|c| !c.is_ascii()).nth(NO_CHANCE - 1).is_some();
        is_certain.then(|| {
            let becomes = "each letter beyond ASCII becomes others";
            let told = format!(
                "{file}: this is text in UTF-8, which is read as {self}: {becomes}; leave out "
            );
            Finding::warning(Words::from(told) + Setting::Encoding)
                .about(Topic::Encoding, [] as [&str; 0])
        })
    }

    /// Whether each character has two or four bytes.
    pub(super) fn is_utf16(self) -> bool {
        [UTF_16LE, UTF_16BE].contains(&self.0)
    }

    /// The text that these bytes stand for, without a byte order mark.
    pub(super) fn decode(self, bytes: &[u8]) -> Result<Cow<'_, str>, Malformed> {
        let bytes = match Encoding::for_bom(bytes) {
            Some((marked, length)) if marked == self.0 => &bytes[length..],
            _ => bytes,
        };
        let text = self.0.decode_without_bom_handling_and_without_replacement(bytes);
        text.ok_or_else(|| self.malformed(bytes))
    }

    /// Where these bytes are no text.
    fn malformed(self, bytes: &[u8]) -> Malformed {
        if self == Self::UTF_8 {
            let place =
                std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
            return Malformed { place, line: line_of(bytes, place) };
        }
        let mut text = String::with_capacity(bytes.len().saturating_mul(3) + 16);
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let (end, read) = decoder.decode_to_string_without_replacement(bytes, &mut text, true);
        let width = if let DecoderResult::Malformed(width, after) = end {
            usize::from(width + after)
        } else {
            0
        };
        Malformed { place: read.saturating_sub(width), line: line_of(text.as_bytes(), text.len()) }
    }
}

/// The encoding of two bytes for each character that bytes without a mark are probably in:
/// characters of ASCII have a zero as every other byte, and no character has one as its other byte.
pub(super) fn unmarked_utf16(bytes: &[u8]) -> Option<Charset> {
    let part = &bytes[..bytes.len().min(1000)];
    let are_many = |zeros: usize| zeros >= FEWEST_ZEROS && 20 * zeros > part.len();
    let zeros =
        |first: usize| part.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    match [zeros(0), zeros(1)] {
        [0, second] if are_many(second) => Some(Charset(UTF_16LE)),
        [first, 0] if are_many(first) => Some(Charset(UTF_16BE)),
        _ => None,
    }
}

impl FromStr for Charset {
    type Err = String;

    /// Takes any name of the Encoding Standard, and the usual ones of programs, in either case.
    fn from_str(given: &str) -> Result<Self, String> {
        let name = given.trim().to_ascii_lowercase();
        let hyphened = name.replace('_', "-");
        let named = |name: &str| {
            let of_program =
                NAMES.iter().find(|(known, _)| *known == name).map(|(_, encoding)| *encoding);
            of_program.or_else(|| Encoding::for_label_no_replacement(name.as_bytes()))
        };
        let found = [&name, &hyphened, &hyphened.replacen("cp-", "cp", 1)]
            .into_iter()
            .find_map(|name| named(name));
        found.filter(|found| *found != X_USER_DEFINED).map(Self).ok_or_else(|| {
            "expected the name of an encoding, such as utf-8, latin-1, windows-1250, windows-1251, \
             koi8-r, utf-16le, gb18030, shift_jis, euc-kr or big5"
                .into()
        })
    }
}

impl TryFrom<String> for Charset {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl From<Charset> for String {
    fn from(charset: Charset) -> Self {
        charset.to_string()
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As people have called it before.
        if *self == Self::LATIN_1 {
            return f.write_str("latin-1");
        }
        f.write_str(&self.0.name().to_ascii_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_has_several_names() {
        for name in
            ["latin1", "Latin-1", "ISO-8859-1", "iso_8859-1", "windows-1252", "cp1252", "cp-1252"]
        {
            assert_eq!(name.parse(), Ok(Charset::LATIN_1), "{name}");
        }
        for (name, shown) in [
            ("UTF8", "utf-8"),
            ("cp1251", "windows-1251"),
            ("CP-1250", "windows-1250"),
            ("koi8_r", "koi8-r"),
            ("utf-16", "utf-16le"),
            ("UTF-16BE", "utf-16be"),
            ("cp936", "gbk"),
            ("GB18030", "gb18030"),
            ("sjis", "shift_jis"),
            ("euc_kr", "euc-kr"),
            ("big5", "big5"),
            ("iso8859_15", "iso-8859-15"),
        ] {
            let found: Charset = name.parse().unwrap();
            assert_eq!(found.to_string(), shown, "{name}");
            assert_eq!(shown.parse(), Ok(found), "what is shown is a name");
        }
        for name in ["cp437", "utf-32", "hz-gb-2312", "x-user-defined", ""] {
            assert!(name.parse::<Charset>().is_err(), "{name}");
        }
        let stored = serde_json::to_string(&[Charset::UTF_8, Charset::LATIN_1]).unwrap();
        assert_eq!(stored, "[\"utf-8\",\"latin-1\"]", "as older files have it");
        assert_eq!(serde_json::from_str::<Charset>("\"latin-1\"").unwrap(), Charset::LATIN_1);
    }

    #[test]
    fn latin_1_has_the_characters_of_windows_1252() {
        assert_eq!(Charset::LATIN_1.decode(b"Gr\xf6\xdfe").ok().unwrap(), "Größe");
        assert_eq!(
            Charset::LATIN_1.decode(b"\x80 5\x92s \x9f\xff\x81").ok().unwrap(),
            "€ 5’s Ÿÿ\u{81}"
        );
    }

    #[test]
    fn a_byte_order_mark_outweighs_the_named_encoding() {
        let bytes = "\u{feff}Größe,y\n".as_bytes();
        let (charset, note) = Charset::LATIN_1.or_marked("f", bytes);
        assert_eq!((charset, note.unwrap().topic), (Charset::UTF_8, Topic::Encoding));
        assert_eq!(charset.decode(bytes).ok().unwrap(), "Größe,y\n");
        assert_eq!(Charset::UTF_8.or_marked("f", bytes), (Charset::UTF_8, None));
        assert_eq!(Charset::LATIN_1.or_marked("f", b"x,y\n"), (Charset::LATIN_1, None));
        let (charset, note) = Charset::UTF_8.or_marked("f", b"\xff\xfex\0");
        assert!(charset.is_utf16() && note.is_some());
        assert_eq!(charset.decode(b"\xff\xfex\0").ok().unwrap(), "x");
    }

    #[test]
    fn text_in_utf_8_is_not_read_as_another_one_in_silence() {
        let warned = |name: &str, text: &str| {
            name.parse::<Charset>().unwrap().warning_of_utf8("f", text.as_bytes()).is_some()
        };
        assert!(warned("latin-1", "Größe,y") && warned("windows-1251", "é"));
        assert!(
            warned("gbk", "température, été, à")
                && !warned("utf-8", "Größe")
                && !warned("latin-1", "x,y")
        );
    }

    #[test]
    fn bytes_of_another_encoding_are_told_with_their_line() {
        for (name, bytes, place, line) in [
            ("utf-8", &b"a\n\nb\xff"[..], 4, 3),
            ("gb18030", b"a\nb\xff\n", 3, 2),
            ("shift_jis", b"a\n\n\x82", 3, 3),
            ("utf-16le", b"a\0\n\0b", 4, 2),
        ] {
            let charset: Charset = name.parse().unwrap();
            let Err(found) = charset.decode(bytes) else { panic!("{name}") };
            assert_eq!((found.place, found.line), (place, line), "{name}");
        }
    }
}
