//! Find the header below lines that say something of the table, as sheets have them above it: its
//! title, who made it, when.
//!
//! It is the first line of which every cell has a name, the line below which has a number, and
//! which stands above a column of numbers. What stands above it has fewer cells with anything in
//! them, or an empty line below it.

use std::collections::HashSet;

use super::numeric::is_number;
use super::types::{is_rule, is_type};
use super::units::is_unit;

/// Most lines above a header.
pub(super) const MOST_LINES: usize = 20;
/// Lines below it that are looked at.
pub(super) const LOOKED_AT: usize = 20;
/// From this share of numbers among the cells of a column on, it is one of numbers.
const NUMERIC: f64 = 0.8;

/// The place of the header among the first lines of a table, each divided into cells, an empty line
/// into none; `None` where it is the first one, or where that is not certain.
pub(super) fn header_below(lines: &[Vec<&str>]) -> Option<usize> {
    (1..lines.len().min(MOST_LINES + 1))
        .find(|place| is_header(lines, *place) && is_above(lines, *place))
}

/// Number of cells with anything in them.
fn filled(line: &[&str]) -> usize {
    line.iter().filter(|cell| !cell.is_empty()).count()
}

/// Whether a line has names for all columns of the lines below it, some of which are numbers there.
fn is_header(lines: &[Vec<&str>], place: usize) -> bool {
    let names = &lines[place];
    let different: HashSet<&str> = names.iter().copied().collect();
    // An index has no name.
    let has_names = names.len() > 1
        && names.iter().skip(1).all(|name| !name.is_empty())
        && different.len() == names.len();
    let are_words = names.iter().all(|name| name.is_empty() || !is_number(name));
    let are_none = names.iter().all(|name| is_unit(name) || is_type(name))
        || is_rule(&names.iter().copied().collect());
    let mut below =
        lines[place + 1..].iter().filter(|line| filled(line) > 0).take(LOOKED_AT).peekable();
    let has_number = |line: &&Vec<&str>| {
        line.len() == names.len() && line.iter().any(|cell| !cell.is_empty() && is_number(cell))
    };
    if !has_names || !are_words || are_none || !below.peek().is_some_and(has_number) {
        return false;
    }
    let below: Vec<&Vec<&str>> = below.collect();
    let is_numeric = |column: usize| {
        let given: Vec<&str> = below
            .iter()
            .filter_map(|line| line.get(column).copied())
            .filter(|cell| !cell.is_empty())
            .collect();
        let numbers = given.iter().filter(|cell| is_number(cell)).count();
        !given.is_empty() && numbers as f64 >= NUMERIC * given.len() as f64
    };
    (0..names.len()).any(is_numeric)
}

/// Whether all lines above a header are no rows and no header themselves.
fn is_above(lines: &[Vec<&str>], header: usize) -> bool {
    let columns = lines[header].len();
    let is_blank = |line: &Vec<&str>| filled(line) == 0;
    // Empty lines alone say nothing.
    if lines[..header].iter().all(Vec::is_empty) {
        return false;
    }
    let has_gap = lines[..header].iter().any(is_blank);
    let is_sparse =
        |line: &Vec<&str>| filled(line) + 1 < columns || (columns == 2 && filled(line) < 2);
    let above = &lines[..header];
    // A line of two cells, its name and its value, says something of the table; below an empty line
    // the header stands.
    above.iter().all(is_sparse)
        || (has_gap
            && lines[header - 1..header].iter().all(is_blank)
            && above.iter().all(|line| line.len() <= columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<usize> {
        let cells = |line: &'static str| {
            if line.is_empty() { Vec::new() } else { line.split(',').collect() }
        };
        let text: &'static str = text.to_owned().leak();
        header_below(&text.lines().map(cells).collect::<Vec<Vec<&str>>>())
    }

    const ROWS: &str = "a,c,y\n1,red,2\n3,blue,4\n5,red,6\n";

    #[test]
    fn lines_above_a_header_are_known() {
        for (above, lines) in [
            ("Report 2024,,\nCreated,12.3.2024,\n,,\n", 3),
            ("Station,Bern,2024\n,,\n", 2),
            ("Station,Bern,2024\n\n", 2),
            ("Station,Bern,\nYear,2024,\n,,\n", 3),
            ("Report,,\n", 1),
            (",,\n,,\n", 2),
        ] {
            assert_eq!(of(&format!("{above}{ROWS}")), Some(lines), "{above}");
        }
    }

    #[test]
    fn a_header_in_the_first_line_stays_one() {
        for text in [
            ROWS,
            "a,c,y\n\n1,red,2\n3,blue,4\n",
            "a,c,y\nm,-,kg\n1,red,2\n3,blue,4\n",
            "a,,y\nint,str,float\n1,red,2\n3,blue,4\n",
            ",c,y\n1,red,2\n3,blue,4\n",
            "a,,\n1,red,2\n3,blue,4\n",
            "a,c,y\nred,blue,green\n1,red,2\n3,blue,4\n",
            "a,c,d\nx,y,z\nu,v,w\n",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
