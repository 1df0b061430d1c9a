//! Take the tubes and the realisations of a kernel regression from the first repetition of a column.

use super::DrawingError;
use crate::benchmark::{Panel, TubeReading};
use crate::evidence::results::Series;
use crate::evidence::trials::{decode, side_tables};
use crate::methods::SideTable;
use crate::plot::{RealisationRow, TubePanel};
use crate::runner::record::TrialResult;
use crate::runner::store::Store;

/// The tables of a trial by name.
struct Tables(Vec<SideTable>);

impl Tables {
    fn column(&self, table: &str, column: &str) -> Option<Vec<f64>> {
        let found = self.0.iter().find(|side_table| side_table.name == table)?;
        found.column(column).map(<[f64]>::to_vec)
    }

    fn number(&self, table: &str, column: &str) -> Option<f64> {
        self.column(table, column)?.first().copied()
    }
}

/// The noise-free function at the test rows: what a new measurement is about, less the noise's mean.
fn truth(result: &TrialResult, tables: &Tables, store: &Store) -> Result<Option<Vec<f64>>, DrawingError> {
    let mean = tables.number("noise", "mean").unwrap_or(0.0);
    Ok(decode(result, store)?.facts.truth.map(|truth| truth.iter().map(|f| f - mean).collect()))
}

/// One regression; `None` where no repetition is finished or it left no tubes behind.
pub(super) fn tubes(
    panel: &Panel,
    series: &Series,
    reading: TubeReading,
    store: &Store,
) -> Result<Option<TubePanel>, DrawingError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let tables = Tables(side_tables(result, store)?);
    let truth = truth(result, &tables, store)?;
    let [light, dark] = reading.columns();
    let drawn = || {
        let of = |column: &str| tables.column("tubes", column);
        Some(TubePanel {
            title: panel.title.clone(),
            x: of("x")?,
            mean: of("mean")?,
            tubes: [of(light)?, of(dark)?, of("wiener")?],
            truth,
            training: (tables.column("training", "x")?, tables.column("training", "y")?),
        })
    };
    Ok(drawn())
}

/// One random function; `None` where no repetition is finished or it left no realisations behind.
pub(super) fn realisations(
    panel: &Panel,
    series: &Series,
    store: &Store,
) -> Result<Option<RealisationRow>, DrawingError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let tables = Tables(side_tables(result, store)?);
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
