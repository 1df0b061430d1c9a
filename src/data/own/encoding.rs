//! Encode columns of text as numbers. The encoding is chosen on the training rows and then applied to new rows.

use std::collections::{BTreeSet, HashMap, HashSet};

use ndarray::{Array1, Array2};

use super::cells::Cells;
use super::error::{OwnError, SHOWN, shape};
use super::resolution::Grain;
use crate::data::{Table, nearest_name, printable};

/// Fewest rows on which methods are compared.
const FEWEST_ROWS: usize = 20;

/// Largest number of levels of a categorical column, which may also have at most one level for every two rows.
const MOST_LEVELS: usize = 50;
/// Largest absolute value of a number, because sums of squares of larger ones overflow.
const LARGEST: f64 = 1e150;

/// A user's table, with the encoding for new rows.
#[derive(Clone, Debug)]
pub struct OwnTable {
    /// The numbers.
    pub table: Table,
    /// The encoding of its features.
    pub encoding: Encoding,
    /// Sentences on how columns were encoded, and on suspicious columns.
    pub notes: Vec<String>,
    /// Whether the target has so few distinct values that a density of it is meaningless.
    pub discrete: bool,
}

/// How the columns of a file become features. Made from the training rows, applied to new ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    target: String,
    dropped: Vec<String>,
    columns: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    /// All levels in order; the first one has no feature of its own.
    Levels(Vec<String>),
}

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    Missing,
    Number(f64),
    TooLarge,
    Text,
}

impl Cell {
    fn of(text: &str) -> Self {
        match text.to_ascii_lowercase().as_str() {
            "" | "na" | "n/a" | "nan" | "null" | "?" => Self::Missing,
            lower => match lower.parse::<f64>() {
                Ok(number) if number.abs() <= LARGEST => Self::Number(number),
                Ok(_) => Self::TooLarge,
                Err(_) => Self::Text,
            },
        }
    }
}

impl OwnTable {
    /// The table of the rows of a file; all columns but the target and those to `drop` are features.
    ///
    /// # Errors
    /// [`OwnError`]: an unknown column, a missing cell, a target or nearly numeric column with text, an infinite number, a
    /// column with too many levels, too few rows, no feature, a constant target.
    pub fn new(cells: &Cells, target: &str, drop: &[String]) -> Result<Self, OwnError> {
        // Checked before the target, because a file separated by blanks has no column of the target's name.
        if cells.names.len() == 1 {
            let expected = "features beside the target, with a comma, semicolon or tab between columns";
            return Err(shape(&cells.file, "one column only", expected));
        }
        let target_place = cells.place("--target", target)?;
        for name in drop {
            if cells.place("--drop", name)? == target_place {
                return Err(OwnError::DropsTarget { name: printable(name, SHOWN) });
            }
        }
        let is_feature = |place: &usize| *place != target_place && !drop.contains(&cells.names[*place]);
        let places: Vec<usize> = (0..cells.names.len()).filter(is_feature).collect();
        if places.is_empty() {
            return Err(shape(&cells.file, "no column left but the target", "a feature beside it"));
        }
        refuse_missing(cells, &[&places[..], &[target_place]].concat(), Some(target_place))?;
        let rows = cells.rows();
        if rows < FEWEST_ROWS {
            let expected = format!("{FEWEST_ROWS} rows or more: fewer are not enough to compare methods");
            return Err(shape(&cells.file, &format!("{rows} rows"), &expected));
        }
        let target_values: Array1<f64> =
            (0..rows).map(|row| number(cells, row, target_place)).collect::<Result<_, _>>()?;
        let mut notes = Vec::new();
        let column = |&place: &usize| Column::decide(cells, place, &mut notes);
        let columns = places.iter().map(column).collect::<Result<_, _>>()?;
        let encoding = Encoding { target: target.into(), dropped: drop.to_vec(), columns };
        let feature_names = encoding.feature_names();
        if feature_names.is_empty() {
            return Err(shape(&cells.file, "features that never change", "a feature with two values or more"));
        }
        let grain = Grain::of(&target_values.to_vec());
        if grain.distinct == 1 {
            let found = format!("the target {} in every row", target_values[0]);
            let column = printable(target, SHOWN);
            return Err(OwnError::Column {
                file: cells.file.clone(),
                column,
                found,
                expected: "a target that varies".into(),
            });
        }
        let table = Table {
            features: encoding.features(cells)?,
            feature_units: vec![String::new(); feature_names.len()],
            feature_names,
            target: target_values,
            target_name: target.into(),
            target_unit: String::new(),
            target_resolution: grain.step,
        };
        Ok(Self { table, encoding, notes, discrete: grain.discrete })
    }
}

impl Encoding {
    /// Names of the features: a numeric column's own, `column=level` for each level but the first of a categorical one.
    fn feature_names(&self) -> Vec<String> {
        let names = |column: &Column| match &column.kind {
            Kind::Number => vec![column.name.clone()],
            Kind::Levels(levels) => levels[1..].iter().map(|level| format!("{}={level}", column.name)).collect(),
        };
        self.columns.iter().flat_map(names).collect()
    }

