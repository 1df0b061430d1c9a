//! Encode a category: one column of 0 and 1 for each level but the first.

use std::cmp::Reverse;
use std::collections::HashMap;

use ndarray::ArrayViewMut1;
use serde::{Deserialize, Serialize};

use super::booleans::{are_booleans, meaning};
use super::error::SHOWN;
use super::finding::{Finding, Topic};
use super::missing::is_missing_number;
use uq_core::printable::printable;

/// Largest number of levels of a categorical column, which may also have at most one level for
/// every two rows.
pub(super) const MOST_LEVELS: usize = 50;

/// The levels of a category in the order of their names; the first one has no feature of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Levels {
    levels: Vec<String>,
    /// Whether all further levels are one more.
    others: bool,
    /// The place of the level that most training rows have.
    frequent: usize,
    /// Rarer levels that differ from one of `levels` by case alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    apart: Vec<String>,
}

impl Levels {
    /// All levels, or the most frequent ones where they are too many. Words for true and false are
    /// two levels, named by their most frequent spellings. `counts` has at least one.
    pub fn of(counts: HashMap<&str, usize>) -> Self {
        let others = counts.len() > MOST_LEVELS;
        let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
        counts.sort_unstable_by_key(|(level, count)| (Reverse(*count), *level));
        if is_boolean(counts.iter().map(|(level, _)| *level)) {
            counts = merged(&counts);
        }
        let rare =
            counts.split_off(counts.len().min(if others { MOST_LEVELS - 1 } else { MOST_LEVELS }));
        let is_apart = |rare: &str| counts.iter().any(|(level, _)| is_same_word(level, rare));
        let apart =
            rare.iter().map(|(rare, _)| (*rare).to_owned()).filter(|rare| is_apart(rare)).collect();
        let first = counts.first().map_or("", |(level, _)| *level);
        let mut levels: Vec<String> = counts.iter().map(|(level, _)| (*level).to_owned()).collect();
        levels.sort_unstable();
        let frequent = levels.iter().position(|level| level == first).unwrap_or_default();
        Self { levels, others, frequent, apart }
    }

    /// Whether a category of a table may be so.
    pub fn is_valid(&self) -> bool {
        self.frequent < self.levels.len()
    }

    /// Whether this is a level by its name.
    pub fn has(&self, text: &str) -> bool {
        self.levels.iter().any(|level| level == text)
    }

    /// Whether this is a level by its name, or by another spelling of it.
    pub fn knows(&self, text: &str) -> bool {
        self.place(text).is_some()
    }

    /// Whether its levels are true and false, besides words for nothing.
    pub fn is_boolean(&self) -> bool {
        is_boolean(self.levels.iter().map(String::as_str))
    }

    /// The place of the level that a text is: of that name, or the only one that differs from it by
    /// case alone, or the one of the same meaning where all are true or false.
    fn place(&self, text: &str) -> Option<usize> {
        let mut levels = self.levels.iter();
        levels.position(|level| level == text).or_else(|| self.place_of_spelling(text))
    }

    fn place_of_spelling(&self, text: &str) -> Option<usize> {
        if self.apart.iter().any(|apart| apart == text) {
            return None;
        }
        let only = |is: &dyn Fn(&str) -> bool| {
            let mut found = self
                .levels
                .iter()
                .enumerate()
                .filter(|(_, level)| is(level))
                .map(|(place, _)| place);
            found.next().filter(|_| found.next().is_none())
        };
        let of_meaning = || {
            let meant = meaning(text).filter(|_| self.is_boolean())?;
            only(&|level| meaning(level) == Some(meant))
        };
        only(&|level| is_same_word(level, text)).or_else(of_meaning)
    }

    /// The name of the level that a text is a spelling of; `None` where it is the name, or no
    /// level.
    pub fn spelled(&self, text: &str) -> Option<&str> {
        self.place(text)
            .and_then(|place| self.levels.get(place))
            .map(String::as_str)
            .filter(|level| *level != text)
    }

