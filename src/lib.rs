//! A reproducible benchmark harness for uncertainty quantification (UQ) in regression, for research.
//!
//! [`benchmark`] reads the files that say which trials there are. A trial passes through these rooms: [`data`] loads
//! the table and verifies its bytes against the manifest; [`protocols`] divides and scales the rows; [`methods`] fits
//! the training rows and answers with a [`predictive`] distribution; [`metrics`] scores it; [`runner`] stores the trial
//! in a folder of its own. [`evidence`] reads the stored trials, and [`report`] makes tables, figures and verdicts from
//! them alone. [`cli`] is the command line. Five rooms serve the others: the machine ([`system`]), mathematics
//! ([`math`]), statistics ([`stats`]), drawings from plain numbers ([`plot`]), and the tables that a fit leaves beside
//! its predictions ([`side_tables`]).
//!
//! A room may import any room above it in the list below, never one below it; `tests/it/rooms.rs` checks this. Read the
//! rooms in the order of the list; each one's first page says what it is for.

mod kinds;
pub mod system;

pub mod math;

pub mod data;

pub mod predictive;

pub mod metrics;

pub mod stats;

pub mod plot;

pub mod side_tables;

pub mod methods;

pub mod protocols;

pub mod benchmark;

pub mod runner;

pub mod evidence;
pub mod judgement;

pub mod report;

pub mod cli;
