//! Fit a mixture of K normal distributions with full covariances by expectation maximisation (EM).
//!
//! ```text
//! p(ξ) = Σ_k π_k N(ξ | μ_k, Σ_k)                                             (1)
//! r_ik = π_k N(ξ_i | μ_k, Σ_k) / Σ_l π_l N(ξ_i | μ_l, Σ_l)                   (E step, Algorithm 1)
//! π_k = Σ_i r_ik / n,  μ_k = Σ_i r_ik ξ_i / Σ_i r_ik,
//! Σ_k = Σ_i r_ik (ξ_i − μ_k)(ξ_i − μ_k)ᵀ / Σ_i r_ik                          (M step, Algorithm 1)
//! ```
//!
//! Equation numbers are those of the JCM paper. A step is one pass over the rows: with Σ = L Lᵀ and
//! u_i = L⁻¹(ξ_i − μ) of the *old* parameters, the sums s = Σ r u / Σ r and C = Σ r u uᵀ / Σ r − s
//! sᵀ give the new mean μ + L s and the new covariance L C Lᵀ. So the memory does not grow with n,
//! and precision is kept where columns differ in size or almost depend on each other.
//!
//! **Covariance floor.** Every eigenvalue of every Σ_k is raised to at least the floor, a variance
//! in the units of the rows: standardise them first. The result is the M step's optimum among
//! covariances whose eigenvalues are at or above the floor, so the log-likelihood of a step never
//! falls, whatever the floor (a ridge added to the diagonal, as scikit-learn adds, has no such
//! guarantee). It follows that the variance of one column given the others is at least the floor,
//! too.
//!
//! **Empty components.** A component whose responsibilities sum to (almost) zero keeps its mean and
//! covariance, and its weight becomes that sum: the likelihood does not fall, and the component
//! stays out unless rows come back.
//!
//! *Departures from the paper:* Algorithm 1 prints no covariance floor; without one a component on
//! a single row is singular.
//!
//! # References
//! A. P. Dempster, N. M. Laird, D. B. Rubin: *Maximum likelihood from incomplete data via the EM
//! algorithm*, JRSS B 39, 1977. C. M. Bishop: *Pattern Recognition and Machine Learning*, Springer,
//! 2006, 9.2.

use ndarray::{Array1, Array2, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use super::MixtureError;
use super::factor::{Factor, raise_to_floor, triangle};
use super::kernel::{Kernel, Moments, Workspace};
use super::kmeans_start::cluster;
use crate::state::require;
use crate::{Context, FitError};
use uq_core::math::random::Rng;
use uq_core::math::special::LN_SQRT_2PI;

/// A component with a smaller sum of responsibilities is empty: its means would be meaningless.
const EMPTY: f64 = 1e-100;

/// A mixture of K normal distributions of m columns; column 0 is the target where one column is.
///
/// The fields are for reading: the factors of the covariances are kept beside them. To change them,
/// build a new mixture with [`GaussianMixture::new`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GaussianMixture {
    /// Weights π, K; they sum to one.
    pub weights: Array1<f64>,
    /// Means μ, K × m.
    pub means: Array2<f64>,
    /// Covariances Σ, K of m × m.
    pub covariances: Vec<Array2<f64>>,
    /// The components as the inner loops read them.
    pub(super) kernels: Vec<Kernel>,
}

/// When expectation maximisation ends, and the covariance floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmSettings {
    /// Largest number of steps.
    pub max_steps: usize,
    /// Ends when the mean log-likelihood ℓ gains less than tolerance · (1 + |ℓ|) in a step; with 0
    /// all steps are taken.
    pub tolerance: f64,
    /// Smallest eigenvalue of a covariance, in squared units of the rows; at least 0.
    pub floor: f64,
}

/// The course of expectation maximisation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmTrace {
    /// Mean log-likelihood before each step.
    pub log_likelihoods: Vec<f64>,
    /// Whether the gain fell below the tolerance before the steps were used up.
    pub converged: bool,
}

