//! Decide how the columns of a file write their numbers: with a decimal point or a decimal comma.

use std::cmp::Ordering;

use super::cells::Cells;
use super::date::DateForm;
use super::date_order::common_order;
use super::finding::{Finding, Topic};
use super::missing::is_missing_number;
use super::number::{Cell, Mark, bracketed, is_nearly_all, unit, written};
use super::quantity::number_part;
use super::thousands::{Points, has_decimals};
use uq_core::printable::printable;

/// What the columns of a file show together, for those of which both readings are possible, such as
/// `1,234`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Notation {
    /// Whether the numbers of some column have a decimal comma.
    comma: bool,
    /// Whether the numbers of some column have a decimal point.
    point: bool,
    /// Whether semicolons separate the cells, as they do where a comma marks decimals.
    semicolons: bool,
    /// Whether some column of plain numbers has points that separate no thousands.
    decimals: bool,
    /// The order of day and month that columns show.
    order: Option<DateForm>,
}

/// How the numbers of a column are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// The decimal mark; `None` for plain numbers in a file without decimal commas, and where too
    /// few cells are numbers.
    pub mark: Option<Mark>,
    /// Whether the other mark gives other numbers, and nothing in the file says which is meant.
    undecided: bool,
}

impl Notation {
    /// The notation of these columns.
    pub fn of(cells: &Cells, places: &[usize]) -> Self {
        let semicolons = cells.separator() == ';';
        let is_plain = |place: &usize| !cells.texts(*place).any(is_text);
        let decimals = places
            .iter()
            .any(|place| cells.texts(*place).any(|text| !is_text(text) && has_decimals(text)));
        if !semicolons && places.iter().all(is_plain) {
            return Self { comma: false, point: false, semicolons, decimals, order: None };
        }
        let marks: Vec<Option<Mark>> =
            places.iter().map(|place| Fit::of(cells.texts(*place)).better()).collect();
        let (comma, point) =
            (marks.contains(&Some(Mark::Comma)), marks.contains(&Some(Mark::Point)));
        Self { comma, point, semicolons, decimals, order: common_order(cells, places) }
    }

    /// The order of day and month of dates that do not show it, because other columns do.
    pub fn date_order(self) -> Option<DateForm> {
        self.order
    }

    /// The mark that these cells show by themselves; `None` where too few are numbers, and where
    /// both marks are possible and give other numbers.
    pub fn shown<'a, T: Iterator<Item = &'a str>>(texts: impl Fn() -> T) -> Option<Mark> {
        let fit = Fit::of(texts());
        let is_same = || fit.is_tied() && !texts().any(|text| both(text).is_some());
        fit.better().or_else(|| is_same().then_some(Mark::Point))
    }

    /// Whether the decimal marks of a column of numbers may separate thousands, and nothing in the
    /// file says otherwise.
    fn may_separate(self, cells: &Cells, place: usize, mark: Mark) -> bool {
        !cells.is_typed(place)
            && self
                .may_separate_in(cells.texts(place).filter(|text| !is_missing_number(text)), mark)
    }

    /// Whether the decimal marks of these texts may separate thousands.
    fn may_separate_in<'a>(self, texts: impl Iterator<Item = &'a str>, mark: Mark) -> bool {
        Points::marked(texts, mark).may_separate(if mark == Mark::Point {
            self.decimals
        } else {
            self.comma
        })
    }

    /// The warning on numbers with a unit whose decimal marks may separate thousands.
    pub fn of_measures(
        self,
        measures: &[&str],
        mark: Mark,
        what: &str,
        column: &str,
    ) -> Option<Finding> {
        let numbers = || measures.iter().filter_map(|text| number_part(text));
        let (text, point, comma) = numbers().find_map(both)?;
        let is_suspected = self.may_separate_in(numbers(), mark);
        is_suspected.then(|| two_readings(what, column, mark, (text, point, comma)))
    }

    /// Whether a number that both decimal marks allow has a comma, because other columns have it.
    pub fn prefers_comma(self) -> bool {
        self.comma && !self.point
    }

    /// How a column is read, of which a few cells may be typing errors.
    pub fn reading(self, cells: &Cells, place: usize) -> Reading {
        let has_text = cells.texts(place).any(is_text);
        if !has_text && (cells.is_typed(place) || (!self.comma && !self.semicolons)) {
            return Reading { mark: None, undecided: self.may_separate(cells, place, Mark::Point) };
        }
        let fit = Fit::of(cells.texts(place));
        let likely = || {
            let has_comma = self.semicolons && cells.texts(place).any(|text| text.contains(','));
            if !self.point && (self.comma || has_comma) { Mark::Comma } else { Mark::Point }
        };
        let mark = fit.better().or_else(|| fit.is_tied().then(likely));
        let is_open = fit.is_tied()
            && self.comma == self.point
            && (has_text || self.semicolons)
            && cells.texts(place).any(|text| both(text).is_some());
        let mark = mark.filter(|_| has_text || self.comma);
        let both = || cells.texts(place).filter_map(both);
        let is_mixed = fit.is_tied()
            && both().any(|(_, point, comma)| point < comma)
            && both().any(|(_, point, comma)| comma < point);
        let is_suspected = || {
            let is_number = mark.is_some() || !has_text;
            is_number && self.may_separate(cells, place, mark.unwrap_or(Mark::Point))
        };
        let undecided = is_open || is_mixed || is_suspected();
        Reading { mark, undecided }
    }
}

