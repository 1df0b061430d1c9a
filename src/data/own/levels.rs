//! Encode a category: one column of 0 and 1 for each level but the first.

use std::cmp::Reverse;
use std::collections::HashMap;

use ndarray::ArrayViewMut1;
use serde::{Deserialize, Serialize};

use super::error::SHOWN;
use crate::data::printable;

/// Largest number of levels of a categorical column, which may also have at most one level for every two rows.
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
}

impl Levels {
    /// All levels, or the most frequent ones where they are too many. `counts` has at least one.
    pub fn of(counts: HashMap<&str, usize>) -> Self {
        let others = counts.len() > MOST_LEVELS;
        let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
        counts.sort_unstable_by_key(|(level, count)| (Reverse(*count), *level));
        counts.truncate(if others { MOST_LEVELS - 1 } else { MOST_LEVELS });
        let first = counts.first().map_or("", |(level, _)| *level);
        let mut levels: Vec<String> = counts.iter().map(|(level, _)| (*level).to_owned()).collect();
        levels.sort_unstable();
        let frequent = levels.iter().position(|level| level == first).unwrap_or_default();
        Self { levels, others, frequent }
    }

    /// Whether a category of a table may be so.
    pub fn is_valid(&self) -> bool {
        self.frequent < self.levels.len()
    }

    /// Whether this is a level by its name.
    pub fn has(&self, text: &str) -> bool {
        self.levels.iter().any(|level| level == text)
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

    /// Writes the features of a level, which are 0, and says whether it is known. One that is not is taken for the most frequent
    /// level: all features 0 would mean the first level, which stands there by its name alone.
    pub fn write(&self, text: &str, features: ArrayViewMut1<f64>) -> bool {
        let known = self.levels.iter().position(|level| level == text).or(self.others.then_some(self.levels.len()));
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
    pub fn told(&self, name: &str, misses: bool) -> String {
        let base = printable(self.first(), SHOWN);
        let others = &self.levels[1..];
        match (others.is_empty(), misses) {
            (true, false) => return format!("the column \"{name}\" is \"{base}\" in every row: it is left out"),
            (true, true) => return format!("the column \"{name}\" is \"{base}\" in every row that does not miss it"),
            (false, _) => {}
        }
        let columns = if others.len() == 1 { "column" } else { "columns" };
        let shown: Vec<String> =
            others.iter().take(6).map(|level| format!("\"{name}={}\"", printable(level, 30))).collect();
        let more = if others.len() > shown.len() { ", …" } else { "" };
        let rare = if self.others { ", and one column for all rarer levels" } else { "" };
        format!(
            "the column \"{name}\" is categorical: one-hot encoded as {} {columns} of 0 and 1, {}{more}{rare}; all 0 is \
             its first level, \"{base}\"",
            others.len(),
            shown.join(", ")
        )
    }
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
    fn one_level_is_left_out_unless_rows_miss_it() {
        let levels = Levels::of(HashMap::from([("a", 2)]));
        assert!(levels.told("x", false).ends_with("is \"a\" in every row: it is left out"));
        assert!(levels.told("x", true).ends_with("is \"a\" in every row that does not miss it"));
    }
}