    /// What is expected in place of a text that is neither true nor false.
    pub fn expected(&self) -> String {
        let levels = self.levels.iter().map(|level| format!("\"{}\"", printable(level, 30)));
        format!("{}, or words of the same meaning", levels.collect::<Vec<_>>().join(" or "))
    }

    /// The note that the `texts` different texts of the column `name` are fewer levels.
    pub fn merged(&self, texts: usize, name: &str) -> Option<Finding> {
        let is_merged = !self.others && self.levels.len() < texts;
        is_merged.then(|| {
            Finding::note(format!(
                "the column \"{}\" has {texts} spellings of {}: those of one meaning are one level",
                printable(name, SHOWN),
                self.levels
                    .iter()
                    .map(|level| format!("\"{}\"", printable(level, 30)))
                    .collect::<Vec<_>>()
                    .join(" and ")
            ))
            .about(Topic::Levels, [name])
        })
    }

    /// The level of all features 0.
    pub fn first(&self) -> &str {
        self.levels.first().map_or("", String::as_str)
    }

    /// The level that most training rows have.
    pub fn frequent(&self) -> &str {
        self.levels.get(self.frequent).map_or("", String::as_str)
    }

    /// Number of features.
    pub fn width(&self) -> usize {
        self.levels.len() - 1 + usize::from(self.others)
    }

    /// Names of the features of the column of this name.
    pub fn features(&self, column: &str) -> Vec<String> {
        let named = self.levels[1..].iter().map(|level| format!("{column}={level}"));
        named.chain(self.others.then(|| format!("{column}=any other"))).collect()
    }

    /// Writes the features of a level, which are 0, and says whether it is known. One that is not
    /// is taken for the most frequent level: all features 0 would mean the first level, which
    /// stands there by its name alone.
    pub fn write(&self, text: &str, features: ArrayViewMut1<f64>) -> bool {
        let known = self.place(text).or(self.others.then_some(self.levels.len()));
        Self::set(known.unwrap_or(self.frequent), features);
        known.is_some()
    }

    /// Writes the features of the most frequent level, which are 0.
    pub fn write_frequent(&self, features: ArrayViewMut1<f64>) {
        Self::set(self.frequent, features);
    }

    fn set(level: usize, mut features: ArrayViewMut1<f64>) {
        if level > 0 {
            features[level - 1] = 1.0;
        }
    }

    /// A sentence on the encoding of the column of this name; `misses` says whether rows miss it.
    pub fn note(&self, name: &str, misses: bool) -> String {
        let base = printable(self.first(), SHOWN);
        let others = &self.levels[1..];
        match (others.is_empty(), misses) {
            (true, false) => {
                return format!("the column \"{name}\" is \"{base}\" in every row: it is left out");
            }
            (true, true) => {
                return format!(
                    "the column \"{name}\" is \"{base}\" in every row that does not miss it"
                );
            }
            (false, _) => {}
        }
        let columns = if others.len() == 1 { "column" } else { "columns" };
        let shown: Vec<String> = others
            .iter()
            .take(6)
            .map(|level| format!("\"{name}={}\"", printable(level, 30)))
            .collect();
        let more = if others.len() > shown.len() { ", …" } else { "" };
        let rare = if self.others { ", and one column for all rarer levels" } else { "" };
        format!(
            "the column \"{name}\" is categorical: one-hot encoded as {} {columns} of 0 and 1, \
             {}{more}{rare}; all 0 is its first level, \"{base}\"",
            others.len(),
            shown.join(", ")
        )
    }
}

/// Whether levels are true and false, besides words for nothing.
fn is_boolean<'a>(levels: impl Iterator<Item = &'a str> + Clone) -> bool {
    are_booleans(levels.filter(|level| !is_missing_number(level)))
}

/// The levels with the most frequent spelling of each meaning in place of all its spellings;
/// `counts` has the most frequent ones first.
fn merged<'a>(counts: &[(&'a str, usize)]) -> Vec<(&'a str, usize)> {
    let mut merged: Vec<(&str, usize)> = Vec::new();
    for (level, count) in counts {
        let is_known = |(known, _): &&mut (&str, usize)| {
            meaning(level).is_some() && meaning(known) == meaning(level)
        };
        match merged.iter_mut().find(is_known) {
            Some((_, all)) => *all += count,
            None => merged.push((level, *count)),
        }
    }
    merged.sort_by_key(|(level, count)| (Reverse(*count), *level));
    merged
}

