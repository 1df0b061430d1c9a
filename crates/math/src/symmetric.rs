//! Decompose a symmetric matrix into eigenvalues and eigenvectors.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{Mat, MatRef, Par, Spec};

/// The eigenvalues of the symmetric `matrix` (m × m), the smallest one first, and its eigenvectors
/// as columns in the same order; only the lower triangle is read. `None` where a number is not
/// finite, or the iteration does not converge.
pub fn eigen(matrix: MatRef<f64>) -> Option<(Vec<f64>, Mat<f64>)> {
    let m = matrix.nrows();
    if m == 0 {
        return Some((Vec::new(), Mat::new()));
    }
    if (0..m).any(|j| (0..m).any(|i| !matrix[(i, j)].is_finite())) {
        return None;
    }
    let (mut values, mut vectors) = (Diag::zeros(m), Mat::zeros(m, m));
    let parameters = Spec::default();
    let scratch =
        self_adjoint_evd_scratch::<f64>(m, ComputeEigenvectors::Yes, Par::Seq, parameters);
    let (mut buffer, out) = (MemBuffer::new(scratch), Some(vectors.as_mut()));
    self_adjoint_evd(
        matrix,
        values.as_mut(),
        out,
        Par::Seq,
        MemStack::new(&mut buffer),
        parameters,
    )
    .ok()?;
    Some((values.column_vector().iter().copied().collect(), vectors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_of_two_by_two_has_its_textbook_eigenvectors() {
        // Eigenvalues 1 and 3 with vectors (1, −1)/√2 and (1, 1)/√2.
        let (values, vectors) =
            eigen(Mat::from_fn(2, 2, |i, j| if i == j { 2.0 } else { 1.0 }).as_ref()).unwrap();
        assert!((values[0] - 1.0).abs() < 1e-14 && (values[1] - 3.0).abs() < 1e-14, "{values:?}");
        for (k, sign) in [-1.0, 1.0].into_iter().enumerate() {
            assert!((vectors[(0, k)] * sign - vectors[(1, k)]).abs() < 1e-14);
            assert!((vectors[(0, k)].powi(2) - 0.5).abs() < 1e-14);
        }
        assert!(eigen(Mat::from_fn(1, 1, |_, _| f64::NAN).as_ref()).is_none());
        assert_eq!(eigen(Mat::zeros(0, 0).as_ref()).unwrap().0, Vec::<f64>::new());
    }
}
