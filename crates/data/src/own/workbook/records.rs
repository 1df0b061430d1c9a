//! Count the cells of an Excel workbook from before 2007 and the bytes of their texts, before its
//! reader makes room for all of them: a text that is written once may be the text of every cell,
//! and one cell far away makes room for all before it.

use super::container::{stream, u16_at, u32_at};
use super::limits::Needed;

// Types of records (MS-XLS 2.3).
const BEGIN: u16 = 0x0809;
const END: u16 = 0x000a;
const SHEET: u16 = 0x0085;
const TEXTS: u16 = 0x00fc;
const CONTINUE: u16 = 0x003c;
const EXTENT: u16 = 0x0200;
const TEXT_BY_NUMBER: u16 = 0x00fd;
const SEVERAL_NUMBERS: u16 = 0x00bd;
/// Records of one cell, which begin with its row and its column.
const ONE_CELL: [u16; 7] = [0x0203, 0x0204, 0x00d6, 0x0205, 0x027e, 0x0006, TEXT_BY_NUMBER];

/// What a workbook takes, with the cells that its sheets claim to have; `None` where it has no
/// sheets, or they cannot be followed to their ends.
pub(super) fn needed(file: &[u8]) -> Option<Needed> {
    let stream = stream(file, &["Workbook", "Book"])??;
    let (mut sheets, mut texts) = (Vec::new(), Vec::new());
    for Record { kind, data, more } in Records(&stream) {
        match kind {
            SHEET => sheets.extend(u32_at(data, 0)),
            TEXTS => texts = lengths(data, &more),
            END => break,
            _ => {}
        }
    }
    let mut all = Needed::default();
    for start in sheets {
        let sheet = of_sheet(stream.get(usize::try_from(start).ok()?..)?, &texts);
        all.cells = all.cells.saturating_add(sheet.cells);
        all.largest = all.largest.max(sheet.largest);
        all.text = all.text.saturating_add(sheet.text);
    }
    Some(all)
}

struct Record<'a> {
    kind: u16,
    data: &'a [u8],
    /// The parts of it that did not fit into one record.
    more: Vec<&'a [u8]>,
}

struct Records<'a>(&'a [u8]);

impl<'a> Records<'a> {
    fn part(&mut self) -> Option<(u16, &'a [u8])> {
        let (kind, length) = (u16_at(self.0, 0)?, u16_at(self.0, 2)?);
        let data = self.0.get(4..4 + usize::from(length))?;
        self.0 = &self.0[4 + usize::from(length)..];
        Some((kind, data))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let (kind, data) = self.part()?;
        let mut more = Vec::new();
        while u16_at(self.0, 0) == Some(CONTINUE) {
            more.push(self.part()?.1);
        }
        Some(Record { kind, data, more })
    }
}

#[derive(Default)]
struct Rectangle {
    rows: Option<(u64, u64)>,
    columns: Option<(u64, u64)>,
}

impl Rectangle {
    fn add(&mut self, row: u64, column: u64) {
        let wider = |known: Option<(u64, u64)>, new: u64| {
            known.map_or((new, new), |(low, high)| (low.min(new), high.max(new)))
        };
        self.rows = Some(wider(self.rows, row));
        self.columns = Some(wider(self.columns, column));
    }

    fn cells(&self) -> u64 {
        let length = |range: Option<(u64, u64)>| range.map_or(0, |(low, high)| high - low + 1);
        length(self.rows).saturating_mul(length(self.columns))
    }
}

