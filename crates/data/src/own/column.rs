//! Decide what a column of a user's file is, and make numbers of its cells.

mod new_rows;
mod numbers;

use std::collections::{HashMap, HashSet};

use ndarray::{ArrayView2, ArrayViewMut1};
use serde::{Deserialize, Serialize};

use super::booleans::are_booleans;
use super::cells::Cells;
use super::codes::Codes;
use super::columns::has_decimal_comma;
use super::date::are_months;
use super::dates::Dates;
use super::error::{OwnError, SHOWN};
use super::filled::Filled;
use super::finding::{Finding, Topic};
use super::group::RowGroup;
use super::hours::Hours;
use super::level_na::{LevelNa, merged_na};
use super::levels::{Levels, MOST_LEVELS};
use super::limits::Limits;
use super::measure::Measure;
use super::missing::{is_missing_level, is_missing_number};
use super::notation::Notation;
use super::number::{Cell, Mark, is_nearly_all, unit, written};
use super::numbers::Numbers;
use super::stopped::Stopped;
use super::words::{Setting, Words};
use uq_core::printable::printable;

/// More digits than this are not told apart by a double.
const DIGITS: usize = 15;

/// A column that is a feature, or several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Column {
    pub name: String,
    kind: Kind,
    missing: Missing,
    /// What is taken for numbers of which a limit alone is known, if the table has such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limits: Option<Limits>,
}

/// What its features say of missing cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Missing {
    /// No training row misses it.
    Never,
    /// The last feature says whether a row does.
    Told,
    /// The same training rows miss another column, whose last feature says so.
    ToldElsewhere,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// A number, plain or as people write it.
    Number(Numbers),
    /// A number with a unit.
    Measure(Measure),
    /// A date.
    Date(Dates),
    /// A time of day or a duration.
    Hours(Hours),
    /// A category.
    Levels(Levels),
}

