//! Recognise a cell that states a limit in place of a number.

use super::Beyond;
use crate::own::missing::is_missing_number;
use crate::own::number::{Cell, Mark, is_written, written};
use crate::own::quantity::{is_measure, number_part};

/// Longest text of a limit in words, and longest remark behind one, in characters.
const LONGEST: usize = 30;

/// A cell that states a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::own) struct Limit<'a> {
    pub beyond: Beyond,
    /// The text of the limit, perhaps with its unit; `None` where words stand for it.
    pub number: Option<&'a str>,
}

/// Signs and words before a limit. A sign of two characters comes before its first one.
const SIGNS: [(&str, Beyond); 27] = [
    ("<=", Beyond::Below),
    ("=<", Beyond::Below),
    ("<<", Beyond::Below),
    ("<", Beyond::Below),
    ("\u{2264}", Beyond::Below),
    ("\u{2a7d}", Beyond::Below),
    ("\u{ff1c}", Beyond::Below),
    ("&lt;", Beyond::Below),
    ("below ", Beyond::Below),
    ("under ", Beyond::Below),
    ("less than ", Beyond::Below),
    ("lower than ", Beyond::Below),
    ("unter ", Beyond::Below),
    ("ниже ", Beyond::Below),
    ("inf. ", Beyond::Below),
    (">=", Beyond::Above),
    ("=>", Beyond::Above),
    (">>", Beyond::Above),
    (">", Beyond::Above),
    ("\u{2265}", Beyond::Above),
    ("\u{2a7e}", Beyond::Above),
    ("\u{ff1e}", Beyond::Above),
    ("&gt;", Beyond::Above),
    ("above ", Beyond::Above),
    ("over ", Beyond::Above),
    ("more than ", Beyond::Above),
    ("greater than ", Beyond::Above),
];

/// Signs behind a limit.
const SIGNS_BEHIND: [(&str, Beyond); 4] =
    [("<", Beyond::Below), ("\u{2264}", Beyond::Below), (">", Beyond::Above), ("+", Beyond::Above)];

/// Flags of laboratories beside the limit of what was not detected.
const FLAGS: [&str; 5] = ["U", "UJ", "UB", "UN", "UJB"];

/// Words for a number below a limit that they do not state, without points, blanks, hyphens and
/// capitals.
const BELOW: [&str; 57] = [
    "nd",
    "bdl",
    "bld",
    "bql",
    "blq",
    "bloq",
    "brl",
    "bmdl",
    "lod",
    "loq",
    "lloq",
    "nq",
    "nondetect",
    "nondetects",
    "nondetected",
    "nondetectable",
    "notdetected",
    "notdetectable",
    "notquantified",
    "notquantifiable",
    "notfound",
    "undetected",
    "undetectable",
    "belowdetection",
    "trace",
    "traces",
    "tr",
    "lo",
    "underrange",
    "underflow",
    "nichtnachweisbar",
    "nichtnachgewiesen",
    "nn",
    "udl",
    "unwg",
    "ubg",
    "spur",
    "spuren",
    "nondétecté",
    "nondetecté",
    "nondécelé",
    "infld",
    "inflq",
    "nodetectado",
    "trazas",
    "nonrilevato",
    "nonrilevabile",
    "tracce",
    "nãodetectado",
    "nietgedetecteerd",
    "ejpåvisat",
    "niewykryto",
    "но",
    "необнаружено",
    "未检出",
    "未檢出",
    "不検出",
];

/// Words for a number above a limit that they do not state, written likewise.
const ABOVE: [&str; 9] = [
    "hi",
    "overrange",
    "overflow",
    "aboverange",
    "offscale",
    "saturated",
    "uloq",
    "toohigh",
    "toonumeroustocount",
];

