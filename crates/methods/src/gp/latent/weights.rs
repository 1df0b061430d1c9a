//! Compute the weights of all outputs in closed form, given the distribution of the latent points.
//!
//! ```text
//! y_nd = ψ(x_n)ᵀ θ_d + ε_nd,  ε_nd ~ N(0, σ_d²),  θ_d ~ N(0, α_d I),  λ_d = σ_d² / α_d  (8, 9, 16)
//! A_d = Ψ₂ + λ_d I,  E θ_d = A_d⁻¹ b_d,  Cov θ_d = σ_d² A_d⁻¹,  S_d = Σ_n y_nd² − b_dᵀ A_d⁻¹ b_d  (a)
//! F_d = −½ N ln 2πσ_d² − ½ ln |A_d / λ_d| − S_d / 2σ_d²                                        (b)
//! Ψ₂ = Σ_n E ψ(x_n)ψ(x_n)ᵀ,   b_d = Σ_n y_nd E ψ(x_n)                                          (c)
//! ```
//!
//! Expectations are over x_n: where it is known, (a) is the posterior of the weights and F_d = ln
//! p(y_d | X); under a variational posterior q(X), (a) is the best normal q(θ_d), and Σ_d F_d −
//! KL(q(X) ‖ p(X)) bounds ln p(Y). One eigendecomposition Ψ₂ = U diag(e) Uᵀ serves all outputs: (b)
//! then is a sum over e, and is maximised over λ_d by a scan and a golden section, σ_d² = S_d / N
//! in closed form.
//!
//! Where λ_d is given and σ_d² has the prior 1/σ_d², p(σ_d² | X, Y) (29) is the inverse gamma
//! distribution of shape N/2 and scale S_d/2; its mean S_d / (N − 2) takes the place of σ_d², also
//! in the covariance of the weights, which is then the posterior covariance.
//!
//! Reference: M. K. Titsias, N. D. Lawrence: *Bayesian Gaussian process latent variable model*,
//! AISTATS 2010, Section 3.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use serde::{Deserialize, Serialize};

use super::basis::Basis;
use crate::FitError;
use uq_math::matrix_product::{Factor, multiply};
use uq_math::symmetric::eigen;

/// Range of the logarithms of λ: from functions without noise to noise without a function.
const RATIOS: [f64; 2] = [-14.0, 9.0];
/// Points of the scan.
const SCAN: usize = 24;
/// Steps of the golden section: they shorten the interval about the best point by 2e4.
const GOLDEN: usize = 22;

/// Sums over the rows, weighted by the probabilities of their latent points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    /// Rows at each node, G.
    pub weights: Vec<f64>,
    /// Sum of each output at each node, D × G.
    pub targets: Vec<f64>,
}

/// Sums over all rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals<'a> {
    /// N, above 2.
    pub rows: usize,
    /// Σ_n y_nd², D.
    pub squares: &'a [f64],
    /// Smallest σ².
    pub floor: f64,
}

/// How λ is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ratios<'a> {
    /// By the maximum of the bound, as σ² is.
    Maximise,
    /// λ of each output is given; σ² is its posterior mean.
    Given(&'a [f64]),
}

/// f_d on the grid, and the noise, given the moments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Posterior {
    /// E f_d at each node: D × G.
    pub mean: Vec<f64>,
    /// var f_d at each node: D × G.
    pub variance: Vec<f64>,
    /// σ_d².
    pub noise: Vec<f64>,
    /// λ_d.
    pub ratio: Vec<f64>,
    /// Σ_d F_d.
    pub evidence: f64,
}

/// Memory of [`condition`].
#[derive(Debug, Default)]
pub struct Workspace {
    scaled: Vec<f64>,
    gram: Vec<f64>,
    rotated: Vec<f64>,
    targets: Vec<f64>,
    weights: Vec<f64>,
    shares: Vec<f64>,
    eigenvalues: Vec<f64>,
}

