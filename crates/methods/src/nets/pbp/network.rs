//! Hold a network whose weights are independent normals, and pass rows forwards and their gradients
//! backwards.

use faer::traits::pulp::{Arch, Simd, WithSimd};
use serde::{Deserialize, Serialize};

use super::gamma::Gamma;
use crate::state::require;
use uq_core::math::random::Rng;
use uq_core::math::vectorised::normal::normal_cdf_and_kernel;
use uq_math::normal_draws::fill_standard_normal;

/// A variance below this is refused.
const SMALLEST: f64 = 1e-100;

/// The variance of a weight without its prior, from which on the prior is not refined.
const WIDEST: f64 = 1e6;

/// 1/√(2π).
const FRAC_1_SQRT_2PI: f64 = 0.398_942_280_401_432_7;

/// Hidden units whose moments are computed at once.
const LANES: usize = 8;

/// A network with one hidden layer of ReLUs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Network {
    /// Number of inputs, without the constant one.
    inputs: usize,
    hidden: usize,
    /// m_w: (inputs + 1) × hidden, row by row, the last row being the biases; then hidden + 1 of
    /// the output.
    pub means: Vec<f64>,
    /// v_w, in the same order.
    pub variances: Vec<f64>,
    /// Each weight's prior factor: its precision, and its share in shape and rate of λ.
    factors: Vec<Factor>,
    /// γ.
    pub noise: Gamma,
    /// λ.
    pub prior: Gamma,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Factor {
    precision: f64,
    shape: f64,
    rate: f64,
}

/// Numbers of each hidden unit, for one row.
#[derive(Clone, Debug)]
struct Units {
    /// m_a and v_a; on the way back their gradients.
    means: Vec<f64>,
    variances: Vec<f64>,
    /// m_z, v_z, Φ(r), φ(r)/√v.
    moments: Vec<[f64; 4]>,
}

impl Units {
    fn new(hidden: usize) -> Self {
        Self {
            means: vec![0.0; hidden],
            variances: vec![0.0; hidden],
            moments: vec![[0.0; 4]; hidden],
        }
    }
}

/// m_z, v_z, Φ(r) and φ(r)/√v of max(a, 0) for a ~ N(m, v), with r = m/√v.
#[inline(always)]
pub(super) fn rectified(mean: f64, variance: f64) -> [f64; 4] {
    let sd = variance.sqrt();
    let r = mean / sd;
    let (cdf, kernel) = normal_cdf_and_kernel(r);
    let density = FRAC_1_SQRT_2PI * kernel;
    let h = r * cdf + density;
    let h = if h > 0.0 { h } else { 0.0 };
    let k = density - r * (1.0 - cdf);
    let share = cdf - h * k;
    [sd * h, variance * if share > 0.0 { share } else { 0.0 }, cdf, density / sd] // (9)
}

impl Network {
    /// A network before its first row, with random means.
    pub fn new(inputs: usize, hidden: usize, rng: &mut Rng) -> Self {
        let first = (inputs + 1) * hidden;
        let count = first + hidden + 1;
        let mut means = vec![0.0; count];
        fill_standard_normal(&mut means, rng);
        let (into, out) = means.split_at_mut(first);
        into.iter_mut().for_each(|m| *m /= ((inputs + 1) as f64).sqrt());
        out.iter_mut().for_each(|m| *m /= ((hidden + 1) as f64).sqrt());
        let prior = Gamma::START;
        let variance = prior.plug_in_variance();
        Self {
            inputs,
            hidden,
            means,
            variances: vec![variance; count],
            factors: vec![Factor { precision: 1.0 / variance, shape: 0.0, rate: 0.0 }; count],
            noise: Gamma::START,
            prior,
        }
    }

    /// Updates the weights and the noise by the rows `order` of x (n × inputs, row by row) and y
    /// (n), one after the other.
    pub fn learn(&mut self, x: &[f64], y: &[f64], order: &[usize]) {
        let units = Units::new(self.hidden);
        Arch::new().dispatch(Learning { network: self, units, x, y, order });
    }

