//! Read numbers of which a limit alone is known, as laboratories write them: `<0.5`, `> 100`, `n.d.`.
//!
//! A column has limits only where its other cells are numbers: in a column of texts, `ND` is a state, and `<18` beside
//! `18-25` is a class.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::measure::is_measure;
use super::missing::is_missing_number;
use super::number::{Cell, Mark, is_nearly_all, written};

/// Fewest different numbers of a column that has limits: fewer are levels, such as `<5`, `5` and `>5`.
const FEWEST_NUMBERS: usize = 3;
/// Longest text of a limit in words, in characters.
const LONGEST: usize = 30;

/// What is taken for a number of which a limit alone is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Censored {
    /// Half of a limit that it is below, and the limit that it is above.
    #[default]
    Half,
    /// The limit.
    Limit,
    /// Nothing: it is missing.
    Missing,
    /// The text is a level of a category.
    Level,
}

impl Censored {
    /// Its name as a value of the option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Limit => "limit",
            Self::Missing => "missing",
            Self::Level => "level",
        }
    }
}

/// On which side of a limit a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    Below,
    Above,
}

/// A cell that states a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit<'a> {
    pub beyond: Beyond,
    /// The text of the limit; `None` where words stand for it.
    pub number: Option<&'a str>,
}

/// Signs and words before a limit. A sign of two characters comes before its first one.
const SIGNS: [(&str, Beyond); 22] = [
    ("<=", Beyond::Below),
    ("=<", Beyond::Below),
    ("<", Beyond::Below),
    ("\u{2264}", Beyond::Below),
    ("\u{2a7d}", Beyond::Below),
    ("\u{ff1c}", Beyond::Below),
    ("&lt;", Beyond::Below),
    ("below ", Beyond::Below),
    ("under ", Beyond::Below),
    ("less than ", Beyond::Below),
    ("lower than ", Beyond::Below),
    (">=", Beyond::Above),
    ("=>", Beyond::Above),
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

/// Words of laboratories for a number below a limit that they do not state, without points, blanks, hyphens and capitals.
const WORDS: [&str; 27] = [
    "nd",
    "bdl",
    "bld",
    "bql",
    "blq",
    "bloq",
    "brl",
    "bmdl",
    "lod",
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
    "nichtnachweisbar",
    "nondétecté",
];

impl<'a> Limit<'a> {
    /// The limit that a cell states.
    pub fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        if text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+')) || text.is_empty() {
            return None;
        }
        let behind = |(sign, beyond): &(&str, Beyond)| Some((behind(text, sign)?.trim(), *beyond));
        match SIGNS.iter().find_map(behind) {
            Some((number, beyond)) if is_numeral(number) => Some(Self { beyond, number: Some(number) }),
            Some((words, beyond)) if is_words(words) && (is_signed(text) || is_of_limit(words)) => {
                Some(Self { beyond, number: None })
            }
            None if is_word(text) => Some(Self { beyond: Beyond::Below, number: None }),
            _ => None,
        }
    }
}

/// The text behind a sign that it begins with.
fn behind<'a>(text: &'a str, sign: &str) -> Option<&'a str> {
    let (first, rest) = text.split_at_checked(sign.len())?;
    first.eq_ignore_ascii_case(sign).then_some(rest)
}

/// Whether a text is a number in some notation, perhaps with a unit.
fn is_numeral(text: &str) -> bool {
    let is_written = || [Mark::Point, Mark::Comma].iter().any(|mark| written(text, *mark).is_some());
    !is_missing_number(text) && (Cell::of(text) != Cell::Text || is_written() || is_measure(text))
}

/// Whether a text begins with a sign, not with a word.
fn is_signed(text: &str) -> bool {
    !text.starts_with(char::is_alphabetic)
}

/// Whether words are about a limit of detection or quantification.
fn is_of_limit(words: &str) -> bool {
    let words = words.to_lowercase();
    ["limit", "detect", "quant", "lod", "loq", "range"].iter().any(|part| words.contains(part))
}

/// Whether a text may name a limit, as `LOD` and `detection limit` do.
fn is_words(text: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, ' ' | '.' | '-' | '_');
    text.starts_with(char::is_alphabetic) && text.chars().count() <= LONGEST && text.chars().all(is_letter)
}

/// Whether a whole text says that nothing was found.
fn is_word(text: &str) -> bool {
    if text.len() > LONGEST {
        return false;
    }
    let letters: String = text.chars().filter(|c| !matches!(c, ' ' | '.' | '-' | '_' | '/')).collect();
    WORDS.contains(&letters.to_lowercase().as_str()) || text.eq_ignore_ascii_case("n.n.")
}

/// A column of numbers of which some are limits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LimitedColumn {
    /// Its place.
    pub place: usize,
    /// The texts of its limits, each with its rows.
    pub texts: BTreeMap<String, usize>,
}

