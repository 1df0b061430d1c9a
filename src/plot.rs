//! Draw figures from plain numbers as SVG and PNG.
//!
//! Each kind of figure is a struct of data and a pure function to bytes: same data, same bytes. Text is set in an
//! embedded font, colours are those of Okabe and Ito, and series differ in marker and dash as well as in colour. Some
//! kinds take a result of the statistics, such as a calibration curve. The report fills the structs from stored trials.
//! Start with [`Render`], then `sweep.rs`, a kind of medium size; `scene.rs` has the shapes that all kinds are made
//! of.

mod axis;
mod bands;
mod boxes;
mod calibration;
mod check;
mod differences;
mod face;
mod header;
mod histograms;
mod hyper_functions;
mod learning;
mod mixtures;
mod png;
mod quantile_reliability;
mod ranks;
mod realisations;
mod render;
mod scene;
mod skill_dots;
mod style;
mod sweep;
mod tubes;
mod variances;

pub use bands::{BandPanel, Bands};
pub use boxes::{BoxOf, Boxes, BoxesPanel};
pub use calibration::{Calibration, CalibrationPanel};
pub use differences::{DifferencePanel, DifferenceRow, Differences};
pub use histograms::{HistogramPanel, Histograms};
pub use hyper_functions::{HyperCurve, HyperFunctions, HyperPanel};
pub use learning::{Learning, LearningCurve};
pub use mixtures::{Component, DEVIATIONS, MixtureRow, Mixtures, Moments, Slice};
pub use quantile_reliability::{QuantileReliability, ReliabilityPanel};
pub use ranks::Ranks;
pub use realisations::{RealisationRow, Realisations};
pub use render::{Drawing, FigureError, Render, Rendered};
pub use skill_dots::{Dot, SkillDots};
pub use sweep::{Sweep, SweepPanel, SweepSeries};
pub use tubes::{TubePanel, Tubes};
pub use variances::{VariancePanel, Variances};

#[cfg(test)]
mod tests;
