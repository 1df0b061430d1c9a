//! Take columns and rows out of matrices.

use super::op::{Op, Var};
use super::tape::{Operands, Tape};

impl Tape {
    /// `count` columns from column `from` on, n × count.
    ///
    /// # Panics
    /// If x has fewer columns.
    pub fn columns(&mut self, x: Var, from: usize, count: usize) -> Var {
        let (rows, columns) = self.shape(x);
        assert!(from + count <= columns, "columns {from} to {} of {columns}", from + count);
        let (var, node) = self.push(Op::Columns(x, from), (rows, count), 0, &[x]);
        let values = node.value(x);
        for (i, out) in node.out.chunks_exact_mut(count.max(1)).enumerate() {
            out.copy_from_slice(&values[i * columns + from..][..count]);
        }
        var
    }

    /// The given rows of x, which may repeat; their gradients add up.
    ///
    /// # Panics
    /// If a row is not below the number of rows.
    pub fn gather(&mut self, x: Var, rows: &[usize]) -> Var {
        let columns = self.shape(x).1;
        let place = self.note(rows);
        let (var, node) = self.push(Op::Gather(x, place), (rows.len(), columns), 0, &[x]);
        let values = node.value(x);
        for (i, &row) in rows.iter().enumerate() {
            node.out[i * columns..][..columns].copy_from_slice(&values[row * columns..][..columns]);
        }
        var
    }
}

pub(super) fn columns_backward(
    own: &[f64],
    count: usize,
    x: Var,
    from: usize,
    operands: &mut Operands,
) {
    let columns = operands.shape(x).1;
    if let Some(gradient) = operands.gradient(x) {
        for (i, own) in own.chunks_exact(count.max(1)).enumerate() {
            add(&mut gradient[i * columns + from..], own);
        }
    }
}

pub(super) fn gather_backward(
    own: &[f64],
    rows: usize,
    x: Var,
    place: usize,
    operands: &mut Operands,
) {
    let columns = operands.shape(x).1;
    let indices = &operands.indices[place..][..rows];
    if let Some(gradient) = operands.gradient(x) {
        for (i, &row) in indices.iter().enumerate() {
            add(&mut gradient[row * columns..], &own[i * columns..][..columns]);
        }
    }
}

fn add(to: &mut [f64], from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}
