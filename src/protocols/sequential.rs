//! Let an acquisition function choose which rows are known next: the engine of protocols that choose their own data.
//!
//! A state says which rows of a pool are known and which are open. In each step a model of the known rows predicts the
//! test rows, and an [`Acquisition`] chooses open rows, which are then known. The [`Engine`] repeats this. A protocol
//! says how a model is fitted: anew, or by [`crate::methods::Fitted::refit`]. A [`Journal`] keeps each step, so that a
//! trial that was stopped goes on after its last step, with the same result.

mod acquisition;
mod engine;
mod journal;
mod state;
mod step;
#[cfg(test)]
mod tests;

pub use acquisition::{Acquisition, StepReading};
pub(super) use engine::Engine;
pub use journal::Journal;
pub use step::{Choice, Step};
