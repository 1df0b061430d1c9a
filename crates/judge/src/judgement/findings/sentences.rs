//! Find the claims of a benchmark that our runs judge.

use serde::{Deserialize, Serialize};

use crate::judgement::claims::Judged;
use crate::judgement::{ClaimLine, Scorecard};

/// A claim that holds or fails on our runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claimed {
    /// Name of the claim.
    pub id: String,
    /// Name of the sentence of which it is a reading.
    pub sentence: String,
    /// The paper's sentence.
    pub text: String,
    /// How the sentence is read, where the benchmark has other readings of it; else empty.
    pub reading: String,
    /// Whether it holds; otherwise it fails.
    pub holds: bool,
    /// Whether the runs are too few to decide, and only show this so far.
    pub has_too_few: bool,
    /// What our runs show, in words: the effect with its interval.
    pub note: String,
    /// Number of repetitions.
    pub n: usize,
    /// Whether a threshold of ours decides.
    pub our_threshold: bool,
}

/// The claims that hold or fail, in the order of the benchmark.
pub fn claimed(card: &Scorecard) -> Vec<Claimed> {
    card.claims.iter().filter_map(|line| one(line, card)).collect()
}

/// `None` where the runs show nothing, and of what no paper states.
fn one(ClaimLine { claim, result, notes, .. }: &ClaimLine, card: &Scorecard) -> Option<Claimed> {
    let is_read_otherwise = card
        .claims
        .iter()
        .any(|other| other.claim.text == claim.text && other.claim.id != claim.id);
    let sentence = claim.sentence()?.to_owned();
    let judged =
        Some(result.so_far).filter(|judged| *judged != Judged::Undecided && result.n > 0)?;
    Some(Claimed {
        id: claim.id.clone(),
        sentence,
        text: claim.text.clone(),
        reading: if is_read_otherwise { claim.reading.clone() } else { String::new() },
        holds: judged == Judged::Holds,
        has_too_few: result.own == Judged::Undecided,
        note: (card.wording)(&notes.own),
        n: result.n,
        our_threshold: claim.our_threshold,
    })
}
