//! State JCM's settings, the printed ones by default, and check them before use.

use crate::FitError;
use crate::mixture::loss::LossWeights;
use crate::mixture::stiefel::Tangent;
use crate::parameter::{Choices, is_default, is_one, parameters};

/// Below this many rows the paper recommends [`SMALL_COMPONENTS`], else [`LARGE_COMPONENTS`]
/// (Section 5.1).
const SMALL_ROWS: usize = 5000;
const SMALL_COMPONENTS: usize = 8;
const LARGE_COMPONENTS: usize = 18;

/// The paper's dimension for every dataset with at least as many features (Section 5.1).
const DIMENSION: usize = 5;

parameters! {
    /// Parameters of JCM; lengths are in units of standardised features and target.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct JcmParameters {
        /// Number of projected features p; null: min(5, d).
        dimension: Option<usize> = None, in 1..;
        /// Number of components K; null: 8 below 5000 training rows, else 18.
        components: Option<usize> = None, in 1..;
        /// Factor λ₁ of the reconstruction loss.
        reconstruction: f64 = 0.5, in 0.0..;
        /// Factor λ₂ of ‖W‖₁.
        sparsity: f64 = 0.05, in 0.0..;
        /// Step size α of the Riemannian gradient descent (13), constant; 0 keeps W at its random
        /// start.
        learning_rate: f64 = 0.02, in 0.0..;
        /// Largest number of rows in a step; the batches of an epoch differ by one row at most.
        batch: usize = 512, in 1..;
        /// Number of epochs T: each is a turn of EM over all rows, then one pass of gradient steps.
        epochs: usize = 50, in 1..;
        /// Floor of the components' covariances, in squared units of the standardised rows.
        covariance_floor: f64 = 1e-6, in 0.0..;
        /// Which tangent vector a gradient becomes.
        tangent: Tangent = Tangent::Projection, in Choices;
        /// Most steps of EM for (1) in a turn; fewer where the mean log-likelihood is level.
        em_steps: usize = 1, in 1.., added "is_one";
        /// Most steps of EM for (1) after the last turn, for the W (6) that it leaves; fewer where
        /// the mean log-likelihood is level.
        final_em_steps: usize = 0, in 0.., added "is_default";
        /// Random starts of W (6) and the mixture (1); the fit with the smallest L_Reg (7) of the
        /// training rows is taken.
        starts: usize = 1, in 1.., added "is_one";
        /// Whether features and target are standardised on the training rows first, for a protocol
        /// that does not.
        standardise: bool = false, in Choices, added "is_default";
    }
}

impl JcmParameters {
    /// p and K for n training rows and d features.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where p exceeds d or there are no features.
    pub(super) fn sizes(&self, n: usize, d: usize) -> Result<(usize, usize), FitError> {
        if d == 0 {
            return Err(FitError::Unsupported(
                "jcm projects features, and the table has none".into(),
            ));
        }
        let p = self.dimension.unwrap_or(DIMENSION.min(d));
        if p > d {
            return Err(FitError::Unsupported(format!(
                "jcm cannot project {d} features onto {p} dimensions (`dimension`): give at most \
                 {d}, or null"
            )));
        }
        Ok((
            p,
            self.components.unwrap_or(if n < SMALL_ROWS {
                SMALL_COMPONENTS
            } else {
                LARGE_COMPONENTS
            }),
        ))
    }

    /// The factors of the loss.
    pub(super) fn loss_weights(&self) -> LossWeights {
        LossWeights { reconstruction: self.reconstruction, sparsity: self.sparsity }
    }
}
