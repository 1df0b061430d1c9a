//! Write pages, tables and figures. A report is a pure function of stored trials.
//!
//! Inputs are [`uqbench_judge::evidence::Evidence`] and [`uqbench_judge::judgement::Scorecard`]. Outputs are [`document::Document`]s,
//! which [`mod@write`] puts on disk. Start with [`index::render_one`]: it reads the evidence of a benchmark, judges it,
//! and renders its page ([`table`]) and its figures ([`drawn`], [`plot`]). A page is built of [`section`]s and [`grid`]s and gets
//! its format in [`export`]. `uqbench compare`, `uqbench score` and `uqbench try` have pages of their own:
//! [`comparison`], [`score`], [`try_table`].

pub mod brief;
pub mod cite;
mod cited;
pub mod committed;
pub mod comparison;
pub mod decomposition;
pub mod document;
pub mod drawn;
pub mod dropped;
pub mod errata;
pub mod excluded;
pub mod explain;
pub mod export;
pub mod findings;
pub mod gate;
pub mod grid;
pub mod index;
pub mod kept;
pub mod long_table;
mod looks;
mod missing;
mod notable;
pub mod numbers;
mod overview;
pub mod own_papers;
pub mod pack;
pub mod plot;
pub mod provenance;
pub mod ranks;
pub mod remarks;
pub mod rerun;
pub mod run_line;
pub mod score;
pub mod scorecard;
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
pub mod words;
pub mod write;
