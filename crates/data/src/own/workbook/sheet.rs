//! Find the header of a sheet, and take the rows below it as lines.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use calamine::Dimensions;

use super::Placed;
use super::content::Content;
use super::limits::{MOST_CELLS, too_large};
use crate::own::bytes::LIMIT;
use crate::own::error::{OwnError, Place, shape};
use crate::own::finding::{Finding, Topic};
use crate::own::lines::Line;
use crate::own::metadata;
use crate::own::number::is_written;
use crate::own::words::{Setting, Words};
use uq_core::names::counted;
use uq_core::printable::printable;

/// A sheet as lines of text.
pub(in crate::own) struct Sheet {
    /// The names of the columns.
    pub header: csv::StringRecord,
    /// The rows below it, each with its number in the sheet.
    pub lines: Vec<Line<'static>>,
    /// The positions of the columns of which some numbers are texts.
    pub written: BTreeSet<usize>,
    /// What was found on the way.
    pub findings: Vec<Finding>,
    /// Which of several sheets the program has chosen, in words.
    pub choice: Option<Words>,
}

/// Rows that are looked at to find the header.
const LOOKED_AT: usize = 50;
/// Most rows of a title above a header.
const MOST_TITLES: usize = 20;
/// Most blank rows in a row that are kept.
const MOST_BLANK: u32 = 10_000;
/// Most cells that are named in a note.
const NAMED: usize = 10;

/// The cells of each row that has any, by column; rows and columns count from 0.
type Rows = BTreeMap<u32, BTreeMap<u32, Content>>;

impl Sheet {
    /// The lines of these cells, of which some are joined.
    pub(super) fn of(
        file: &str,
        cells: Vec<Placed>,
        merged: &[Dimensions],
        mut findings: Vec<Finding>,
    ) -> Result<Self, OwnError> {
        let mut rows = Rows::new();
        for ((row, column), content) in cells {
            rows.entry(row).or_default().insert(column, content);
        }
        let filled = fill_merged(file, &mut rows, merged)?;
        let Some(header) = header_row(&rows, merged) else {
            let expected =
                Words::from("a header and rows; ") + Setting::Sheet + " NAME chooses another sheet";
            return Err(shape(file, "an empty sheet", expected));
        };
        let titles = rows.range(..header).count();
        if titles > 0 {
            let text = format!(
                "{file}: {} above the header, in row {}, left out",
                counted(titles, "row"),
                header + 1
            );
            findings.push(Finding::note(text).about(Topic::Sheet, [] as [&str; 0]));
        }
        if filled > 0 {
            let text = format!(
                "{file}: {} of joined cells have the value of the first one",
                counted(filled, "cell")
            );
            findings.push(Finding::note(text).about(Topic::MergedCells, [] as [&str; 0]));
        }
        let table = rows.split_off(&header);
        let columns = || table.values().flat_map(BTreeMap::keys).copied();
        let (first, last) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
        let gaps = table
            .keys()
            .zip(table.keys().skip(1))
            .map(|(row, next)| (next - row).min(MOST_BLANK) as usize);
        if (last - first + 1) as usize * (gaps.sum::<usize>() + 1) > MOST_CELLS {
            return Err(too_large(file));
        }
        let with_time = with_time(&table, header);
        let record = |cells: &BTreeMap<u32, Content>| -> csv::StringRecord {
            (first..=last)
                .map(|column| {
                    cells
                        .get(&column)
                        .map_or_else(String::new, |cell| written(cell, column, &with_time))
                })
                .collect()
        };
        let names = table.get(&header).map(record).unwrap_or_default();
        findings.extend(failed(file, &table, &names, first));
        let written = numbers_as_text(&table, first);
        let (mut lines, mut next) = (Vec::with_capacity(table.len()), header + 1);
        for (row, cells) in table.iter().skip(1) {
            let blank: csv::StringRecord = (first..=last).map(|_| "").collect();
            lines.extend(
                (next.max(row.saturating_sub(MOST_BLANK))..*row)
                    .map(|row| line(row, blank.clone())),
            );
            lines.push(line(*row, record(cells)));
            next = row + 1;
        }
        Ok(Self { header: names, lines, written, findings, choice: None })
    }
}

fn line(row: u32, cells: csv::StringRecord) -> Line<'static> {
    Line { place: Place::Row(u64::from(row) + 1), cells, rest: "" }
}

/// Gives joined cells of a column the value of the first one, as they look. Returns their number.
/// Joined cells of a row are a title.
fn fill_merged(file: &str, rows: &mut Rows, merged: &[Dimensions]) -> Result<usize, OwnError> {
    let (mut filled, mut text) = (0, 0);
    for Dimensions { start, end } in merged.iter().filter(|of| of.start.1 == of.end.1) {
        let Some(value) = rows.get(&start.0).and_then(|cells| cells.get(&start.1)).cloned() else {
            continue;
        };
        for (_, cells) in
            rows.range_mut(start.0 + 1..=end.0.max(start.0 + 1)).filter(|(row, _)| **row <= end.0)
        {
            cells.entry(start.1).or_insert_with(|| value.clone());
            filled += 1;
            text += value.text().len() as u64;
            if filled > MOST_CELLS || text > LIMIT {
                return Err(too_large(file));
            }
        }
    }
    Ok(filled)
}

