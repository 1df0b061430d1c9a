//! Find remarks below the rows of a table: its source, `(123 rows affected)`, the word `Total`
//! alone.

use super::lines::Line;
use super::numeric::is_number;

/// From this share of numbers among the cells of a column on, it is one of numbers.
const NUMERIC: f64 = 0.8;
/// Most lines of remarks.
const MOST: usize = 20;
/// Words that begin a remark, in small letters.
const WORDS: [&str; 24] = [
    "total",
    "totals",
    "sum",
    "summe",
    "gesamt",
    "subtotal",
    "grand",
    "source",
    "sources",
    "quelle",
    "quellen",
    "note",
    "notes",
    "legend",
    "legende",
    "end",
    "eof",
    "ende",
    "rows",
    "copyright",
    "anmerkung",
    "hinweis",
    "remark",
    "stand",
];

/// The places of the remarks below the rows of a table with this number of columns, in their order.
/// A remark has no number and fewer cells than the table: one that is a remark by its words, or
/// text where all rows have numbers. Below an empty line several cells may have one.
pub(super) fn footers(columns: usize, lines: &[Line]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut numbers: Option<Vec<bool>> = None;
    for at in (0..lines.len()).rev().take(MOST) {
        let line = &lines[at];
        if line.is_blank() || line.is_marked() {
            continue;
        }
        let given: Vec<(usize, &str)> =
            line.cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()).collect();
        let is_certain = given.first().is_some_and(|(_, cell)| is_remark(cell));
        let has_other_width = line.cells.len() != columns;
        let is_possible = given.len() < columns && line.cells.len() <= columns;
        if given.iter().any(|(_, cell)| is_number(cell))
            || !(is_possible || (is_certain && has_other_width))
        {
            break;
        }
        let numbers = numbers.get_or_insert_with(|| numeric(columns, &lines[..at]));
        let is_among_numbers = given.iter().any(|(column, _)| numbers.get(*column) == Some(&true));
        let is_below_gap = is_below_gap(lines, at, columns);
        let is_short = has_other_width || is_below_gap;
        let is_footer = match given.len() {
            1 => (is_among_numbers || is_certain) && (is_short || (is_among_numbers && is_certain)),
            _ => (is_below_gap && is_among_numbers) || (is_certain && has_other_width),
        };
        if !is_footer {
            break;
        }
        found.push(at);
    }
    if found.len() == lines.len() || found.last() == Some(&0) {
        return Vec::new();
    }
    found.reverse();
    found
}

/// Whether an empty line stands above this line, or above the remarks before it.
fn is_below_gap(lines: &[Line], at: usize, columns: usize) -> bool {
    for above in (0..at).rev().take(MOST) {
        let (line, next) = (&lines[above], &lines[above + 1]);
        let is_torn = line.cells.iter().any(|cell| cell.contains('\n'));
        if line.is_blank() || (!is_torn && next.place.number() > line.place.number() + 1) {
            return true;
        }
        let is_row = line.cells.iter().any(|cell| !cell.is_empty() && is_number(cell))
            || line.cells.iter().filter(|cell| !cell.is_empty()).count() >= columns;
        if is_row {
            return false;
        }
    }
    false
}

/// Whether each column is one of numbers in these lines.
fn numeric(columns: usize, lines: &[Line]) -> Vec<bool> {
    let of = |column: usize| {
        let given = || {
            lines.iter().filter_map(|line| line.cells.get(column)).filter(|cell| !cell.is_empty())
        };
        let all = given().count();
        all > 0 && given().filter(|cell| is_number(cell)).count() as f64 >= NUMERIC * all as f64
    };
    (0..columns).map(of).collect()
}

/// Whether a text is a remark by its words or its signs.
pub(super) fn is_remark(text: &str) -> bool {
    let first =
        text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let mut words = text.split_whitespace();
    let are_rows = words.next().is_some_and(is_number)
        && words.next().is_some_and(|word| word.to_lowercase().starts_with("row"));
    let is_bracketed = text.starts_with('(') && text.ends_with(')') && text.contains(' ');
    WORDS.contains(&first.as_str())
        || are_rows
        || is_bracketed
        || text.starts_with("--")
        || text.starts_with(['*', '\u{a9}'])
}

#[cfg(test)]
mod tests {
    use csv::StringRecord;

    use super::*;
    use crate::own::error::Place;

    /// The places of the remarks in these lines, of which one may be empty.
    fn of(text: &str) -> Vec<usize> {
        let columns = text.lines().next().unwrap().split(',').count();
        let line = |(rest, number)| {
            let cells = str::split(rest, ',').map(str::trim).collect::<StringRecord>();
            Line { place: Place::Line(number), cells, rest }
        };
        let lines: Vec<Line> =
            text.lines().zip(1..).skip(1).filter(|(rest, _)| !rest.is_empty()).map(line).collect();
        footers(columns, &lines)
    }

    #[test]
    fn remarks_below_the_rows_are_found() {
        for footer in [
            "Total",
            "Source: office of statistics",
            "(120 rows affected)",
            "-- end",
            "Total,,",
            ",,Total",
            "* estimated",
            "Source: a, b",
            "Source: a, b, c, d",
            "60 rows selected.",
            "abc",
        ] {
            assert_eq!(of(&format!("x,c,y\n1,red,2\n3,blue,4\n{footer}\n")), [2], "{footer}");
        }
        assert_eq!(of("x,c,y\n1,red,2\n3,blue,4\n\nQuelle: Amt, Stand 2024,\n"), [2]);
        let rows = "1,red,2\n3,blue,4\n".repeat(5);
        assert_eq!(of(&format!("x,c,y\n{rows},,\nLegend,,\nred = hot,,\n")), [11, 12]);
        assert_eq!(of("c,x,y\nred,1,2\nblue,3,4\n\nTotal\n"), [2]);
    }

    #[test]
    fn rows_are_no_remarks() {
        for text in [
            "x,c,y\n1,red,2\n3,blue,4\n",
            "x,c,y\n1,red,2\n3,blue,\n",
            "c,x,y\nred,1,2\nblue,,\n",
            "c,x,y\nred,1,2\nblue\n",
            "x,c,y\n1,red,2\nTotal,,6\n",
            "x,c,y\n1,red,2\n7\n",
            "x,c,y\n1,red,2\nabc,blue,\n",
            "x,c,y\n1,red,2\nabc,,\n",
            "c,x,y\nred,1,2\nTotal,,\n",
            "c,d\nred,a\nblue,b\n",
            "x,y\n",
        ] {
            assert!(of(text).is_empty(), "{text} {:?}", of(text));
        }
    }
}
