//! Name the encodings that a file which is no UTF-8 may be in, by how its words would read.

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GB18030, IBM866, KOI8_R, MACINTOSH, SHIFT_JIS, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256,
};

use super::Charset;
use crate::own::words::{Setting, Words};
use uq_core::printable::printable;

/// Encodings that files without a mark are often in, the most frequent ones first.
const KNOWN: [&Encoding; 15] = [
    WINDOWS_1252,
    WINDOWS_1250,
    WINDOWS_1251,
    GB18030,
    SHIFT_JIS,
    EUC_KR,
    BIG5,
    KOI8_R,
    WINDOWS_1253,
    WINDOWS_1254,
    WINDOWS_1255,
    WINDOWS_1256,
    IBM866,
    MACINTOSH,
    encoding_rs::ISO_8859_2,
];
/// Most bytes of a file that are looked at.
const LOOKED_AT: usize = 1 << 16;
/// Longest part of a cell that is shown, in bytes to either side.
const SHOWN: usize = 40;
/// Most readings that are shown.
const MOST: usize = 8;
/// From this many odd places for each character beyond ASCII on, a reading is no text of people.
const ODD: f64 = 0.34;

/// Which encodings the bytes may be in, and how the cell at the given place reads in each, the
/// likeliest first, such as `latin-1 or windows-1250 reads the cell there as "Größe"`. Empty where
/// none reads it as text.
pub(in crate::own) fn likely(bytes: &[u8], place: usize) -> Words {
    let looked_at = lines_around(bytes, place);
    let cell = cell_around(bytes, place);
    let mut readings: Vec<Reading> = Vec::new();
    for encoding in KNOWN {
        let decode = |bytes| encoding.decode_without_bom_handling_and_without_replacement(bytes);
        let Some((text, cell)) = decode(looked_at).zip(decode(cell)) else { continue };
        let name = Charset(encoding).to_string();
        match readings.iter_mut().find(|reading| reading.cell == cell) {
            Some(reading) => {
                reading.oddness = reading.oddness.min(oddness(&text));
                reading.names.push(name);
            }
            None => readings.push(Reading {
                oddness: oddness(&text),
                is_latin: is_latin(&text),
                cell: cell.into_owned(),
                names: vec![name],
            }),
        }
    }
    // Words of one other script throughout are no chance; accented letters at random places are.
    let has_other_script =
        readings.iter().any(|reading| !reading.is_latin && reading.oddness == 0.0);
    let is_chance =
        |reading: &Reading| reading.is_latin && reading.oddness > 0.0 && has_other_script;
    readings.retain(|reading| reading.oddness < ODD && !is_chance(reading));
    readings.sort_by(|a, b| a.oddness.total_cmp(&b.oddness));
    let told = readings.iter().take(MOST).map(|Reading { cell, names, .. }| {
        let names = names.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(" or ");
        Setting::Encoding
            + format!(" {names} reads the cell there as \"{}\"", printable(cell.trim(), 60))
    });
    Words::joined(told, ", ")
}

/// How some encodings read a text.
struct Reading {
    /// Odd places for each character beyond ASCII.
    oddness: f64,
    /// Whether its letters are Latin ones.
    is_latin: bool,
    /// The cell that is shown.
    cell: String,
    /// The encodings.
    names: Vec<String>,
}

/// Whether no letter of a text is of another script than Latin.
fn is_latin(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).all(|c| script(c) == Script::Latin)
}

/// Whole lines around a place.
fn lines_around(bytes: &[u8], place: usize) -> &[u8] {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let before = &bytes[place.saturating_sub(LOOKED_AT / 4)..place];
    let start =
        place - before.iter().rposition(is_end).map_or(before.len(), |end| before.len() - end - 1);
    let limit = bytes.len().min(start + LOOKED_AT);
    let end = bytes[start..limit].iter().rposition(is_end).map_or(limit, |end| start + end + 1);
    // A line longer than that is cut.
    &bytes[start..end.max(limit.min(place + 1))]
}

/// The cell around a place.
fn cell_around(bytes: &[u8], place: usize) -> &[u8] {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r' | b',' | b';' | b'\t' | b'"');
    let before = &bytes[place.saturating_sub(SHOWN)..place];
    let start =
        place - before.iter().rposition(is_end).map_or(before.len(), |end| before.len() - end - 1);
    let after = &bytes[place..bytes.len().min(place + SHOWN)];
    &bytes[start..place + after.iter().position(is_end).unwrap_or(after.len())]
}

/// The scripts that letters are told apart by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    /// Chinese, Japanese, Korean; beside Latin letters in ordinary names.
    Asian,
    Other,
}

fn script(c: char) -> Script {
    match c {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => Script::Latin,
        '\u{370}'..='\u{3ff}' => Script::Greek,
        '\u{400}'..='\u{4ff}' => Script::Cyrillic,
        '\u{590}'..='\u{5ff}' => Script::Hebrew,
        '\u{600}'..='\u{6ff}' => Script::Arabic,
        '\u{3041}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' => {
            Script::Asian
        }
        _ => Script::Other,
    }
}

/// Signs of units and of money beside which numbers stand in any encoding.
const SIGNS: &str = "°µμ²³±€£¥§·–—’‘“”„«»…×÷½¼¾№ªº、。（）：％℃；，！？・「」々ー";

