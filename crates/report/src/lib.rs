//! Write pages, tables and figures. A report is a pure function of stored trials.
//!
//! Inputs are [`uqbench_judge::evidence::Evidence`] and [`uqbench_judge::judgement::Scorecard`]. Outputs are [`document::Document`]s,
//! which [`mod@write`] puts on disk. Start with [`index::render_one`]: it reads the evidence of a benchmark, judges it,
//! and renders its page ([`table`]) and its figures ([`drawings`]). A page is built of [`section`]s and [`grid`]s and gets
//! its format in [`export`]. `uqbench compare`, `uqbench score` and `uqbench try` have pages of their own:
//! [`comparison`], [`score`], [`try_table`].

mod agreement;
pub mod brief;
pub mod cite;
mod cited;
pub mod committed;
mod common_splits;
pub mod comparison;
pub mod curves;
pub mod decomposition;
pub mod document;
pub mod drawings;
pub mod dropped;
pub mod errata;
mod error;
pub mod excluded;
pub mod explain;
pub mod export;
pub mod findings;
pub mod fits;
pub mod gate;
pub mod grid;
mod impossible;
pub mod index;
pub mod kept;
pub mod learning;
pub mod long_table;
mod looks;
pub mod marks;
mod missing;
pub mod not_run;
mod notable;
pub mod numbers;
mod optimisation;
mod overview;
pub mod own_papers;
pub mod pack;
pub mod place;
pub mod plot;
pub mod provenance;
pub mod ranks;
pub mod remarks;
pub mod rerun;
pub mod run_line;
pub mod score;
pub mod scorecard;
pub mod searches;
pub mod section;
mod selection;
pub mod signs;
pub mod site;
pub mod skill;
mod summary;
pub mod table;
pub mod trial;
pub mod trials;
pub mod try_table;
pub mod validation;
pub mod variance;
pub mod variants;
pub mod write;