impl Reading {
    /// What a user should know of how a column was read; `what` names it.
    pub fn findings(self, what: &str, cells: &Cells, place: usize) -> Vec<Finding> {
        let given = || cells.texts(place).filter(|text| !is_missing_number(text));
        let mut findings = Vec::new();
        let example = |mark: Mark| {
            given().find_map(|text| {
                Some((text, written(text, mark)?))
                    .filter(|(_, x)| Cell::of(text) != Cell::Number(*x))
            })
        };
        if let Some((text, number)) = self.mark.and_then(example) {
            let text = printable(text, 30);
            findings.push(Finding::note(format!(
                "{what} is numbers as people write them: \"{text}\" is read as {number}"
            )));
        }
        let is_bracketed = |text: &&str| {
            self.mark.is_some_and(|mark| written(text, mark).is_some()) && bracketed(text).is_some()
        };
        if let Some(text) = given().find(is_bracketed) {
            let text = printable(text, 30);
            findings.push(Finding::note(format!(
                "{what} has numbers in brackets, such as {text}, which are read as negative"
            )));
        }
        let mut units: Vec<&str> = Vec::new();
        // Plain numbers have no unit.
        for unit in given().map(unit).filter(|_| self.mark.is_some()) {
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        if units.len() > 1 {
            let shown =
                |unit: &&str| if unit.is_empty() { "none".into() } else { format!("\"{unit}\"") };
            let units = units.iter().map(shown).collect::<Vec<_>>().join(", ");
            findings.push(Finding::warning(format!(
                "{what} has numbers of different units ({units}), which are read as if they had \
                 the same: convert them to one"
            )));
        }
        if self.undecided
            && let Some(readings) = given().find_map(both)
        {
            findings.push(two_readings(
                what,
                &cells.names[place],
                self.mark.unwrap_or(Mark::Point),
                readings,
            ));
        }
        findings
    }
}

/// The warning that a number, and those like it, may be another one: `text` by a decimal point and
/// by a decimal comma.
fn two_readings(
    what: &str,
    column: &str,
    mark: Mark,
    (text, point, comma): (&str, f64, f64),
) -> Finding {
    let (name, read, other) =
        if mark == Mark::Comma { ("comma", comma, point) } else { ("point", point, comma) };
    let (whole, decimal) = if point.abs() > comma.abs() { (point, comma) } else { (comma, point) };
    Finding::warning(format!(
        "{what} is read with a decimal {name}, \"{}\" as {read}; it may also be {other}, and \
         nothing in the file says which is meant: write such numbers like {whole} or like \
         {decimal:.4} to be sure",
        printable(text, 30)
    ))
    .about(Topic::Thousands, [column])
}

/// How many cells of a column are numbers, of those that are not missing.
#[derive(Clone, Copy)]
struct Fit {
    cells: usize,
    point: usize,
    comma: usize,
}

impl Fit {
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut fit = Self { cells: 0, point: 0, comma: 0 };
        for text in texts.filter(|text| !is_missing_number(text)) {
            fit.cells += 1;
            fit.point += usize::from(written(text, Mark::Point).is_some());
            fit.comma += usize::from(written(text, Mark::Comma).is_some());
        }
        fit
    }

    /// The mark with which nearly all cells are numbers, and more than with the other one.
    fn better(self) -> Option<Mark> {
        let (mark, numbers) = match self.point.cmp(&self.comma) {
            Ordering::Greater => (Mark::Point, self.point),
            Ordering::Less => (Mark::Comma, self.comma),
            Ordering::Equal => return None,
        };
        is_nearly_all(numbers, self.cells).then_some(mark)
    }

    /// Whether nearly all cells are numbers, as many with one mark as with the other.
    fn is_tied(self) -> bool {
        self.point == self.comma && is_nearly_all(self.point, self.cells)
    }
}

/// Whether a cell is neither a plain number nor missing.
pub(super) fn is_text(text: &str) -> bool {
    Cell::of(text) == Cell::Text && !is_missing_number(text)
}

