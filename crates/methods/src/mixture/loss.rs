//! Define JCM's loss of the projection W under a mixture that is held fixed, and its gradient.
//!
//! ```text
//! L_Reg(W) = −1/N Σ_i ln P_φ(y_i | W x_i)                                           (7, as a mean)
//! L_Rec(W) = −1/N tr(X Wᵀ W Xᵀ)                                                               (8)
//! ‖W‖₁ = Σ_jc |W_jc|                                                                          (9)
//! L(W) = L_Reg + λ₁ L_Rec + λ₂ ‖W‖₁                                                           (10)
//! ```
//!
//! With z = W x, Σ_{k,z} = L_k L_kᵀ, u_k = L_k⁻¹(z − μ_{k,z}), l_k = L_k⁻¹ r_k, s_k² = Σ_{k,y|z}
//! and the standardised residual v_k = (y − μ_{k,y|z})/s_k = (y − μ_{k,y} − l_kᵀ u_k)/s_k, the
//! weights γ_k = P(k | y, z) and π*_k = P(k | z) (3) give
//!
//! ```text
//! ∂ ln P_φ(y|z) / ∂z = Σ_k L_k⁻ᵀ [ γ_k (v_k / s_k) l_k − (γ_k − π*_k) u_k ]
//! ∂L/∂W = 1/N Σ_i (−∂ ln P_φ/∂z_i − 2 λ₁ z_i) x_iᵀ + λ₂ sign(W),   sign(0) = 0
//! ```
//!
//! # Departures from the paper
//! Eq. (7) is printed as a sum over the rows while Eq. (8) is a mean. Here both are means over the
//! batch: with the sum, a batch of 512 at the printed step size would move W by 512 times as much,
//! too far from every starting point, and λ₁ would have another meaning for each number of rows.
//!
//! # References
//! JCM, Sections 3.1 and 3.3.

use faer::traits::pulp::{Arch, Simd, WithSimd};
use ndarray::{Array2, ArrayView1, ArrayView2};

use super::GaussianMixture;
use super::kernel::{Kernel, LANES, Lane, normalise};
use uq_core::math::special::LN_SQRT_2PI;
use uq_core::math::vectorised::sum;

/// The loss and its terms, each before its factor λ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossTerms {
    /// L_Reg: mean negative log density of the target given z, in nats.
    pub regression: f64,
    /// L_Rec: minus the mean squared length of z.
    pub reconstruction: f64,
    /// ‖W‖₁.
    pub sparsity: f64,
}

/// The factors of the loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossWeights {
    /// λ₁.
    pub reconstruction: f64,
    /// λ₂.
    pub sparsity: f64,
}

impl LossWeights {
    /// L = L_Reg + λ₁ L_Rec + λ₂ ‖W‖₁   (10)
    pub fn total(&self, terms: &LossTerms) -> f64 {
        terms.regression
            + self.reconstruction * terms.reconstruction
            + self.sparsity * terms.sparsity
    }
}

/// Memory for one block, and the gradient; nothing is allocated while batches are processed.
#[derive(Clone, Debug)]
pub struct LossWorkspace {
    /// ∂L/∂W of the last batch, p × d.
    pub gradient: Array2<f64>,
    x: Vec<Lane>,
    y: Lane,
    z: Vec<Lane>,
    /// ∂(loss of a row)/∂z.
    slope: Vec<Lane>,
    /// u_k, component by component.
    u: Vec<Lane>,
    v: Vec<Lane>,
    /// ln (√(2π) s_k).
    ln_sd: Vec<f64>,
    /// ln of weight times density of z, then π*_k.
    marginal: Vec<Lane>,
    /// ln of weight times density of (y, z), then γ_k.
    joint: Vec<Lane>,
    solved: Vec<Lane>,
}

