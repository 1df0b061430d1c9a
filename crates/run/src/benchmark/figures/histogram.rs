//! Draw the distribution of what fits left behind.

use serde::Deserialize;

use super::kind::{FigureKind, by_fields};
use super::panel::Panel;

/// The distribution of one column of a side table over all repetitions.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Histogram {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// Label of the horizontal axis.
    pub x_label: String,
    /// The side table and its column, such as `values@game` and `value`.
    #[serde(alias = "artefact")]
    pub side_table: (String, String),
    /// Which columns, by their labels, one panel each.
    pub panels: Vec<Panel>,
}

impl FigureKind for Histogram {
    by_fields!(file, title, panels);
}
