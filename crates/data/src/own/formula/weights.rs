//! Find the weights of a sum of functions that is the target to its own rounding.

use std::collections::HashSet;

use faer::Par;
use ndarray::{Array1, Array2};

use super::basis::{Basis, Formula, rounded};
use super::sample::Sample;
use uq_core::math::median::median;
use uq_core::math::ordered_bits::ordered_bits;
use uq_math::least_squares::LeastSquares;

/// Most significant digits of the weights that are tried before those of least squares.
const MOST_DIGITS: i32 = 6;
/// A formula misses the target by no more than its rounding, and some arithmetic.
const EXACT: f64 = 1.001;
/// Weights of least squares are not those of the formula, and so miss the target by a little more
/// than its rounding.
const SLACK: f64 = 1.3;
/// Rows whose error is this multiple of the rounding take part in the next fit.
const NEAR: [f64; 2] = [8.0, 2.0];
/// What each of several parts has to explain beside the others, as a multiple of the rounding.
const NEEDED: f64 = 3.0;
/// Fewest different rows for each weight.
const ROWS_OF_WEIGHT: usize = 4;

/// The formula that adds these functions, first fitted on some rows; `None` where none gives the
/// target, or some part of it is not needed.
pub(super) fn formula(sample: &Sample, functions: &[Basis], first: &[usize]) -> Option<Formula> {
    weighted(sample, functions, first).filter(|found| needs_every_part(sample, found))
}

/// The formula that adds these functions, of which parts may not be needed.
pub(super) fn weighted(sample: &Sample, functions: &[Basis], first: &[usize]) -> Option<Formula> {
    if !are_enough(sample, functions) {
        return None;
    }
    let mut fitted = fit(sample, functions, first)?;
    for near in NEAR {
        let is_near = |row: &&usize| {
            (sample.value(&fitted, **row) - sample.target[**row]).abs() <= near * sample.half[**row]
        };
        let rows: Vec<usize> = sample.rows.iter().filter(is_near).copied().collect();
        fitted = fit(sample, functions, &rows)?;
    }
    let is_right = |formula: &Formula, slack: f64| {
        sample.fits(formula, sample.rows.iter().copied(), slack).is_some()
    };
    let mut rounded = (1..=MOST_DIGITS).flat_map(|digits| with_digits(sample, &fitted, digits));
    let found = rounded.find(|formula| is_right(formula, EXACT));
    drop(rounded);
    found.or_else(|| is_right(&fitted, SLACK).then_some(fitted))
}

/// Whether the sample has enough different rows for a weight of each function.
fn are_enough(sample: &Sample, functions: &[Basis]) -> bool {
    let at = |row: usize, basis: &Basis| {
        ordered_bits(basis.value(|column| sample.columns[column].values[row]))
    };
    let row = |row: &usize| functions.iter().map(|basis| at(*row, basis)).collect::<Vec<u64>>();
    let different: HashSet<Vec<u64>> = sample.rows.iter().map(row).collect();
    different.len() >= ROWS_OF_WEIGHT * (functions.len() + 1)
}

/// Least squares in the rows where all functions have a value.
fn fit(sample: &Sample, functions: &[Basis], rows: &[usize]) -> Option<Formula> {
    let values = |row: &usize| -> Vec<f64> {
        functions
            .iter()
            .map(|basis| basis.value(|column| sample.columns[column].values[*row]))
            .collect()
    };
    let all: Vec<(Vec<f64>, f64)> =
        rows.iter().map(|row| (values(row), sample.target[*row])).collect();
    let all: Vec<(Vec<f64>, f64)> =
        all.into_iter().filter(|(x, _)| x.iter().all(|x| x.is_finite())).collect();
    if all.len() <= functions.len() + 2 {
        return None;
    }
    let outcome = Array1::from_iter(all.iter().map(|(_, y)| *y));
    let design = Array2::from_shape_fn((all.len(), functions.len()), |(i, j)| all[i].0[j]);
    let LeastSquares { intercept, slopes, .. } =
        LeastSquares::fit(design.view(), outcome.view(), Par::Seq).ok()?;
    Some(Formula {
        constant: intercept,
        terms: slopes.into_iter().zip(functions.iter().cloned()).collect(),
    })
}

/// The formula `fitted` with its weights rounded to `digits` significant digits: once without a
/// constant, once with one.
fn with_digits(sample: &Sample, fitted: &Formula, digits: i32) -> Vec<Formula> {
    let terms: Vec<(f64, Basis)> = fitted
        .terms
        .iter()
        .map(|(weight, basis)| (rounded(*weight, digits), basis.clone()))
        .collect();
    let without = Formula { constant: 0.0, terms };
    let errors = sample.rows.iter().map(|row| sample.target[*row] - sample.value(&without, *row));
    let constant = median(errors.filter(|error| error.is_finite()).collect()).unwrap_or(0.0);
    let constants = [0.0, rounded(constant, digits), rounded(constant, MOST_DIGITS)];
    constants.into_iter().map(|constant| Formula { constant, ..without.clone() }).collect()
}

/// Whether no column alone comes near the target, and no term can be left out.
fn needs_every_part(sample: &Sample, formula: &Formula) -> bool {
    let parts: Vec<Basis> = formula.terms.iter().map(|(_, basis)| basis.clone()).collect();
    let columns = formula.columns();
    let alone =
        columns.iter().map(|column| vec![Basis::column(*column)]).filter(|_| columns.len() > 1);
    let without = (0..parts.len()).filter(|_| parts.len() > 1).map(|left_out| {
        let kept = (0..parts.len()).filter(|place| *place != left_out);
        kept.map(|place| parts[place].clone()).collect::<Vec<Basis>>()
    });
    let needed = NEEDED * sample.rounding();
    alone.chain(without).all(|fewer| error(sample, &fewer).is_none_or(|error| error >= needed))
}

/// The root mean square error of the best sum of these functions.
fn error(sample: &Sample, functions: &[Basis]) -> Option<f64> {
    let fitted = fit(sample, functions, &sample.rows)?;
    let errors =
        sample.rows.iter().map(|row| (sample.value(&fitted, *row) - sample.target[*row]).powi(2));
    let squares: Vec<f64> = errors.filter(|square| square.is_finite()).collect();
    Some((squares.iter().sum::<f64>() / squares.len() as f64).sqrt())
}
