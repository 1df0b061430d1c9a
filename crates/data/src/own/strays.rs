//! Find lines of a table that are no rows of data: blank ones, the header again, and a row of
//! units.

use csv::StringRecord;

use super::error::{OwnError, Stray};
use super::finding::{Finding, Topic};
use super::footers::{footers, is_remark};
use super::lines::Line;
use super::numeric::is_number;
use super::types::{are_types, is_rule, is_type};
use super::units::is_unit;
use uq_core::names::counted;
use uq_core::printable::printable;

/// From this share of numbers among the other cells of a column on, it is one of numbers.
const NUMERIC: f64 = 0.8;

/// What each line below a header is, where it is no row of data.
pub(super) fn strays(header: &StringRecord, lines: &[Line]) -> Vec<Option<Stray>> {
    let has_names = header.iter().any(|name| !is_number(name));
    let of = |line: &Line| match line {
        line if line.is_blank() => Some(Stray::Blank),
        line if has_names && is_again(header, &line.cells) => Some(Stray::Header),
        line if is_rule(&line.cells) => Some(Stray::Rule),
        _ => None,
    };
    let mut strays: Vec<Option<Stray>> = lines.iter().map(of).collect();
    footers(header.len(), lines).into_iter().for_each(|line| strays[line] = Some(Stray::Footer));
    // Units may stand below types, or above them.
    while let Some((first, kind)) = first_below(header, lines, &strays) {
        // Files that were joined have them again.
        let are_same = |i: &usize| strays[*i].is_none() && lines[*i].cells == lines[first].cells;
        let same: Vec<usize> = (0..lines.len()).filter(are_same).collect();
        same.into_iter().for_each(|i| strays[i] = Some(kind));
    }
    strays
}

/// Whether a line has the names of the header, perhaps in another case.
fn is_again(header: &StringRecord, cells: &StringRecord) -> bool {
    let is_same =
        |(name, cell): (&str, &str)| name == cell || name.to_lowercase() == cell.to_lowercase();
    header.len() == cells.len() && header.iter().zip(cells).all(is_same)
}

/// The first row below the header where it has units or types.
fn first_below(
    header: &StringRecord,
    lines: &[Line],
    strays: &[Option<Stray>],
) -> Option<(usize, Stray)> {
    let is_row = |i: &usize| strays[*i].is_none() && !lines[*i].is_marked();
    let rows: Vec<usize> = (0..lines.len()).filter(is_row).collect();
    let (first, others) = rows.split_first()?;
    let (cells, others) = (&lines[*first].cells, others.iter().map(|i| &lines[*i].cells));
    if are_types(cells) && are_above(cells, header.len(), others.clone(), is_type) {
        return Some((*first, Stray::Types));
    }
    are_above(cells, header.len(), others, is_unit).then_some((*first, Stray::Units))
}

/// Whether the first row below a header has units or types: no number in a column of numbers, at
/// least one unit there, and no value that other rows of its column have.
fn are_above<'a>(
    first: &StringRecord,
    columns: usize,
    others: impl Iterator<Item = &'a StringRecord> + Clone,
    is_unit: fn(&str) -> bool,
) -> bool {
    if !first.iter().any(is_unit) || first.len() < columns || others.clone().next().is_none() {
        return false;
    }
    let mut units = 0_usize;
    let mut ones = 0_usize;
    for (column, cell) in first.iter().enumerate() {
        let values =
            || others.clone().filter_map(|row| row.get(column)).filter(|value| !value.is_empty());
        let (all, numbers) = (values().count(), values().filter(|value| is_number(value)).count());
        let is_numeric = all > 0 && numbers as f64 >= NUMERIC * all as f64;
        match cell {
            // A unit of one is none.
            "1" if is_numeric => ones += 1,
            "" | "-" | "--" | "\u{2013}" => {}
            _ if is_numeric && is_number(cell) => return false,
            _ if is_numeric => units += usize::from(is_unit(cell)),
            _ if values().any(|value| value == cell) => return false,
            _ => {}
        }
    }
    units > usize::from(ones > 0)
}

