//! Hold a network's weights as independent normal distributions, and put its loss on a tape.

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use super::super::{Mlp, Start};
use crate::state::require;
use uq_core::math::random::Rng;
use uq_core::math::vectorised::softplus;
use uq_math::autodiff::{Activation, Tape, Var};
use uq_math::normal_draws::fill_standard_normal;

/// Indices of the parameters: μ of all weights and biases, then their ρ in the same order, then the
/// noise.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Posterior {
    means: Mlp,
    spreads: Mlp,
    prior_sd: f64,
    variance_floor: f64,
}

impl Posterior {
    /// Networks of these widths with ReLUs, under the prior N(0, σ_p²), with a noise variance of at
    /// least the floor.
    pub fn new(widths: &[usize], prior_sd: f64, variance_floor: f64) -> Self {
        let means = Mlp::new(widths, Activation::Relu);
        let spreads = means.clone().starting_at(means.end());
        Self { means, spreads, prior_sd, variance_floor }
    }

    /// Checks networks that were read: they have the `features`, and as many parameters as belong
    /// to them.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, features: usize, parameters: usize) -> Result<(), String> {
        self.means.check(features, 1, parameters / 2)?;
        self.spreads.check(features, 1, parameters)?;
        require(2 * self.weights() + 1 == parameters, "parameters of another network")
    }

    /// Weights and biases, each with a μ and a ρ.
    fn weights(&self) -> usize {
        self.means.end()
    }

    /// Parameters before training: random μ, every σ the same, a noise variance of ln 2.
    pub fn start(&self, sd: f64, rng: &mut Rng) -> Vec<f64> {
        let weights = self.weights();
        let mut parameters = vec![0.0; 2 * weights + 1];
        self.means.draw_start(Start::He, &mut parameters, rng);
        // The inverse of softplus.
        parameters[weights..2 * weights].fill(sd.exp_m1().ln());
        parameters
    }

    /// σ_y², in standardised units.
    pub fn noise(&self, parameters: &[f64]) -> f64 {
        softplus(parameters[2 * self.weights()]) + self.variance_floor
    }

    /// −ln N(y | f, σ_y²) averaged over rows `input` (n × d) and `target` (n × 1), each with
    /// activations of its own.
    pub fn misfit(
        &self,
        tape: &mut Tape,
        parameters: &[f64],
        input: Var,
        target: Var,
        rng: &mut Rng,
    ) -> Var {
        let output = self.forward(tape, parameters, input, rng);
        let rows = tape.shape(target).0;
        let raw = tape.parameter(parameters, 2 * self.weights(), 1, 1);
        let zeros = tape.constant_from(rows, 1, |out| out.fill(0.0));
        let raw = tape.add(raw, zeros);
        let loss = tape.gaussian_nll_softplus(output, raw, self.variance_floor, target);
        tape.mean(loss)
    }

    /// Outputs (n × outputs) with drawn activations.
    pub(super) fn forward(
        &self,
        tape: &mut Tape,
        parameters: &[f64],
        input: Var,
        rng: &mut Rng,
    ) -> Var {
        let rows = tape.shape(input).0;
        self.means.layers().zip(self.spreads.layers()).fold(input, |x, (mean, spread)| {
            let (inputs, units) = (mean.inputs, mean.units);
            let centre = {
                let weights = tape.parameter(parameters, mean.weights, inputs, units);
                let bias = tape.parameter(parameters, mean.bias, 1, units);
                tape.dense(x, weights, bias, Activation::Identity)
            };
            let variance = {
                let weights = variance(tape, parameters, spread.weights, inputs, units);
                let bias = variance(tape, parameters, spread.bias, 1, units);
                let squares = tape.square(x);
                tape.dense(squares, weights, bias, Activation::Identity)
            };
            let sd = tape.sqrt(variance);
            let noise = tape.constant_from(rows, units, |out| fill_standard_normal(out, rng));
            let deviation = tape.multiply(sd, noise);
            let activation = tape.add(centre, deviation); // (4)
            match mean.activation {
                Activation::Relu => tape.relu(activation),
                _ => activation,
            }
        })
    }

    /// The Kullback-Leibler divergence (3) from the prior, 1 × 1.
    pub fn divergence(&self, tape: &mut Tape, parameters: &[f64]) -> Var {
        let weights = self.weights();
        let means = tape.parameter(parameters, 0, weights, 1);
        let variances = variance(tape, parameters, weights, weights, 1);
        let squares = tape.square(means);
        let spread = tape.add(squares, variances);
        let precision = self.prior_sd.powi(-2);
        let spread = tape.affine(spread, 0.5 * precision, self.prior_sd.ln() - 0.5);
        let logarithm = tape.ln(variances);
        let logarithm = tape.scale(logarithm, 0.5);
        let each = tape.subtract(spread, logarithm);
        tape.sum(each) // (3)
    }

    /// The outputs of one network that is drawn from the posterior, at each row of `features` (n ×
    /// d).
    pub fn drawn_function(
        &self,
        parameters: &[f64],
        features: ArrayView2<f64>,
        rng: &mut Rng,
    ) -> Array1<f64> {
        let (means, rest) = parameters.split_at(self.weights());
        let mut drawn = vec![0.0; means.len()];
        fill_standard_normal(&mut drawn, rng);
        for (w, (mean, raw)) in drawn.iter_mut().zip(means.iter().zip(rest)) {
            *w = mean + softplus(*raw) * *w; // (1)
        }
        self.means.predict(&drawn, features).column(0).to_owned()
    }
}

/// σ² of a block of parameters ρ.
fn variance(tape: &mut Tape, parameters: &[f64], at: usize, rows: usize, columns: usize) -> Var {
    let raw = tape.parameter(parameters, at, rows, columns);
    let sd = tape.softplus(raw);
    tape.square(sd)
}
