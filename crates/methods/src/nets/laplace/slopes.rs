//! Differentiate a network's output by its weights: the Jacobian of the linearised network.

use faer::Accum;
use ndarray::{Array2, ArrayView2};

use super::super::{Layer, Mlp};
use uq_math::autodiff::dense_layer;
use uq_math::matrix_product::{Factor, multiply};

/// Which weights the output is differentiated by: those of all layers, or of the last ones.
#[derive(Clone, Debug)]
pub(super) struct Slopes {
    layers: Vec<Layer>,
    /// The first layer whose weights count.
    first: usize,
}

impl Slopes {
    /// Of a network with one output, by the weights and biases of all layers or of the last one.
    pub fn new(net: &Mlp, last_alone: bool) -> Self {
        let layers: Vec<Layer> = net.layers().collect();
        let first = if last_alone { layers.len() - 1 } else { 0 };
        Self { layers, first }
    }

    /// Whether it is the weights of the last layer, of several.
    pub fn last_alone(&self) -> bool {
        self.first > 0
    }

    /// The places of these weights among all parameters.
    pub fn places(&self) -> std::ops::Range<usize> {
        let last = self.layers[self.layers.len() - 1];
        self.layers[self.first].weights..last.bias + last.units
    }

    /// J = ∂f(x)/∂θ at each row of x (n × inputs), n × weights, row by row.
    pub fn at(&self, parameters: &[f64], x: ArrayView2<f64>) -> Vec<f64> {
        let (n, places) = (x.nrows(), self.places());
        let columns = places.len();
        let mut values: Vec<Vec<f64>> = vec![x.iter().copied().collect()];
        for &Layer { inputs, units, weights, bias, activation } in &self.layers {
            let mut out = vec![0.0; n * units];
            let input = Factor::new(&values[values.len() - 1], n, inputs);
            let (weights, bias) = (&parameters[weights..bias], &parameters[bias..bias + units]);
            dense_layer(&mut out, input, weights, bias, activation);
            values.push(out);
        }
        let mut jacobian = vec![0.0; n * columns];
        // ∂f / ∂(x W + b) of the layer, n × its units. The output layer has one unit and no
        // activation.
        let mut slopes = vec![1.0; n];
        for (l, layer) in self.layers.iter().enumerate().skip(self.first).rev() {
            let (of_weights, of_bias) = (layer.weights - places.start, layer.bias - places.start);
            for i in 0..n {
                let row = &mut jacobian[i * columns..(i + 1) * columns];
                let own = &slopes[i * layer.units..(i + 1) * layer.units];
                row[of_bias..of_bias + layer.units].copy_from_slice(own);
                let inputs = &values[l][i * layer.inputs..(i + 1) * layer.inputs];
                for (input, to) in
                    inputs.iter().zip(row[of_weights..of_bias].chunks_exact_mut(layer.units))
                {
                    to.iter_mut().zip(own).for_each(|(to, slope)| *to = input * slope);
                }
            }
            if l > self.first {
                let weights =
                    Factor::new(&parameters[layer.weights..layer.bias], layer.inputs, layer.units);
                let mut before = vec![0.0; n * layer.inputs];
                let own = Factor::new(&slopes, n, layer.units);
                multiply(&mut before, Accum::Replace, own, weights.transpose(), 1.0);
                self.layers[l - 1].activation.chain(&values[l], &mut before);
                slopes = before;
            }
        }
        jacobian
    }
}

/// G = Σ JᵀJ over all rows of x (n × inputs), weights × weights; `checkpoint` is called between
/// blocks of rows.
pub(super) fn second_moments<E>(
    slopes: &Slopes,
    parameters: &[f64],
    x: ArrayView2<f64>,
    checkpoint: impl Fn() -> Result<(), E>,
) -> Result<Array2<f64>, E> {
    let columns = slopes.places().len();
    let mut moments = vec![0.0; columns * columns];
    for rows in x.axis_chunks_iter(ndarray::Axis(0), BLOCK) {
        checkpoint()?;
        let jacobian = slopes.at(parameters, rows);
        let factor = Factor::new(&jacobian, rows.nrows(), columns);
        multiply(&mut moments, Accum::Add, factor.transpose(), factor, 1.0);
    }
    Ok(Array2::from_shape_fn((columns, columns), |(i, j)| moments[i * columns + j]))
}

/// Rows whose slopes are in memory at once.
pub(super) const BLOCK: usize = 128;