    /// The features of the rows of a file that has the same columns by name, in any order, n × d. Other columns are
    /// ignored.
    ///
    /// # Errors
    /// [`OwnError`]: an absent column, a missing cell, text or an infinite number in a numeric column, a level that the
    /// training rows do not have.
    pub fn features(&self, cells: &Cells) -> Result<Array2<f64>, OwnError> {
        let known: HashMap<&str, usize> = cells.names.iter().enumerate().map(|(j, name)| (name.as_str(), j)).collect();
        let place =
            |column: &Column| known.get(column.name.as_str()).copied().ok_or_else(|| self.absent(cells, &column.name));
        let places: Vec<usize> = self.columns.iter().map(place).collect::<Result<_, _>>()?;
        refuse_missing(cells, &places, None)?;
        let mut features = Array2::zeros((cells.rows(), self.feature_names().len()));
        let mut next = 0;
        for (column, place) in self.columns.iter().zip(places) {
            match &column.kind {
                Kind::Number => {
                    for row in 0..cells.rows() {
                        features[(row, next)] = number(cells, row, place)?;
                    }
                    next += 1;
                }
                Kind::Levels(levels) => {
                    for row in 0..cells.rows() {
                        let level = level_of(cells, row, place, levels)?;
                        if level > 0 {
                            features[(row, next + level - 1)] = 1.0;
                        }
                    }
                    next += levels.len() - 1;
                }
            }
        }
        Ok(features)
    }

    /// Sentences on the columns of a file with new rows that are not used.
    pub fn unused(&self, cells: &Cells) -> Vec<String> {
        let mut notes = Vec::new();
        let features: HashSet<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let is_feature = |name: &String| features.contains(name.as_str());
        if cells.names.contains(&self.target) {
            let name = printable(&self.target, SHOWN);
            notes.push(format!("{}: the target, \"{name}\", is ignored", cells.file));
        }
        let others = cells.names.iter().filter(|name| !is_feature(name) && **name != self.target);
        let others: Vec<String> = others.map(|name| format!("\"{name}\"")).collect();
        if !others.is_empty() {
            let others = printable(&others.join(", "), 300);
            notes.push(format!("{}: columns that are no features are ignored: {others}", cells.file));
        }
        notes
    }

    /// The error that a feature's column is absent, with the most similar name.
    fn absent(&self, cells: &Cells, name: &str) -> OwnError {
        let spare = cells
            .names
            .iter()
            .filter(|known| !self.columns.iter().any(|column| column.name == **known) && !self.dropped.contains(known));
        let near = nearest_name(name, spare.map(String::as_str));
        let near = near.map(|near| format!(" (is it \"{}\"?)", printable(&near, SHOWN))).unwrap_or_default();
        OwnError::Column {
            file: cells.file.clone(),
            column: printable(name, SHOWN),
            found: format!("no such column{near}"),
            expected: "every feature of the table that the methods are fitted on, by the same name".into(),
        }
    }
}

impl Column {
    /// Decides whether the column at this position is numeric or categorical. No cell is missing.
    fn decide(cells: &Cells, place: usize, notes: &mut Vec<String>) -> Result<Self, OwnError> {
        let name = cells.names[place].clone();
        let shown = printable(&name, SHOWN);
        let rows = cells.rows();
        let kinds: Vec<Cell> = (0..rows).map(|row| Cell::of(text(cells, row, place))).collect();
        let texts: Vec<usize> = (0..rows).filter(|row| kinds[*row] == Cell::Text).collect();
        let numbers = rows - texts.len();
        if texts.is_empty() {
            if counts_rows(&kinds) {
                notes.push(format!(
                    "the column \"{shown}\" counts the rows: if it is a number of the row and no measurement, leave it \
                     out with --drop \"{shown}\""
                ));
            }
            return Ok(Self { name, kind: Kind::Number });
        }
        if let Some(row) = texts.iter().copied().find(|row| has_decimal_comma(text(cells, *row, place))) {
            let expected = "numbers with a decimal point, not a comma, and no separator of thousands";
            return Err(wrong_cell(cells, row, place, expected.into()));
        }
        // Nearly all cells are numbers. The others are more likely typing errors than levels.
        if numbers * 10 > rows * 9 {
            let others = match texts.len() - 1 {
                0 => "the only cell of the column that is not a number".to_owned(),
                others => format!("this and {others} more of {rows} cells are not numbers"),
            };
            let expected = format!("a number ({others}): correct it, or leave the column out with --drop \"{shown}\"");
            return Err(wrong_cell(cells, texts[0], place, expected));
        }
        let levels: BTreeSet<&str> = (0..rows).map(|row| text(cells, row, place)).collect();
        if levels.len() > MOST_LEVELS || levels.len() * 2 > rows {
            return Err(OwnError::Column {
                file: cells.file.clone(),
                found: format!("text with {} different values in {rows} rows", levels.len()),
                expected: format!(
                    "numbers, or at most {} levels of a category; if it is a name, a date or a text, leave it out with \
                     --drop \"{shown}\"",
                    MOST_LEVELS.min(rows / 2)
                ),
                column: shown,
            });
        }
        let levels: Vec<String> = levels.into_iter().map(str::to_owned).collect();
        notes.push(told(&shown, &levels));
        Ok(Self { name, kind: Kind::Levels(levels) })
    }
}

