//! Side tables: the small named tables that a fit returns besides its predictions.
//!
//! A method may return any [`SideTable`], and a person can read it in the trial's folder. A table
//! that the program reads again has a type here. The type states the table's name and columns once.
//! A method or a protocol builds it and writes its `to_table`; evidence and reports read it by its
//! `from_table`, which returns `None` for a table without its columns. Names and order of the
//! columns are part of the stored format. Start with [`SideTable`].
//!
//! Benchmark files name tables and columns too, in figures of the kind `histogram` and claims of
//! the kind `measured`. Those are looked up by the names in the file.

mod batches;
mod candidates;
mod components;
mod convergence;
mod crossings;
mod evaluations;
mod grid;
mod held_out_loss;
mod hyper_functions;
mod learning;
mod noise;
mod points;
mod pool;
mod side_table;
mod table;
#[cfg(test)]
mod tests;
mod wiener;

pub use batches::{Batches, Chosen};
pub use candidates::{Candidates, Outcome};
pub use components::Components;
pub use convergence::{Capped, Climb, Converged, Sampled, Starts};
pub use crossings::Crossings;
pub use evaluations::Evaluations;
pub use grid::Grid;
pub use held_out_loss::HeldOutLoss;
pub use hyper_functions::{Feature, HyperFunctions};
pub use learning::Learning;
pub use noise::{FitNoise, LearnedNoise, OutputNoise, ProcessNoise};
pub use points::Points;
pub use pool::Pool;
pub use side_table::SideTable;
pub use wiener::{Densities, Histogram, Law, NoiseLaw, Projection, Realisations, Tubes};
