//! Chain layers, and evaluate the evidence lower bound of a batch and its gradient.
//!
//! ```text
//! h⁰ = x,  h^l = m^l(h^{l−1}) + μ^l(h^{l−1}) + √v^l(h^{l−1}) ∘ ε^l,  ε^l ~ N(0, I)             (1)
//! E ln p(y | f) = −½ ln 2πσ² − [(y − μ^L)² + v^L] / 2σ²                                       (2)
//! ELBO = c Σ_batch E ln p(y | f) − Σ_l KL(q(v^l) ‖ N(0, I))                                   (3)
//! ```
//!
//! The number of batches of an epoch is c: the mean of (3) over them is the bound of all rows,
//! whatever their sizes. With one layer nothing is drawn: (3) is Hensman, Fusi & Lawrence's bound.
//!
//! The rows of a batch are independent given the parameters. So the sum over them goes [`CHUNK`]
//! rows at a time, through all layers and back: what a chunk needs stays in the processor's cache,
//! whatever the batch's size.

use std::f64::consts::PI;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use super::backward::BackwardWork;
use super::layer::{Layer, LayerWork};
use crate::FitError;
use crate::state::require;
use uq_core::math::random::Rng;
use uq_math::matrix_product::Real;
use uq_math::normal_draws::fill_standard_normal;

/// Layers, the last of which has one output, and normal noise of variance σ² = floor + exp ρ; ρ is
/// the last parameter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::gp) struct Network {
    pub(super) layers: Vec<Layer>,
    pub(super) noise_floor: f64,
    /// Whether each input of a layer has a length scale of its own.
    pub(super) ard: bool,
}

/// Rows that pass through all layers at once.
pub(super) const CHUNK: usize = 128;

/// Rows of a standardised table.
pub(super) struct Batch<'a> {
    /// The table's features, n × d.
    pub x: ArrayView2<'a, f64>,
    /// The table's targets, n.
    pub y: &'a [f64],
    /// The batch's rows, B.
    pub rows: &'a [usize],
    /// c.
    pub share: f64,
}

/// Memory of one evaluation; reused from step to step. `T` is the precision of the products with
/// the factors S.
pub(in crate::gp) struct NetworkWork<T> {
    pub(super) layers: Vec<LayerWork<T>>,
    back: BackwardWork<T>,
    /// A chunk's features, d × rows, and its targets.
    inputs: Vec<f64>,
    targets: Vec<f64>,
    /// Gradients by a layer's means, variances and inputs, width × B.
    means_bar: Vec<f64>,
    variances_bar: Vec<f64>,
    inputs_bar: Vec<f64>,
}

