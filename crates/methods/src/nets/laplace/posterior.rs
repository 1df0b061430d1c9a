//! Hold the normal posterior of the weights in the eigenvectors of its precision, and re-estimate
//! prior and noise.

use faer::{Accum, Mat};
use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use crate::FitError;
use crate::state::require;
use uq_math::matrix_product::{Factor, multiply};
use uq_math::symmetric::eigen;

/// Passes of the updates of prior and noise.
const PASSES: usize = 500;

/// Ends the updates: a pass changes neither logarithm by more.
const SETTLED: f64 = 1e-9;

/// Bounds of the prior's precision, which has no optimum where the weights explain nothing.
const PRIOR: (f64, f64) = (1e-8, 1e8);

/// Precision of the prior of each weight and variance of the noise, in standardised units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PriorAndNoise {
    /// δ: weights are N(0, 1/δ).
    pub prior: f64,
    /// σ².
    pub noise: f64,
}

/// What the trained network says of its rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misfit {
    /// Rows n.
    pub rows: usize,
    /// Σ (y − f(x))².
    pub squares: f64,
    /// ‖θ‖² of the weights with a posterior.
    pub weights: f64,
}

/// The generalised Gauss-Newton matrix G = Σ JᵀJ by its eigenvectors.
#[derive(Serialize, Deserialize)]
pub(super) struct Posterior {
    /// Eigenvalues, at least 0.
    eigenvalues: Vec<f64>,
    /// Eigenvectors, weights × weights, row by row.
    vectors: Vec<f64>,
}

impl Posterior {
    /// Of G (weights × weights).
    ///
    /// # Errors
    /// [`FitError::Singular`] where it has a number that is not finite, or no eigenvalues.
    pub fn new(moments: &Array2<f64>) -> Result<Self, FitError> {
        let p = moments.nrows();
        let (values, vectors) = eigen(Mat::from_fn(p, p, |i, j| moments[(i, j)]).as_ref())
            .ok_or_else(|| {
                FitError::Singular("the curvature of the network's loss has no eigenvalues".into())
            })?;
        let vectors = (0..p * p).map(|place| vectors[(place / p, place % p)]).collect();
        Ok(Self { eigenvalues: values.into_iter().map(|value| value.max(0.0)).collect(), vectors })
    }

    /// Checks a posterior that was read: its precision is over the `weights`.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, weights: usize) -> Result<(), String> {
        let fits = weights > 0 && weights.checked_mul(weights) == Some(self.vectors.len());
        require(fits && self.eigenvalues.len() == weights, "a posterior of other weights")
    }

    /// γ = Σ λ / (λ + δ σ²): the number of weights that the rows determine.
    pub fn determined(&self, PriorAndNoise { prior, noise }: PriorAndNoise) -> f64 {
        self.eigenvalues.iter().map(|value| value / (value + prior * noise)).sum()
    }

    /// Prior and noise of the largest evidence for these weights, from `start` on; the noise is at
    /// least `floor`.
    pub fn reestimated(&self, misfit: &Misfit, start: PriorAndNoise, floor: f64) -> PriorAndNoise {
        let mut now = start;
        for _ in 0..PASSES {
            let determined = self.determined(now);
            let prior = (determined / misfit.weights).clamp(PRIOR.0, PRIOR.1);
            let noise = (misfit.squares / (misfit.rows as f64 - determined).max(f64::MIN_POSITIVE))
                .max(floor);
            let next =
                PriorAndNoise { prior: if prior.is_finite() { prior } else { PRIOR.1 }, noise };
            let change =
                (next.prior / now.prior).ln().abs().max((next.noise / now.noise).ln().abs());
            now = next;
            if change < SETTLED {
                break;
            }
        }
        now
    }

    /// ln p(y): the evidence of prior and noise in the linearised network.
    pub fn ln_evidence(
        &self,
        misfit: &Misfit,
        PriorAndNoise { prior, noise }: PriorAndNoise,
    ) -> f64 {
        let n = misfit.rows as f64;
        let volume: f64 =
            self.eigenvalues.iter().map(|value| (1.0 + value / (noise * prior)).ln()).sum();
        let fit = misfit.squares / noise + prior * misfit.weights;
        -0.5 * (n * (2.0 * std::f64::consts::PI * noise).ln() + fit + volume)
    }

    /// J Σ Jᵀ = σ² Σ_k (J v_k)² / (λ_k + δ σ²) of each row of slopes J (rows × weights, row by
    /// row).
    pub fn variances(
        &self,
        jacobian: &[f64],
        PriorAndNoise { prior, noise }: PriorAndNoise,
    ) -> Array1<f64> {
        let p = self.eigenvalues.len();
        let rows = jacobian.len() / p;
        let mut rotated = vec![0.0; jacobian.len()];
        let (slopes, vectors) = (Factor::new(jacobian, rows, p), Factor::new(&self.vectors, p, p));
        multiply(&mut rotated, Accum::Replace, slopes, vectors, 1.0);
        let one = |row: &[f64]| {
            let share = row
                .iter()
                .zip(&self.eigenvalues)
                .map(|(along, value)| along * along / (value + prior * noise));
            noise * share.sum::<f64>()
        };
        rotated.chunks_exact(p).map(one).collect()
    }
}
