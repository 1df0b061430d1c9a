//! Make a table of a user's file: its features, its target, and what was found on the way.

use std::borrow::Cow;
use std::collections::HashMap;

use ndarray::Array1;

use super::cells::Cells;
use super::classes::refuse_classes;
use super::column::Column;
use super::dependent::{By, DependenceColumn, Dependent};
use super::encoding::Encoding;
use super::error::{OwnError, SHOWN, shape};
use super::failed::failures;
use super::finding::{Finding, Topic};
use super::hours::Hours;
use super::index::without_index;
use super::indicators::Indicators;
use super::level_na::{LevelNa, levels_na};
use super::limited::Limited;
use super::limits::{Limit, Limits};
use super::measure::Measure;
use super::missing::is_missing_number;
use super::notation::Notation;
use super::number::number_in;
use super::resolution::Grain;
use super::rules::{CellRules, Ruled};
use super::totals::totals;
use super::words::{Setting, Words};
use uq_core::names::counted;
use uq_core::printable::printable;
use uq_core::{Dependence, Table};

/// Fewest rows on which methods are compared.
const FEWEST_ROWS: usize = 20;

/// Where a row of a table stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowPlace {
    /// Its number among the rows below the header, from 1.
    pub row: usize,
    /// The line of a text, or the row of a sheet, from 1, the header's included; the number of the
    /// row where a file has no lines.
    pub line: u64,
}

/// A user's table, with the encoding for new rows.
#[derive(Clone, Debug)]
pub struct OwnTable {
    /// The numbers. A missing number or date among the features is NaN.
    pub table: Table,
    /// The encoding of its features.
    pub encoding: Encoding,
    /// How columns were encoded, and which are suspicious.
    pub findings: Vec<Finding>,
    /// Whether the target has so few distinct values that a density of it is meaningless.
    pub discrete: bool,
    /// What says which rows depend on each other, if it is stated.
    pub dependent: Option<Dependent>,
    /// Where each row of the table stands in the file: rows without a target are no rows of the
    /// table, and a time orders them.
    pub places: Vec<RowPlace>,
    /// How limits of the target are read, if it has any.
    target_limits: Option<Limits>,
    /// By column the numbers that stand for its limits.
    substitutes: HashMap<String, Vec<f64>>,
}

impl OwnTable {
    /// The table of the rows of a file that have a target; all columns but the target and those to
    /// `drop` are features.
    ///
    /// # Errors
    /// [`OwnError`]: an unknown column, a target of a foreign type, a target or nearly numeric
    /// column with text, a number that is too large, too few rows, no feature, a constant target.
    pub fn new(cells: &Cells, target: &str, drop: &[String]) -> Result<Self, OwnError> {
        Self::dependent(cells, target, drop, None)
    }

    /// The table with a column that says which rows depend on each other; that of times puts the
    /// rows in its order.
    ///
    /// # Errors
    /// [`OwnError`] as [`OwnTable::new`], and for a column that misses cells or has no times.
    pub fn dependent(
        cells: &Cells,
        target: &str,
        drop: &[String],
        by: Option<&DependenceColumn>,
    ) -> Result<Self, OwnError> {
        Self::with_rules(cells, target, drop, by, &CellRules::default())
    }

    /// The table of cells that are read by rules of the user.
    ///
    /// # Errors
    /// [`OwnError`] as [`OwnTable::dependent`], for an unknown column of a rule, and for limits of
    /// the target that would be levels.
    pub fn with_rules(
        cells: &Cells,
        target: &str,
        drop: &[String],
        by: Option<&DependenceColumn>,
        rules: &CellRules,
    ) -> Result<Self, OwnError> {
        Self::read(cells, target, drop, by, rules, true)
    }

    /// The same table without the search for rows that sum up others: it may take longer than all
    /// else, and tells a user what a manifest knows.
    ///
    /// # Errors
    /// [`OwnError`] as [`OwnTable::with_rules`].
    pub fn without_totals(
        cells: &Cells,
        target: &str,
        drop: &[String],
        by: Option<&DependenceColumn>,
        rules: &CellRules,
    ) -> Result<Self, OwnError> {
        Self::read(cells, target, drop, by, rules, false)
    }

