//! Multiply matrices.

use faer::Accum;

use super::op::{Op, Var};
use super::tape::{Operands, Tape};
use crate::matrix_product::{Factor, multiply};

impl Tape {
    /// The product A B.
    pub fn matmul(&mut self, left: Var, right: Var) -> Var {
        self.matmul_of(left, false, right, false)
    }

    /// The product of A or Aᵀ with B or Bᵀ.
    pub fn matmul_of(
        &mut self,
        left: Var,
        left_transposed: bool,
        right: Var,
        right_transposed: bool,
    ) -> Var {
        let (a, b) = (self.shape(left), self.shape(right));
        let rows = if left_transposed { a.1 } else { a.0 };
        let columns = if right_transposed { b.0 } else { b.1 };
        let transposed = (left_transposed, right_transposed);
        let (var, node) =
            self.push(Op::Product { left, right, transposed }, (rows, columns), 0, &[left, right]);
        let (a, b) = (
            factor(node.value(left), a, left_transposed),
            factor(node.value(right), b, right_transposed),
        );
        multiply(node.out, Accum::Replace, a, b, 1.0);
        var
    }
}

fn factor(values: &[f64], (rows, columns): (usize, usize), transposed: bool) -> Factor<'_> {
    Factor { values, rows, columns, transposed }
}

/// With C = A B: Ā += C̄ Bᵀ and B̄ += Aᵀ C̄; a transposed operand gets the transpose of its share.
pub(super) fn backward(
    own: &[f64],
    left: Var,
    right: Var,
    transposed: (bool, bool),
    operands: &mut Operands,
) {
    let a = factor(operands.value(left), operands.shape(left), transposed.0);
    let b = factor(operands.value(right), operands.shape(right), transposed.1);
    let c = Factor::new(own, a.shape().0, b.shape().1);
    if let Some(gradient) = operands.gradient(left) {
        let (p, q) = if transposed.0 { (b, c.transpose()) } else { (c, b.transpose()) };
        multiply(gradient, Accum::Add, p, q, 1.0);
    }
    if let Some(gradient) = operands.gradient(right) {
        let (p, q) = if transposed.1 { (c.transpose(), a) } else { (a.transpose(), c) };
        multiply(gradient, Accum::Add, p, q, 1.0);
    }
}
