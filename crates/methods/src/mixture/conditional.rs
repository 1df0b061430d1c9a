//! Condition a mixture on all columns but the first: the distribution of the target y given the
//! features z.
//!
//! With μ_k = (μ_ky, μ_kz) and Σ_k = [[Σ_ky, r_kᵀ], [r_k, Σ_kz]]:
//!
//! ```text
//! p(y | z) = Σ_k π*_k(z) N(y | μ_ky|z, Σ_ky|z)                               (2)
//! π*_k(z) = π_k N(z | μ_kz, Σ_kz) / Σ_l π_l N(z | μ_lz, Σ_lz)                (3)
//! μ_ky|z = μ_ky + r_kᵀ Σ_kz⁻¹ (z − μ_kz)                                     (4)
//! Σ_ky|z = Σ_ky − r_kᵀ Σ_kz⁻¹ r_k                                            (5)
//! ```
//!
//! The target is the last column of the Cholesky factors, so that with u = L_z⁻¹(z − μ_kz) and the
//! factor's last row (ℓᵀ, λ): Eq. (4) is μ_ky + ℓᵀu and Eq. (5) is λ², which cannot become
//! negative. Weights are normalised in log space.
//!
//! The mean and the variance (Eqs. 14 and 15) and the quantiles by root finding (the paper's "LS",
//! Eq. 16) are those of [`Mixture`]. [`monte_carlo_quantiles`] are the paper's "MC".
//!
//! *Departures from the paper:* it says that the last term of Eq. (15) is the variance of E[y |
//! Wx]; that term is a squared mean, and the between-component variance is the last *two* terms.

use ndarray::{Array1, Array2, ArrayView2};
use rand::RngExt;

use super::GaussianMixture;
use super::kernel::{Kernel, LANES, Workspace};
use uq_core::math::random::Rng;
use uq_core::math::special::{LN_SQRT_2PI, normal_quantile};
use uq_core::predictive::{Distribution, Mixture, Quantiles, Split};

impl GaussianMixture {
    /// The mixture of column 0 given the others at each row of `given` (n × (m − 1): columns 1 and
    /// on), n × K; Eqs. (2) to (5).
    ///
    /// The weights of a row that is not finite, or so far away that its squared distances overflow,
    /// are NaN: [`Distribution::validate`] names it.
    ///
    /// # Panics
    /// If `given` has another number of columns than the mixture, less one.
    pub fn conditional(&self, given: ArrayView2<f64>) -> Mixture {
        let (n, p, k) = (given.nrows(), self.columns() - 1, self.components());
        assert_eq!(given.ncols(), p, "one column less than the mixture has");
        let marginal: Vec<Kernel> = self.kernels.iter().map(|kernel| kernel.leading(p)).collect();
        let mut weights = Array2::zeros((n, k));
        let mut means = Array2::zeros((n, k));
        let last: Vec<&[f64]> = self.kernels.iter().map(|kernel| kernel.factor.row(p)).collect();
        let mut workspace = Workspace::default();
        workspace.prepare(k, p);
        let columns: Vec<usize> = (0..p).collect();
        workspace.pass(given, &columns, &marginal, false, |first, block| {
            for (chunk, rows) in (0..block.count).step_by(LANES).enumerate() {
                let filled = LANES.min(block.count - rows);
                for (c, responsibilities) in block.responsibilities(chunk).iter().enumerate() {
                    let mut mean = [self.means[(c, 0)]; LANES];
                    for (l, u) in last[c].iter().zip(block.whitened(chunk, c)) {
                        (0..LANES).for_each(|b| mean[b] += l * u[b]);
                    }
                    for b in 0..filled {
                        weights[(first + rows + b, c)] = responsibilities[b];
                        means[(first + rows + b, c)] = mean[b];
                    }
                }
            }
        });
        let mut variances = Array2::zeros((n, k));
        variances.assign(&Array1::from_iter(last.iter().map(|row| row[p].powi(2))));
        Mixture { weights, means, variances }
    }
}

