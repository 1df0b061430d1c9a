//! Fit all rows of a table, and predict new ones.

use ndarray::Array2;

use super::request::{context, request, streams};
use super::stop::{Failure, Stop};
use crate::candidates::Candidate;
use crate::protocols::{KeptFit, WholeFit};
use uq_core::Table;
use uq_core::predictive::{Bounds, Predictive};
use uq_methods::Context;
use uqbench_system::survive;

/// What is asked of a fit of all rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// The intervals.
    pub bounds: Bounds,
    /// Number of rows that it is fitted on.
    pub rows: usize,
    /// Root of all random streams.
    pub seed: u64,
}

/// A candidate's fit of all rows of `table`. The same table and seed give the same fit, whatever
/// was compared.
///
/// # Errors
/// [`Failure`] where the method fails, or the run is stopped.
pub fn fit(
    table: &Table,
    seed: u64,
    candidate: &Candidate,
    stop: &Stop,
) -> Result<WholeFit, Failure> {
    let context = of_all_rows(seed, candidate, stop);
    let fitted =
        survive(|| WholeFit::new(table, candidate.scaling, candidate.method.as_ref(), &context));
    fitted.map_err(Failure::Failed)?.map_err(|error| stop.failure(error))
}

/// The fit of a candidate that was kept.
///
/// # Errors
/// A message that states why it cannot be made again.
pub fn restore(kept: &KeptFit, candidate: &Candidate) -> Result<WholeFit, String> {
    survive(|| WholeFit::restored(kept, candidate.method.as_ref()))?
        .map_err(|error| error.to_string())
}

/// A fit's prediction at new rows, in the target's units. The same fit and question give the same
/// numbers, whether the fit was made or restored.
///
/// # Errors
/// A message that states why it failed.
pub fn predict(
    fit: &WholeFit,
    question: Question,
    candidate: &Candidate,
    features: &Array2<f64>,
) -> Result<Predictive, String> {
    let context = of_all_rows(question.seed, candidate, &Stop::never());
    let request = request(question.bounds, question.rows, candidate.method.as_ref());
    survive(|| fit.predict(features, candidate.method.as_ref(), &request, &context))?
        .map_err(|error| error.to_string())
}

/// The streams of a fit of all rows and of its predictions.
fn of_all_rows(seed: u64, candidate: &Candidate, stop: &Stop) -> Context {
    context(candidate, streams(seed, candidate).child("all rows", 0), stop)
}
