//! Read the numbers that a paper prints from a CSV file: one line a number, or a table as it stands
//! in the paper.
//!
//! Lines at the top that begin with `#` and have an equals sign state what all numbers have in
//! common; other lines with `#` are remarks. In the long form the header names `dataset`, `metric`
//! and `value`, and may name `spread`, `spread_kind`, `count`, `splits` (between spaces) and `hint`
//! (any word: the number is shown and judges nothing, and `# hint_source =` says where it is from);
//! each further column is a label, but for what an audit reads ([`Stated`]). Where `# rows =`
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
use thiserror::Error;

use super::mistakes::{MOST, SHOWN};
use super::published::{Cell, CellKey, Published, SpreadKind};
use super::stated::Stated;
use uq_core::printable::printable;

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

/// Everything that is wrong with a file of printed numbers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n  "))]
pub struct PrintedErrors(pub Vec<PrintedError>);

impl From<PrintedError> for PrintedErrors {
    fn from(error: PrintedError) -> Self {
        Self(vec![error])
    }
}

/// Fields of a number; any other column or line `# KEY = VALUE` is a label, but for
/// those of [`Stated`].
const FIELDS: [&str; 8] =
    ["dataset", "metric", "value", "spread", "spread_kind", "count", "splits", "hint"];

/// A printed number, field by field, as it stands in the file.
pub(super) type Fields = BTreeMap<String, String>;

/// What all numbers of a file have in common, and how many lines say so.
struct Head {
    common: Fields,
    /// The first line of the table, from 1.
    first: usize,
}

impl Head {
    fn parse(text: &str) -> Result<Self, PrintedError> {
        let mut head = Self { common: Fields::new(), first: 1 };
        for line in text.lines().take_while(|line| line.trim().is_empty() || line.starts_with('#'))
        {
            let stated = line.trim_start_matches('#').split_once('=');
            if let Some((key, value)) = stated.filter(|(key, _)| is_name(key.trim())) {
                let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
                let here = |message| wrong(head.first, message);
                if head.common.len() >= HEAD_LINES || line.chars().count() > HEAD_CHARACTERS {
                    return Err(here(format!(
                        "expected at most {HEAD_LINES} such lines of at most {HEAD_CHARACTERS} \
                         characters above the header"
                    )));
                }
                check_spelling(&key).map_err(here)?;
                if key == "spread_kind" {
                    read_kind(&value).map_err(here)?;
                }
                if head.common.contains_key(&key) {
                    return Err(here(format!("`{key}` is stated twice")));
                }
                head.common.insert(key, value);
            }
            head.first += 1;
        }
        Ok(head)
    }
}

/// Refuses the name of a label that is a field's but for a letter or two.
fn check_spelling(name: &str) -> Result<(), String> {
    let all = || FIELDS.iter().chain(&["hint_source", "columns"]).chain(&Stated::FIELDS);
    let is_near = |field: &&&str| field.len() > 4 && strsim::osa_distance(field, name) <= 2;
    if all().any(|field| *field == name) {
        return Ok(());
    }
    match all().find(is_near) {
        Some(field) => Err(format!("`{name}`: did you mean `{field}`? A label needs another name")),
        None => Ok(()),
    }
}

impl Published {
    /// Reads the text of a file of printed numbers.
    ///
    /// # Errors
    /// [`PrintedErrors`]: each line that is wrong, up to a number that can be mended at once.
    pub fn parse(text: &str) -> Result<Self, PrintedErrors> {
        let text = text.trim_start_matches('\u{feff}');
        let Head { mut common, first } = Head::parse(text)?;
        let hint_source = common.remove("hint_source");
        let shape = (common.remove("rows"), common.remove("columns"));
        let rows = records(text, first)?;
        let numbers = match shape {
            (None, None) => read_long(rows, &common)?,
            (Some(down), Some(across)) => read_wide(rows, &down, &across)?,
            _ => {
                let message = "a table as printed needs both `# rows = …` and `# columns = …`";
                return Err(wrong(first, message.into()).into());
            }
        };
        let mut published = Published { hint_source, ..Published::default() };
        if numbers.len() > MOST_NUMBERS {
            let message =
                format!("found {} numbers, expected at most {MOST_NUMBERS}", numbers.len());
            return Err(wrong(first, message).into());
        }
        let mut errors = Vec::new();
        let mut lines = BTreeMap::new();
        for Number { line, fields } in numbers {
            let all = |fields: Fields| common.clone().into_iter().chain(fields).collect();
            let added = fields.and_then(|fields| published.add(line, all(fields), &mut lines));
            if let Err(message) = added {
                errors.push(wrong(line, message));
            }
            if errors.len() >= MOST {
                break;
            }
        }
        if !errors.is_empty() {
            return Err(PrintedErrors(errors));
        }
        if published.cells.is_empty() && published.hints.is_empty() {
            return Err(wrong(first, "found no number below the header".into()).into());
        }
        Ok(published)
    }

