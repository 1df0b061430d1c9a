//! Define the result of a claim.

use serde::{Deserialize, Serialize};

use super::extent::Extent;

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
    /// Every judgement.
    pub const ALL: [Self; 3] = [Self::Holds, Self::Fails, Self::Undecided];

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
    /// How far our runs have come.
    pub extent: Extent,
    /// On the paper's printed numbers.
    pub printed: Judged,
    /// Number of repetitions.
    pub n: usize,
}
