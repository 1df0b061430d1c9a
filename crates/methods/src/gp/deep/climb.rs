//! Maximise the evidence lower bound with Adam on minibatches until it is level, or its budget of
//! steps is used up.
//!
//! Each epoch shuffles the rows and cuts them into ⌈n / batch⌉ batches of nearly equal size; each
//! step draws one sample of the inner layers. After each window of steps the mean of the bound over
//! the window is noted, divided by the rows; climbing ends where the slope over the last windows is
//! level ([`Slope`]). All of that happens inside the training rows. The last parameters are kept.
//!
//! Length scales stay between 10⁻³ and 10⁴, the signal's variance between 10⁻⁶ and 10⁶
//! (standardised units): beyond, the kernel does not change. A bound or a parameter that is not
//! finite, or a kernel matrix without a Cholesky factor, restarts training from the same start with
//! a tenth of the step size, at most `restarts` times.

use ndarray::ArrayView2;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Map;

use super::network::{Batch, CHUNK, Network};
use super::plateau::{FEWEST, Slope};
use crate::engine::restarts::{NotFinite, with_smaller_steps};
use crate::parameter::{Choices, above, is_default, parameters};
use crate::side_tables::Climb;
use crate::{Context, FitError, SideTable};
use uq_core::math::random::shuffle_prefix;
use uq_math::adam::{Adam, AdamSettings};
use uq_math::matrix_product::Real;

/// Bounds of ln ℓ and of ln s².
const LN_SCALES: (f64, f64) = (-6.907_755_278_982_137, 9.210_340_371_976_184);
const LN_VARIANCES: (f64, f64) = (-13.815_510_557_964_274, 13.815_510_557_964_274);

parameters! {
    /// How the bound is climbed.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ClimbSettings {
        /// Largest number of steps of Adam.
        steps: usize = 20_000, in 1..=1_000_000;
        /// Largest number of rows of a minibatch.
        batch: usize = 128, in 1..=1_000_000;
        /// Adam's step size; β₁, β₂ and ε are those of its paper.
        learning_rate: f64 = 0.01, in above(0.0).to(1.0);
        /// Steps of a window.
        window: usize = 500, in 1..=1_000_000;
        /// Windows that the slope is taken over.
        windows: usize = 10, in FEWEST..=1000;
        /// The bound is level where its slope, of either sign and with twice its standard error
        /// added, is below this, in nats for each row and 1000 steps; 0 for never.
        tolerance: f64 = 0.005, in 0.0..=1.0;
        /// Restarts with a tenth of the step size.
        restarts: usize = 3, in 0..=10;
        /// Precision of a step's products with the factors of q's covariances, which take most of
        /// the time. All else, and the prediction, is in double precision.
        precision: Precision = Precision::Double, in Choices, added "is_default";
        /// How far the step size falls, geometrically, in powers of ten from the first step to the
        /// end of the budget; 0 keeps it.
        decay: f64 = 0.0, in 0.0..=6.0, added "is_default";
    }
}

/// The precision of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// 53 bits.
    #[default]
    Double,
    /// 24 bits.
    Single,
}

impl ClimbSettings {
    /// The size of a step as a share of that of the first one.
    fn share_of_step(&self, step: usize) -> f64 {
        10_f64.powf(-self.decay * step as f64 / self.steps as f64)
    }

    /// The settings that are given, and these where they are not.
    ///
    /// # Errors
    /// The deserializer's, for a setting that does not exist or a value of another type.
    pub(super) fn with<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<Self, D::Error> {
        let mut all = serde_json::to_value(self).map_err(D::Error::custom)?;
        for (name, value) in Map::deserialize(deserializer)? {
            all[name] = value;
        }
        serde_json::from_value(all).map_err(D::Error::custom)
    }
}

/// Where climbing ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::gp) struct Climbed {
    pub theta: Vec<f64>,
    /// Steps done since the last restart.
    pub steps: usize,
    /// The mean of the bound over each window, in nats a row.
    pub bounds: Vec<f64>,
    /// Over the last windows; `None` where there were fewer than three.
    pub slope: Option<Slope>,
    /// Whether the bound was level.
    pub converged: bool,
    pub restarts: usize,
    /// The largest jitter that a kernel matrix needed, as a share of the signal's variance.
    pub jitter: f64,
}

/// Climbs from `start` for standardised rows x (n × d) and targets y.
///
/// Random numbers come from the streams `batches` and `draws` of `context`.
///
/// # Errors
/// [`FitError::Diverged`] where a number is not finite in every attempt; [`FitError::Cancelled`]
/// and [`FitError::TimedOut`].
pub(in crate::gp) fn climb(
    network: &Network,
    start: &[f64],
    x: ArrayView2<f64>,
    y: &[f64],
    settings: &ClimbSettings,
    context: &Context,
) -> Result<Climbed, FitError> {
    let (climbed, restarts) = with_smaller_steps(settings.restarts, "learning_rate", |factor| {
        let attempt = match settings.precision {
            Precision::Double => attempt::<f64>,
            Precision::Single => attempt::<f32>,
        };
        match attempt(network, start, x, y, settings, factor, context) {
            Err(FitError::Diverged(lost)) => Ok(Err(NotFinite(lost))),
            other => other.map(Ok),
        }
    })?;
    Ok(Climbed { restarts, ..climbed })
}