    /// m_L and v_L at each row of x (n × inputs, row by row).
    pub fn outputs(&self, x: &[f64], means: &mut [f64], variances: &mut [f64]) {
        let units = Units::new(self.hidden);
        Arch::new().dispatch(Predicting { network: self, units, x, means, variances });
    }

    /// Checks a network that was read: it has the `features`, and as many weights as belong to it.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, features: usize) -> Result<(), String> {
        // Each hidden unit has a weight for each feature, a bias, and a weight of the output, which
        // has a bias, too.
        let weights = features
            .checked_add(2)
            .and_then(|of_unit| of_unit.checked_mul(self.hidden)?.checked_add(1));
        let fits = [self.means.len(), self.variances.len()]
            .into_iter()
            .all(|found| Some(found) == weights);
        require(self.inputs == features && fits, "weights of another network")
    }

    /// Whether all weights are finite.
    pub fn is_finite(&self) -> bool {
        self.means.iter().chain(&self.variances).all(|w| w.is_finite())
    }

    /// Refines each weight's prior factor once, by expectation propagation.
    pub fn refine_prior(&mut self) {
        for ((mean, variance), factor) in
            self.means.iter_mut().zip(&mut self.variances).zip(&mut self.factors)
        {
            let precision = 1.0 / *variance - factor.precision;
            let rest = Gamma {
                shape: self.prior.shape - factor.shape,
                rate: self.prior.rate - factor.rate,
            };
            if !(precision > 1.0 / WIDEST && precision.is_finite() && rest.is_proper()) {
                continue;
            }
            // The factor's mean is zero, so that m/v belongs to the other factors only.
            let centre = *mean / *variance / precision;
            factor.precision = 1.0 / rest.plug_in_variance();
            self.prior = rest.updated(centre * centre, 1.0 / precision);
            factor.shape = self.prior.shape - rest.shape;
            factor.rate = self.prior.rate - rest.rate;
            *variance = 1.0 / (precision + factor.precision);
            *mean = centre * precision * *variance;
        }
    }

    /// Passes a row forwards: m_L and v_L.
    #[inline(always)]
    fn forward(&self, units: &mut Units, x: &[f64]) -> (f64, f64) {
        let width = self.hidden;
        let scale = 1.0 / (self.inputs + 1) as f64;
        let root = scale.sqrt();
        units.means.fill(0.0);
        units.variances.fill(0.0);
        let rows = self.means.chunks_exact(width).zip(self.variances.chunks_exact(width));
        for ((means, variances), x) in rows.zip(x.iter().chain(&[1.0])) {
            let (by_mean, by_variance) = (root * x, scale * x * x);
            for (to, m) in units.means.iter_mut().zip(means) {
                *to += by_mean * m; // (2)
            }
            for (to, v) in units.variances.iter_mut().zip(variances) {
                *to += by_variance * v; // (3), inputs have no variance
            }
        }
        let activations = units.means.chunks(LANES).zip(units.variances.chunks(LANES));
        for ((means, variances), moments) in activations.zip(units.moments.chunks_mut(LANES)) {
            // Whole blocks in arrays, so that the compiler sees neither bounds nor aliases.
            let (mut m, mut v) = ([0.0; LANES], [1.0; LANES]);
            m[..means.len()].copy_from_slice(means);
            v[..means.len()].copy_from_slice(variances);
            let mut out = [[0.0; 4]; LANES];
            for l in 0..LANES {
                out[l] = rectified(m[l], v[l]);
            }
            moments.copy_from_slice(&out[..moments.len()]);
        }
        let (means, variances) = self.output_weights();
        let (mut mean, mut variance) = (means[width], variances[width]);
        for ((m, v), [mz, vz, ..]) in means.iter().zip(variances).zip(&units.moments) {
            mean += m * mz; // (2)
            variance += m * m * vz + v * (mz * mz + vz); // (3)
        }
        let scale = 1.0 / (width + 1) as f64;
        (scale.sqrt() * mean, scale * variance)
    }

    /// m_w and v_w of the output, the bias last.
    fn output_weights(&self) -> (&[f64], &[f64]) {
        let first = (self.inputs + 1) * self.hidden;
        (&self.means[first..], &self.variances[first..])
    }

    /// Updates all weights by the gradients of ln Z by m_L and v_L, at the last row that was passed
    /// forwards.
    #[inline(always)]
    fn backward(&mut self, units: &mut Units, x: &[f64], by_mean: f64, by_variance: f64) {
        let width = self.hidden;
        let (into_means, out_means) = self.means.split_at_mut((self.inputs + 1) * width);
        let (into_variances, out_variances) =
            self.variances.split_at_mut((self.inputs + 1) * width);
        let scale = 1.0 / (width + 1) as f64;
        let (gm, gv) = (by_mean * scale.sqrt(), by_variance * scale);
        let outputs = out_means.iter_mut().zip(out_variances.iter_mut());
        for ((j, (m, v)), [mz, vz, cdf, density]) in outputs.enumerate().zip(&units.moments) {
            let (by_mz, by_vz) = (gm * *m + gv * 2.0 * *v * mz, gv * (*m * *m + *v));
            // Of E g(a): ∂/∂m is E g'(a), ∂/∂v is ½ E g''(a); for g = max(a, 0) and its square.
            units.means[j] = by_mz * cdf + by_vz * 2.0 * mz * (1.0 - cdf);
            units.variances[j] = by_mz * 0.5 * density + by_vz * (cdf - mz * density);
            update(m, v, gm * mz + gv * 2.0 * *m * vz, gv * (mz * mz + vz));
        }
        update(&mut out_means[width], &mut out_variances[width], gm, gv);
        let scale = 1.0 / (self.inputs + 1) as f64;
        let root = scale.sqrt();
        let rows = into_means.chunks_exact_mut(width).zip(into_variances.chunks_exact_mut(width));
        for ((means, variances), x) in rows.zip(x.iter().chain(&[1.0])) {
            let (by_mean, by_variance) = (root * x, scale * x * x);
            let gradients = units.means.iter().zip(&units.variances);
            for ((m, v), (gm, gv)) in means.iter_mut().zip(variances).zip(gradients) {
                update(m, v, by_mean * gm, by_variance * gv);
            }
        }
    }
}

