//! Check the rows that a method is given: how many there are, and that their numbers are finite.

use ndarray::{ArrayView1, ArrayView2};

use crate::{Context, FitError};
use uq_core::Table;
use uq_core::math::random::permutation;

/// Refuses fewer than `least` training rows, of which there are `found`.
///
/// # Errors
/// [`FitError::Unsupported`] in the name of the method `id`.
pub fn at_least(id: &str, least: usize, found: usize) -> Result<(), FitError> {
    if found >= least {
        return Ok(());
    }
    let rows = if least == 1 { "row" } else { "rows" };
    Err(FitError::Unsupported(format!(
        "{id} needs at least {least} training {rows}, found {found}"
    )))
}

/// The rows below `rows` that are not in the set.
pub fn complement(set: &[usize], rows: usize) -> Vec<usize> {
    let mut is_in = vec![false; rows];
    set.iter().for_each(|&row| is_in[row] = true);
    (0..rows).filter(|&row| !is_in[row]).collect()
}

/// About `count` rows that only score settings, and the other rows: drawn from the stream
/// `(purpose, 0)`, as whole groups where the table states them; the last ones of a series.
pub fn hold_out(train: &Table, count: usize, purpose: &str, context: &Context) -> (Table, Table) {
    let (n, stream) = (train.rows(), &mut context.stream(purpose, 0));
    if let Some(held_out) = train.dependence.held_out(count, stream) {
        return (train.select(&held_out), train.select(&complement(&held_out, n)));
    }
    let order = permutation(n, stream);
    (train.select(&order[..count]), train.select(&order[count..]))
}

/// Refuses more than `most` training rows, of which there are `found`; `advice` says why or what to
/// do instead.
///
/// # Errors
/// [`FitError::Unsupported`] in the name of the method `id`.
pub fn at_most(id: &str, most: usize, found: usize, advice: &str) -> Result<(), FitError> {
    if found <= most {
        return Ok(());
    }
    Err(FitError::Unsupported(format!(
        "{id} takes at most {most} training rows, found {found}; {advice}"
    )))
}

/// Refuses training rows with a number that is not finite.
///
/// # Errors
/// As [`finite_features`] and [`finite_target`].
pub fn finite(id: &str, train: &Table) -> Result<(), FitError> {
    finite_features(id, "training row", train.features.view())?;
    finite_target(id, "training row", train.target.view())
}

/// Refuses features (n × d) with a number that is not finite, and names the first one; `row` says
/// what a row is.
///
/// # Errors
/// [`FitError::Unsupported`] in the name of the method `id`.
pub fn finite_features(id: &str, row: &str, features: ArrayView2<f64>) -> Result<(), FitError> {
    // Without places first, which is faster.
    if features.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    let hole = features.indexed_iter().find(|(_, x)| !x.is_finite());
    hole.map_or(Ok(()), |((i, j), found)| {
        Err(FitError::Unsupported(format!(
            "{id} needs finite features, found {found} in {row} {i}, feature {j} (both from 0)"
        )))
    })
}

/// Refuses a target (n) with a number that is not finite, and names the first one; `row` says what
/// a row is.
///
/// # Errors
/// [`FitError::Unsupported`] in the name of the method `id`.
pub fn finite_target(id: &str, row: &str, target: ArrayView1<f64>) -> Result<(), FitError> {
    let hole = target.indexed_iter().find(|(_, y)| !y.is_finite());
    hole.map_or(Ok(()), |(i, found)| {
        Err(FitError::Unsupported(format!(
            "{id} needs a finite target, found {found} in {row} {i} (from 0)"
        )))
    })
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;
    use ndarray::array;

    #[test]
    fn too_few_and_too_many_rows_are_counted() {
        assert_eq!(at_least("m", 2, 2), Ok(()));
        assert_eq!(words(at_least("m", 3, 2)), "m needs at least 3 training rows, found 2");
        assert_eq!(words(at_least("m", 1, 0)), "m needs at least 1 training row, found 0");
        assert_eq!(at_most("m", 2, 2, "take fewer"), Ok(()));
        assert_eq!(
            words(at_most("m", 1, 2, "take fewer")),
            "m takes at most 1 training rows, found 2; take fewer"
        );
    }

    #[test]
    fn the_first_number_that_is_not_finite_is_named() {
        let mut train = Table::unnamed(array![[1.0, 2.0], [3.0, 4.0]], array![5.0, 6.0]);
        assert_eq!(finite("m", &train), Ok(()));
        train.target[1] = f64::INFINITY;
        assert_eq!(
            words(finite("m", &train)),
            "m needs a finite target, found inf in training row 1 (from 0)"
        );
        train.features[(1, 1)] = f64::NAN;
        let expected =
            "m needs finite features, found NaN in training row 1, feature 1 (both from 0)";
        assert_eq!(words(finite("m", &train)), expected);
        train.features[(1, 0)] = f64::NEG_INFINITY;
        let expected = "m needs finite features, found -inf in row 1, feature 0 (both from 0)";
        assert_eq!(words(finite_features("m", "row", train.features.view())), expected);
    }
}