fn attempt<T: Real>(
    network: &Network,
    start: &[f64],
    x: ArrayView2<f64>,
    y: &[f64],
    settings: &ClimbSettings,
    factor: f64,
    context: &Context,
) -> Result<Climbed, FitError> {
    let n = y.len();
    let batches = n.div_ceil(settings.batch);
    let mut theta = start.to_vec();
    let mut gradient = vec![0.0; theta.len()];
    let learning_rate = settings.learning_rate;
    let mut adam =
        Adam::new(AdamSettings { learning_rate, ..AdamSettings::default() }, theta.len());
    let mut work = network.work::<T>(n.div_ceil(batches).min(CHUNK));
    let mut order: Vec<usize> = (0..n).collect();
    let (mut bounds, mut total, mut jitter) = (Vec::new(), 0.0, 0.0_f64);
    let mut slope: Option<Slope> = None;
    let mut rng = context.stream("draws", 0);
    let lost = |what: &str, step: usize| {
        FitError::Diverged(format!("{what} is not finite in step {step}"))
    };
    for step in 0..settings.steps {
        context.checkpoint()?;
        let (epoch, b) = (step / batches, step % batches);
        if b == 0 {
            shuffle_prefix(&mut order, n, &mut context.stream("batches", epoch as u64));
        }
        let rows = &order[b * n / batches..(b + 1) * n / batches];
        let batch = Batch { x, y, rows, share: batches as f64 };
        let loss = network.loss(&theta, &batch, &mut work, &mut gradient, &mut rng)?;
        if !loss.is_finite() {
            return Err(lost("the bound", step));
        }
        network.tie(&mut gradient);
        total -= loss / n as f64;
        jitter = work.layers.iter().fold(jitter, |most, layer| most.max(layer.jitter));
        adam.step(&mut theta, &gradient, factor * settings.share_of_step(step));
        hold_in_bounds(network, &mut theta);
        if (step + 1) % settings.window == 0 {
            if !theta.iter().all(|p| p.is_finite()) {
                return Err(lost("a parameter", step));
            }
            bounds.push(total / settings.window as f64);
            total = 0.0;
            slope = Slope::of(
                &bounds[bounds.len().saturating_sub(settings.windows)..],
                settings.window,
            );
            let level = slope.is_some_and(|slope| slope.is_level(settings.tolerance));
            if level && bounds.len() >= settings.windows {
                return Ok(Climbed {
                    theta,
                    steps: step + 1,
                    bounds,
                    slope,
                    converged: true,
                    restarts: 0,
                    jitter,
                });
            }
        }
    }
    if !theta.iter().all(|p| p.is_finite()) {
        return Err(lost("a parameter", settings.steps));
    }
    Ok(Climbed {
        theta,
        steps: settings.steps,
        bounds,
        slope,
        converged: false,
        restarts: 0,
        jitter,
    })
}

fn hold_in_bounds(network: &Network, theta: &mut [f64]) {
    for layer in &network.layers {
        for ln_scale in &mut theta[layer.ln_scales()] {
            *ln_scale = ln_scale.clamp(LN_SCALES.0, LN_SCALES.1);
        }
        let ln_variance = &mut theta[layer.ln_variance()];
        *ln_variance = ln_variance.clamp(LN_VARIANCES.0, LN_VARIANCES.1);
    }
}

impl Climbed {
    /// How climbing ended ([`Climb`]), and the bound of each window (`trace`).
    pub fn side_tables(&self, settings: &ClimbSettings) -> Vec<SideTable> {
        let end = self.bounds.last().zip(self.slope);
        let convergence = Climb {
            converged: self.converged,
            steps: self.steps as f64,
            step_budget: settings.steps as f64,
            restarts: self.restarts as f64,
            largest_jitter: self.jitter,
            bound_per_row: end.map(|(bound, _)| *bound),
            slope_per_1000_steps: end.map(|(_, slope)| slope.slope),
            slope_standard_error: end.map(|(_, slope)| slope.standard_error),
        };
        let steps = (1..=self.bounds.len()).map(|i| (i * settings.window) as f64).collect();
        let trace =
            vec![("step".to_owned(), steps), ("bound_per_row".to_owned(), self.bounds.clone())];
        vec![convergence.to_table(), SideTable { name: "trace".into(), columns: trace }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_fall_geometrically_by_the_powers_of_ten_that_are_stated() {
        let settings = |decay: f64| ClimbSettings { steps: 100, decay, ..ClimbSettings::default() };
        assert_eq!([0, 50, 99].map(|step| settings(0.0).share_of_step(step)), [1.0; 3]);
        let falling = settings(2.0);
        assert_eq!(falling.share_of_step(0), 1.0);
        assert!(
            (falling.share_of_step(50) - 0.1).abs() < 1e-15
                && (falling.share_of_step(100) - 0.01).abs() < 1e-15
        );
        let ratio = |step: usize| falling.share_of_step(step + 1) / falling.share_of_step(step);
        assert!(
            (ratio(3) - ratio(77)).abs() < 1e-12,
            "each step has the same share of the one before"
        );
    }
}
