//! Describe a table: each column's range and moments, and warnings on properties that make scores
//! optimistic or undefined.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use ndarray::{Array1, ArrayView1};

use super::sentinel::stands_for_missing;
use uq_core::Table;
use uq_core::math::ordered_bits::ordered_bits;

/// The summary of one column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnSummary {
    /// The column's name.
    pub name: String,
    /// Its unit; empty where it has none.
    pub unit: String,
    /// Smallest value.
    pub min: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation with n − 1; 0 for a single row.
    pub sd: f64,
    /// Largest value.
    pub max: f64,
}

/// The description of a table, with warnings on scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The features in order, then the target.
    pub columns: Vec<ColumnSummary>,
    /// Number of distinct target values.
    pub distinct_targets: usize,
    /// Number of rows that equal an earlier row in every feature and the target.
    pub repeated_rows: usize,
    /// Sentences about discrete or rounded targets, which have scores of their own.
    pub notes: Vec<String>,
    /// Ends of the target that have too many rows.
    pub censored: Vec<CensoredEnd>,
    /// Sentences about constant and equal columns.
    pub warnings: Vec<String>,
}

/// The smallest or the largest value of a target, where many rows have it, as if the target had a
/// limit there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CensoredEnd {
    /// Whether it is the smallest value, and not the largest.
    pub is_smallest: bool,
    /// The value.
    pub value: f64,
    /// Number of rows that have it.
    pub rows: usize,
}

impl fmt::Display for CensoredEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.is_smallest { "smallest" } else { "largest" };
        write!(
            f,
            "the target looks censored: {} rows have its {end} value, {}",
            self.rows, self.value
        )
    }
}

/// A target is called discrete when it has at most this share of distinct values, or at most
/// [`FEW_VALUES`].
const DISCRETE_SHARE: f64 = 0.05;
const FEW_VALUES: usize = 20;
/// A target is called censored when its smallest or largest value has at least this share of the
/// rows…
const CENSORED_SHARE: f64 = 0.01;
/// …and at least this many times the rows of the neighbouring value.
const CENSORED_FACTOR: usize = 4;

impl Description {
    /// Describes a table.
    pub fn of(table: &Table) -> Self {
        let mut columns: Vec<ColumnSummary> = (0..table.columns())
            .map(|j| {
                summary(table.features.column(j), &table.feature_names[j], &table.feature_units[j])
            })
            .collect();
        columns.push(summary(table.target.view(), &table.target_name, &table.target_unit));
        let mut targets: BTreeMap<u64, usize> = BTreeMap::new();
        for y in &table.target {
            *targets.entry(ordered_bits(*y)).or_default() += 1;
        }
        let (censored, warnings) = (censored(table, &targets), column_warnings(table, &columns));
        let notes = coarseness(table, targets.len()).into_iter().collect();
        Self {
            columns,
            distinct_targets: targets.len(),
            repeated_rows: repeated_rows(table),
            notes,
            censored,
            warnings,
        }
    }

    /// Sentences about censored targets, constant and equal columns.
    pub fn all_warnings(&self) -> Vec<String> {
        self.censored.iter().map(ToString::to_string).chain(self.warnings.iter().cloned()).collect()
    }

    /// A clause about exact twins, if there are any. How grave they are depends on how rows are
    /// divided.
    pub fn twins(&self) -> Option<String> {
        match self.repeated_rows {
            0 => None,
            1 => Some("1 row is an exact twin of an earlier one".into()),
            rows => Some(format!("{rows} rows are exact twins of an earlier one")),
        }
    }
}

/// The summary of these numbers, missing ones left out.
pub(super) fn summary(values: ArrayView1<'_, f64>, name: &str, unit: &str) -> ColumnSummary {
    let given: Array1<f64>;
    let values = match values.iter().any(|value| value.is_nan()) {
        true => {
            given = values.iter().copied().filter(|value| !value.is_nan()).collect();
            given.view()
        }
        false => values,
    };
    let n = values.len() as f64;
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // A constant column has exactly its value as mean and no spread; sums would have a rounding
    // error.
    let mean = if min == max { min } else { values.sum() / n };
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    ColumnSummary {
        name: name.to_owned(),
        unit: unit.to_owned(),
        min,
        mean,
        sd: if values.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 },
        max,
    }
}

fn repeated_rows(table: &Table) -> usize {
    let mut seen: HashMap<Vec<u64>, ()> = HashMap::with_capacity(table.rows());
    let rows = table.features.rows().into_iter().zip(&table.target);
    rows.filter(|(features, target)| {
        let row: Vec<u64> =
            features.iter().chain([*target]).map(|value| ordered_bits(*value)).collect();
        seen.insert(row, ()).is_some()
    })
    .count()
}

/// Whether a target with `distinct` distinct values in n rows is called discrete.
pub(super) fn is_discrete(distinct: usize, n: usize) -> bool {
    n > 1 && (distinct as f64 <= DISCRETE_SHARE * n as f64 || distinct <= FEW_VALUES.min(n / 2))
}

