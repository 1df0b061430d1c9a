//! Judge a paper's sentences twice: on our runs, and on the paper's own printed numbers. There is
//! one file for each kind of claim.

mod at_least;
mod better;
mod comparisons;
mod curves;
mod exponent_at_most;
mod extent;
mod extreme;
mod flat;
mod increasing;
mod kind;
mod learned;
mod levels;
mod lower;
mod measured;
mod minimum_within;
mod non_inferior;
mod optimised;
mod outcome;
mod ranked;
mod recovered;
mod sides;
mod unbeaten;
mod within;

pub use extent::Extent;
pub use kind::JudgeClaim;
pub use outcome::{ClaimResult, Judged, counted_judgements};

use crate::evidence::{Evidence, EvidenceError};
use uqbench_run::benchmark::{Claim, Profile, Statement};

/// Draws of the bootstrap over repetitions.
const BOOTSTRAP: u64 = 4000;

/// The note on a sentence without printed numbers.
const UNPRINTED: &str = "the paper prints no numbers for it";

/// How a statement is judged, one line for each kind.
pub fn kind(statement: &Statement) -> &dyn JudgeClaim {
    match statement {
        Statement::Lower(kind) => kind,
        Statement::MinimumWithin(kind) => kind,
        Statement::Increasing(kind) => kind,
        Statement::AtLeast(kind) => kind,
        Statement::ExponentAtMost(kind) => kind,
        Statement::Better(kind) => kind,
        Statement::NonInferior(kind) => kind,
        Statement::Unbeaten(kind) => kind,
        Statement::Ranked(kind) => kind,
        Statement::Recovered(kind) => kind,
        Statement::Within(kind) => kind,
        Statement::Flat(kind) => kind,
        Statement::Extreme(kind) => kind,
        Statement::Measured(kind) => kind,
        Statement::LearningRanked(kind) => kind,
        Statement::LearningUndominated(kind) => kind,
        Statement::LearningGain(kind) => kind,
        Statement::Optimised(kind) => kind,
        Statement::SameChoice(kind) => kind,
    }
}

/// Judges one claim of a benchmark. Below the full profile, with fewer than ten repetitions, or
/// where the benchmark says why no run decides it, our runs decide nothing.
///
/// # Errors
/// [`EvidenceError`] where stored trials cannot be read.
pub fn judge(claim: &Claim, evidence: &Evidence) -> Result<ClaimResult, EvidenceError> {
    let plan = evidence.results.plan;
    let kind = kind(&claim.statement);
    let (found, own_note, n) = kind.own(evidence)?;
    let so_far = if claim.undecided_because.is_empty() { found } else { Judged::Undecided };
    let unprinted = || (Judged::Undecided, UNPRINTED.to_owned());
    let (printed, printed_note) = kind.printed(&plan.benchmark).unwrap_or_else(unprinted);
    let extent = Extent::of(&kind.columns(&evidence.results), n);
    let decides = plan.profile == Profile::Full && extent == Extent::Enough;
    let own = if decides { so_far } else { Judged::Undecided };
    Ok(ClaimResult { own, so_far, own_note, extent, printed, printed_note, n })
}
