//! Minimise the objective with Adam from several starts, and keep the best point of all their
//! steps.
//!
//! Steps of a constant size do not settle: near the minimum of a process almost without noise the
//! objective goes up and down by tens of nats. Of each start the best step is kept, as in the
//! authors' program, not the last one. A start whose objective is not finite, or ends above its
//! first value, is repeated with a tenth of the step size, at most `retries` times. It has
//! converged if its last tenth of steps improved its best objective by [`SETTLED`] at most.

use ndarray::ArrayView2;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::layout::{Function, Layout};
use super::objective::Objective;
use super::priors::LENGTH_SCALE_SHAPE;
use super::{ID, NonstationaryGpParameters, Start};
use crate::engine::restarts::SMALLER_STEP;
use crate::nets::{Adam, AdamSettings};
use crate::{Context, FitError};
use uq_core::math::random::Rng;
use uq_core::math::special::normal_quantile;

/// The best point of one start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Descent {
    /// The number of the start.
    pub restart: usize,
    /// The objective at the start.
    pub first: f64,
    /// The best objective.
    pub objective: f64,
    /// Steps before it.
    pub step: usize,
    /// Length of the gradient there.
    pub slope: f64,
    /// Attempts made.
    pub attempts: usize,
    /// Adam's step size in the last attempt.
    pub learning_rate: f64,
    /// Whether the last attempt has the best point and settled.
    pub converged: bool,
    /// The parameters at the best point.
    pub theta: Vec<f64>,
}

/// Every start's best point; of equal objectives the first is the best.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Training {
    /// In the order of the starts.
    pub descents: Vec<Descent>,
    /// Starts whose objective is not finite, in their order.
    pub dropped: Vec<usize>,
    /// The place of the best one among `descents`.
    pub best: usize,
}

/// Steps between two checks whether to stop: several make a millisecond.
const STEPS_A_CHECK: usize = 8;

/// Largest gain of the last tenth of steps, in nats, where a descent has converged.
pub(super) const SETTLED: f64 = 0.1;

/// Descends from every start; start i draws from the stream `("restart", i)`.
///
/// # Errors
/// [`FitError::Diverged`] where the objective is not finite at any start; the errors of
/// [`Context::checkpoint`].
pub(super) fn train(
    parameters: &NonstationaryGpParameters,
    layout: &Layout,
    x: ArrayView2<f64>,
    y: &[f64],
    context: &Context,
) -> Result<Training, FitError> {
    let mut objective = Objective::new(parameters, layout, x, y);
    let (mut descents, mut dropped) = (Vec::new(), Vec::new());
    for restart in 0..parameters.restarts {
        let theta =
            start(parameters.start, layout, x, &mut context.stream("restart", restart as u64));
        match descend(parameters, &mut objective, restart, &theta, context)? {
            Some(descent) => descents.push(descent),
            None => dropped.push(restart),
        }
    }
    let best = (0..descents.len())
        .min_by(|&a, &b| descents[a].objective.total_cmp(&descents[b].objective));
    match best {
        Some(best) => Ok(Training { descents, dropped, best }),
        None => Err(FitError::Diverged(format!(
            "{ID}: the objective is not finite at any of the {} starts; raise `jitter` (now {:e}), \
             or look for extreme values in the table{}",
            parameters.restarts,
            parameters.jitter,
            parameters.indefinite()
        ))),
    }
}

/// The best point of all attempts from a start; `None` where the objective is not finite there.
fn descend(
    parameters: &NonstationaryGpParameters,
    objective: &mut Objective,
    restart: usize,
    theta: &[f64],
    context: &Context,
) -> Result<Option<Descent>, FitError> {
    let mut kept: Option<Descent> = None;
    for attempts in 1..=parameters.retries + 1 {
        let learning_rate = parameters.learning_rate * SMALLER_STEP.powi(attempts as i32 - 1);
        let Some((found, sound)) = attempt(parameters, objective, theta, learning_rate, context)?
        else {
            break;
        };
        let best = match kept.take() {
            Some(before) if before.objective <= found.objective => {
                Descent { converged: false, ..before }
            }
            _ => found,
        };
        kept = Some(Descent { restart, attempts, learning_rate, ..best });
        if sound {
            break;
        }
    }
    Ok(kept)
}

/// The best point from a start with one step size, and whether the objective stayed finite and
/// ended no higher than it began; `None` where it is not finite at the start.
fn attempt(
    parameters: &NonstationaryGpParameters,
    objective: &mut Objective,
    start: &[f64],
    learning_rate: f64,
    context: &Context,
) -> Result<Option<(Descent, bool)>, FitError> {
    let mut adam =
        Adam::new(AdamSettings { learning_rate, ..AdamSettings::default() }, start.len());
    let mut theta = start.to_vec();
    let mut kept: Option<Descent> = None;
    // The best objective before the last tenth of the steps, and the objective after each step.
    let (mut early, mut last) = (f64::INFINITY, None);
    for step in 0..=parameters.steps {
        if step % STEPS_A_CHECK == 0 {
            context.checkpoint()?;
        }
        last = objective.evaluate(&theta);
        let Some(value) = last else { break };
        if kept.as_ref().is_none_or(|best| value < best.objective) {
            let slope = objective.gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
            let best = kept.get_or_insert_with(|| Descent {
                restart: 0,
                first: value,
                objective: value,
                step,
                slope,
                attempts: 1,
                learning_rate,
                converged: false,
                theta: theta.clone(),
            });
            (best.objective, best.step, best.slope) = (value, step, slope);
            best.theta.copy_from_slice(&theta);
        }
        if let Some(best) = &kept
            && step < parameters.steps - parameters.steps / 10
        {
            early = best.objective;
        }
        if step < parameters.steps {
            adam.step(&mut theta, &objective.gradient, 1.0);
        }
    }
    Ok(kept.map(|mut best| {
        let sound = last.is_some_and(|last| last <= best.first);
        best.converged = sound && early - best.objective <= SETTLED;
        (best, sound)
    }))
}

/// The parameters of a start; inducing inputs are drawn uniformly in the range of the rows.
fn start(kind: Start, layout: &Layout, x: ArrayView2<f64>, rng: &mut Rng) -> Vec<f64> {
    let mut theta: Vec<f64> = (0..layout.len).map(|_| normal(rng)).collect();
    if let Some(at) = layout.inputs {
        for (d, column) in x.columns().into_iter().enumerate() {
            let low = column.iter().copied().fold(f64::INFINITY, f64::min);
            let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for m in 0..layout.inducing {
                theta[at + m * layout.dims + d] = low + (high - low) * rng.random::<f64>();
            }
        }
    }
    if kind == Start::Prior {
        for (_, function) in layout.latent() {
            if let Function::Latent { kernel: Some((length_scale, variance)), .. } = function {
                // The sum of five exponentials is Gamma(5, 1); half a squared normal number is
                // Gamma(½, 1).
                let sum: f64 = (0..LENGTH_SCALE_SHAPE).map(|_| -positive(rng).ln()).sum();
                theta[length_scale] = sum.ln();
                theta[variance] = (0.5 * normal(rng).powi(2)).max(f64::MIN_POSITIVE).ln();
            }
        }
    }
    theta
}

/// A uniform number above 0 and below 1.
fn positive(rng: &mut Rng) -> f64 {
    rng.random_range(f64::EPSILON..1.0)
}

fn normal(rng: &mut Rng) -> f64 {
    normal_quantile(positive(rng))
}
