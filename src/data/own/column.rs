//! Decide what a column of a user's file is, and make numbers of its cells.

use std::collections::HashMap;

use super::cells::Cells;
use super::columns::has_decimal_comma;
use super::date::{DateForm, Moment, PARTS};
use super::error::{OwnError, SHOWN};
use super::finding::Finding;
use super::notation::{Notation, is_text};
use super::number::{Cell, Mark, is_missing_number, written};
use crate::data::printable;

/// Largest number of levels of a categorical column, which may also have at most one level for every two rows.
const MOST_LEVELS: usize = 50;

/// A column that is a feature, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub name: String,
    kind: Kind,
    /// Whether training rows miss it, so that its last feature says whether a row does.
    may_miss: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// A number, plain or as people write it.
    Number(Option<Mark>),
    /// These of the numbers of a date.
    Date(DateForm, Vec<usize>),
    /// A category; the first level has no feature of its own. `others` says whether all further levels are one more.
    Levels { levels: Vec<String>, others: bool },
}

impl Column {
    /// Decides what the column at this position is; `None` where it is left out.
    ///
    /// Text with few values is a category. Other text is a date, a number as people write it, or else a category whose
    /// rare levels are one.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for a column of which nearly all cells are numbers, because its other cells are probably typing
    /// errors.
    pub fn decide(
        cells: &Cells,
        place: usize,
        notation: Notation,
        findings: &mut Vec<Finding>,
    ) -> Result<Option<Self>, OwnError> {
        let shown = printable(&cells.names[place], SHOWN);
        let present = || cells.texts(place).filter(|text| Cell::of(text) != Cell::Missing);
        let Some(first) = present().next() else {
            findings.push(Finding::warning(format!("the column \"{shown}\" is empty: it is left out")));
            return Ok(None);
        };
        let column =
            |kind, missing: usize| Some(Self { name: cells.names[place].clone(), kind, may_miss: missing > 0 });
        let missing_numbers = cells.texts(place).filter(|text| is_missing_number(text)).count();
        let texts = || present().filter(|text| Cell::of(text) == Cell::Text);
        let mark = notation.column(cells, place);
        if texts().next().is_none() && mark != Some(Mark::Comma) {
            note_order(cells, place, &shown, findings);
            note_missing(&shown, missing_numbers, findings);
            return Ok(column(Kind::Number(None), missing_numbers));
        }
        let rows = present().count();
        let nearly_numbers = (rows - texts().count()) * 10 > rows * 9;
        let mut counts: HashMap<&str, usize> = HashMap::new();
        present().for_each(|text| *counts.entry(text).or_default() += 1);
        let is_category = counts.len() <= MOST_LEVELS && counts.len() * 2 <= rows && !nearly_numbers;
        if !is_category || texts().any(has_decimal_comma) || mark == Some(Mark::Comma) {
            if texts().all(is_missing_number) && mark != Some(Mark::Comma) {
                note_missing(&shown, missing_numbers, findings);
                return Ok(column(Kind::Number(None), missing_numbers));
            }
            if let Some(mark) = mark {
                let example = present().find(|text| is_text(text)).unwrap_or(first);
                findings.push(Finding::note(told_notation(&shown, example, mark)));
                note_missing(&shown, missing_numbers, findings);
                return Ok(column(Kind::Number(Some(mark)), missing_numbers));
            }
            if let Some(kind) = date(cells, place, &shown, findings) {
                note_missing(&shown, missing_numbers, findings);
                return Ok(column(kind, missing_numbers));
            }
        }
        if nearly_numbers {
            return Err(typing_error(cells, place, &shown));
        }
        let missing = cells.rows() - rows;
        if counts.len() * 2 > rows {
            findings.push(Finding::warning(format!(
                "the column \"{shown}\" is text with {} different values in {rows} rows: it is left out",
                counts.len()
            )));
            return Ok(None);
        }
        let kind = levels(counts);
        findings.push(Finding::note(told_levels(&shown, &kind)));
        if missing > 0 {
            findings.push(Finding::note(format!(
                "the column \"{shown}\" is missing in {missing} rows: that is one more level"
            )));
        }
        Ok(column(kind, missing))
    }

