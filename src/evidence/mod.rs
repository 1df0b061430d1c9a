//! What the store says of a plan, typed: no verdict yet, and no text.
//!
//! [`results`] gathers how every repetition ended and its scores, [`trials`] reads what one of them holds, [`differences`] pairs columns.

pub mod differences;
pub mod hyper_functions;
pub mod results;
pub mod trials;

pub use results::{End, Repetitions, Results, Series};
pub use trials::EvidenceError;