/// Whether two texts differ by case alone, or not at all.
fn is_same_word(a: &str, b: &str) -> bool {
    a.chars().flat_map(char::to_lowercase).eq(b.chars().flat_map(char::to_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array1;

    fn written(levels: &Levels, text: &str) -> (bool, Vec<f64>) {
        let mut features = Array1::zeros(levels.width());
        (levels.write(text, features.view_mut()), features.to_vec())
    }

    #[test]
    fn an_unknown_level_is_taken_for_the_most_frequent_one() {
        let levels = Levels::of(HashMap::from([("a", 2), ("b", 5), ("c", 2)]));
        assert_eq!(written(&levels, "a"), (true, vec![0.0, 0.0]));
        assert_eq!(written(&levels, "c"), (true, vec![0.0, 1.0]));
        assert_eq!(written(&levels, "z"), (false, vec![1.0, 0.0]));
        assert_eq!((levels.first(), levels.frequent()), ("a", "b"));
        let tied = Levels::of(HashMap::from([("b", 2), ("a", 2)]));
        assert_eq!(tied.frequent(), "a", "of equally frequent levels the first by name");
    }

    #[test]
    fn spellings_of_true_and_false_are_two_levels() {
        let levels = Levels::of(HashMap::from([
            ("True", 3),
            ("TRUE", 1),
            ("true", 2),
            ("False", 1),
            ("no", 4),
        ]));
        assert_eq!((levels.first(), levels.frequent(), levels.width()), ("True", "True", 1));
        for (text, value) in [
            ("TRUE", 0.0),
            ("1", 0.0),
            ("T", 0.0),
            ("yes", 0.0),
            ("FALSE", 1.0),
            ("no", 1.0),
            ("0", 1.0),
            ("n", 1.0),
        ] {
            assert_eq!(written(&levels, text), (true, vec![value]), "{text}");
        }
        assert!(levels.is_boolean() && !written(&levels, "maybe").0);
        assert_eq!(
            (levels.spelled("FALSE"), levels.spelled("no"), levels.spelled("maybe")),
            (Some("no"), None, None)
        );
        let letters = Levels::of(HashMap::from([("T", 2), ("N", 5)]));
        assert!(!letters.is_boolean() && !written(&letters, "true").0, "T and N may be anything");
    }

    #[test]
    fn a_level_is_found_in_another_case_where_only_one_is() {
        let levels =
            Levels::of(HashMap::from([("North", 2), ("south", 5), ("SOUTH", 2), ("\u{d6}st", 1)]));
        assert_eq!(
            (levels.spelled("north"), levels.spelled("\u{f6}ST")),
            (Some("North"), Some("\u{d6}st"))
        );
        assert_eq!(levels.spelled("South"), None, "of two levels nobody knows which");
        assert!(written(&levels, "NORTH").0 && !written(&levels, "South").0);
        let many: Vec<(String, usize)> =
            (0..60).map(|i| (format!("w{i:02}"), 9)).chain([("W01".into(), 1)]).collect();
        let levels =
            Levels::of(many.iter().map(|(level, count)| (level.as_str(), *count)).collect());
        assert_eq!(
            (levels.spelled("W02"), levels.spelled("W01")),
            (Some("w02"), None),
            "a rare level of its own"
        );
        let old = r#"{"levels":["North","South"],"others":false,"frequent":0}"#;
        let old: Levels = serde_json::from_str(old).unwrap();
        assert_eq!(old.spelled("NORTH"), Some("North"));
    }

    #[test]
    fn one_level_is_left_out_unless_rows_miss_it() {
        let levels = Levels::of(HashMap::from([("a", 2)]));
        assert!(levels.note("x", false).ends_with("is \"a\" in every row: it is left out"));
        assert!(levels.note("x", true).ends_with("is \"a\" in every row that does not miss it"));
    }
}