/// What is said of headers and units among the rows, whether they are left out or not.
pub(super) fn stray_findings(file: &str, strays: &[Option<Stray>], lines: &[Line]) -> Vec<Finding> {
    let of = |kind: Stray| strays.iter().zip(lines).filter(move |(stray, _)| **stray == Some(kind));
    let mut findings = Vec::new();
    let headers = of(Stray::Header).count();
    if let Some((_, line)) = of(Stray::Header).next() {
        let have = if headers == 1 { "has" } else { "have" };
        let text = format!(
            "{file}: {} {have} the header again, the first in {}: no row of data. Files that were \
             joined may have rows twice",
            counted(headers, "row"),
            line.place
        );
        findings.push(Finding::warning(text).about(Topic::RepeatedHeader, [] as [&str; 0]));
    }
    findings
        .extend(find_types(file, of(Stray::Types).chain(of(Stray::Rule)).map(|(_, line)| line)));
    findings.extend(find_footers(file, lines, strays));
    if let Some((_, line)) = of(Stray::Units).next() {
        let units = line.cells.iter().collect::<Vec<_>>().join(", ");
        let text = format!(
            "{file}, {}: units of the columns ({}), no row of data",
            line.place,
            printable(&units, 100)
        );
        findings.push(Finding::note(text).about(Topic::Units, [] as [&str; 0]));
    }
    findings
}

/// The note on lines of types or dashes among the rows.
fn find_types<'a>(file: &str, lines: impl Iterator<Item = &'a Line<'a>>) -> Option<Finding> {
    let mut lines = lines.peekable();
    let cells = lines.peek()?.cells.iter().collect::<Vec<_>>().join(", ");
    let first = lines.peek()?.place;
    let rows = counted(lines.count(), "row");
    let text = format!(
        "{file}: {rows} of types or dashes, the first in {first} ({}): no row of data",
        printable(&cells, 100)
    );
    Some(Finding::note(text).about(Topic::Types, [] as [&str; 0]))
}

/// The finding on remarks below the rows: a warning where one does not say that it is a remark.
fn find_footers(file: &str, lines: &[Line], strays: &[Option<Stray>]) -> Option<Finding> {
    let first = strays
        .iter()
        .zip(lines)
        .find(|(stray, _)| **stray == Some(Stray::Footer))
        .map(|(_, line)| line)?;
    let count = strays.iter().filter(|stray| **stray == Some(Stray::Footer)).count();
    let cells = first.cells.iter().filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(", ");
    let text = format!(
        "{file}: {} below the rows, the first in {}, is no row of data: \"{}\"",
        counted(count, "line"),
        first.place,
        printable(&cells, 60)
    );
    let is_certain = first.cells.iter().find(|cell| !cell.is_empty()).is_some_and(is_remark);
    let finding = if is_certain { Finding::note(text) } else { Finding::warning(text) };
    Some(finding.about(Topic::Footer, [] as [&str; 0]))
}

/// The finding on blank rows that are left out of a table.
pub(super) fn find_blank(file: &str, errors: &[&OwnError]) -> Option<Finding> {
    let blank = |error: &&OwnError| match error {
        OwnError::Stray { place, stray: Stray::Blank, .. } => Some(*place),
        _ => None,
    };
    let first = errors.iter().find_map(blank)?;
    let count = errors.iter().filter_map(blank).count();
    let rows = if count == 1 { "1 row has".into() } else { format!("{count} rows have") };
    let text =
        format!("{file}: {rows} no cell with anything in it, the first in {first}: left out");
    Some(Finding::note(text).about(Topic::BlankRows, [] as [&str; 0]))
}

