//! Hold a table of text, before it has a format.

use std::collections::BTreeMap;

use super::looks::Look;
pub use uq_core::names::counted;
use uq_core::stats::digits::NONE;

/// A table of text, before it has a format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Headings.
    pub head: Vec<String>,
    /// Whether a column holds numbers, which are set flush right.
    pub numeric: Vec<bool>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
    /// Pages that cells lead to, by row and column, where a format has links.
    pub links: BTreeMap<(usize, usize), String>,
    /// Printed numbers that cells compare ours with, by row and column: places in the scorecard of the benchmark.
    pub printed: BTreeMap<(usize, usize), usize>,
    /// The looks of the verdicts on these numbers, where the cell shows one: Markdown alone writes them here, because the site leads
    /// from the number to its verdict.
    pub looks: BTreeMap<(usize, usize), &'static Look>,
    /// First trials of cells without a printed number, by row and column. The site alone shows them.
    pub trials: BTreeMap<(usize, usize), FirstTrial>,
}

/// The first of the trials behind a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstTrial {
    /// The first digits of its key.
    pub key: String,
    /// How many trials are behind the number, where that is known.
    pub of: Option<usize>,
}

impl FirstTrial {
    /// Which of the trials it is.
    pub fn place(&self) -> String {
        match self.of {
            Some(1) => "the only trial".into(),
            Some(count) => format!("the first of {count} trials"),
            None => "the first trial".into(),
        }
    }
}

impl Grid {
    /// A table with these headings; a heading that starts with `#` marks a column of numbers.
    pub fn new(head: &[&str]) -> Self {
        let numeric = head.iter().map(|h| h.starts_with('#')).collect();
        Self { head: head.iter().map(|h| h.trim_start_matches('#').to_owned()).collect(), numeric, ..Self::default() }
    }
}

impl Grid {
    /// Heading of the column that names a row's variant, where there is one.
    pub const VARIANT: &str = "Variant";

    /// Adds a row whose numbers come from trials, of which this is the first.
    pub fn push_of_trials(&mut self, row: Vec<String>, first: Option<FirstTrial>) {
        let is_number = |column: &usize| self.numeric[*column] && row[*column] != NONE;
        let leads = |first: FirstTrial| (0..row.len()).filter(is_number).map(move |column| (column, first.clone()));
        let at = self.rows.len();
        let led: Vec<_> = first.into_iter().flat_map(leads).map(|(column, first)| ((at, column), first)).collect();
        self.trials.extend(led);
        self.rows.push(row);
    }

    /// The variant of a row, by the column of this name.
    pub fn variant_of(&self, row: usize) -> Option<&str> {
        let column = self.head.iter().position(|head| head == Self::VARIANT)?;
        self.rows[row].get(column).map(String::as_str)
    }

    /// What a row is about: its first cell and its variant.
    pub fn name_of(&self, row: usize) -> String {
        let first = self.rows[row].first().map_or("", String::as_str);
        format!("{first} {}", self.variant_of(row).unwrap_or_default()).trim_end().to_owned()
    }
}

/// Names as a sentence lists them: `A, B and C`.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    names.iter().enumerate().flat_map(|(at, name)| [separator(at, names.len()), name.as_ref()]).collect()
}

/// What stands before the entry at this place of a list of `count` in a sentence.
pub fn separator(at: usize, count: usize) -> &'static str {
    match at {
        0 => "",
        _ if at + 1 == count => " and ",
        _ => ", ",
    }
}
