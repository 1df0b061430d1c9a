//! Draw Gaussian processes with their hyper-functions.

use serde::Deserialize;

use super::super::Benchmark;
use super::checks::{check_columns, check_unscaled};
use super::kind::{FigureKind, by_fields};
use super::panel::Panel;

/// A Gaussian process of one feature with its hyper-functions: rows, mean and bands of both kinds
/// of uncertainty above, length scale, signal and noise below, where the fit left them behind.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HyperFunctions {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// Which columns, by their labels, one fit each.
    pub panels: Vec<Panel>,
}

impl FigureKind for HyperFunctions {
    by_fields!(file, title, panels);

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        check_unscaled(&self.file, &self.panels, benchmark)?;
        check_columns(&self.file, &self.panels, benchmark)
    }
}
