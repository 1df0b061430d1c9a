//! Read what the store contains for a plan: results and their scores, stored predictions and side
//! tables, diagnostics of fits.
//!
//! The input is a [`uqbench_run::runner::plan::Plan`] and a [`uqbench_run::runner::store::Store`].
//! [`Evidence::collect`] reads once all that judging and reporting a benchmark need. It returns
//! [`Evidence`], which `judgement` judges and `report` renders. Predictions are large: figures and
//! some claims read them from the store when they need them ([`trials`]). [`own_predictions`] reads
//! predictions that were made elsewhere, from files, without plan and store. Start with
//! [`results`].

pub mod brought;
mod collect;
pub mod contents;
pub mod decomposition;
pub mod diagnostics;
pub mod differences;
pub mod efforts;
pub mod field;
pub mod hyper_functions;
pub mod imputation;
pub mod learning;
pub mod long_table;
pub mod losses;
pub mod machines;
pub mod optimised;
pub mod overflow;
pub mod own_predictions;
pub mod portrait;
pub mod prediction_table;
pub mod ranked;
pub mod reach;
pub mod results;
pub mod row_order;
pub mod searches;
pub mod trials;
pub mod unconverged;
pub mod validation;
pub mod versions;

pub use collect::Evidence;
pub use results::{End, Repetitions, Results, Series};
pub use trials::EvidenceError;