/// Equations (5) and (6).
#[inline(always)]
fn update(mean: &mut f64, variance: &mut f64, by_mean: f64, by_variance: f64) {
    let v = *variance;
    let new_mean = *mean + v * by_mean; // (5)
    let new_variance = v - v * v * (by_mean * by_mean - 2.0 * by_variance); // (6)
    let holds = (new_variance > SMALLEST) & (new_variance < f64::MAX) & (new_mean.abs() < f64::MAX);
    *mean = if holds { new_mean } else { *mean };
    *variance = if holds { new_variance } else { v };
}

/// The work on several rows. A type rather than a closure, so that it is compiled for the
/// processor's own instructions.
struct Learning<'a> {
    network: &'a mut Network,
    units: Units,
    x: &'a [f64],
    y: &'a [f64],
    order: &'a [usize],
}

impl WithSimd for Learning<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { network, mut units, x, y, order } = self;
        for &row in order {
            let x = &x[row * network.inputs..][..network.inputs];
            let (mean, doubt) = network.forward(&mut units, x);
            let variance = doubt + network.noise.plug_in_variance();
            let residual = y[row] - mean;
            let pull = residual / variance;
            network.backward(&mut units, x, pull, 0.5 * (pull * pull - 1.0 / variance));
            network.noise = network.noise.updated(residual * residual, doubt);
        }
    }
}

/// Predictions for several rows.
struct Predicting<'a> {
    network: &'a Network,
    units: Units,
    x: &'a [f64],
    means: &'a mut [f64],
    variances: &'a mut [f64],
}

impl WithSimd for Predicting<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { network, mut units, x, means, variances } = self;
        for (row, (mean, variance)) in means.iter_mut().zip(variances).enumerate() {
            (*mean, *variance) =
                network.forward(&mut units, &x[row * network.inputs..][..network.inputs]);
        }
    }
}

#[cfg(test)]
mod tests;