fn of_sheet(sheet: &[u8], texts: &[u64]) -> Needed {
    let (mut found, mut claimed, mut text, mut depth) = (Rectangle::default(), 0, 0_u64, 0);
    for Record { kind, data, .. } in Records(sheet) {
        match kind {
            BEGIN => depth += 1,
            END if depth <= 1 => break,
            END => depth -= 1,
            // A chart within the sheet has records that look like cells.
            _ if depth > 1 => {}
            EXTENT => claimed = claimed.max(extent(data).unwrap_or(0)),
            _ => {
                let (Some(row), Some(column)) = (u16_at(data, 0), u16_at(data, 2)) else {
                    continue;
                };
                if ONE_CELL.contains(&kind) || kind == SEVERAL_NUMBERS {
                    found.add(row.into(), column.into());
                }
                if kind == SEVERAL_NUMBERS {
                    let last = data
                        .len()
                        .checked_sub(2)
                        .and_then(|place| u16_at(data, place))
                        .unwrap_or(column);
                    found.add(row.into(), last.into());
                }
                if kind == TEXT_BY_NUMBER {
                    let number = u32_at(data, 6).and_then(|number| usize::try_from(number).ok());
                    text = text.saturating_add(
                        number.and_then(|number| texts.get(number)).copied().unwrap_or(0),
                    );
                }
            }
        }
    }
    Needed { cells: found.cells(), largest: found.cells().max(claimed), text }
}

/// The cells that a sheet claims to have: its reader makes room for them.
fn extent(data: &[u8]) -> Option<u64> {
    let [first_row, end_row, first_column, end_column] = match data.len() {
        10 => [0, 2, 4, 6].map(|place| u16_at(data, place).map(u64::from)),
        _ => [
            u32_at(data, 0).map(u64::from),
            u32_at(data, 4).map(u64::from),
            u16_at(data, 8).map(u64::from),
            u16_at(data, 10).map(u64::from),
        ],
    };
    let (first_row, end_row, mut first_column, end_column) =
        (first_row?, end_row?, first_column?, end_column?);
    if end_row == 0 || end_column == 0 {
        return Some(1);
    }
    // As its reader has it: an end before the start makes room for all numbers of 32 bits.
    if first_column > 255 || end_column <= first_column {
        first_column = 0;
    }
    let rows = if end_row < first_row { u64::from(u32::MAX) } else { end_row - first_row };
    Some(rows.saturating_mul(end_column - first_column))
}

/// The bytes of each text of the list of texts (MS-XLS 2.5.293), as far as it can be followed.
fn lengths(data: &[u8], more: &[&[u8]]) -> Vec<u64> {
    let mut all = Vec::new();
    let mut rest = Rest { data: data.get(8..).unwrap_or_default(), more };
    while let Some(length) = rest.text() {
        all.push(length);
    }
    all
}

/// What is left of a record that is written in parts.
struct Rest<'a> {
    data: &'a [u8],
    more: &'a [&'a [u8]],
}

impl Rest<'_> {
    /// Goes on to the next part where this one is at its end.
    fn turn(&mut self) -> Option<()> {
        while self.data.is_empty() {
            let (next, more) = self.more.split_first()?;
            (self.data, self.more) = (next, more);
        }
        Some(())
    }

    fn skip(&mut self, mut bytes: usize) -> Option<()> {
        while bytes > 0 {
            self.turn()?;
            let count = bytes.min(self.data.len());
            self.data = &self.data[count..];
            bytes -= count;
        }
        Some(())
    }

    fn text(&mut self) -> Option<u64> {
        self.turn()?;
        let (mut left, mut flags) = (usize::from(u16_at(self.data, 0)?), *self.data.get(2)?);
        let has = |bit: u8| flags & bit != 0;
        let runs = if has(8) { u16_at(self.data, 3)? } else { 0 };
        let extra = if has(4) { u32_at(self.data, if has(8) { 5 } else { 3 })? } else { 0 };
        let head = 3 + if has(8) { 2 } else { 0 } + if has(4) { 4 } else { 0 };
        self.data = self.data.get(head..)?;
        let mut length = 0;
        while left > 0 {
            // A part that begins within the characters says anew how wide they are.
            if self.data.is_empty() {
                self.turn()?;
                flags = *self.data.first()?;
                self.data = &self.data[1..];
                continue;
            }
            let wide = 1 + usize::from(flags & 1);
            let count = left.min(self.data.len().div_ceil(wide));
            self.data = self.data.get(count * wide..).unwrap_or_default();
            length += (count * wide) as u64;
            left -= count;
        }
        self.skip(4 * usize::from(runs) + usize::try_from(extra).ok()?)?;
        Some(length)
    }
}

#[cfg(test)]
mod tests;