/// A sentence about a target that is discrete or rounded.
fn coarseness(table: &Table, distinct: usize) -> Option<String> {
    let n = table.rows();
    if is_discrete(distinct, n) {
        return Some(format!(
            "the target is discrete: {distinct} distinct values in {n} rows; a density has no \
             bound there"
        ));
    }
    table
        .target_resolution
        .map(|resolution| format!("the target is rounded to multiples of {resolution}"))
}

/// Ends of the target that have too many rows.
fn censored(table: &Table, targets: &BTreeMap<u64, usize>) -> Vec<CensoredEnd> {
    let mut found = Vec::new();
    let (n, distinct) = (table.rows(), targets.len());
    let mut ends =
        [(true, targets.values().take(2).copied().collect::<Vec<_>>()), (false, Vec::new())];
    ends[1].1 = targets.values().rev().take(2).copied().collect();
    let extremes = table.target_range();
    for ((is_smallest, counts), value) in
        ends.iter().zip(extremes.map_or([f64::NAN; 2], |(low, high)| [low, high]))
    {
        if let [at_end, beside] = counts[..]
            && distinct > FEW_VALUES
            && at_end > 1
            && at_end as f64 >= CENSORED_SHARE * n as f64
            && at_end >= CENSORED_FACTOR * beside
            && !stands_for_missing(value, table.target.view())
        {
            // Zero has no sign here.
            found.push(CensoredEnd { is_smallest: *is_smallest, value: value + 0.0, rows: at_end });
        }
    }
    found
}

fn column_warnings(table: &Table, columns: &[ColumnSummary]) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut first: HashMap<Vec<u64>, usize> = HashMap::new();
    for (j, column) in columns.iter().enumerate() {
        if column.min == column.max {
            warnings.push(format!("the column \"{}\" is constant", column.name));
            continue;
        }
        // The last column is the target.
        if j < table.columns() {
            let bits = table.features.column(j).iter().map(|value| ordered_bits(*value)).collect();
            let i = *first.entry(bits).or_insert(j);
            if i < j {
                warnings.push(format!(
                    "the columns \"{}\" and \"{}\" are equal",
                    columns[i].name, column.name
                ));
            }
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};

    #[test]
    fn five_numbers_by_hand() {
        let table = Table::unnamed(array![[1.0], [2.0], [6.0]], array![0.0, 0.5, 4.0]);
        let description = Description::of(&table);
        let x = &description.columns[0];
        assert_eq!((x.min, x.mean, x.max), (1.0, 3.0, 6.0));
        assert!((x.sd - 7.0_f64.sqrt()).abs() < 1e-15);
        assert_eq!(description.columns[1].name, "y");
        assert_eq!((description.distinct_targets, description.repeated_rows), (3, 0));
        assert!(description.all_warnings().is_empty(), "{:?}", description.all_warnings());
    }

    #[test]
    fn missing_values_are_no_part_of_a_summary() {
        let column = Array1::from(vec![1.0, f64::NAN, 2.0, 6.0]);
        let x = summary(column.view(), "x", "m");
        assert_eq!((x.min, x.mean, x.max), (1.0, 3.0, 6.0));
        assert!((x.sd - 7.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn one_row_or_a_constant_column_has_no_spread() {
        let description = Description::of(&Table::unnamed(array![[1.0]], array![2.0]));
        assert_eq!(description.columns[1].sd, 0.0);
        let constant = Description::of(&Table::unnamed(
            Array2::from_elem((1000, 1), 0.998),
            Array1::zeros(1000),
        ));
        assert_eq!((constant.columns[0].mean, constant.columns[0].sd), (0.998, 0.0));
    }

    #[test]
    fn twins_constants_and_equal_columns_are_told() {
        let features = array![[1.0, 1.0, 7.0], [2.0, 2.0, 7.0], [1.0, 1.0, 7.0], [3.0, 3.0, 7.0]];
        let description = Description::of(&Table::unnamed(features, array![0.0, 1.5, -0.0, 4.0]));
        assert_eq!(description.repeated_rows, 1);
        assert_eq!(
            description.twins().as_deref(),
            Some("1 row is an exact twin of an earlier one")
        );
        let text = description.all_warnings().join("\n");
        for part in ["columns \"x1\" and \"x2\" are equal", "\"x3\" is constant"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn discrete_and_censored_targets_are_told() {
        let described = |target: Array1<f64>| {
            let n = target.len();
            Description::of(&Table::unnamed(
                Array2::from_shape_fn((n, 1), |(i, _)| i as f64),
                target,
            ))
        };
        let warnings = |target: Array1<f64>| described(target).all_warnings().join("\n");
        let discrete = described(Array1::from_shape_fn(100, |i| (i % 5) as f64));
        assert!(
            discrete.notes[0].contains("discrete: 5 distinct values")
                && discrete.all_warnings().is_empty()
        );
        let capped = warnings(Array1::from_shape_fn(100, |i| (i as f64).min(90.0)));
        assert!(capped.contains("10 rows have its largest value, 90"), "{capped}");
        assert_eq!(warnings(Array1::from_shape_fn(100, |i| i as f64)), "");
        let floored = warnings(Array1::from_shape_fn(100, |i| (i as f64).max(9.0) - 50.0));
        assert!(floored.contains("10 rows have its smallest value, -41"), "{floored}");
    }
}