impl Network {
    /// Checks a network that was read: it has the `features` and one output, and as many parameters
    /// as belong to it.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, features: usize, parameters: usize) -> Result<(), String> {
        let (mut inputs, mut at) = (features, 0);
        for layer in &self.layers {
            layer.check(inputs, at, parameters)?;
            (inputs, at) = (layer.outputs, layer.end());
        }
        require(
            !self.layers.is_empty() && inputs == 1 && at.checked_add(1) == Some(parameters),
            "other parameters",
        )
    }

    /// The number of parameters.
    pub fn end(&self) -> usize {
        self.noise() + 1
    }

    /// Where the inputs of a layer share one length scale, replaces its derivatives by ln ℓ_1, …,
    /// ln ℓ_d by their sum, the derivative by the shared one: length scales that are equal at the
    /// start then stay equal.
    pub(super) fn tie(&self, gradient: &mut [f64]) {
        for layer in self.layers.iter().filter(|_| !self.ard) {
            let scales = &mut gradient[layer.ln_scales()];
            let sum = scales.iter().sum();
            scales.fill(sum);
        }
    }

    /// The index of ρ.
    pub fn noise(&self) -> usize {
        self.layers.last().map_or(0, Layer::end)
    }

    /// σ².
    pub fn noise_variance(&self, theta: &[f64]) -> f64 {
        self.noise_floor + theta[self.noise()].exp()
    }

    /// Memory for chunks of at most this many rows.
    pub fn work<T: Real>(&self, columns: usize) -> NetworkWork<T> {
        let inputs = self.layers.first().map_or(0, |layer| layer.inputs);
        let width =
            self.layers.iter().map(|layer| layer.inputs.max(layer.outputs)).max().unwrap_or(0)
                * columns;
        NetworkWork {
            layers: self.layers.iter().map(|layer| LayerWork::new(layer, columns)).collect(),
            back: BackwardWork::new(&self.layers, columns),
            inputs: vec![0.0; inputs * columns],
            targets: vec![0.0; columns],
            means_bar: vec![0.0; width],
            variances_bar: vec![0.0; width],
            inputs_bar: vec![0.0; width],
        }
    }

    /// Computes what does not depend on the batch.
    ///
    /// # Errors
    /// As [`Layer::prepare`].
    pub fn prepare<T: Real>(
        &self,
        theta: &[f64],
        work: &mut NetworkWork<T>,
    ) -> Result<(), FitError> {
        self.layers
            .iter()
            .zip(&mut work.layers)
            .try_for_each(|(layer, work)| layer.prepare(theta, work))
    }

    /// Draws ε of all layers but the last.
    pub fn draw<T>(&self, columns: usize, work: &mut NetworkWork<T>, rng: &mut Rng) {
        let inner = self.layers.len() - 1;
        for (layer, work) in self.layers.iter().zip(&mut work.layers).take(inner) {
            fill_standard_normal(&mut work.draws[..layer.outputs * columns], rng);
        }
    }

    /// Eq. (1), with the draws of [`Self::draw`], after [`Self::prepare`]; the last layer's means
    /// and variances (B each).
    pub fn propagate<'a, T: Real>(
        &self,
        theta: &[f64],
        inputs: &[f64],
        columns: usize,
        work: &'a mut NetworkWork<T>,
    ) -> (&'a [f64], &'a [f64]) {
        for (l, layer) in self.layers.iter().enumerate() {
            let (before, own) = work.layers.split_at_mut(l);
            let given = before.last().map_or(inputs, |before| &before.drawn);
            layer.propagate(theta, &given[..layer.inputs * columns], columns, &mut own[0]);
            if l + 1 < self.layers.len() {
                layer.draw(columns, &mut own[0]);
            }
        }
        let last = &work.layers[self.layers.len() - 1];
        (&last.drawn[..columns], &last.variances[..columns])
    }

    /// −(3) of a batch, with draws from `rng`; overwrites `gradient` with its gradient.
    ///
    /// # Errors
    /// As [`Layer::prepare`].
    pub(super) fn loss<T: Real>(
        &self,
        theta: &[f64],
        batch: &Batch,
        work: &mut NetworkWork<T>,
        gradient: &mut [f64],
        rng: &mut Rng,
    ) -> Result<f64, FitError> {
        self.prepare(theta, work)?;
        gradient.fill(0.0);
        let room = work.targets.len();
        let mut loss = 0.0;
        for rows in batch.rows.chunks(room) {
            loss += self.chunk_loss(theta, &Batch { rows, ..*batch }, work, gradient, rng);
        }
        for (layer, own) in self.layers.iter().zip(&mut work.layers) {
            layer.finish_backward(theta, own, &mut work.back, gradient);
            loss += layer.divergence(theta, Some(gradient));
        }
        Ok(loss)
    }

    /// −c Σ of (2) over a chunk of rows, after [`Self::prepare`]; adds its gradient to `gradient`,
    /// and to what [`Layer::finish_backward`] needs.
    fn chunk_loss<T: Real>(
        &self,
        theta: &[f64],
        chunk: &Batch,
        work: &mut NetworkWork<T>,
        gradient: &mut [f64],
        rng: &mut Rng,
    ) -> f64 {
        let columns = chunk.rows.len();
        gather(chunk, &mut work.inputs, &mut work.targets);
        self.draw(columns, work, rng);
        let inputs = std::mem::take(&mut work.inputs);
        self.propagate(theta, &inputs, columns, work);
        work.inputs = inputs;
        let loss = self.misfit(theta, columns, chunk.share, work, gradient);
        for (l, layer) in self.layers.iter().enumerate().rev() {
            let count = layer.outputs * columns;
            if l + 1 < self.layers.len() {
                // h = m + √v ε.
                let own = &work.layers[l];
                work.means_bar[..count].copy_from_slice(&work.inputs_bar[..count]);
                let noise = own.draws.iter().zip(&own.variances).zip(&work.means_bar[..count]);
                for (to, ((draw, variance), bar)) in work.variances_bar.iter_mut().zip(noise) {
                    *to = 0.5 * bar * draw / variance.sqrt();
                }
            }
            let bars = (&work.means_bar[..count], &work.variances_bar[..count]);
            let inputs_bar = &mut work.inputs_bar[..layer.inputs * columns];
            layer.backward(
                theta,
                bars,
                &mut work.layers[l],
                &mut work.back,
                (gradient, inputs_bar),
            );
        }
        loss
    }

    /// −c Σ of (2) over `columns` rows; adds its gradient by ρ, and sets those by the last layer's
    /// means and variances.
    fn misfit<T>(
        &self,
        theta: &[f64],
        columns: usize,
        share: f64,
        work: &mut NetworkWork<T>,
        gradient: &mut [f64],
    ) -> f64 {
        let variance = self.noise_variance(theta);
        let precision = 1.0 / variance;
        let last = &work.layers[self.layers.len() - 1];
        let mut squares = 0.0;
        let bars = work.means_bar.iter_mut().zip(&mut work.variances_bar);
        let targets = &work.targets[..columns];
        for (((y, mean), v), (mean_bar, v_bar)) in
            targets.iter().zip(&last.drawn).zip(&last.variances).zip(bars)
        {
            let error = mean - y;
            squares += error * error + v;
            *mean_bar = share * precision * error;
            *v_bar = 0.5 * share * precision;
        }
        let count = columns as f64;
        let by_variance = 0.5 * share * precision * (count - squares * precision);
        gradient[self.noise()] += by_variance * theta[self.noise()].exp();
        0.5 * share * (count * (2.0 * PI * variance).ln() + squares * precision) // (2)
    }
}

/// Copies a chunk's features to columns, d × rows, and its targets.
fn gather(chunk: &Batch, inputs: &mut [f64], targets: &mut [f64]) {
    let columns = chunk.rows.len();
    for (b, &row) in chunk.rows.iter().enumerate() {
        targets[b] = chunk.y[row];
        for (k, value) in chunk.x.row(row).iter().enumerate() {
            inputs[k * columns + b] = *value;
        }
    }
}
