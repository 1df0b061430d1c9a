//! Find the row of a file for each row of a board.

use std::collections::BTreeMap;

use super::refusal::{Refusal, Refusals};
use uq_core::names::nearest_name;
use uq_core::printable::printable;
use uqbench_data::number_file::NumberFile;
use uqbench_data::own::OwnError;
use uqbench_run::league::{Board, BoardDataset, Card, Part, Truth};

/// Longest name of a file in a message, in characters.
const SHOWN: usize = 60;

/// Most reasons that are gathered. Who mends these sees the others.
const MOST: usize = 40;

/// Rows that are named where many are missing.
const NAMED: usize = 5;

/// The column that names the dataset of a prediction.
const DATASET: &str = "dataset";

/// The columns that say what a prediction is of.
const IDENTITY: [&str; 3] = [DATASET, "split", "row"];

/// Which rows of a file are the predictions of which rows of a board.
#[derive(Debug)]
pub(super) struct Places {
    /// The splits that have predictions.
    pub parts: Vec<Part>,
    /// The row of the file for each row of these splits.
    pub order: Vec<usize>,
    /// The columns of the file that were used.
    pub used: [usize; 3],
}

/// Finds the rows of a file.
///
/// # Errors
/// [`Refusals`] with all that is missing, unknown or there twice.
pub(super) fn find_rows(
    file: &NumberFile,
    board: &Board,
    card: &Card,
    truths: &[Vec<Truth>],
) -> Result<Places, Refusals> {
    let mut used = [0; 3];
    for (used, name) in used.iter_mut().zip(IDENTITY) {
        *used = place(file, name)?;
    }
    let [datasets, splits, rows] = used;
    let labels = file.labels(datasets)?;
    let (splits, rows) = (file.numbers(splits)?, file.numbers(rows)?);
    let mut search = Search::new(board, truths);
    let of_label: Vec<Option<usize>> = labels
        .names
        .iter()
        .map(|name| board.dataset(name.trim()).map(|(dataset, _)| dataset))
        .collect();
    for (line, ((label, split), row)) in labels.of_row.iter().zip(splits).zip(rows).enumerate() {
        match of_label[*label] {
            None => *search.unknown.entry(*label).or_default() += 1,
            Some(dataset) => search.take(dataset, split, row, line),
        }
    }
    let mut found = search.findings(&labels.names);
    let parts = search.parts(card, &mut found);
    if found.is_empty() {
        let order = search.order(&parts);
        return Ok(Places { parts, order, used });
    }
    found.truncate(MOST);
    Err(Refusals(found))
}

/// The keys of the datasets of a file.
///
/// # Errors
/// [`Refusals`] with those that the board does not have.
pub(super) fn find_datasets(file: &NumberFile, board: &Board) -> Result<Vec<String>, Refusals> {
    let labels = file.labels(place(file, DATASET)?)?;
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for (label, name) in labels.names.iter().enumerate() {
        match board.dataset(name.trim()) {
            Some((_, dataset)) => known.push(dataset.key.clone()),
            None => {
                let rows = labels.of_row.iter().filter(|of_row| **of_row == label).count();
                unknown.push(unknown_dataset(name, board, rows));
            }
        }
    }
    unknown.truncate(MOST);
    if unknown.is_empty() { Ok(known) } else { Err(Refusals(unknown)) }
}

fn unknown_dataset(name: &str, board: &Board, rows: usize) -> Refusal {
    let known = board.datasets.iter().map(|dataset| dataset.key.as_str());
    Refusal::UnknownDataset {
        name: printable(name, SHOWN),
        nearest: nearest_name(name, known),
        rows,
    }
}

/// The place of a column that a file needs.
fn place(file: &NumberFile, name: &str) -> Result<usize, OwnError> {
    file.find(name).ok_or_else(|| {
        let names = || file.names().iter().map(String::as_str);
        let all = names().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        OwnError::UnknownColumn {
            setting: None,
            file: file.name().into(),
            name: name.into(),
            nearest: nearest_name(name, names()).map(|name| printable(&name, SHOWN)),
            known: printable(&all, 300).into(),
        }
    })
}

/// A row of a board for which no row of the file was found yet.
const NONE: usize = usize::MAX;

/// Rows that the board does not have, or that are there twice: the first one and the number.
type Wrong<T> = BTreeMap<(usize, u64), (T, usize)>;