impl GaussianMixture {
    /// The mixture of these weights (K), means (K × m) and covariances (K of m × m, symmetric).
    ///
    /// # Errors
    /// [`MixtureError`] for no component or column, shapes that do not fit, weights that are
    /// negative or do not sum to one, numbers that are not finite, a covariance that is not
    /// positive definite.
    pub fn new(
        weights: Array1<f64>,
        means: Array2<f64>,
        covariances: Vec<Array2<f64>>,
    ) -> Result<Self, MixtureError> {
        let (k, m) = means.dim();
        let shape = |what, found: usize, expected: usize| {
            let right = found == expected && found > 0;
            if right {
                Ok(())
            } else {
                Err(MixtureError::Shape { what, found, expected: format!("{}", expected.max(1)) })
            }
        };
        shape("the number of means", k, weights.len())?;
        shape("the number of covariances", covariances.len(), k)?;
        shape("the number of columns", m, m)?;
        for covariance in &covariances {
            shape("the number of rows of a covariance", covariance.nrows(), m)?;
            shape("the number of columns of a covariance", covariance.ncols(), m)?;
        }
        let total = weights.sum();
        if !((total - 1.0).abs() <= 1e-9 && weights.iter().all(|&w| w >= 0.0)) {
            let expected = "1, without a negative weight";
            return Err(MixtureError::Setting {
                what: "the sum of the weights",
                found: total,
                expected,
            });
        }
        if let Some(row) = (0..k).find(|&c| !means.row(c).iter().all(|x| x.is_finite())) {
            return Err(MixtureError::NotFinite { row });
        }
        let kernel = |c: usize| {
            let mean = means.row(c);
            let covariance = &covariances[c];
            let order = order(m);
            let factor = Factor::new(m, 0.0, |i, j| covariance[(order[i], order[j])])
                .ok_or(MixtureError::Singular { component: c })?;
            let ln_scale = weights[c].ln() - factor.half_ln_determinant(m) - m as f64 * LN_SQRT_2PI;
            Ok(Kernel { ln_scale, centre: order.iter().map(|&j| mean[j]).collect(), factor })
        };
        let kernels = (0..k).map(kernel).collect::<Result<_, _>>()?;
        Ok(Self { weights, means, covariances, kernels })
    }

