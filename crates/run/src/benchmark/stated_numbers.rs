//! Find the printed numbers of a benchmark, in its file or in CSV files beside it, and the cell of the
//! table that each is for.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Deserialize;

use super::Benchmark;
use super::draft::file::Value;
use super::draft::keys::Keys;
use super::folder::Folder;
use super::mistakes::{Mistakes, Part, SHOWN};
use super::printed::{Fields, read_cell};
use super::published::{Cell, CellKey, NEGATIVE_LOG_LIKELIHOODS, Published, plain_name};
use uq_core::names::{did_you_mean, nearest_name};
use uq_core::printable::printable;
use uq_methods::anchors::ANCHORS;

/// Largest file of printed numbers, in bytes.
const LARGEST: u64 = 16 << 20;

/// Most files of printed numbers of a benchmark.
const MOST_FILES: usize = 50;

/// A printed number in a benchmark file.
#[derive(Deserialize)]
pub(super) struct Entry {
    dataset: String,
    metric: String,
    /// The digits as printed.
    value: String,
    spread: Option<String>,
    spread_kind: Option<String>,
    count: Option<u64>,
    #[serde(flatten)]
    labels: Fields,
}

impl Entry {
    /// The number at this place of the list.
    fn cell(self, place: usize) -> Result<Cell, String> {
        let named = [
            ("dataset", Some(self.dataset)),
            ("metric", Some(self.metric)),
            ("value", Some(self.value)),
            ("spread", self.spread),
            ("spread_kind", self.spread_kind),
            ("count", self.count.map(|count| count.to_string())),
        ];
        let named = named.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?)));
        let cell = read_cell(place, self.labels.into_iter().chain(named).collect())?;
        cell.check()?;
        Ok(cell)
    }
}

/// Where the printed numbers of a benchmark stand.
pub(super) enum Source {
    /// In the benchmark file.
    Here(Vec<Entry>),
    /// In CSV files beside it or below; none where no numbers are stated.
    Files(Vec<String>),
}

impl Source {
    /// Reads the key `published`: the path of a file, paths, or a list of numbers.
    pub fn read(value: Option<&Value>, keys: &mut Keys) -> Self {
        let first = value.and_then(|value| value.get_ref().as_array()?.first());
        match (value, first.map(|first| first.get_ref().is_str())) {
            (_, Some(false)) => Self::Here(keys.list("published", &["dataset", "metric", "value"])),
            (_, Some(true)) => Self::Files(keys.optional("published").unwrap_or_default()),
            _ => Self::Files(keys.optional::<String>("published").into_iter().collect()),
        }
    }

    /// The numbers; notes what is wrong with them.
    pub fn numbers(self, folder: &Folder, to: &mut Mistakes) -> Published {
        let mut published = Published::default();
        let mut keys = BTreeSet::new();
        match self {
            Self::Here(entries) => {
                for (i, entry) in entries.into_iter().enumerate() {
                    let part = to.entry("published", i);
                    match entry.cell(i + 1) {
                        Ok(cell) if !keys.insert(cell.key()) => {
                            to.note(part, "an entry above has a number for this cell already");
                        }
                        Ok(cell) => published.cells.push(cell),
                        Err(message) => to.note(part, message),
                    }
                }
            }
            Self::Files(names) => {
                for name in names.iter().take(MOST_FILES) {
                    published.extend(name, folder, &mut keys, to);
                }
                if names.len() > MOST_FILES {
                    let found = names.len();
                    let message = format!("found {found} files, expected at most {MOST_FILES}");
                    to.note(Part::key("published"), message);
                }
            }
        }
        published
    }
}

impl Published {
    /// Adds the numbers of a file; notes what is wrong with it.
    fn extend(
        &mut self,
        name: &str,
        folder: &Folder,
        keys: &mut BTreeSet<CellKey>,
        to: &mut Mistakes,
    ) {
        let shown = printable(name, SHOWN);
        let mut note =
            |message: String| to.note(Part::key("published"), format!("{shown}: {message}"));
        let text = match folder.text(name, LARGEST) {
            Ok(text) => text,
            Err(message) => return note(message),
        };
        let mut read = match Self::parse(&text) {
            Ok(read) => read,
            Err(errors) => return errors.0.iter().for_each(|error| note(error.to_string())),
        };
        let file: Arc<str> = name.into();
        for cell in read.cells.iter_mut().chain(&mut read.hints) {
            cell.file = Some(Arc::clone(&file));
            if !keys.insert(cell.key()) {
                note(format!(
                    "line {}: another file has a number for this cell already",
                    cell.line
                ));
            }
        }
        self.cells.append(&mut read.cells);
        self.hints.append(&mut read.hints);
        self.hint_source = self.hint_source.take().or(read.hint_source);
    }
}

