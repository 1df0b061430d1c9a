//! Draw predictions of one feature beside the truth.

use serde::Deserialize;

use super::kind::{FigureKind, by_fields};
use super::panel::Panel;

/// A one-dimensional problem: truth, training points, mean ± one standard deviation.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurveBand {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// Which columns, by their labels, one panel each.
    pub panels: Vec<Panel>,
}

impl FigureKind for CurveBand {
    by_fields!(file, title, panels);
}