impl Kernel {
    /// The kernel over the first `p` columns of the factor: the component's marginal, with its
    /// weight.
    fn leading(&self, p: usize) -> Self {
        let m = self.centre.len();
        let factor = self.factor.leading(p);
        let ln_weight = self.ln_scale + self.factor.half_ln_determinant(m) + m as f64 * LN_SQRT_2PI;
        let ln_scale = ln_weight - factor.half_ln_determinant(p) - p as f64 * LN_SQRT_2PI;
        Self { ln_scale, centre: self.centre[..p].to_vec(), factor }
    }
}

/// The variance within components, Σ π* Σ_y|z, as nominal aleatoric part, and that between them,
/// Σ π* (μ_y|z − E y)², as nominal epistemic part; together they are Eq. (15).
///
/// *Nominal:* the paper defines no such split. Both parts describe the fitted density of the data,
/// noise included: components with different means may represent two kinds of outcomes, and more
/// data would not reduce their distance.
pub fn within_and_between(mixture: &Mixture) -> Split {
    let (n, k) = mixture.means.dim();
    let weight =
        |i: usize, c: usize| mixture.weights[(if mixture.weights.nrows() == 1 { 0 } else { i }, c)];
    let average =
        |i: usize, g: &dyn Fn(usize) -> f64| (0..k).map(|c| weight(i, c) * g(c)).sum::<f64>();
    let within = |i: usize| average(i, &|c| mixture.variances[(i, c)]);
    let between = |i: usize| {
        let mean = average(i, &|c| mixture.means[(i, c)]);
        average(i, &|c| (mixture.means[(i, c)] - mean).powi(2))
    };
    Split {
        aleatoric: Some(Array1::from_shape_fn(n, within)),
        epistemic: Some(Array1::from_shape_fn(n, between)),
    }
}

/// Empirical quantiles of `draws` draws from the mixture at each point: the paper's Monte Carlo
/// reading.
///
/// The quantile at level q is the smallest draw such that at least the share q of the draws is at
/// or below it. Only quantiles are kept: 1000 draws a row are more than a store keeps exactly.
/// `stream` gives the random stream of each point, so that a point's draws do not depend on the
/// points before it.
///
/// `levels` must increase within (0, 1); `draws` is at least 1.
pub fn monte_carlo_quantiles(
    mixture: &Mixture,
    levels: &[f64],
    draws: usize,
    mut stream: impl FnMut(usize) -> Rng,
) -> Quantiles {
    let n = mixture.len();
    let draws = draws.max(1);
    let mut values = Array2::zeros((n, levels.len()));
    let mut sample = vec![0.0; draws];
    let standard_deviations = mixture.variances.mapv(f64::sqrt);
    for i in 0..n {
        let mut rng = stream(i);
        let weights = mixture.weights.row(if mixture.weights.nrows() == 1 { 0 } else { i });
        for draw in &mut sample {
            let component = choose(weights.iter().copied(), rng.random());
            // A multiple of 2⁻⁵³ moved by half of it lies within (0, 1).
            let uniform: f64 = rng.random::<f64>() + f64::EPSILON / 4.0;
            *draw = mixture.means[(i, component)]
                + standard_deviations[(i, component)] * normal_quantile(uniform);
        }
        sample.sort_unstable_by(f64::total_cmp);
        for (value, level) in values.row_mut(i).iter_mut().zip(levels) {
            // The tolerance is for rounding of the product.
            let count = (level * draws as f64 - 1e-9).ceil().max(1.0) as usize;
            *value = sample[count.min(draws) - 1];
        }
    }
    Quantiles { levels: levels.to_vec(), values }
}

/// The place at which the running sum of the weights exceeds `uniform`.
fn choose(weights: impl Iterator<Item = f64>, uniform: f64) -> usize {
    let (mut left, mut chosen) = (uniform, 0);
    for (c, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
        chosen = c;
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    chosen
}
