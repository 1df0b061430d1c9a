//! Regress on a kernel with noise of any finite variance, and carry the noise through the
//! prediction.
//!
//! y_i = f(x_i) + M_i (3), M_i = Σ_{j<L} m_j φ_j(ξ_i) a polynomial chaos expansion, independent of
//! each other. The weights of a kernel ridge regression become random variables in the joint basis
//! of all germs (6), and the prediction is (8), with mean (9a) and variance (9b); the derivation
//! for any L is in [`regression`]. A new y is Ŷ(x) and an independent draw of the noise: normal
//! where the noise is, else a normal mixture in each row, with the mean, the variance and nearly
//! the next two cumulants of that sum. Aleatoric is σ_M², epistemic κ − kᵀa; (9b), noise propagated
//! to the mean, is a part of the latter and is in the side tables.
//!
//! The reading `main` leaves out the variance that the rows do not determine: far from all rows
//! Ŷ(x) is 0 with variance
//! 0. The reading `with-gap` adds the
//!    prior variance κ − 2aᵀk + aᵀK a of the error that the mean makes without noise; its variance
//!    is aleatoric + epistemic, and for normal noise it is the Gaussian process.
//!
//! For a table, kernel and ρ² are those of [`exact-gp`](super::exact) on the standardised training
//! rows, σ_M² = ρ², and the family of the noise is chosen inside the training rows by the log
//! density of leave-one-out residuals, half against half. With `fixed` nothing is learned or
//! standardised.
//!
//! # Departures from the paper
//! The paper gives no predictive distribution for y, no choice of the family, and no kernel but one
//! printed for its figures.
//!
//! # References
//! T. Faulwasser, O. Molodchyk: *Wiener chaos in kernel regression: towards untangling aleatoric
//! and epistemic uncertainty*, 2023.

mod answers;
mod choice;
pub mod expansion;
mod figures;
mod fitted;
mod mixture;
mod parameters;
pub mod regression;
mod side_tables;
pub mod weighted;

use super::process::Posterior;
use crate::engine::rows;
use crate::engine::scales::Scales;
use crate::engine::shared::Shared;
use crate::engine::standardised::Standardised;
use crate::entry::{DEFAULTS, Tried};
use crate::{
    Configured, Context, Facts, FitError, Fitted, MethodParameters, ParameterError, Reading,
    Restored,
};
use choice::{Choice, LeftOut};
use fitted::{Chosen, FittedRegression, Process};
pub use parameters::{Fixed, Noise, NoiseSetting, Realisations, WienerRegressionParameters};
use uq_core::Table;

const ID: &str = "wiener-kernel-regression";

/// Largest number of rows: memory grows with their square, time with their cube.
const MOST_ROWS: usize = 5000;

/// The reading that adds the variance that the rows do not determine.
const WITH_GAP: &str = "with-gap";

fn readings() -> [Reading; 2] {
    [Reading::MAIN, Reading::new(WITH_GAP)]
}

/// Wiener kernel regression as a method.
pub type WienerRegression = Configured<WienerRegressionParameters>;

impl WienerRegressionParameters {
    /// Nothing is learned: kernel, ridge and noise are given, in the data's units.
    fn fit_fixed(
        &self,
        fixed: &Fixed,
        noise: &Noise,
        train: &Table,
        context: &Context,
    ) -> Result<FittedRegression, FitError> {
        let (n, d) = (train.rows(), train.columns());
        rows::at_least(ID, 1, n)?;
        rows::finite(ID, train)?;
        if fixed.length_scales.len() != d {
            return Err(FitError::Unsupported(format!(
                "{ID}: `fixed` has {} length scales, the table {d} features; one for each is \
                 expected",
                fixed.length_scales.len()
            )));
        }
        let noise = noise.expansion();
        let features: Vec<f64> = train.features.iter().copied().collect();
        let points = super::kernels::Points::new(&features, n, d);
        let targets = train.target.to_vec();
        let kernel = fixed.kernel(&self.process.kernel);
        let posterior = regression::condition(
            kernel.clone(),
            fixed.ridge,
            &noise,
            points,
            &targets,
            context.par(),
        )?;
        // The Gaussian process of the paper does not know the noise's mean.
        let plain = Posterior::new(kernel, fixed.ridge, points, &targets, context.par())?;
        let chosen = Chosen { noise, scores: None };
        let process = Process::Fixed { posterior, plain };
        Ok(FittedRegression::new(Scales::unit(d), process, chosen, self.realisations))
    }

    /// Kernel and ridge of the exact process, noise of the chosen family.
    fn fit_searched(&self, train: &Table, context: &Context) -> Result<FittedRegression, FitError> {
        let Standardised { scales, model: process } = self.process.fit_process(train, context)?;
        context.checkpoint()?;
        let posterior = process.posterior();
        let (residuals, variances) = posterior.left_out();
        let left_out = LeftOut { residuals, variances, noise: posterior.noise() };
        let Choice { noise, scores } = left_out.choose(self.noise.family());
        let chosen = Chosen { noise, scores: Some(scores) };
        Ok(FittedRegression::new(scales, Process::Searched(process), chosen, self.realisations))
    }
}

impl MethodParameters for WienerRegressionParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "kernel regression with noise of any finite variance as a polynomial chaos";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "Gaussian process's kernel, with normal, gamma, uniform or beta noise chosen on \
                   the training rows, at most 5000 rows",
        // 0.09 s with 100 rows of 4 features, 0.08 s with 100 of 10, and 0.32 s with 400 of 4: the
        // choice of the noise has a part that does not grow with the rows.
        cost: |n, d| 0.08 + 2e-7 * n.min(5000.0).powi(2) * d,
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 3;

    fn check_coupled(&self) -> Result<(), ParameterError> {
        self.check_together()
    }

    fn readings(&self) -> Vec<Reading> {
        readings().to_vec()
    }

    fn facts(&self) -> Facts {
        let deterministic = self.realisations.is_none()
            && (self.fixed.is_some() || self.process.facts().deterministic);
        Facts { deterministic, ..Facts::default() }
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Shared::<FittedRegression>::restored(state)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        rows::at_most(ID, MOST_ROWS, train.rows(), "a sparse process takes more")?;
        let fitted = match (&self.fixed, &self.noise) {
            (Some(fixed), NoiseSetting::Known(noise)) => {
                self.fit_fixed(fixed, noise, train, context)?
            }
            _ => self.fit_searched(train, context)?,
        };
        Ok(Box::new(Shared(fitted)))
    }
}

#[cfg(test)]
mod tests;
