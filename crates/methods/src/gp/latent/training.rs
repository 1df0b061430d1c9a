//! Maximise the bound of ln p(Y) in turns: weights and noise, length scale, latent points.
//!
//! ```text
//! F = Σ_d F_d − KL(q(X) ‖ p(X)) ≤ ln p(Y)                                                      (e)
//! ```
//!
//! Each turn maximises F in closed form over q(θ), σ² and λ ([`weights`](super::weights)), tries
//! another length scale, which stays if F rises, and maximises over q(X) in closed form
//! ([`nodes`](super::nodes)): F never falls. Several starts climb a little; the highest one
//! continues.

use faer::Mat;
use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::RffGplvmParameters;
use super::basis::Basis;
use super::features::{GridKernel, RandomFeatures};
use super::grid::NodeGrid;
use super::nodes::{Scores, pass};
use super::weights::{Moments, Posterior, Ratios, Totals, Workspace, condition};
use crate::{Context, FitError};
use uq_math::normal_draws::fill_standard_normal;
use uq_math::symmetric::eigen;

/// Prior variance of f, out of 1, that the basis may lose at a node.
const LOST: f64 = 1e-8;
/// Length scales, in standard deviations of the prior of x: shorter ones are below the grid's
/// spacing, longer ones make linear functions.
const LENGTH_SCALES: [f64; 2] = [0.2, 20.0];
/// The first length scale.
const START: f64 = 1.5;
/// First step of its logarithm, and the step at which the search for it ends.
const STEPS: [f64; 2] = [0.2, 0.02];
/// Variance of q(x_n) about its start; the start has the remaining variance of the prior.
const START_VARIANCE: f64 = 0.5;
/// Number of turns of each start, after which only the highest continues.
const SCOUT: usize = 25;

/// Standardised outputs and everything that does not change while they are fitted.
pub struct Problem<'a> {
    /// The nodes.
    pub grid: &'a NodeGrid,
    /// The frequencies.
    pub features: &'a RandomFeatures,
    /// N × D, row by row.
    pub outputs: &'a [f64],
    /// Sums over all rows.
    pub totals: Totals<'a>,
    /// A climb ends where a turn raises F by less than this.
    pub tolerance: f64,
}

/// One climb.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Climb {
    /// q(X), as (d).
    pub scores: Scores,
    /// The functions of the current length scale.
    pub basis: Basis,
    /// q(θ) and the noise, as best for q(X).
    pub posterior: Posterior,
    /// ℓ.
    pub length_scale: f64,
    /// F after each turn.
    pub trace: Vec<f64>,
    /// Whether the last turn raised F by less than the tolerance.
    pub converged: bool,
    moments: Moments,
    divergence: f64,
    step: f64,
}

/// Memory of all climbs.
#[derive(Debug, Default)]
struct Memory {
    kernel: GridKernel,
    basis: Basis,
    posterior: Posterior,
    weights: Workspace,
    row: Vec<f64>,
}

/// Climbs from all starts, and from the highest one to the end; returns the number of this start,
/// and the result.
///
/// # Errors
/// [`FitError`] where the outputs have no principal components, F is not finite, or the context
/// stops the work.
pub fn train(
    problem: &Problem,
    parameters: &RffGplvmParameters,
    context: &Context,
) -> Result<(usize, Climb), FitError> {
    let whitened = whiten(problem)?;
    let mut memory = Memory::default();
    let mut best: Option<(usize, Climb)> = None;
    for start in 0..parameters.starts {
        let scores = scores_of_start(&whitened, start, parameters.dimensions, context);
        let mut climb = Climb::from_start(problem, scores, &mut memory);
        climb.advance(problem, SCOUT.min(parameters.steps), &mut memory, context)?;
        if best.as_ref().is_none_or(|(_, other)| climb.bound() > other.bound()) {
            best = Some((start, climb));
        }
    }
    let Some((start, mut climb)) = best else {
        return Err(FitError::Unsupported("a climb needs at least one start".into()));
    };
    climb.advance(problem, parameters.steps, &mut memory, context)?;
    Ok((start, climb))
}

impl Climb {
    /// q(x_n) normal about each row of `scores` (N × 1 or 2).
    fn from_start(problem: &Problem, scores: Array2<f64>, memory: &mut Memory) -> Self {
        let (grid, (rows, outputs)) = (problem.grid, problem.shape());
        let square = |g: usize| grid.node(g).iter().map(|x| x * x).sum::<f64>();
        let mut climb = Self { length_scale: START, step: STEPS[0], ..Self::default() };
        climb.scores.bias = (0..grid.len()).map(|g| -0.5 * square(g) / START_VARIANCE).collect();
        for axis in 0..scores.ncols() {
            climb
                .scores
                .slopes
                .extend((0..grid.len()).map(|g| grid.node(g)[axis] / START_VARIANCE));
        }
        let root = (1.0 - START_VARIANCE).sqrt();
        let means: Vec<f64> = scores.iter().map(|x| root * x).collect();
        let given = (means.as_slice(), problem.outputs);
        pass(&climb.scores, given, (rows, outputs), &mut climb.moments, &mut memory.row);
        problem.functions(climb.length_scale, &mut memory.kernel, &mut climb.basis);
        climb
    }

