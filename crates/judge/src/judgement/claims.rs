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
pub mod note;
mod optimised;
mod outcome;
mod ranked;
mod recovered;
mod sides;
mod unbeaten;
mod within;

pub use extent::Extent;
pub use kind::{Finding, JudgeClaim, Printed};
pub use note::{Note, Notes, PrintedNote, Wording};
pub use outcome::{ClaimResult, Judged};

use crate::evidence::{Evidence, EvidenceError};
use uqbench_run::benchmark::{Claim, Profile, Statement};

/// Draws of the bootstrap over repetitions.
const BOOTSTRAP: u64 = 4000;

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

/// Judges one claim of a benchmark, and says what decides it. Below the full profile, with fewer
/// than ten repetitions, or where the benchmark says why no run decides it, our runs decide
/// nothing.
///
/// # Errors
/// [`EvidenceError`] where stored trials cannot be read.
pub fn judge(claim: &Claim, evidence: &Evidence) -> Result<(ClaimResult, Notes), EvidenceError> {
    let plan = evidence.results.plan;
    let kind = kind(&claim.statement);
    let Finding { judged, note, n } = kind.own(evidence)?;
    let so_far = if claim.undecided_because.is_empty() { judged } else { Judged::Undecided };
    let unprinted = Printed { judged: Judged::Undecided, note: PrintedNote::Unprinted };
    let printed = kind.printed(&plan.benchmark).unwrap_or(unprinted);
    let extent = Extent::of(&kind.columns(&evidence.results), n);
    let decides = plan.profile == Profile::Full && extent == Extent::Enough;
    let own = if decides { so_far } else { Judged::Undecided };
    let result = ClaimResult { own, so_far, extent, printed: printed.judged, n };
    Ok((result, Notes { own: note, printed: printed.note }))
}
