//! Benchmark files, protocols and the runner of trials.
//!
//! [`benchmark`] reads the files that say which trials there are. [`protocols`] divide and scale
//! the rows, fit and score. [`runner`] runs trials in parallel and stores each in a folder of its
//! own. [`external`] runs methods in other languages, and [`candidates`] are the methods that are
//! tried on a table of one's own.

pub mod benchmark;
pub mod candidates;
pub mod external;
mod kinds;
pub mod league;
pub mod oracle;
pub mod protocols;
pub mod registry;
pub mod runner;
