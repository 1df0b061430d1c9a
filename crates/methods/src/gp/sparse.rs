//! Approximate a Gaussian process by its values at inducing points: Titsias' collapsed variational
//! bound.
//!
//! ```text
//! y = f(x) + ε,   f ~ GP(0, k),   ε ~ N(0, s²)                                                 (1)
//! k(x, x') = σ² ρ(Σ_j (x_j − x'_j)² / ℓ_j²)                                                    (2)
//! F = ln N(y | 0, Q + s² I) − tr(K − Q) / 2 s² ≤ ln p(y),   Q = K_fu K_uu⁻¹ K_uf               (3)
//! y* | x* ~ N(E f(x*), var f(x*) + s²)                                                         (4)
//! ```
//!
//! ρ is a correlation of [`kernels`](super::kernels), by default the RBF kernel's. F is maximised
//! over length scales ℓ, signal variance σ², noise variance s² and the inducing points together, by
//! L-BFGS with the gradient of [`bound`]. F has many maxima: several starts are followed with 100
//! points on at most 5000 rows. From the best two ends and from the first start, 20 steps follow
//! with all points on these rows, and the fit begins at the highest F of them (`search`). Points
//! start at k-means of the distinct training rows. Where there are no more distinct rows than
//! points, all of them are points and stay where they are: Q = K, and this is the exact process.
//! Target and features are standardised on the training rows; a feature that is constant in them is
//! left out. Epistemic is var f, aleatoric is s².
//!
//! With `ard`, the default, each feature has a length scale ℓ_j. With `ard = false` all share one,
//! as in `demos/demo_regression_UCI.ipynb` of ICL-SML/Doubly-Stochastic-DGP at 59d3ac7
//! (`RBF(D, …)`, whose default is one length scale), which fits a sparse process beside the deep
//! one.
//!
//! The fit ends where a step raises F by less than `tolerance` nats a row, where the gradient is
//! shorter than that, or after `iterations` steps; the side table `fit` says which. `jitter` σ² is
//! always added to the diagonal of K_uu, so that F does not jump where a Cholesky factor begins to
//! fail; K_uu with jitter is the covariance of f at the points with noise added, so F stays a
//! bound.
//!
//! # References
//! M. K. Titsias: *Variational learning of inducing variables in sparse Gaussian processes*,
//! AISTATS 2009, Eqs. (6), (9), (10). A. G. de G. Matthews, J. Hensman, R. Turner, Z. Ghahramani:
//! *On sparse variational methods and the Kullback-Leibler divergence between stochastic
//! processes*, AISTATS 2016, for inducing variables with noise.

pub mod bound;
mod posterior;
mod search;

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use self::posterior::Posterior;
use self::search::{Climb, Origin, Rows, explore, settings};
use super::inducing::InducingStart;
use super::kernels::{Composition, Kernel, Shape};
use super::space::{Ranges, Space};
use crate::engine::scales::{Scales, standardise};
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::{Choices, is_true, parameters};
use crate::side_tables::{Capped, FitNoise};
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Form, Gaussian, Predictive, Split};
use uq_math::lbfgs::{LbfgsError, Minimum, Stop};

const ID: &str = "sparse-gp";

/// Standardised features: shorter length scales separate rows that do not differ, longer ones
/// switch a feature off. Another range is another method version.
const RANGES: Ranges =
    Ranges { variance: (1e-4, 1e4), length_scale: (1e-2, 1e3), alpha: (1e-2, 1e3) };

/// Largest number of values of a trace.
const TRACE: usize = 200;

parameters! {
    /// Parameters of the sparse Gaussian process.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SparseGpParameters {
        /// Kernel k.
        kernel: Composition = Composition::Shape(Shape::Rbf), in Composition::COMPLETE;
        /// Whether each feature has a length scale of its own; otherwise all features share one.
        ard: bool = true, in Choices, added "is_true";
        /// Largest number of inducing points.
        points: usize = 500, in 1..=5000;
        /// Largest number of steps of L-BFGS after those that compare starts. L-BFGS evaluates F at
        /// most 1.25 times as often, and 20 times more.
        iterations: usize = 150, in 1..=100_000;
        /// The fit ends where a step raises F by less than this for each row, in nats.
        tolerance: f64 = 1e-7, in 0.0..=1.0;
        /// Smallest noise variance s², in units of the target's variance.
        noise_floor: f64 = 1e-6, in 1e-300..=1.0;
        /// What is added to the diagonal of K_uu, in units of σ².
        jitter: f64 = 1e-8, in 1e-14..=1e-2;
        /// Starts drawn at random, besides the first, that are compared. With 0 the fit begins at
        /// the first start.
        restarts: usize = 3, in 0..=100;
    }
}

/// The sparse Gaussian process as a method.
pub type SparseGp = Configured<SparseGpParameters>;