/// A sentence on the encoding of a categorical column.
fn told(name: &str, levels: &[String]) -> String {
    let [base, others @ ..] = levels else { return String::new() };
    let base = printable(base, SHOWN);
    if others.is_empty() {
        return format!("the column \"{name}\" is \"{base}\" in every row: it is left out");
    }
    let columns = if others.len() == 1 { "column" } else { "columns" };
    let shown: Vec<String> =
        others.iter().take(6).map(|level| format!("\"{name}={}\"", printable(level, 30))).collect();
    let more = if others.len() > shown.len() { ", …" } else { "" };
    format!(
        "the column \"{name}\" is categorical: one-hot encoded as {} {columns} of 0 and 1, {}{more}; all 0 is its first level, \
         \"{base}\"",
        others.len(),
        shown.join(", ")
    )
}

/// Whether the cells are consecutive whole numbers.
fn counts_rows(cells: &[Cell]) -> bool {
    cells.windows(2).all(|pair| matches!(pair, [Cell::Number(a), Cell::Number(b)] if b - a == 1.0))
}

fn has_decimal_comma(text: &str) -> bool {
    text.contains(',') && text.replace(',', "").parse::<f64>().is_ok()
}

pub(super) fn text(cells: &Cells, row: usize, place: usize) -> &str {
    cells.rows[row].cells.get(place).unwrap_or_default()
}

/// The finite number in a cell.
pub(super) fn number(cells: &Cells, row: usize, place: usize) -> Result<f64, OwnError> {
    match Cell::of(text(cells, row, place)) {
        Cell::Number(number) => Ok(number),
        Cell::TooLarge => {
            let expected = format!(
                "a finite number of at most {LARGEST:e} in size, for sums of squares; divide the column by a constant"
            );
            Err(wrong_cell(cells, row, place, expected))
        }
        Cell::Text if has_decimal_comma(text(cells, row, place)) => {
            Err(wrong_cell(cells, row, place, "a number with a decimal point, not a comma".into()))
        }
        Cell::Missing | Cell::Text => Err(wrong_cell(cells, row, place, "a number".into())),
    }
}

/// The index of a cell's level among those of the training rows.
fn level_of(cells: &Cells, row: usize, place: usize, levels: &[String]) -> Result<usize, OwnError> {
    let found = text(cells, row, place);
    levels.iter().position(|level| level == found).ok_or_else(|| {
        let known = levels.iter().map(|level| format!("\"{level}\"")).collect::<Vec<_>>().join(", ");
        let expected = format!("one of the levels that the methods are fitted on: {}", printable(&known, 400));
        wrong_cell(cells, row, place, expected)
    })
}

fn wrong_cell(cells: &Cells, row: usize, place: usize, expected: String) -> OwnError {
    cells.wrong(row, place, format!("\"{}\"", printable(text(cells, row, place), SHOWN)), expected)
}

/// Returns an error on the first missing cell of these columns, with the number of all others.
pub(super) fn refuse_missing(cells: &Cells, places: &[usize], target: Option<usize>) -> Result<(), OwnError> {
    let mut first: Option<(usize, usize)> = None;
    let mut counts = vec![0_usize; cells.names.len()];
    for row in 0..cells.rows() {
        for &place in places.iter().filter(|place| Cell::of(text(cells, row, **place)) == Cell::Missing) {
            first.get_or_insert((row, place));
            counts[place] += 1;
        }
    }
    let Some((row, place)) = first else { return Ok(()) };
    let all: usize = counts.iter().sum();
    let each = places.iter().filter(|place| counts[**place] > 0);
    let each: Vec<String> = each.map(|place| format!("\"{}\" {}", cells.names[*place], counts[*place])).collect();
    let others = if all == 1 {
        "(it is the only one)".into()
    } else {
        format!("({all} are missing in all: {})", printable(&each.join(", "), 300))
    };
    let column = printable(&cells.names[place], SHOWN);
    // New rows need every feature of the fit.
    let advice = match target {
        Some(target) if place != target => format!(", or leave the column out with --drop \"{column}\""),
        _ => String::new(),
    };
    let advice = format!("{others}; fill it in or delete the line{advice}");
    let found = match text(cells, row, place) {
        "" => "an empty cell".into(),
        other => format!("\"{}\"", printable(other, SHOWN)),
    };
    Err(OwnError::Missing { file: cells.file.clone(), place: cells.rows[row].place, column, found, advice })
}
