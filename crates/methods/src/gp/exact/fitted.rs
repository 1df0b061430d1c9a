//! Predict with the posterior, in the target's units, and report its parameters.

use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::search::Observations;
use super::{ID, Searched, refuse_many};
use crate::engine::scales::Scales;
use crate::engine::standardised::StandardisedModel;
use crate::gp::kernels::Points;
use crate::gp::process::Posterior;
use crate::gp::space::Space;
use crate::side_tables::{FitNoise, Starts};
use crate::{Context, FitError, Request, SideTable};
use uq_core::predictive::{Form, Gaussian, Predictive, Split};
use uq_math::lbfgs::Stop;

/// The result of training.
#[derive(Serialize, Deserialize)]
pub(super) struct Trained {
    pub space: Space,
    pub searched: Searched,
}

/// A process conditioned on its rows.
#[derive(Serialize, Deserialize)]
pub(in crate::gp) struct FittedProcess {
    posterior: Posterior,
    trained: Arc<Trained>,
}

impl FittedProcess {
    pub(super) fn new(posterior: Posterior, trained: Trained) -> Self {
        Self { posterior, trained: Arc::new(trained) }
    }

    /// The process, in standardised units.
    pub fn posterior(&self) -> &Posterior {
        &self.posterior
    }
}

impl StandardisedModel for FittedProcess {
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
        let values: Vec<f64> = x.iter().copied().collect();
        let points = Points::new(&values, x.nrows(), x.ncols());
        let (mean, epistemic) = self.posterior.function(points, || context.checkpoint())?;
        let (mean, epistemic) = (Array1::from(mean), Array1::from(epistemic));
        let aleatoric = Array1::from_elem(mean.len(), self.posterior.noise());
        let variance = &epistemic + &aleatoric;
        let split = request
            .split
            .then_some(Split { aleatoric: Some(aleatoric), epistemic: Some(epistemic) });
        Ok(Predictive { form: Form::Gaussian(Gaussian { mean, variance }), split })
    }

    /// Keeps the kernel's parameters and the noise.
    fn refit(&self, x: Array2<f64>, y: Array2<f64>, context: &Context) -> Result<Self, FitError> {
        refuse_many(x.nrows())?;
        let all = Observations::new(x, y);
        let (kernel, noise) = (self.posterior.kernel().clone(), self.posterior.noise());
        let posterior = Posterior::new(kernel, noise, all.points(), &all.targets, context.par())?;
        Ok(Self { posterior, trained: self.trained.clone() })
    }

    /// All in standardised units, with the scales that convert them to natural ones
    /// ([`Space::side tables`]). `starts` has a row for each search: the number of its start (0 and
    /// the one past `restarts` are not drawn), its rows, ln p(y) of these in the end (NaN where it
    /// was undefined at the start), and whether its parameters are used. `fit` says whether the
    /// noise is at its floor.
    fn side_tables(&self, scales: &Scales) -> Vec<SideTable> {
        let Trained { space, searched } = self.trained.as_ref();
        let at_bound = space.at_bound(searched.point());
        let noise_at_bound = at_bound.last().is_some_and(|at| *at);
        let [kernel, feature_scales] =
            space.side_tables(self.posterior.kernel(), &at_bound, scales);
        let attempts = &searched.attempts;
        let of_each = |value: fn(&uq_math::lbfgs::Minimum) -> f64| {
            attempts.iter().map(|attempt| attempt.found.as_ref().map_or(f64::NAN, value)).collect()
        };
        let mut columns = vec![
            ("start".into(), attempts.iter().map(|attempt| attempt.start as f64).collect()),
            ("rows".into(), attempts.iter().map(|attempt| attempt.rows as f64).collect()),
            ("log_marginal".into(), of_each(|found| -found.value)),
            ("iterations".into(), of_each(|found| found.iterations as f64)),
            ("evaluations".into(), of_each(|found| found.evaluations as f64)),
        ];
        let ends = Starts {
            cap_reached: of_each(|found| f64::from(found.stop == Stop::Exhausted)),
            chosen: (0..attempts.len()).map(|i| f64::from(i + 1 == attempts.len())).collect(),
        };
        columns.extend(ends.to_columns());
        let starts = SideTable { name: Starts::NAME.into(), columns };
        let conditioning = self.posterior.conditioning();
        let one = |name: &str, value: f64| (name.into(), vec![value]);
        let mut columns = vec![
            one("rows", conditioning.weights().len() as f64),
            one("log_marginal", conditioning.log_marginal()),
        ];
        let noise_floor = Some(space.noise_floor);
        columns.extend(
            FitNoise { noise_variance: self.posterior.noise(), noise_floor, noise_at_bound }
                .to_columns(),
        );
        columns.extend([
            one("target_scale", scales.target.scale),
            one("jitter", conditioning.factored().jitter),
            one("condition_at_least", conditioning.factored().condition_at_least),
            one("gradient_norm", searched.best.gradient_norm),
        ]);
        let fit = SideTable { name: FitNoise::NAME.into(), columns };
        vec![kernel, feature_scales, starts, fit]
    }
}
