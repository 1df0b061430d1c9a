//! Play the randomised game of decision theoretic bootstrapping: resample the UQ set, solve,
//! average the strategies.

use std::ops::Range;

use ndarray::{Array2, ArrayView1, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use super::game::GameSolver;
use crate::{Context, FitError};
use uq_core::math::bins::near_equal_bins;
use uq_core::math::random::shuffle_prefix;

/// The results of K games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Purified {
    /// p̄ over the m models (2.4).
    pub weights: Vec<f64>,
    /// v^(k) of each game.
    pub values: Vec<f64>,
    /// Duality gap of each game.
    pub gaps: Vec<f64>,
}

/// The losses of m models on the UQ set, for any number of games.
#[derive(Clone, Debug)]
pub(super) struct UqLosses {
    /// Squared errors in ascending order of the target, |U| × m.
    losses: Array2<f64>,
    /// The sorted subsets U_j, none of them empty.
    bins: Vec<Range<usize>>,
}

impl UqLosses {
    /// The squared errors of `predictions` (|U| × m) of `target` (|U|), sorted stably by target and
    /// cut into `bins` near-equal subsets, or |U| where there are fewer rows.
    pub(super) fn new(target: ArrayView1<f64>, predictions: ArrayView2<f64>, bins: usize) -> Self {
        let mut order: Vec<usize> = (0..target.len()).collect();
        order.sort_by(|&a, &b| target[a].total_cmp(&target[b]));
        let mut losses = predictions.select(Axis(0), &order);
        for (mut row, &i) in losses.rows_mut().into_iter().zip(&order) {
            row.mapv_inplace(|prediction| (target[i] - prediction).powi(2));
        }
        Self { losses, bins: near_equal_bins(order.len(), bins.min(order.len())) }
    }

    /// Steps 4 and 5 of Algorithm 1: `games` realisations, each of max(1, round(`ratio` × size))
    /// rows of every bin.
    ///
    /// The k-th game draws from the stream `("game", k)` whatever the ratio.
    ///
    /// # Errors
    /// [`FitError::Diverged`] when a game cannot be solved; an error when the context stops the
    /// work.
    pub(super) fn play(
        &self,
        ratio: f64,
        games: usize,
        context: &Context,
    ) -> Result<Purified, FitError> {
        let m = self.losses.ncols();
        let mut solver = GameSolver::default();
        // L transposed: bins × models, so that a drawn row is one contiguous sum.
        let mut game = Array2::zeros((self.bins.len(), m));
        let mut drawn = Vec::new();
        let mut purified = Purified { weights: vec![0.0; m], values: Vec::new(), gaps: Vec::new() };
        for k in 0..games {
            context.checkpoint()?;
            let mut rng = context.stream("game", k as u64);
            game.fill(0.0);
            for (mut mean, bin) in game.rows_mut().into_iter().zip(&self.bins) {
                let size = ((ratio * bin.len() as f64).round() as usize).clamp(1, bin.len());
                drawn.clear();
                drawn.extend(bin.clone());
                shuffle_prefix(&mut drawn, size, &mut rng);
                // (1.1), (2.2): L_ij = E over μ_j of the squared error.
                for &u in &drawn[..size] {
                    mean += &self.losses.row(u);
                }
                mean /= size as f64;
            }
            let equilibrium = solver.solve(game.t()).map_err(|error| {
                FitError::Diverged(format!(
                    "game {k} of {games} at purification ratio {ratio}: {error}"
                ))
            })?;
            for (sum, p) in purified.weights.iter_mut().zip(&equilibrium.row_strategy) {
                *sum += p;
            }
            purified.values.push(equilibrium.value);
            purified.gaps.push(equilibrium.gap);
        }
        // (2.4)
        let total: f64 = purified.weights.iter().sum();
        purified.weights.iter_mut().for_each(|weight| *weight /= total);
        Ok(purified)
    }
}
