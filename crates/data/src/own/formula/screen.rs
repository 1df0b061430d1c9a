//! Find, on a few rows, which functions of columns may have the target as a weighted sum.
//!
//! On each of some small sets of rows the squared error of least squares follows from the products
//! of the centred columns of unit length. What leaves far more of the target than its rounding does
//! is no formula. A formula that holds in nearly all rows holds in every row of most of these sets,
//! so that a few wrong rows hide none.

use std::collections::BTreeSet;

use super::basis::Basis;
use super::sample::Sample;

/// Sets of rows.
const SETS: usize = 5;
/// Rows of each.
const ROWS: usize = 24;
/// How many times the squared error of rounding may be left.
const FACTOR: f64 = 4.0;
/// Relative error of the arithmetic.
const ARITHMETIC: f64 = 1e-11;
/// Columns count as dependent where less than this of one is left beside the others.
const DEPENDENT: f64 = 1e-9;
/// Most candidates that are looked at closely.
const MOST: usize = 40;

/// The scale on which functions are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// As they are.
    Plain,
    /// Their logarithms, so that sums are products.
    Logarithm,
}

impl Scale {
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Plain => value,
            Self::Logarithm => value.abs().ln(),
        }
    }
}

/// Functions whose weighted sum may be the target, and the rows on which it seemed so.
pub(super) struct Candidate<'s> {
    /// Their places in the list of functions.
    pub places: Vec<usize>,
    /// The rows.
    pub rows: &'s [usize],
    /// The squared error, as a multiple of what rounding leaves.
    left: f64,
}

/// Small sets of rows, with the values of all functions in them.
pub(super) struct Screen {
    sets: Vec<Set>,
}

/// A small set of rows.
struct Set {
    rows: Vec<usize>,
    /// The target, centred.
    target: Vec<f64>,
    /// Its sum of squares.
    square: f64,
    /// The sum of squares that rounding may leave.
    rounding: f64,
    /// Each function, centred and of unit length; `None` where it has no number in some row, or
    /// does not vary.
    functions: Vec<Option<Vec<f64>>>,
}

impl Screen {
    /// Of these functions.
    pub fn of(sample: &Sample, functions: &[Basis], scale: Scale) -> Self {
        let value = |basis: &Basis, row: usize| {
            scale.of(basis.value(|column| sample.columns[column].values[row]))
        };
        let missing = |row: usize| {
            sample.columns.iter().filter(|of| !scale.of(of.values[row]).is_finite()).count()
        };
        let is_usable = |row: &usize| match scale {
            Scale::Plain => true,
            // Where little more than its rounding is known of a target, nothing is known of its
            // logarithm.
            Scale::Logarithm => sample.target[*row].abs() > 10.0 * sample.half[*row],
        };
        let mut rows: Vec<usize> = sample.rows.iter().copied().filter(is_usable).collect();
        rows.sort_by_cached_key(|row| missing(*row));
        let whole = rows.iter().filter(|row| missing(**row) == 0).count();
        rows.truncate(whole.max(ROWS * SETS));
        let sets = Self::divided(&rows)
            .into_iter()
            .map(|rows| Set::of(sample, functions, scale, rows, value));
        Self { sets: sets.collect() }
    }

    /// Sets of rows that are spread over all; they overlap where there are few.
    fn divided(rows: &[usize]) -> Vec<Vec<usize>> {
        let size = ROWS.min(rows.len() * 4 / 5);
        if size < 2 {
            return Vec::new();
        }
        let count = rows.len();
        let sets = (0..SETS).map(|k| {
            let shift = k * count / (size * SETS) + k;
            let set: BTreeSet<usize> =
                (0..size).map(|i| rows[(i * count / size + shift) % count]).collect();
            set.into_iter().collect()
        });
        sets.collect()
    }

    /// The most promising of these combinations of functions, the best first.
    pub fn promising<const K: usize>(
        &self,
        all: impl Fn() -> Box<dyn Iterator<Item = [usize; K]>>,
    ) -> Vec<Candidate<'_>> {
        let mut found: Vec<Candidate> = Vec::new();
        for set in &self.sets {
            for places in all() {
                let left = set.left(places);
                if left <= 1.0 {
                    found.push(Candidate { places: places.to_vec(), rows: &set.rows, left });
                }
            }
        }
        found.sort_by(|a, b| a.places.cmp(&b.places).then(a.left.total_cmp(&b.left)));
        found.dedup_by(|later, first| later.places == first.places);
        found.sort_by(|a, b| a.left.total_cmp(&b.left));
        found.truncate(MOST);
        found
    }
}

impl Set {
    fn of(
        sample: &Sample,
        functions: &[Basis],
        scale: Scale,
        rows: Vec<usize>,
        value: impl Fn(&Basis, usize) -> f64,
    ) -> Self {
        let target = centred(rows.iter().map(|row| scale.of(sample.target[*row])).collect());
        let square = dot(&target, &target);
        let error = |row: &usize| match scale {
            Scale::Plain => sample.half[*row].powi(2) / 3.0,
            Scale::Logarithm => (sample.half[*row] / sample.target[*row]).powi(2) / 3.0,
        };
        let rounding = FACTOR * rows.iter().map(error).sum::<f64>() + ARITHMETIC * square;
        let function = |basis: &Basis| unit(rows.iter().map(|row| value(basis, *row)).collect());
        Self { functions: functions.iter().map(function).collect(), rows, target, square, rounding }
    }

    /// The squared error of least squares as a multiple of what rounding may leave; infinite where
    /// it is not defined.
    fn left<const K: usize>(&self, places: [usize; K]) -> f64 {
        // Each step takes from a function, and from the target, what the functions before it
        // explain.
        let mut bases: Vec<Vec<f64>> = Vec::with_capacity(K);
        let mut square = self.square;
        for place in places {
            let Some(Some(function)) = self.functions.get(place) else { return f64::INFINITY };
            let mut rest = function.clone();
            for base in &bases {
                let part = dot(base, &rest);
                rest.iter_mut().zip(base).for_each(|(rest, base)| *rest -= part * base);
            }
            let length = dot(&rest, &rest);
            if length < DEPENDENT {
                return f64::INFINITY;
            }
            rest.iter_mut().for_each(|x| *x /= length.sqrt());
            square -= dot(&rest, &self.target).powi(2);
            bases.push(rest);
        }
        square / self.rounding
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn centred(mut values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter_mut().for_each(|value| *value -= mean);
    values
}

/// Centred and of unit length; `None` for numbers that are missing or equal.
fn unit(values: Vec<f64>) -> Option<Vec<f64>> {
    let size = dot(&values, &values);
    let mut values = centred(values);
    let length = dot(&values, &values);
    let varies = length.is_finite() && length > 1e-24 * size;
    varies.then(|| {
        values.iter_mut().for_each(|value| *value /= length.sqrt());
        values
    })
}
