//! Gather from stored trials what a figure draws.

use super::Figure;
use crate::evidence::EvidenceError;
use crate::evidence::results::{Results, Series};
use crate::evidence::trials::{decode, prediction};
use uqbench_run::benchmark::Panel;
use uqbench_run::runner::store::Store;

/// A kind of figure of a benchmark file, whose numbers are in stored trials.
pub(super) trait Gather {
    /// What the figure draws; `None` where no trial that it shows is finished.
    ///
    /// # Errors
    /// [`EvidenceError`] where stored trials cannot be read.
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError>;
}

/// The panels whose column has a finished repetition.
pub(super) fn each_panel<T>(
    panels: &[Panel],
    results: &Results,
    draw: impl Fn(&Panel, &Series) -> Result<Option<T>, EvidenceError>,
) -> Result<Vec<T>, EvidenceError> {
    let series = results.series();
    let mut drawn = Vec::new();
    for (panel, found) in chosen(panels, &series) {
        drawn.extend(draw(panel, found)?);
    }
    Ok(drawn)
}

/// The panels that select a column, with it.
pub(super) fn chosen<'a>(
    panels: &'a [Panel],
    series: &'a [Series<'a>],
) -> Vec<(&'a Panel, &'a Series<'a>)> {
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

/// The band of a column; `None` where no repetition is finished, or a mean or variance is
/// undefined.
pub(super) fn band(series: &Series, store: &Store) -> Result<Option<Band>, EvidenceError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let decoded = decode(result, store)?;
    let predictive = prediction(&decoded, &series.column.reading, result)?;
    let Some((mean, variance)) = predictive.means().zip(predictive.variances()) else {
        return Ok(None);
    };
    let (mean, sd) = (mean.to_vec(), variance.mapv(f64::sqrt).to_vec());
    let y = decoded.y.to_vec();
    let truth = if decoded.facts.noise.is_some() {
        decoded.facts.truth.map(|t| t.to_vec())
    } else {
        Some(y.clone())
    };
    Ok(Some(Band { x: decoded.x.map(|x| x.to_vec()), mean, sd, y, truth }))
}
