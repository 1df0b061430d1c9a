//! Move on the Stiefel manifold of matrices W with orthonormal rows: tangent vectors, retraction,
//! gradient steps.
//!
//! ```text
//! M = { W ∈ R^{p×d} : W Wᵀ = I_p }                               (6)
//! P_W(G) = G − ½ (G Wᵀ + W Gᵀ) W                                 (11, written for rows)
//! T_W(G) = ½ (G − W Gᵀ W)                                        (Algorithm 1, as printed)
//! R_W(ξ) = qf((W + ξ)ᵀ)ᵀ                                         (12, written for rows)
//! W_{t+1} = R_{W_t}(−α ∇̂L)                                       (13)
//! ```
//!
//! qf is the orthogonal factor of the QR decomposition whose R has a positive diagonal. P_W is the
//! orthogonal projection onto the tangent space { ξ : ξ Wᵀ + W ξᵀ = 0 } under the metric tr(ξᵀη).
//! T_W is tangent too, and half the gradient of the canonical metric, but no projection for p < d:
//! it halves the part of G outside the row space of W.
//!
//! # Departures from the paper
//! Section 3.2 has orthonormal rows, Section 3.4 orthonormal columns; here rows. Read in rows
//! without change, Eq. (11) and Table 1 give T_W, not the projection. qf of a wide W would be
//! square, so the transpose is factorised. Eqs. (12) and (13) together would apply α twice; here
//! once. In Table 1, the metric would double the gradient in the same table, and the exponential
//! map does not start in its direction; neither is used.
//!
//! # References
//! JCM, Section 3.4. Edelman, Arias & Smith (1998), *The geometry of algorithms with orthogonality
//! constraints*, SIAM J. Matrix Anal. Appl. 20, 303-353. Absil, Mahony & Sepulchre (2009),
//! *Optimization algorithms on matrix manifolds*, 3.6, 4.1. Bonnabel (2013), *Stochastic gradient
//! descent on Riemannian manifolds*, IEEE TAC 58, 2217-2229.

use ndarray::{Array2, ArrayView2, Axis};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use uq_core::math::random::{Rng, standard_normal};

/// A row that loses more than this share of its length to the rows above is rounding, not a
/// direction.
const DEPENDENT: f64 = 1e-13;

/// Gram-Schmidt passes: the second one removes the rounding errors of the first (Giraud et al.
/// 2005).
const PASSES: usize = 2;

/// Why a matrix has no orthonormal factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "row {row} of the projection matrix is not finite or depends on the rows above it: the \
     gradient step was too large"
)]
pub struct RankDeficient {
    /// The row, from 0.
    pub row: usize,
}

/// The conversion of a Euclidean gradient to a tangent vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tangent {
    /// The orthogonal projection P_W.
    #[default]
    Projection,
    /// The expression T_W of Algorithm 1.
    Printed,
}

impl Tangent {
    /// The tangent vector at W (p × d) of the Euclidean gradient G (p × d), written to `tangent` (p
    /// × d).
    ///
    /// `inner` (p × p) is overwritten.
    ///
    /// # Panics
    /// If the shapes do not agree.
    pub fn at(
        self,
        w: ArrayView2<f64>,
        gradient: ArrayView2<f64>,
        tangent: &mut Array2<f64>,
        inner: &mut Array2<f64>,
    ) {
        let p = w.nrows();
        for i in 0..p {
            for j in 0..p {
                inner[[i, j]] = w.row(i).dot(&gradient.row(j));
            }
        }
        let (keep, remove) = match self {
            Self::Projection => {
                for i in 0..p {
                    for j in 0..=i {
                        let symmetric = 0.5 * (inner[[i, j]] + inner[[j, i]]);
                        (inner[[i, j]], inner[[j, i]]) = (symmetric, symmetric);
                    }
                }
                (1.0, 1.0) // G − ½ (G Wᵀ + W Gᵀ) W   (11)
            }
            Self::Printed => (0.5, 0.5), // ½ (G − W Gᵀ W)   (Algorithm 1)
        };
        tangent.assign(&gradient);
        *tangent *= keep;
        for i in 0..p {
            for j in 0..p {
                tangent.row_mut(i).scaled_add(-remove * inner[[i, j]], &w.row(j));
            }
        }
    }
}

/// Replaces `w` (p × d) by qf(wᵀ)ᵀ: orthonormal rows that span the same space, R with a positive
/// diagonal.
///
/// # Errors
/// [`RankDeficient`] where a row depends on those above it, or a number is not finite; `w` is then
/// unspecified.
pub fn orthonormalise(w: &mut Array2<f64>) -> Result<(), RankDeficient> {
    for i in 0..w.nrows() {
        let (above, mut rest) = w.view_mut().split_at(Axis(0), i);
        let mut row = rest.row_mut(0);
        let length = row.dot(&row).sqrt();
        // Scaled first, so that the squares of huge and of tiny rows stay in range below.
        row /= length;
        for _ in 0..PASSES {
            for other in above.rows() {
                let along = other.dot(&row);
                row.scaled_add(-along, &other);
            }
        }
        let left = row.dot(&row).sqrt();
        if !(length > 0.0 && length.is_finite() && left > DEPENDENT) {
            return Err(RankDeficient { row: i });
        }
        row /= left;
    }
    Ok(())
}

/// A uniformly distributed W (p × d, p ≤ d): qf of a matrix of independent standard normal draws.
///
/// # Errors
/// [`RankDeficient`] where p > d.
pub fn random_start(p: usize, d: usize, rng: &mut Rng) -> Result<Array2<f64>, RankDeficient> {
    let mut w = Array2::from_shape_simple_fn((p, d), || standard_normal(rng));
    orthonormalise(&mut w)?;
    Ok(w)
}

/// Riemannian gradient descent with a fixed step size, on gradients that may be those of
/// minibatches.
#[derive(Clone, Debug)]
pub struct RiemannianSgd {
    rate: f64,
    tangent: Tangent,
    direction: Array2<f64>,
    inner: Array2<f64>,
}

impl RiemannianSgd {
    /// Steps of size `rate` (α) for a W of p × d.
    pub fn new(rate: f64, tangent: Tangent, (p, d): (usize, usize)) -> Self {
        Self { rate, tangent, direction: Array2::zeros((p, d)), inner: Array2::zeros((p, p)) }
    }

    /// Moves W (p × d) against the Euclidean gradient G (p × d) of a function that is minimised.
    ///
    /// # Errors
    /// [`RankDeficient`] for a step so large that W is lost in rounding, or a gradient that is not
    /// finite.
    ///
    /// # Panics
    /// If the shapes differ from those given to [`RiemannianSgd::new`].
    pub fn step(
        &mut self,
        w: &mut Array2<f64>,
        gradient: ArrayView2<f64>,
    ) -> Result<(), RankDeficient> {
        self.tangent.at(w.view(), gradient, &mut self.direction, &mut self.inner);
        w.scaled_add(-self.rate, &self.direction); // W − α ∇̂L   (13)
        orthonormalise(w) // (12)
    }
}

#[cfg(test)]
mod tests;