/// How many places of a text no person would write, for each character beyond ASCII: letters of two
/// scripts in one word, a small letter before a capital, three accented letters in a row, and signs
/// that stand in no name.
fn oddness(text: &str) -> f64 {
    let beyond = text.chars().filter(|c| !c.is_ascii()).count();
    let (mut odd, mut before, mut accented) = (0_usize, None::<char>, 0_usize);
    for c in text.chars() {
        let is_letter = c.is_alphabetic();
        let is_latin = script(c) == Script::Latin;
        accented = if is_letter && is_latin && !c.is_ascii() { accented + 1 } else { 0 };
        if !c.is_ascii() {
            odd += usize::from(!is_letter && !SIGNS.contains(c))
                + usize::from(is_letter && script(c) == Script::Other);
        }
        if let Some(last) = before
            .filter(|last| is_letter && last.is_alphabetic() && !(last.is_ascii() && c.is_ascii()))
        {
            let mixed =
                script(last) != script(c) && ![script(last), script(c)].contains(&Script::Asian);
            odd += usize::from(mixed) + usize::from(last.is_lowercase() && c.is_uppercase());
        }
        odd += usize::from(accented >= 3);
        before = Some(c);
    }
    odd as f64 / beyond.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the first reading of a text that was written in an encoding.
    fn first(name: &str, text: &str) -> String {
        let charset: Charset = name.parse().unwrap();
        let (bytes, _, _) = charset.0.encode(text);
        let place = std::str::from_utf8(&bytes).unwrap_err().valid_up_to();
        likely(&bytes, place).to_string().split(" reads").next().unwrap_or_default().to_owned()
    }

    #[test]
    fn the_script_of_the_words_tells_the_encoding() {
        for (name, text) in [
            ("latin-1", "Größe,Länge,y\n1,2,3\n"),
            ("latin-1", "température,été,y\n1,2,3\n"),
            ("windows-1251", "Город,Цена,y\nМосква,1,2\nТверь,3,4\n"),
            ("koi8-r", "Город,Цена,y\nМосква,1,2\nТверь,3,4\n"),
            ("windows-1253", "πόλη,τιμή,y\nΑθήνα,1,2\n"),
        ] {
            assert!(
                first(name, text).contains(&format!(" {name}")),
                "{name}: {}",
                first(name, text)
            );
        }
        // Its letters are other accented letters in latin-1, so that the reader has to choose.
        let (bytes, _, _) =
            encoding_rs::WINDOWS_1250.encode("město,příkon,y\nČáslav,1,2\nPlzeň,3,4\n");
        let czech = likely(&bytes, 1).to_string();
        assert!(czech.contains("windows-1250") && czech.contains("\"město\""), "{czech}");
        // Pairs of bytes are characters of several scripts.
        for (name, text, cell) in [
            ("shift_jis", "温度,ラベル,y\n東京,1,2\nおおさか,3,4\n", "温度"),
            ("euc-kr", "온도,도시,y\n서울,1,2\n", "온도"),
        ] {
            let (bytes, _, _) = name.parse::<Charset>().unwrap().0.encode(text);
            let told = likely(&bytes, 0).to_string();
            assert!(told.contains(name) && told.contains(&format!("\"{cell}\"")), "{name}: {told}");
        }
        let chinese = first("gbk", "温度,城市,y\n北京,1,2\n上海,3,4\n");
        assert!(chinese.contains("gb18030"), "{chinese}");
    }

    #[test]
    fn cyrillic_is_not_to_be_read_as_latin_letters() {
        let (bytes, _, _) =
            encoding_rs::WINDOWS_1251.encode("Город,Цена,y\nМосква,1,2\nТверь,3,4\n");
        assert!(!likely(&bytes, 0).to_string().contains("latin-1"), "{}", likely(&bytes, 0));
        assert!(likely(&bytes, 0).to_string().contains("\"Город\""));
        let (bytes, _, _) = encoding_rs::KOI8_R.encode("Город,Цена,y\nМосква,1,2\nТверь,3,4\n");
        assert!(!likely(&bytes, 0).to_string().contains("macintosh"), "{}", likely(&bytes, 0));
    }

    #[test]
    fn greek_and_traditional_chinese_are_among_the_readings() {
        for (encoding, name, text, cell) in [
            (WINDOWS_1253, "windows-1253", "πόλη,τιμή,y\nΑθήνα,1,2\nΠάτρα,3,4\n", "πόλη"),
            (BIG5, "big5", "溫度,城市,y\n臺北,1,2\n高雄,3,4\n", "溫度"),
        ] {
            let (bytes, _, _) = encoding.encode(text);
            let told = likely(&bytes, 0).to_string();
            assert!(told.contains(name) && told.contains(&format!("\"{cell}\"")), "{name}: {told}");
        }
    }

    #[test]
    fn the_cell_of_the_place_is_shown() {
        let bytes = b"x,Gr\xf6\xdfe;y\n1,2\n";
        assert_eq!(cell_around(bytes, 4), b"Gr\xf6\xdfe");
        assert_eq!(cell_around(b"\xf6", 0), b"\xf6");
        assert_eq!(lines_around(b"a\nb\xf6\nc", 3), b"b\xf6\n");
        assert_eq!(lines_around(b"\xf6", 0), b"\xf6");
    }
}
