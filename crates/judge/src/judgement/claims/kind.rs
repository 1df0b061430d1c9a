//! Define how a kind of claim is judged from the evidence.

use super::note::{Note, PrintedNote};
use super::outcome::Judged;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uqbench_run::benchmark::Benchmark;

/// Whether a claim holds on our runs, and what they show.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Whether it holds.
    pub judged: Judged,
    /// What our runs show.
    pub note: Note,
    /// Number of repetitions.
    pub n: usize,
}

impl Finding {
    /// Our runs do not decide it.
    pub fn undecided(note: Note, n: usize) -> Self {
        Self { judged: Judged::Undecided, note, n }
    }
}

/// Whether a claim holds on the printed numbers, and what they show.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    /// Whether it holds.
    pub judged: Judged,
    /// What the printed numbers show.
    pub note: PrintedNote,
}

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