impl LossWorkspace {
    /// Room for `components` components and a W of p × d.
    pub fn new(components: usize, (p, d): (usize, usize)) -> Self {
        let lanes = |count: usize| vec![[0.0; LANES]; count];
        Self {
            gradient: Array2::zeros((p, d)),
            x: lanes(d),
            y: [0.0; LANES],
            z: lanes(p),
            slope: lanes(p),
            u: lanes(components * p),
            v: lanes(components),
            ln_sd: vec![0.0; components],
            marginal: lanes(components),
            joint: lanes(components),
            solved: lanes(p),
        }
    }

    /// The loss of W (p × d) under the mixture of (y, z) on the batch `rows` of `features` (n × d)
    /// and `target` (n); its gradient is then in [`LossWorkspace::gradient`].
    ///
    /// # Panics
    /// If the shapes differ from those of the workspace, a row is not below n, or the batch is
    /// empty.
    pub fn evaluate(
        &mut self,
        weights: &LossWeights,
        mixture: &GaussianMixture,
        w: ArrayView2<f64>,
        (features, target): (ArrayView2<f64>, ArrayView1<f64>),
        rows: &[usize],
    ) -> LossTerms {
        assert!(!rows.is_empty(), "a batch needs a row");
        self.gradient.fill(0.0);
        let p = w.nrows();
        for (ln_sd, kernel) in self.ln_sd.iter_mut().zip(&mixture.kernels) {
            *ln_sd = LN_SQRT_2PI + kernel.factor.row(p)[p].ln();
        }
        let (mut regression, mut squares) = (0.0, 0.0);
        let arch = Arch::new();
        for block in rows.chunks(LANES) {
            self.gather(features, target, block);
            let (ln_density, square) = arch.dispatch(OneBlock {
                workspace: self,
                kernels: &mixture.kernels,
                w,
                reconstruction: weights.reconstruction,
                count: block.len(),
            });
            regression -= ln_density;
            squares += square;
        }
        let n = rows.len() as f64;
        let mut sparsity = 0.0;
        for (slope, &w) in self.gradient.iter_mut().zip(w) {
            sparsity += w.abs();
            let sign = if w == 0.0 { 0.0 } else { w.signum() };
            *slope = *slope / n + weights.sparsity * sign;
        }
        LossTerms { regression: regression / n, reconstruction: -squares / n, sparsity }
    }

    /// The block's rows, transposed so that each feature is a lane; lanes without a row hold zeros.
    fn gather(&mut self, features: ArrayView2<f64>, target: ArrayView1<f64>, block: &[usize]) {
        if block.len() < LANES {
            self.x.fill([0.0; LANES]);
            self.y = [0.0; LANES];
        }
        for (r, &row) in block.iter().enumerate() {
            self.y[r] = target[row];
            for (x, &value) in self.x.iter_mut().zip(features.row(row)) {
                x[r] = value;
            }
        }
    }

    /// z = W x.
    #[inline(always)]
    fn project(&mut self, w: ArrayView2<f64>) {
        for (z, w) in self.z.iter_mut().zip(w.rows()) {
            let mut sum = [0.0; LANES];
            for (x, &w) in self.x.iter().zip(w) {
                add_scaled(&mut sum, w, x);
            }
            *z = sum;
        }
    }

    /// Σ ln P_φ(y|z) over the first `count` rows; leaves π*_k, γ_k, u_k and v_k of each row.
    #[inline(always)]
    fn log_density(&mut self, kernels: &[Kernel], count: usize) -> f64 {
        let p = self.z.len();
        for (k, Kernel { ln_scale, centre, factor }) in kernels.iter().enumerate() {
            let u = &mut self.u[k * p..(k + 1) * p];
            let (mut square, mut residual) = ([0.0; LANES], self.y);
            residual.iter_mut().for_each(|y| *y -= centre[p]);
            for (j, &coupling) in factor.row(p)[..p].iter().enumerate() {
                let mut value = self.z[j];
                value.iter_mut().for_each(|z| *z -= centre[j]);
                for (l, known) in factor.row(j).iter().zip(&u[..j]) {
                    add_scaled(&mut value, -l, known);
                }
                for b in 0..LANES {
                    value[b] *= factor.inverse_diagonal[j];
                    square[b] += value[b] * value[b];
                }
                add_scaled(&mut residual, -coupling, &value);
                u[j] = value;
            }
            for b in 0..LANES {
                let v = residual[b] * factor.inverse_diagonal[p];
                let ln_joint = ln_scale - 0.5 * square[b] - 0.5 * v * v;
                self.v[k][b] = v;
                self.joint[k][b] = ln_joint;
                self.marginal[k][b] = ln_scale - 0.5 * square[b] + self.ln_sd[k];
            }
        }
        let (ln_joint, ln_marginal) = (normalise(&mut self.joint), normalise(&mut self.marginal));
        ln_joint
            .iter()
            .zip(&ln_marginal)
            .take(count)
            .map(|(joint, marginal)| joint - marginal)
            .sum()
    }

