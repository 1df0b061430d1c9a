//! Add up elements, and the exponentials of rows.

use super::op::{Op, Var};
use super::tape::{Operands, Tape};
use uq_core::math::vectorised::exp;

impl Tape {
    /// The sum of all elements, 1 × 1.
    pub fn sum(&mut self, x: Var) -> Var {
        let (var, node) = self.push(Op::Sum(x), (1, 1), 0, &[x]);
        node.out[0] = node.value(x).iter().sum();
        var
    }

    /// The mean of all elements, 1 × 1; NaN for an empty matrix.
    pub fn mean(&mut self, x: Var) -> Var {
        let (rows, columns) = self.shape(x);
        let sum = self.sum(x);
        self.scale(sum, 1.0 / (rows * columns) as f64)
    }

    /// ln Σ_j exp x_ij of each row, n × 1, without overflow; −∞ where all elements are −∞.
    pub fn log_sum_exp(&mut self, x: Var) -> Var {
        let (rows, columns) = self.shape(x);
        let (var, node) = self.push(Op::LogSumExp(x), (rows, 1), 0, &[x]);
        let values = node.value(x);
        for (i, out) in node.out.iter_mut().enumerate() {
            let row = &values[i * columns..][..columns];
            let largest =
                row.iter().fold(f64::NEG_INFINITY, |a, &b| if b > a || b.is_nan() { b } else { a });
            *out = if largest.is_finite() {
                largest + row.iter().map(|x| exp(x - largest)).sum::<f64>().ln()
            } else {
                largest
            };
        }
        var
    }
}

pub(super) fn sum_backward(own: &[f64], x: Var, operands: &mut Operands) {
    for to in operands.gradient(x).into_iter().flatten() {
        *to += own[0];
    }
}

/// x̄_ij += ȳ_i exp(x_ij − y_i); nothing where y_i is −∞.
pub(super) fn log_sum_exp_backward(own: &[f64], outputs: &[f64], x: Var, operands: &mut Operands) {
    let columns = operands.shape(x).1;
    let values = operands.value(x);
    if let Some(gradient) = operands.gradient(x) {
        for (i, (own, y)) in own.iter().zip(outputs).enumerate() {
            if *y == f64::NEG_INFINITY {
                continue;
            }
            for (to, x) in gradient[i * columns..][..columns].iter_mut().zip(&values[i * columns..])
            {
                *to += own * exp(x - y);
            }
        }
    }
}
