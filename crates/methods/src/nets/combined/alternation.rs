//! Train mean and variance networks in turn on batches of neighbouring rows.

use super::super::{Adam, AdamSettings};
use super::locality::Locality;
use super::networks::{Networks, Rows};
use crate::engine::restarts::{NotFinite, with_smaller_steps};
use crate::{Context, FitError, SideTable};
use uq_core::predictive::Distribution;
use uq_math::autodiff::Tape;

/// Iterations between two evaluations of the validation part.
const LOOK: usize = 100;

/// Numbers of an alternation.
pub(super) struct Alternation {
    pub iterations: usize,
    pub mean_rate: f64,
    pub variance_rate: f64,
    pub restarts: usize,
}

/// The training rows, and how their batches are drawn.
pub(super) struct Learned {
    pub rows: Rows,
    pub mean: Locality,
    pub variance: Locality,
}

/// The result of an alternation.
pub(super) struct Alternated {
    /// The parameters that were kept.
    pub parameters: Vec<f64>,
    /// Iterations after which the validation part was evaluated, the start (0) first.
    iterations: Vec<f64>,
    /// Mean negative log density of the validation part; empty without one.
    losses: Vec<f64>,
    /// Index of the kept ones among these.
    kept: usize,
    restarts: usize,
}

impl Alternated {
    /// The validation losses, and which one was kept.
    pub fn side_table(&self) -> SideTable {
        let mut columns = vec![("iteration".into(), self.iterations.clone())];
        if !self.losses.is_empty() {
            columns.push(("validation_loss".into(), self.losses.clone()));
        }
        let places = 0..self.iterations.len();
        columns.push((
            "kept".into(),
            places.clone().map(|p| f64::from(u8::from(p == self.kept))).collect(),
        ));
        columns.push(("restarts".into(), places.map(|_| self.restarts as f64).collect()));
        SideTable { name: "alternation".into(), columns }
    }
}

impl Alternation {
    /// Trains from `start` on: the variance networks and the mean network by turns. With a
    /// validation part the parameters of its smallest loss are kept, among them `start`, else the
    /// last ones.
    ///
    /// # Errors
    /// [`FitError::Diverged`] where a number is not finite in every attempt;
    /// [`FitError::Cancelled`] and [`FitError::TimedOut`] at the next batch.
    pub fn run(
        &self,
        networks: &Networks,
        start: &[f64],
        learned: &Learned,
        validation: Option<&Rows>,
        context: &Context,
    ) -> Result<Alternated, FitError> {
        let (found, restarts) = with_smaller_steps(self.restarts, "variance_rate", |factor| {
            self.attempt(networks, start, learned, validation, factor, context)
        })?;
        Ok(Alternated { restarts, ..found })
    }

    fn attempt(
        &self,
        networks: &Networks,
        start: &[f64],
        learned: &Learned,
        validation: Option<&Rows>,
        factor: f64,
        context: &Context,
    ) -> Result<Result<Alternated, NotFinite>, FitError> {
        let lost = |iteration: usize| {
            NotFinite(format!(
                "the loss of mean and variance is not finite in iteration {iteration} of their \
                 turns"
            ))
        };
        let rows = learned.rows.distances.len() as f64;
        let mut parameters = start.to_vec();
        let mut gradient = vec![0.0; start.len()];
        let own = networks.mean.end();
        let adam = |learning_rate: f64, parameters: usize| {
            Adam::new(AdamSettings { learning_rate, ..AdamSettings::default() }, parameters)
        };
        let mut mean_adam = adam(self.mean_rate, own);
        let mut variance_adam = adam(self.variance_rate, start.len() - own);
        let (mut scratch, mut batch, mut tape) = (Vec::new(), Vec::new(), Tape::new());
        let mut rng = context.stream("locality", 0);
        let mut kept = (start.to_vec(), 0, f64::INFINITY);
        let (mut iterations, mut losses) = (Vec::new(), Vec::new());
        for iteration in 0..=self.iterations {
            if iteration % LOOK == 0 || iteration == self.iterations {
                if !parameters.iter().all(|p| p.is_finite()) {
                    return Ok(Err(lost(iteration)));
                }
                iterations.push(iteration as f64);
                if let Some(rows) = validation {
                    let loss = mean_loss(networks, &parameters, rows);
                    // With a poor start the density of a row may underflow: such parameters are not
                    // kept.
                    losses.push(loss);
                    if loss < kept.2 {
                        kept.0.copy_from_slice(&parameters);
                        (kept.1, kept.2) = (losses.len() - 1, loss);
                    }
                } else {
                    kept.1 = iterations.len() - 1;
                }
            }
            if iteration == self.iterations {
                break;
            }
            context.checkpoint()?;
            let of_variance = iteration % 2 == 0;
            let locality = if of_variance { &learned.variance } else { &learned.mean };
            locality.draw(&mut rng, &mut scratch, &mut batch);
            tape.reset();
            let loss = networks.losses(&mut tape, &parameters, &learned.rows, &batch);
            let weights = tape.constant_from(batch.len(), 1, |out| {
                for (to, &row) in out.iter_mut().zip(&batch) {
                    *to = 1.0 / (rows * locality.inclusion(row));
                }
            });
            let loss = tape.multiply(loss, weights);
            let loss = tape.sum(loss);
            if !tape.scalar(loss).is_finite() {
                return Ok(Err(lost(iteration)));
            }
            tape.backward(loss, &mut gradient);
            if of_variance {
                variance_adam.step(&mut parameters[own..], &gradient[own..], factor);
            } else {
                mean_adam.step(&mut parameters[..own], &gradient[..own], factor);
            }
        }
        if validation.is_none() {
            kept.0 = parameters;
        }
        Ok(Ok(Alternated { parameters: kept.0, iterations, losses, kept: kept.1, restarts: 0 }))
    }
}

/// The mean negative log density of the rows; infinite where a density underflows.
fn mean_loss(networks: &Networks, parameters: &[f64], rows: &Rows) -> f64 {
    let found = networks.predict(parameters, rows.features.view(), rows.distances.view());
    let each = rows.target.iter().enumerate();
    let total: f64 =
        each.map(|(i, y)| found.log_density(i, *y).map_or(f64::INFINITY, |l| -l)).sum();
    total / rows.target.len() as f64
}