/// Notes on a separator that is no comma, and on comments.
pub(super) fn note_layout(file: &str, separator: char, comments: usize) -> Vec<Finding> {
    let between = [(';', "semicolons"), ('\t', "tabs"), ('|', "vertical bars"), (' ', "blanks")];
    let named = between.into_iter().find(|(known, _)| *known == separator);
    let separator = named.map(|(_, name)| format!("{file}: cells are separated by {name}"));
    let lines = match comments {
        0 => None,
        1 => Some("1 comment line that begins".to_owned()),
        more => Some(format!("{more} comment lines that begin")),
    };
    let comments = lines.map(|lines| format!("{file}: {lines} with # or % left out"));
    separator.into_iter().chain(comments).map(Finding::note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::error::Place;

    /// What the lines of a text are, below its first one.
    fn of(text: &str) -> Vec<Option<Stray>> {
        let record = |line: &str| line.split(',').map(str::trim).collect::<StringRecord>();
        let mut lines = text.lines();
        let header = record(lines.next().unwrap());
        let line = |rest| Line { place: Place::Line(1), cells: record(rest), rest };
        strays(&header, &lines.map(line).collect::<Vec<_>>())
    }

    #[test]
    fn blank_rows_headers_and_units_are_no_rows() {
        let [blank, again, units] = [Stray::Blank, Stray::Header, Stray::Units].map(Some);
        assert_eq!(of("x,y\n1,2\n,\n , \n3,\n"), [None, blank, blank, None]);
        assert_eq!(of("x,y\n1,2\nx,y\n3,4\n"), [None, again, None]);
        assert_eq!(of("X,Y\n1,2\nx,y\n3,4\n"), [None, again, None], "in another case");
        let [types, rule, footer] = [Stray::Types, Stray::Rule, Stray::Footer].map(Some);
        assert_eq!(of("x,c,y\nint,str,float\n1,red,2\n"), [types, None]);
        assert_eq!(
            of(&format!("x,c,y\nint,str,float\nm,-,kg\n{}", "1,red,2\n".repeat(8)))[..3],
            [types, units, None]
        );
        assert_eq!(of("x,c,y\n---,---,---\n1,red,2\n"), [rule, None]);
        assert_eq!(of("x,c,y\n1,red,2\n3,red,4\nTotal\n"), [None, None, footer]);
        assert_eq!(of("x,y\nm/s,°C\n1,2\n3,4\n"), [units, None, None]);
        assert_eq!(
            of("x,y\nm/s,°C\n1,2\nx,y\nm/s,°C\n3,4\n5,6\n7,8\n")[..5],
            [units, None, again, units, None]
        );
        assert_eq!(of("day,x,y\n,[m s-1],(kW)\n2024-01-01,1,2\n2024-01-02,3,4\n")[0], units);
        assert_eq!(
            of("day,x,y\nUTC,m/s,1\n2024-01-01,1,2\n2024-01-02,3,4\n")[0],
            None,
            "one unit beside a number"
        );
        assert_eq!(of("x,y,z\nm/s,kW,1\n1,2,5\n3,4,6\n")[0], units, "a ratio has the unit 1");
    }

    #[test]
    fn rows_of_data_stay() {
        for text in [
            "x,y\nabc,2\n1,2\n3,4\n",
            "x,y\nabc,def\n1,2\n3,4\n",
            "c,y\nm,1\nf,2\nm,3\n",
            "c,y\nm,f\nf,m\nm,m\n",
            "sex,grade,y\nm,A,1\nf,B,2\n",
            "x,y\n%,1\n1,2\n",
            "size,y\nm,NA\nl,2\ns,3\n",
            "x,y\n1,2\n3,4\n",
            "unit,y\nkg,1\ng,2\n",
            "unit,y\nkg,-\ng,2\n",
            "type,y\nint,1\nfloat,2\nint,3\n",
            "type,kind\nint,text\nfloat,text\n",
            "x,y\n--,--\n1,2\n3,4\n",
        ] {
            assert!(of(text).iter().all(Option::is_none), "{text} {:?}", of(text));
        }
    }
}
