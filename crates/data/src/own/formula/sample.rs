//! Take the columns of numbers, the target with its rounding, and the rows that formulas are tried
//! on.

use ndarray::ArrayView1;

use super::basis::Formula;
use crate::own::rounding::Rounding;
use crate::own::table::OwnTable;

/// Most rows that formulas are tried on; what holds there is counted in all rows.
const MOST_ROWS: usize = 500;
/// Fewest rows.
const FEWEST_ROWS: usize = 20;
/// Most columns of which pairs are tried.
const MOST_COLUMNS: usize = 200;
/// Fewest different targets: of few ones too many formulas are right by chance.
const FEWEST_TARGETS: usize = 10;
/// Fewest rows with another target than the most frequent one.
const FEWEST_OTHERS: usize = 15;
/// Share of the rows that a formula has to give.
pub(super) const SHARE: f64 = 0.98;
/// Relative error of numbers of single precision, and the largest share of the target's spread that
/// it may be.
const SINGLE: (f64, f64) = (2.5e-7, 1e-5);
/// A column of numbers.
pub(super) struct Numbers {
    /// The name of its column in the file.
    pub name: String,
    /// One for each row, NaN where it is missing.
    pub values: Vec<f64>,
    /// The step that all are rounded to, 0 where they are not.
    pub step: f64,
}

/// What formulas are tried on.
pub(super) struct Sample {
    /// The columns, in the order of the table.
    pub columns: Vec<Numbers>,
    /// The target of each row.
    pub target: Vec<f64>,
    /// Half of the step that the target of each row is rounded to, and what arithmetic may add.
    pub half: Vec<f64>,
    /// The rows that formulas are tried on.
    pub rows: Vec<usize>,
    /// The most frequent target.
    mode: f64,
}

impl Sample {
    /// Of a table; `None` where it has too few rows or different targets, or fewer columns of
    /// numbers than these.
    pub fn of(own: &OwnTable, fewest: usize) -> Option<Self> {
        let target = own.table.target.to_vec();
        let columns: Vec<Numbers> = numbers(own).take(MOST_COLUMNS).collect();
        let rows = spread(target.len());
        let mode = mode(rows.iter().map(|row| target[*row]).collect());
        let (mode, distinct) = mode?;
        let others = rows.iter().filter(|row| target[**row] != mode).count();
        if columns.len() < fewest
            || rows.len() < FEWEST_ROWS
            || distinct < FEWEST_TARGETS
            || others < FEWEST_OTHERS
        {
            return None;
        }
        let half = halves(&target);
        Some(Self { columns, target, half, rows, mode })
    }

    /// The names of the columns.
    pub fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }

    /// The formula's value in a row.
    pub fn value(&self, formula: &Formula, row: usize) -> f64 {
        formula.value(|column| self.columns[column].values[row])
    }

    /// In how many rows the formula gives the target to within `slack` times its rounding, and in
    /// how many it has a value; `None` where the first are too few.
    pub fn fits(
        &self,
        formula: &Formula,
        rows: impl Iterator<Item = usize>,
        slack: f64,
    ) -> Option<[usize; 2]> {
        let extra = self.rounding_of_terms(formula);
        let (mut fits, mut all, mut others, mut seen) = (0, 0, [0, 0], 0);
        for row in rows {
            seen += 1;
            let value = self.value(formula, row);
            if !value.is_finite() {
                continue;
            }
            let is_fit = (value - self.target[row]).abs() <= slack * self.half[row] + extra;
            (fits, all) = (fits + usize::from(is_fit), all + 1);
            if self.target[row] != self.mode {
                others = [others[0] + usize::from(is_fit), others[1] + 1];
            }
        }
        let is_most = |[part, all]: [usize; 2]| part as f64 >= SHARE * all as f64;
        let are_enough = all >= FEWEST_ROWS && 2 * all >= seen && others[1] >= FEWEST_OTHERS;
        (are_enough && is_most([fits, all]) && is_most(others)).then_some([fits, all])
    }

    /// What the rounding of columns adds where measurements, and no counts, are summed.
    fn rounding_of_terms(&self, formula: &Formula) -> f64 {
        let steps: Vec<f64> =
            formula.columns().iter().map(|column| self.columns[*column].step).collect();
        let are_counts = steps.iter().all(|step| *step >= 1.0);
        if are_counts || !formula.is_plain_sum() { 0.0 } else { steps.iter().sum::<f64>() / 2.0 }
    }

    /// The root mean square of what rounding alone does to the target, in the rows of the sample.
    pub fn rounding(&self) -> f64 {
        let squares = self.rows.iter().map(|row| self.half[*row].powi(2) / 3.0).sum::<f64>();
        (squares / self.rows.len() as f64).sqrt()
    }
}

/// The columns of numbers, and the days of dates, without those that do not vary.
fn numbers(own: &OwnTable) -> impl Iterator<Item = Numbers> {
    let mut start = 0;
    own.encoding.columns.iter().filter_map(move |column| {
        let place = start;
        start += column.width();
        if column.is_category() || column.width() == 0 {
            return None;
        }
        let values: ArrayView1<f64> = own.table.features.column(place);
        let mut present = values.iter().filter(|value| value.is_finite());
        let first = present.next()?;
        let varies = present.any(|value| value != first);
        let values = values.to_vec();
        varies.then(|| Numbers {
            name: column.name.clone(),
            step: Rounding::of(&values).step(),
            values,
        })
    })
}

/// Rows that are spread evenly.
fn spread(rows: usize) -> Vec<usize> {
    let count = rows.min(MOST_ROWS);
    (0..count).map(|i| i * rows / count).collect()
}

/// The most frequent value and the number of different ones.
fn mode(mut values: Vec<f64>) -> Option<(f64, usize)> {
    values.sort_unstable_by(f64::total_cmp);
    let runs: Vec<&[f64]> = values.chunk_by(|a, b| a == b).collect();
    let longest = runs.iter().max_by_key(|run| run.len())?;
    Some((*longest.first()?, runs.len()))
}

/// Half of the step of each target, with a tolerance for arithmetic. Numbers are rounded to places
/// after the point, to significant digits, or to a resolution.
fn halves(target: &[f64]) -> Vec<f64> {
    let rounding = Rounding::of(target);
    let grid = rounding.grid(target);
    let mean = target.iter().sum::<f64>() / target.len() as f64;
    let sd = (target.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / target.len() as f64).sqrt();
    let (relative, share) = SINGLE;
    let of = |y: &f64| {
        let arithmetic = (relative * y.abs()).min(share * sd) + 1e-9 * sd;
        let step = if rounding.is_none() { 0.0 } else { rounding.step_at(*y).max(grid) };
        step / 2.0 + arithmetic
    };
    target.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_step_is_known_for_each_target() {
        let cents: Vec<f64> = (0..50).map(|i| f64::from(i * 37) / 100.0).collect();
        assert!((halves(&cents)[7] - 0.005).abs() < 1e-6);
        let halved: Vec<f64> = (0..50).map(|i| f64::from(i * 37 % 19) / 2.0).collect();
        assert!((halves(&halved)[7] - 0.25).abs() < 1e-3);
        let computed: Vec<f64> = (1..50).map(|i| f64::from(i) / 7.0).collect();
        assert!(halves(&computed)[7] < 1e-5);
    }
}
