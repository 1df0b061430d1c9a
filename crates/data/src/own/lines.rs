//! Divide a text into lines of cells.

use super::error::{OwnError, Place, shape};
use super::layout::{Layout, Lines, MARKS};

/// One line of a text as cells.
pub(super) struct Line<'a> {
    /// Where it stands.
    pub place: Place,
    pub cells: csv::StringRecord,
    /// The text from its beginning; empty where the cells are of no text.
    pub rest: &'a str,
}

impl Line<'_> {
    /// Whether it is a comment where it has another number of cells than the header, or text where
    /// all rows have numbers.
    pub fn is_marked(&self) -> bool {
        self.rest.trim_start().starts_with(MARKS)
    }

    /// Whether it has no cell with anything in it.
    pub fn is_blank(&self) -> bool {
        self.cells.iter().all(str::is_empty)
    }
}

/// Lines without any character but blanks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Empty {
    pub lines: usize,
    /// The first one's number.
    pub first: u64,
}

impl Empty {
    fn add(&mut self, lines: u64, first: u64) {
        if lines > 0 && self.lines == 0 {
            self.first = first;
        }
        self.lines += lines as usize;
    }
}

/// The lines of a text, the header's first, and those between them that are empty. Of a text of one
/// column these are lines, too.
pub(super) fn lines<'a>(
    file: &str,
    layout: &'a Layout,
) -> Result<(Vec<Line<'a>>, Empty), OwnError> {
    let Layout { text, start, separator, .. } = layout;
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(if *separator == ' ' { b'\t' } else { *separator as u8 })
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text[*start..].as_bytes());
    let mut counted = Lines::new(text.as_bytes());
    let mut cells = csv::StringRecord::new();
    let mut lines: Vec<Line> = Vec::new();
    let mut empty = Empty::default();
    while reader
        .read_record(&mut cells)
        .map_err(|error| shape(file, &error.to_string(), "text in UTF-8"))?
    {
        let place = start + cells.position().map_or(0, |position| position.byte() as usize);
        let number = counted.of(place);
        let Some(header) = lines.first() else {
            lines.push(Line {
                place: Place::Line(number),
                cells: cells.clone(),
                rest: &text[place..],
            });
            continue;
        };
        let is_one_column = header.cells.len() == 1;
        let above = empty_above(text, place);
        if is_one_column {
            let blank = |number| Line {
                place: Place::Line(number),
                cells: csv::StringRecord::from(vec![""]),
                rest: "",
            };
            lines.extend((number - above..number).map(blank));
        } else {
            empty.add(above, number - above);
        }
        // A line of blanks has one cell.
        if !is_one_column && cells.len() == 1 && cells.iter().all(str::is_empty) {
            empty.add(1, number);
            continue;
        }
        lines.push(Line { place: Place::Line(number), cells: cells.clone(), rest: &text[place..] });
    }
    Ok((lines, empty))
}

/// How many empty lines stand between a place, where a reader has gone on, and the next line.
fn empty_above(text: &str, place: usize) -> u64 {
    let bytes = &text.as_bytes()[place..];
    let ends = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let continues =
        place > 0 && text.as_bytes()[place - 1] == b'\r' && bytes.first() == Some(&b'\n');
    let is_end = |i: usize| bytes[i] == b'\n' || bytes.get(i + 1) != Some(&b'\n');
    (usize::from(continues)..ends).filter(|i| is_end(*i)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line's number and its first cell, and the empty lines.
    fn read(text: &str) -> (Vec<(Place, String)>, Empty) {
        let layout = Layout::of("f", text.into(), None);
        let (lines, empty) = lines("f", &layout).unwrap();
        (lines.iter().map(|line| (line.place, line.cells[0].to_owned())).collect(), empty)
    }

    #[test]
    fn empty_lines_of_one_column_are_lines() {
        let at = |number: u64, cell: &str| (Place::Line(number), cell.to_owned());
        for end in ["\n", "\r\n"] {
            let text = "x\n1\n\n\n2\n   \n3\n\n".replace('\n', end);
            let expected = vec![
                at(1, "x"),
                at(2, "1"),
                at(3, ""),
                at(4, ""),
                at(5, "2"),
                at(6, ""),
                at(7, "3"),
            ];
            assert_eq!(read(&text), (expected, Empty::default()), "{text:?}");
        }
    }

    #[test]
    fn empty_lines_of_more_columns_are_counted() {
        let at = |number: u64, cell: &str| (Place::Line(number), cell.to_owned());
        for end in ["\n", "\r\n"] {
            let text = "x,y\n1,2\n\n  \n3,4\n,\n\n".replace('\n', end);
            let expected = vec![at(1, "x"), at(2, "1"), at(5, "3"), at(6, "")];
            assert_eq!(read(&text), (expected, Empty { lines: 2, first: 3 }), "{text:?}");
        }
    }
}