    /// Adds the number of a line; `lines` has those of the cells so far.
    fn add(
        &mut self,
        line: usize,
        mut fields: Fields,
        lines: &mut BTreeMap<CellKey, usize>,
    ) -> Result<(), String> {
        let is_hint = fields.remove("hint").is_some_and(|text| !text.is_empty());
        let cell = read_cell(line, fields)?;
        if let Some(other) = lines.insert(cell.key(), line) {
            return Err(format!(
                "line {other} has a number for this cell already: expected one for each dataset, \
                 metric and column"
            ));
        }
        cell.check()?;
        if is_hint && self.hint_source.is_none() {
            return Err(
                "a hint needs a line `# hint_source = …` at the top: where it is from".into()
            );
        }
        if is_hint { &mut self.hints } else { &mut self.cells }.push(cell);
        Ok(())
    }
}

/// A number with its place; or what is wrong with it.
struct Number {
    line: usize,
    fields: Result<Fields, String>,
}

/// Most numbers of a file.
const MOST_NUMBERS: usize = 20_000;

/// Most lines above the header that state something, and their most characters.
const HEAD_LINES: usize = 50;
const HEAD_CHARACTERS: usize = 1000;

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
fn read_long(records: Vec<Record>, common: &Fields) -> Result<Vec<Number>, PrintedError> {
    let mut records = records.into_iter();
    let Some(Record { line, cells: header }) = records.next() else { return Ok(Vec::new()) };
    if let Some(name) = header.iter().find(|name| !is_name(name)) {
        let name = printable(name, SHOWN);
        let message = format!(
            "the column \"{name}\": expected a name of lower-case letters, digits and underscores"
        );
        return Err(wrong(line, message));
    }
    header.iter().try_for_each(|name| check_spelling(name)).map_err(|text| wrong(line, text))?;
    let is_stated =
        |name: &&str| header.iter().any(|own| own == name) || common.contains_key(*name);
    if let Some(name) = ["dataset", "metric", "value"].iter().find(|name| !is_stated(name)) {
        return Err(wrong(line, missing(name)));
    }
    let of_record = |Record { line, cells }: Record| Number {
        line,
        fields: Ok(header
            .iter()
            .cloned()
            .zip(cells)
            .filter(|(_, cell)| !cell.is_empty())
            .collect()),
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
            let fields = |printed: Printed| {
                let mut fields = Fields::from([
                    (down.to_owned(), row.clone()),
                    (across.to_owned(), column.clone()),
                    ("value".to_owned(), printed.value),
                ]);
                fields.extend(printed.spread.map(|spread| ("spread".to_owned(), spread)));
                fields
            };
            let fields = read_printed(cell).map(|printed| printed.map(fields)).transpose();
            numbers.extend(fields.map(|fields| Number { line, fields }));
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

/// That a field of a number is nowhere.
fn missing(name: &str) -> String {
    format!(
        "found no `{name}`; expected it in a column of this name, or in a line `# {name} = …` at the top"
    )
}

/// A kind of spread by its name.
fn read_kind(name: &str) -> Result<SpreadKind, String> {
    SpreadKind::read(name).ok_or_else(|| {
        format!(
            "spread_kind: found \"{}\", expected one of {}",
            printable(name, SHOWN),
            SpreadKind::NAMES.join(", ")
        )
    })
}

/// A number of these fields. What is no field is a label.
pub(super) fn read_cell(line: usize, mut fields: Fields) -> Result<Cell, String> {
    let mut take = |name: &str| fields.remove(name).filter(|text| !text.is_empty());
    let required = |name: &str, text: Option<String>| text.ok_or_else(|| missing(name));
    let dataset = required("dataset", take("dataset"))?;
    let metric = required("metric", take("metric"))?;
    let printed = required("value", take("value"))?.replace('−', "-");
    let spread = take("spread").map(|text| text.replace('−', "-"));
    // A value may have its spread beside it, as it stands in the paper.
    let (value, spread) = match (printed.parse::<f64>(), spread, read_printed(&printed)) {
        (Err(_), None, Ok(Some(both))) => (both.value, both.spread),
        (_, spread, _) => (printed, spread),
    };
    let kind = take("spread_kind");
    let spread_kind = match (&kind, &spread) {
        (None, None) => SpreadKind::None,
        (None, Some(_)) => SpreadKind::Unknown,
        (Some(kind), _) => read_kind(kind)?,
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
    let stated = Stated::take(&mut fields)?;
    Ok(Cell {
        file: None,
        line,
        dataset,
        metric,
        labels: fields,
        stated,
        value,
        spread,
        spread_kind,
        count,
        splits,
    })
}

#[cfg(test)]
mod tests;
