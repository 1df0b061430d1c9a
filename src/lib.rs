//! A reproducible research benchmark harness for uncertainty quantification (UQ) in regression.
//!
//! One way leads through the house: the [`data`] manifest pins every byte; [`protocols`] split and scale; [`methods`] fit and
//! answer with a [`predictive`] distribution; [`metrics`] score it; the [`runner`] keeps one folder a trial; the [`report`]
//! renders tables, figures and verdicts from those folders alone. Below them lie the machine ([`system`]), numbers ([`math`],
//! [`stats`]) and drawings from plain numbers ([`plot`]).
//!
//! A room may import any room above it in the list below, never one below it (`tests/it/rooms.rs` holds the list).

pub mod system;

pub mod math;

pub mod data;

pub mod predictive;

pub mod metrics;

pub mod stats;

pub mod plot;

pub mod methods;

pub mod protocols;

pub mod benchmark;

pub mod runner;

pub mod evidence;
pub mod judgement;

pub mod report;

pub mod cli;
