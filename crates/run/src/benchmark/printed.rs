//! Read the numbers that a paper prints from a CSV file: one line a number, or a table as it stands
//! in the paper.
//!
//! Lines at the top that begin with `#` and have an equals sign state what all numbers have in
//! common; other lines with `#` are remarks. In the long form the header names `dataset`, `metric`
//! and `value`, and may name `spread`, `spread_kind`, `count`, `splits` (between spaces) and `hint`
//! (any word: the number is shown and judges nothing, and `# hint_source =` says where it is from);
//! each further column is a label. Where `# rows =`
//! and `# columns =` say what the rows and the columns of the table are, the file is that table:
//!
//! ```text
//! # rows = dataset
//! # columns = method
//! # metric = rmse
//! # spread_kind = sd
//! # count = 20
//! set,GP,Forest
//! yacht,0.61 ± 0.12,0.84 ± 0.20
//! boston,2.97 (0.85),–
//! ```

use std::collections::BTreeMap;

use csv::{ReaderBuilder, Trim};
use serde::Deserialize;
use thiserror::Error;

use super::Benchmark;
use super::draft::file::Value;
use super::draft::keys::Keys;
use super::folder::Folder;
use super::mistakes::{Mistakes, Part};
use super::published::{Cell, Published, SpreadKind};
use uq_core::names::{did_you_mean, nearest_name};
use uq_core::printable::printable;

/// Most characters of a cell that a message shows.
const SHOWN: usize = 60;

/// What stands in a cell where the paper prints no number.
const EMPTY: [&str; 7] = ["", "-", "–", "—", "n/a", "N/A", "NA"];

/// What is wrong with a file of printed numbers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct PrintedError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// A printed number, field by field, as it stands in the file.
type Fields = BTreeMap<String, String>;

impl Published {
    /// Reads the text of a file of printed numbers.
    ///
    /// # Errors
    /// [`PrintedError`] for the first line that is wrong.
    pub fn parse(text: &str) -> Result<Self, PrintedError> {
        let mut common = Fields::new();
        let mut first = 1;
        for line in text.lines().take_while(|line| line.trim().is_empty() || line.starts_with('#'))
        {
            let stated = line.trim_start_matches('#').split_once('=');
            if let Some((key, value)) = stated.filter(|(key, _)| is_name(key.trim())) {
                let key = key.trim().to_owned();
                if common.insert(key.clone(), value.trim().to_owned()).is_some() {
                    return Err(wrong(first, format!("`{key}` is stated twice")));
                }
            }
            first += 1;
        }
        let hint_source = common.remove("hint_source");
        let shape = (common.remove("rows"), common.remove("columns"));
        let rows = records(text, first)?;
        let numbers = match shape {
            (None, None) => read_long(rows)?,
            (Some(down), Some(across)) => read_wide(rows, &down, &across)?,
            _ => {
                let message = "a table as printed needs both `# rows = …` and `# columns = …`";
                return Err(wrong(first, message.into()));
            }
        };
        let mut published = Published::default();
        let mut known: BTreeMap<(String, String, Fields), usize> = BTreeMap::new();
        for Number { line, fields } in numbers {
            let mut fields: Fields = common.clone().into_iter().chain(fields).collect();
            let is_hint = fields.remove("hint").is_some_and(|text| !text.is_empty());
            let cell = read_cell(line, fields).map_err(|message| wrong(line, message))?;
            let key = (cell.dataset.clone(), cell.metric.clone(), cell.labels.clone());
            if let Some(earlier) = known.insert(key, line) {
                let message = format!("line {earlier} has a number for this cell already");
                return Err(wrong(line, message));
            }
            cell.check().map_err(|message| wrong(line, message))?;
            let place = if is_hint { &mut published.hints } else { &mut published.cells };
            place.push(cell);
            if is_hint && hint_source.is_none() {
                let message =
                    "a hint needs a line `# hint_source = …` at the top: where it is from";
                return Err(wrong(line, message.into()));
            }
        }
        published.hint_source = hint_source;
        if published.cells.is_empty() && published.hints.is_empty() {
            return Err(wrong(first, "found no number below the header".into()));
        }
        Ok(published)
    }
}

/// A number with its place.
struct Number {
    line: usize,
    fields: Fields,
}

/// The cells of a line with its place.
struct Record {
    line: usize,
    cells: Vec<String>,
}

fn wrong(line: usize, message: String) -> PrintedError {
    PrintedError { line, message }
}

