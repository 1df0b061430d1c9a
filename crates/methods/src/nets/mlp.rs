//! Describe a network of dense layers: shapes, random start, forward pass on a tape, and prediction
//! without one.
//!
//! The parameters of all layers are in one flat slice, layer by layer: W (inputs × units, row by
//! row), then b (units).
//!
//! # References
//! Y. LeCun, L. Bottou, G. B. Orr, K.-R. Müller: *Efficient backprop*, Neural Networks: Tricks of
//! the Trade, 1998, section 4.6. X. Glorot, Y. Bengio: *Understanding the difficulty of training
//! deep feedforward neural networks*, AISTATS 2010, Eq. (16). K. He et al.: *Delving deep into
//! rectifiers*, ICCV 2015, Eq. (10).

use ndarray::{Array2, ArrayView2};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::state::require;
use uq_core::math::random::Rng;
use uq_math::autodiff::{Activation, Tape, Var, dense_layer};
use uq_math::matrix_product::Factor;

/// Rows that are predicted at once: few enough to stay in cache.
const BLOCK: usize = 256;

/// The shape of a network; its parameters are stored elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mlp {
    /// Numbers in each layer: inputs, hidden units, outputs.
    widths: Vec<usize>,
    hidden: Activation,
    /// Index of its first parameter in the flat slice.
    start: usize,
}

/// How the weights of a network are drawn before it is trained. At 40 to 400 epochs on small data
/// the start decides how far training comes, so a method takes that of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Uniform within ±√(6 / d) before a ReLU and ±√(6 / (d + h)) elsewhere; biases 0. The rule of
    /// the theory (He et al.; Glorot and Bengio), and no library's default.
    He,
    /// Uniform within ±√(6 / (d + h)) in every layer; biases 0: the default of Keras.
    Glorot,
    /// Uniform within ±1/√d, weights and biases: the default of Torch and PyTorch.
    FanIn,
}

/// Indices of a layer's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Number of inputs, d.
    pub inputs: usize,
    /// Number of outputs, h.
    pub units: usize,
    /// Place of W, d × h.
    pub weights: usize,
    /// Place of b, h.
    pub bias: usize,
    /// Its activation of x W + b.
    pub activation: Activation,
}

impl Mlp {
    /// A network of these `widths` (inputs, hidden units …, outputs) with `hidden` after every
    /// layer but the last.
    ///
    /// # Panics
    /// With fewer than two widths.
    pub fn new(widths: &[usize], hidden: Activation) -> Self {
        assert!(widths.len() >= 2, "a network has inputs and outputs");
        Self { widths: widths.to_vec(), hidden, start: 0 }
    }

