//! Tables: their sources, and their preparation for a method.
//!
//! A [`Table`] has one of three sources. [`Library`] loads a dataset of the [`Manifest`] from the cache, the program, a
//! mirror or its home, and verifies its hash. [`simulated`] draws a problem whose truth is known. [`own`] reads a CSV
//! file of the user. [`objectives`] are functions to be maximised, whose values an experiment asks for point by point.
//! [`splits`] divides the rows, [`imputation`] fills in missing features, [`scaling`] standardises them, and [`regions`]
//! groups them for metrics. Start with `table.rs`, then `fetch.rs`. Protocols and the runner are the main users.

mod archive;
mod dependence;
mod description;
mod error;
mod fetch;
mod formats;
mod hash;
mod manifest;
mod names;
mod nesting;
mod table;

pub use dependence::{Dependence, balanced, blocks, members};
pub use description::{CensoredEnd, ColumnSummary, Description};
pub use error::{Attempt, DataError, printable};
pub use fetch::{Library, Loaded, NetworkOptions, Origin, SourceOptions, Status};
pub use formats::{FileBytes, parse, parsed_sha256};
pub use hash::{hexadecimal, sha256, sha256_of};
pub use manifest::{Archive, Bundled, Column, DataFile, Dataset, Format, HomeSource, Layout, Manifest, Part, Sheet};
pub use names::{counted, did_you_mean, names_with_words, nearest_name};
pub use nesting::check_nesting;
pub use table::Table;
pub mod imputation;
pub mod objectives;
pub mod own;
pub mod regions;
pub mod scaling;
mod sentinel;
pub mod simulated;
pub mod splits;