impl<'a> Limit<'a> {
    /// The limit that a cell states: a number behind or before a sign, behind words, or beside a
    /// flag, perhaps with a remark; or words alone.
    pub fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let first = text.chars().next()?;
        if first.is_ascii_digit() || matches!(first, '.' | '-' | '+' | '(') {
            return Self::behind_number(without_remark(text));
        }
        Self::behind_sign(text).or_else(|| Self::in_words(text))
    }

    /// The number of the limit, which is read so: with its unit, or without it where no number has
    /// one, or else with the decimal mark that alone makes a number of it.
    pub fn number(self, number_of: impl Fn(&str) -> Option<f64>) -> Option<f64> {
        let text = self.number?;
        let bare = number_part(text).unwrap_or(text);
        let point = || written(bare, Mark::Point);
        let comma = || written(bare, Mark::Comma);
        let other =
            || point().xor(comma()).or_else(|| point().filter(|number| comma() == Some(*number)));
        number_of(text).or_else(|| number_of(bare)).or_else(other)
    }

    /// A limit with a sign or a flag behind its number, such as `90+` or `0.5 U`.
    fn behind_number(text: &'a str) -> Option<Self> {
        let sign =
            |(sign, beyond): &(&str, Beyond)| Some((text.strip_suffix(sign)?.trim_end(), *beyond));
        let flag = |flag: &&str| Some((text.strip_suffix(flag)?.trim_end(), Beyond::Below));
        let (number, beyond) =
            SIGNS_BEHIND.iter().find_map(sign).or_else(|| FLAGS.iter().rev().find_map(flag))?;
        let ends_with_digit = number.ends_with(|c: char| c.is_ascii_digit() || c == '.');
        (ends_with_digit && is_plain(number)).then_some(Self { beyond, number: Some(number) })
    }

    /// A limit behind a sign or a word for one, such as `<0.5` or `below LOD`.
    fn behind_sign(text: &'a str) -> Option<Self> {
        let find = |(sign, beyond): &(&str, Beyond)| Some((behind(text, sign)?.trim(), *beyond));
        let (rest, beyond) = SIGNS.iter().find_map(find)?;
        let bare = without_remark(rest);
        let flagged = FLAGS.iter().find_map(|flag| bare.strip_suffix(flag)).map(str::trim_end);
        let number = [flagged, Some(rest), Some(bare)]
            .into_iter()
            .flatten()
            .find(|number| is_numeral(number));
        let behind_words = || {
            words_and_number(rest).filter(|(words, _)| is_of_limit(words)).map(|(_, number)| number)
        };
        if let Some(number) = number.or_else(behind_words) {
            return Some(Self { beyond, number: Some(number) });
        }
        let words = without_remark(rest);
        (is_words(words) && (is_signed(text) || is_of_limit(words)))
            .then_some(Self { beyond, number: None })
    }

    /// Words for a limit, alone or before its number, such as `ND` and `ND (0.5)`; a flag before
    /// it.
    fn in_words(text: &'a str) -> Option<Self> {
        let whole = || Some(Self { beyond: beyond_in_words(without_remark(text))?, number: None });
        let flagged = || {
            let number = FLAGS
                .iter()
                .find_map(|flag| text.strip_prefix(flag)?.strip_prefix(' '))
                .map(str::trim)?;
            is_plain(number).then_some(Self { beyond: Beyond::Below, number: Some(number) })
        };
        let numbered = || {
            let (words, number) = words_and_number(text)?;
            Some(Self { beyond: beyond_in_words(words)?, number: Some(number) })
        };
        whole().or_else(flagged).or_else(numbered)
    }
}

/// A text without stars and a remark in brackets at its end, such as `0.5` of `0.5* (LOD)`.
fn without_remark(text: &str) -> &str {
    let stars = |text: &'_ str| text.trim_end_matches(['*', '†', '‡', ' ']).len();
    let text = &text[..stars(text)];
    let brackets = || {
        let (before, remark) = text.strip_suffix(')')?.rsplit_once('(')?;
        let is_remark = remark.contains(char::is_alphabetic)
            && remark.chars().count() <= LONGEST
            && !before.trim().is_empty();
        is_remark.then(|| before.trim_end())
    };
    let text = brackets().unwrap_or(text);
    &text[..stars(text)]
}

/// Words and the number behind them, perhaps in brackets.
fn words_and_number(text: &str) -> Option<(&str, &str)> {
    let digit = text.find(|c: char| c.is_ascii_digit())?;
    let point = text[..digit]
        .strip_suffix('.')
        .filter(|before| before.ends_with([' ', '(', '[', '<', '=']));
    let (words, number) = text.split_at(point.map_or(digit, str::len));
    let words = words.trim_end_matches([' ', '(', '[', '<', '=', ':', '@']);
    let number = number.trim_end_matches([')', ']', ' ']);
    (!words.is_empty() && is_numeral(number))
        .then_some((words.strip_suffix(" at").unwrap_or(words), number))
}

/// The text behind a sign that it begins with, in any case.
fn behind<'a>(text: &'a str, sign: &str) -> Option<&'a str> {
    let (first, rest) = text.split_at_checked(sign.len())?;
    (first.to_lowercase() == sign).then_some(rest)
}

/// Whether a text is a number in some notation, perhaps with a unit.
pub(super) fn is_numeral(text: &str) -> bool {
    is_plain(text) || (!is_missing_number(text) && is_measure(text))
}

/// Whether a text is a number in some notation.
fn is_plain(text: &str) -> bool {
    !is_missing_number(text) && (Cell::of(text) != Cell::Text || is_written(text))
}

/// Whether a text begins with a sign, not with a word.
fn is_signed(text: &str) -> bool {
    !text.starts_with(char::is_alphabetic)
}

/// Whether words are about a limit of detection or quantification.
fn is_of_limit(words: &str) -> bool {
    let words = words.to_lowercase();
    let parts = [
        "limit",
        "detect",
        "quant",
        "lod",
        "loq",
        "range",
        "nwg",
        "nachweis",
        "bestimmung",
        "предел",
    ];
    let has_short = || words.split([' ', '.']).any(|word| ["ld", "lq", "по"].contains(&word));
    parts.iter().any(|part| words.contains(part)) || has_short()
}

/// Whether a text may name a limit, as `LOD` and `detection limit` do.
fn is_words(text: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, ' ' | '.' | '-' | '_');
    text.starts_with(char::is_alphabetic)
        && text.chars().count() <= LONGEST
        && text.chars().all(is_letter)
}

/// The side of a limit on which a number is by these words.
fn beyond_in_words(text: &str) -> Option<Beyond> {
    if text.chars().count() > LONGEST {
        return None;
    }
    let letters: String =
        text.chars().filter(|c| !matches!(c, ' ' | '.' | '-' | '_' | '/')).collect();
    let letters = letters.to_lowercase();
    let is_abbreviated = letters != "nn" || text.contains('.');
    if BELOW.contains(&letters.as_str()) && is_abbreviated {
        return Some(Beyond::Below);
    }
    ABOVE.contains(&letters.as_str()).then_some(Beyond::Above)
}
