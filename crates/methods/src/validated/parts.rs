//! Divide the training rows into those that score settings and those that are fitted with them.

use super::ValidatedParameters;
use crate::Context;
use crate::engine::rows::{complement, hold_out};
use uq_core::Table;

/// Number of training rows from which on a part of them, held out once, tells settings apart.
pub const FOLDS_BELOW: usize = 2500;

/// The stream of the rows that are held out.
const STREAM: &str = "validation-rows";

/// Rows that score settings, and those that are fitted with them.
pub struct Part {
    pub held_out: Table,
    pub rest: Table,
}

/// One random part of the training rows that is held out, or each of the folds of few rows.
pub fn divide(train: &Table, parameters: &ValidatedParameters, context: &Context) -> Vec<Part> {
    let n = train.rows();
    let ValidatedParameters { fraction, folds, .. } = *parameters;
    if folds > 1 && n < FOLDS_BELOW {
        let folds = train.dependence.folds(n, folds, &mut context.stream(STREAM, 0));
        let part = |held_out: &Vec<usize>| Part {
            held_out: train.select(held_out),
            rest: train.select(&complement(held_out, n)),
        };
        return folds.iter().map(part).collect();
    }
    let count = ((fraction * n as f64).round() as usize).clamp(1, n - 1);
    let (held_out, rest) = hold_out(train, count, STREAM, context);
    vec![Part { held_out, rest }]
}
