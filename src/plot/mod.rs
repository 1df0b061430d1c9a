//! Draw figures from plain numbers as SVG and PNG.
//!
//! Each kind of figure is a struct of data and a pure function to bytes: same data, same bytes. Text is set in an
//! embedded font, colours are those of Okabe and Ito, and series differ in marker and dash as well as in colour. Some
//! kinds take a result of the statistics, such as a calibration curve. The report fills the structs from stored trials.
//! Start with [`Drawing`], then `sweep.rs`, a kind of medium size; `scene.rs` has the shapes that all kinds are made
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
mod ranks;
mod realisations;
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
pub use ranks::Ranks;
pub use realisations::{RealisationRow, Realisations};
pub use skill_dots::{Dot, SkillDots};
pub use sweep::{Sweep, SweepPanel, SweepSeries};
pub use tubes::{TubePanel, Tubes};
pub use variances::{VariancePanel, Variances};

use thiserror::Error;

/// A figure in both formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// SVG text at the logical size, with its text as text.
    pub svg: String,
    /// PNG bytes at twice the logical size.
    pub png: Vec<u8>,
}

/// Why a figure cannot be drawn.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FigureError {
    /// There is nothing to draw.
    #[error("{what}: there is nothing to draw")]
    Empty {
        /// What is empty.
        what: String,
    },
    /// Two columns that belong together differ in length.
    #[error("{what}: {found} numbers, expected {expected}, one for each x")]
    Length {
        /// The column.
        what: String,
        /// Its length.
        found: usize,
        /// The length of x.
        expected: usize,
    },
    /// A number that cannot be drawn.
    #[error("{what}: number {place} is {found}, expected {expected}")]
    Value {
        /// The column.
        what: String,
        /// Place of the number, from 1.
        place: usize,
        /// The number.
        found: f64,
        /// What it must be.
        expected: &'static str,
    },
    /// An interval whose ends are swapped.
    #[error("{what}: the lower end {low} lies above the upper end {high}")]
    Interval {
        /// The interval.
        what: String,
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// Numbers so far apart that no axis can span them.
    #[error("{what}: the numbers span no range that an axis can show")]
    Range {
        /// Whose numbers.
        what: String,
    },
    /// The plotting library failed.
    #[error("drawing failed: {0}")]
    Drawing(String),
}

/// A figure of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// Mean ± one standard deviation.
    Bands(Bands),
    /// Metrics against a parameter.
    Sweep(Sweep),
    /// Distributions of values.
    Histograms(Histograms),
    /// Paired differences with intervals.
    Differences(Differences),
    /// Mean ranks with a critical difference.
    Ranks(Ranks),
    /// Probability integral transforms.
    Calibration(Calibration),
    /// Values in boxes.
    Boxes(Boxes),
    /// Mixtures of (x, y) and what they say of y.
    Mixtures(Mixtures),
    /// Gaussian processes with their hyper-functions.
    HyperFunctions(HyperFunctions),
    /// Kernel regressions in three tubes.
    Tubes(Tubes),
    /// Random functions with their law at one place.
    Realisations(Realisations),
    /// Errors step by step.
    Learning(Learning),
    /// Stated variances beside the true ones.
    Variances(Variances),
    /// Skill of methods on datasets.
    SkillDots(SkillDots),
}

impl Drawing {
    /// The figure's title.
    pub fn title(&self) -> &str {
        match self {
            Drawing::Bands(figure) => &figure.title,
            Drawing::Sweep(figure) => &figure.title,
            Drawing::Histograms(figure) => &figure.title,
            Drawing::Differences(figure) => &figure.title,
            Drawing::Ranks(figure) => &figure.title,
            Drawing::Calibration(figure) => &figure.title,
            Drawing::Boxes(figure) => &figure.title,
            Drawing::Mixtures(figure) => &figure.title,
            Drawing::HyperFunctions(figure) => &figure.title,
            Drawing::Tubes(figure) => &figure.title,
            Drawing::Realisations(figure) => &figure.title,
            Drawing::Learning(figure) => &figure.title,
            Drawing::Variances(figure) => &figure.title,
            Drawing::SkillDots(figure) => &figure.title,
        }
    }

    /// Renders the figure as SVG and PNG; the same drawing gives the same bytes.
    ///
    /// # Errors
    /// [`FigureError`] when there is nothing to draw, lengths differ, or a number cannot be drawn.
    pub fn render(&self) -> Result<Rendered, FigureError> {
        match self {
            Drawing::Bands(figure) => figure.render(),
            Drawing::Sweep(figure) => figure.render(),
            Drawing::Histograms(figure) => figure.render(),
            Drawing::Differences(figure) => figure.render(),
            Drawing::Ranks(figure) => figure.render(),
            Drawing::Calibration(figure) => figure.render(),
            Drawing::Boxes(figure) => figure.render(),
            Drawing::Mixtures(figure) => figure.render(),
            Drawing::HyperFunctions(figure) => figure.render(),
            Drawing::Tubes(figure) => figure.render(),
            Drawing::Realisations(figure) => figure.render(),
            Drawing::Learning(figure) => figure.render(),
            Drawing::Variances(figure) => figure.render(),
            Drawing::SkillDots(figure) => figure.render(),
        }
    }
}

#[cfg(test)]
mod tests;