impl Column {
    /// Decides what the column at this position is; `None` where it is left out.
    ///
    /// Dates are dates, times of day and durations are hours, numbers that all have a currency or a
    /// per cent sign are numbers, and other text with few values is a category. Text with many
    /// values is a number as people write it or with one unit, or else a category whose rare levels
    /// are one. In a category, a word such as `None` is a level, and `NA` is one if `level_na` says
    /// so. Plain numbers of which different texts become equal are codes: a category where they are
    /// few.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for a column of which nearly all cells are numbers, because its other
    /// cells are probably typing errors.
    pub fn decide(
        cells: &Cells,
        place: usize,
        notation: Notation,
        level_na: LevelNa,
        findings: &mut Vec<Finding>,
    ) -> Result<Option<Self>, OwnError> {
        let shown = printable(&cells.names[place], SHOWN);
        let given: Vec<&str> = cells.texts(place).filter(|text| !is_missing_number(text)).collect();
        if given.is_empty() {
            findings
                .push(Finding::warning(format!("the column \"{shown}\" is empty: it is left out")));
            return Ok(None);
        }
        let name = || cells.names[place].clone();
        let column =
            |kind| Ok(Some(Self { name: name(), kind, missing: Missing::Never, limits: None }));
        let reading = notation.reading(cells, place);
        let number = |findings: &mut Vec<Finding>| {
            refuse_typing_errors(cells, place, reading.mark, &shown)?;
            findings.extend(reading.findings(&format!("the column \"{shown}\""), cells, place));
            column(Kind::Number(Numbers::of(&given, reading.mark)))
        };
        let plain = given.iter().filter(|text| Cell::of(text) != Cell::Text).count();
        let is_free = level_na != LevelNa::Stated;
        let is_told_apart = is_told_apart(&given);
        let is_plain = is_free && is_told_apart && is_nearly_all(plain, given.len());
        let codes = Codes::of(&given).filter(|_| is_plain);
        if is_plain
            && are_months(&given)
            && let Some(dates) = Dates::of(&given, &cells.names[place], None, findings)
        {
            return column(Kind::Date(dates));
        }
        let is_words = plain < given.len() && are_booleans(given.iter().copied());
        let may_be_names = is_words || codes.is_some_and(Codes::are_names);
        if is_plain && !may_be_names {
            findings.extend(codes.map(|codes| codes.of_numbers(&cells.names[place], &given)));
            return number(findings);
        }
        let has_plus = given.contains(&"+");
        let is_present = |text: &&str| {
            !is_missing_level(text) || (has_plus && *text == "-") || level_na.has(text)
        };
        let mut counts: HashMap<&str, usize> = HashMap::new();
        cells
            .texts(place)
            .filter(is_present)
            .for_each(|text| *counts.entry(text).or_default() += 1);
        let rows: usize = counts.values().sum();
        let has_few = counts.len() <= MOST_LEVELS && counts.len() * 2 <= rows;
        let has_names = may_be_names && (is_words || has_few);
        if is_plain && !has_names {
            findings.extend(codes.map(|codes| codes.of_numbers(&cells.names[place], &given)));
            return number(findings);
        }
        let has_unit = given.iter().all(|text| !unit(text).is_empty());
        let is_written = |text: &&str| {
            reading.mark.is_some_and(|mark| written(text, mark).is_some()) && unit(text).is_empty()
        };
        let is_category = has_few
            && !has_unit
            && !given.iter().any(|text| has_decimal_comma(text))
            && !given.iter().all(is_written);
        let is_number =
            reading.mark == Some(Mark::Comma) || (reading.mark.is_some() && !is_category);
        if is_free && is_told_apart && is_number && !has_names {
            return number(findings);
        }
        if is_free
            && let Some(dates) =
                Dates::of(&given, &cells.names[place], notation.date_order(), findings)
        {
            return column(Kind::Date(dates));
        }
        if let Some(hours) = Hours::of(&given).filter(|_| is_free) {
            findings.extend(hours.findings(
                &format!("the column \"{shown}\""),
                &cells.names[place],
                &given,
            ));
            return column(Kind::Hours(hours));
        }
        if let Some(measure) =
            Measure::of(&given, notation.prefers_comma()).filter(|_| is_free && !has_few)
        {
            let what = format!("the column \"{shown}\"");
            findings.extend(measure.findings(&what, &cells.names[place], &given, notation));
            findings.extend(Hours::suspect_points(&what, &cells.names[place], &given));
            return column(Kind::Measure(measure));
        }
        if counts.len() * 2 > rows {
            findings.push(left_out(cells, place, counts.len(), rows, is_told_apart));
            return Ok(None);
        }
        findings
            .extend(Stopped::of(cells, place).map(|stopped| stopped.warning(&cells.names[place])));
        findings.extend(codes.map(|codes| codes.of_levels(&cells.names[place])));
        findings.extend(level_na.finding(&cells.names[place], counts.keys()));
        findings.extend(merged_na(cells, place).filter(|_| level_na == LevelNa::Never));
        let texts = counts.len();
        let levels = Levels::of(counts);
        findings.extend(levels.merged(texts, &cells.names[place]));
        findings.push(Finding::note(levels.note(&shown, rows < cells.rows())));
        column(Kind::Levels(levels))
    }