impl LimitedColumn {
    /// The column at a place, if it has limits among numbers.
    pub fn find(cells: &Cells, place: usize) -> Option<Self> {
        if !cells.texts(place).any(|text| Limit::of(text).is_some()) {
            return None;
        }
        let mut texts: BTreeMap<String, usize> = BTreeMap::new();
        let (mut others, mut numerals) = (0, 0);
        let mut different: HashSet<&str> = HashSet::new();
        for text in cells.texts(place).filter(|text| !is_missing_number(text)) {
            if Limit::of(text).is_some() {
                *texts.entry(text.to_owned()).or_default() += 1;
                continue;
            }
            others += 1;
            if is_numeral(text) {
                numerals += 1;
                different.insert(text);
            }
        }
        (is_nearly_all(numerals, others) && different.len() >= FEWEST_NUMBERS).then_some(Self { place, texts })
    }

    /// For each of its texts the number that is taken for it.
    pub fn taken(&self, limits: &Limits, number_of: impl Fn(&str) -> Option<f64>) -> Vec<Option<f64>> {
        self.texts.keys().map(|text| limits.taken(Limit::of(text)?, &number_of)).collect()
    }

    /// Number of rows with a limit.
    pub fn rows(&self) -> usize {
        self.texts.values().sum()
    }
}

/// The cells with the numbers of their limits in place of these, and nothing in place of words.
pub(super) fn without_signs<'a>(cells: &'a Cells, limited: &[LimitedColumn]) -> Cow<'a, Cells> {
    replaced(cells, limited, |limit| limit.number.unwrap_or(""))
}

/// The cells without their limits.
pub(super) fn without_limits<'a>(cells: &'a Cells, limited: &[LimitedColumn]) -> Cow<'a, Cells> {
    replaced(cells, limited, |_| "")
}

fn replaced<'a>(cells: &'a Cells, limited: &[LimitedColumn], new: impl Fn(Limit<'a>) -> &'a str) -> Cow<'a, Cells> {
    let is_limited = |place: usize| limited.iter().any(|column| column.place == place);
    cells.replaced(|place, text| Limit::of(text).filter(|_| is_limited(place)).map(&new))
}

/// What is taken for the limits of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limits {
    reading: Censored,
    /// Whether half of a limit is taken, which says nothing where numbers are negative.
    halved: bool,
    /// What is taken for a number below a limit that is not stated; `None` where it is missing.
    below: Option<f64>,
    /// The same above one.
    above: Option<f64>,
}

impl Limits {
    /// Those of a column with these texts, whose numbers are read so.
    pub fn new<'a>(
        reading: Censored,
        texts: impl Iterator<Item = &'a str> + Clone,
        number_of: impl Fn(&str) -> Option<f64>,
    ) -> Self {
        let stated = |beyond: Beyond| {
            let limits = texts.clone().filter_map(Limit::of).filter(move |limit| limit.beyond == beyond);
            limits.filter_map(|limit| limit.number).filter_map(&number_of)
        };
        let measured = || texts.clone().filter(|text| Limit::of(text).is_none()).filter_map(&number_of);
        let has_negative = measured().chain(stated(Beyond::Below)).any(|number| number < 0.0);
        let halved = reading == Censored::Half && !has_negative;
        let lowest = measured().filter(|number| has_negative || *number > 0.0).reduce(f64::min);
        let below = stated(Beyond::Below).reduce(f64::min).or(lowest);
        let above = stated(Beyond::Above).reduce(f64::max).or(measured().reduce(f64::max));
        let mut limits = Self { reading, halved, below: None, above: None };
        if reading != Censored::Missing {
            limits.below = below.map(|limit| limits.below(limit));
            limits.above = above;
        }
        limits
    }

    /// What is taken for a number below a limit.
    fn below(&self, limit: f64) -> f64 {
        if self.halved { limit / 2.0 } else { limit }
    }

    /// The number that is taken for a limit, whose own number is read so; `None` where it is missing.
    pub fn taken(&self, limit: Limit, number_of: impl Fn(&str) -> Option<f64>) -> Option<f64> {
        match (limit.beyond, limit.number) {
            _ if self.reading == Censored::Missing => None,
            (Beyond::Below, Some(text)) => number_of(text).map(|limit| self.below(limit)),
            (Beyond::Above, Some(text)) => number_of(text),
            (Beyond::Below, None) => self.below,
            (Beyond::Above, None) => self.above,
        }
    }

    /// Whether a limit is missing.
    pub fn misses(&self, limit: Limit) -> bool {
        let of_words = if limit.beyond == Beyond::Below { self.below } else { self.above };
        self.reading == Censored::Missing || (limit.number.is_none() && of_words.is_none())
    }

    /// The reading in words.
    pub fn told(&self) -> String {
        let half = match (self.reading, self.halved) {
            (Censored::Missing, _) => return "they are missing".into(),
            (_, true) => "half of a limit is taken for a number below it, and the limit for one above it",
            (Censored::Half, false) => "the limit is taken, because half of it says nothing where numbers are negative",
            _ => "the limit is taken",
        };
        half.into()
    }
}
