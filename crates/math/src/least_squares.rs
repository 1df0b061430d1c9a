//! Solve linear least squares with any rank by a singular value decomposition of the scaled design.
//!
//! With each column of X scaled to unit length, X = U S Vᵀ, the minimum-norm solution of min ‖y −
//! Xβ‖² is β = V S⁺ Uᵀ y, where singular values below the tolerance max(n, d) ε s₁ count as zero; a
//! row x has the leverage xᵀ(XᵀX)⁺x = ‖S⁺ Vᵀ x‖². (Tall designs are reduced by a QR factorisation
//! before the decomposition.)
//!
//! References: Golub & Van Loan (2013), *Matrix Computations*, 4th ed., 5.5.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::svd::{ComputeSvdVectors, svd, svd_scratch};
use faer::{Mat, Par, Spec};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A centred column counts as zero if its length is below this multiple of ε times its original
/// length, because it then holds only rounding errors.
const COLUMN_ROUNDING: f64 = 32.0;

/// Why a least-squares problem has no solution.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LeastSquaresError {
    /// A number of the design or the outcome is not finite.
    #[error(
        "least squares: row {row} holds a number that is not finite; remove or impute it first"
    )]
    NotFinite {
        /// The row, from 0.
        row: usize,
    },
    /// The singular value iteration did not converge.
    #[error(
        "least squares: the singular value decomposition of a {rows} x {columns} design did not \
         converge"
    )]
    NoConvergence {
        /// Rows of the design.
        rows: usize,
        /// Columns of the design.
        columns: usize,
    },
}

/// The solution of a least-squares problem with an intercept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeastSquares {
    /// Intercept, in the outcome's units.
    pub intercept: f64,
    /// Slopes, d; the minimum-norm solution in columns scaled to unit length where the columns are
    /// dependent.
    pub slopes: Array1<f64>,
    /// Number of independent directions, intercept included: at most min(n, d + 1).
    pub rank: usize,
    /// Σ (y − fitted)², in squared units of the outcome.
    pub residual_sum_of_squares: f64,
    /// Number of rows, n.
    rows: usize,
    /// Means of the columns, d.
    centre: Array1<f64>,
    /// S⁺ Vᵀ with the column scaling undone, (rank − 1) × d.
    whitening: Array2<f64>,
}

impl LeastSquares {
    /// Fits outcome y (n) by an intercept and the columns of `design` (n × d), for n ≥ 1.
    ///
    /// Columns are centred first, so that the intercept costs no precision; a constant column gets
    /// slope zero.
    ///
    /// # Errors
    /// [`LeastSquaresError`] for a number that is not finite or a decomposition that does not
    /// converge.
    ///
    /// # Panics
    /// If `design` and `outcome` differ in their number of rows, or there is no row.
    pub fn fit(
        design: ArrayView2<f64>,
        outcome: ArrayView1<f64>,
        parallelism: Par,
    ) -> Result<Self, LeastSquaresError> {
        check(design, outcome)?;
        let (n, d) = design.dim();
        assert!(n > 0, "least squares needs a row");
        let mean = |column: ArrayView1<f64>| column.sum() / n as f64;
        let centre: Array1<f64> = design.columns().into_iter().map(mean).collect();
        let outcome_mean = mean(outcome);
        // One over the length of each centred column; zero for a constant column, which is thereby
        // left out.
        let inverse_length = Array1::from_shape_fn(d, |j| {
            let length =
                design.column(j).iter().map(|x| (x - centre[j]).powi(2)).sum::<f64>().sqrt();
            let original = design.column(j).iter().map(|x| x * x).sum::<f64>().sqrt();
            if length <= COLUMN_ROUNDING * f64::EPSILON * original { 0.0 } else { 1.0 / length }
        });
        let scaled = Mat::from_fn(n, d, |i, j| (design[(i, j)] - centre[j]) * inverse_length[j]);
        let svd = ThinSvd::decompose(&scaled, parallelism)?;
        // n centred rows span at most n − 1 directions; rounding of the centre may add another.
        let directions = svd.rank().min(n - 1);
        let ThinSvd { u, s, v } = svd;
        let whitening =
            Array2::from_shape_fn((directions, d), |(r, j)| v[(j, r)] * inverse_length[j] / s[r]);
        let mut slopes = Array1::zeros(d);
        for r in 0..directions {
            let projection: f64 = (0..n).map(|i| u[(i, r)] * (outcome[i] - outcome_mean)).sum();
            slopes.scaled_add(projection, &whitening.row(r));
        }
        let intercept = outcome_mean - centre.dot(&slopes);
        let residual =
            |i: usize| outcome[i] - outcome_mean - (&design.row(i) - &centre).dot(&slopes);
        let residual_sum_of_squares = (0..n).map(|i| residual(i).powi(2)).sum();
        Ok(Self {
            intercept,
            slopes,
            rank: directions + 1,
            residual_sum_of_squares,
            rows: n,
            centre,
            whitening,
        })
    }

