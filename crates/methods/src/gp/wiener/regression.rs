//! Regress on a kernel with noise that has a chaos expansion, and keep the prediction as a random
//! variable.
//!
//! With C = K + ρ² I and a = C⁻¹ k(𝐱, x): W minimises (6), which is a sum over the joint basis of
//! all germs, because that basis is orthogonal: ψ^0 alone carries y − m_0, and the polynomial
//! φ_j(ξ_i) carries y^{ij} = −e_i m_j for each j ≥ 1, whatever the number of terms L; each summand
//! is a ridge regression with the same C. Hence (8) for any L:
//!
//! Ŷ(x) = aᵀ(y − m_0 1) − Σ_i a_i Σ_{j=1}^{L−1} m_j φ_j(ξ_i).
//!
//! Mean aᵀ(y − m_0 1) (9a), variance σ_M² aᵀa (9b) with σ_M² = Σ_{j≥1} m_j² ‖φ_j‖². Under the prior
//! f ~ GP(0, k) the error of the mean has variance (κ − 2 aᵀk + aᵀK a) + σ_M² aᵀa, κ = k(x, x): a
//! gap that the rows leave, and the noise in the mean. For ρ² = σ_M² the sum is κ − kᵀa, the
//! posterior variance (2b) without its noise.

use super::expansion::Expansion;
use super::weighted::Weighted;
use crate::gp::jitter::NotPositiveDefinite;
use crate::gp::kernels::{Kernel, Points};
use crate::gp::process::{Posterior, Smoothed};

/// A kernel ridge regression and the distribution of the noise in its targets.
pub struct Regression<'a> {
    /// Conditioned on y − m_0.
    pub posterior: &'a Posterior,
    /// The distribution of each M_i.
    pub noise: &'a Expansion,
}

/// The prediction at one point.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// (9a).
    pub mean: f64,
    /// (9b): noise propagated to the mean.
    pub noise_in_mean: f64,
    /// κ − kᵀa: variance of f after the rows, for ρ² = σ_M².
    pub epistemic: f64,
    /// κ − 2 aᵀk + aᵀK a: prior variance of f − aᵀ f(𝐱).
    pub gap: f64,
    /// a: the coefficients of Ŷ(x) are −a_i m_j.
    pub weights: Vec<f64>,
}

impl Prediction {
    /// Ŷ(x), Eq. (8).
    pub fn variable<'a>(&self, noise: &'a Expansion) -> Weighted<'a> {
        Weighted { centre: self.mean, weights: self.weights.iter().map(|a| -a).collect(), noise }
    }

    /// A new y at the point: Ŷ(x) and an independent draw of the noise.
    pub fn outcome<'a>(&self, noise: &'a Expansion) -> Weighted<'a> {
        let mut sum = self.variable(noise);
        sum.centre += noise.mean();
        sum.weights.push(1.0);
        sum
    }
}

impl Regression<'_> {
    /// The predictions at `points`, in their order.
    ///
    /// # Errors
    /// The first error of `checkpoint`.
    pub fn predict<E>(
        &self,
        points: Points,
        checkpoint: impl FnMut() -> Result<(), E>,
        mut each: impl FnMut(Prediction),
    ) -> Result<(), E> {
        let (prior, variance) = (self.posterior.kernel().variance(), self.noise.variance());
        let conditioning = self.posterior.conditioning();
        let diagonal = self.posterior.noise() + conditioning.factored().jitter;
        self.posterior.smooth(points, checkpoint, |_, Smoothed { mean, explained, weights }| {
            let squares: f64 = weights.iter().map(|a| a * a).sum();
            each(Prediction {
                mean,
                noise_in_mean: variance * squares,
                // Rounding may leave a slightly negative number.
                epistemic: (prior - explained).max(0.0),
                // aᵀK a = aᵀ(C − ρ² I) a = aᵀk − ρ² aᵀa.
                gap: (prior - explained - diagonal * squares).max(0.0),
                weights: weights.to_vec(),
            });
        })
    }
}

/// Solves for y − m_0 with a kernel and a ridge ρ² that are known (7a, 7b).
///
/// # Errors
/// [`NotPositiveDefinite`] where K + ρ² I has no Cholesky factor.
///
/// # Panics
/// If there is not one target for each point.
pub fn condition(
    kernel: Kernel,
    ridge: f64,
    noise: &Expansion,
    points: Points,
    targets: &[f64],
    par: faer::Par,
) -> Result<Posterior, NotPositiveDefinite> {
    // y^0 (7b).
    let centred: Vec<f64> = targets.iter().map(|y| y - noise.mean()).collect();
    Posterior::new(kernel, ridge, points, &centred, par)
}
