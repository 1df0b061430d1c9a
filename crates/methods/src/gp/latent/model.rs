//! Hold a fitted latent variable model, and predict a missing output of a row with its two
//! variances.
//!
//! ```text
//! X^(m) ~ q(X),  m = 1 … M;    x*^(m,l) ~ p(x* | y_o*, X^(m), Y),  l = 1 … L
//! p(x* | y_o*, X, Y) ∝ p(x*) ∏_{d observed} N(y_d* | φ(x*)ᵀ E θ_d, φ(x*)ᵀ Cov θ_d φ(x*) + σ_d²)  (11)
//! σ²_epistemic = E_ml φᵀ Cov θ φ + Var_ml φᵀ E θ                                (24, 31 corrected)
//! σ²_printed   = E_ml φᵀ Cov θ φ + E_ml (φᵀ E θ)²                                  (31 as printed)
//! σ²_aleatoric = E_m σ_d²^(m)                                                                 (32)
//! ```
//!
//! The first two terms of (31) are μᵀCμ + tr(Cov(φ) C) = E φᵀCφ. The sampler of x* is exact on the
//! grid: it evaluates (11) at every node and draws from the result, all modes included. A search
//! for the maximum of (17) would end in one mode.

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use super::RffGplvmParameters;
use super::features::RandomFeatures;
use super::grid::NodeGrid;
use super::nodes::{Scores, accumulate, draw, weigh};
use super::training::{Climb, Problem, train};
use super::weights::{Moments, Posterior, Ratios, Totals, Workspace, condition};
use crate::state::require;
use crate::{Context, FitError};

/// A posterior that covers fewer nodes than this in the mean over rows is too narrow for the grid.
const NARROWEST: f64 = 2.0;

/// A fitted model of D outputs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LatentModel {
    /// Nodes of the latent space.
    pub grid: NodeGrid,
    /// Of each X^(m): f_d on the grid and the noise.
    pub draws: Vec<Posterior>,
    /// How the climb ended.
    pub climb: Climb,
    /// The number of its start.
    pub start: usize,
    /// exp of the entropy of q(x_n), in nodes, mean over rows.
    pub perplexity: f64,
}

/// The prediction of one output at n rows, in the units of the fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Uncertainty {
    /// E y*, n.
    pub mean: Array1<f64>,
    /// (32), the same at every row.
    pub aleatoric: f64,
    /// E φᵀ Cov θ φ, n.
    pub weights: Array1<f64>,
    /// Var φᵀ E θ over the draws of X and x*, n.
    pub latent: Array1<f64>,
}

impl LatentModel {
    /// Fits standardised outputs, N × D, none of them missing.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] for fewer than 3 rows or 2 outputs and for a missing output;
    /// [`FitError::Diverged`] where the latent posterior is narrower than the grid resolves; else
    /// as [`train`].
    pub fn fit(
        outputs: ArrayView2<f64>,
        parameters: &RffGplvmParameters,
        context: &Context,
    ) -> Result<Self, FitError> {
        let (n, d) = outputs.dim();
        check_outputs(outputs)?;
        let grid = NodeGrid::new(parameters.dimensions, parameters.nodes);
        let features =
            RandomFeatures::draw(parameters.frequencies, &mut context.stream("frequencies", 0));
        let rows: Vec<f64> = outputs.iter().copied().collect();
        let squares: Vec<f64> =
            outputs.columns().into_iter().map(|y| y.iter().map(|y| y * y).sum()).collect();
        let totals = Totals { rows: n, squares: &squares, floor: parameters.noise_floor };
        let tolerance = parameters.tolerance * n as f64;
        let problem =
            Problem { grid: &grid, features: &features, outputs: &rows, totals, tolerance };
        let (start, climb) = train(&problem, parameters, context)?;

        let nodes = grid.len();
        let empty = Moments { weights: vec![0.0; nodes], targets: vec![0.0; d * nodes] };
        let mut moments = vec![empty; parameters.samples];
        let (mut row, mut perplexity) = (vec![0.0; nodes], 0.0);
        let mut rng = context.stream("latent points", 0);
        for y in rows.chunks_exact(d) {
            weigh(&climb.scores, y, &mut row);
            let entropy: f64 = row.iter().filter(|q| **q > 0.0).map(|q| -q * q.ln()).sum();
            perplexity += entropy.exp() / n as f64;
            accumulate(&mut row);
            for moments in &mut moments {
                let g = draw(&row, &mut rng);
                moments.weights[g] += 1.0;
                y.iter().enumerate().for_each(|(d, y)| moments.targets[d * nodes + g] += y);
            }
        }
        if perplexity < NARROWEST {
            return Err(FitError::Diverged(format!(
                "the latent points are known to {perplexity:.2} nodes of the grid, closer than its \
                 spacing: the outputs have too little noise for {} nodes an axis; raise `nodes`",
                parameters.nodes
            )));
        }
        let (mut workspace, mut draws) = (Workspace::default(), Vec::with_capacity(moments.len()));
        let ratios = Ratios::Given(&climb.posterior.ratio);
        for moments in &moments {
            context.checkpoint()?;
            let mut posterior = Posterior::default();
            condition(&climb.basis, moments, totals, ratios, &mut workspace, &mut posterior)?;
            draws.push(posterior);
        }
        Ok(Self { grid, draws, climb, start, perplexity })
    }

