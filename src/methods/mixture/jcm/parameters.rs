//! State JCM's settings, the printed ones by default, and check them before use.

use serde::{Deserialize, Serialize};

use crate::methods::mixture::loss::LossWeights;
use crate::methods::mixture::stiefel::Tangent;
use crate::methods::{FitError, ParameterError};

/// Below this many rows the paper recommends [`SMALL_COMPONENTS`], else [`LARGE_COMPONENTS`] (Section 5.1).
const SMALL_ROWS: usize = 5000;
const SMALL_COMPONENTS: usize = 8;
const LARGE_COMPONENTS: usize = 18;

/// The paper's dimension for every dataset with at least as many features (Section 5.1).
const DIMENSION: usize = 5;

/// Parameters of JCM; lengths are in units of standardised features and target.
///
/// | name | default | range | meaning |
/// | --- | --- | --- | --- |
/// | `dimension` | null | ≥ 1 or null | p, number of projected features; null: min(5, d) |
/// | `components` | null | ≥ 1 or null | K; null: 8 below 5000 training rows, else 18 |
/// | `reconstruction` | 0.5 | ≥ 0 | λ₁, factor of the reconstruction loss |
/// | `sparsity` | 0.05 | ≥ 0 | λ₂, factor of ‖W‖₁ |
/// | `learning_rate` | 0.02 | > 0 | α, step size of the Riemannian gradient descent, constant |
/// | `batch` | 512 | ≥ 1 | largest number of rows in a step; the batches of an epoch differ by one row at most |
/// | `epochs` | 50 | ≥ 1 | T: each is one step of EM over all rows, then one pass of gradient steps |
/// | `covariance_floor` | 1e-6 | ≥ 0 | floor of the components' covariances, in squared units of the standardised rows |
/// | `tangent` | `"projection"` | `"projection"`, `"printed"` | which tangent vector a gradient becomes |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JcmParameters {
    /// Number of projected features p.
    pub dimension: Option<usize>,
    /// Number of components K.
    pub components: Option<usize>,
    /// Factor λ₁ of the reconstruction loss.
    pub reconstruction: f64,
    /// Factor λ₂ of ‖W‖₁.
    pub sparsity: f64,
    /// Step size α.
    pub learning_rate: f64,
    /// Largest number of rows in a step.
    pub batch: usize,
    /// Number T of alternations.
    pub epochs: usize,
    /// Floor of the covariances.
    pub covariance_floor: f64,
    /// Which tangent vector a gradient becomes.
    pub tangent: Tangent,
}

impl Default for JcmParameters {
    fn default() -> Self {
        Self {
            dimension: None,
            components: None,
            reconstruction: 0.5,
            sparsity: 0.05,
            learning_rate: 0.02,
            batch: 512,
            epochs: 50,
            covariance_floor: 1e-6,
            tangent: Tangent::Projection,
        }
    }
}

impl JcmParameters {
    /// Checks the ranges.
    pub(super) fn check(&self) -> Result<(), ParameterError> {
        let count = "a whole number of at least 1";
        let counts = [
            ("dimension", self.dimension),
            ("components", self.components),
            ("batch", Some(self.batch)),
            ("epochs", Some(self.epochs)),
        ];
        for (name, value) in counts {
            ParameterError::check(value.is_none_or(|v| v >= 1), name, value.unwrap_or_default(), count)?;
        }
        let factors = [
            ("reconstruction", self.reconstruction),
            ("sparsity", self.sparsity),
            ("covariance_floor", self.covariance_floor),
        ];
        for (name, value) in factors {
            ParameterError::check(value.is_finite() && value >= 0.0, name, value, "a number of at least 0")?;
        }
        let rate = self.learning_rate;
        ParameterError::check(rate.is_finite() && rate > 0.0, "learning_rate", rate, "a number above 0")
    }

    /// p and K for n training rows and d features.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where p exceeds d or there are no features.
    pub(super) fn sizes(&self, n: usize, d: usize) -> Result<(usize, usize), FitError> {
        if d == 0 {
            return Err(FitError::Unsupported("jcm projects features, and the table has none".into()));
        }
        let p = self.dimension.unwrap_or(DIMENSION.min(d));
        if p > d {
            return Err(FitError::Unsupported(format!(
                "jcm cannot project {d} features onto {p} dimensions (`dimension`): give at most {d}, or null"
            )));
        }
        Ok((p, self.components.unwrap_or(if n < SMALL_ROWS { SMALL_COMPONENTS } else { LARGE_COMPONENTS })))
    }

    /// The factors of the loss.
    pub(super) fn loss_weights(&self) -> LossWeights {
        LossWeights { reconstruction: self.reconstruction, sparsity: self.sparsity }
    }
}
