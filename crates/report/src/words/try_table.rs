//! Put a comparison of methods on a table of one's own into words.
//!
//! What was found is data in `try_table/`: a test there asserts it, and the snapshots here hold the
//! sentences.

pub mod answer;
pub mod bounds;
pub mod calibration;
pub mod division;
pub mod headline;
pub mod held_out;
pub mod kinds;
pub mod notes;
pub mod order;
pub mod procedure;
pub mod reasons;
pub mod slab;
#[cfg(test)]
mod tests;
pub mod warnings;
