//! Factorise symmetric matrices, solve triangular systems, and take determinants.
//!
//! References: I. Murray: *Differentiation of the Cholesky decomposition*, arXiv:1602.07527, 2016,
//! Eqs. (8) to (10).

use std::mem::MaybeUninit;

use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, MatMut, MatRef, Par, Spec};
use thiserror::Error;

use super::op::{Op, Var};
use super::tape::{Operands, Tape};

/// A matrix that has no Cholesky factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the {size} x {size} matrix is not positive definite: pivot {pivot} (from 0) is not above zero"
)]
pub struct NotPositiveDefinite {
    /// Rows of the matrix.
    pub size: usize,
    /// The first pivot that is not above zero.
    pub pivot: usize,
}

impl Tape {
    /// The lower triangular L with L Lᵀ = K, for a symmetric K (n × n), whose upper triangle is
    /// read. The gradient is the symmetric one.
    ///
    /// # Errors
    /// [`NotPositiveDefinite`]; the tape is then as before.
    pub fn cholesky(&mut self, matrix: Var) -> Result<Var, NotPositiveDefinite> {
        let (n, columns) = self.shape(matrix);
        assert_eq!(n, columns, "a matrix with a Cholesky factor is square");
        let required = cholesky_in_place_scratch::<f64>(n, Par::Seq, Spec::default())
            .unaligned_bytes_required();
        let mut scratch = std::mem::take(&mut self.scratch);
        if scratch.len() < required {
            scratch.resize(required, MaybeUninit::uninit());
        }
        let (var, node) = self.push(Op::Cholesky(matrix), (n, n), 0, &[matrix]);
        node.out.copy_from_slice(node.value(matrix));
        // Read by columns, where faer is fastest: the lower triangle of the transpose.
        let factor = MatMut::from_column_major_slice_mut(&mut *node.out, n, n);
        let stack = MemStack::new(&mut scratch);
        let found = cholesky_in_place(factor, Default::default(), Par::Seq, stack, Spec::default());
        if found.is_ok() {
            turn_lower(node.out, n);
        }
        self.scratch = scratch;
        match found {
            Ok(_) => Ok(var),
            Err(faer::linalg::cholesky::llt::factor::LltError::NonPositivePivot { index }) => {
                self.pop();
                Err(NotPositiveDefinite { size: n, pivot: index })
            }
        }
    }

    /// L⁻¹ B for a lower triangular L (n × n) and B (n × m).
    pub fn solve_lower(&mut self, factor: Var, right: Var) -> Var {
        let ((n, columns), (rows, m)) = (self.shape(factor), self.shape(right));
        assert_eq!(
            (n, n),
            (columns, rows),
            "a triangular factor has as many rows as its right-hand side"
        );
        let (var, node) = self.push(Op::Solve(factor, right), (rows, m), 0, &[factor, right]);
        node.out.copy_from_slice(node.value(right));
        let factor = MatRef::from_row_major_slice(node.value(factor), n, n);
        solve_lower_triangular_in_place(
            factor,
            MatMut::from_row_major_slice_mut(node.out, n, m),
            Par::Seq,
        );
        var
    }

    /// ln |L Lᵀ| = 2 Σ ln L_ii, 1 × 1.
    pub fn ln_determinant(&mut self, factor: Var) -> Var {
        let (n, columns) = self.shape(factor);
        assert_eq!(n, columns, "a triangular factor is square");
        let (var, node) = self.push(Op::LnDeterminant(factor), (1, 1), 0, &[factor]);
        node.out[0] = 2.0 * node.value(factor).iter().step_by(n + 1).map(|l| l.ln()).sum::<f64>();
        var
    }

    /// The diagonal, n × 1.
    pub fn diagonal(&mut self, matrix: Var) -> Var {
        let (n, columns) = self.shape(matrix);
        assert_eq!(n, columns, "a matrix with a diagonal is square");
        let (var, node) = self.push(Op::Diagonal(matrix), (n, 1), 0, &[matrix]);
        let values = node.value(matrix);
        for (out, value) in node.out.iter_mut().zip(values.iter().step_by(n + 1)) {
            *out = *value;
        }
        var
    }
}

