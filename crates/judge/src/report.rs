//! State as data what a benchmark's pages show: tables of typed cells, judged numbers and claims, findings.

mod cell;
mod checks;
mod common_splits;
mod curves;
mod decomposed;
mod fits;
mod lacks;
mod learned;
mod optimised;
mod real;
mod scores;
mod table;
mod tables;

pub use cell::{Cell, FirstTrial, Form, Gain, Imputed, Number, Score};
pub use lacks::Lacks;
pub use table::{About, Heading, PartScore, Table};

pub use tables::tables;
