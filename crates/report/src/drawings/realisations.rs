//! Take the realisations of a kernel regression from the first repetition of a column.

use super::gather::{DrawingError, Gather, each_panel};
use super::tables::{training, truth};
use crate::plot::{self, Drawing, RealisationRow};
use uq_methods::side_tables::{Densities, Histogram, Law, Projection, Realisations as Recorded, Tubes};
use uqbench_judge::evidence::EvidenceError;
use uqbench_judge::evidence::results::{Results, Series};
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures::Realisations;
use uqbench_run::runner::store::Store;

impl Gather for Realisations {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let rows = each_panel(&self.panels, results, |panel, series| realisations(panel, series, store))?;
        Ok((!rows.is_empty()).then(|| Box::new(plot::Realisations { title: self.title.clone(), rows }) as Drawing))
    }
}

/// One random function; `None` where no repetition is finished or it stored no realisations.
fn realisations(panel: &Panel, series: &Series, store: &Store) -> Result<Option<RealisationRow>, DrawingError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let tables = store.side_tables(result, |_| true).map_err(EvidenceError::from)?;
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
        let normal = |name: &str, deviation: Option<f64>| Some((name.to_owned(), mean_there, deviation?));
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