    /// −∂ ln P_φ(y|z)/∂z of each row.
    #[inline(always)]
    fn differentiate(&mut self, kernels: &[Kernel]) {
        let p = self.z.len();
        self.slope.fill([0.0; LANES]);
        for (k, Kernel { factor, .. }) in kernels.iter().enumerate() {
            let (gamma, pi, v) = (&self.joint[k], &self.marginal[k], &self.v[k]);
            let (mut pull, mut push) = ([0.0; LANES], [0.0; LANES]);
            for b in 0..LANES {
                pull[b] = gamma[b] * v[b] * factor.inverse_diagonal[p];
                push[b] = gamma[b] - pi[b];
            }
            // The back substitution L_kᵀ t = γ_k (v_k / s_k) l_k − (γ_k − π*_k) u_k, from the last
            // entry on.
            for j in (0..p).rev() {
                let (u, coupling) = (&self.u[k * p + j], factor.row(p)[j]);
                let mut value = [0.0; LANES];
                for b in 0..LANES {
                    value[b] = pull[b] * coupling - push[b] * u[b];
                }
                for i in j + 1..p {
                    add_scaled(&mut value, -factor.row(i)[j], &self.solved[i]);
                }
                value.iter_mut().for_each(|t| *t *= factor.inverse_diagonal[j]);
                add_scaled(&mut self.slope[j], -1.0, &value);
                self.solved[j] = value;
            }
        }
    }

    /// Adds Σ (−∂ ln P_φ/∂z − 2 λ₁ z) xᵀ over the first `count` rows to the gradient.
    #[inline(always)]
    fn accumulate(&mut self, reconstruction: f64, count: usize) {
        for ((mut row, slope), z) in
            self.gradient.rows_mut().into_iter().zip(&mut self.slope).zip(&self.z)
        {
            add_scaled(slope, -2.0 * reconstruction, z);
            slope[count..].fill(0.0);
            for (entry, x) in row.iter_mut().zip(&self.x) {
                let mut product = [0.0; LANES];
                for b in 0..LANES {
                    product[b] = slope[b] * x[b];
                }
                *entry += sum(&product);
            }
        }
    }
}

/// The work on one gathered block: Σ ln P_φ(y|z) and Σ |z|² of its rows. A type rather than a
/// closure, so that it is inlined into the code for the processor's own instructions.
struct OneBlock<'a> {
    workspace: &'a mut LossWorkspace,
    kernels: &'a [Kernel],
    w: ArrayView2<'a, f64>,
    reconstruction: f64,
    count: usize,
}

impl WithSimd for OneBlock<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (f64, f64) {
        let Self { workspace, kernels, w, reconstruction, count } = self;
        workspace.project(w);
        let ln_density = workspace.log_density(kernels, count);
        let squares = workspace.z.iter().flat_map(|z| &z[..count]).map(|z| z * z).sum();
        workspace.differentiate(kernels);
        workspace.accumulate(reconstruction, count);
        (ln_density, squares)
    }
}

/// `to += factor · lane`.
#[inline(always)]
fn add_scaled(to: &mut Lane, factor: f64, lane: &Lane) {
    for b in 0..LANES {
        to[b] += factor * lane[b];
    }
}

#[cfg(test)]
mod tests;
