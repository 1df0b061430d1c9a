//! Compute the posterior density of a network's weights and of the noise, and its gradient.

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use super::super::Mlp;
use crate::state::require;
use uq_math::autodiff::{Activation, Tape};

/// Smallest noise variance, in standardised units: so small that the prior alone keeps the noise
/// from it.
const FLOOR: f64 = 1e-8;

/// The prior and the shape of a network whose parameters are θ ~ N(0, I): its weights, biases, and
/// the logarithm of its noise are an affine function of θ each.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Posterior {
    network: Mlp,
    /// The factor of each weight and bias.
    scales: Vec<f64>,
    /// The median of σ_y and the standard deviation of ln σ_y.
    noise: (f64, f64),
}

/// Rows to which a network is fitted: x (n × d) and y (n × 1), standardised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'a> {
    pub x: ArrayView2<'a, f64>,
    pub y: ArrayView2<'a, f64>,
}

impl Posterior {
    /// Networks of these widths with tanh, under the prior of (1) and (2).
    pub fn new(widths: &[usize], prior_sd: f64, noise: (f64, f64)) -> Self {
        let network = Mlp::new(widths, Activation::Tanh);
        let mut scales = vec![prior_sd; network.end()];
        for layer in network.layers() {
            // (1)
            scales[layer.weights..layer.bias].fill(prior_sd / (layer.inputs.max(1) as f64).sqrt());
        }
        Self { network, scales, noise }
    }

    /// Checks a network that was read: it has the `features`, and as many parameters as belong to
    /// it.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, features: usize, parameters: usize) -> Result<(), String> {
        self.network.check(features, 1, self.scales.len())?;
        require(
            self.scales.len().checked_add(1) == Some(parameters),
            "parameters of another network",
        )
    }

    /// Number of parameters: weights, biases, and the noise.
    pub fn parameters(&self) -> usize {
        self.scales.len() + 1
    }

    /// Weights and biases of θ.
    fn weights(&self, theta: &[f64]) -> Vec<f64> {
        self.scales.iter().zip(theta).map(|(scale, theta)| scale * theta).collect()
    }

    /// ln σ_y of θ (2).
    fn ln_noise(&self, theta: &[f64]) -> f64 {
        self.noise.0.ln() + self.noise.1 * theta[self.scales.len()]
    }

    /// σ_y².
    pub fn noise_variance(&self, theta: &[f64]) -> f64 {
        (2.0 * self.ln_noise(theta)).exp() + FLOOR
    }

    /// f(x) of θ at each row (m × d).
    pub fn function(&self, theta: &[f64], x: ArrayView2<f64>) -> Array1<f64> {
        self.network.predict(&self.weights(theta), x).column(0).to_owned()
    }

    /// ln p(θ) + ln p(y | x, θ) but for the constant of the prior, and its gradient; −∞ or NaN
    /// where numbers overflow.
    pub fn ln_density(
        &self,
        tape: &mut Tape,
        rows: Rows,
        theta: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let n = rows.x.nrows();
        let mut parameters = self.weights(theta);
        parameters.push(2.0 * self.ln_noise(theta));
        tape.reset();
        let input = tape.constant_from(n, rows.x.ncols(), |out| fill(out, rows.x));
        let target = tape.constant_from(n, 1, |out| fill(out, rows.y));
        let mean = self.network.forward(tape, &parameters, input);
        let raw = tape.parameter(&parameters, self.scales.len(), 1, 1);
        let noise = tape.exp(raw);
        let floor = tape.constant_from(n, 1, |out| out.fill(FLOOR));
        let variance = tape.add(noise, floor);
        let misfit = tape.gaussian_nll(mean, variance, target);
        let misfit = tape.sum(misfit);
        tape.backward(misfit, gradient);
        let factors = self.scales.iter().copied().chain([2.0 * self.noise.1]);
        for ((slope, factor), theta) in gradient.iter_mut().zip(factors).zip(theta) {
            *slope = -factor * *slope - theta;
        }
        -tape.scalar(misfit) - 0.5 * theta.iter().map(|theta| theta * theta).sum::<f64>()
    }
}

fn fill(out: &mut [f64], from: ArrayView2<f64>) {
    out.iter_mut().zip(from).for_each(|(out, value)| *out = *value);
}