/// A cell with its number by a decimal point and by a decimal comma, if both are possible and
/// differ.
fn both(text: &str) -> Option<(&str, f64, f64)> {
    let (point, comma) = (written(text, Mark::Point)?, written(text, Mark::Comma)?);
    (point != comma).then_some((text, point, comma))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(text: &str) -> Vec<(Option<Mark>, String)> {
        let cells = Cells::parse("f", text.as_bytes()).unwrap();
        let places: Vec<usize> = (0..cells.names().len()).collect();
        let notation = Notation::of(&cells, &places);
        let told = |place: usize| {
            let reading = notation.reading(&cells, place);
            let findings = reading.findings(&cells.names()[place], &cells, place);
            (reading.mark, findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
        };
        places.into_iter().map(told).collect()
    }

    fn marks(text: &str) -> Vec<Option<Mark>> {
        readings(text).into_iter().map(|(mark, _)| mark).collect()
    }

    const POINT: Option<Mark> = Some(Mark::Point);
    const COMMA: Option<Mark> = Some(Mark::Comma);

    #[test]
    fn an_ambiguous_column_follows_the_others() {
        assert_eq!(marks("a;b\n1.234;0,5\n2.000;1,5\n"), [COMMA, COMMA]);
        assert_eq!(
            marks("a;b\n1,234;0.5\n2,000;1.5\n"),
            [POINT, None],
            "plain numbers need no notation"
        );
        assert_eq!(
            marks("a;b\n1,234;x\n2,000;y\n"),
            [COMMA, None],
            "semicolons speak for a decimal comma"
        );
        assert_eq!(marks("a,b\n\"1,234\",x\n\"2,000\",y\n"), [POINT, None]);
        assert_eq!(
            marks("a;b\n1.234;x\n2.000;y\n"),
            [None, None],
            "plain numbers are read as they are"
        );
        assert_eq!(
            marks("a;b;c\n0,5;0.5;1,234\n1,5;7;2,000\n"),
            [COMMA, POINT, POINT],
            "columns may differ"
        );
        assert_eq!(
            marks("a,b\n\"0,123\",\"1,234\"\n\"0,456\",\"2,000\"\n"),
            [COMMA, COMMA],
            "no thousands begin with 0"
        );
    }

    #[test]
    fn a_typing_error_changes_no_mark() {
        let file = |wrong: &str| {
            let line = |i: usize| {
                format!(
                    "{};{}.{:03}\n",
                    if i == 3 { wrong.into() } else { format!("{i},5") },
                    i + 1,
                    7 * i
                )
            };
            marks(&("a;b\n".to_owned() + &(0..20).map(line).collect::<String>()))
        };
        for wrong in ["3,5", "abc", "3.5", "3,5 kg"] {
            assert_eq!(file(wrong), [COMMA, COMMA], "{wrong}");
        }
    }

    #[test]
    fn a_column_that_nothing_decides_is_told_with_both_readings() {
        let told = |text: &str, column: usize| readings(text).swap_remove(column).1;
        let plain = told("a;b\n1.234;x\n2.000;y\n", 0);
        assert!(plain.starts_with(
            "warning: a is read with a decimal point, \"1.234\" as 1.234; it may also be 1234,"
        ));
        assert!(
            plain.ends_with("write such numbers like 1234 or like 1.2340 to be sure"),
            "{plain}"
        );
        let comma = told("a;b\n-1,234;x\n2,000;y\n", 0);
        assert!(comma.contains(
            "warning: a is read with a decimal comma, \"-1,234\" as -1.234; it may also be -1234,"
        ));
        assert!(
            told("a,b\n\"1,234\",x\n", 0)
                .contains("warning: a is read with a decimal point, \"1,234\" as 1234")
        );
        for decided in [
            "a;b\n1.234;0,5\n",
            "a;b\n1.234;0.5\n",
            "a;b\n1.234;x\n0.5;y\n",
            "a,b\n1.234,x\n",
            "a;b\n1234;1.2340\n",
        ] {
            assert!(!told(decided, 0).contains("warning"), "{decided}: {}", told(decided, 0));
        }
    }

    #[test]
    fn different_units_are_told_by_name() {
        let told = readings("a;b;c\n$5;7 %;1\n€6;0.07;2\n$7;;3\n")
            .into_iter()
            .map(|(_, told)| told)
            .collect::<Vec<_>>();
        assert!(
            told[0].contains("warning: a has numbers of different units (\"$\", \"€\")"),
            "{}",
            told[0]
        );
        assert!(
            told[1].contains("warning: b has numbers of different units (\"%\", none)"),
            "{}",
            told[1]
        );
        assert_eq!(told[2], "");
    }

    #[test]
    fn a_note_shows_a_number_that_is_not_plain() {
        let told =
            readings("n;x\n1;0,5\n2;1,5\n").into_iter().map(|(_, told)| told).collect::<Vec<_>>();
        assert_eq!(told, ["", "note: x is numbers as people write them: \"0,5\" is read as 0.5"]);
        let brackets = &readings("n,x\n1,5\n2,(27.5)\n")[1].1;
        assert!(brackets.contains("\"(27.5)\" is read as -27.5"), "{brackets}");
        assert!(
            brackets.contains(
                "note: x has numbers in brackets, such as (27.5), which are read as negative"
            ),
            "{brackets}"
        );
    }
}
