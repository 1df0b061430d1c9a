//! Judge every printed number and every claim of a benchmark, and the changes between two runs of one plan.
//!
//! In flows [`crate::evidence::Evidence`]; [`judge()`] looks at all of it once. Out flows a [`scorecard::Scorecard`]: a typed line a
//! printed number ([`numbers`], [`verdict`]) and a claim ([`claims`]), each with its verdict and its [`remark`]s. Nothing here writes a
//! page: `report` finds the words. The gate of continuous integration compares a run with blessed scores ([`baseline`], [`change`]).

pub mod baseline;
pub mod change;
pub mod claims;
mod judge;
pub mod numbers;
pub mod remark;
pub mod scorecard;
pub mod verdict;

pub use judge::judge;
pub use remark::Remark;
pub use scorecard::{ClaimLine, NumberLine, Scorecard};
pub use verdict::Verdict;