    /// Names of its features.
    pub fn features(&self) -> Vec<String> {
        let mut names = match &self.kind {
            Kind::Number(_) => vec![self.name.clone()],
            Kind::Date(_, parts) => parts.iter().map(|part| format!("{} ({})", self.name, PARTS[*part])).collect(),
            Kind::Levels { levels, others } => {
                let named = levels[1..].iter().map(|level| format!("{}={level}", self.name));
                named.chain(others.then(|| format!("{}=any other", self.name))).collect()
            }
        };
        names.extend(self.may_miss.then(|| format!("{} is missing", self.name)));
        names
    }

    /// Number of its features.
    pub fn width(&self) -> usize {
        let width = match &self.kind {
            Kind::Number(_) => 1,
            Kind::Date(_, parts) => parts.len(),
            Kind::Levels { levels, others } => levels.len() - 1 + usize::from(*others),
        };
        width + usize::from(self.may_miss)
    }

    /// Writes the features of one row, `width` of them; those of a missing number or date are NaN.
    ///
    /// # Errors
    /// [`OwnError::Missing`] for a missing cell where no training row misses it; [`OwnError::Cell`] for a text that is no
    /// such number or date, a number that is too large, and a level that no training row has.
    pub fn write(
        &self,
        cells: &Cells,
        row: usize,
        place: usize,
        mut features: ndarray::ArrayViewMut1<f64>,
    ) -> Result<(), OwnError> {
        let text = cells.text(row, place);
        let is_category = matches!(self.kind, Kind::Levels { .. });
        let is_missing = if is_category { Cell::of(text) == Cell::Missing } else { is_missing_number(text) };
        if is_missing {
            if !self.may_miss {
                return Err(cells.missing(row, place, "as in the rows that the methods are fitted on".into()));
            }
            features.fill(if is_category { 0.0 } else { f64::NAN });
            features[self.width() - 1] = 1.0;
            return Ok(());
        }
        match &self.kind {
            Kind::Number(None) => features[0] = cells.number(row, place)?,
            Kind::Number(Some(mark)) => {
                let expected = match mark {
                    Mark::Point => "a number such as 1,234.5",
                    Mark::Comma => "a number such as 1.234,5",
                };
                features[0] = written(text, *mark).ok_or_else(|| cells.wrong_text(row, place, expected))?;
            }
            Kind::Date(form, parts) => {
                let expected = || cells.wrong_text(row, place, format!("a date of the form {form}"));
                let numbers = Moment::of(text, *form).ok_or_else(expected)?.parts();
                parts.iter().zip(features.iter_mut()).for_each(|(part, feature)| *feature = numbers[*part]);
            }
            Kind::Levels { levels, others } => {
                let level = levels.iter().position(|level| level == text).or(others.then_some(levels.len()));
                let level = level.ok_or_else(|| {
                    let known = levels.iter().map(|level| format!("\"{level}\"")).collect::<Vec<_>>().join(", ");
                    let known = printable(&known, 400);
                    let expected = format!("one of the levels that the methods are fitted on: {known}");
                    cells.wrong_text(row, place, expected)
                })?;
                if level > 0 {
                    features[level - 1] = 1.0;
                }
            }
        }
        Ok(())
    }
}

/// The error that a column is all numbers but for few cells.
fn typing_error(cells: &Cells, place: usize, shown: &str) -> OwnError {
    let wrong: Vec<usize> = (0..cells.rows()).filter(|row| is_text(cells.text(*row, place))).collect();
    let others = match wrong.len().saturating_sub(1) {
        0 => "the only cell of the column that is not a number".to_owned(),
        others => format!("this and {others} more of {} cells are not numbers", cells.rows()),
    };
    let expected = format!("a number ({others}): correct it, or leave the column out with --drop \"{shown}\"");
    cells.wrong_text(wrong.first().copied().unwrap_or(0), place, expected)
}