    /// Refuses a column that no table has, such as a category without levels.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        let wrong = match &self.kind {
            Kind::Number(_) | Kind::Measure(_) | Kind::Hours(_) => false,
            Kind::Date(dates) => !dates.is_valid(),
            Kind::Levels(levels) => !levels.is_valid(),
        };
        if wrong {
            Err(format!("the column \"{}\" has no features", printable(&self.name, SHOWN)))
        } else {
            Ok(())
        }
    }

    /// Whether it is a category.
    pub fn is_category(&self) -> bool {
        matches!(self.kind, Kind::Levels(_))
    }

    /// The name of the level that a text is, where it is a category with this level.
    pub fn level<'a>(&'a self, text: &'a str) -> &'a str {
        match &self.kind {
            Kind::Levels(levels) => levels.spelled(text).unwrap_or(text),
            Kind::Number(_) | Kind::Measure(_) | Kind::Date(_) | Kind::Hours(_) => text,
        }
    }

    /// Whether it is a date.
    pub fn is_date(&self) -> bool {
        matches!(self.kind, Kind::Date(_))
    }

    /// The time in a cell, in days where it is a date.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for what is no such number or date.
    pub fn time(&self, cells: &Cells, row: usize, place: usize) -> Result<f64, OwnError> {
        match &self.kind {
            Kind::Number(_) | Kind::Measure(_) => self.number(cells, row, place),
            Kind::Hours(hours) => hours.read(cells, row, place),
            Kind::Date(dates) => dates.days(cells, row, place),
            Kind::Levels(_) => Err(cells.wrong_text(row, place, "a date or a number")),
        }
    }

    /// A column of dates with those parts alone that have recurred after this number of days;
    /// `None` where there are none. A day of the year recurs in the second year, for example.
    pub fn recurring(&self, days: f64) -> Option<Self> {
        let Kind::Date(dates) = &self.kind else { return None };
        Some(Self { kind: Kind::Date(dates.recurring(days)?), ..self.clone() })
    }

    /// Whether a cell of it is missing.
    pub fn misses(&self, text: &str) -> bool {
        if let Some((limits, limit)) = self.limit_in(text) {
            return limits.misses(limit);
        }
        match &self.kind {
            Kind::Levels(levels) => is_missing_level(text) && !levels.knows(text),
            Kind::Number(_) | Kind::Measure(_) | Kind::Date(_) | Kind::Hours(_) => {
                is_missing_number(text)
            }
        }
    }

    /// States that training rows miss it. The name of the feature that says where, if it is to have
    /// one.
    pub fn tell_missing(&mut self, has_feature: bool) -> Option<String> {
        self.missing = if has_feature { Missing::Told } else { Missing::ToldElsewhere };
        has_feature.then(|| self.describe_missing())
    }

    fn describe_missing(&self) -> String {
        format!("{} is missing", self.name)
    }

    /// Names of its features.
    pub fn features(&self) -> Vec<String> {
        let mut names = match &self.kind {
            Kind::Number(_) | Kind::Measure(_) | Kind::Hours(_) => vec![self.name.clone()],
            Kind::Date(dates) => dates.features(&self.name),
            Kind::Levels(levels) => levels.features(&self.name),
        };
        names.extend((self.missing == Missing::Told).then(|| self.describe_missing()));
        names
    }

    /// For a category, each level that has rows, as `column=level`, with these rows: its features
    /// are the n rows' `features`.
    pub fn rows_of_levels(&self, features: ArrayView2<f64>) -> Vec<RowGroup> {
        let Kind::Levels(levels) = &self.kind else { return Vec::new() };
        let first = format!("{}={}", self.name, levels.first());
        let group = |name| RowGroup { name, category: Some(self.name.clone()), rows: Vec::new() };
        let mut groups: Vec<RowGroup> =
            [first].into_iter().chain(self.features()).map(group).collect();
        for (row, features) in features.rows().into_iter().enumerate() {
            let level =
                features.iter().position(|value| *value == 1.0).map_or(0, |level| level + 1);
            groups[level].rows.push(row);
        }
        groups.retain(|group| !group.rows.is_empty());
        groups
    }

    /// Number of its features.
    pub fn width(&self) -> usize {
        let width = match &self.kind {
            Kind::Number(_) | Kind::Measure(_) | Kind::Hours(_) => 1,
            Kind::Date(dates) => dates.width(),
            Kind::Levels(levels) => levels.width(),
        };
        width + usize::from(self.missing == Missing::Told)
    }

    /// Writes the features of one row, `width` of them that are 0; those of a missing number or
    /// date are NaN. Says what is filled in for a cell that no training row is like: the fit's
    /// median for a missing number, the most frequent level for a missing or unseen one. Beside
    /// true and false there is no unseen level.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for a text that is no such number or date, and a number that is too
    /// large; for one that is neither true nor false where all others are.
    pub fn write(
        &self,
        cells: &Cells,
        row: usize,
        place: usize,
        mut features: ArrayViewMut1<f64>,
    ) -> Result<Option<Filled>, OwnError> {
        let text = cells.text(row, place);
        if self.misses(text) {
            return Ok(self.write_missing(features));
        }
        match &self.kind {
            Kind::Number(_) | Kind::Measure(_) => features[0] = self.number(cells, row, place)?,
            Kind::Hours(hours) => features[0] = hours.read(cells, row, place)?,
            Kind::Date(dates) => dates.write(cells, row, place, features)?,
            Kind::Levels(levels) => {
                let is_known = levels.write(text, features);
                if !is_known && levels.is_boolean() {
                    return Err(cells.wrong_text(row, place, levels.expected()));
                }
                let unseen = || Filled { unseen: Some(text.into()), by: frequent(levels) };
                return Ok((!is_known).then(unseen));
            }
        }
        Ok(None)
    }

    /// Writes the features of a missing cell, and says what is filled in where no training row
    /// misses one.
    fn write_missing(&self, mut features: ArrayViewMut1<f64>) -> Option<Filled> {
        let width = self.width();
        match (&self.kind, self.missing) {
            (Kind::Levels(levels), Missing::Never) => {
                levels.write_frequent(features);
                return Some(Filled { unseen: None, by: frequent(levels) });
            }
            (Kind::Levels(_), _) => features.fill(0.0),
            (Kind::Number(_) | Kind::Measure(_) | Kind::Date(_) | Kind::Hours(_), _) => {
                features.fill(f64::NAN)
            }
        }
        if self.missing == Missing::Told {
            features[width - 1] = 1.0;
        }
        (self.missing == Missing::Never).then(|| Filled { unseen: None, by: "the median".into() })
    }
}

