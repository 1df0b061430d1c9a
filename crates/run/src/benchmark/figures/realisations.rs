//! Draw realisations of a random function.

use serde::Deserialize;

use super::super::Benchmark;
use super::checks::{check_columns, check_unscaled};
use super::kind::{FigureKind, by_fields};
use super::panel::Panel;

/// Realisations of a random function of one feature with densities at the rows' places, and its law
/// at one place.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Realisations {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// Which columns, by their labels, one row each.
    pub panels: Vec<Panel>,
}

impl FigureKind for Realisations {
    by_fields!(file, title, panels);

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        check_unscaled(&self.file, &self.panels, benchmark)?;
        check_columns(&self.file, &self.panels, benchmark)
    }
}
