//! Factorise a covariance with as little jitter on its diagonal as makes it positive definite, and
//! report the jitter.
//!
//! A covariance of close points is singular to working precision. The ladder of what is added is
//! bounded: 0, then 1e-10, 1e-9, …, 1e-4 times the mean diagonal. Where no rung suffices, the error
//! has the numbers that explain it.

use std::mem::MaybeUninit;

use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::llt::factor::{LltError, cholesky_in_place, cholesky_in_place_scratch};
use faer::{MatMut, Par, Spec};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::FitError;

/// What is added to the diagonal, in units of its mean.
const RUNGS: [f64; 8] = [0.0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4];

/// What is known of a factorisation that succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Factored {
    /// What was added to the diagonal.
    pub jitter: f64,
    /// max L_ii² / min L_ii²: the matrix's condition number is no smaller.
    pub condition_at_least: f64,
}

/// A matrix that even the last rung does not make positive definite.
#[derive(Clone, Debug, PartialEq, Error)]
#[error(
    "the {size} x {size} covariance has no Cholesky factor, even with {jitter:e} on its diagonal \
     (mean {mean_diagonal:e}): pivot {pivot} (from 0) is not above zero, the smallest before it is \
     {smallest_pivot:e}, the condition number at least {condition_at_least:e}; rows may be equal, \
     length scales too large, or the noise too small"
)]
pub struct NotPositiveDefinite {
    /// Rows of the matrix.
    pub size: usize,
    /// The mean of its diagonal; NaN where a number is not finite.
    pub mean_diagonal: f64,
    /// What was added to the diagonal in the end.
    pub jitter: f64,
    /// The first pivot that is not above zero.
    pub pivot: usize,
    /// The smallest pivot before it, in squared units; NaN where there is none.
    pub smallest_pivot: f64,
    /// Largest by smallest pivot before it; NaN where there is none.
    pub condition_at_least: f64,
}

impl From<NotPositiveDefinite> for FitError {
    fn from(error: NotPositiveDefinite) -> Self {
        Self::Diverged(error.to_string())
    }
}

/// Memory of the factorisation.
#[derive(Debug, Default)]
pub struct Scratch(Vec<MaybeUninit<u8>>);

/// Writes into `factor` the factor of `covariance` (n × n, upper triangle, row-major): the upper
/// triangle of `factor`, row by row, is Lᵀ; read by columns it is L. Numbers below the diagonal are
/// unspecified.
///
/// # Errors
/// [`NotPositiveDefinite`] when every rung fails, at once where a number on the diagonal is not
/// finite.
///
/// # Panics
/// If shapes do not fit.
pub fn factorise(
    covariance: &[f64],
    n: usize,
    factor: &mut [f64],
    scratch: &mut Scratch,
    par: Par,
) -> Result<Factored, NotPositiveDefinite> {
    assert_eq!(
        (covariance.len(), factor.len()),
        (n * n, n * n),
        "a covariance and its factor are n x n"
    );
    let mean_diagonal = (0..n).map(|i| covariance[i * n + i]).sum::<f64>() / n.max(1) as f64;
    let required =
        cholesky_in_place_scratch::<f64>(n, par, Spec::default()).unaligned_bytes_required();
    if scratch.0.len() < required {
        scratch.0.resize(required, MaybeUninit::uninit());
    }
    let mut failed = 0;
    let mut jitter = 0.0;
    for rung in RUNGS {
        jitter = rung * mean_diagonal;
        for i in 0..n {
            factor[i * n + i..(i + 1) * n].copy_from_slice(&covariance[i * n + i..(i + 1) * n]);
            factor[i * n + i] += jitter;
        }
        let lower = MatMut::from_column_major_slice_mut(&mut *factor, n, n);
        let stack = MemStack::new(&mut scratch.0);
        let found = cholesky_in_place(lower, Default::default(), par, stack, Spec::default());
        // A NaN off the diagonal may pass.
        let bad = (0..n).find(|i| !(factor[i * n + i] > 0.0 && factor[i * n + i].is_finite()));
        match (found, bad) {
            (Ok(_), None) => {
                return Ok(Factored { jitter, condition_at_least: spread(factor, n, n).1 });
            }
            (Ok(_), Some(pivot)) => failed = pivot,
            (Err(LltError::NonPositivePivot { index }), _) => failed = index,
        }
        if !mean_diagonal.is_finite() {
            break;
        }
    }
    let (smallest_pivot, condition_at_least) = spread(factor, n, failed);
    Err(NotPositiveDefinite {
        size: n,
        mean_diagonal,
        jitter,
        pivot: failed,
        smallest_pivot,
        condition_at_least,
    })
}

