//! Multiply row-major matrices and vectors held in slices, on one thread and without allocation.

use faer::linalg::matmul::matmul;
use faer::traits::ComplexField;
use faer::{Accum, MatMut, MatRef, Par};

/// Products of a [`dot`] that are added up side by side, so that they fill the processor's vectors.
pub const LANES: usize = 8;

/// Numbers in double or in single precision.
pub trait Real: ComplexField + Copy {
    /// The nearest one to `value`.
    fn from_f64(value: f64) -> Self;
    /// Its value.
    fn to_f64(self) -> f64;
}

impl Real for f64 {
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
}

impl Real for f32 {
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as Self
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self.into()
    }
}

/// A row-major matrix in a slice, read as it is or transposed.
#[derive(Clone, Copy, Debug)]
pub struct Factor<'a, T = f64> {
    /// rows × columns values, row by row.
    pub values: &'a [T],
    /// Rows as stored.
    pub rows: usize,
    /// Columns as stored.
    pub columns: usize,
    /// Whether the transpose takes part in the product.
    pub transposed: bool,
}

impl<'a, T> Factor<'a, T> {
    /// The matrix as stored.
    #[inline]
    pub fn new(values: &'a [T], rows: usize, columns: usize) -> Self {
        Self { values, rows, columns, transposed: false }
    }

    /// Its transpose, without moving a number.
    #[must_use]
    #[inline]
    pub fn transpose(self) -> Self {
        Self { transposed: !self.transposed, ..self }
    }

    /// Rows and columns in a product, after transposition.
    #[inline]
    pub fn shape(&self) -> (usize, usize) {
        if self.transposed { (self.columns, self.rows) } else { (self.rows, self.columns) }
    }

    fn view(&self) -> MatRef<'a, T> {
        let stored = MatRef::from_row_major_slice(self.values, self.rows, self.columns);
        if self.transposed { stored.transpose() } else { stored }
    }
}

/// Adds `factor` · left · right to `to` (row-major), or with `Accum::Replace` overwrites it.
///
/// # Panics
/// If shapes do not fit.
pub fn multiply<T: Real>(
    to: &mut [T],
    accumulate: Accum,
    left: Factor<T>,
    right: Factor<T>,
    factor: T,
) {
    let ((rows, inner), (other, columns)) = (left.shape(), right.shape());
    assert_eq!(
        inner, other,
        "a {rows} x {inner} matrix cannot be multiplied by a {other} x {columns} one"
    );
    let to = MatMut::from_row_major_slice_mut(to, rows, columns);
    matmul(to, accumulate, left.view(), right.view(), factor, Par::Seq);
}

/// Σ a b of two slices of one length. Inlined, so that it is compiled for the instructions of the
/// caller.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    let mut lanes = [0.0; LANES];
    for (a, b) in a.zip(b) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    lanes.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_product_adds_every_element_once() {
        for n in [0, 1, 7, 8, 9, 50] {
            let a: Vec<f64> = (1..=n).map(f64::from).collect();
            // 1² + 2² + … + n².
            assert_eq!(dot(&a, &a), f64::from(n * (n + 1) * (2 * n + 1) / 6), "{n}");
        }
    }

    #[test]
    fn every_transposition_agrees_with_the_definition() {
        for (m, k, n) in [(1, 1, 1), (5, 3, 2), (33, 8, 50), (50, 70, 1), (2, 512, 17), (4, 0, 3)] {
            let number = |i: usize| ((i * 7919) % 101) as f64 / 50.0 - 1.0;
            let a: Vec<f64> = (0..m * k).map(number).collect();
            let b: Vec<f64> = (0..k * n).map(|i| number(i + 5)).collect();
            let turned = |x: &[f64], rows: usize, columns: usize| -> Vec<f64> {
                (0..rows * columns).map(|i| x[i % rows * columns + i / rows]).collect()
            };
            let (at, bt) = (turned(&a, m, k), turned(&b, k, n));
            let lefts = [Factor::new(&a, m, k), Factor::new(&at, k, m).transpose()];
            let rights = [Factor::new(&b, k, n), Factor::new(&bt, n, k).transpose()];
            for left in lefts {
                for right in rights {
                    for accumulate in [Accum::Replace, Accum::Add] {
                        let mut found = vec![0.5; m * n];
                        multiply(&mut found, accumulate, left, right, 2.0);
                        for i in 0..m {
                            for j in 0..n {
                                let sum: f64 = (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum();
                                let start = if accumulate == Accum::Add { 0.5 } else { 0.0 };
                                assert!(
                                    (found[i * n + j] - start - 2.0 * sum).abs() < 1e-12,
                                    "{m} {k} {n}: {i} {j}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}
