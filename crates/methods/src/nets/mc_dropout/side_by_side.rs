//! Compute loss and gradient of several networks with dropout on one batch.
//!
//! ```text
//! loss = mean of ½ (y_i − ŷ(x_i))² + λ (‖W₁‖² + ‖W₂‖²),  ŷ(x) = (z₂ ⊙ a((z₁ ⊙ x) W₁ + b₁)) W₂ + b₂
//! ```
//!
//! The networks share the batch and the random numbers of its masks: a unit of a row whose number
//! is below a network's rate is dropped in this network. So the numbers are drawn once for all
//! networks, and networks of one rate have the same masks. Each network alone is trained as if
//! there were no others.
//!
//! The derivatives are written by hand, because on a tape most of the time passes between the two
//! products of a step: one step of 128 rows, 13 inputs and 50 hidden units took four times as long.

use faer::Accum;
use faer::traits::pulp::{Arch, Simd, WithSimd};
use ndarray::ArrayView2;
use rand::RngExt;

use crate::nets::gather::append_row;
use crate::nets::{Batch, Layer, Mlp};
use uq_math::autodiff::{Bend, Bent};
use uq_math::matrix_product::{Factor, dot, multiply};

/// Rows whose hidden units stay in the fastest cache.
const BLOCK: usize = 64;

/// Values of a random number that decides on one unit: 16 bits.
const DRAWS: f64 = 65_536.0;

/// Dropout and decay of one network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Setting {
    /// Probability p of dropping a unit, which is rounded to 2⁻¹⁶.
    pub rate: f64,
    /// N λ, N being the number of training rows.
    pub decay: f64,
}

/// Networks of the same shape and the memory of their steps.
pub(super) struct SideBySide<'a> {
    features: ArrayView2<'a, f64>,
    target: ArrayView2<'a, f64>,
    layers: Vec<Layer>,
    /// Parameters of one network.
    size: usize,
    settings: &'a [Setting],
    /// Whether inputs are dropped like hidden units.
    drop_inputs: bool,
    memory: Memory,
}

/// Numbers of one batch of n rows.
#[derive(Default)]
struct Memory {
    /// Random numbers of the inputs, then of the hidden units.
    draws: Vec<u16>,
    /// n × (d + 1): the inputs, and 1, the input of the biases.
    inputs: Vec<f64>,
    /// The inputs times their masks.
    masked: Vec<f64>,
    /// n.
    target: Vec<f64>,
    /// Masks of the hidden units, n × h.
    mask: Vec<f64>,
    /// Hidden units, then the derivatives by them, n × h.
    hidden: Vec<f64>,
    /// Output weights times the masks of one row, h.
    masked_weights: Vec<f64>,
}

impl<'a> SideBySide<'a> {
    /// Networks of the shape of `net` (d inputs, one hidden layer, one output) for rows of
    /// `features` (N × d) and `target` (N × 1).
    pub fn new(
        features: ArrayView2<'a, f64>,
        target: ArrayView2<'a, f64>,
        net: &Mlp,
        settings: &'a [Setting],
        drop_inputs: bool,
    ) -> Self {
        let layers = net.layers().collect();
        Self {
            features,
            target,
            layers,
            size: net.end(),
            settings,
            drop_inputs,
            memory: Memory::default(),
        }
    }

    /// The mean of the networks' losses, whose parameters follow each other in `theta`. Writes the
    /// derivatives of each network's loss to `gradient`.
    pub fn slope(&mut self, theta: &[f64], batch: &mut Batch, gradient: &mut [f64]) -> f64 {
        let Self { features, target, layers, size, settings, drop_inputs, memory } = self;
        memory.take(features, target, batch, layers[0].units);
        gradient.fill(0.0);
        let networks =
            theta.chunks_exact(*size).zip(gradient.chunks_exact_mut(*size)).zip(settings.iter());
        let mut masks_of = None;
        let mut total = 0.0;
        for ((theta, gradient), setting) in networks {
            if masks_of.replace(setting.rate) != Some(setting.rate) {
                memory.mask(setting.rate, features.ncols(), *drop_inputs);
            }
            total += memory.squared_error(&layers[0], &layers[1], theta, gradient);
            let decay = setting.decay / batch.training_rows as f64;
            for places in layers.iter().map(|layer| layer.weights..layer.bias) {
                total += Arch::new().dispatch(Decay {
                    decay,
                    weights: &theta[places.clone()],
                    by: &mut gradient[places],
                });
            }
        }
        total / settings.len() as f64
    }
}