/// Whether a text may be the name of a field.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The lines of the table from this one on, all as long as its header.
fn records(text: &str, first: usize) -> Result<Vec<Record>, PrintedError> {
    let skipped: usize = text.split_inclusive('\n').take(first - 1).map(str::len).sum();
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .from_reader(&text.as_bytes()[skipped..]);
    let mut records: Vec<Record> = Vec::new();
    for read in reader.records() {
        let line_of = |position: Option<&csv::Position>| {
            let line = position.map_or(1, csv::Position::line);
            first - 1 + usize::try_from(line).unwrap_or(0)
        };
        let read = read.map_err(|error| wrong(line_of(error.position()), error.to_string()))?;
        let record = Record {
            line: line_of(read.position()),
            cells: read.iter().map(str::to_owned).collect(),
        };
        if let Some(header) = records.first()
            && header.cells.len() != record.cells.len()
        {
            let (found, expected) = (record.cells.len(), header.cells.len());
            let message = format!("found {found} cells, expected {expected} as in the header");
            return Err(wrong(record.line, message));
        }
        records.push(record);
    }
    match records.first() {
        Some(header) => {
            let mut sorted: Vec<&String> = header.cells.iter().collect();
            sorted.sort_unstable();
            match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                Some(twice) => {
                    let name = printable(twice[0], SHOWN);
                    Err(wrong(header.line, format!("two columns are called \"{name}\"")))
                }
                None => Ok(records),
            }
        }
        None => Err(wrong(first, "expected a header".into())),
    }
}

/// One number a line.
fn read_long(records: Vec<Record>) -> Result<Vec<Number>, PrintedError> {
    let mut records = records.into_iter();
    let header = records.next().map_or_else(Vec::new, |record| record.cells);
    if let Some(name) = header.iter().find(|name| !is_name(name)) {
        let name = printable(name, SHOWN);
        let message = format!(
            "the column \"{name}\": expected a name of lower-case letters, digits and underscores"
        );
        return Err(wrong(1, message));
    }
    let of_record = |Record { line, cells }: Record| Number {
        line,
        fields: header.iter().cloned().zip(cells).filter(|(_, cell)| !cell.is_empty()).collect(),
    };
    Ok(records.map(of_record).collect())
}

/// A table as it stands in the paper: the first cell of a line is its value of `down`, the head of a
/// column that of `across`.
fn read_wide(records: Vec<Record>, down: &str, across: &str) -> Result<Vec<Number>, PrintedError> {
    let mut records = records.into_iter();
    let header = records.next().map_or_else(Vec::new, |record| record.cells);
    let mut numbers = Vec::new();
    for Record { line, cells } in records {
        let Some((row, cells)) = cells.split_first() else { continue };
        for (column, cell) in header.iter().skip(1).zip(cells) {
            let Some(printed) = read_printed(cell).map_err(|message| wrong(line, message))? else {
                continue;
            };
            let mut fields = Fields::from([
                (down.to_owned(), row.clone()),
                (across.to_owned(), column.clone()),
                ("value".to_owned(), printed.value),
            ]);
            fields.extend(printed.spread.map(|spread| ("spread".to_owned(), spread)));
            numbers.push(Number { line, fields });
        }
    }
    Ok(numbers)
}

/// A cell of a printed table.
#[derive(Debug, PartialEq, Eq)]
struct Printed {
    value: String,
    spread: Option<String>,
}

/// A number with its spread, such as `0.61 ± 0.12` or `2.97 (0.85)`; `None` for an empty cell.
/// Marks of the best one and the like (`**`, `*`, `†`) say nothing.
fn read_printed(cell: &str) -> Result<Option<Printed>, String> {
    let cell = cell.trim_matches(|c: char| "*†‡$ ".contains(c));
    if EMPTY.contains(&cell) {
        return Ok(None);
    }
    let cut = ["±", "+/-", "+-", "\\pm", "("].iter().find_map(|mark| cell.split_once(mark));
    let (value, spread) = match cut {
        Some((value, spread)) => (value, Some(spread)),
        None => (cell, None),
    };
    let clean = |text: &str| text.trim_matches(|c: char| "*†‡$() ".contains(c)).replace('−', "-");
    let printed = Printed { value: clean(value), spread: spread.map(clean) };
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    let is_read = (printed.value == "none" || is_number(&printed.value))
        && printed.spread.as_deref().is_none_or(is_number);
    if is_read {
        return Ok(Some(printed));
    }
    Err(format!(
        "found \"{}\", expected a number, perhaps with its spread as in \"0.61 ± 0.12\" or \"0.61 \
         (0.12)\", or \"–\" where none is printed",
        printable(cell, SHOWN)
    ))
}

