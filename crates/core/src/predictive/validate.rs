//! Check the numbers of a predictive distribution, and report the invalid row and the reason.

use ndarray::{ArrayView1, ArrayView2};
use thiserror::Error;

/// How far a row of weights may be from summing to one.
const WEIGHT_TOLERANCE: f64 = 1e-9;

/// Why numbers define no predictive distribution. Rows and columns count from 0.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidPredictive {
    /// There is no point, or there are no values.
    #[error(
        "predictive distribution: {what} is empty; predict at least one point with at least one \
         value"
    )]
    Empty {
        /// What is empty.
        what: &'static str,
    },
    /// Arrays differ in length.
    #[error("predictive distribution: {what} has {found} entries, expected {expected}")]
    Length {
        /// The array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that the other arrays require.
        expected: usize,
    },
    /// A number is infinite or NaN.
    #[error(
        "predictive distribution: {what} in row {row}, column {column} is {found}, expected a \
         finite number"
    )]
    NotFinite {
        /// The array.
        what: &'static str,
        /// Row.
        row: usize,
        /// Column.
        column: usize,
        /// The number.
        found: f64,
    },
    /// A number is negative, although it must not be.
    #[error("predictive distribution: {what} in row {row} is {found}, expected at least zero")]
    Negative {
        /// The array.
        what: &'static str,
        /// Row.
        row: usize,
        /// The number.
        found: f64,
    },
    /// A number is zero or negative that must be positive.
    #[error("predictive distribution: {what} in row {row} is {found}, expected more than zero")]
    NotPositive {
        /// The array.
        what: &'static str,
        /// Row.
        row: usize,
        /// The number.
        found: f64,
    },
    /// Weights do not sum to one.
    #[error(
        "predictive distribution: the {what} in row {row} sum to {found}, expected 1 within 1e-9; \
         normalise them"
    )]
    WeightSum {
        /// The weights.
        what: &'static str,
        /// Row.
        row: usize,
        /// The sum.
        found: f64,
    },
    /// The edges of a piecewise constant density do not increase.
    #[error(
        "predictive distribution: the edges in row {row} go from {lower} to {upper}, expected \
         increasing numbers"
    )]
    Edges {
        /// Row.
        row: usize,
        /// An edge.
        lower: f64,
        /// The next one, which is not larger.
        upper: f64,
    },
    /// Probability levels are not increasing inside (0, 1).
    #[error(
        "predictive distribution: quantile level {found} at position {position}, expected \
         increasing levels strictly between 0 and 1"
    )]
    Levels {
        /// Position in the list of levels.
        position: usize,
        /// The level.
        found: f64,
    },
    /// A quantile lies above one of a higher level.
    #[error(
        "predictive distribution: quantiles cross in row {row}: {lower} at level {lower_level}, \
         {upper} at level {upper_level}; the method must sort each row"
    )]
    Crossing {
        /// Row.
        row: usize,
        /// The lower level.
        lower_level: f64,
        /// Its quantile.
        lower: f64,
        /// The next level.
        upper_level: f64,
        /// Its quantile, which is smaller.
        upper: f64,
    },
    /// The shift or the scale of a change of units is invalid.
    #[error(
        "change of units y' = {shift} + {scale} y: expected a finite shift and a finite scale \
         above zero"
    )]
    Affine {
        /// Shift.
        shift: f64,
        /// Scale.
        scale: f64,
    },
}

/// The array has `expected` entries.
pub(super) fn length(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), InvalidPredictive> {
    if found == expected {
        Ok(())
    } else {
        Err(InvalidPredictive::Length { what, found, expected })
    }
}

/// There is at least one entry, and all are finite.
pub(super) fn finite_matrix(
    what: &'static str,
    values: ArrayView2<f64>,
) -> Result<(), InvalidPredictive> {
    if values.is_empty() {
        return Err(InvalidPredictive::Empty { what });
    }
    match values.indexed_iter().find(|(_, x)| !x.is_finite()) {
        None => Ok(()),
        Some(((row, column), &found)) => {
            Err(InvalidPredictive::NotFinite { what, row, column, found })
        }
    }
}

/// There is at least one entry, and all are finite.
pub(super) fn finite(what: &'static str, values: ArrayView1<f64>) -> Result<(), InvalidPredictive> {
    finite_matrix(what, values.insert_axis(ndarray::Axis(1)))
}

/// All entries are finite and at least zero.
pub(super) fn nonnegative(
    what: &'static str,
    values: ArrayView1<f64>,
) -> Result<(), InvalidPredictive> {
    nonnegative_matrix(what, values.insert_axis(ndarray::Axis(1)))
}

/// All entries are finite and at least zero.
pub(super) fn nonnegative_matrix(
    what: &'static str,
    values: ArrayView2<f64>,
) -> Result<(), InvalidPredictive> {
    finite_matrix(what, values)?;
    match values.indexed_iter().find(|&(_, &x)| x < 0.0) {
        None => Ok(()),
        Some(((row, _), &found)) => Err(InvalidPredictive::Negative { what, row, found }),
    }
}

/// All entries are finite and above zero.
pub(super) fn positive(
    what: &'static str,
    values: ArrayView1<f64>,
) -> Result<(), InvalidPredictive> {
    finite(what, values)?;
    match values.indexed_iter().find(|&(_, &x)| x <= 0.0) {
        None => Ok(()),
        Some((row, &found)) => Err(InvalidPredictive::NotPositive { what, row, found }),
    }
}

/// Weights of `rows` points over `columns` values (or of one row for all points): at least zero,
/// each row summing to one.
pub(super) fn weights(
    weights: ArrayView2<f64>,
    rows: usize,
    columns: usize,
) -> Result<(), InvalidPredictive> {
    nonnegative_matrix("weights", weights)?;
    length("a row of weights", weights.ncols(), columns)?;
    if weights.nrows() != 1 {
        length("the column of weights", weights.nrows(), rows)?;
    }
    for (row, w) in weights.rows().into_iter().enumerate() {
        total("weights", row, w.sum())?;
    }
    Ok(())
}

/// The sum of a row of weights is one.
pub(super) fn total(what: &'static str, row: usize, found: f64) -> Result<(), InvalidPredictive> {
    // A sum that is NaN is refused, too.
    if (found - 1.0).abs() <= WEIGHT_TOLERANCE {
        Ok(())
    } else {
        Err(InvalidPredictive::WeightSum { what, row, found })
    }
}

/// The weights at point `i`, where one row may serve all points.
pub(super) fn weight_row(weights: &ndarray::Array2<f64>, i: usize) -> ArrayView1<'_, f64> {
    weights.row(if weights.nrows() == 1 { 0 } else { i })
}
