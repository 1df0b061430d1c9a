//! Regress by the conditional of a Gaussian mixture of target and features, without projection.
//!
//! The mixture of ξ = (y, x) is fitted by expectation maximisation (Eq. 1 of the JCM paper) and
//! predicts p(y | x) (Eqs. 2 to 5): the paper's "JCM on the original input". Columns are
//! standardised on the training rows, whatever the protocol does, so that the k-means start and the
//! covariance floor have the same meaning for all tables; a feature that is constant in the
//! training rows is left out. Aleatoric and epistemic variance are the *nominal* ones of
//! [`within_and_between`].
//!
//! **Many columns.** A component of n_k rows has a full covariance of m = d + 1 columns, d being
//! the features that vary. Its conditional variance is that of least squares with divisor n_k. For
//! normal rows, with γ = m / n_k, it is on average the share 1 − γ of the noise, while new errors
//! have 1 / (1 − γ) times the noise. So plug-in intervals are 1 − γ times as wide as they should
//! be: those of 90 % cover 2 Φ(1.645 (1 − γ)) − 1 of new rows, which is 0.59 at γ = 1/2 and the
//! floor's share at γ ≥ 1, where each row is interpolated. A fit with fewer than `LEAST_ROWS`
//! rows for each column of each component is therefore refused.
//!
//! *Departures from the paper:* it prints no end of EM other than 50 epochs of the outer loop; here
//! EM ends at `steps` or at `tolerance`.
//!
//! # References
//! Z. Ghahramani, M. I. Jordan: *Supervised learning from incomplete data via an EM approach*, NIPS
//! 6, 1994. H. G. Sung: *Gaussian Mixture Regression and Classification*, PhD thesis, Rice
//! University, 2004.

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use super::side_table::components;
use super::{EmSettings, EmTrace, GaussianMixture, within_and_between};
use crate::engine::scales::Scales;
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::{DEFAULTS, Tried, squares};
use crate::parameter::parameters;
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Form, Predictive};

const ID: &str = "gmm-regression";

/// From this many rows on the paper recommends the larger number of components.
const MANY_ROWS: usize = 5000;

/// Training rows for each of the m columns of each component: γ ≤ 1/2.
const LEAST_ROWS: usize = 2;

parameters! {
    /// Parameters of mixture regression.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct GmmRegressionParameters {
        /// Components K; null: 8 below 5000 training rows, else 18 (the paper's recommendation).
        components: Option<usize> = None, in 1..=1000;
        /// Smallest eigenvalue of a covariance, in standardised units.
        covariance_floor: f64 = 1e-6, in 0.0..=1.0;
        /// Largest number of EM steps.
        steps: usize = 200, in 1..=100_000;
        /// EM ends when the mean log-likelihood ℓ gains less than this times 1 + ∣ℓ∣.
        tolerance: f64 = 1e-6, in 0.0..=1.0;
    }
}

/// Mixture regression as a method.
pub type GmmRegression = Configured<GmmRegressionParameters>;

impl MethodParameters for GmmRegressionParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "conditional of a Gaussian mixture of target and features";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "normal mixture of target and features with 8 components below 5000 rows, else \
                   18",
        // 1.1 ms with 100 rows of 4 features, 2.5 ms with 400 of 4.
        cost: |n, d| 5e-4 + 4e-7 * squares(n, d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<FittedMixture>::restored(state)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        let GmmRegressionParameters { components, covariance_floor, steps, tolerance } = *self;
        let n = train.rows();
        let components = components.unwrap_or(if n < MANY_ROWS { 8 } else { 18 });
        let scales = Scales::new(ID, train)?;
        enough(n, scales.varying.len(), components)?;
        let rows = scales.joint(train);
        let mut rng = context.stream("start", 0);
        let mut mixture =
            GaussianMixture::start(rows.view(), components, covariance_floor, &mut rng)?;
        let settings = EmSettings { max_steps: steps, tolerance, floor: covariance_floor };
        let trace = mixture.fit(rows.view(), &settings, context)?;
        Ok(Box::new(Standardised { scales, model: FittedMixture { mixture, trace } }))
    }
}

/// Refuses fewer than [`LEAST_ROWS`] of n rows for each of the columns (`features` that vary, and
/// the target) of each component.
fn enough(n: usize, features: usize, components: usize) -> Result<(), FitError> {
    let least = LEAST_ROWS.saturating_mul(features + 1);
    if n >= least.saturating_mul(components) {
        return Ok(());
    }
    let instead = match n / least {
        0 => "take fewer features, or a method for many columns, such as `ridge` or `jcm`, which \
              projects them"
            .to_owned(),
        most => format!(
            "set `components` to at most {most}, or take `jcm`, which projects the \
                         features first"
        ),
    };
    Err(FitError::Unsupported(format!(
        "{ID} fits a full covariance of target and {features} features in each of {components} \
         components, for which its intervals need at least {} training rows, found {n}; {instead}",
        least.saturating_mul(components)
    )))
}

/// A fitted mixture.
#[derive(Serialize, Deserialize)]
struct FittedMixture {
    mixture: GaussianMixture,
    trace: EmTrace,
}

impl StandardisedModel for FittedMixture {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        self.mixture.check(features + 1)
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let mixture = self.mixture.conditional(x);
        let split = request.split.then(|| within_and_between(&mixture));
        Ok(Predictive { form: Form::Mixture(mixture), split })
    }

    /// `em` (one row for each step), and for problems with one feature `components` in the units of
    /// the training rows, where z1 is the feature.
    fn side_tables(&self, scales: &Scales) -> Vec<SideTable> {
        let steps = &self.trace.log_likelihoods;
        let places: Vec<f64> = Array1::range(0.0, steps.len() as f64, 1.0).to_vec();
        let columns = vec![("step".into(), places), ("log_likelihood".into(), steps.clone())];
        let mut side_tables = vec![SideTable { name: "em".into(), columns }];
        if scales.features == 1 {
            let varying = scales.varying.iter().map(|(_, scale)| scale);
            let columns = std::iter::once(&scales.target).chain(varying);
            side_tables.push(components(
                &self.mixture,
                &columns.map(|s| (s.shift, s.scale)).collect::<Vec<_>>(),
            ));
        }
        side_tables
    }
}

#[cfg(test)]
mod tests;