impl MethodParameters for SparseGpParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "Gaussian process with inducing points: Titsias' collapsed bound";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "Gaussian process with an RBF kernel and 500 inducing points at most, 150 steps \
                   of L-BFGS",
        // 0.06 s with 100 rows of 4 features, 0.19 s with 100 of 10, and 1.1 s with 400 of 4: fewer
        // rows have fewer inducing points.
        cost: |n, _| 4e-3 * n * (n / 300.0).min(1.0),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 3;

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<SparseModel>::restored(state)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let SparseGpParameters {
            ref kernel,
            ard,
            points,
            iterations,
            tolerance,
            noise_floor,
            jitter,
            ..
        } = *self;
        let (scales, x, y) = standardise(ID, train, context)?;
        let rows = Rows { x, y: y.into_raw_vec_and_offset().0 };
        let (n, d) = rows.x.dim();
        let space = Space::new(kernel.kernel(d), &RANGES, noise_floor).sharing_length_scales(!ard);
        let origin = explore(&space, &rows, self, context)?;
        let start =
            InducingStart::new(rows.x.view(), points, &mut context.stream("inducing points", 0));
        let points = start.points.nrows();
        let mut climb = Climb::new(&space, &rows, &origin.logarithms, &start, jitter);
        let minimum =
            climb.raise(&space, &settings(iterations, tolerance, n), context).map_err(|error| {
                match error {
                    LbfgsError::Stopped(error) => error,
                    LbfgsError::UndefinedStart { value, .. } => FitError::Diverged(format!(
                        "{ID}: the bound is {} where the fit starts, at noise variance {:e} \
                         (standardised units)",
                        -value,
                        space.read(&origin.logarithms).1
                    )),
                }
            })?;
        let Climb { mut bound, mut theta, trace, .. } = climb;
        bound.evaluate(&theta, None, context)?;
        let factors = bound.factors().clone();
        let jitter = factors.jitter;
        let posterior = Posterior::new(space.kernel.clone(), &theta, factors, context);
        theta.truncate(origin.logarithms.len());
        let (kernel, noise) = space.read(&theta);
        let at_bound = space.at_bound(&theta);
        let fixed = start.every_row;
        let model = SparseModel {
            posterior,
            space,
            kernel,
            noise,
            at_bound,
            jitter,
            points,
            fixed,
            origin,
            minimum,
            trace,
        };
        Ok(Box::new(Standardised { scales, model }))
    }
}

/// A fitted sparse process.
#[derive(Serialize, Deserialize)]
struct SparseModel {
    posterior: Posterior,
    space: Space,
    kernel: Kernel,
    /// s².
    noise: f64,
    /// Of the kernel's parameters, then of s².
    at_bound: Vec<bool>,
    jitter: f64,
    points: usize,
    /// Whether the points stayed in place.
    fixed: bool,
    /// Its start.
    origin: Origin,
    minimum: Minimum,
    /// F at each evaluation.
    trace: Vec<f64>,
}

impl StandardisedModel for SparseModel {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        self.posterior.check(features)
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let (mean, epistemic) = self.posterior.predict(x, context)?;
        let variance = &epistemic + self.noise; // (4)
        let aleatoric = Some(Array1::from_elem(mean.len(), self.noise));
        let split = request.split.then_some(Split { aleatoric, epistemic: Some(epistemic) });
        Ok(Predictive { form: Form::Gaussian(Gaussian { mean, variance }), split })
    }

    /// All in standardised units, with the scales that convert them to natural ones
    /// ([`Space::side tables`]).
    fn side_tables(&self, scales: &Scales) -> Vec<SideTable> {
        let [kernel, feature_scales] = self.space.side_tables(&self.kernel, &self.at_bound, scales);
        let one = |name: &str, value: f64| (name.into(), vec![value]);
        let minimum = &self.minimum;
        let noise_at_bound = self.at_bound.last().is_some_and(|at| *at);
        let mut columns =
            FitNoise { noise_variance: self.noise, noise_floor: None, noise_at_bound }.to_columns();
        columns.extend([
            one("target_scale", scales.target.scale),
            one("bound", -minimum.value),
            one("gradient_norm", minimum.gradient_norm),
            one("jitter", self.jitter),
            one("points", self.points as f64),
            one("points_fixed", f64::from(self.fixed)),
            one("start", self.origin.start as f64),
            one("start_searched", f64::from(self.origin.searched)),
            one("iterations", minimum.iterations as f64),
            one("evaluations", minimum.evaluations as f64),
        ]);
        columns.extend(Capped { cap_reached: minimum.stop == Stop::Exhausted }.to_columns());
        let fit = SideTable { name: FitNoise::NAME.into(), columns };
        vec![kernel, feature_scales, fit, trace(&self.trace)]
    }
}

/// The best value so far by evaluation: at most [`TRACE`] of them, the last one included.
fn trace(values: &[f64]) -> SideTable {
    let mut best = f64::NEG_INFINITY;
    let step = values.len().div_ceil(TRACE).max(1);
    let (mut evaluations, mut bounds) = (Vec::new(), Vec::new());
    for (i, value) in values.iter().enumerate() {
        best = best.max(*value);
        if (values.len() - 1 - i).is_multiple_of(step) {
            evaluations.push(i as f64 + 1.0);
            bounds.push(best);
        }
    }
    let columns = vec![("evaluation".into(), evaluations), ("bound".into(), bounds)];
    SideTable { name: "bound_trace".into(), columns }
}

#[cfg(test)]
mod tests;
