//! Say what became of a claim.

/// Whether a sentence holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It does.
    Holds,
    /// It does not.
    Fails,
    /// The runs, or the printed numbers, do not tell.
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

/// What became of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimResult {
    /// On our runs.
    pub own: Judged,
    /// What our runs show, in words.
    pub own_note: String,
    /// On the paper's printed numbers.
    pub printed: Judged,
    /// What the printed numbers show, in words.
    pub printed_note: String,
    /// Number of repetitions.
    pub n: usize,
}
