//! Judge every printed number and every claim of a benchmark, and the changes between two runs of
//! one plan.
//!
//! The input is [`crate::evidence::Evidence`]; [`judge()`] looks at all of it once. It returns a
//! [`scorecard::Scorecard`]: one typed line for each printed number ([`numbers`], [`verdict`]) and
//! for each claim ([`claims`]), with its verdict and its [`remark`]s. Baselines are judged by their
//! own papers, too ([`own_papers`], [`fidelity`]). This room writes no page: `report` puts the
//! lines into words. The gate of continuous integration compares a run with blessed scores
//! ([`baseline`], [`change`]). What a reader should know first is in [`findings`]. Start with
//! [`verdict`].

pub mod baseline;
mod chance;
pub mod change;
pub mod claims;
pub mod detectable;
pub mod duels;
pub mod fidelity;
pub mod findings;
mod judge;
pub mod leaders;
pub mod league;
pub mod numbers;
pub mod originals;
pub mod own_papers;
pub mod ranking;
pub mod remark;
pub mod scorecard;
pub mod sentences;
pub mod shipped;
pub mod stores;
pub mod unranked;
pub mod verdict;
mod weak_baseline;

pub use judge::judge;
pub use remark::Remark;
pub use scorecard::{ClaimLine, NumberLine, Scorecard};
pub use verdict::Verdict;
