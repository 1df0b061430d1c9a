//! Tests of the whole project: the built program on real and mock trials, and the rules between
//! files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]
#![allow(missing_docs, reason = "a test crate has no users")]
#![cfg_attr(not(unix), allow(dead_code, reason = "signals are the only way to stop a run rudely"))]

mod audit;
mod audit_table;
mod book;
mod calibrate_by;
mod check;
mod circles;
mod claims;
mod cli;
mod command;
mod compare;
mod costs_of_try;
mod coverage_of_try;
mod data;
mod decomposition;
mod dependent_rows;
mod determinism;
mod export;
#[cfg(target_os = "linux")]
mod external;
#[cfg(target_os = "linux")]
mod faults;
mod findings;
#[cfg(target_os = "linux")]
mod fuzz;
mod incremental;
mod installed;
mod isocrps_rows;
#[cfg(target_os = "linux")]
mod isolation;
mod layout;
mod league;
mod league_board;
#[cfg(target_os = "linux")]
mod league_rerun;
mod markdown;
mod mocks;
mod model;
mod new_spellings;
mod ordinary_files;
mod own_benchmark;
mod own_cells;
mod own_papers;
mod own_warnings;
mod pack;
mod pages;
mod papers;
mod parts;
mod printed;
mod quoted_tables;
mod refill;
mod report;
mod rerun;
#[cfg(unix)]
mod resume;
mod rooms;
mod same_tables;
#[cfg(target_os = "linux")]
mod scale;
#[cfg(target_os = "linux")]
mod scale_of_try;
mod score;
mod searched;
mod seeds;
mod selection;
mod sequential;
#[cfg(unix)]
mod shards;
mod shipped;
mod site;
mod snapshots;
#[cfg(target_os = "linux")]
mod soak;
mod splits;
mod store;
#[cfg(unix)]
mod submit;
mod template;
#[cfg(target_os = "linux")]
mod terminal;
mod totals;
mod try_answer;
mod try_plans;
mod try_table;
mod unconverged;
mod validation;
mod watch;
mod wording;
