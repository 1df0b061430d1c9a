//! Condition a Gaussian process on its observations: the only place where a covariance is solved.
//!
//! With C = K + noise = L Lᵀ and α = C⁻¹ y (Rasmussen and Williams, 2006, Algorithm 2.1 and Eqs.
//! 2.25, 2.26, 2.30, 5.9):
//!
//! ln p(y) = −½ yᵀα − Σ ln L_ii − ½ n ln 2π, ∂ ln p/∂C = ½ (α αᵀ − C⁻¹), E f* = k*ᵀ α, var f* = k**
//! − |L⁻¹ k*|².
//!
//! Matrices are as in [`kernels`](super::kernels): row-major, a symmetric one in its upper
//! triangle.

use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, MatMut, MatRef, Par};
use serde::{Deserialize, Serialize};

use super::jitter::{Factored, NotPositiveDefinite, Scratch, factorise};
use crate::state::require;
use uq_core::math::special::LN_SQRT_2PI;

/// A factorised covariance of n observations and what follows from it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Conditioning {
    n: usize,
    /// By columns the lower triangle L.
    #[serde(with = "triangle")]
    factor: Vec<f64>,
    /// α.
    weights: Vec<f64>,
    #[serde(skip)]
    scratch: Scratch,
    log_marginal: f64,
    factored: Factored,
    #[serde(skip, default = "one_thread")]
    par: Par,
}

/// A trial's linear algebra runs on one thread.
fn one_thread() -> Par {
    Par::Seq
}

/// The factor is written without the numbers above its diagonal, which are unspecified and half of
/// it.
mod triangle {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes the columns of L, each from its diagonal on.
    pub fn serialize<S: Serializer>(factor: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        let n = factor.len().isqrt();
        let packed: Vec<f64> =
            (0..n).flat_map(|i| &factor[i * n + i..(i + 1) * n]).copied().collect();
        packed.serialize(serializer)
    }

    /// Reads them.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let packed = Vec::<f64>::deserialize(deserializer)?;
        let n = (2 * packed.len()).isqrt();
        if n * (n + 1) / 2 != packed.len() {
            return Err(D::Error::custom("a factor that is no triangle"));
        }
        let (mut factor, mut rest) = (vec![0.0; n * n], packed.as_slice());
        for i in 0..n {
            let (column, others) = rest.split_at(n - i);
            factor[i * n + i..(i + 1) * n].copy_from_slice(column);
            rest = others;
        }
        Ok(factor)
    }
}

impl Conditioning {
    /// Room for n observations; [`Conditioning::condition`] fills it.
    pub fn new(n: usize, par: Par) -> Self {
        let factored = Factored { jitter: 0.0, condition_at_least: f64::NAN };
        let (factor, weights) = (vec![0.0; n * n], vec![0.0; n]);
        Self {
            n,
            factor,
            weights,
            scratch: Scratch::default(),
            log_marginal: f64::NAN,
            factored,
            par,
        }
    }

