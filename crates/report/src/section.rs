//! Hold a page and its parts, before they have a format.

use super::document::Document;
use super::grid::Grid;
use crate::plot::Render;
use crate::words::page as words;
use uq_core::metrics::MetricId;
use uq_core::stats::digits::NONE;
use uqbench_judge::judgement::claims::Judged;
use uqbench_run::runner::key::TrialKey;

/// A titled table with the sentences that a reader needs beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Heading.
    pub title: String,
    /// The table.
    pub grid: Grid,
    /// What its numbers and marks mean, in plain words without markup.
    pub note: String,
}

impl Section {
    /// Whether no row has anything but dashes behind its first cell.
    pub fn is_of_dashes(&self) -> bool {
        let mut cells = self.grid.rows.iter().flat_map(|row| row.iter().skip(1)).peekable();
        cells.peek().is_some() && cells.all(|cell| cell.text.is_empty() || cell.text == NONE)
    }
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph in plain words.
    Text(String),
    /// Prose in Markdown. LaTeX leaves it out.
    Markdown(String),
    /// How the protocol is read and why, in Markdown. LaTeX leaves it out.
    Notes(String),
    /// The errata about what the page shows.
    Errata(Vec<Named>),
    /// A figure that lies beside the page as `file.svg`.
    Figure {
        /// File name without ending.
        file: String,
        /// What it shows.
        title: String,
        /// Whether the site folds it, because few readers need it.
        folded: bool,
    },
    /// A table.
    Table(Place, Section),
    /// The claims of a benchmark, judged.
    Claims(Vec<Claimed>),
}

/// Where a table is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the page, whole.
    Shown,
    /// In the page, whole and without a heading, because the words beside it say what it is.
    Untitled,
    /// A long one: the site shows it, and Markdown leads to it.
    Long,
    /// One that few readers need: the site folds it, and Markdown leads to it.
    Folded,
    /// One about variants alone: folded, too, and the site can hide it.
    Variants,
    /// One that tells how numbers came about: the site folds it, and Markdown shows it.
    Diagnosis,
}

impl Place {
    /// Whether Markdown leads to the table, and does not show it.
    pub fn is_apart(self) -> bool {
        matches!(self, Self::Long | Self::Folded | Self::Variants)
    }
}

/// An erratum to which a page leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its kind in a word.
    pub kind: &'static str,
    /// Its number.
    pub number: usize,
    /// How much it matters, in a word.
    pub severity: &'static str,
    /// What it is about.
    pub subject: String,
    /// Where it is, from a Markdown page of the report.
    pub address: String,
}

impl Block {
    /// A table in the page.
    pub fn shown(section: Section) -> Self {
        Self::Table(Place::Shown, section)
    }

    /// A table that few readers need.
    pub fn folded(section: Section) -> Self {
        Self::Table(Place::Folded, section)
    }

    /// Its table, if it is one.
    pub fn section(&self) -> Option<&Section> {
        match self {
            Self::Table(_, section) => Some(section),
            _ => None,
        }
    }
}

/// A judged claim in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Its name.
    pub id: String,
    /// The paper's sentence.
    pub text: String,
    /// How the sentence is read; may be empty.
    pub reading: String,
    /// Name of the reading of which it is a part, where that is not the primary one.
    pub other_reading: Option<String>,
    /// Whether it holds on our runs.
    pub own: Judged,
    /// Whether it holds on the printed numbers.
    pub printed: Judged,
    /// What both show.
    pub note: String,
    /// The first finished trial of its columns; the site alone leads there.
    pub first_trial: Option<TrialKey>,
}

impl Claimed {
    /// What stands before the words on how it is read.
    pub fn read_as(&self) -> String {
        match &self.other_reading {
            Some(name) => format!("other reading ({name})"),
            None => "read as".into(),
        }
    }
}

/// One page of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Heading.
    pub title: String,
    /// Its parts, in order.
    pub blocks: Vec<Block>,
    /// Metrics by the words that its headings and cells use for them: the site leads from these to
    /// definitions.
    metrics: Vec<(String, MetricId)>,
    /// What it cannot show, and why.
    not_shown: Vec<String>,
    /// How many blocks stand on the first screen: the site puts figures among these beside the
    /// others.
    pub first: usize,
    /// BibTeX of what it uses; empty where nothing is known.
    pub references: String,
}

impl Page {
    /// An empty page.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a paragraph in plain words.
    pub fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    /// Says which metric headings and cells with these words mean.
    pub fn name_metric(&mut self, words: impl Into<String>, metric: MetricId) {
        self.metrics.push((words.into(), metric));
    }

    /// Says that headings and cells have the labels of these metrics.
    pub fn name_metrics(&mut self, metrics: impl IntoIterator<Item = MetricId>) {
        self.metrics.extend(metrics.into_iter().map(|metric| (metric.label(), metric)));
    }

    /// The metrics with the words for them.
    pub fn named_metrics(&self) -> impl Iterator<Item = (&str, MetricId)> {
        self.metrics.iter().map(|(words, metric)| (words.as_str(), *metric))
    }

    /// Adds a figure, and its file to the others. Where it cannot be drawn the page says so in its
    /// place, and keeps all else.
    pub fn draw(&mut self, figures: &mut Vec<Document>, file: String, drawing: &dyn Render) {
        match Document::figure(&file, drawing) {
            Ok(figure) => {
                figures.push(figure);
                let title = drawing.title().to_owned();
                self.blocks.push(Block::Figure { file, title, folded: false });
            }
            Err(why) => self.lack(words::figure(&file, why)),
        }
    }

    /// Says in this place what cannot be shown, and why.
    pub fn lack(&mut self, what: String) {
        self.text(words::not_shown(&what));
        self.not_shown.push(what);
    }

    /// What it cannot show, and why.
    pub fn not_shown(&self) -> &[String] {
        &self.not_shown
    }

    /// Adds a table.
    pub fn section(&mut self, section: Section) {
        self.blocks.push(Block::shown(section));
    }
}

/// Most letters of a title in the name of a file.
const LONGEST: usize = 100;

/// A title as part of a file's name or an anchor: at most eight words of letters and digits, joined
/// by dashes.
pub fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug = words.take(8).collect::<Vec<_>>().join("-").to_lowercase();
    slug.truncate(LONGEST);
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_of_dashes_where_no_row_has_a_cell_behind_its_name() {
        let of = |rows: &[&[&str]]| {
            let mut section =
                Section { grid: Grid::new(&["Dataset", "#A", "#B"]), ..Section::default() };
            section.grid.extend(rows.iter().map(|row| row.iter().copied()));
            section.is_of_dashes()
        };
        assert!(of(&[&["Boston", "–", "–"], &["Energy", "", "–"]]));
        assert!(
            !of(&[&["Boston", "–", "–"], &["Energy", "–", "– (1.2)"]]),
            "a printed number alone is shown"
        );
        assert!(!of(&[]) && !of(&[&["Boston"]]), "a table without cells is another matter");
    }
}
