//! Descend the objective with Adam from several starts, and keep the best end.

use ndarray::ArrayView2;
use rand::RngExt;

use super::layout::{Function, Layout};
use super::objective::Objective;
use super::priors::LENGTH_SCALE_SHAPE;
use super::{ID, NonstationaryGpParameters, Start};
use crate::math::random::Rng;
use crate::math::special::normal_quantile;
use crate::methods::nets::{Adam, AdamSettings};
use crate::methods::{Context, FitError};

/// Where one start ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Descent {
    /// Which start.
    pub restart: usize,
    /// The objective after the last step.
    pub objective: f64,
    /// Length of the gradient there.
    pub slope: f64,
    /// The parameters there.
    pub theta: Vec<f64>,
}

/// A start whose objective left the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dropped {
    /// Which start.
    pub restart: usize,
    /// At which step.
    pub step: usize,
}

/// Every start's end; of equal objectives the first is the best.
#[derive(Clone, Debug)]
pub(super) struct Training {
    /// In the order of the starts.
    pub descents: Vec<Descent>,
    /// In the order of the starts.
    pub dropped: Vec<Dropped>,
    /// The place of the best one among `descents`.
    pub best: usize,
}

/// Steps between two questions whether to stop: several make a millisecond.
const STEPS_A_CHECK: usize = 8;

/// Descends from every start; start i draws from the stream `("restart", i)`.
///
/// # Errors
/// [`FitError::Diverged`] where no start ends with a finite objective; what [`Context::checkpoint`] says.
pub(super) fn train(
    parameters: &NonstationaryGpParameters,
    layout: &Layout,
    (x, y): (ArrayView2<f64>, &[f64]),
    context: &Context,
) -> Result<Training, FitError> {
    let mut objective = Objective::new(parameters, layout, x, y);
    let (mut descents, mut dropped) = (Vec::new(), Vec::new());
    for restart in 0..parameters.restarts {
        let theta = start(parameters.start, layout, x, &mut context.stream("restart", restart as u64));
        match descend(parameters, &mut objective, (restart, theta), context)? {
            Ok(descent) => descents.push(descent),
            Err(start) => dropped.push(start),
        }
    }
    let best = (0..descents.len()).min_by(|&a, &b| descents[a].objective.total_cmp(&descents[b].objective));
    match best {
        Some(best) => Ok(Training { descents, dropped, best }),
        None => {
            let steps: Vec<String> = dropped.iter().map(|start| start.step.to_string()).collect();
            Err(FitError::Diverged(format!(
                "{ID}: the objective of every start left the numbers, at step {}; raise `jitter` (now {:e}) or lower \
                 `learning_rate` (now {})",
                steps.join(", "),
                parameters.jitter,
                parameters.learning_rate
            )))
        }
    }
}

/// Where a start is after all steps; the inner error where the objective became no number.
fn descend(
    parameters: &NonstationaryGpParameters,
    objective: &mut Objective,
    (restart, mut theta): (usize, Vec<f64>),
    context: &Context,
) -> Result<Result<Descent, Dropped>, FitError> {
    let settings = AdamSettings { learning_rate: parameters.learning_rate, ..AdamSettings::default() };
    let mut adam = Adam::new(settings, theta.len());
    for step in 0..parameters.steps {
        if step % STEPS_A_CHECK == 0 {
            context.checkpoint()?;
        }
        if objective.evaluate(&theta).is_none() {
            return Ok(Err(Dropped { restart, step }));
        }
        adam.step(&mut theta, &objective.gradient, 1.0);
    }
    let Some(value) = objective.evaluate(&theta) else {
        return Ok(Err(Dropped { restart, step: parameters.steps }));
    };
    let slope = objective.gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
    Ok(Ok(Descent { restart, objective: value, slope, theta }))
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
                // The sum of five exponentials is Gamma(5, 1); half a squared normal number is Gamma(½, 1).
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