/// What was found so far.
struct Search<'a> {
    board: &'a Board,
    /// The row of the file by dataset, split and row of the board.
    lines: Vec<Vec<Vec<usize>>>,
    /// Number of rows by label of a dataset that the board does not have.
    unknown: BTreeMap<usize, usize>,
    /// The first unknown split of each dataset.
    splits: BTreeMap<usize, f64>,
    rows: Wrong<f64>,
    twice: Wrong<usize>,
}

impl<'a> Search<'a> {
    fn new(board: &'a Board, truths: &[Vec<Truth>]) -> Self {
        let of_split = |truth: &Truth| vec![NONE; truth.rows()];
        let lines = truths.iter().map(|all| all.iter().map(of_split).collect()).collect();
        Self {
            board,
            lines,
            unknown: BTreeMap::new(),
            splits: BTreeMap::new(),
            rows: BTreeMap::new(),
            twice: BTreeMap::new(),
        }
    }

    fn take(&mut self, dataset: usize, split: f64, row: f64, line: usize) {
        let of_dataset = &mut self.lines[dataset];
        let Some(number) = whole(split).filter(|split| *split < of_dataset.len()) else {
            self.splits.entry(dataset).or_insert(split);
            return;
        };
        let (place, of_split) = ((dataset, number as u64), &mut of_dataset[number]);
        let Some(row_number) = whole(row).filter(|row| *row < of_split.len()) else {
            self.rows.entry(place).or_insert((row, 0)).1 += 1;
            return;
        };
        if of_split[row_number] == NONE {
            of_split[row_number] = line;
        } else {
            self.twice.entry(place).or_insert((row_number, 0)).1 += 1;
        }
    }

    fn dataset(&self, place: usize) -> &BoardDataset {
        &self.board.datasets[place]
    }

    /// What does not belong to the board, or is there twice.
    fn findings(&self, labels: &[String]) -> Vec<Refusal> {
        let unknown = self.unknown.iter();
        let datasets =
            unknown.map(|(label, rows)| unknown_dataset(&labels[*label], self.board, *rows));
        let splits = self.splits.iter().map(|(dataset, split)| Refusal::UnknownSplit {
            dataset: self.dataset(*dataset).key.clone(),
            split: *split,
            splits: self.dataset(*dataset).splits,
        });
        let rows =
            self.rows.iter().map(|((dataset, split), (first, count))| Refusal::UnknownRows {
                dataset: self.dataset(*dataset).key.clone(),
                split: *split,
                first: *first,
                count: *count,
                rows: self.lines[*dataset][*split as usize].len(),
            });
        let twice = self.twice.iter().map(|((dataset, split), (first, count))| Refusal::Twice {
            dataset: self.dataset(*dataset).key.clone(),
            split: *split,
            first: *first,
            count: *count,
        });
        datasets.chain(splits).chain(rows).chain(twice).collect()
    }

    /// The splits that have predictions. What is missing is added to the findings.
    fn parts(&self, card: &Card, to: &mut Vec<Refusal>) -> Vec<Part> {
        let mut parts = Vec::new();
        for (dataset, lines) in self.board.datasets.iter().zip(&self.lines) {
            let mut absent = Vec::new();
            for (lines, split) in lines.iter().zip(0..) {
                let key = dataset.key.clone();
                let (count, rows) =
                    (lines.iter().filter(|line| **line == NONE).count(), lines.len());
                match (card.failure(&key, split), count) {
                    (Some(_), missing) if missing == rows => {}
                    (Some(_), _) => to.push(Refusal::FailedWithRows { dataset: key, split }),
                    (None, 0) => parts.push(Part { dataset: key, split, rows }),
                    (None, missing) if missing == rows => absent.push(split),
                    (None, _) => {
                        let all = lines.iter().enumerate().filter(|(_, line)| **line == NONE);
                        let first = all.map(|(row, _)| row).take(NAMED).collect();
                        to.push(Refusal::MissingRows { dataset: key, split, first, count, rows });
                    }
                }
            }
            if !absent.is_empty() && !card.part {
                let dataset = dataset.key.clone();
                to.push(Refusal::MissingSplits { dataset, splits: absent });
            }
        }
        parts
    }

    /// The row of the file for each row of these splits.
    fn order(&self, parts: &[Part]) -> Vec<usize> {
        let lines = |part: &Part| {
            let (dataset, _) = self.board.dataset(&part.dataset)?;
            self.lines[dataset].get(part.split as usize)
        };
        parts.iter().filter_map(lines).flatten().copied().collect()
    }
}

/// The whole number of 0 or more that a number is.
fn whole(number: f64) -> Option<usize> {
    (number >= 0.0 && number.fract() == 0.0 && number < 1e9).then_some(number as usize)
}
