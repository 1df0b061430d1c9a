//! State the negative log posterior of the hyper-functions' parameters, and its gradient.
//!
//! ```text
//! −log p(y | X, φ) = ½ (y − m)ᵀ K⁻¹ (y − m) + ½ ln |K| + n/2 ln 2π,   K = K_f + diag ω² + jitter I
//! objective = −[log p(y | X, φ) + log p(φ)]                                                    (7)
//! ```
//!
//! With [`SignalAt::ScaledInputs`](super::SignalAt) K_f is that of
//! [`scaled_signal`](super::scaled_signal).
//!
//! It is a pure function of the parameters and the rows: no evaluation depends on an earlier one.

use faer::traits::pulp::{Arch, Simd, WithSimd};
use ndarray::ArrayView2;

use super::gibbs::{RowFunctions, RowSlopes, add_noise, fill, pull_back};
use super::latent::{FixedLatent, Latent};
use super::layout::{Layout, MEAN};
use super::priors::add_log_prior;
use super::scaled_signal::ScaledSignal;
use super::tiles::{Lane, Panels, SIDE, Tile, add_product, invert, zeros};
use super::{LatentValues, NonstationaryGpParameters, SignalAt};
use uq_core::math::special::LN_SQRT_2PI;
use uq_core::math::vectorised::{exp, sum};

/// Rows in lanes, input by input; places beyond the last row hold `rest`.
pub(super) fn lanes(values: impl Iterator<Item = f64>, count: usize, rest: f64) -> Vec<Lane> {
    let mut lanes = vec![[rest; SIDE]; count];
    for (i, value) in values.enumerate() {
        lanes[i / SIDE][i % SIDE] = value;
    }
    lanes
}

/// The inputs X (n × D) in lanes, input by input.
pub(super) fn input_lanes(x: ArrayView2<f64>) -> Vec<Lane> {
    let count = x.nrows().div_ceil(SIDE);
    x.columns().into_iter().flat_map(|column| lanes(column.iter().copied(), count, 0.0)).collect()
}

/// The objective over fixed rows, with room for its evaluation.
pub(super) struct Objective {
    parameters: NonstationaryGpParameters,
    layout: Layout,
    rows: usize,
    target: Vec<Lane>,
    latent: Latent,
    /// ln h, then the derivatives by it, function by function.
    logs: Vec<Lane>,
    functions: RowFunctions,
    /// σ, where it is evaluated at scaled inputs; `latent` has the other functions alone.
    scaled: Option<ScaledSignal>,
    slopes: RowSlopes,
    kernel: Vec<Tile>,
    inverse: Vec<Tile>,
    panels: Panels,
    residual: Vec<Lane>,
    alpha: Vec<Lane>,
    /// The gradient at the point that was evaluated last.
    pub gradient: Vec<f64>,
}

impl Objective {
    /// For the rows x (n × D) with targets y (n).
    pub fn new(
        parameters: &NonstationaryGpParameters,
        layout: &Layout,
        x: ArrayView2<f64>,
        y: &[f64],
    ) -> Self {
        let (n, dims) = x.dim();
        let (count, functions) = (n.div_ceil(SIDE), layout.functions.len());
        let room = |count: usize| vec![[0.0; SIDE]; count];
        let inputs = input_lanes(x);
        let scaled = (parameters.signal_at == SignalAt::ScaledInputs)
            .then(|| ScaledSignal::new(layout, parameters.jitter, count));
        let of_rows = if scaled.is_some() { layout.without_signal() } else { layout.clone() };
        let mut latent =
            Latent::new(&of_rows, parameters.jitter, parameters.fixed_latent(x), count);
        if parameters.latent_values == LatentValues::EveryRow {
            latent.project(&inputs);
        }
        Self {
            parameters: *parameters,
            layout: layout.clone(),
            rows: n,
            target: lanes(y.iter().copied(), count, 0.0),
            latent,
            logs: room(functions * count),
            functions: RowFunctions {
                count,
                inputs,
                length_scale: room(dims * count),
                signal: room(count),
                noise: room(count),
            },
            scaled,
            slopes: RowSlopes::new(count, dims),
            kernel: zeros(count),
            inverse: zeros(count),
            panels: Panels::new(count),
            residual: room(count),
            alpha: room(count),
            gradient: vec![0.0; layout.len],
        }
    }

    /// The objective at `theta`; its gradient is then in [`Objective::gradient`]. `None` where K is
    /// not numerically positive definite or the objective is not finite.
    pub fn evaluate(&mut self, theta: &[f64]) -> Option<f64> {
        Arch::new().dispatch(Evaluation { objective: self, theta })
    }

