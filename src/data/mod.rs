//! Where tables come from: the manifest, fetching, file formats, simulated data; and what is done to them before a
//! method sees them: splits and scaling.

mod table;

pub use table::Table;
pub mod scaling;
pub mod simulated;
pub mod splits;
