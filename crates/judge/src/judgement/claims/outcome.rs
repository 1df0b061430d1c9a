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

    /// The verb for `count` claims: "holds" for one, "hold" for more.
    pub fn verb(self, count: usize) -> &'static str {
        match (self, count) {
            (Self::Holds, 1) => "holds",
            (Self::Holds, _) => "hold",
            (Self::Fails, 1) => "fails",
            (Self::Fails, _) => "fail",
            (Self::Undecided, 1) => "is undecided",
            (Self::Undecided, _) => "are undecided",
        }
    }
}

/// How many claims have each judgement, without those that none has: `5 hold, 1 is undecided`.
pub fn counted_judgements(all: impl Iterator<Item = Judged>) -> String {
    let all: Vec<Judged> = all.collect();
    let counts = Judged::ALL.map(|one| (one, all.iter().filter(|judged| **judged == one).count()));
    let some = counts.into_iter().filter(|(_, count)| *count > 0);
    some.map(|(one, count)| format!("{count} {}", one.verb(count))).collect::<Vec<_>>().join(", ")
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
    /// How far our runs have come.
    pub extent: Extent,
    /// On the paper's printed numbers.
    pub printed: Judged,
    /// A note on what the printed numbers show.
    pub printed_note: String,
    /// Number of repetitions.
    pub n: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verb_follows_the_number_of_claims() {
        let [holds, fails, open] = Judged::ALL;
        assert_eq!(counted_judgements([fails, open, fails].into_iter()), "2 fail, 1 is undecided");
        assert_eq!(
            counted_judgements([open, holds, open, fails].into_iter()),
            "1 holds, 1 fails, 2 are undecided"
        );
        assert_eq!(counted_judgements([holds, holds].into_iter()), "2 hold");
        assert_eq!(counted_judgements([].into_iter()), "");
    }
}
