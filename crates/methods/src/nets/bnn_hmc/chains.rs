//! Draw parameters from a posterior by the No-U-Turn sampler, and measure how well its chains have
//! mixed.

use std::collections::HashMap;
use std::fmt;

use ndarray::Array2;
use nuts_rs::rand::Rng as AnyRng;
use nuts_rs::{
    Chain, CpuLogpFunc, CpuMath, CpuMathError, DiagNutsSettings, HasDims, LogpError, Settings,
};
use serde::{Deserialize, Serialize};

use super::posterior::{Posterior, Rows};
use crate::side_tables::Sampled;
use crate::{Context, FitError};
use uq_math::autodiff::Tape;
use uq_math::mixing::{LARGEST_R_HAT, Mixing};
use uq_math::normal_draws::fill_standard_normal;

/// Inputs at which functions are compared between chains.
const INPUTS: usize = 64;

/// How long the chains run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Budget {
    /// Number of chains.
    pub chains: usize,
    /// Draws that adapt the sampler, and are left out.
    pub warm_up: usize,
    /// Draws after them.
    pub draws: usize,
    /// Doublings of a trajectory, at most.
    pub depth: usize,
    /// Draws of all chains together that are kept for predictions.
    pub kept: usize,
}

/// What the chains leave behind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Drawn {
    /// Parameters of the kept draws, evenly spaced.
    pub thetas: Vec<Vec<f64>>,
    /// Where each chain ended.
    pub ends: Vec<Vec<f64>>,
    /// How it went.
    pub sampled: Sampled,
}

/// Runs the chains from `starts`, or each from a draw of the prior.
///
/// # Errors
/// [`FitError::Diverged`] where a chain cannot go on, and those of [`Context::checkpoint`].
pub(super) fn sample<'a>(
    posterior: &'a Posterior,
    rows: Rows<'a>,
    budget: &Budget,
    starts: &[Vec<f64>],
    context: &'a Context,
) -> Result<Drawn, FitError> {
    let Budget { chains, warm_up, draws, depth, kept } = *budget;
    let inputs = fixed_inputs(rows.x.ncols(), context);
    let settings = DiagNutsSettings {
        num_tune: warm_up as u64,
        num_draws: draws as u64,
        maxdepth: depth as u64,
        num_chains: chains,
        ..DiagNutsSettings::default()
    };
    let total = chains * draws;
    let is_kept = |i: usize| (i * kept) / total != ((i + 1) * kept) / total;
    // Of each quantity, ln p first, one row of draws for each chain.
    let mut quantities = vec![vec![Vec::with_capacity(draws); chains]; 1 + INPUTS];
    let (mut thetas, mut ends) = (Vec::with_capacity(kept), Vec::with_capacity(chains));
    let mut sampled = Sampled::default();
    let mut tape = Tape::new();
    let mut gradient = vec![0.0; posterior.parameters()];
    for chain in 0..chains {
        let mut rng = context.stream("chain", chain as u64);
        let mut start = starts.get(chain).cloned().unwrap_or_default();
        if start.is_empty() {
            start = vec![0.0; posterior.parameters()];
            fill_standard_normal(&mut start, &mut rng);
        }
        let stopped = |error: &dyn fmt::Display| -> FitError {
            let why = format!("the chain {} of {chains} cannot go on: {error}", chain + 1);
            context.checkpoint().err().unwrap_or(FitError::Diverged(why))
        };
        let math = CpuMath::new(Density::new(posterior, rows, context));
        let mut sampler =
            settings.new_chain(chain as u64, math, &mut rng).map_err(|error| stopped(&error))?;
        sampler.set_position(&start).map_err(|error| stopped(&error))?;
        for i in 0..warm_up + draws {
            let (theta, progress) = sampler.draw().map_err(|error| stopped(&error))?;
            sampled.gradients += progress.num_steps as f64;
            let Some(place) = i.checked_sub(warm_up) else { continue };
            sampled.divergences += f64::from(progress.diverging);
            let ln_density = posterior.ln_density(&mut tape, rows, &theta, &mut gradient);
            let found =
                std::iter::once(ln_density).chain(posterior.function(&theta, inputs.view()));
            quantities
                .iter_mut()
                .zip(found)
                .for_each(|(quantity, value)| quantity[chain].push(value));
            if is_kept(chain * draws + place) {
                thetas.push(theta.to_vec());
            }
            if place + 1 == draws {
                ends.push(theta.into_vec());
            }
        }
    }
    let mixing: Vec<Mixing> =
        quantities.iter().filter_map(|chains| Mixing::diagnose(chains)).collect();
    sampled.largest_r_hat = mixing.iter().map(|found| found.r_hat).fold(f64::NAN, f64::max);
    sampled.smallest_effective =
        mixing.iter().map(|found| found.effective).fold(f64::NAN, f64::min);
    sampled.converged = sampled.largest_r_hat <= LARGEST_R_HAT;
    Ok(Drawn { thetas, ends, sampled })
}

/// Standard normal inputs ([`INPUTS`] × d): among the standardised rows, and far from them.
fn fixed_inputs(d: usize, context: &Context) -> Array2<f64> {
    let mut values = vec![0.0; INPUTS * d];
    fill_standard_normal(&mut values, &mut context.stream("inputs", 0));
    Array2::from_shape_fn((INPUTS, d), |(i, j)| values[i * d + j])
}

/// The density as the sampler asks for it.
struct Density<'a> {
    posterior: &'a Posterior,
    rows: Rows<'a>,
    tape: Tape,
    context: &'a Context,
}

impl<'a> Density<'a> {
    fn new(posterior: &'a Posterior, rows: Rows<'a>, context: &'a Context) -> Self {
        Self { posterior, rows, tape: Tape::new(), context }
    }
}

/// Why there is no density.
#[derive(Debug, thiserror::Error)]
enum NoDensity {
    #[error("the trial should stop")]
    Stopped,
    #[error("the density is not finite")]
    NotFinite,
}

impl LogpError for NoDensity {
    fn is_recoverable(&self) -> bool {
        matches!(self, Self::NotFinite)
    }
}

impl HasDims for Density<'_> {
    fn dim_sizes(&self) -> HashMap<String, u64> {
        HashMap::from([("unconstrained_parameter".into(), self.posterior.parameters() as u64)])
    }
}

impl CpuLogpFunc for Density<'_> {
    type LogpError = NoDensity;
    type FlowParameters = ();
    type ExpandedVector = Vec<f64>;

    fn dim(&self) -> usize {
        self.posterior.parameters()
    }

    fn logp(&mut self, position: &[f64], gradient: &mut [f64]) -> Result<f64, NoDensity> {
        self.context.checkpoint().map_err(|_| NoDensity::Stopped)?;
        let found = self.posterior.ln_density(&mut self.tape, self.rows, position, gradient);
        let finite = found.is_finite() && gradient.iter().all(|slope| slope.is_finite());
        if finite { Ok(found) } else { Err(NoDensity::NotFinite) }
    }

    fn expand_vector<R: AnyRng + ?Sized>(
        &mut self,
        _: &mut R,
        position: &[f64],
    ) -> Result<Vec<f64>, CpuMathError> {
        Ok(position.to_vec())
    }
}