    /// Checks a solution that was read: it is one of d columns.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, d: usize) -> Result<(), String> {
        let found = [self.slopes.len(), self.centre.len(), self.whitening.ncols()];
        if found == [d; 3] {
            Ok(())
        } else {
            Err(format!("numbers of {found:?} columns, expected {d}"))
        }
    }

    /// The fitted outcome at `features` (d).
    pub fn predict(&self, features: ArrayView1<f64>) -> f64 {
        self.intercept + features.dot(&self.slopes)
    }

    /// The leverage of `features` (d): xᵀ(XᵀX)⁺x, intercept included; parts of x outside the
    /// design's span contribute nothing.
    pub fn leverage(&self, features: ArrayView1<f64>) -> f64 {
        let centred = &features - &self.centre;
        let whitened = self.whitening.dot(&centred);
        1.0 / self.rows as f64 + whitened.dot(&whitened)
    }
}

/// The β (d) of least norm among those that minimise ‖outcome − design β‖, for a design of n × d.
///
/// Columns are neither centred nor scaled, as in numpy's `lstsq`. Use it for columns of similar
/// size, such as orthogonal polynomials.
///
/// # Errors
/// [`LeastSquaresError`] for a number that is not finite or a decomposition that does not converge.
///
/// # Panics
/// If `design` and `outcome` differ in their number of rows.
pub fn minimum_norm(
    design: ArrayView2<f64>,
    outcome: ArrayView1<f64>,
    parallelism: Par,
) -> Result<Array1<f64>, LeastSquaresError> {
    check(design, outcome)?;
    let (n, d) = design.dim();
    let svd = ThinSvd::decompose(&Mat::from_fn(n, d, |i, j| design[(i, j)]), parallelism)?;
    let mut solution = Array1::zeros(d);
    for r in 0..svd.rank() {
        let projection: f64 = (0..n).map(|i| svd.u[(i, r)] * outcome[i]).sum();
        for (j, coefficient) in solution.iter_mut().enumerate() {
            *coefficient += svd.v[(j, r)] * (projection / svd.s[r]);
        }
    }
    Ok(solution)
}

/// Checks that every number is finite.
fn check(design: ArrayView2<f64>, outcome: ArrayView1<f64>) -> Result<(), LeastSquaresError> {
    let n = design.nrows();
    assert!(n == outcome.len(), "design has {n} rows, outcome {}", outcome.len());
    let finite =
        |row: &usize| outcome[*row].is_finite() && design.row(*row).iter().all(|x| x.is_finite());
    (0..n).find(|row| !finite(row)).map_or(Ok(()), |row| Err(LeastSquaresError::NotFinite { row }))
}

/// A singular value decomposition of an n × d matrix, r = min(n, d).
#[derive(Clone, Debug)]
pub struct ThinSvd {
    /// Left vectors, n × r.
    pub u: Mat<f64>,
    /// Singular values, r, decreasing.
    pub s: Vec<f64>,
    /// Right vectors, d × r.
    pub v: Mat<f64>,
}

impl ThinSvd {
    /// Decomposes a finite `matrix`.
    ///
    /// # Errors
    /// [`LeastSquaresError::NoConvergence`].
    pub fn decompose(matrix: &Mat<f64>, parallelism: Par) -> Result<Self, LeastSquaresError> {
        let (rows, columns) = matrix.shape();
        let size = rows.min(columns);
        let (mut u, mut v) = (Mat::zeros(rows, size), Mat::zeros(columns, size));
        let mut s = Diag::zeros(size);
        let parameters = Spec::default();
        let thin = ComputeSvdVectors::Thin;
        let mut memory =
            MemBuffer::new(svd_scratch::<f64>(rows, columns, thin, thin, parallelism, parameters));
        let (left, right) = (Some(u.as_mut()), Some(v.as_mut()));
        svd(
            matrix.as_ref(),
            s.as_mut(),
            left,
            right,
            parallelism,
            MemStack::new(&mut memory),
            parameters,
        )
        .map_err(|_| LeastSquaresError::NoConvergence { rows, columns })?;
        Ok(Self { u, s: s.column_vector().iter().copied().collect(), v })
    }

    /// Number of singular values that are larger than rounding errors.
    pub fn rank(&self) -> usize {
        let larger = self.u.nrows().max(self.v.nrows());
        let tolerance = larger as f64 * f64::EPSILON * self.s.first().copied().unwrap_or(0.0);
        self.s.iter().take_while(|&&value| value > tolerance).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Axis, array, concatenate};
    use rand::RngExt;
    use uq_core::math::random::Streams;

    fn random(n: usize, d: usize, index: u64) -> Array2<f64> {
        let mut rng = Streams::new(5, "least-squares").stream("design", index);
        Array2::from_shape_simple_fn((n, d), || rng.random_range(-1.0..1.0))
    }

    fn fit(x: &Array2<f64>, y: &Array1<f64>) -> LeastSquares {
        LeastSquares::fit(x.view(), y.view(), Par::Seq).unwrap()
    }

