//! Hold a table as it is shown, before it has a format.

use crate::words::looks::Look;
pub use uq_core::names::counted;
use uq_core::stats::digits::NONE;
use uqbench_judge::judgement::leaders::AgainstBest;

/// A table as it is shown, before it has a format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Headings.
    pub head: Vec<String>,
    /// Whether a column holds numbers, which are set flush right.
    pub numeric: Vec<bool>,
    /// The place of each column by mean rank over the rows; empty where the table ranks none.
    pub places: Vec<Option<usize>>,
    /// Rows.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// Where it leads, if anywhere.
    pub lead: Option<Lead>,
    /// How its number stands against the best one of its row, where that is known.
    pub against_best: Option<AgainstBest>,
}

/// Where a cell leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lead {
    /// To a page, in formats that have links.
    Page(String),
    /// To the verdict on the printed number that it compares ours with.
    Printed {
        /// Place of the number in the scorecard of the benchmark.
        line: usize,
        /// The look of the verdict where the cell shows one: Markdown alone writes it here, because
        /// the site leads from the number to its verdict.
        look: Option<&'static Look>,
    },
    /// It is itself the verdict on the printed number at this place in the scorecard of the
    /// benchmark.
    Verdict(usize),
    /// To the first trial behind a number without a printed one. The site alone shows it.
    Trial(FirstTrial),
}

/// The first of the trials behind a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstTrial {
    /// The first digits of its key.
    pub key: String,
    /// How many trials are behind the number, where that is known.
    pub of: Option<usize>,
}

impl Cell {
    /// A cell that leads there.
    pub fn leading(text: impl Into<String>, lead: Option<Lead>) -> Self {
        Self { text: text.into(), lead, ..Self::default() }
    }

    /// A number that comes from trials, of which this is the first; a dash leads nowhere.
    pub fn of_trials(text: impl Into<String>, first: Option<FirstTrial>) -> Self {
        let text = text.into();
        let lead = first.map(Lead::Trial).filter(|_| text != NONE);
        Self { text, lead, ..Self::default() }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl PartialEq<&str> for Cell {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

impl Grid {
    /// Heading of the column that names a row's variant, where there is one.
    pub const VARIANT: &str = "Variant";

    /// A table with these headings; a heading that starts with `#` marks a column of numbers.
    pub fn new(head: &[&str]) -> Self {
        let numeric = head.iter().map(|h| h.starts_with('#')).collect();
        Self {
            head: head.iter().map(|h| h.trim_start_matches('#').to_owned()).collect(),
            numeric,
            ..Self::default()
        }
    }

    /// Adds a row.
    pub fn push<C: Into<Cell>>(&mut self, row: impl IntoIterator<Item = C>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    /// Adds rows.
    pub fn extend<C: Into<Cell>, R: IntoIterator<Item = C>>(
        &mut self,
        rows: impl IntoIterator<Item = R>,
    ) {
        rows.into_iter().for_each(|row| self.push(row));
    }

    /// Adds a row whose numbers come from trials, of which this is the first.
    pub fn push_of_trials(&mut self, row: Vec<String>, first: Option<FirstTrial>) {
        let cell = |(text, &is_number): (String, &bool)| {
            Cell::of_trials(text, first.clone().filter(|_| is_number))
        };
        self.rows.push(row.into_iter().zip(&self.numeric).map(cell).collect());
    }

    /// Every cell.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flatten()
    }

    /// Whether any cell leads to a trial.
    pub fn leads_to_trials(&self) -> bool {
        self.cells().any(|cell| matches!(cell.lead, Some(Lead::Trial(_))))
    }

    /// Whether the rows end with verdicts on printed numbers.
    pub fn has_verdicts(&self) -> bool {
        self.cells().any(|cell| matches!(cell.lead, Some(Lead::Verdict(_))))
    }

    /// The looks of verdicts on numbers that cells show.
    pub fn looks(&self) -> impl Iterator<Item = &'static Look> {
        self.cells().filter_map(|cell| match cell.lead {
            Some(Lead::Printed { look, .. }) => look,
            _ => None,
        })
    }

    /// Whether a cell has a printed number beside ours without a verdict. Without a number of ours
    /// there is nothing to judge.
    pub fn has_unmarked(&self) -> bool {
        self.cells().any(|cell| {
            let is_printed = matches!(cell.lead, Some(Lead::Printed { look: None, .. }));
            is_printed && !cell.text.starts_with(NONE)
        })
    }

    /// The variant of a row, by the column of this name.
    pub fn variant_of(&self, row: usize) -> Option<&str> {
        let column = self.head.iter().position(|head| head == Self::VARIANT)?;
        self.rows[row].get(column).map(|cell| cell.text.as_str())
    }

    /// What a row is about: its first cell and its variant.
    pub fn name_of(&self, row: usize) -> String {
        let first = self.rows[row].first().map_or("", |cell| cell.text.as_str());
        format!("{first} {}", self.variant_of(row).unwrap_or_default()).trim_end().to_owned()
    }
}

/// Names as a sentence lists them: `A, B and C`.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    names
        .iter()
        .enumerate()
        .flat_map(|(at, name)| [separator(at, names.len()), name.as_ref()])
        .collect()
}

/// What stands before the entry at this place of a list of `count` in a sentence.
pub fn separator(at: usize, count: usize) -> &'static str {
    match at {
        0 => "",
        _ if at + 1 == count => " and ",
        _ => ", ",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_number_alone_needs_no_mark() {
        let grid = |text: &str| {
            let mut grid = Grid::new(&["#A"]);
            grid.push([Cell::leading(text, Some(Lead::Printed { line: 0, look: None }))]);
            grid
        };
        assert!(grid("1.2 ± 0.1 (1.3)").has_unmarked());
        assert!(!grid("– (1.3)").has_unmarked());
    }
}
