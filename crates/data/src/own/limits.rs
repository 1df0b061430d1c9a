//! Read numbers of which a limit alone is known, as laboratories write them: `<0.5`, `> 100`,
//! `n.d.`.
//!
//! A column has limits only where its other cells are numbers: in a column of texts, `ND` is a
//! state, and `<18` beside `18-25` is a class.

mod limit;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::censored::Censored;
use super::missing::is_missing_number;
use super::number::is_nearly_all;

pub(super) use limit::Limit;
use limit::is_numeral;

/// Fewest different numbers of a column that has limits: fewer are levels, such as `<5`, `5` and
/// `>5`.
const FEWEST_NUMBERS: usize = 3;
/// Fewest different numbers of a column where limits are written like `90+`, which beside fewer
/// numbers is a level, such as `5+` bedrooms.
const FEWEST_BESIDE_PLUS: usize = 12;

/// On which side of a limit a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    Below,
    Above,
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
        let fewest = if texts.keys().all(|text| text.ends_with('+')) {
            FEWEST_BESIDE_PLUS
        } else {
            FEWEST_NUMBERS
        };
        (is_nearly_all(numerals, others) && different.len() >= fewest)
            .then_some(Self { place, texts })
    }

    /// For each of its texts the number that is taken for it.
    pub fn taken(
        &self,
        limits: &Limits,
        number_of: impl Fn(&str) -> Option<f64>,
    ) -> Vec<Option<f64>> {
        self.texts.keys().map(|text| limits.taken(Limit::of(text)?, &number_of)).collect()
    }

    /// Number of rows with a limit.
    pub fn rows(&self) -> usize {
        self.texts.values().sum()
    }
}

/// The cells without their limits.
pub(super) fn without_limits<'a>(cells: &'a Cells, limited: &[LimitedColumn]) -> Cow<'a, Cells> {
    let is_limited = |place: usize| limited.iter().any(|column| column.place == place);
    cells.replaced(|place, text| (is_limited(place) && Limit::of(text).is_some()).then_some(""))
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
    /// What is taken for a number above a limit that is not stated; `None` where it is missing.
    above: Option<f64>,
}

impl Limits {
    /// The limits of a column with these texts, whose numbers are read so.
    pub fn new<'a>(
        reading: Censored,
        texts: impl Iterator<Item = &'a str> + Clone,
        number_of: impl Fn(&str) -> Option<f64>,
    ) -> Self {
        let stated = |beyond: Beyond| {
            let limits =
                texts.clone().filter_map(Limit::of).filter(move |limit| limit.beyond == beyond);
            limits.filter_map(|limit| limit.number(&number_of))
        };
        let measured =
            || texts.clone().filter(|text| Limit::of(text).is_none()).filter_map(&number_of);
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

    /// The number that is taken for a limit, whose own number is read so; `None` where it is
    /// missing.
    pub fn taken(&self, limit: Limit, number_of: impl Fn(&str) -> Option<f64>) -> Option<f64> {
        match (limit.beyond, limit.number) {
            _ if self.reading == Censored::Missing => None,
            (Beyond::Below, Some(_)) => limit.number(number_of).map(|limit| self.below(limit)),
            (Beyond::Above, Some(_)) => limit.number(number_of),
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
    pub fn in_words(&self) -> String {
        let half = match (self.reading, self.halved) {
            (Censored::Missing, _) => return "they are missing".into(),
            (_, true) => {
                "half of a limit is taken for a number below it, and the limit for one above it"
            }
            (Censored::Half, false) => {
                "the limit is taken, because half of it says nothing where numbers are negative"
            }
            _ => "the limit is taken",
        };
        half.into()
    }
}
