//! Take the realisations of a kernel regression from the first repetition of a column.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::{Gather, each_panel};
use super::tables::{training, truth};
use crate::evidence::EvidenceError;
use crate::evidence::results::{Results, Series};
use uq_methods::side_tables::{
    Densities, Histogram, Law, Projection, Realisations as Recorded, Tubes,
};
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures as keys;
use uqbench_run::runner::store::Store;

/// Random functions, one below the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Realisations {
    /// Title of the figure.
    pub title: String,
    /// One row each.
    pub rows: Vec<RealisationRow>,
}

/// One random function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RealisationRow {
    /// Title of the row.
    pub title: String,
    /// Places, n, ascending.
    pub x: Vec<f64>,
    /// Mean, n.
    pub mean: Vec<f64>,
    /// The noise-free truth, n.
    pub truth: Option<Vec<f64>>,
    /// Realisations, n each.
    pub curves: Vec<Vec<f64>>,
    /// Place, y and density: the distribution at each place, one after the other.
    pub densities: (Vec<f64>, Vec<f64>, Vec<f64>),
    /// Coordinates of the training rows.
    pub training: (Vec<f64>, Vec<f64>),
    /// The place of the distribution on the right.
    pub at: f64,
    /// Lower ends of the histogram's bins, of one width, and the density in each.
    pub histogram: (Vec<f64>, Vec<f64>),
    /// y, density fitted to the draws, density by another route.
    pub projection: (Vec<f64>, Vec<f64>, Vec<f64>),
    /// Normal distributions beside it: name, mean, standard deviation.
    pub normals: Vec<(String, f64, f64)>,
}

impl Gather for keys::Realisations {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let rows =
            each_panel(&self.panels, results, |panel, series| realisations(panel, series, store))?;
        Ok((!rows.is_empty())
            .then(|| Figure::Realisations(Realisations { title: self.title.clone(), rows })))
    }
}

/// One random function; `None` where no repetition is finished or it stored no realisations.
fn realisations(
    panel: &Panel,
    series: &Series,
    store: &Store,
) -> Result<Option<RealisationRow>, EvidenceError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let tables = store.side_tables(result, |_| true)?;
    let truth = truth(result, &tables, store)?;
    let at = parameter(series, "at");
    let drawn = || {
        let law = tables.iter().find_map(Law::from_table)?;
        let mean_there = law.mean?;
        let Recorded { curves, .. } = tables.iter().find_map(Recorded::from_table)?;
        let Tubes { x, mean, .. } = tables.iter().find_map(Tubes::from_table)?;
        let densities = tables.iter().find_map(Densities::from_table)?;
        let projection = tables.iter().find_map(Projection::from_table)?;
        let Histogram { left, height } = tables.iter().find_map(Histogram::from_table)?;
        let normal =
            |name: &str, deviation: Option<f64>| Some((name.to_owned(), mean_there, deviation?));
        Some(RealisationRow {
            title: panel.title.clone(),
            x,
            mean,
            truth,
            curves,
            densities: (densities.x, densities.y, densities.density),
            training: training(&tables)?,
            at,
            histogram: (left, height),
            projection: (projection.y, projection.density, projection.inverted),
            normals: vec![
                normal("normal, variance (9b)", law.wiener)?,
                normal("normal, GP without noise", law.latent)?,
                normal("normal, GP with noise (2b)", law.predictive)?,
            ],
        })
    };
    Ok(drawn())
}

/// A parameter of the realisations that the row requests.
fn parameter(series: &Series, name: &str) -> f64 {
    series.method.parameters["realisations"][name].as_f64().unwrap_or(0.0)
}
