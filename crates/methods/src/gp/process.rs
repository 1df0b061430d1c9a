//! Hold a Gaussian process with a stationary kernel and constant noise: its log marginal likelihood
//! with gradient, and its posterior.
//!
//! y = f(x) + ε, f ~ GP(0, k), ε ~ N(0, σ_n²). The gradient is in closed form through C⁻¹ and α
//! (Rasmussen and Williams, 2006, Eq. 5.9): n³/3 operations each for the factor, its inverse and
//! the inverse's square, and O(n² d) for all parameters together.

use faer::Par;
use serde::{Deserialize, Serialize};

use super::conditioning::Conditioning;
use super::jitter::NotPositiveDefinite;
use super::kernels::{Kernel, Points, Workspace};
use crate::state::require;

/// Rows of covariances that are computed at once.
const BLOCK: usize = 256;

/// The log marginal likelihood of fixed observations as a function of the parameters.
#[derive(Debug)]
pub struct Likelihood<'a> {
    points: Points<'a>,
    targets: &'a [f64],
    conditioning: Conditioning,
    covariance: Vec<f64>,
    inverse: Vec<f64>,
    derivative: Vec<f64>,
    workspace: Workspace,
}

impl<'a> Likelihood<'a> {
    /// Of the centred `targets` (n) at `points` (n × d).
    ///
    /// # Panics
    /// If there is not one target for each point.
    pub fn new(points: Points<'a>, targets: &'a [f64], par: Par) -> Self {
        let n = points.rows();
        assert_eq!(targets.len(), n, "a target for each point");
        let conditioning = Conditioning::new(n, par);
        let matrix = || vec![0.0; n * n];
        let (covariance, inverse, derivative) = (matrix(), matrix(), matrix());
        Self {
            points,
            targets,
            conditioning,
            covariance,
            inverse,
            derivative,
            workspace: Workspace::default(),
        }
    }

    /// Observations.
    pub fn rows(&self) -> usize {
        self.points.rows()
    }

    /// ln p(y) alone, at a third of the cost of [`Self::negative`].
    ///
    /// # Errors
    /// [`NotPositiveDefinite`].
    pub fn log_marginal(
        &mut self,
        kernel: &Kernel,
        noise: f64,
    ) -> Result<f64, NotPositiveDefinite> {
        kernel.matrix_upper(self.points, &mut self.covariance, &mut self.workspace);
        add_to_diagonal(&mut self.covariance, self.points.rows(), noise);
        self.conditioning.condition(&self.covariance, self.targets)
    }

    /// −ln p(y), with its gradient by the logarithms of the kernel's parameters and then of the
    /// noise variance.
    ///
    /// # Errors
    /// [`NotPositiveDefinite`].
    ///
    /// # Panics
    /// If `gradient` has another length.
    pub fn negative(
        &mut self,
        kernel: &Kernel,
        noise: f64,
        gradient: &mut [f64],
    ) -> Result<f64, NotPositiveDefinite> {
        let log_marginal = self.log_marginal(kernel, noise)?;
        let n = self.points.rows();
        self.conditioning.negative_derivative(&mut self.inverse, &mut self.derivative);
        // The noise is no part of K, which the kernel's derivatives are made of.
        for i in 0..n {
            self.covariance[i * n + i] = kernel.variance();
        }
        gradient.fill(0.0);
        let (by_kernel, by_noise) = gradient.split_at_mut(kernel.parameters());
        let Self { points, covariance, derivative, workspace, .. } = self;
        kernel.pull_back_upper(*points, covariance, derivative, by_kernel, workspace);
        by_noise[0] = noise * (0..n).map(|i| derivative[i * n + i]).sum::<f64>();
        Ok(-log_marginal)
    }
}

fn add_to_diagonal(matrix: &mut [f64], n: usize, value: f64) {
    (0..n).for_each(|i| matrix[i * n + i] += value);
}

/// A Gaussian process conditioned on its observations.
#[derive(Debug, Serialize, Deserialize)]
pub struct Posterior {
    kernel: Kernel,
    noise: f64,
    points: Vec<f64>,
    conditioning: Conditioning,
}

impl Posterior {
    /// Conditions a process of this kernel and noise variance on the centred `targets` (n) at
    /// `points` (n × d).
    ///
    /// # Errors
    /// [`NotPositiveDefinite`].
    ///
    /// # Panics
    /// If shapes do not fit.
    pub fn new(
        kernel: Kernel,
        noise: f64,
        points: Points,
        targets: &[f64],
        par: Par,
    ) -> Result<Self, NotPositiveDefinite> {
        let n = points.rows();
        let mut covariance = vec![0.0; n * n];
        kernel.matrix_upper(points, &mut covariance, &mut Workspace::default());
        add_to_diagonal(&mut covariance, n, noise);
        let mut conditioning = Conditioning::new(n, par);
        conditioning.condition(&covariance, targets)?;
        Ok(Self { kernel, noise, points: points.values().to_vec(), conditioning })
    }