    /// Checks a network that was read: it has the `inputs` and `outputs`, and its parameters lie
    /// within `parameters`.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, inputs: usize, outputs: usize, parameters: usize) -> Result<(), String> {
        let layer = |place: usize, pair: &[usize]| {
            let weights = pair[0].checked_mul(pair[1])?;
            place.checked_add(weights)?.checked_add(pair[1])
        };
        let end = self.widths.windows(2).try_fold(self.start, layer);
        let ends = self.widths.len() >= 2 && self.inputs() == inputs && self.outputs() == outputs;
        require(ends && end.is_some_and(|end| end <= parameters), "a network of another shape")
    }

    /// The same network with its parameters from place `start` on: behind another network's, or
    /// other parameters.
    #[must_use]
    pub fn starting_at(self, start: usize) -> Self {
        Self { start, ..self }
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.widths[0]
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.widths[self.widths.len() - 1]
    }

    /// The layers, the first one first.
    pub fn layers(&self) -> impl Iterator<Item = Layer> {
        let last = self.widths.len() - 2;
        let mut place = self.start;
        self.widths.windows(2).enumerate().map(move |(l, pair)| {
            let (inputs, units) = (pair[0], pair[1]);
            let bias = place + inputs * units;
            let activation = if l == last { Activation::Identity } else { self.hidden };
            let layer = Layer { inputs, units, weights: place, bias, activation };
            place = bias + units;
            layer
        })
    }

    /// Place of the first parameter behind the network's.
    pub fn end(&self) -> usize {
        self.layers().map(|layer| layer.bias + layer.units).last().unwrap_or(self.start)
    }

    /// Draws the network's weights and biases. Other parameters keep their values.
    pub fn draw_start(&self, start: Start, parameters: &mut [f64], rng: &mut Rng) {
        for Layer { inputs, units, weights, bias, activation } in self.layers() {
            let fans = |fan: usize| (6.0 / fan.max(1) as f64).sqrt();
            let limit = match start {
                Start::He if activation == Activation::Relu => fans(inputs),
                Start::He | Start::Glorot => fans(inputs + units), // Eq. (16)
                Start::FanIn => 1.0 / (inputs.max(1) as f64).sqrt(),
            };
            let mut draw = |values: &mut [f64]| {
                values
                    .iter_mut()
                    .for_each(|value| *value = limit * (2.0 * rng.random::<f64>() - 1.0));
            };
            draw(&mut parameters[weights..bias]);
            let biases = &mut parameters[bias..bias + units];
            if start == Start::FanIn { draw(biases) } else { biases.fill(0.0) }
        }
    }

    /// The outputs at the rows of `input` (n × inputs): n × outputs.
    pub fn forward(&self, tape: &mut Tape, parameters: &[f64], input: Var) -> Var {
        self.layers().fold(input, |x, layer| self.layer(tape, parameters, layer, x))
    }

    /// The output of one layer, for networks with other operations between their layers.
    pub fn layer(&self, tape: &mut Tape, parameters: &[f64], layer: Layer, input: Var) -> Var {
        let weights = tape.parameter(parameters, layer.weights, layer.inputs, layer.units);
        let bias = tape.parameter(parameters, layer.bias, 1, layer.units);
        tape.dense(input, weights, bias, layer.activation)
    }

    /// The outputs at each row of `features` (n × inputs), n × outputs: fast, without gradients.
    ///
    /// # Panics
    /// If `features` has another number of columns.
    pub fn predict(&self, parameters: &[f64], features: ArrayView2<f64>) -> Array2<f64> {
        assert_eq!(features.ncols(), self.inputs(), "the network has {} inputs", self.inputs());
        let widest = self.widths.iter().copied().max().unwrap_or(0);
        let (mut from, mut to) = (vec![0.0; BLOCK * widest], vec![0.0; BLOCK * widest]);
        let mut outputs = Vec::with_capacity(features.nrows() * self.outputs());
        for block in features.axis_chunks_iter(ndarray::Axis(0), BLOCK) {
            let rows = block.nrows();
            for (value, x) in from.iter_mut().zip(block.iter()) {
                *value = *x;
            }
            for Layer { inputs, units, weights, bias, activation } in self.layers() {
                let input = Factor::new(&from[..rows * inputs], rows, inputs);
                let (weights, bias) = (&parameters[weights..bias], &parameters[bias..bias + units]);
                dense_layer(&mut to[..rows * units], input, weights, bias, activation);
                std::mem::swap(&mut from, &mut to);
            }
            outputs.extend_from_slice(&from[..rows * self.outputs()]);
        }
        let columns = self.outputs();
        Array2::from_shape_fn((features.nrows(), columns), |(i, j)| outputs[i * columns + j])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn layers_follow_each_other_and_two_networks_share_a_slice() {
        let first = Mlp::new(&[3, 5, 2], Activation::Tanh);
        assert_eq!(first.end(), 3 * 5 + 5 + 5 * 2 + 2);
        let second = Mlp::new(&[1, 1], Activation::Relu).starting_at(first.end());
        assert_eq!((second.end(), second.inputs(), first.outputs()), (first.end() + 2, 1, 2));
        let mut parameters = vec![9.0; second.end()];
        second.draw_start(Start::He, &mut parameters, &mut Rng::seed_from_u64(1));
        assert!(
            parameters[..first.end()].iter().all(|&p| p == 9.0),
            "the first network is left alone"
        );
        first.draw_start(Start::He, &mut parameters, &mut Rng::seed_from_u64(1));
        assert!(parameters[..15].iter().all(|p| p.abs() <= (6.0_f64 / 8.0).sqrt()));
        assert_eq!(parameters[15..20], [0.0; 5]);
    }

    #[test]
    fn starting_weights_have_the_variance_of_their_scheme() {
        let net = Mlp::new(&[40, 500, 10], Activation::Relu);
        let mut parameters = vec![0.0; net.end()];
        let variance =
            |values: &[f64]| values.iter().map(|w| w * w).sum::<f64>() / values.len() as f64;
        let layers: Vec<Layer> = net.layers().collect();
        // A number that is uniform within ±a has variance a²/3.
        for (start, first, second, biases) in [
            (Start::He, 2.0 / 40.0, 2.0 / 510.0, 0.0),
            (Start::Glorot, 2.0 / 540.0, 2.0 / 510.0, 0.0),
            (Start::FanIn, 1.0 / 120.0, 1.0 / 1500.0, 1.0 / 120.0),
        ] {
            net.draw_start(start, &mut parameters, &mut Rng::seed_from_u64(3));
            let found = variance(&parameters[..layers[0].bias]);
            assert!((found / first - 1.0).abs() < 0.03, "{start:?}: {found}");
            let found = variance(&parameters[layers[1].weights..layers[1].bias]);
            assert!((found / second - 1.0).abs() < 0.06, "{start:?}: {found}");
            let found = variance(&parameters[layers[0].bias..layers[1].weights]);
            assert!((found - biases).abs() <= 0.1 * biases, "{start:?}: {found}");
        }
    }

    #[test]
    fn prediction_agrees_with_the_tape_over_blocks_and_odd_layouts() {
        let net = Mlp::new(&[3, 7, 4, 2], Activation::Sigmoid);
        let mut rng = Rng::seed_from_u64(3);
        let mut parameters = vec![0.0; net.end()];
        net.draw_start(Start::Glorot, &mut parameters, &mut rng);
        let features = Array2::from_shape_simple_fn((2 * BLOCK + 5, 3), || rng.random::<f64>());
        let mut tape = Tape::new();
        let rows: Vec<usize> = (0..features.nrows()).collect();
        let x = tape.constant_rows(features.view(), &rows);
        let y = net.forward(&mut tape, &parameters, x);
        let found = net.predict(&parameters, features.view());
        for (a, b) in found.iter().zip(tape.value(y)) {
            assert!((a - b).abs() < 1e-14);
        }
        let turned = features.t().to_owned();
        assert_eq!(net.predict(&parameters, turned.t()), found);
        assert_eq!(net.predict(&parameters, Array2::zeros((0, 3)).view()).dim(), (0, 2));
    }
}
