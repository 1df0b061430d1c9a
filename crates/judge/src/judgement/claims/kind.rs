//! Define how a kind of claim is judged from the evidence.

use super::outcome::Judged;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uqbench_run::benchmark::Benchmark;

/// Whether a claim holds on our runs, a note on what they show, and the number of repetitions.
pub type Finding = (Judged, String, usize);

/// Whether a claim holds on the printed numbers, and a note on what they show.
pub type Printed = (Judged, String);

/// How a kind of claim is judged.
pub trait JudgeClaim {
    /// The columns that it is judged by, on every dataset.
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>>;

    /// Judges it by our runs.
    ///
    /// # Errors
    /// [`EvidenceError`] where stored trials cannot be read.
    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError>;

    /// Judges it by the paper's printed numbers; `None` where the paper prints none for it.
    fn printed(&self, _: &Benchmark) -> Option<Printed> {
        None
    }
}
