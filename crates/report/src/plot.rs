//! Draw figures from plain numbers as SVG and PNG.
//!
//! Each kind of figure is a struct of data ([`uqbench_judge::figures`]) and, here, a pure function
//! from it to bytes: same data, same bytes. Text is set in an embedded font, colours are those of
//! Okabe and Ito, and series differ in marker and dash as well as in colour. Some kinds take a
//! result of the statistics, such as a calibration curve. Start with [`Render`], then `sweep.rs`, a
//! kind of medium size; `scene.rs` has the shapes that all kinds are made of.

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
mod held_out;
mod histograms;
mod hyper_functions;
mod learning;
mod learning_panels;
mod mixtures;
mod pdf;
mod png;
mod quantile_reliability;
mod ranks;
mod realisations;
mod render;
mod scene;
mod shape;
mod skill_dots;
mod standings;
mod style;
mod sweep;
mod tip;
mod tubes;
mod variances;
mod watched;
mod wrap;

pub use calibration::LargeCalibration;
pub use render::FigureError;
pub use scene::Rendered;
pub use tip::Tip;

use scene::Scene;
use style::register_fonts;
use uqbench_judge::figures::Figure;

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

/// How a figure is drawn, one line for each kind.
pub fn render_of(figure: &Figure) -> &dyn Render {
    match figure {
        Figure::Agreement(figure) => figure,
        Figure::Bands(figure) => figure,
        Figure::Bars(figure) => figure,
        Figure::Boxes(figure) => figure,
        Figure::Calibration(figure) => figure,
        Figure::Differences(figure) => figure,
        Figure::Histograms(figure) => figure,
        Figure::HyperFunctions(figure) => figure,
        Figure::Learning(figure) => figure,
        Figure::LearningPanels(figure) => figure,
        Figure::Mixtures(figure) => figure,
        Figure::QuantileReliability(figure) => figure,
        Figure::Ranks(figure) => figure,
        Figure::Realisations(figure) => figure,
        Figure::SkillDots(figure) => figure,
        Figure::Sweep(figure) => figure,
        Figure::Tubes(figure) => figure,
        Figure::Variances(figure) => figure,
    }
}

#[cfg(test)]
mod tests;
