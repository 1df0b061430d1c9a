//! Answer with the posterior, in the target's units, and say which parameters it rests on.

use std::sync::Arc;

use ndarray::{Array1, ArrayView2};

use super::search::Observations;
use super::{ID, Searched, refuse_many};
use crate::data::Table;
use crate::math::lbfgs::Stop;
use crate::methods::gp::kernels::Points;
use crate::methods::gp::process::Posterior;
use crate::methods::gp::space::Space;
use crate::methods::scales::{Scale, Scales};
use crate::methods::{Context, FitError, Fitted, Reading, Request, SideTable};
use crate::predictive::{Form, Gaussian, Predictive, Split};

/// What training settled.
pub(super) struct Trained {
    pub scales: Scales,
    pub space: Space,
    pub searched: Searched,
}

/// A process that has seen its rows.
pub(in crate::methods::gp) struct FittedProcess {
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

    /// How target and features are standardised.
    pub fn scales(&self) -> &Scales {
        &self.trained.scales
    }
}

impl Fitted for FittedProcess {
    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        context.checkpoint()?;
        if *reading != Reading::MAIN {
            let main = Reading::MAIN;
            return Err(FitError::Unsupported(format!("{ID} has the reading '{main}' only, asked for '{reading}'")));
        }
        let scales = &self.trained.scales;
        scales.check(ID, features)?;
        let given: Vec<f64> = scales.given(features).iter().copied().collect();
        let points = Points::new(&given, features.nrows(), scales.varying.len());
        let (mean, epistemic) = self.posterior.function(points, || context.checkpoint())?;
        let (mean, epistemic) = (Array1::from(mean), Array1::from(epistemic));
        let aleatoric = Array1::from_elem(mean.len(), self.posterior.noise());
        let variance = &epistemic + &aleatoric;
        let split = request.split.then_some(Split { aleatoric: Some(aleatoric), epistemic: Some(epistemic) });
        let standardised = Predictive { form: Form::Gaussian(Gaussian { mean, variance }), split };
        let Scale { shift, scale } = scales.target;
        let predictive = standardised.affine(shift, scale).map_err(|error| FitError::Diverged(error.to_string()))?;
        predictive.validate().map_err(|error| FitError::Diverged(format!("{ID}: {error}")))?;
        Ok(predictive)
    }

    /// Keeps the kernel's parameters, the noise and the scales.
    fn refit(&self, table: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        refuse_many(table)?;
        let scales = &self.trained.scales;
        scales.check(ID, table.features.view())?;
        if table.rows() == 0 || !table.features.iter().chain(&table.target).all(|value| value.is_finite()) {
            return Err(FitError::Unsupported(format!("{ID} needs rows of finite numbers, at least one")));
        }
        let all = Observations::new(scales, table);
        let (kernel, noise) = (self.posterior.kernel().clone(), self.posterior.noise());
        let posterior = Posterior::new(kernel, noise, all.points(), &all.targets, context.par())?;
        Ok(Box::new(Self { posterior, trained: self.trained.clone() }))
    }

    /// All in standardised units; the scales that lead to natural ones stand beside them ([`Space::side tables`]). `starts` has a
    /// row for each search: the number of its start (0 and the one past `restarts` are not drawn), its rows, ln p(y) of these in the end (NaN
    /// where it was undefined at the start), and whether it decided. `fit` says whether the noise is at its floor.
    fn side_tables(&self) -> Vec<SideTable> {
        let Trained { scales, space, searched } = self.trained.as_ref();
        let at_bound = space.at_bound(searched.point());
        let noise_at_bound = at_bound.last().is_some_and(|at| *at);
        let [kernel, feature_scales] = space.side_tables(self.posterior.kernel(), &at_bound, scales);
        let attempts = &searched.attempts;
        let of_each = |value: fn(&crate::math::lbfgs::Minimum) -> f64| {
            attempts.iter().map(|attempt| attempt.found.as_ref().map_or(f64::NAN, value)).collect()
        };
        let starts = SideTable {
            name: "starts".into(),
            columns: vec![
                ("start".into(), attempts.iter().map(|attempt| attempt.start as f64).collect()),
                ("rows".into(), attempts.iter().map(|attempt| attempt.rows as f64).collect()),
                ("log_marginal".into(), of_each(|found| -found.value)),
                ("iterations".into(), of_each(|found| found.iterations as f64)),
                ("evaluations".into(), of_each(|found| found.evaluations as f64)),
                ("cap_reached".into(), of_each(|found| f64::from(found.stop == Stop::Exhausted))),
                ("chosen".into(), (0..attempts.len()).map(|i| f64::from(i + 1 == attempts.len())).collect()),
            ],
        };
        let conditioning = self.posterior.conditioning();
        let one = |name: &str, value: f64| (name.into(), vec![value]);
        let fit = SideTable {
            name: "fit".into(),
            columns: vec![
                one("rows", conditioning.weights().len() as f64),
                one("log_marginal", conditioning.log_marginal()),
                one("noise_variance", self.posterior.noise()),
                one("noise_floor", space.noise_floor),
                one("noise_at_bound", f64::from(noise_at_bound)),
                one("target_scale", scales.target.scale),
                one("jitter", conditioning.factored().jitter),
                one("condition_at_least", conditioning.factored().condition_at_least),
                one("gradient_norm", searched.best.gradient_norm),
            ],
        };
        vec![kernel, feature_scales, starts, fit]
    }
}
