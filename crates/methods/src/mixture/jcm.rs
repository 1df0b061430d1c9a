//! Fit a Gaussian mixture to the target and a linear projection of the features, in turns with the
//! projection itself.
//!
//! Joint and conditional modelling (JCM), Algorithm 1. With z = W x and ξ = (y, z):
//!
//! ```text
//! W Wᵀ = I_p                                                                  (6)
//! ξ ~ Σ_k π_k N(ξ | μ_k, Σ_k)                                                 (1)
//! P(y|x) = Σ_k π*_k(z) N(y | μ_{k,y|z}, Σ_{k,y|z})                            (2) to (5)
//!
//! for t = 1, …, T:   one step of EM for π, μ, Σ on all ξ_i, from the current mixture
//!                    W ← R_W(−α ∇̂L) over the minibatches of one epoch        (10), (11), (13)
//! ```
//!
//! Features and target are expected in standardised units, as the protocol's scaling on the
//! training rows gives them: α, λ₁, λ₂ and the covariance floor have no meaning otherwise.
//!
//! # Readings
//! `line-search` is the conditional mixture itself, whose quantiles are found by root finding (16);
//! `monte-carlo` its quantiles from draws (Section 4.2). Both read the same fit.
//!
//! # Aleatoric and epistemic variance
//! The paper defines no split. Asked for one, the fit names the variance within the components
//! aleatoric and that between their means epistemic: (15) in its two parts, a nominal split, not
//! one that shrinks with the number of rows.
//!
//! # Departures from the paper
//! The loss is a batch mean ([`super::loss`]); the tangent vector is the orthogonal projection
//! ([`super::stiefel`]); α does not decay, as in Section 5, against "(decaying)" below (13). An
//! epoch's rows are cut into ⌈n / batch⌉ batches of equal size up to one row, so that none holds a
//! handful of rows only. The paper's N below 5000 is taken of the training rows, and one EM step a
//! turn is taken from Algorithm 1, which prints the E and the M step once. As printed, the returned
//! mixture was fitted before the last epoch moved W. The covariance floor is not printed.
//!
//! Other readings are parameters: EM until it is level in each turn (`em_steps`), a last EM for the
//! last W (`final_em_steps`), W at its random start (`learning_rate = 0`), several random starts
//! (`starts`), of which the paper says nothing.
//!
//! # References
//! C. Ji, D. Gong, Y. Li, M. Zhang, T. Ma, J. S. Liu: Joint and Condition Modeling for
//! High-Dimensional Aleatoric and Epistemic Uncertainty Quantification, Sections 3 to 5.

mod parameters;
mod validated;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

pub use parameters::JcmParameters;
pub use validated::{JcmValidated, JcmValidatedParameters};

use super::loss::LossWorkspace;
use super::side_table::components;
use super::stiefel::{self, RankDeficient, RiemannianSgd};
use super::{EmSettings, GaussianMixture, monte_carlo_quantiles, within_and_between};
use crate::engine::rescaled::Rescaled;
use crate::engine::search::Search;
use crate::engine::{question, rows};
use crate::entry::{DEFAULTS, Tried};
use crate::state::{self, Restored, StateError, require};
use crate::{Configured, Context, FitError, Fitted, MethodParameters, Reading, Request, SideTable};
use uq_core::Table;
use uq_core::math::random::permutation;
use uq_core::predictive::{Form, Predictive};

const ID: &str = "jcm";

/// A turn of EM ends when the mean log-likelihood ℓ gains less than this times 1 + |ℓ|.
const EM_TOLERANCE: f64 = 1e-6;

/// JCM with settings that are given beforehand.
pub type Jcm = Configured<JcmParameters>;

