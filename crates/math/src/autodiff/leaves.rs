//! Put numbers on the tape.

use ndarray::ArrayView2;

use super::op::{Op, Var};
use super::tape::Tape;

impl Tape {
    /// A rows × columns matrix of parameters: `parameters[at..]`, row by row. Its gradient goes to
    /// the same place of the gradient; a parameter that is put on the tape twice gets the sum of
    /// both gradients.
    ///
    /// # Panics
    /// If there are too few parameters.
    pub fn parameter(&mut self, parameters: &[f64], at: usize, rows: usize, columns: usize) -> Var {
        let (var, node) = self.push_leaf(Op::Parameter(at), (rows, columns), 0, true);
        node.out.copy_from_slice(&parameters[at..][..rows * columns]);
        var
    }

    /// A matrix without gradient, such as data.
    ///
    /// # Panics
    /// If `values` does not have rows · columns numbers.
    pub fn constant(&mut self, rows: usize, columns: usize, values: &[f64]) -> Var {
        self.constant_from(rows, columns, |out| out.copy_from_slice(values))
    }

    /// A constant, such as noise or a mask, whose values `fill` writes row by row. The slice holds
    /// arbitrary numbers before.
    pub fn constant_from(
        &mut self,
        rows: usize,
        columns: usize,
        fill: impl FnOnce(&mut [f64]),
    ) -> Var {
        let (var, node) = self.push_leaf(Op::Constant, (rows, columns), 0, false);
        fill(node.out);
        var
    }

    /// The given rows of a data matrix, as a constant: a minibatch.
    ///
    /// # Panics
    /// If a row is not below the number of rows.
    pub fn constant_rows(&mut self, data: ArrayView2<f64>, rows: &[usize]) -> Var {
        let columns = data.ncols();
        let (var, node) = self.push_leaf(Op::Constant, (rows.len(), columns), 0, false);
        let Some(all) = data.as_slice() else {
            for (i, &row) in rows.iter().enumerate() {
                for (to, from) in node.out[i * columns..].iter_mut().zip(data.row(row)) {
                    *to = *from;
                }
            }
            return var;
        };
        for (i, &row) in rows.iter().enumerate() {
            node.out[i * columns..][..columns].copy_from_slice(&all[row * columns..][..columns]);
        }
        var
    }

    /// A matrix that is no parameter, but whose gradient is computed: [`Tape::gradient`] returns
    /// it.
    ///
    /// # Panics
    /// If `values` does not have rows · columns numbers.
    pub fn variable(&mut self, rows: usize, columns: usize, values: &[f64]) -> Var {
        let (var, node) = self.push_leaf(Op::Constant, (rows, columns), 0, true);
        node.out.copy_from_slice(values);
        var
    }
}

pub(super) fn backward(own: &[f64], gradient: &mut [f64]) {
    for (to, from) in gradient[..own.len()].iter_mut().zip(own) {
        *to += from;
    }
}