impl Memory {
    /// Takes the rows of a batch, and draws the numbers of their masks.
    fn take(
        &mut self,
        features: &ArrayView2<f64>,
        target: &ArrayView2<f64>,
        batch: &mut Batch,
        hidden: usize,
    ) {
        let (rows, columns) = (batch.rows.len(), features.ncols());
        self.draws.resize(rows * (columns + hidden), 0);
        batch.rng.fill(&mut self.draws[..]);
        self.inputs.clear();
        self.target.clear();
        for &row in batch.rows {
            append_row(&mut self.inputs, features, row);
            self.inputs.push(1.0);
            self.target.push(target[(row, 0)]);
        }
        self.masked.resize(self.inputs.len(), 0.0);
        self.mask.resize(rows * hidden, 0.0);
        self.hidden.resize(rows * hidden, 0.0);
        self.masked_weights.resize(hidden, 0.0);
    }

    /// Masks the inputs, if they are dropped, and writes the masks of the hidden units: 0 of
    /// probability p = `rate`, and 1/(1 − p) else.
    fn mask(&mut self, rate: f64, columns: usize, drop_inputs: bool) {
        let (of_inputs, of_hidden) = self.draws.split_at(self.target.len() * columns);
        let factor = Factors::new(rate);
        Arch::new().dispatch(Masks { factor, draws: of_hidden, masks: &mut self.mask });
        self.masked.copy_from_slice(&self.inputs);
        if !drop_inputs {
            return;
        }
        // The input of the biases, the last one of a row, is never dropped.
        let rows =
            self.masked.chunks_exact_mut(columns + 1).zip(of_inputs.chunks_exact(columns.max(1)));
        for (row, draws) in rows {
            row.iter_mut().zip(draws).for_each(|(input, draw)| *input *= factor.of(*draw));
        }
    }

    /// The mean of ½ (y − ŷ)², and adds its derivatives to `gradient`. W and b of a layer follow
    /// each other, so that they are the factor of inputs with a column of ones.
    fn squared_error(
        &mut self,
        first: &Layer,
        second: &Layer,
        theta: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let Self { masked, target, mask, hidden, masked_weights, .. } = self;
        let (inputs, units, share) = (first.inputs + 1, first.units, 1.0 / target.len() as f64);
        let places = first.weights..first.bias + units;
        let (weights, bias) = (&theta[second.weights..second.bias], theta[second.bias]);
        let (of_first, of_second) = gradient.split_at_mut(second.weights);
        let blocks = masked.chunks(BLOCK * inputs).zip(hidden.chunks_mut(BLOCK * units));
        let mut loss = 0.0;
        for ((masked, hidden), (mask, target)) in
            blocks.zip(mask.chunks(BLOCK * units).zip(target.chunks(BLOCK)))
        {
            let masked = Factor::new(masked, target.len(), inputs);
            multiply(
                hidden,
                Accum::Replace,
                masked,
                Factor::new(&theta[places.clone()], inputs, units),
                1.0,
            );
            let output = Output {
                hidden,
                mask,
                target,
                weights,
                bias,
                masked_weights,
                share,
                gradient: of_second,
            };
            loss += first.activation.run(output);
            let by_hidden = Factor::new(hidden, target.len(), units);
            multiply(&mut of_first[places.clone()], Accum::Add, masked.transpose(), by_hidden, 1.0);
        }
        loss
    }
}

/// The two values of a mask.
#[derive(Clone, Copy)]
struct Factors {
    dropped_below: u16,
    kept: f64,
}

impl Factors {
    /// The mean of a mask is 1 at the rounded rate.
    fn new(rate: f64) -> Self {
        let dropped = (rate * DRAWS).round();
        Self { dropped_below: dropped as u16, kept: DRAWS / (DRAWS - dropped) }
    }

    #[inline(always)]
    fn of(self, draw: u16) -> f64 {
        if draw < self.dropped_below { 0.0 } else { self.kept }
    }
}

/// Masks from random numbers.
struct Masks<'a> {
    factor: Factors,
    draws: &'a [u16],
    masks: &'a mut [f64],
}

impl WithSimd for Masks<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (mask, draw) in self.masks.iter_mut().zip(self.draws) {
            *mask = self.factor.of(*draw);
        }
    }
}

/// The output unit, ŷ = (z ⊙ a) w + b.
struct Output<'a> {
    /// The sums that the activation takes; they are replaced by the derivatives by them.
    hidden: &'a mut [f64],
    mask: &'a [f64],
    target: &'a [f64],
    weights: &'a [f64],
    bias: f64,
    /// Memory for z ⊙ w of one row.
    masked_weights: &'a mut [f64],
    /// One over the rows of the batch.
    share: f64,
    /// The derivatives by w and b are added to it.
    gradient: &'a mut [f64],
}

