//! Say what was filled in for cells of new rows that the training rows do not know: a missing one,
//! and a level that none of them has.

use std::collections::BTreeMap;

use super::error::SHOWN;
use super::finding::Finding;
use uq_core::names::counted;
use uq_core::printable::printable;

/// Largest number of levels that are named.
const NAMED: usize = 5;

/// What was filled in for a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Filled {
    /// The level that no training row has; `None` for a missing cell, where none of them misses the
    /// column.
    pub unseen: Option<String>,
    /// What stands in its place.
    pub by: String,
}

/// What was filled in, over all new rows.
#[derive(Debug, Default)]
pub(super) struct AllFilled {
    notes: Vec<Option<String>>,
    /// By column: what is filled in, and the number of rows that miss it.
    missing: BTreeMap<String, (String, usize)>,
    /// By column: the level that is filled in, and the number of rows of each unseen level.
    unseen: BTreeMap<String, (String, BTreeMap<String, usize>)>,
}

impl AllFilled {
    /// Adds the next row with what was filled in for its columns.
    pub fn add(&mut self, row: Vec<(&str, Filled)>) {
        let parts: Vec<String> =
            row.iter().map(|(column, filled)| filled.describe(column)).collect();
        self.notes.push((!parts.is_empty()).then(|| parts.join("; ")));
        for (column, Filled { unseen, by }) in row {
            match unseen {
                None => self.missing.entry(column.into()).or_insert((by, 0)).1 += 1,
                Some(level) => {
                    let (_, levels) =
                        self.unseen.entry(column.into()).or_insert((by, BTreeMap::new()));
                    *levels.entry(level).or_default() += 1;
                }
            }
        }
    }

    /// For each row what was filled in, and a warning on each column.
    pub fn into_notes(self) -> (Vec<Option<String>>, Vec<Finding>) {
        let missing = self.missing.into_iter().map(|(column, (by, rows))| {
            Finding::warning(format!(
                "the column \"{}\" is missing in {}, and in none of the rows that methods are \
                 fitted on: {by} is filled in",
                printable(&column, SHOWN),
                counted(rows, "new row")
            ))
        });
        let unseen = self.unseen.into_iter().map(|(column, (by, levels))| {
            let rows = counted(levels.values().sum(), "new row");
            let more = if levels.len() > NAMED { ", …" } else { "" };
            let named = levels
                .iter()
                .take(NAMED)
                .map(|(level, rows)| format!("\"{}\" {rows}", printable(level, 30)));
            Finding::warning(format!(
                "the column \"{}\" has in {rows} levels that no row has that methods are fitted on \
                 ({}{more}): {by} is taken in their place",
                printable(&column, SHOWN),
                named.collect::<Vec<_>>().join(", ")
            ))
        });
        let findings = missing.chain(unseen).collect();
        (self.notes, findings)
    }
}

impl Filled {
    fn describe(&self, column: &str) -> String {
        let column = printable(column, SHOWN);
        match &self.unseen {
            None => format!("\"{column}\" is missing: {} is filled in", self.by),
            Some(level) => {
                format!(
                    "\"{column}\" has the unseen level \"{}\": {} is taken",
                    printable(level, 30),
                    self.by
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_are_told_with_counts() {
        let missing = || Filled { unseen: None, by: "the median".into() };
        let unseen = |level: &str| Filled { unseen: Some(level.into()), by: "\"red\"".into() };
        let mut all = AllFilled::default();
        all.add(vec![("x", missing()), ("c", unseen("pink"))]);
        all.add(Vec::new());
        all.add(vec![("c", unseen("mauve"))]);
        all.add(vec![("c", unseen("pink"))]);
        let (notes, findings) = all.into_notes();
        assert_eq!(
            notes.iter().map(Option::is_some).collect::<Vec<_>>(),
            [true, false, true, true]
        );
        assert_eq!(
            notes[0].as_deref(),
            Some(
                "\"x\" is missing: the median is filled in; \"c\" has the unseen level \"pink\": \
                 \"red\" is taken"
            )
        );
        let told: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(
            told[0].starts_with("warning: the column \"x\" is missing in 1 new row, and in none"),
            "{told:?}"
        );
        assert!(
            told[1].contains("has in 3 new rows levels")
                && told[1].contains("(\"mauve\" 1, \"pink\" 2)"),
            "{told:?}"
        );
    }
}
