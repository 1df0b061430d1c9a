//! Solve max Σy subject to C y ≤ 1, y ≥ 0 for a positive matrix C by the dense tableau simplex.
//!
//! The entering column is Dantzig's (the most negative reduced cost, the lowest index among
//! equals). Ties of the ratio test are broken as if the i-th right-hand side were 1 + εᵢ with 1 ≫
//! ε_m ≫ … ≫ ε₁ > 0 (the lexicographic rule): it never cycles, and of several optimal dual
//! solutions x it ends at the one that is lexicographically smallest read from the last to the
//! first, whatever the columns' order, because the dual objective Σ xᵢ (1 + εᵢ) has one minimum.

//!
//! The arithmetic is a parameter: doubles for speed, double-doubles where losses differ by so
//! little that doubles take rounding for a pivot.

use std::ops::{Div, Mul, Neg, Sub};

use qd::Quad;

/// Numbers that a tableau can be made of.
pub(super) trait Number:
    Copy
    + PartialOrd
    + From<f64>
    + Neg<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// Reduced costs and pivots smaller than this are zero; the matrix has entries between 1 and 2.
    const TOLERANCE: f64;

    /// The nearest double.
    fn double(self) -> f64;
}

impl Number for f64 {
    const TOLERANCE: f64 = 1e-12;

    fn double(self) -> f64 {
        self
    }
}

/// A double-double, of 106 bits.
impl Number for Quad {
    const TOLERANCE: f64 = 1e-24;

    fn double(self) -> f64 {
        self.0
    }
}

/// A tableau that is reused from one programme to the next.
#[derive(Clone, Debug)]
pub(super) struct Tableau<T> {
    constraints: usize,
    variables: usize,
    /// Rows of [C | slack | right-hand side], then the row of reduced costs.
    cells: Vec<T>,
    /// The variable that is basic in each row.
    basis: Vec<usize>,
    pivot_row: Vec<T>,
}

impl<T> Default for Tableau<T> {
    fn default() -> Self {
        Self {
            constraints: 0,
            variables: 0,
            cells: Vec::new(),
            basis: Vec::new(),
            pivot_row: Vec::new(),
        }
    }
}

impl<T: Number> Tableau<T> {
    /// Columns of the tableau.
    fn width(&self) -> usize {
        self.variables + self.constraints + 1
    }

    /// Sets up the programme of `matrix` (constraints × variables, entry by entry, row after row).
    pub(super) fn load(
        &mut self,
        constraints: usize,
        variables: usize,
        matrix: impl Iterator<Item = T>,
    ) {
        (self.constraints, self.variables) = (constraints, variables);
        let width = self.width();
        self.cells.clear();
        self.cells.resize((constraints + 1) * width, T::from(0.0));
        for (k, entry) in matrix.enumerate() {
            self.cells[k / variables * width + k % variables] = entry;
        }
        for i in 0..constraints {
            self.cells[i * width + variables + i] = T::from(1.0);
            self.cells[(i + 1) * width - 1] = T::from(1.0);
        }
        self.cells[constraints * width..][..variables].fill(T::from(-1.0));
        self.basis.clear();
        self.basis.extend(variables..variables + constraints);
    }

    /// Pivots to the optimum; `false` when `limit` pivots did not reach it, or rounding has made
    /// the programme unbounded.
    pub(super) fn solve(&mut self, limit: usize) -> bool {
        for _ in 0..limit {
            let Some(entering) = self.entering() else { return true };
            let Some(leaving) = self.leaving(entering) else { return false };
            self.pivot(leaving, entering);
        }
        self.entering().is_none()
    }

    /// Writes the primal solution y.
    pub(super) fn primal(&self, y: &mut Vec<f64>) {
        y.clear();
        y.resize(self.variables, 0.0);
        for (i, &variable) in self.basis.iter().enumerate() {
            if variable < self.variables {
                y[variable] = self.right_side(i).double().max(0.0);
            }
        }
    }

    /// Writes the dual solution x: the reduced costs of the slacks.
    pub(super) fn dual(&self, x: &mut Vec<f64>) {
        let costs = &self.cells[self.constraints * self.width()..];
        x.clear();
        x.extend(
            costs[self.variables..][..self.constraints].iter().map(|cost| cost.double().max(0.0)),
        );
    }

    fn right_side(&self, i: usize) -> T {
        self.cells[(i + 1) * self.width() - 1]
    }

    fn entering(&self) -> Option<usize> {
        let width = self.width();
        let costs = &self.cells[self.constraints * width..][..width - 1];
        let mut entering = None;
        let mut lowest = T::from(-T::TOLERANCE);
        for (j, &cost) in costs.iter().enumerate() {
            if cost < lowest {
                (lowest, entering) = (cost, Some(j));
            }
        }
        entering
    }

    fn leaving(&self, entering: usize) -> Option<usize> {
        let width = self.width();
        let mut best: Option<usize> = None;
        let smallest = T::from(T::TOLERANCE);
        for i in (0..self.constraints).filter(|i| self.cells[i * width + entering] > smallest) {
            if best.is_none_or(|b| self.leaves_before(i, b, entering)) {
                best = Some(i);
            }
        }
        best
    }

    /// Whether row `a` has the smaller ratio: by right-hand side, then by its parts in ε_m, …, ε₁.
    fn leaves_before(&self, a: usize, b: usize, entering: usize) -> bool {
        let width = self.width();
        let (row_a, row_b) = (&self.cells[a * width..][..width], &self.cells[b * width..][..width]);
        let (pivot_a, pivot_b) = (row_a[entering], row_b[entering]);
        for column in (self.variables..width).rev() {
            let (ratio_a, ratio_b) = (row_a[column] / pivot_a, row_b[column] / pivot_b);
            let size = 1.0 + ratio_a.double().abs().max(ratio_b.double().abs());
            if (ratio_a - ratio_b).double().abs() > T::TOLERANCE * size {
                return ratio_a < ratio_b;
            }
        }
        false
    }

    fn pivot(&mut self, leaving: usize, entering: usize) {
        let width = self.width();
        let pivot = self.cells[leaving * width + entering];
        self.pivot_row.clear();
        self.pivot_row
            .extend(self.cells[leaving * width..][..width].iter().map(|&cell| cell / pivot));
        for (i, row) in self.cells.chunks_exact_mut(width).enumerate() {
            if i == leaving {
                row.copy_from_slice(&self.pivot_row);
                continue;
            }
            let factor = row[entering];
            if factor != T::from(0.0) {
                for (cell, &step) in row.iter_mut().zip(&self.pivot_row) {
                    *cell = *cell - factor * step;
                }
                row[entering] = T::from(0.0);
            }
        }
        self.basis[leaving] = entering;
    }
}