/// Conditions the weights on the moments.
///
/// # Errors
/// [`FitError::Singular`] where Ψ₂ has no eigendecomposition.
pub fn condition(
    basis: &Basis,
    moments: &Moments,
    totals: Totals,
    ratios: Ratios,
    workspace: &mut Workspace,
    posterior: &mut Posterior,
) -> Result<(), FitError> {
    let (r, nodes, outputs) = (basis.rank, moments.weights.len(), totals.squares.len());
    let Workspace { scaled, gram, rotated, targets, weights, shares, eigenvalues } = workspace;
    for (buffer, size) in [
        (&mut *scaled, r * nodes),
        (&mut *gram, r * r),
        (&mut *rotated, r * nodes),
        (&mut *targets, outputs * r),
        (&mut *weights, outputs * r),
        (&mut *shares, outputs * r),
    ] {
        buffer.clear();
        buffer.resize(size, 0.0);
    }
    for (to, from) in scaled.chunks_exact_mut(nodes).zip(basis.values.chunks_exact(nodes)) {
        to.iter_mut().zip(from).zip(&moments.weights).for_each(|((to, from), w)| *to = from * w);
    }
    let psi = Factor::new(&basis.values, r, nodes);
    multiply(gram, Accum::Replace, Factor::new(scaled, r, nodes), psi.transpose(), 1.0); // (c)
    let vectors = decompose(gram, r, eigenvalues)?;
    let view = MatRef::from_row_major_slice(&basis.values, r, nodes);
    matmul(
        MatMut::from_row_major_slice_mut(rotated, r, nodes),
        Accum::Replace,
        vectors.transpose(),
        view,
        1.0,
        Par::Seq,
    );
    let turned = Factor::new(rotated, r, nodes);
    multiply(
        targets,
        Accum::Replace,
        Factor::new(&moments.targets, outputs, nodes),
        turned.transpose(),
        1.0,
    );

    posterior.noise.resize(outputs, 0.0);
    posterior.ratio.resize(outputs, 0.0);
    posterior.evidence = 0.0;
    let floor = totals.floor;
    for (d, &square) in totals.squares.iter().enumerate() {
        let output = Output {
            eigenvalues,
            targets: &targets[d * r..(d + 1) * r],
            square,
            rows: totals.rows as f64,
        };
        let (ratio, degrees) = match ratios {
            Ratios::Maximise => (output.best_ratio(floor), output.rows),
            Ratios::Given(all) => (all[d], output.rows - 2.0), // mean of (29)
        };
        let noise = (output.residual(ratio) / degrees).max(floor);
        posterior.evidence += output.evidence(ratio, noise);
        (posterior.ratio[d], posterior.noise[d]) = (ratio, noise);
        for (i, e) in eigenvalues.iter().enumerate() {
            weights[d * r + i] = output.targets[i] / (e + ratio); // (a)
            shares[d * r + i] = noise / (e + ratio);
        }
    }
    posterior.mean.resize(outputs * nodes, 0.0);
    posterior.variance.resize(outputs * nodes, 0.0);
    multiply(&mut posterior.mean, Accum::Replace, Factor::new(weights, outputs, r), turned, 1.0);
    // var ψᵀθ = σ² Σ (Uᵀψ)² / (e + λ).
    scaled.iter_mut().zip(&*rotated).for_each(|(to, from)| *to = from * from);
    let squared = Factor::new(scaled, r, nodes);
    multiply(
        &mut posterior.variance,
        Accum::Replace,
        Factor::new(shares, outputs, r),
        squared,
        1.0,
    );
    Ok(())
}

/// Eigenvectors (columns) of the symmetric `matrix` (r × r), and its eigenvalues, none of them
/// below 0.
fn decompose(matrix: &[f64], r: usize, eigenvalues: &mut Vec<f64>) -> Result<Mat<f64>, FitError> {
    let singular = || {
        FitError::Singular("the second moments of the latent functions have no eigenvalues".into())
    };
    let (values, vectors) =
        eigen(MatRef::from_row_major_slice(matrix, r, r)).ok_or_else(singular)?;
    eigenvalues.clear();
    eigenvalues.extend(values.iter().map(|e| e.max(0.0)));
    Ok(vectors)
}

/// One output in the coordinates of the eigenvectors.
struct Output<'a> {
    eigenvalues: &'a [f64],
    /// Uᵀ b.
    targets: &'a [f64],
    /// Σ y².
    square: f64,
    rows: f64,
}

impl Output<'_> {
    /// S of (a).
    fn residual(&self, ratio: f64) -> f64 {
        let explained: f64 =
            self.eigenvalues.iter().zip(self.targets).map(|(e, b)| b * b / (e + ratio)).sum();
        // Rounding must not make a sum of squares negative.
        (self.square - explained).max(0.0)
    }

    /// (b).
    fn evidence(&self, ratio: f64, noise: f64) -> f64 {
        // One logarithm for several factors, each from 1 to 1e6 times the number of rows.
        let determinant: f64 = self
            .eigenvalues
            .chunks(16)
            .map(|chunk| chunk.iter().map(|e| 1.0 + e / ratio).product::<f64>().ln())
            .sum();
        let normal =
            self.rows * (2.0 * std::f64::consts::PI * noise).ln() + self.residual(ratio) / noise;
        -0.5 * (normal + determinant)
    }

    /// The λ of the largest (b).
    fn best_ratio(&self, floor: f64) -> f64 {
        let value = |log_ratio: f64| {
            let ratio = log_ratio.exp();
            self.evidence(ratio, (self.residual(ratio) / self.rows).max(floor))
        };
        let [low, high] = RATIOS;
        let step = (high - low) / (SCAN - 1) as f64;
        let best = (0..SCAN)
            .map(|i| low + step * i as f64)
            .map(|at| (at, value(at)))
            .fold((low, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best })
            .0;
        let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
        let (mut a, mut b) = ((best - step).max(low), (best + step).min(high));
        let (mut x, mut y) = (b - golden * (b - a), a + golden * (b - a));
        let (mut of_x, mut of_y) = (value(x), value(y));
        for _ in 0..GOLDEN {
            if of_x > of_y {
                (b, y, of_y) = (y, x, of_x);
                x = b - golden * (b - a);
                of_x = value(x);
            } else {
                (a, x, of_x) = (x, y, of_y);
                y = a + golden * (b - a);
                of_y = value(y);
            }
        }
        (0.5 * (a + b)).exp()
    }
}