/// The level that is filled in, in words.
fn frequent(levels: &Levels) -> String {
    format!("the most frequent level, \"{}\",", printable(levels.frequent(), 30))
}

/// Whether different texts of digits are different numbers.
fn is_told_apart(given: &[&str]) -> bool {
    let is_long =
        |text: &&&str| text.len() > DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
    let texts: HashSet<&str> = given.iter().filter(is_long).copied().collect();
    let numbers = texts
        .iter()
        .filter_map(|text| text.parse::<f64>().ok())
        .map(f64::to_bits)
        .collect::<HashSet<u64>>();
    numbers.len() == texts.len()
}

/// The warning on a column of text that is left out, as it has `different` values in `rows` rows.
fn left_out(
    cells: &Cells,
    place: usize,
    different: usize,
    rows: usize,
    is_told_apart: bool,
) -> Finding {
    let stopped = Stopped::of(cells, place);
    let topic = if stopped.is_some() { Topic::Stopped } else { Topic::Reading };
    let hint = match stopped {
        Some(stopped) => stopped.hint(),
        None if !is_told_apart => {
            "; numbers with that many digits are rounded, so that different ones become equal"
                .into()
        }
        None => String::new(),
    };
    let shown = printable(&cells.names[place], SHOWN);
    Finding::warning(format!(
        "the column \"{shown}\" is text with {different} different values in {rows} rows: it is \
         left out{hint}"
    ))
    .about(topic, [&cells.names[place]])
}

/// Refuses a column whose cells are numbers but for a few; a number that is too large is refused by
/// its own error.
fn refuse_typing_errors(
    cells: &Cells,
    place: usize,
    mark: Option<Mark>,
    shown: &str,
) -> Result<(), OwnError> {
    let is_wrong = |row: &usize| {
        let text = cells.text(*row, place);
        !is_missing_number(text) && cells.number_with(*row, place, mark).is_err()
    };
    let wrong: Vec<usize> = (0..cells.rows()).filter(is_wrong).collect();
    let Some(first) = wrong.first() else { return Ok(()) };
    if Cell::of(cells.text(*first, place)) == Cell::TooLarge {
        return cells.number(*first, place).map(|_| ());
    }
    let others = match wrong.len() - 1 {
        0 => "the only cell of the column that is not a number".to_owned(),
        others => format!("this and {others} more of {} cells are not numbers", cells.rows()),
    };
    let example = match mark {
        Some(Mark::Comma) => " such as 1.234,5",
        Some(Mark::Point) | None => "",
    };
    let text = printable(cells.text(*first, place), 30);
    let expected =
        Words::from(format!("a number{example} ({others}): correct it, make it missing with "))
            + Setting::Na
            + format!(" \"{shown}={text}\", or leave the column out with ")
            + Setting::Drop
            + format!(" \"{shown}\"");
    Err(cells.wrong_text(*first, place, expected))
}
