//! Let an acquisition function choose which data are known next: the engine of protocols that
//! choose their own data.
//!
//! A [`Ground`] is what there is to choose from: the rows of a [`Pool`], or the points of a
//! [`Domain`], where a function is asked for its value. In each step a model of what is known
//! predicts the test rows, and an [`Acquisition`] chooses what is known next. A protocol says how a
//! model is fitted: anew, or by [`uq_methods::Fitted::refit`]. A [`Journal`] keeps each step, so
//! that a trial that was stopped goes on after its last step, with the same result.

mod acquisition;
mod candidates;
mod cma_es;
mod criterion;
mod domain;
mod engine;
mod evaluated;
mod journal;
mod pool;
mod rows;
mod state;
mod step;
#[cfg(test)]
mod tests;

pub use acquisition::{Acquisition, Search, StepReading};
pub use criterion::{Beta, Criterion};
pub(super) use domain::Domain;
pub(super) use engine::{Campaign, Ground, readings_of};
pub(super) use evaluated::Evaluated;
pub use journal::Journal;
pub(super) use pool::Pool;
pub use step::{Choice, Step};