/// The row of the header: the first one of which most of the columns have a name. A row with joined
/// cells above a fuller one is a title, and so is one with few cells.
fn header_row(rows: &Rows, merged: &[Dimensions]) -> Option<u32> {
    let widest = rows.values().take(LOOKED_AT).map(BTreeMap::len).max()?;
    let first_column = rows.values().take(LOOKED_AT).flat_map(BTreeMap::keys).min().copied()?;
    let is_joined = |row: u32| {
        merged.iter().any(|of| of.start.0 <= row && row <= of.end.0 && of.start.1 < of.end.1)
    };
    let next = |row: u32| rows.range(row + 1..).next().map_or(0, |(_, cells)| cells.len());
    let is_header = |(row, cells): &(&u32, &BTreeMap<u32, Content>)| {
        // An index has no name.
        let named = cells.len() + usize::from(!cells.contains_key(&first_column));
        let is_full = if widest <= 3 { named >= widest } else { 2 * named > widest };
        is_full && !(is_joined(**row) && next(**row) > cells.len())
    };
    let found = rows.iter().take(MOST_TITLES + 1).find(is_header);
    let first = found.or_else(|| rows.iter().next()).map(|(row, _)| *row)?;
    Some(header_below(rows, first).unwrap_or(first))
}

/// The row of the header below rows from this one on that say something of the table.
fn header_below(rows: &Rows, first: u32) -> Option<u32> {
    let last = first.saturating_add((metadata::MOST_LINES + metadata::LOOKED_AT) as u32);
    let looked_at = || rows.range(first..=last);
    let columns = || looked_at().flat_map(|(_, cells)| cells.keys()).copied();
    let (left, right) = (columns().min()?, columns().max()?);
    let texts = |row: u32| match rows.get(&row) {
        Some(cells) => {
            (left..=right).map(|column| cells.get(&column).map_or("", Content::text)).collect()
        }
        None => Vec::new(),
    };
    let end = looked_at().next_back().map_or(first, |(row, _)| *row);
    let lines: Vec<Vec<&str>> = (first..=end).map(texts).collect();
    metadata::header_below(&lines).map(|place| first + place as u32)
}

/// The columns that have a time of the day in some row, so that their days have one, too.
fn with_time(table: &Rows, header: u32) -> HashSet<u32> {
    let below = table.range(header + 1..).flat_map(|(_, cells)| cells);
    below
        .filter(|(_, cell)| matches!(cell, Content::Moment(_)))
        .map(|(column, _)| *column)
        .collect()
}

fn written(cell: &Content, column: u32, with_time: &HashSet<u32>) -> String {
    match cell {
        Content::Day(day) if with_time.contains(&column) => format!("{day} 00:00:00"),
        other => other.text().to_owned(),
    }
}

/// The positions of the columns that have a number as text below the header.
fn numbers_as_text(table: &Rows, first: u32) -> BTreeSet<usize> {
    let cells = table.iter().skip(1).flat_map(|(_, cells)| cells);
    let texts = cells.filter(|(_, cell)| matches!(cell, Content::Text(text) if is_written(text)));
    texts.map(|(column, _)| (column - first) as usize).collect()
}

/// The note on cells whose formula has failed, with their addresses.
fn failed(file: &str, table: &Rows, names: &csv::StringRecord, first: u32) -> Option<Finding> {
    let mut found = Vec::new();
    for (row, cells) in table.iter().skip(1) {
        let failed = cells.iter().filter(|(_, cell)| matches!(cell, Content::Failed(_)));
        found.extend(failed.map(|(column, cell)| {
            (*column, format!("{}{} ({})", letters(*column), row + 1, cell.text()))
        }));
    }
    if found.is_empty() {
        return None;
    }
    let mut columns: Vec<u32> = found.iter().map(|(column, _)| *column).collect();
    columns.sort_unstable();
    columns.dedup();
    let columns =
        columns.iter().filter_map(|column| names.get((column - first) as usize)).map(str::to_owned);
    let named =
        found.iter().take(NAMED).map(|(_, told)| told.as_str()).collect::<Vec<_>>().join(", ");
    let more = if found.len() > NAMED { ", …" } else { "" };
    let count = counted(found.len(), "cell");
    let text = format!(
        "{file}: {count} with the error of a formula, taken as missing: {}{more}",
        printable(&named, 300)
    );
    Some(Finding::note(text).about(Topic::FailedCells, columns))
}

/// The letters of a column, from 0: A, B, …, Z, AA, …
fn letters(column: u32) -> String {
    let (before, last) = (column / 26, (b'A' + (column % 26) as u8) as char);
    if before == 0 { last.to_string() } else { letters(before - 1) + &last.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        assert_eq!([0, 25, 26, 27, 701, 702].map(letters), ["A", "Z", "AA", "AB", "ZZ", "AAA"]);
    }
}
