//! Factorise covariances, and raise their eigenvalues to a floor.

use faer::Mat;
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use uq_math::symmetric::eigen;

/// Number of entries of a lower triangle of order `m`.
pub(super) fn triangle(m: usize) -> usize {
    m * (m + 1) / 2
}

/// A Cholesky factor Σ = L Lᵀ, the rows of L one after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Factor {
    /// L_ij for j ≤ i at place i(i + 1)/2 + j.
    pub packed: Vec<f64>,
    /// 1 / L_ii.
    pub inverse_diagonal: Vec<f64>,
}

impl Factor {
    /// The factor of a − `shift` I; `a(i, j)` is called for j ≤ i < `m` only.
    ///
    /// `None` where a pivot is not above the rounding of its diagonal entry: the matrix is not
    /// positive definite.
    pub fn new(m: usize, shift: f64, a: impl Fn(usize, usize) -> f64) -> Option<Self> {
        let mut packed: Vec<f64> = Vec::with_capacity(triangle(m));
        let mut inverse_diagonal = Vec::with_capacity(m);
        for i in 0..m {
            let row = triangle(i);
            for j in 0..i {
                let known = dot(&packed[row..row + j], &packed[triangle(j)..triangle(j) + j]);
                packed.push((a(i, j) - known) * inverse_diagonal[j]);
            }
            let diagonal = a(i, i) - shift;
            let pivot = diagonal - dot(&packed[row..], &packed[row..]);
            let rounding = m as f64 * f64::EPSILON * a(i, i).abs();
            if !(pivot > rounding && pivot.is_finite()) {
                return None;
            }
            packed.push(pivot.sqrt());
            inverse_diagonal.push(1.0 / pivot.sqrt());
        }
        Some(Self { packed, inverse_diagonal })
    }

    /// Row `i` of L up to its diagonal.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.packed[triangle(i)..triangle(i + 1)]
    }

    /// The factor of the first `size` columns.
    pub fn leading(&self, size: usize) -> Self {
        let packed = self.packed[..triangle(size)].to_vec();
        Self { packed, inverse_diagonal: self.inverse_diagonal[..size].to_vec() }
    }

    /// ½ ln |Σ| over the first `size` columns.
    pub fn half_ln_determinant(&self, size: usize) -> f64 {
        (0..size).map(|i| self.row(i)[i].ln()).sum()
    }

    /// L v.
    pub fn apply(&self, v: &[f64]) -> Vec<f64> {
        (0..v.len()).map(|i| dot(self.row(i), v)).collect()
    }

    /// L C Lᵀ for a symmetric C, m × m.
    pub fn congruence(&self, c: &Array2<f64>) -> Array2<f64> {
        let m = c.nrows();
        let left = Array2::from_shape_fn((m, m), |(i, j)| {
            (0..=i).map(|k| self.row(i)[k] * c[(k, j)]).sum::<f64>()
        });
        let mut product = Array2::zeros((m, m));
        for i in 0..m {
            for j in 0..=i {
                let entry: f64 = (0..=j).map(|k| left[(i, k)] * self.row(j)[k]).sum();
                product[(i, j)] = entry;
                product[(j, i)] = entry;
            }
        }
        product
    }
}

/// Σ a_i b_i over the shorter one.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Raises every eigenvalue of the symmetric `covariance` (m × m) to at least `floor`; its
/// eigenvectors stay.
///
/// Among all matrices Σ ⪰ floor I this one maximises the likelihood −½ ln |Σ| − ½ tr(Σ⁻¹ S).
/// Returns `false` where the decomposition fails.
pub(super) fn raise_to_floor(covariance: &mut Array2<f64>, floor: f64) -> bool {
    let m = covariance.nrows();
    if !covariance.iter().all(|x| x.is_finite()) {
        return false;
    }
    // Σ − floor I is positive definite: all eigenvalues are above the floor.
    if floor == 0.0 || Factor::new(m, floor, |i, j| covariance[(i, j)]).is_some() {
        return true;
    }
    let Some((values, vectors)) = eigen(Mat::from_fn(m, m, |i, j| covariance[(i, j)]).as_ref())
    else {
        return false;
    };
    for (k, &value) in values.iter().enumerate().filter(|(_, value)| **value < floor) {
        for i in 0..m {
            for j in 0..m {
                covariance[(i, j)] += (floor - value) * (vectors[(i, k)] * vectors[(j, k)]);
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn a_matrix_of_integers_has_its_textbook_factor() {
        // The factor of this matrix is [[2], [6, 1], [−8, 5, 3]] (Wikipedia, Cholesky
        // decomposition).
        let a = array![[4.0, 12.0, -16.0], [12.0, 37.0, -43.0], [-16.0, -43.0, 98.0]];
        let factor = Factor::new(3, 0.0, |i, j| a[(i, j)]).unwrap();
        assert_eq!(factor.packed, [2.0, 6.0, 1.0, -8.0, 5.0, 3.0]);
        assert!((factor.half_ln_determinant(3) - 6.0_f64.ln()).abs() < 1e-14);
        assert_eq!(factor.apply(&[1.0, 1.0, 1.0]), [2.0, 7.0, 0.0]);
        assert_eq!(factor.congruence(&Array2::eye(3)), a);
        assert_eq!(Factor::new(2, 0.0, |_, _| 1.0), None, "singular");
        assert_eq!(Factor::new(1, 2.0, |_, _| 1.0), None, "below the shift");
    }

    #[test]
    fn the_floor_raises_small_eigenvalues_and_leaves_the_others() {
        // Eigenvalues 2 and 0 with vectors (1, 1)/√2 and (1, −1)/√2.
        let mut flat = array![[1.0, 1.0], [1.0, 1.0]];
        assert!(raise_to_floor(&mut flat, 0.5));
        for (found, expected) in flat.iter().zip(&[1.25, 0.75, 0.75, 1.25]) {
            assert!((found - expected).abs() < 1e-14, "{flat}");
        }
        let mut round = array![[2.0, 0.5], [0.5, 3.0]];
        let before = round.clone();
        assert!(raise_to_floor(&mut round, 0.5));
        assert_eq!(round, before);
        assert!(!raise_to_floor(&mut array![[f64::NAN]], 0.5));
    }
}
