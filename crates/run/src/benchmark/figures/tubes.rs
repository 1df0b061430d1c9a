//! Draw kernel regressions in three tubes.

use serde::Deserialize;

use super::super::Benchmark;
use super::checks::{check_columns, check_unscaled};
use super::kind::{FigureKind, by_fields};
use super::panel::Panel;

/// A kernel regression of one feature in three tubes of one standard deviation: noise propagated to
/// the mean, and the Gaussian process with less and more noise.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tubes {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// What the two outer tubes are.
    pub reading: TubeReading,
    /// Which columns, by their labels, one panel each, three in a row.
    pub panels: Vec<Panel>,
}

impl FigureKind for Tubes {
    by_fields!(file, title, panels);

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        check_unscaled(&self.file, &self.panels, benchmark)?;
        check_columns(&self.file, &self.panels, benchmark)
    }
}

/// Whether the standard deviation of the Gaussian process has the noise in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TubeReading {
    /// The deviation of f, and with the noise added.
    WithoutNoise,
    /// The deviation of y (2b), and with the noise added once more.
    WithNoise,
}

impl TubeReading {
    /// Names of the three tubes, from the outermost.
    pub fn names(self) -> [&'static str; 3] {
        let inner = "noise in the mean (9b)";
        match self {
            Self::WithoutNoise => ["GP with noise: (2b)", "GP without noise: κ − kᵀa", inner],
            Self::WithNoise => ["(2b) and ρ² again", "GP with noise: (2b)", inner],
        }
    }
}
