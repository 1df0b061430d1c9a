//! Write pages, tables and figures of a report that judge ends in.
//!
//! The input is a [`uqbench_judge::report::Report`], the output are [`document::Document`]s, which
//! [`mod@write`] puts on disk. Start with [`index::pages`], a pure function from the one to the
//! others. A page ([`table`]) is built of
//! [`section`]s and [`grid`]s: [`words`] puts the report's tables into words, [`plot`] draws its
//! figures, and [`export`] gives a page its formats. `uqbench compare`, `uqbench score`,
//! `uqbench try` and `uqbench league` have pages of their own: [`comparison`], [`score`],
//! [`try_table`], [`league`].

pub mod audit_table;
pub mod brief;
pub mod cite;
mod cited;
pub mod committed;
pub mod comparison;
pub mod decomposition;
pub mod document;
pub mod drawn;
pub mod errata;
pub mod export;
pub mod gate;
pub mod grid;
pub mod index;
pub mod league;
pub mod long_table;
mod notable;
pub mod numbers;
mod overview;
pub mod own_papers;
pub mod plot;
pub mod provenance;
pub mod ranks;
pub mod rerun;
pub mod run_line;
pub mod score;
pub mod scorecard;
pub mod section;
mod selection;
mod settings;
pub mod site;
pub mod skill;
mod summary;
pub mod table;
pub mod trial;
pub mod trials;
pub mod try_table;
pub mod watch;
pub mod words;
pub mod write;