    fn read(
        cells: &Cells,
        target: &str,
        drop: &[String],
        by: Option<&DependenceColumn>,
        rules: &CellRules,
        seeks_totals: bool,
    ) -> Result<Self, OwnError> {
        let mut findings = cells.findings().to_vec();
        let numbers: HashMap<u64, usize> = cells.lines().zip(1..).collect();
        let places = Places::find(cells, target, drop, by, rules.keep_index, &mut findings)?;
        let features = &places.features;
        let Ruled { cells: ruled, absent, level_na } = rules.applied(cells, &mut findings)?;
        findings.extend(failures(&ruled, &[&[places.target], &features[..]].concat()));
        let limited = Limited::find(&ruled, features, places.target, rules.censored)?;
        let kept = limited.kept(&ruled);
        let with_target = with_target(&kept, places.target, &mut findings);
        refuse_few(&with_target, ruled.rows())?;
        let notation =
            Notation::of(&limited.plain(&with_target), &[&features[..], &[places.target]].concat());
        let stated = places
            .by
            .map(|(place, by)| Dependent::read(&with_target, place, by, notation, &mut findings));
        let (dependent, order, dependence) = match stated.transpose()? {
            Some((dependent, order, dependence)) => (Some(dependent), Some(order), dependence),
            None => (None, None, Dependence::Unknown),
        };
        let ordered = order.map(|order| with_target.select(order.into_iter()));
        let cells = ordered.as_ref().unwrap_or(&with_target);
        let given = Given { cells, plain: &limited.plain(cells), notation, limited: &limited };
        let TargetRead { values, limits, taken } = given.target(places.target, &mut findings)?;
        let mut substitutes = HashMap::from([(cells.names[places.target].clone(), taken)]);
        let features: Vec<_> =
            features.iter().copied().zip(levels_na(cells, features, &level_na)).collect();
        let recurring = dependent.as_ref().zip(places.time());
        let columns = given.features(&features, recurring, &mut substitutes, &mut findings)?;
        let target = cells.names[places.target].clone();
        let encoding = Encoding {
            target: target.clone(),
            dropped: places.not_features(cells),
            columns,
            absent,
        };
        let feature_names = encoding.feature_names();
        if feature_names.is_empty() {
            let found = "no usable feature: every column is empty, constant, or text with a value \
                         of its own in most rows";
            let keep =
                places.time().map(|_| Words::from("; ") + Setting::Keep + " makes one of the time");
            let expected =
                Words::from("a feature with two values or more") + keep.unwrap_or_default();
            return Err(shape(&cells.file, found, expected));
        }
        let grain = grain_of(&values, &cells.file, &target)?;
        let table = Table {
            features: encoding.features(cells)?,
            feature_units: vec![String::new(); feature_names.len()],
            feature_names,
            target: values,
            target_name: target,
            target_unit: String::new(),
            target_resolution: grain.step,
            dependence,
        };
        if seeks_totals {
            findings.extend(totals(cells, &encoding, &table));
        }
        Ok(Self {
            table,
            encoding,
            findings,
            discrete: grain.discrete,
            dependent,
            places: cells.lines().map(|line| RowPlace { row: numbers[&line], line }).collect(),
            target_limits: limits,
            substitutes,
        })
    }

    /// Sentences on how limits are read, which hold for new rows as well.
    pub fn readings(&self) -> impl Iterator<Item = &Words> {
        self.findings
            .iter()
            .filter(|finding| finding.topic == Topic::Limit)
            .map(|finding| &finding.text)
    }

    /// Whether a number of a column stands for a limit.
    pub(super) fn is_substitute(&self, column: &str, number: f64) -> bool {
        self.substitutes.get(column).is_some_and(|taken| taken.contains(&number))
    }

    /// Whether a cell of the target is missing.
    pub(super) fn misses_target(&self, text: &str) -> bool {
        let of_limit = |limits: &Limits| Limit::of(text).is_some_and(|limit| limits.misses(limit));
        is_missing_number(text) || self.target_limits.as_ref().is_some_and(of_limit)
    }
}

/// Places of the columns that a command names, and of those that may be features.
struct Places<'a> {
    target: usize,
    dropped: Vec<usize>,
    /// The column that says which rows depend on each other.
    by: Option<(usize, &'a DependenceColumn)>,
    /// Columns that only number the rows.
    index: Vec<usize>,
    /// All others, but for those that cannot be read.
    features: Vec<usize>,
}

