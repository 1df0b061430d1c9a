//! Draw predictions at test rows beside the outcomes.

use serde::Deserialize;

use super::kind::{FigureKind, by_fields};
use super::panel::Panel;

/// Test rows in the order of their target: mean ± one standard deviation, and the outcome.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestBand {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// Label of the vertical axis.
    pub y_label: String,
    /// Which columns, by their labels, one panel each.
    pub panels: Vec<Panel>,
}

impl FigureKind for TestBand {
    by_fields!(file, title, panels);
}