    /// The current F.
    pub fn bound(&self) -> f64 {
        self.trace.last().copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// Continues until the climb has taken this number of turns, or has converged.
    fn advance(
        &mut self,
        problem: &Problem,
        turns: usize,
        memory: &mut Memory,
        context: &Context,
    ) -> Result<(), FitError> {
        while self.trace.len() < turns && !self.converged {
            context.checkpoint()?;
            if self.trace.len().is_multiple_of(2) {
                self.try_length_scale(problem, memory)?;
            }
            self.scores.of(&problem.grid.log_prior, &self.posterior);
            let outputs = problem.outputs;
            let found = pass(
                &self.scores,
                (outputs, outputs),
                problem.shape(),
                &mut self.moments,
                &mut memory.row,
            );
            self.divergence = self.divergence_from_prior(problem, found.log_normalisers);
            self.condition(problem, memory)?;
            let (before, now) = (self.bound(), self.posterior.evidence - self.divergence);
            if !now.is_finite() {
                return Err(FitError::Diverged(format!(
                    "the bound is {now} after {} turns",
                    self.trace.len() + 1
                )));
            }
            self.trace.push(now);
            self.converged = now - before < problem.tolerance && self.step.abs() < STEPS[1];
        }
        Ok(())
    }

    /// Takes another length scale if F is larger there, and makes the next step longer; else
    /// shorter and to the other side.
    fn try_length_scale(&mut self, problem: &Problem, memory: &mut Memory) -> Result<(), FitError> {
        if self.trace.is_empty() {
            self.condition(problem, memory)?;
        }
        let [low, high] = LENGTH_SCALES;
        let other = (self.length_scale * self.step.exp()).clamp(low, high);
        problem.functions(other, &mut memory.kernel, &mut memory.basis);
        let (posterior, weights) = (&mut memory.posterior, &mut memory.weights);
        condition(
            &memory.basis,
            &self.moments,
            problem.totals,
            Ratios::Maximise,
            weights,
            posterior,
        )?;
        if memory.posterior.evidence > self.posterior.evidence {
            std::mem::swap(&mut self.basis, &mut memory.basis);
            std::mem::swap(&mut self.posterior, &mut memory.posterior);
            self.length_scale = other;
            self.step *= 1.5;
        } else {
            self.step *= -0.5;
        }
        Ok(())
    }

    /// Σ_n Σ_g q ln (q / p) with ln q = score − ln Σ exp(score): these sums over rows are already
    /// in the moments.
    fn divergence_from_prior(&self, problem: &Problem, log_normalisers: f64) -> f64 {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let Moments { weights, targets } = &self.moments;
        let own =
            dot(weights, &self.scores.bias) + dot(targets, &self.scores.slopes) - log_normalisers;
        own - dot(weights, &problem.grid.log_prior)
    }

    fn condition(&mut self, problem: &Problem, memory: &mut Memory) -> Result<(), FitError> {
        let (totals, weights) = (problem.totals, &mut memory.weights);
        condition(
            &self.basis,
            &self.moments,
            totals,
            Ratios::Maximise,
            weights,
            &mut self.posterior,
        )
    }
}

impl Problem<'_> {
    /// N and D.
    fn shape(&self) -> (usize, usize) {
        (self.totals.rows, self.totals.squares.len())
    }

    fn functions(&self, length_scale: f64, kernel: &mut GridKernel, basis: &mut Basis) {
        self.features.on_grid(self.grid, length_scale, kernel);
        basis.decompose(kernel, self.grid.len(), LOST);
    }
}

/// Scores of all principal components with a variance, each of variance 1, largest component first:
/// N × at most D.
fn whiten(problem: &Problem) -> Result<Array2<f64>, FitError> {
    let (n, d) = problem.shape();
    let rows = ArrayView2::from_shape((n, d), problem.outputs)
        .map_err(|error| FitError::Unsupported(format!("the outputs are no table: {error}")))?;
    let gram = rows.t().dot(&rows) / n as f64;
    let matrix = Mat::from_fn(d, d, |i, j| gram[(i, j)]);
    let (values, vectors) = eigen(matrix.as_ref())
        .ok_or_else(|| FitError::Singular("the outputs have no principal components".into()))?;
    // They come smallest first; the variances sum to d.
    let kept: Vec<usize> = (0..d).rev().filter(|&k| values[k] > 1e-12).collect();
    let axes = Array2::from_shape_fn((d, kept.len()), |(i, k)| {
        vectors[(i, kept[k])] / values[kept[k]].sqrt()
    });
    Ok(rows.dot(&axes))
}

/// The first latent points of a start: the first principal components, then random combinations of
/// all of them.
fn scores_of_start(
    whitened: &Array2<f64>,
    start: usize,
    dimensions: usize,
    context: &Context,
) -> Array2<f64> {
    let count = whitened.ncols();
    let mut mixing = vec![0.0; count * dimensions];
    if start == 0 {
        (0..dimensions.min(count)).for_each(|k| mixing[k * dimensions + k] = 1.0);
    } else {
        fill_standard_normal(&mut mixing, &mut context.stream("start", start as u64));
        for axis in 0..dimensions {
            let norm =
                (0..count).map(|k| mixing[k * dimensions + axis].powi(2)).sum::<f64>().sqrt();
            (0..count).for_each(|k| mixing[k * dimensions + axis] /= norm.max(f64::MIN_POSITIVE));
        }
    }
    whitened
        .dot(&Array2::from_shape_fn((count, dimensions), |(k, axis)| mixing[k * dimensions + axis]))
}
