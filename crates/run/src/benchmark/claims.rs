//! State a paper's sentences in a form that runs and printed numbers can be judged by: one file a
//! kind of claim.
//!
//! To add a kind: write its struct with its keys and [`ClaimKind`] in a file here, and add it to
//! the list of [`Statement`]; write how it is judged in a file of the same name in
//! `judgement/claims`, and add it to the list there.

mod at_least;
mod better;
mod exponent_at_most;
mod extreme;
mod flat;
mod increasing;
mod kind;
mod learned;
mod lower;
mod measured;
mod minimum_within;
mod non_inferior;
mod optimised;
mod quantifier;
mod ranked;
mod recovered;
mod unbeaten;
mod within;

use serde::Deserialize;

use crate::kinds::kinds;

pub use at_least::AtLeast;
pub use better::Better;
pub use exponent_at_most::ExponentAtMost;
pub use extreme::{End, Extreme};
pub use flat::Flat;
pub use increasing::Increasing;
pub use kind::ClaimKind;
pub use learned::{CurveMetric, LearningGain, LearningRanked, LearningUndominated};
pub use lower::{Lower, Term};
pub use measured::{Measured, Quantity, Statistic};
pub use minimum_within::MinimumWithin;
pub use non_inferior::NonInferior;
pub use optimised::{Contest, Optimised, SameChoice};
pub use quantifier::Quantifier;
pub use ranked::Ranked;
pub use recovered::Recovered;
pub use unbeaten::Unbeaten;
pub use within::Within;

/// A part of a reading of a sentence of a paper.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its name in the scorecard.
    pub id: String,
    /// The paper's words.
    pub text: String,
    /// Name of the sentence among those of its paper: claims with the same name are readings of one
    /// sentence. Without it, claims with the same words are.
    #[serde(default)]
    pub sentence: Option<String>,
    /// Name of the reading of the sentence of which it is a part, where that is not the primary
    /// one. A reading holds where all of its parts hold.
    #[serde(default)]
    pub other_reading: Option<String>,
    /// Whether the paper states it. A claim of ours about the paper's method counts for none of its
    /// sentences.
    #[serde(default = "yes")]
    pub stated_by_paper: bool,
    /// How the words are read, where they leave that open.
    #[serde(default)]
    pub reading: String,
    /// Whether a number that decides the statement, such as its `bound`, is ours, because the paper
    /// prints none.
    #[serde(default)]
    pub our_threshold: bool,
    /// Why no run of this benchmark decides it, whatever the numbers are; empty where they may.
    #[serde(default)]
    pub undecided_because: String,
    /// What is judged.
    pub statement: Statement,
}

fn yes() -> bool {
    true
}

impl Claim {
    /// What its sentence is called in its paper; `None` where the paper states no such thing.
    pub fn sentence(&self) -> Option<&str> {
        self.stated_by_paper.then(|| self.sentence.as_deref().unwrap_or(&self.text))
    }
}

kinds! {
    /// What is judged: a struct a kind, named by the key `kind` in a benchmark file.
    #[derive(Clone, Debug, PartialEq, Deserialize)]
    #[serde(tag = "kind", rename_all = "kebab-case")]
    pub enum Statement: ClaimKind {
        /// See [`Lower`].
        Lower(Lower),
        /// See [`MinimumWithin`].
        MinimumWithin(MinimumWithin),
        /// See [`Increasing`].
        Increasing(Increasing),
        /// See [`AtLeast`].
        AtLeast(AtLeast),
        /// See [`ExponentAtMost`].
        ExponentAtMost(ExponentAtMost),
        /// See [`Better`].
        Better(Better),
        /// See [`NonInferior`].
        NonInferior(NonInferior),
        /// See [`Unbeaten`].
        Unbeaten(Unbeaten),
        /// See [`Ranked`].
        Ranked(Ranked),
        /// See [`Recovered`].
        Recovered(Recovered),
        /// See [`Within`].
        Within(Within),
        /// See [`Flat`].
        Flat(Flat),
        /// See [`Extreme`].
        Extreme(Extreme),
        /// See [`Measured`].
        Measured(Measured),
        /// See [`LearningRanked`].
        LearningRanked(LearningRanked),
        /// See [`LearningUndominated`].
        LearningUndominated(LearningUndominated),
        /// See [`LearningGain`].
        LearningGain(LearningGain),
        /// See [`Optimised`].
        Optimised(Optimised),
        /// See [`SameChoice`].
        SameChoice(SameChoice),
    }
}
