//! Pass rows through a dense layer: y = a(x W + b).

use faer::Accum;

use super::activation::Activation;
use super::op::{Op, Var};
use super::tape::{Operands, Tape};
use crate::matrix_product::{Factor, multiply};

impl Tape {
    /// The layer a(x W + b) of x (n × d), W (d × h) and b (1 × h): n × h.
    pub fn dense(&mut self, input: Var, weights: Var, bias: Var, activation: Activation) -> Var {
        let ((rows, inner), (_, columns)) = (self.shape(input), self.shape(weights));
        assert_eq!(self.shape(bias), (1, columns), "a layer of {columns} units has as many biases");
        let op = Op::Dense { input, weights, bias, activation };
        let (var, node) = self.push(op, (rows, columns), 0, &[input, weights, bias]);
        let input = Factor::new(node.value(input), rows, inner);
        dense_layer(node.out, input, node.value(weights), node.value(bias), activation);
        var
    }
}

/// Writes a(x W + b) to `out` (n × h, row by row), for x (n × d), W (d × h) and b (h): prediction
/// without a tape.
///
/// # Panics
/// If shapes do not fit.
pub fn dense_layer(
    out: &mut [f64],
    input: Factor,
    weights: &[f64],
    bias: &[f64],
    activation: Activation,
) {
    for row in out.chunks_exact_mut(bias.len().max(1)) {
        row.copy_from_slice(bias);
    }
    let inner = input.shape().1;
    multiply(out, Accum::Add, input, Factor::new(weights, inner, bias.len()), 1.0);
    activation.apply(out);
}

/// With Z̄ = Ȳ a'(Z): x̄ += Z̄ Wᵀ, W̄ += xᵀ Z̄, b̄ += the column sums of Z̄.
pub(super) fn backward(
    own: &mut [f64],
    outputs: &[f64],
    (input, weights, bias): (Var, Var, Var),
    activation: Activation,
    operands: &mut Operands,
) {
    activation.chain(outputs, own);
    let ((rows, inner), (_, columns)) = (operands.shape(input), operands.shape(weights));
    let x = Factor::new(operands.value(input), rows, inner);
    let w = Factor::new(operands.value(weights), inner, columns);
    let z = Factor::new(own, rows, columns);
    if let Some(gradient) = operands.gradient(bias) {
        for row in own.chunks_exact(columns.max(1)) {
            for (to, from) in gradient.iter_mut().zip(row) {
                *to += from;
            }
        }
    }
    if let Some(gradient) = operands.gradient(weights) {
        multiply(gradient, Accum::Add, x.transpose(), z, 1.0);
    }
    if let Some(gradient) = operands.gradient(input) {
        multiply(gradient, Accum::Add, z, w.transpose(), 1.0);
    }
}