    #[inline(always)]
    fn evaluate_inlined(&mut self, theta: &[f64]) -> Option<f64> {
        let (count, dims) = (self.functions.count, self.layout.dims);
        self.latent.evaluate(theta, &self.functions.inputs, &mut self.logs);
        let power = self.parameters.noise_is.power();
        if self.scaled.is_some() {
            // Each pair of rows has factors of its own.
            self.logs[dims * count..(dims + 1) * count].fill([0.0; SIDE]);
        }
        fill_functions(&mut self.functions, &self.logs, power, self.rows);
        fill(&mut self.kernel, &self.functions);
        if let Some(scaled) = &mut self.scaled {
            scaled.multiply(theta, &self.functions, &mut self.kernel);
        }
        self.inverse.copy_from_slice(&self.kernel);
        add_noise(&mut self.inverse, &self.functions.noise, self.parameters.jitter);
        // Rows beyond n have the diagonal 1 + jitter, which is no part of the model.
        let beyond = (SIDE * count - self.rows) as f64 * (1.0 + self.parameters.jitter).ln();
        let ln_determinant = invert(&mut self.inverse, &mut self.panels)? - beyond;
        for (i, (residual, target)) in self.residual.iter_mut().zip(&self.target).enumerate() {
            for c in 0..SIDE {
                residual[c] = if i * SIDE + c < self.rows { target[c] - theta[MEAN] } else { 0.0 };
            }
        }
        self.alpha.fill([0.0; SIDE]);
        add_product(&mut self.alpha, &self.inverse, &self.residual);
        let (mut square, mut total) = ([0.0; SIDE], [0.0; SIDE]);
        for (alpha, residual) in self.alpha.iter().zip(&self.residual) {
            for c in 0..SIDE {
                square[c] += alpha[c] * residual[c];
                total[c] += alpha[c];
            }
        }
        let value = 0.5 * sum(&square) + 0.5 * ln_determinant + self.rows as f64 * LN_SQRT_2PI;
        pull_back(&mut self.slopes, &self.kernel, &self.inverse, &self.alpha, &self.functions);
        self.gradient.fill(0.0);
        if let Some(scaled) = &mut self.scaled {
            let matrices = (&self.kernel[..], &self.inverse[..], &self.alpha[..]);
            scaled.pull_back(
                theta,
                matrices,
                &self.functions,
                &mut self.slopes,
                &mut self.gradient,
            );
        }
        let (scales, others) = self.logs.split_at_mut(dims * count);
        let (signal, noise) = others.split_at_mut(count);
        scales.copy_from_slice(&self.slopes.length_scale);
        signal.copy_from_slice(&self.slopes.signal);
        for (i, noise) in noise.iter_mut().enumerate() {
            let (variances, slopes) = (&self.functions.noise[i], &self.slopes.noise[i]);
            for c in 0..SIDE {
                let slope = power * variances[c] * slopes[c];
                noise[c] = if i * SIDE + c < self.rows { slope } else { 0.0 };
            }
        }
        self.gradient[MEAN] = -sum(&total);
        self.latent.pull_back(theta, &self.functions.inputs, &self.logs, &mut self.gradient, None);
        let log_prior = add_log_prior(&self.parameters, &self.layout, theta, &mut self.gradient);
        Some(value - log_prior).filter(|value| value.is_finite()) // (7)
    }
}

/// h = exp(ln h), and ω² = exp(`power` · ln ω).
#[inline(always)]
pub(super) fn fill_functions(functions: &mut RowFunctions, logs: &[Lane], power: f64, rows: usize) {
    let count = functions.count;
    let (scales, others) = logs.split_at(functions.length_scale.len());
    for (k, (to, from)) in functions.length_scale.iter_mut().zip(scales).enumerate() {
        for c in 0..SIDE {
            let value = exp(from[c]);
            to[c] = if (k % count) * SIDE + c < rows { value } else { 1.0 };
        }
    }
    let (signals, noises) = others.split_at(count);
    let lanes =
        functions.signal.iter_mut().zip(&mut functions.noise).zip(signals.iter().zip(noises));
    for (i, ((signal, noise), (ln_signal, ln_noise))) in lanes.enumerate() {
        for c in 0..SIDE {
            let within = i * SIDE + c < rows;
            signal[c] = if within { exp(ln_signal[c]) } else { 0.0 };
            noise[c] = if within { exp(power * ln_noise[c]) } else { 1.0 };
        }
    }
}

struct Evaluation<'a> {
    objective: &'a mut Objective,
    theta: &'a [f64],
}

impl WithSimd for Evaluation<'_> {
    type Output = Option<f64>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Option<f64> {
        self.objective.evaluate_inlined(self.theta)
    }
}

impl NonstationaryGpParameters {
    /// The latent kernels of values at every training row, where this is requested.
    pub(super) fn fixed_latent(&self, x: ArrayView2<f64>) -> Option<FixedLatent> {
        (self.latent_values == LatentValues::EveryRow).then(|| FixedLatent {
            length_scale: self.latent_length_scale,
            variance: self.latent_variance,
            inputs: x.iter().copied().collect(),
        })
    }
}