    #[test]
    fn a_straight_line_has_its_textbook_solution() {
        let (x, y) = (array![[0.0], [1.0], [2.0], [3.0]], array![1.0, 3.0, 4.0, 6.0]);
        let line = fit(&x, &y);
        // Slope Sxy/Sxx = 8/5, intercept 3.5 − 1.5·1.6, residuals −0.1, 0.3, −0.3, 0.1.
        assert!((line.slopes[0] - 1.6).abs() < 1e-14 && (line.intercept - 1.1).abs() < 1e-14);
        assert!((line.residual_sum_of_squares - 0.2).abs() < 1e-14);
        assert_eq!(line.rank, 2);
        // 1/n + (x − x̄)²/Sxx.
        assert!((line.leverage(array![4.0].view()) - (0.25 + 6.25 / 5.0)).abs() < 1e-14);
    }

    #[test]
    fn residuals_are_orthogonal_to_the_design_and_leverages_sum_to_the_rank() {
        let x = random(40, 5, 0) + 1e3;
        let y = random(40, 1, 1).column(0).to_owned();
        let solution = fit(&x, &y);
        assert_eq!(solution.rank, 6);
        let residuals: Array1<f64> = (0..40).map(|i| y[i] - solution.predict(x.row(i))).collect();
        assert!(residuals.sum().abs() < 1e-9);
        assert!(x.t().dot(&residuals).iter().all(|r| r.abs() < 1e-7));
        let total: f64 = x.rows().into_iter().map(|row| solution.leverage(row)).sum();
        assert!((total - 6.0).abs() < 1e-9);
    }

    #[test]
    fn dependent_and_constant_columns_change_neither_fit_nor_leverage() {
        let x = random(300, 3, 2);
        let y = random(300, 1, 3).column(0).to_owned();
        let (dependent, constant) =
            (&x.column(0) * 2.0 - x.column(2), Array2::from_elem((300, 1), 0.1));
        let wide = concatenate(
            Axis(1),
            &[
                x.view(),
                dependent.insert_axis(Axis(1)).view(),
                constant.view(),
                x.column(1).insert_axis(Axis(1)),
            ],
        )
        .unwrap();
        let (plain, redundant) = (fit(&x, &y), fit(&wide, &y));
        assert_eq!((plain.rank, redundant.rank), (4, 4));
        assert!((plain.residual_sum_of_squares - redundant.residual_sum_of_squares).abs() < 1e-10);
        for i in 0..300 {
            assert!((plain.predict(x.row(i)) - redundant.predict(wide.row(i))).abs() < 1e-10);
            assert!((plain.leverage(x.row(i)) - redundant.leverage(wide.row(i))).abs() < 1e-10);
        }
    }

    #[test]
    fn more_columns_than_rows_interpolate_with_the_smallest_slopes() {
        let x = array![[1.0, 1.0], [-1.0, -1.0]];
        let solution = fit(&x, &array![4.0, 0.0]);
        assert_eq!(solution.rank, 2);
        assert!(
            (solution.slopes[0] - 1.0).abs() < 1e-14 && (solution.slopes[1] - 1.0).abs() < 1e-14
        );
        assert!(solution.residual_sum_of_squares < 1e-28);
        let one = fit(&array![[3.0, 4.0]], &array![7.0]);
        assert_eq!((one.rank, one.intercept, one.slopes), (1, 7.0, array![0.0, 0.0]));
        let none = fit(&Array2::zeros((3, 0)), &array![1.0, 2.0, 6.0]);
        assert_eq!((none.rank, none.intercept, none.residual_sum_of_squares), (1, 3.0, 14.0));
    }

    #[test]
    fn the_minimum_norm_solution_has_no_intercept_and_no_part_in_the_null_space() {
        // One equation 3 a + 4 b = 50: the nearest solution to zero is 50 / 25 (3, 4).
        let found = minimum_norm(array![[3.0, 4.0]].view(), array![50.0].view(), Par::Seq).unwrap();
        assert!((&found - &array![6.0, 8.0]).iter().all(|e| e.abs() < 1e-13), "{found}");
        // Two equal columns share the slope through the origin, Σ xy / Σ x² = 12/5.
        let twice = array![[1.0, 1.0], [2.0, 2.0]];
        let found = minimum_norm(twice.view(), array![2.0, 5.0].view(), Par::Seq).unwrap();
        assert!((&found - &array![1.2, 1.2]).iter().all(|e| e.abs() < 1e-14), "{found}");
        let zero =
            minimum_norm(Array2::zeros((3, 2)).view(), array![1.0, 2.0, 3.0].view(), Par::Seq)
                .unwrap();
        assert_eq!(zero, array![0.0, 0.0]);
        let hole = minimum_norm(twice.view(), array![2.0, f64::INFINITY].view(), Par::Seq);
        assert_eq!(hole, Err(LeastSquaresError::NotFinite { row: 1 }));
    }

    #[test]
    fn a_number_that_is_not_finite_is_named_by_its_row() {
        let found =
            LeastSquares::fit(array![[1.0], [f64::NAN]].view(), array![1.0, 2.0].view(), Par::Seq);
        assert_eq!(found, Err(LeastSquaresError::NotFinite { row: 1 }));
    }
}
