//! Say what every kind of claim must be able to tell before anything runs.

use super::super::Benchmark;
use uq_core::metrics::MetricId;

/// A kind of claim: its fields are the keys of its `statement` in a benchmark file.
pub trait ClaimKind {
    /// The metrics that it is judged by.
    fn metrics(&self) -> Vec<MetricId>;

    /// Finds names and numbers with which the claim could never be judged.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn check(&self, benchmark: &Benchmark) -> Result<(), String>;
}
