//! A reproducible benchmark harness for uncertainty quantification (UQ) in regression, for
//! research: the command line.
//!
//! A trial passes through these crates: [`uqbench_run`] reads the files that say which trials there
//! are, and runs them; [`uqbench_data`] loads the table and verifies its bytes against the
//! manifest; [`uq_methods`] fits the training rows and answers with a distribution, which
//! [`uq_core`] scores; [`uqbench_judge`] reads the stored trials and decides every verdict;
//! [`uqbench_report`] writes tables and figures ([`pages`] joins the two). [`uqbench_system`] is the machine: files,
//! processes, signals.

mod carried;
pub mod cli;
pub mod pages;