/// A number of these fields. What is no field is a label.
fn read_cell(line: usize, mut fields: Fields) -> Result<Cell, String> {
    let mut take = |name: &str| fields.remove(name).filter(|text| !text.is_empty());
    let required = |name: &str, text: Option<String>| {
        text.ok_or_else(|| {
            format!("found no `{name}`: a column of this name, or a line `# {name} = …` at the top")
        })
    };
    let dataset = required("dataset", take("dataset"))?;
    let metric = required("metric", take("metric"))?;
    let value = required("value", take("value"))?.replace('−', "-");
    let spread = take("spread").map(|text| text.replace('−', "-"));
    let kind = take("spread_kind");
    let spread_kind = match (&kind, &spread) {
        (None, None) => SpreadKind::None,
        (None, Some(_)) => SpreadKind::Unknown,
        (Some(kind), _) => SpreadKind::read(kind).ok_or_else(|| {
            format!(
                "spread_kind: found \"{}\", expected one of {}",
                printable(kind, SHOWN),
                SpreadKind::NAMES.join(", ")
            )
        })?,
    };
    let count = take("count").map(|text| {
        let read = text.parse::<u64>().ok().filter(|count| *count > 0);
        read.ok_or_else(|| {
            format!("count: found \"{}\", expected a whole number above 0", printable(&text, SHOWN))
        })
    });
    let splits = take("splits").unwrap_or_default();
    let split = |text: &str| {
        let read = text.parse::<f64>();
        read.map_err(|_| format!("splits: found \"{}\", expected a number", printable(text, SHOWN)))
    };
    let splits = splits.split_whitespace().map(split).collect::<Result<Vec<f64>, _>>()?;
    // What a spread of no number would be is not known.
    let spread_kind = if spread.is_none() { SpreadKind::None } else { spread_kind };
    let count = count.transpose()?;
    Ok(Cell { line, dataset, metric, labels: fields, value, spread, spread_kind, count, splits })
}

/// Largest file of printed numbers, in bytes.
const LARGEST: u64 = 16 << 20;

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
    /// None are stated.
    Nowhere,
    /// In the benchmark file.
    Here(Vec<Entry>),
    /// In a CSV file beside it or below.
    File(String),
}

impl Source {
    /// Reads the key `published`: the path of a file, or a list of numbers.
    pub fn read(value: Option<&Value>, keys: &mut Keys) -> Self {
        match value.map(|value| value.get_ref().is_array()) {
            Some(true) => Self::Here(keys.list("published", &["dataset", "metric", "value"])),
            _ => keys.optional("published").map_or(Self::Nowhere, Self::File),
        }
    }

    /// The numbers; notes what is wrong with them.
    pub fn numbers(self, folder: &Folder, to: &mut Mistakes) -> Published {
        match self {
            Self::Nowhere => Published::default(),
            Self::Here(entries) => {
                let mut published = Published::default();
                for (i, entry) in entries.into_iter().enumerate() {
                    let part = to.entry("published", i);
                    match entry.cell(i + 1) {
                        Ok(cell) if published.cells.iter().any(|other| other.is_of(&cell)) => {
                            to.note(part, "an entry above has a number for this cell already");
                        }
                        Ok(cell) => published.cells.push(cell),
                        Err(message) => to.note(part, message),
                    }
                }
                published
            }
            Self::File(name) => {
                let text = folder.text(&name, LARGEST);
                let read = text
                    .and_then(|text| Published::parse(&text).map_err(|error| error.to_string()));
                match read {
                    Ok(published) => Published { file: Some(name), ..published },
                    Err(message) => {
                        let name = printable(&name, SHOWN);
                        to.note(Part::key("published"), format!("{name}: {message}"));
                        Published::default()
                    }
                }
            }
        }
    }
}

impl Benchmark {
    /// Notes printed numbers of no dataset, metric or column.
    pub(super) fn check_printed_cells(&self, to: &mut Mistakes) {
        let Published { cells, hints, file, .. } = &self.printed;
        for (i, cell) in cells.iter().chain(hints).enumerate() {
            let Err(message) = self.check_cell(cell) else { continue };
            match file {
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
        let columns = self.columns().map(|column| &column.labels);
        let mut columns = columns.chain(self.printed_columns.iter().map(|column| &column.labels));
        if columns.any(|labels| *labels == cell.labels) {
            return Ok(());
        }
        let labels: Vec<String> =
            cell.labels.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        Err(format!(
            "no column has the labels {}: expected those of a method's column, or of one of \
             `printed_columns`",
            printable(&labels.join(", "), 200)
        ))
    }
}

#[cfg(test)]
mod tests;
