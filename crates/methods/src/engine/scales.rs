//! Standardise target and features on the training rows, whatever the protocol does, and convert
//! predictions to the target's units.
//!
//! A feature that is constant in the training rows is left out.

use ndarray::{Array2, ArrayView1, ArrayView2};
use serde::{Deserialize, Serialize};

use super::{question, rows};
use crate::state::require;
use crate::{Context, FitError};
use uq_core::Table;
use uq_core::predictive::Predictive;

/// A column is constant where its standard deviation is below this share of its largest size,
/// because that is rounding.
const ROUNDING: f64 = 1e-13;

/// Shift and scale of a column on the training rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// The value that becomes zero.
    pub shift: f64,
    /// The distance that becomes one.
    pub scale: f64,
}

impl Scale {
    /// Leaves numbers as they are.
    const UNIT: Self = Self { shift: 0.0, scale: 1.0 };

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
        (variance.sqrt() > ROUNDING)
            .then(|| Self { shift: mean * largest, scale: variance.sqrt() * largest })
    }

    /// The number in standardised units.
    pub fn apply(self, x: f64) -> f64 {
        (x - self.shift) / self.scale
    }
}

/// How columns are standardised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scales {
    /// Of the target.
    pub target: Scale,
    /// Number of features of the training table.
    pub features: usize,
    /// The features that vary.
    pub varying: Vec<(usize, Scale)>,
}

/// Scales measured on the training rows, the features x (n × features that vary) and the target y
/// (n × 1) in their units. Most fits begin with it.
///
/// # Errors
/// As [`Scales::new`] and [`Context::checkpoint`].
pub fn standardise(
    id: &str,
    train: &Table,
    context: &Context,
) -> Result<(Scales, Array2<f64>, Array2<f64>), FitError> {
    context.checkpoint()?;
    let scales = Scales::new(id, train)?;
    let (x, y) = (scales.standardised(train.features.view()), scales.targets(train));
    Ok((scales, x, y))
}

impl Scales {
    /// Measures the rows.
    ///
    /// # Errors
    /// [`FitError::Unsupported`], in the name of the method `id`, for fewer than two rows, a number
    /// that is not finite, or a target that does not vary.
    pub fn new(id: &str, train: &Table) -> Result<Self, FitError> {
        rows::at_least(id, 2, train.rows())?;
        rows::finite(id, train)?;
        let target = Scale::of(train.target.view()).ok_or_else(|| {
            FitError::Unsupported(format!(
                "{id} needs a target that varies, found {} in every row",
                train.target[0]
            ))
        })?;
        let columns = train.features.columns().into_iter().enumerate();
        let varying = columns.filter_map(|(j, column)| Some((j, Scale::of(column)?))).collect();
        Ok(Self { target, features: train.columns(), varying })
    }

    /// Checks scales that were read: the features that vary are among all, in their order.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        let ordered = self.varying.is_sorted_by(|a, b| a.0 < b.0);
        require(
            ordered && self.varying.last().is_none_or(|last| last.0 < self.features),
            "features that no table has",
        )
    }

    /// Scales that leave a target and this number of features unchanged.
    pub fn unit(features: usize) -> Self {
        Self {
            target: Scale::UNIT,
            features,
            varying: (0..features).map(|j| (j, Scale::UNIT)).collect(),
        }
    }

    /// Scales that leave the target and the features that vary unchanged.
    #[must_use]
    pub fn without_scaling(self) -> Self {
        let varying = self.varying.into_iter().map(|(j, _)| (j, Scale::UNIT)).collect();
        Self { target: Scale::UNIT, varying, ..self }
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

    /// The features that vary, standardised, of rows with as many features as the training table.
    ///
    /// # Errors
    /// [`FitError::Unsupported`], in the name of the method `id`, for another number of features.
    pub fn checked(&self, id: &str, features: ArrayView2<f64>) -> Result<Array2<f64>, FitError> {
        question::columns(id, self.features, features)?;
        Ok(self.standardised(features))
    }

    /// The features that vary, standardised.
    pub fn standardised(&self, features: ArrayView2<f64>) -> Array2<f64> {
        Array2::from_shape_fn((features.nrows(), self.varying.len()), |(i, j)| {
            let (column, scale) = self.varying[j];
            scale.apply(features[(i, column)])
        })
    }

    /// The predictive distribution of the standardised target in the target's units, checked.
    ///
    /// # Errors
    /// [`FitError::Diverged`], in the name of the method `id`, where its numbers make no
    /// distribution.
    pub fn in_target_units(
        &self,
        id: &str,
        standardised: &Predictive,
    ) -> Result<Predictive, FitError> {
        let Scale { shift, scale } = self.target;
        let answer = standardised.affine(shift, scale);
        question::valid(id, answer.map_err(|error| FitError::Diverged(format!("{id}: {error}")))?)
    }
}