/// The features of a column of dates; `None` where some cell is no date. Of several forms that fit it is the first one in
/// which the rows are sorted, or else the first one.
fn date(cells: &Cells, place: usize, shown: &str, findings: &mut Vec<Finding>) -> Option<Kind> {
    let moments = |form: DateForm| {
        let present = cells.texts(place).filter(|text| !is_missing_number(text));
        present.map(move |text| Moment::of(text, form)).collect::<Option<Vec<Moment>>>()
    };
    let fitting: Vec<(DateForm, Vec<Moment>)> =
        DateForm::ALL.into_iter().filter_map(|form| Some((form, moments(form)?))).collect();
    let is_sorted = |(_, moments): &&(DateForm, Vec<Moment>)| moments.is_sorted_by_key(|moment| moment.days());
    let (form, moments) = fitting.iter().find(is_sorted).or(fitting.first())?;
    let varies = |part: &usize| moments.iter().any(|moment| moment.parts()[*part] != moments[0].parts()[*part]);
    let parts: Vec<usize> = (0..PARTS.len()).filter(varies).collect();
    let names: Vec<&str> = parts.iter().map(|part| PARTS[*part]).collect();
    findings.push(Finding::note(format!(
        "the column \"{shown}\" is read as dates ({form}); its features: {}",
        names.join(", ")
    )));
    if let Some((other, _)) = fitting.iter().find(|(other, _)| other != form) {
        findings.push(Finding::warning(format!(
            "the dates of the column \"{shown}\" may also be read as {other}; write them as 2024-12-31 to be sure"
        )));
    }
    Some(Kind::Date(*form, parts))
}

/// The levels of a category: all of them in order, or the most frequent ones where they are too many.
fn levels(counts: HashMap<&str, usize>) -> Kind {
    let others = counts.len() > MOST_LEVELS;
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|(level, count)| (std::cmp::Reverse(*count), *level));
    counts.truncate(if others { MOST_LEVELS - 1 } else { MOST_LEVELS });
    let mut levels: Vec<String> = counts.into_iter().map(|(level, _)| level.to_owned()).collect();
    levels.sort_unstable();
    Kind::Levels { levels, others }
}

fn told_notation(shown: &str, example: &str, mark: Mark) -> String {
    let number = written(example, mark).unwrap_or(f64::NAN);
    format!(
        "the column \"{shown}\" is numbers as people write them: \"{}\" is read as {number}",
        printable(example, 30)
    )
}

/// A sentence on the encoding of a categorical column.
fn told_levels(name: &str, kind: &Kind) -> String {
    let Kind::Levels { levels, others: has_others } = kind else { return String::new() };
    let [base, others @ ..] = &levels[..] else { return String::new() };
    let base = printable(base, SHOWN);
    if others.is_empty() {
        return format!("the column \"{name}\" is \"{base}\" in every row: it is left out");
    }
    let columns = if others.len() == 1 { "column" } else { "columns" };
    let shown: Vec<String> =
        others.iter().take(6).map(|level| format!("\"{name}={}\"", printable(level, 30))).collect();
    let more = if others.len() > shown.len() { ", …" } else { "" };
    let rare = if *has_others { ", and one column for all rarer levels" } else { "" };
    format!(
        "the column \"{name}\" is categorical: one-hot encoded as {} {columns} of 0 and 1, {}{more}{rare}; all 0 is its first \
         level, \"{base}\"",
        others.len(),
        shown.join(", ")
    )
}

fn note_missing(shown: &str, missing: usize, findings: &mut Vec<Finding>) {
    if missing > 0 {
        findings.push(Finding::note(format!(
            "the column \"{shown}\" is missing in {missing} rows: each fit fills in the median of its training rows, and \
             one more feature says where"
        )));
    }
}

/// Whether the cells are consecutive whole numbers.
fn note_order(cells: &Cells, place: usize, shown: &str, findings: &mut Vec<Finding>) {
    let numbers: Option<Vec<f64>> = cells.texts(place).map(|text| written_plainly(text)).collect();
    if numbers.is_some_and(|numbers| numbers.windows(2).all(|pair| pair[1] - pair[0] == 1.0)) {
        findings.push(Finding::note(format!(
            "the column \"{shown}\" counts the rows: if it is a number of the row and no measurement, leave it out with \
             --drop \"{shown}\""
        )));
    }
}

fn written_plainly(text: &str) -> Option<f64> {
    match Cell::of(text) {
        Cell::Number(number) => Some(number),
        _ => None,
    }
}
