//! Render tables, figures, verdicts and the scorecard: a pure function of stored trials.

pub mod calibration;
pub mod claims;
pub mod document;
pub mod drawings;
pub mod figures;
pub mod index;
pub mod markdown;
pub mod paired;
pub mod practice;
pub mod results;
pub mod scorecard;
pub mod section;
pub mod statistics;
pub mod table;
pub mod verdict;
pub mod write;