    /// Checks a mixture that was read: it has a component, and each of them is over the `columns`.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn check(&self, columns: usize) -> Result<(), String> {
        let components = self.weights.len();
        let counts = [self.covariances.len(), self.kernels.len()] == [components; 2];
        require(
            components > 0 && counts && self.means.dim() == (components, columns),
            "components of other columns",
        )?;
        let square =
            self.covariances.iter().all(|covariance| covariance.dim() == (columns, columns));
        let factored = |Kernel { centre, factor, .. }: &Kernel| {
            centre.len() == columns
                && factor.inverse_diagonal.len() == columns
                && factor.packed.len() == triangle(columns)
        };
        require(
            columns > 0 && square && self.kernels.iter().all(factored),
            "factors of other covariances",
        )
    }

    /// A start for `components` over `rows` (n × m): k-means++ and Lloyd steps, then the M step of
    /// these clusters.
    ///
    /// # Errors
    /// [`MixtureError`] for no component, column or row, fewer distinct rows than components,
    /// numbers that are not finite, a negative floor, and, where the floor is (almost) zero, for a
    /// cluster whose rows do not span all columns.
    pub fn start(
        rows: ArrayView2<f64>,
        components: usize,
        floor: f64,
        rng: &mut Rng,
    ) -> Result<Self, MixtureError> {
        let (n, m) = rows.dim();
        check_floor(floor)?;
        for (what, found) in
            [("the number of components", components), ("the number of columns", m)]
        {
            if found == 0 {
                return Err(MixtureError::Shape { what, found, expected: "at least 1".into() });
            }
        }
        if n < components {
            return Err(MixtureError::TooFewRows { components, distinct: n });
        }
        if let Some(row) = (0..n).find(|&i| !rows.row(i).iter().all(|x| x.is_finite())) {
            return Err(MixtureError::NotFinite { row });
        }
        let labels = cluster(rows, components, rng)?;
        let mut members = vec![Vec::new(); components];
        labels.iter().enumerate().for_each(|(i, &label)| members[label].push(i));
        let weights = members.iter().map(|members| members.len() as f64 / n as f64).collect();
        let mut means = Array2::zeros((components, m));
        let mut covariances = Vec::with_capacity(components);
        for (c, members) in members.iter().enumerate() {
            let mut centred = rows.select(Axis(0), members);
            let mean = centred.sum_axis(Axis(0)) / members.len() as f64;
            centred -= &mean;
            means.row_mut(c).assign(&mean);
            covariances.push(centred.t().dot(&centred) / members.len() as f64);
        }
        Self::floored(weights, means, covariances, floor)
    }

    /// The mixture of these parts, eigenvalues of the covariances raised to `floor`.
    fn floored(
        weights: Array1<f64>,
        means: Array2<f64>,
        mut covariances: Vec<Array2<f64>>,
        floor: f64,
    ) -> Result<Self, MixtureError> {
        for (component, covariance) in covariances.iter_mut().enumerate() {
            if !raise_to_floor(covariance, floor) {
                return Err(MixtureError::Singular { component });
            }
        }
        Self::new(weights, means, covariances)
    }

    /// Number of components, K.
    pub fn components(&self) -> usize {
        self.weights.len()
    }

    /// Number of columns, m.
    pub fn columns(&self) -> usize {
        self.means.ncols()
    }

    /// One E and one M step over `rows` (n × m). Returns the mean log-likelihood *before* the step.
    ///
    /// # Errors
    /// [`MixtureError`] for no row, a wrong number of columns, a negative floor, a row without
    /// finite density, or a covariance that becomes singular; the mixture is then unchanged.
    pub fn em_step(
        &mut self,
        rows: ArrayView2<f64>,
        floor: f64,
        workspace: &mut Workspace,
    ) -> Result<f64, MixtureError> {
        let (n, m) = rows.dim();
        check_floor(floor)?;
        if m != self.columns() {
            let what = "the number of columns";
            return Err(MixtureError::Shape {
                what,
                found: m,
                expected: self.columns().to_string(),
            });
        }
        if n == 0 {
            return Err(MixtureError::Shape {
                what: "the number of rows",
                found: 0,
                expected: "at least 1".into(),
            });
        }
        workspace.prepare(self.components(), m);
        let (mut total, mut fault) = (0.0, None);
        workspace.pass(rows, &order(m), &self.kernels, true, |first, block| {
            for i in 0..block.count {
                let density = block.log_density(i);
                if !density.is_finite() && fault.is_none() {
                    fault = Some(first + i);
                }
                total += density;
            }
        });
        match fault {
            Some(row) => Err(MixtureError::NotFinite { row }),
            None => {
                *self = self.maximised(&workspace.moments, floor)?;
                Ok(total / n as f64)
            }
        }
    }

    /// The M step.
    fn maximised(&self, moments: &[Moments], floor: f64) -> Result<Self, MixtureError> {
        let m = self.columns();
        let order = order(m);
        let mut means = self.means.clone();
        let mut covariances = self.covariances.clone();
        // Responsibilities sum to n up to rounding; so the weights sum to one.
        let total: f64 = moments.iter().map(|moments| moments.total).sum();
        for (c, (Moments { total, first, second }, kernel)) in
            moments.iter().zip(&self.kernels).enumerate()
        {
            if *total < EMPTY {
                continue;
            }
            let shift: Vec<f64> = first.iter().map(|sum| sum / total).collect();
            let spread = Array2::from_shape_fn((m, m), |(i, j)| {
                let (i, j) = (i.max(j), i.min(j));
                second[triangle(i) + j] / total - shift[i] * shift[j]
            });
            let moved = kernel.factor.apply(&shift);
            let covariance = kernel.factor.congruence(&spread);
            for (i, &to) in order.iter().enumerate() {
                means[(c, to)] += moved[i];
                for (j, &other) in order.iter().enumerate() {
                    covariances[c][(to, other)] = covariance[(i, j)];
                }
            }
        }
        let weights = moments.iter().map(|moments| moments.total / total).collect();
        Self::floored(weights, means, covariances, floor)
    }

    /// Steps until the gain is below the tolerance or the steps are used up; a warm start from the
    /// current parameters.
    ///
    /// # Errors
    /// [`FitError::Singular`] or [`FitError::Unsupported`] as [`GaussianMixture::em_step`];
    /// [`FitError::Cancelled`] or [`FitError::TimedOut`] when the run is stopped.
    pub fn fit(
        &mut self,
        rows: ArrayView2<f64>,
        settings: &EmSettings,
        context: &Context,
    ) -> Result<EmTrace, FitError> {
        let mut workspace = Workspace::default();
        let mut log_likelihoods: Vec<f64> = Vec::new();
        for _ in 0..settings.max_steps {
            context.checkpoint()?;
            let now = self.em_step(rows, settings.floor, &mut workspace)?;
            let before = log_likelihoods.last().copied();
            log_likelihoods.push(now);
            if before.is_some_and(|before| now - before < settings.tolerance * (1.0 + now.abs())) {
                return Ok(EmTrace { log_likelihoods, converged: true });
            }
        }
        Ok(EmTrace { log_likelihoods, converged: false })
    }

    /// ln p(ξ) of each row (n × m), n; NaN for a row that is not finite.
    ///
    /// # Panics
    /// If `rows` has another number of columns than the mixture.
    pub fn log_density(&self, rows: ArrayView2<f64>) -> Array1<f64> {
        assert_eq!(rows.ncols(), self.columns(), "rows and mixture must have the same columns");
        let mut densities = Array1::zeros(rows.nrows());
        let mut workspace = Workspace::default();
        workspace.prepare(self.components(), self.columns());
        workspace.pass(rows, &order(self.columns()), &self.kernels, false, |first, block| {
            (0..block.count).for_each(|i| densities[first + i] = block.log_density(i));
        });
        densities
    }
}

/// The columns in the order of the factors: the target, column 0, comes last, so that the leading
/// part of a factor is that of the other columns, and its last row is the regression of the target
/// on them.
fn order(m: usize) -> Vec<usize> {
    (1..m).chain([0]).collect()
}

fn check_floor(floor: f64) -> Result<(), MixtureError> {
    if floor >= 0.0 && floor.is_finite() {
        return Ok(());
    }
    Err(MixtureError::Setting {
        what: "the covariance floor",
        found: floor,
        expected: "finite and at least 0",
    })
}