impl<'a> Places<'a> {
    /// Finds them. A column that cannot be read is an error where it is needed, and else left out.
    ///
    /// # Errors
    /// [`OwnError`] for an unknown column, for the target among others, and where no feature is
    /// left.
    fn find(
        cells: &Cells,
        target: &str,
        drop: &[String],
        by: Option<&'a DependenceColumn>,
        keep_index: bool,
        findings: &mut Vec<Finding>,
    ) -> Result<Self, OwnError> {
        // Checked before the target, because a file separated by blanks has no column of the
        // target's name.
        if cells.names.len() == 1 {
            let expected =
                "features beside the target, with a comma, semicolon, tab or | between columns";
            return Err(shape(&cells.file, "one column only", expected));
        }
        let target_place = cells.place(Setting::Target, target)?;
        let dropped: Vec<usize> =
            drop.iter().map(|name| cells.place(Setting::Drop, name)).collect::<Result<_, _>>()?;
        if dropped.contains(&target_place) {
            return Err(OwnError::DropsTarget { name: printable(target, SHOWN) });
        }
        let by = by.map(|by| Ok((cells.place(by.by.setting(), &by.column)?, by))).transpose()?;
        if let Some((_, by)) = by.filter(|(place, _)| *place == target_place) {
            return Err(OwnError::OfTarget {
                setting: by.by.setting(),
                name: printable(target, SHOWN),
            });
        }
        // A time that is not kept may have parts that are features.
        let left_out = by.filter(|(_, by)| by.by == By::Group && !by.keep).map(|(place, _)| place);
        let is_feature = |place: &usize| {
            *place != target_place && !dropped.contains(place) && Some(*place) != left_out
        };
        let places = (0..cells.names.len()).filter(is_feature);
        let used = [Some(target_place), by.map(|(place, _)| place)];
        cells.refuse_foreign(&used.into_iter().flatten().collect::<Vec<_>>())?;
        let mut features = Vec::new();
        for place in places {
            match cells.refuse_foreign(&[place]) {
                Ok(()) => features.push(place),
                Err(error) => {
                    findings.push(Finding::warning(error.to_words() + ": it is left out"))
                }
            }
        }
        if features.is_empty() {
            return Err(shape(&cells.file, "no column left but the target", "a feature beside it"));
        }
        let [features, index] = without_index(cells, features, keep_index, findings);
        Ok(Self { target: target_place, dropped, by, index, features })
    }

    /// The place of a time that is no feature, of which parts may recur.
    fn time(&self) -> Option<usize> {
        self.by.filter(|(_, by)| by.by == By::Time && !by.keep).map(|(place, _)| place)
    }

    /// The names of the columns that are no features.
    fn not_features(&self, cells: &Cells) -> Vec<String> {
        let places =
            self.dropped.iter().chain(self.by.as_ref().map(|(place, _)| place)).chain(&self.index);
        places.map(|place| cells.names[*place].clone()).collect()
    }
}

/// Refuses rows with a target, of `all` in the file, that are too few.
///
/// # Errors
/// [`OwnError`] below [`FEWEST_ROWS`].
fn refuse_few(cells: &Cells, all: usize) -> Result<(), OwnError> {
    let rows = cells.rows();
    if rows >= FEWEST_ROWS {
        return Ok(());
    }
    let expected = format!("{FEWEST_ROWS} rows or more: fewer are not enough to compare methods");
    let found = match all - rows {
        0 => counted(rows, "row"),
        1 => format!("{} with a target (1 row has none)", counted(rows, "row")),
        without => format!("{} with a target ({without} rows have none)", counted(rows, "row")),
    };
    Err(shape(&cells.file, &found, expected))
}

/// The grain of a target that varies.
///
/// # Errors
/// [`OwnError::Column`] for a target that is the same in every row.
fn grain_of(values: &Array1<f64>, file: &str, target: &str) -> Result<Grain, OwnError> {
    let grain = Grain::of(&values.to_vec());
    if grain.distinct > 1 {
        return Ok(grain);
    }
    Err(OwnError::Column {
        file: file.to_owned(),
        column: printable(target, SHOWN),
        found: format!("the target {} in every row", values[0]),
        expected: "a target that varies".into(),
    })
}

/// The rows whose target is not missing.
fn with_target<'a>(cells: &'a Cells, target: usize, findings: &mut Vec<Finding>) -> Cow<'a, Cells> {
    let is_present = |row: usize| !is_missing_number(cells.text(row, target));
    let missing = (0..cells.rows()).filter(|row| !is_present(*row)).count();
    if missing == 0 {
        return Cow::Borrowed(cells);
    }
    let rows = if missing == 1 { "1 row has".into() } else { format!("{missing} rows have") };
    let name = printable(&cells.names[target], SHOWN);
    findings
        .push(Finding::warning(format!("{rows} no target (\"{name}\"), and no part in any fit")));
    Cow::Owned(cells.retain(is_present))
}

