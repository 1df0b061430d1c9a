//! Find the columns in which `NA`, `None`, `null` or `nan` is a level: Namibia or North America,
//! not a missing value.
//!
//! It is one where the user says so, and in a category of which no cell is empty: who leaves
//! nothing empty writes a word for what is missing, too, so that a level of its own is right in
//! both cases. Where another column has such words in the same rows and in no others, they stand
//! for missing values: one feature then says where ([`super::indicators`]).

use std::collections::{BTreeMap, HashMap};

use super::cells::Cells;
use super::error::SHOWN;
use super::finding::{Finding, Topic};
use super::missing::{is_missing_number, is_name};
use super::words::{Setting, Words};
use uq_core::names::counted;
use uq_core::printable::printable;

/// Whether `NA` and the like is a level of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LevelNa {
    /// It is missing.
    Never,
    /// It is a level if the column is a category.
    IfCategory,
    /// It is a level, and the column a category, because the user says so.
    Stated,
}

impl LevelNa {
    /// Whether the word in a cell of a category is a level.
    pub fn has(self, text: &str) -> bool {
        self != Self::Never && is_name(text)
    }

    /// What a user should know of a category with these levels.
    pub fn finding(
        self,
        column: &str,
        levels: impl Iterator<Item = impl AsRef<str>>,
    ) -> Option<Finding> {
        let mut words: Vec<String> = levels
            .filter(|level| is_name(level.as_ref()))
            .map(|level| format!("\"{}\"", level.as_ref()))
            .collect();
        words.sort_unstable();
        let shown = printable(column, SHOWN);
        let (Some(first), Self::IfCategory) = (words.first(), self) else { return None };
        let why = "because none of its cells is empty";
        let text = Words::from(format!(
            "{} is a level of the column \"{shown}\", {why}; ",
            words.join(" and ")
        )) + Setting::Na
            + format!(" \"{shown}={}\" makes it missing", first.trim_matches('"'));
        Some(Finding::note(text).about(Topic::Missing, [column]))
    }
}

/// The warning on a category whose empty cells and whose cells with `NA` are both missing: who
/// leaves cells empty may mean something else by a word. `nan` and `null` are no such words,
/// because programs write them for nothing else.
pub(super) fn merged_na(cells: &Cells, place: usize) -> Option<Finding> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    cells
        .texts(place)
        .filter(|text| text.is_empty() || is_word(text))
        .for_each(|text| *counts.entry(text).or_default() += 1);
    let empty = counts.remove("")?;
    let first = counts.keys().next()?;
    let each: Vec<String> = counts
        .iter()
        .map(|(word, rows)| format!("\"{word}\" in {}", counted(*rows, "row")))
        .collect();
    let column = &cells.names[place];
    let shown = printable(column, SHOWN);
    let text = format!(
        "the column \"{shown}\" has {}, and {} empty: all of them are read as missing; if \
         \"{first}\" is a level of its own, ",
        each.join(" and "),
        counted(empty, "cell")
    );
    let text = Words::from(text) + Setting::LevelNa + format!(" \"{shown}\" keeps it");
    Some(Finding::warning(text).about(Topic::Missing, [column]))
}

/// Whether a cell has a word that people write for a level: Namibia, or not applicable.
fn is_word(text: &str) -> bool {
    ["na", "n/a"].contains(&text.to_lowercase().as_str())
}

/// Of each of these places whether `NA` is a level there; `stated` are those of the user.
pub(super) fn levels_na(cells: &Cells, places: &[usize], stated: &[usize]) -> Vec<LevelNa> {
    let missing = |place: &usize| -> Vec<usize> {
        let rows = cells.texts(*place).enumerate().filter(|(_, text)| is_missing_number(text));
        rows.map(|(row, _)| row).collect()
    };
    let rows: Vec<Vec<usize>> = places.iter().map(missing).collect();
    let mut columns: HashMap<&[usize], usize> = HashMap::new();
    rows.iter().for_each(|rows| *columns.entry(rows).or_default() += 1);
    let of = |(place, rows): (&usize, &Vec<usize>)| {
        let has_empty = rows.iter().any(|row| cells.text(*row, *place).is_empty());
        match (stated.contains(place), has_empty) {
            (true, _) => LevelNa::Stated,
            (false, true) => LevelNa::Never,
            (false, false) if columns.get(&rows[..]).is_some_and(|columns| *columns > 1) => {
                LevelNa::Never
            }
            (false, false) => LevelNa::IfCategory,
        }
    };
    places.iter().zip(&rows).map(of).collect()
}