    /// Checks what was read: it is of `n` observations.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, n: usize) -> Result<(), String> {
        let fits = self.weights.len() == n && n.checked_mul(n) == Some(self.factor.len());
        require(self.n == n && n > 0 && fits, "a factor of other observations")
    }

    /// Conditions on the centred `targets` (n) with covariance C (n × n, noise included), and
    /// returns ln p(y). Earlier contents are overwritten; nothing is allocated.
    ///
    /// # Errors
    /// [`NotPositiveDefinite`], after the last rung of the [jitter](super::jitter).
    ///
    /// # Panics
    /// If shapes do not fit.
    pub fn condition(
        &mut self,
        covariance: &[f64],
        targets: &[f64],
    ) -> Result<f64, NotPositiveDefinite> {
        let n = self.n;
        self.factored = factorise(covariance, n, &mut self.factor, &mut self.scratch, self.par)?;
        let factor = MatRef::from_column_major_slice(&self.factor, n, n);
        self.weights.copy_from_slice(targets);
        let mut weights = MatMut::from_column_major_slice_mut(&mut self.weights, n, 1);
        solve_lower_triangular_in_place(factor, weights.as_mut(), self.par);
        solve_upper_triangular_in_place(factor.transpose(), weights, self.par);
        let fit: f64 = self.weights.iter().zip(targets).map(|(weight, y)| weight * y).sum();
        let half_ln_determinant: f64 = (0..n).map(|i| self.factor[i * n + i].ln()).sum();
        self.log_marginal = -0.5 * fit - half_ln_determinant - n as f64 * LN_SQRT_2PI;
        Ok(self.log_marginal)
    }

    /// ln p(y).
    pub fn log_marginal(&self) -> f64 {
        self.log_marginal
    }

    /// The jitter that was needed, and what is known of the condition number.
    pub fn factored(&self) -> Factored {
        self.factored
    }

    /// α = C⁻¹ y, n.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// L read by columns (n × n); the numbers above its diagonal are unspecified.
    pub fn factor(&self) -> &[f64] {
        &self.factor
    }

    /// Writes −∂ ln p/∂C = ½ (C⁻¹ − α αᵀ) into the upper triangle of `to` (n × n). `inverse` (n ×
    /// n) is overwritten.
    ///
    /// # Panics
    /// If shapes do not fit.
    pub fn negative_derivative(&self, inverse: &mut [f64], to: &mut [f64]) {
        let n = self.n;
        let factor = MatRef::from_column_major_slice(&self.factor, n, n);
        invert_lower_triangular(
            MatMut::from_column_major_slice_mut(&mut *inverse, n, n),
            factor,
            self.par,
        );
        let inverse = MatRef::from_column_major_slice(inverse, n, n);
        let product = MatMut::from_column_major_slice_mut(&mut *to, n, n);
        let (lower, upper) = (BlockStructure::TriangularLower, BlockStructure::TriangularUpper);
        matmul(
            product,
            lower,
            Accum::Replace,
            inverse.transpose(),
            upper,
            inverse,
            lower,
            0.5,
            self.par,
        );
        for (i, weight) in self.weights.iter().enumerate() {
            let half = 0.5 * weight;
            for (entry, other) in to[i * n + i..(i + 1) * n].iter_mut().zip(&self.weights[i..]) {
                *entry -= half * other;
            }
        }
    }

    /// The function at b further points, whose covariances with the observations are `cross` (b ×
    /// n, overwritten): the mean of each, and by how much its variance falls below the prior's,
    /// |L⁻¹ k*|².
    ///
    /// # Panics
    /// If shapes do not fit.
    pub fn answer(&self, cross: &mut [f64], mean: &mut [f64], explained: &mut [f64]) {
        let (n, b) = (self.n, mean.len());
        assert_eq!(
            (cross.len(), explained.len()),
            (b * n, b),
            "a covariance for each point and observation"
        );
        let rows = (0..b).map(|i| i * n..(i + 1) * n);
        for (mean, row) in mean.iter_mut().zip(rows.clone()) {
            *mean = cross[row].iter().zip(&self.weights).map(|(k, weight)| k * weight).sum();
        }
        let factor = MatRef::from_column_major_slice(&self.factor, n, n);
        solve_lower_triangular_in_place(
            factor,
            MatMut::from_column_major_slice_mut(&mut *cross, n, b),
            self.par,
        );
        for (explained, row) in explained.iter_mut().zip(rows) {
            *explained = cross[row].iter().map(|x| x * x).sum();
        }
    }

    /// Computes C⁻¹ k* from the L⁻¹ k* (b × n) of [`Conditioning::answer`]: the weight of each
    /// observation in the mean at each of b points.
    ///
    /// # Panics
    /// If shapes do not fit.
    pub fn weigh(&self, cross: &mut [f64]) {
        let n = self.n;
        let factor = MatRef::from_column_major_slice(&self.factor, n, n);
        let columns = cross.len() / n.max(1);
        let cross = MatMut::from_column_major_slice_mut(cross, n, columns);
        solve_upper_triangular_in_place(factor.transpose(), cross, self.par);
    }
}