impl Bent for Output<'_> {
    /// The sum of ½ (y − ŷ)² times the share.
    type Output = f64;

    #[inline(always)]
    fn run<B: Bend, S: Simd>(self, simd: S) -> f64 {
        let Self { hidden, mask, target, weights, bias, masked_weights, share, gradient } = self;
        let units = weights.len();
        let (by_weights, by_bias) = gradient.split_at_mut(units);
        let rows = hidden.chunks_exact_mut(units).zip(mask.chunks_exact(units)).zip(target);
        let mut loss = 0.0;
        for ((hidden, mask), y) in rows {
            B::replace(simd, hidden);
            for ((to, z), w) in masked_weights.iter_mut().zip(mask).zip(weights) {
                *to = z * w;
            }
            let error = dot(hidden, masked_weights) + bias - y;
            let pull = share * error;
            loss += 0.5 * pull * error;
            by_bias[0] += pull;
            for (((a, g), z), w) in
                hidden.iter_mut().zip(&mut *by_weights).zip(mask).zip(&*masked_weights)
            {
                *g += pull * z * *a;
                *a = pull * w * B::slope(*a);
            }
        }
        loss
    }
}

/// λ ‖w‖², and its derivatives added to `by`.
struct Decay<'a> {
    decay: f64,
    weights: &'a [f64],
    by: &'a mut [f64],
}

impl WithSimd for Decay<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        for (by, w) in self.by.iter_mut().zip(self.weights) {
            *by += 2.0 * self.decay * w;
        }
        self.decay * dot(self.weights, self.weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::Part;
    use ndarray::Array2;
    use rand::SeedableRng;
    use uq_core::math::random::Rng;
    use uq_math::autodiff::{Activation, Tape};

    #[test]
    fn loss_and_gradient_are_those_of_a_tape_under_the_same_masks() {
        let mut rng = Rng::seed_from_u64(3);
        let mut number = || rng.random::<f64>() - 0.5;
        let (x, y) = (
            Array2::from_shape_simple_fn((9, 3), &mut number),
            Array2::from_shape_simple_fn((9, 1), &mut number),
        );
        let settings =
            [(0.3, 0.7), (0.3, 0.0), (0.1, 2.0)].map(|(rate, decay)| Setting { rate, decay });
        for activation in [Activation::Relu, Activation::Tanh, Activation::Identity] {
            let net = Mlp::new(&[3, 11, 1], activation);
            let theta: Vec<f64> = (0..3 * net.end()).map(|_| number()).collect();
            let rows = [4, 0, 7, 8, 2];
            let mut batch_rng = Rng::seed_from_u64(8);
            let mut draws = [0_u16; 5 * (3 + 11)];
            batch_rng.clone().fill(&mut draws[..]);
            let batch = &mut Batch {
                rows: &rows,
                part: Part::Training,
                training_rows: 20,
                epoch: 0,
                rng: &mut batch_rng,
            };
            let mut found = vec![9.0; theta.len()];
            let loss = SideBySide::new(x.view(), y.view(), &net, &settings, true)
                .slope(&theta, batch, &mut found);
            let mut sum = 0.0;
            let all =
                theta.chunks_exact(net.end()).zip(found.chunks_exact(net.end())).zip(settings);
            for ((theta, found), Setting { rate, decay }) in all {
                let factor = Factors::new(rate);
                let masks: Vec<f64> = draws.iter().map(|draw| factor.of(*draw)).collect();
                let mut tape = Tape::new();
                let mut value = tape.constant_rows(x.view(), &rows);
                let mut squares = tape.constant(1, 1, &[0.0]);
                for (layer, masks) in net.layers().zip([&masks[..15], &masks[15..]]) {
                    let mask = tape.constant(5, layer.inputs, masks);
                    value = tape.multiply(value, mask);
                    value = net.layer(&mut tape, theta, layer, value);
                    let weights = tape.parameter(theta, layer.weights, layer.inputs, layer.units);
                    let square = tape.square(weights);
                    let square = tape.sum(square);
                    squares = tape.add(squares, square);
                }
                let target = tape.constant_rows(y.view(), &rows);
                let error = tape.squared_error(value, target);
                let error = tape.mean(error);
                let error = tape.scale(error, 0.5);
                let squares = tape.scale(squares, decay / 20.0);
                let total = tape.add(error, squares);
                sum += tape.scalar(total);
                let mut expected = vec![0.0; theta.len()];
                tape.backward(total, &mut expected);
                for (found, expected) in found.iter().zip(&expected) {
                    assert!(
                        (found - expected).abs() < 1e-14,
                        "{activation:?}, rate {rate}: {found} against {expected}"
                    );
                }
            }
            assert!(
                (loss - sum / 3.0).abs() < 1e-14,
                "{activation:?}: {loss} against {}",
                sum / 3.0
            );
        }
    }

    #[test]
    fn a_mask_has_the_mean_one_and_its_rate_to_two_to_the_minus_sixteen() {
        for rate in [0.0, 0.005, 0.05, 0.95] {
            let factor = Factors::new(rate);
            let all: Vec<f64> = (0..=u16::MAX).map(|draw| factor.of(draw)).collect();
            let dropped = all.iter().filter(|mask| **mask == 0.0).count() as f64 / DRAWS;
            assert!((dropped - rate).abs() <= 0.5 / DRAWS, "{dropped} against {rate}");
            assert!((factor.kept * (1.0 - dropped) - 1.0).abs() < 1e-15, "the mean of a mask is 1");
        }
    }
}