impl Benchmark {
    /// Turns the signs of printed numbers that are the negative of their metric.
    pub(super) fn turn_negatives(&mut self) {
        let turned = |cell: &&mut Cell| {
            let mut rows = self.metrics.iter().filter(|row| row.negative);
            rows.any(|row| row.published.as_ref() == Some(&cell.metric))
        };
        let Published { cells, hints, .. } = &mut self.printed;
        cells.iter_mut().chain(hints).filter(turned).for_each(Cell::turn);
    }

    /// Notes log-likelihoods whose printed name is that of negative ones.
    fn check_signs(&self, to: &mut Mistakes) {
        for (i, row) in self.metrics.iter().enumerate().filter(|(_, row)| !row.negative) {
            let Some(name) = &row.published else { continue };
            if row.id.name() == "log-likelihood"
                && NEGATIVE_LOG_LIKELIHOODS.contains(&plain_name(name).as_str())
            {
                let name = printable(name, SHOWN);
                let message = format!(
                    "published: `{name}` is the name of a negative log-likelihood, and this metric is the \
                     log-likelihood of a row: add `negative = true`, which turns the signs of the \
                     printed numbers; or, if they are log-likelihoods, change their name"
                );
                to.note(to.entry("metrics", i), message);
            }
        }
    }

    /// Notes printed numbers of no dataset, metric or column.
    pub(super) fn check_printed_cells(&self, to: &mut Mistakes) {
        self.check_signs(to);
        let Published { cells, hints, .. } = &self.printed;
        for (i, cell) in cells.iter().chain(hints).enumerate() {
            let Err(message) = self.check_cell(cell) else { continue };
            match &cell.file {
                Some(file) => {
                    let place = format!("{}: line {}", printable(file, SHOWN), cell.line);
                    to.note(Part::key("published"), format!("{place}: {message}"));
                }
                None => to.note(to.entry("published", i), message),
            }
        }
    }

    /// Finds a number that no cell of the table is for.
    fn check_cell(&self, cell: &Cell) -> Result<(), String> {
        let sets: Vec<&str> = self.datasets.iter().map(|row| row.printed_name()).collect();
        let metrics: Vec<&str> =
            self.metrics.iter().filter_map(|row| row.published.as_deref()).collect();
        for (what, name, known) in
            [("dataset", &cell.dataset, &sets), ("metric", &cell.metric, &metrics)]
        {
            if !known.contains(&name.as_str()) {
                let near = did_you_mean(&nearest_name(name, known.iter().copied()));
                let name = printable(name, SHOWN);
                return Err(format!("{what} `{name}`: the benchmark has none of this name{near}"));
            }
        }
        let known = self.all_labels();
        if known.contains(&cell.labels) {
            return Ok(());
        }
        let known: Vec<String> = known.iter().map(in_words).collect();
        let own = in_words(&cell.labels);
        let near = did_you_mean(&nearest_name(&own, known.iter().map(String::as_str)));
        let shown = known.iter().take(MOST_LABELS).cloned().collect::<Vec<_>>().join("; ");
        let others = if known.len() > MOST_LABELS { "; and others" } else { "" };
        Err(format!(
            "no column has the labels {}{near}; those of the columns in `methods` and in \
             `printed_columns` are {}{others}",
            printable(&own, 200),
            printable(&shown, 600)
        ))
    }

    /// The labels of every column: of methods, of printed columns, and of the anchors.
    fn all_labels(&self) -> Vec<Fields> {
        let columns = self.columns().map(|column| column.labels.clone());
        let printed = self.printed_columns.iter().map(|column| column.labels.clone());
        let anchors = ANCHORS.iter().filter(|_| self.anchors);
        let anchors =
            anchors.map(|(id, _)| Fields::from([("method".to_owned(), (*id).to_owned())]));
        columns.chain(printed).chain(anchors).collect()
    }
}

/// Most labels of columns that a message lists.
const MOST_LABELS: usize = 8;

/// Labels in words.
fn in_words(labels: &Fields) -> String {
    let parts: Vec<String> = labels.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    parts.join(", ")
}
