//! Take the realisations of a kernel regression from the first repetition of a column.

use super::gather::{DrawingError, Gather, each_panel};
use super::tables::{Tables, truth};
use crate::benchmark::Panel;
use crate::benchmark::figures::Realisations;
use crate::evidence::results::{Results, Series};
use crate::plot::{self, Drawing, RealisationRow};
use crate::runner::store::Store;

impl Gather for Realisations {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let rows = each_panel(&self.panels, results, |panel, series| realisations(panel, series, store))?;
        Ok((!rows.is_empty()).then(|| Box::new(plot::Realisations { title: self.title.clone(), rows }) as Drawing))
    }
}

/// One random function; `None` where no repetition is finished or it left no realisations behind.
fn realisations(panel: &Panel, series: &Series, store: &Store) -> Result<Option<RealisationRow>, DrawingError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let tables = Tables::of(result, store)?;
    let truth = truth(result, &tables, store)?;
    let at = parameter(series, "at");
    let drawn = || {
        let column = |table: &str, column: &str| tables.column(table, column);
        let law = |name: &str| tables.number("law", name);
        let mean = law("mean")?;
        let curves = (0..).map_while(|i| column("realisations", &format!("curve{i}"))).collect();
        let normal = |name: &str, deviation: &str| Some((name.to_owned(), mean, law(deviation)?));
        let densities = (column("densities", "x")?, column("densities", "y")?, column("densities", "density")?);
        let projection =
            (column("projection", "y")?, column("projection", "density")?, column("projection", "inverted")?);
        Some(RealisationRow {
            title: panel.title.clone(),
            x: column("tubes", "x")?,
            mean: column("tubes", "mean")?,
            truth,
            curves,
            densities,
            training: (column("training", "x")?, column("training", "y")?),
            at,
            histogram: (column("histogram", "left")?, column("histogram", "height")?),
            projection,
            normals: vec![
                normal("normal, variance (9b)", "wiener")?,
                normal("normal, GP without noise", "latent")?,
                normal("normal, GP with noise (2b)", "predictive")?,
            ],
        })
    };
    Ok(drawn())
}

/// A parameter of the realisations that the row asked for.
fn parameter(series: &Series, name: &str) -> f64 {
    series.method.parameters["realisations"][name].as_f64().unwrap_or(0.0)
}