    /// Checks a model that was read: the functions of each draw are those of all outputs at all
    /// nodes.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        let [first, second] = self.grid.axes;
        let nodes = self.grid.log_prior.len();
        require(nodes > 0 && first.checked_mul(second) == Some(nodes), "a grid without its nodes")?;
        let cells = self.outputs().checked_mul(nodes);
        let fits = |draw: &Posterior| {
            let functions = [draw.mean.len(), draw.variance.len()]
                .into_iter()
                .all(|found| Some(found) == cells);
            functions && draw.noise.len() == self.outputs()
        };
        require(!self.draws.is_empty() && self.draws.iter().all(fits), "functions of other outputs")
    }

    /// Number of outputs, D.
    pub fn outputs(&self) -> usize {
        self.climb.posterior.noise.len()
    }

    /// The prediction of the output `missing` at each row of `observed` (n × D), given the row's
    /// other outputs, NaN where one of them is missing too; `count` draws of x* for each draw of X,
    /// from `context`'s streams.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] for another number of outputs, an infinite one, and a row whose
    /// outputs are all missing.
    pub fn uncertainty(
        &self,
        observed: ArrayView2<f64>,
        missing: usize,
        count: usize,
        context: &Context,
    ) -> Result<Uncertainty, FitError> {
        let (n, d) = observed.dim();
        if d != self.outputs() || missing >= d {
            return Err(FitError::Unsupported(format!(
                "the model has {} outputs, asked for output {missing} (from 0) of rows with {d}",
                self.outputs()
            )));
        }
        let others: Vec<usize> = (0..d).filter(|&o| o != missing).collect();
        let known = known(observed, &others)?;
        let nodes = self.grid.len();
        let (mut scores, mut row) = (Scores::default(), vec![0.0; nodes]);
        let [mut mean, mut square, mut weights] = [(); 3].map(|()| Array1::<f64>::zeros(n));
        let share = 1.0 / (self.draws.len() * count) as f64;
        for (m, posterior) in self.draws.iter().enumerate() {
            context.checkpoint()?;
            self.observe(posterior, &others, &mut scores);
            let mut rng = context.stream("test latent points", m as u64);
            let (f, v) =
                (&posterior.mean[missing * nodes..], &posterior.variance[missing * nodes..]);
            for i in 0..n {
                weigh(&scores, &known[3 * others.len() * i..][..3 * others.len()], &mut row);
                accumulate(&mut row);
                let mut sums = [0.0; 3];
                for _ in 0..count {
                    let g = draw(&row, &mut rng);
                    let of_draw = [f[g], f[g] * f[g], v[g]];
                    sums.iter_mut().zip(of_draw).for_each(|(sum, x)| *sum += x);
                }
                mean[i] += share * sums[0];
                square[i] += share * sums[1];
                weights[i] += share * sums[2];
            }
        }
        let latent = Array1::from_shape_fn(n, |i| (square[i] - mean[i] * mean[i]).max(0.0));
        let aleatoric =
            // (32)
            self.draws.iter().map(|p| p.noise[missing]).sum::<f64>() / self.draws.len() as f64;
        Ok(Uncertainty { mean, aleatoric, weights, latent })
    }

    /// (11) as a linear function of 1, y and y² of each observed output.
    fn observe(&self, posterior: &Posterior, others: &[usize], scores: &mut Scores) {
        let nodes = self.grid.len();
        let Scores { bias, slopes } = scores;
        bias.clear();
        bias.extend(&self.grid.log_prior);
        slopes.clear();
        for &d in others {
            let of = |values: &[f64], g: usize| values[d * nodes + g];
            let total = |g: usize| of(&posterior.variance, g) + posterior.noise[d];
            let mean = |g: usize| of(&posterior.mean, g);
            slopes
                .extend((0..nodes).map(|g| -0.5 * (total(g).ln() + mean(g) * mean(g) / total(g))));
            slopes.extend((0..nodes).map(|g| mean(g) / total(g)));
            slopes.extend((0..nodes).map(|g| -0.5 / total(g)));
        }
    }
}

/// 1, y and y² of each observed output of each row; zeros where it is missing.
fn known(observed: ArrayView2<f64>, others: &[usize]) -> Result<Vec<f64>, FitError> {
    let mut known = Vec::with_capacity(3 * others.len() * observed.nrows());
    for (i, row) in observed.rows().into_iter().enumerate() {
        if others.iter().all(|&o| row[o].is_nan()) {
            return Err(FitError::Unsupported(format!(
                "row {i} (from 0): every output is missing; at least one must be observed"
            )));
        }
        for &o in others {
            let y = row[o];
            if y.is_infinite() {
                return Err(FitError::Unsupported(format!(
                    "row {i}, output {o} (both from 0) is {y}, expected a finite number, or NaN \
                     where it is missing"
                )));
            }
            known.extend(if y.is_nan() { [0.0; 3] } else { [1.0, y, y * y] });
        }
    }
    Ok(known)
}

/// # Errors
/// [`FitError::Unsupported`] for outputs that no model can be fitted to.
fn check_outputs(outputs: ArrayView2<f64>) -> Result<(), FitError> {
    let (n, d) = outputs.dim();
    let refuse = |why: String| Err(FitError::Unsupported(why));
    if n < 3 || d < 2 {
        return refuse(format!(
            "a latent variable model needs at least 3 rows of 2 outputs that vary, found {n} of {d}"
        ));
    }
    for (i, row) in outputs.rows().into_iter().enumerate() {
        if row.iter().all(|y| y.is_nan()) {
            return refuse(format!(
                "training row {i} (from 0): every output is missing; leave the row out"
            ));
        }
        if let Some((o, y)) = row.indexed_iter().find(|(_, y)| !y.is_finite()) {
            return refuse(format!(
                "training row {i}, output {o} (both from 0) is {y}, expected a finite number: \
                 leave the row out or impute it"
            ));
        }
    }
    Ok(())
}
