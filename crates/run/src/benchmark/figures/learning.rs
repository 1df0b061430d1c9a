//! Draw what a sequential protocol recorded.

use serde::Deserialize;

use super::kind::{FigureKind, by_fields};
use super::panel::Panel;

/// What a sequential protocol recorded step by step: means over repetitions with their 95 %
/// intervals.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// Label of the horizontal axis.
    pub x_label: String,
    /// Label of the vertical axis.
    pub y_label: String,
    /// Which columns, by their labels, one line each.
    pub series: Vec<Panel>,
}

impl FigureKind for Learning {
    by_fields!(file, title, series);
}