/// Moves the upper triangle to the lower one, and clears the upper one: in tiles, which stay in
/// cache.
fn turn_lower(matrix: &mut [f64], n: usize) {
    const TILE: usize = 16;
    for rows in (0..n).step_by(TILE) {
        for columns in (0..=rows).step_by(TILE) {
            for i in rows..n.min(rows + TILE) {
                for j in columns..i.min(columns + TILE) {
                    matrix[i * n + j] = matrix[j * n + i];
                    matrix[j * n + i] = 0.0;
                }
            }
        }
    }
}

/// K̄ += ½ (S + Sᵀ) with S = L⁻ᵀ Φ(Lᵀ L̄) L⁻¹, where Φ takes the lower triangle and halves its
/// diagonal (Murray, Eqs. 8 to 10).
pub(super) fn cholesky_backward(own: &[f64], factor: &[f64], matrix: Var, operands: &mut Operands) {
    let n = operands.shape(matrix).0;
    let mut work = std::mem::take(operands.workspace);
    work.resize(n * n, 0.0);
    work.fill(0.0);
    let l = MatRef::from_row_major_slice(factor, n, n);
    let (lower, upper) = (BlockStructure::TriangularLower, BlockStructure::TriangularUpper);
    let mut s = MatMut::from_row_major_slice_mut(&mut work, n, n);
    let by_l = MatRef::from_row_major_slice(own, n, n);
    matmul(s.as_mut(), lower, Accum::Replace, l.transpose(), upper, by_l, lower, 1.0, Par::Seq);
    for i in 0..n {
        s[(i, i)] *= 0.5;
    }
    solve_upper_triangular_in_place(l.transpose(), s.as_mut(), Par::Seq);
    solve_upper_triangular_in_place(l.transpose(), s.as_mut().transpose_mut(), Par::Seq);
    if let Some(gradient) = operands.gradient(matrix) {
        for i in 0..n {
            for j in 0..n {
                gradient[i * n + j] += 0.5 * (work[i * n + j] + work[j * n + i]);
            }
        }
    }
    *operands.workspace = work;
}

/// With X = L⁻¹ B: B̄ += C = L⁻ᵀ X̄, L̄ −= the lower triangle of C Xᵀ.
pub(super) fn solve_backward(
    own: &mut [f64],
    outputs: &[f64],
    (factor, right): (Var, Var),
    operands: &mut Operands,
) {
    let (n, m) = operands.shape(right);
    let l = MatRef::from_row_major_slice(operands.value(factor), n, n);
    solve_upper_triangular_in_place(
        l.transpose(),
        MatMut::from_row_major_slice_mut(own, n, m),
        Par::Seq,
    );
    if let Some(gradient) = operands.gradient(right) {
        for (to, from) in gradient.iter_mut().zip(&*own) {
            *to += from;
        }
    }
    if let Some(gradient) = operands.gradient(factor) {
        let (c, x) =
            (MatRef::from_row_major_slice(own, n, m), MatRef::from_row_major_slice(outputs, n, m));
        let to = MatMut::from_row_major_slice_mut(gradient, n, n);
        let (lower, full) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
        matmul(to, lower, Accum::Add, c, full, x.transpose(), full, -1.0, Par::Seq);
    }
}

/// L̄_ii += 2 ȳ / L_ii.
pub(super) fn ln_determinant_backward(own: &[f64], factor: Var, operands: &mut Operands) {
    let (n, values) = (operands.shape(factor).0, operands.value(factor));
    if let Some(gradient) = operands.gradient(factor) {
        for (to, l) in gradient.iter_mut().zip(values).step_by(n + 1) {
            *to += 2.0 * own[0] / l;
        }
    }
}

pub(super) fn diagonal_backward(own: &[f64], matrix: Var, operands: &mut Operands) {
    if let Some(gradient) = operands.gradient(matrix) {
        for (to, from) in gradient.iter_mut().step_by(own.len() + 1).zip(own) {
            *to += from;
        }
    }
}