/// A target as it was read.
struct TargetRead {
    /// Its numbers.
    values: Array1<f64>,
    /// How its limits are read, if it has any.
    limits: Option<Limits>,
    /// The numbers that stand for limits.
    taken: Vec<f64>,
}

impl TargetRead {
    /// A target without limits.
    fn plain(values: Array1<f64>) -> Self {
        Self { values, limits: None, taken: Vec::new() }
    }
}

/// The rows of the table, and how they are read.
struct Given<'a> {
    cells: &'a Cells,
    /// The cells without limits.
    plain: &'a Cells,
    notation: Notation,
    limited: &'a Limited,
}

impl Given<'_> {
    /// The columns at these places that can be features; `recurring` is a time, whose parts take
    /// its place. Collects the numbers that stand for limits by column.
    ///
    /// # Errors
    /// As [`Limited::decide`].
    fn features(
        &self,
        places: &[(usize, LevelNa)],
        recurring: Option<(&Dependent, usize)>,
        substitutes: &mut HashMap<String, Vec<f64>>,
        findings: &mut Vec<Finding>,
    ) -> Result<Vec<Column>, OwnError> {
        let Self { cells, plain, notation, limited } = *self;
        let mut columns = Vec::with_capacity(places.len());
        let mut indicators = Indicators::default();
        for &(place, level_na) in places {
            let column = match recurring {
                Some((dependent, time)) if time == place => dependent.recurring(),
                _ => limited.decide(cells, plain, place, notation, level_na, findings)?,
            };
            if let Some(mut column) = column {
                let taken = limited
                    .at(place)
                    .and_then(|found| column.limits_taken(found))
                    .map(|(_, taken)| taken);
                substitutes
                    .insert(column.name.clone(), taken.into_iter().flatten().flatten().collect());
                indicators.add(cells, place, &mut column, findings);
                columns.push(column);
            }
        }
        Ok(columns)
    }

    /// The target's numbers, none of whose cells is missing.
    fn target(&self, place: usize, findings: &mut Vec<Finding>) -> Result<TargetRead, OwnError> {
        let Self { cells, plain, notation, limited } = *self;
        refuse_classes(cells, place)?;
        let reading = notation.reading(plain, place);
        let what = format!("the target \"{}\"", printable(&cells.names[place], SHOWN));
        let given: Vec<&str> = plain.texts(place).filter(|text| !is_missing_number(text)).collect();
        if let Some(hours) = Hours::of(&given).filter(|_| reading.mark.is_none()) {
            findings.extend(hours.findings(&what, &cells.names[place], &given));
            let target = (0..cells.rows())
                .map(|row| hours.read(cells, row, place))
                .collect::<Result<_, _>>()?;
            return Ok(TargetRead::plain(target));
        }
        let measure =
            Measure::of(&given, notation.prefers_comma()).filter(|_| reading.mark.is_none());
        let number_of = |text: &str| match &measure {
            Some(measure) => measure.number(text),
            None => number_in(text, reading.mark),
        };
        let found =
            limited.at(place).map(|found| (limited.of_target(found, cells, number_of), found));
        let number = |row: usize| match (&found, Limit::of(cells.text(row, place)), &measure) {
            (Some(((limits, _), _)), Some(limit), _) => limits
                .taken(limit, number_of)
                .ok_or_else(|| cells.wrong_text(row, place, "a number, or a limit such as <0.5")),
            (_, _, Some(measure)) => measure.read(cells, row, place),
            (_, _, None) => cells.number_with(row, place, reading.mark),
        };
        let target = (0..cells.rows()).map(number).collect::<Result<_, _>>()?;
        match &measure {
            Some(measure) => {
                findings.extend(measure.findings(&what, &cells.names[place], &given, notation));
                findings.extend(Hours::suspect_points(&what, &cells.names[place], &given));
            }
            None => findings.extend(reading.findings(&what, plain, place)),
        }
        let Some(((limits, finding), found)) = found else { return Ok(TargetRead::plain(target)) };
        findings.push(finding);
        let taken = found.taken(&limits, number_of).into_iter().flatten().collect();
        Ok(TargetRead { values: target, limits: Some(limits), taken })
    }
}
