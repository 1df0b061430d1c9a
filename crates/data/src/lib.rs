//! Tables: their sources, and their preparation for a method.
//!
//! A [`uq_core::Table`] has one of three sources. [`Library`] loads a dataset of the [`Manifest`]
//! from the cache, the program, a mirror or its home, and verifies its hash; [`write_data_pack`]
//! packs datasets into one file, which is a mirror. [`simulated`] draws a
//! problem whose truth is known. [`own`] reads a CSV file of the user. [`objectives`] are functions
//! to be maximised, whose values an experiment asks for point by point. [`splits`] divides the
//! rows, [`imputation`] fills in missing features, and [`regions`] groups rows for metrics.
//! [`number_file`] reads predictions that somebody has made. Start with `fetch.rs`.

mod archive;
mod description;
mod error;
mod fetch;
mod formats;
mod manifest;
mod nesting;
mod page_headers;

pub use description::{CensoredEnd, ColumnSummary, Description};
pub use error::{Attempt, DataError, NoFile, listed};
pub use fetch::{Library, Loaded, NetworkOptions, Origin, SourceOptions, Status, write_data_pack};
pub use formats::{FileBytes, parse, parsed_sha256};
pub use manifest::{
    Archive, Bundled, Column, DataFile, Dataset, DependentRows, Format, HomeSource, Layout,
    Manifest, Part, Sheet, Stacked, TableOptions,
};
pub use nesting::check_nesting;
pub mod columns;
pub mod imputation;
pub mod number_file;
pub mod objectives;
pub mod own;
pub mod regions;
mod sentinel;
pub mod simulated;
pub mod splits;
