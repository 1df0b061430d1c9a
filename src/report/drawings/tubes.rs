//! Take the tubes of a kernel regression from the first repetition of a column.

use super::gather::{DrawingError, Gather, each_panel};
use super::tables::{Tables, truth};
use crate::benchmark::Panel;
use crate::benchmark::figures::{TubeReading, Tubes};
use crate::evidence::results::{Results, Series};
use crate::plot::{self, Drawing, TubePanel};
use crate::runner::store::Store;

impl Gather for Tubes {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let panels = each_panel(&self.panels, results, |panel, series| tubes(panel, series, self.reading, store))?;
        let names = self.reading.names().map(str::to_owned);
        Ok((!panels.is_empty()).then(|| Box::new(plot::Tubes { title: self.title.clone(), names, panels }) as Drawing))
    }
}

/// One regression; `None` where no repetition is finished or it left no tubes behind.
fn tubes(
    panel: &Panel,
    series: &Series,
    reading: TubeReading,
    store: &Store,
) -> Result<Option<TubePanel>, DrawingError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let tables = Tables::of(result, store)?;
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
