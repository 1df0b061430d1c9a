//! Render tables, figures, verdicts and the scorecard: a pure function of stored trials.

pub mod audit;
pub mod baseline;
pub mod calibration;
pub mod change;
pub mod claims;
pub mod comparison;
pub mod document;
pub mod drawings;
pub mod dropped;
pub mod export;
pub mod figures;
pub mod grid;
pub mod index;
pub mod paired;
pub mod practice;
pub mod provenance;
pub mod results;
pub mod scorecard;
pub mod section;
pub mod skill;
pub mod statistics;
pub mod table;
pub mod validation;
pub mod variance;
pub mod verdict;
pub mod write;
