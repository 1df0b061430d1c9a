//! Say what the store knows of a plan, typed: results and their scores, stored predictions and side tables, what fits report of
//! themselves.
//!
//! In flows a [`crate::runner::plan::Plan`] and a [`crate::runner::store::Store`]; [`Evidence::collect`] reads all that judging and
//! reporting a benchmark need, once. Out flows [`Evidence`], to `judgement`, which decides, and to `report`, which writes. Predictions
//! are large: figures and some claims read them from the store when they need them ([`trials`]). Start with [`results`].

mod collect;
pub mod diagnostics;
pub mod differences;
pub mod field;
pub mod hyper_functions;
pub mod reach;
pub mod results;
pub mod searches;
pub mod trials;
pub mod unconverged;
pub mod validation;

pub use collect::Evidence;
pub use results::{End, Repetitions, Results, Series};
pub use trials::EvidenceError;
