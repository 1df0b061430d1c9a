//! Standardise target and features on the training rows, whatever the protocol does.
//!
//! A feature that is constant in the training rows is left out.

use ndarray::{Array2, ArrayView1, ArrayView2};

use super::FitError;
use crate::data::Table;

/// A column is constant where its standard deviation is below this part of its largest size: that is rounding.
const ROUNDING: f64 = 1e-13;

/// Shift and scale of a column on the training rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub shift: f64,
    pub scale: f64,
}

impl Scale {
    /// `None` for a column that is constant.
    fn of(column: ArrayView1<f64>) -> Option<Self> {
        // Divided first, so that large numbers do not overflow.
        let largest = column.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        if largest == 0.0 {
            return None;
        }
        let n = column.len() as f64;
        let mean = column.iter().map(|x| x / largest).sum::<f64>() / n;
        let variance = column.iter().map(|x| (x / largest - mean).powi(2)).sum::<f64>() / n;
        (variance.sqrt() > ROUNDING).then(|| Self { shift: mean * largest, scale: variance.sqrt() * largest })
    }

    /// The number in standardised units.
    pub fn apply(self, x: f64) -> f64 {
        (x - self.shift) / self.scale
    }
}

/// How columns are standardised.
pub(super) struct Scales {
    pub target: Scale,
    /// Number of features of the training table.
    pub features: usize,
    /// The features that vary.
    pub varying: Vec<(usize, Scale)>,
}

impl Scales {
    /// Measures the rows.
    ///
    /// # Errors
    /// [`FitError::Unsupported`], in the name of the method `id`, for fewer than two rows, a number that is not finite, or a
    /// target that does not vary.
    pub fn new(id: &str, train: &Table) -> Result<Self, FitError> {
        if train.rows() < 2 {
            return Err(FitError::Unsupported(format!("{id} needs at least 2 training rows, found {}", train.rows())));
        }
        if let Some(((row, column), found)) = train.features.indexed_iter().find(|(_, x)| !x.is_finite()) {
            return Err(FitError::Unsupported(format!(
                "{id} needs finite features, found {found} in training row {row}, feature {column} (both from 0)"
            )));
        }
        if let Some((row, found)) = train.target.indexed_iter().find(|(_, y)| !y.is_finite()) {
            return Err(FitError::Unsupported(format!(
                "{id} needs a finite target, found {found} in training row {row} (from 0)"
            )));
        }
        let target = Scale::of(train.target.view()).ok_or_else(|| {
            FitError::Unsupported(format!("{id} needs a target that varies, found {} in every row", train.target[0]))
        })?;
        let columns = train.features.columns().into_iter().enumerate();
        let varying = columns.filter_map(|(j, column)| Some((j, Scale::of(column)?))).collect();
        Ok(Self { target, features: train.columns(), varying })
    }

    /// The rows (y, x), standardised, n × (1 + features that vary).
    pub fn joint(&self, table: &Table) -> Array2<f64> {
        Array2::from_shape_fn((table.rows(), 1 + self.varying.len()), |(i, j)| match j {
            0 => self.target.apply(table.target[i]),
            _ => {
                let (column, scale) = self.varying[j - 1];
                scale.apply(table.features[(i, column)])
            }
        })
    }

    /// The target, standardised, n × 1.
    pub fn targets(&self, table: &Table) -> Array2<f64> {
        Array2::from_shape_fn((table.rows(), 1), |(i, _)| self.target.apply(table.target[i]))
    }

    /// Checks that there are as many features as in the training table.
    ///
    /// # Errors
    /// [`FitError::Unsupported`], in the name of the method `id`.
    pub fn check(&self, id: &str, features: ArrayView2<f64>) -> Result<(), FitError> {
        let (expected, found) = (self.features, features.ncols());
        if found != expected {
            return Err(FitError::Unsupported(format!(
                "{id} was fitted on {expected} features, asked to predict from {found}"
            )));
        }
        Ok(())
    }

    /// The features that vary, standardised.
    pub fn given(&self, features: ArrayView2<f64>) -> Array2<f64> {
        Array2::from_shape_fn((features.nrows(), self.varying.len()), |(i, j)| {
            let (column, scale) = self.varying[j];
            scale.apply(features[(i, column)])
        })
    }
}
