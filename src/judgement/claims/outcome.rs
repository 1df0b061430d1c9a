//! Define the result of a claim.

use serde::{Deserialize, Serialize};

/// Whether a sentence holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Judged {
    /// It holds.
    Holds,
    /// It fails.
    Fails,
    /// The runs, or the printed numbers, do not decide it.
    Undecided,
}

impl Judged {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Undecided => "undecided",
        }
    }
}

/// The result of a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimResult {
    /// On our runs.
    pub own: Judged,
    /// What our runs show so far, even where they are too few to decide.
    pub so_far: Judged,
    /// A note on what our runs show.
    pub own_note: String,
    /// On the paper's printed numbers.
    pub printed: Judged,
    /// A note on what the printed numbers show.
    pub printed_note: String,
    /// Number of repetitions.
    pub n: usize,
}