impl MethodParameters for JcmParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "joint and conditional modelling: Gaussian mixture of target and projected features";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "normal mixture of target and at most 5 projected features, with the paper's \
                   settings",
        // 3.6 ms with 100 rows of 4 features, 4.4 ms with 100 of 10, and 11 ms with 400 of 4.
        cost: |n, d| 1e-3 + 2.5e-6 * n * d,
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn readings(&self) -> Vec<Reading> {
        readings()
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        if self.standardise {
            return Ok(Box::new(Rescaled::new(ID, train, |scaled| {
                JcmFit::new(self, scaled, context)
            })?));
        }
        Ok(Box::new(JcmFit::new(self, train, context)?))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        let damaged = |why: String| StateError::damaged(ID, why);
        if self.standardise {
            let fit: Rescaled<JcmFit> = state::read(ID, state)?;
            fit.check().and_then(|()| fit.inner().check(fit.columns())).map_err(damaged)?;
            return Ok(Box::new(fit));
        }
        let fit: JcmFit = state::read(ID, state)?;
        fit.check(fit.projection.ncols()).map_err(damaged)?;
        Ok(Box::new(fit))
    }
}

/// The result of Algorithm 1.
#[derive(Serialize, Deserialize)]
struct JcmFit {
    /// W, p × d.
    projection: Array2<f64>,
    /// Over (y, z).
    mixture: GaussianMixture,
    /// For each epoch: the loss (10) over its batches, each before its step; the mean
    /// log-likelihood of ξ before its EM.
    trace: Vec<(f64, f64)>,
    /// L_Reg (7) of the training rows.
    training_loss: f64,
}

impl JcmFit {
    /// Checks a fit that was read: W has the `features`, and the mixture is over the target and
    /// their projections.
    fn check(&self, features: usize) -> Result<(), String> {
        let (p, d) = self.projection.dim();
        require(d == features && p > 0, "a projection of other features")?;
        self.mixture.check(p + 1)
    }

    /// The fit of the best start. The first one draws from the streams of `context`, start s from
    /// those of `("start", s)`.
    fn new(parameters: &JcmParameters, train: &Table, context: &Context) -> Result<Self, FitError> {
        let first = Self::from_one_start(parameters, train, context);
        if parameters.starts == 1 {
            return first;
        }
        let others = (1..parameters.starts).map(|start| {
            Self::from_one_start(parameters, train, &context.child("start", start as u64))
        });
        let (mut search, mut best) = (Search::default(), None);
        for (start, fit) in std::iter::once(first).chain(others).enumerate() {
            let score = fit.as_ref().map(|fit| -fit.training_loss).map_err(FitError::clone);
            if search.add(start, score)? {
                best = fit.ok();
            }
        }
        search.chosen(ID, |start| format!("start {start}"))?;
        best.ok_or_else(|| FitError::Unsupported(format!("{ID}: no start has a likelihood")))
    }

    /// Algorithm 1. W starts from the stream `("projection", 0)`, the mixture from
    /// `("mixture", 0)`; the rows of epoch t are shuffled by `("batches", t)`.
    fn from_one_start(
        parameters: &JcmParameters,
        train: &Table,
        context: &Context,
    ) -> Result<Self, FitError> {
        let (n, d) = train.features.dim();
        rows::at_least(ID, 1, n)?;
        rows::finite(ID, train)?;
        let ((p, k), floor) = (parameters.sizes(n, d)?, parameters.covariance_floor);
        let x = train.features.as_standard_layout();
        let mut w =
            stiefel::random_start(p, d, &mut context.stream("projection", 0)).map_err(lost)?;
        let mut xi = Array2::zeros((n, p + 1));
        xi.column_mut(0).assign(&train.target);
        project(x.view(), w.view(), &mut xi);
        let mut mixture =
            GaussianMixture::start(xi.view(), k, floor, &mut context.stream("mixture", 0))?;
        let mut loss = LossWorkspace::new(k, (p, d));
        let em = |max_steps| EmSettings { max_steps, tolerance: EM_TOLERANCE, floor };
        let mut sgd = RiemannianSgd::new(parameters.learning_rate, parameters.tangent, (p, d));
        let weights = parameters.loss_weights();
        let batches = n.div_ceil(parameters.batch);
        let mut trace = Vec::with_capacity(parameters.epochs);
        for epoch in 0..parameters.epochs {
            context.checkpoint()?;
            let likelihoods =
                mixture.fit(xi.view(), &em(parameters.em_steps), context)?.log_likelihoods;
            let order = permutation(n, &mut context.stream("batches", epoch as u64));
            let mut total = 0.0;
            for batch in 0..batches {
                context.checkpoint()?;
                let rows = &order[batch * n / batches..(batch + 1) * n / batches];
                let terms = loss.evaluate(
                    &weights,
                    &mixture,
                    w.view(),
                    (x.view(), train.target.view()),
                    rows,
                );
                let value = weights.total(&terms);
                if !value.is_finite() {
                    return Err(FitError::Diverged(format!(
                        "jcm: the loss of epoch {epoch} is {value}; standardise the columns, lower \
                         `learning_rate` or raise `covariance_floor`"
                    )));
                }
                total += value * rows.len() as f64;
                if parameters.learning_rate > 0.0 {
                    sgd.step(&mut w, loss.gradient.view()).map_err(lost)?;
                }
            }
            trace.extend(likelihoods.first().map(|before| (total / n as f64, *before)));
            project(x.view(), w.view(), &mut xi);
        }
        mixture.fit(xi.view(), &em(parameters.final_em_steps), context)?;
        let all: Vec<usize> = (0..n).collect();
        let terms =
            loss.evaluate(&weights, &mixture, w.view(), (x.view(), train.target.view()), &all);
        Ok(Self { projection: w, mixture, trace, training_loss: terms.regression })
    }
}

