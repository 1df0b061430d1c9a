//! Gather from stored trials what a figure draws.

use thiserror::Error;

use crate::plot::{Drawing, FigureError};
use uqbench_judge::evidence::EvidenceError;
use uqbench_judge::evidence::results::{Results, Series};
use uqbench_judge::evidence::trials::{decode, prediction};
use uqbench_run::benchmark::Panel;
use uqbench_run::runner::store::Store;

/// Why a figure cannot be drawn.
#[derive(Debug, Error)]
pub enum DrawingError {
    /// What it shows cannot be read.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// The drawing itself.
    #[error("figure {file}: {source}")]
    Figure {
        /// The figure.
        file: String,
        /// Why.
        source: FigureError,
    },
}

/// A kind of figure that is drawn from stored trials.
pub(super) trait Gather {
    /// What the figure draws; `None` where no trial that it shows is finished.
    ///
    /// # Errors
    /// [`DrawingError`] where stored trials cannot be read.
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError>;
}

/// The panels whose column has a finished repetition.
pub(super) fn each_panel<T>(
    panels: &[Panel],
    results: &Results,
    draw: impl Fn(&Panel, &Series) -> Result<Option<T>, DrawingError>,
) -> Result<Vec<T>, DrawingError> {
    let series = results.series();
    let mut drawn = Vec::new();
    for (panel, found) in chosen(panels, &series) {
        drawn.extend(draw(panel, found)?);
    }
    Ok(drawn)
}

/// The panels that select a column, with it.
pub(super) fn chosen<'a>(panels: &'a [Panel], series: &'a [Series<'a>]) -> Vec<(&'a Panel, &'a Series<'a>)> {
    let select = |panel: &'a Panel| {
        let found = series.iter().find(|s| s.is_column(&panel.labels, panel.dataset.as_deref()));
        found.map(|found| (panel, found))
    };
    panels.iter().filter_map(select).collect()
}

/// Mean, standard deviation and outcome at the test rows of a column's first finished repetition.
pub(super) struct Band {
    pub x: Option<Vec<f64>>,
    pub mean: Vec<f64>,
    pub sd: Vec<f64>,
    pub y: Vec<f64>,
    /// The noise-free truth, where it is known.
    pub truth: Option<Vec<f64>>,
}

/// The band of a column; `None` where no repetition is finished, or a mean or variance is undefined.
pub(super) fn band(series: &Series, store: &Store) -> Result<Option<Band>, DrawingError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let decoded = decode(result, store)?;
    let predictive = prediction(&decoded, &series.column.reading, result)?;
    let Some((mean, variance)) = predictive.means().zip(predictive.variances()) else { return Ok(None) };
    let (mean, sd) = (mean.to_vec(), variance.mapv(f64::sqrt).to_vec());
    let y = decoded.y.to_vec();
    let truth = if decoded.facts.noise.is_some() { decoded.facts.truth.map(|t| t.to_vec()) } else { Some(y.clone()) };
    Ok(Some(Band { x: decoded.x.map(|x| x.to_vec()), mean, sd, y, truth }))
}
