//! Draw figures from plain numbers as SVG and PNG.
//!
//! Each kind of figure is a struct of data and a pure function to bytes: same data, same bytes. Text is set in an
//! embedded font, colours are those of Okabe and Ito, and series differ in marker and dash as well as in colour. Some
//! kinds take a result of the statistics, such as a calibration curve. The report fills the structs from stored trials.
//! Start with [`Render`], then `sweep.rs`, a kind of medium size; `scene.rs` has the shapes that all kinds are made
//! of.

mod agreement;
mod axis;
mod bands;
mod bars;
mod boxes;
mod calibration;
mod check;
mod counts;
mod differences;
mod face;
mod far_points;
mod header;
mod histograms;
mod hyper_functions;
mod learning;
mod learning_panels;
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
mod tip;
mod tubes;
mod variances;
mod wrap;

pub use agreement::{Agreement, AgreementKind, AgreementPanel, AgreementPoint};
pub use bands::{BandPanel, Bands};
pub use bars::{Bar, Bars, BarsPanel};
pub use boxes::{BoxOf, Boxes, BoxesPanel};
pub use calibration::{Calibration, CalibrationPanel};
pub use differences::{DifferencePanel, DifferenceRow, Differences, Measured};
pub use histograms::{HistogramPanel, Histograms};
pub use hyper_functions::{HyperFunctions, HyperPanel};
pub use learning::{Learning, LearningCurve};
pub use learning_panels::{LearningPanel, LearningPanels};
pub use mixtures::{Component, DEVIATIONS, MixtureRow, Mixtures, Moments, Slice};
pub use quantile_reliability::{QuantileReliability, ReliabilityPanel};
pub use ranks::Ranks;
pub use realisations::{RealisationRow, Realisations};
pub use render::FigureError;
pub use skill_dots::{Dot, SkillDots};
pub use sweep::{Sweep, SweepPanel, SweepSeries};
pub use tubes::{TubePanel, Tubes};
pub use variances::{VariancePanel, Variances};

pub use scene::Rendered;
pub use tip::Tip;

use scene::Scene;
use style::register_fonts;

/// A kind of figure, with all that it shows.
pub trait Render {
    /// The figure's title.
    fn title(&self) -> &str;

    /// Puts the figure's shapes into an empty scene, and returns its width and height.
    ///
    /// # Errors
    /// [`FigureError`] when there is nothing to draw, lengths differ, or a number cannot be drawn.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError>;

    /// Renders the figure; the same drawing gives the same bytes.
    ///
    /// # Errors
    /// As [`Render::draw`].
    fn render(&self) -> Result<Rendered, FigureError> {
        register_fonts()?;
        let mut scene = Scene::default();
        let (width, height) = self.draw(&mut scene)?;
        scene.render(width, height)
    }
}

/// A figure of any kind.
pub type Drawing = Box<dyn Render>;

#[cfg(test)]
mod tests;