/// z = W x of each row, written behind column 0 of ξ (n × (1 + p)).
fn project(x: ArrayView2<f64>, w: ArrayView2<f64>, xi: &mut Array2<f64>) {
    let (_, mut z) = xi.view_mut().split_at(Axis(1), 1);
    general_mat_mul(1.0, &x, &w.t(), 0.0, &mut z);
}

/// The trial's error where W was lost.
fn lost(error: RankDeficient) -> FitError {
    FitError::Diverged(format!(
        "jcm: {error}; standardise the columns, lower `learning_rate` or raise `covariance_floor`"
    ))
}

const LINE_SEARCH: &str = "line-search";
const MONTE_CARLO: &str = "monte-carlo";

/// Quantiles by root finding first: the default of a combinator.
fn readings() -> Vec<Reading> {
    vec![Reading::new(LINE_SEARCH), Reading::new(MONTE_CARLO)]
}

impl Fitted for JcmFit {
    fn state(&self) -> Result<Vec<u8>, StateError> {
        state::write(ID, self)
    }

    /// The draws of row i come from the stream `("monte-carlo", i)`; their number is
    /// [`Request::samples`].
    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        context.checkpoint()?;
        question::one_of(ID, &readings(), reading)?;
        question::columns(ID, self.projection.ncols(), features)?;
        let z = features.dot(&self.projection.t());
        let mixture = self.mixture.conditional(z.view());
        let split = request.split.then(|| within_and_between(&mixture));
        let form = if reading.as_str() == MONTE_CARLO {
            let stream = |i: usize| context.stream(MONTE_CARLO, i as u64);
            Form::Quantiles(monte_carlo_quantiles(
                &mixture,
                &request.quantile_levels,
                request.samples,
                stream,
            ))
        } else {
            Form::Mixture(mixture)
        };
        question::valid(ID, Predictive { form, split })
    }

    /// `projection` (W transposed: one row for each feature), `components` (weights, means, lower
    /// triangles of the covariances) and `trace` (one row for each epoch).
    fn side_tables(&self) -> Vec<SideTable> {
        let table =
            |name: &str, columns: Vec<(String, Vec<f64>)>| SideTable { name: name.into(), columns };
        let projection = self
            .projection
            .rows()
            .into_iter()
            .enumerate()
            .map(|(i, row)| (format!("z{}", i + 1), row.to_vec()));
        let epochs = (0..self.trace.len()).map(|epoch| epoch as f64).collect();
        vec![
            table("projection", projection.collect()),
            components(&self.mixture, &vec![(0.0, 1.0); self.mixture.columns()]),
            table(
                "trace",
                vec![
                    ("epoch".into(), epochs),
                    ("loss".into(), self.trace.iter().map(|step| step.0).collect()),
                    ("log_likelihood".into(), self.trace.iter().map(|step| step.1).collect()),
                ],
            ),
        ]
    }
}

#[cfg(test)]
mod tests;