    /// Checks a process that was read: kernel and points have the `features`, and there are as many
    /// points as observations.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, features: usize) -> Result<(), String> {
        let n = self.conditioning.weights().len();
        self.kernel.check(features)?;
        self.conditioning.check(n)?;
        require(n.checked_mul(features) == Some(self.points.len()), "points of other observations")
    }

    /// The kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The noise variance.
    pub fn noise(&self) -> f64 {
        self.noise
    }

    /// The points that were observed, of `columns` features.
    ///
    /// # Panics
    /// If they have another number of features.
    pub fn points(&self, columns: usize) -> Points<'_> {
        Points::new(&self.points, self.conditioning.weights().len(), columns)
    }

    /// The solved covariance: ln p(y), jitter, weights.
    pub fn conditioning(&self) -> &Conditioning {
        &self.conditioning
    }

    /// Mean and variance of f (without noise) at `points`, block by block; `checkpoint` is called
    /// before each.
    ///
    /// # Errors
    /// The first error of `checkpoint`.
    ///
    /// # Panics
    /// If the points have another number of features.
    pub fn function<E>(
        &self,
        points: Points,
        mut checkpoint: impl FnMut() -> Result<(), E>,
    ) -> Result<(Vec<f64>, Vec<f64>), E> {
        let (n, d, variance) =
            (self.conditioning.weights().len(), points.columns(), self.kernel.variance());
        let observed = Points::new(&self.points, n, d);
        let (mut mean, mut spread) = (vec![0.0; points.rows()], vec![0.0; points.rows()]);
        let (mut cross, mut workspace) = (Vec::new(), Workspace::default());
        for (block, (mean, spread)) in
            mean.chunks_mut(BLOCK).zip(spread.chunks_mut(BLOCK)).enumerate()
        {
            checkpoint()?;
            let rows = mean.len();
            let values = &points.values()[block * BLOCK * d..][..rows * d];
            cross.resize(rows * n, 0.0);
            self.kernel.matrix(Points::new(values, rows, d), observed, &mut cross, &mut workspace);
            self.conditioning.answer(&mut cross, mean, spread);
            // Rounding may leave a slightly negative number.
            spread.iter_mut().for_each(|spread| *spread = (variance - *spread).max(0.0));
        }
        Ok((mean, spread))
    }

    /// The linear predictor a = C⁻¹ k at each of `points`, block by block; `checkpoint` is called
    /// before each.
    ///
    /// # Errors
    /// The first error of `checkpoint`.
    ///
    /// # Panics
    /// If the points have another number of features.
    pub fn smooth<E>(
        &self,
        points: Points,
        mut checkpoint: impl FnMut() -> Result<(), E>,
        mut each: impl FnMut(usize, Smoothed),
    ) -> Result<(), E> {
        let (n, d) = (self.conditioning.weights().len(), points.columns());
        let observed = Points::new(&self.points, n, d);
        let (mut mean, mut explained) = (vec![0.0; BLOCK], vec![0.0; BLOCK]);
        let (mut cross, mut workspace) = (Vec::new(), Workspace::default());
        for start in (0..points.rows()).step_by(BLOCK) {
            checkpoint()?;
            let rows = BLOCK.min(points.rows() - start);
            cross.resize(rows * n, 0.0);
            let block = Points::new(&points.values()[start * d..][..rows * d], rows, d);
            self.kernel.matrix(block, observed, &mut cross, &mut workspace);
            self.conditioning.answer(&mut cross, &mut mean[..rows], &mut explained[..rows]);
            checkpoint()?;
            self.conditioning.weigh(&mut cross);
            for row in 0..rows {
                let weights = &cross[row * n..][..n];
                each(start + row, Smoothed { mean: mean[row], explained: explained[row], weights });
            }
        }
        Ok(())
    }

    /// Residual yᵢ − μ₋ᵢ(xᵢ) of each observation against the process conditioned on all others, and
    /// its variance, noise included, without a new fit (Rasmussen and Williams, 2006, Eqs. 5.10 to
    /// 5.12).
    pub fn left_out(&self) -> (Vec<f64>, Vec<f64>) {
        let alpha = self.conditioning.weights();
        let n = alpha.len();
        let (mut inverse, mut derivative) = (vec![0.0; n * n], vec![0.0; n * n]);
        self.conditioning.negative_derivative(&mut inverse, &mut derivative);
        // On the diagonal ½ (C⁻¹ − α αᵀ).
        let precision = |i: usize| 2.0 * derivative[i * n + i] + alpha[i] * alpha[i];
        (
            (0..n).map(|i| alpha[i] / precision(i)).collect(),
            (0..n).map(|i| precision(i).recip()).collect(),
        )
    }
}

/// The linear predictor at a point.
#[derive(Clone, Copy, Debug)]
pub struct Smoothed<'a> {
    /// kᵀ C⁻¹ y.
    pub mean: f64,
    /// kᵀ a, by how much the function's variance falls below the prior's.
    pub explained: f64,
    /// a = C⁻¹ k, n.
    pub weights: &'a [f64],
}

#[cfg(test)]
mod tests;