/// The smallest of the first pivots, and the largest by it.
fn spread(factor: &[f64], n: usize, pivots: usize) -> (f64, f64) {
    let squares =
        (0..pivots).map(|i| factor[i * n + i].powi(2)).filter(|square| square.is_finite());
    let (smallest, largest) = squares
        .fold((f64::INFINITY, 0.0_f64), |(low, high), square| (low.min(square), high.max(square)));
    if smallest.is_finite() { (smallest, largest / smallest) } else { (f64::NAN, f64::NAN) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factorised(
        covariance: &[f64],
        n: usize,
    ) -> (Result<Factored, NotPositiveDefinite>, Vec<f64>) {
        let mut factor = vec![0.0; n * n];
        let found = factorise(covariance, n, &mut factor, &mut Scratch::default(), Par::Seq);
        (found, factor)
    }

    #[test]
    fn a_positive_definite_matrix_is_factorised_as_it_is() {
        // L = [[2, 0], [1, 3]]: L Lᵀ = [[4, 2], [2, 10]]; what stands below the diagonal is not
        // read.
        let (found, factor) = factorised(&[4.0, 2.0, f64::NAN, 10.0], 2);
        assert_eq!(found, Ok(Factored { jitter: 0.0, condition_at_least: 2.25 }));
        assert_eq!((factor[0], factor[1], factor[3]), (2.0, 1.0, 3.0));
    }

    #[test]
    fn equal_rows_need_a_low_rung_and_the_jitter_is_reported() {
        // 30 twins: rank 1.
        let (found, factor) = factorised(&[7.0; 900], 30);
        let found = found.unwrap();
        assert!(found.jitter > 0.0 && found.jitter <= 7e-8, "{found:?}");
        assert!(factor.iter().step_by(31).all(|x| x.is_finite() && *x > 0.0));
        assert!(found.condition_at_least > 1e6);
    }

    #[test]
    fn a_negative_eigenvalue_within_the_ladder_passes_on_its_rung_and_a_larger_one_fails() {
        // Eigenvalues 1 ± c around a mean diagonal of 1: c = 1 + 3e-6 needs the rung 1e-5.
        let (found, _) = factorised(&[1.0, 1.0 + 3e-6, 0.0, 1.0], 2);
        assert_eq!(found.unwrap().jitter, 1e-5);
        let (found, _) = factorised(&[1.0, 1.01, 0.0, 1.0], 2);
        let error = found.unwrap_err();
        assert_eq!((error.size, error.pivot, error.mean_diagonal), (2, 1, 1.0));
        assert!(
            (error.smallest_pivot - 1.0001).abs() < 1e-12 && error.condition_at_least == 1.0,
            "{error:?}"
        );
        let text = FitError::from(error).to_string();
        assert!(
            text.starts_with(
                "diverged: the 2 x 2 covariance has no Cholesky factor, even with 1e-4"
            ),
            "{text}"
        );
    }

    #[test]
    fn numbers_that_are_not_finite_are_an_error() {
        for bad in [f64::NAN, f64::INFINITY] {
            for place in [0, 1, 3] {
                let mut covariance = [1.0, 0.5, 0.5, 1.0];
                covariance[place] = bad;
                assert!(factorised(&covariance, 2).0.is_err(), "{bad} at {place}");
            }
        }
    }

    #[test]
    fn a_matrix_without_rows_has_an_empty_factor() {
        assert_eq!(factorised(&[], 0).0.unwrap().jitter, 0.0);
    }
}
