//! Take the tubes of a kernel regression from the first repetition of a column.

use super::gather::{DrawingError, Gather, each_panel};
use super::tables::{training, truth};
use crate::plot::{self, Drawing, TubePanel};
use uq_methods::side_tables::Tubes as Recorded;
use uqbench_judge::evidence::EvidenceError;
use uqbench_judge::evidence::results::{Results, Series};
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures::{TubeReading, Tubes};
use uqbench_run::runner::store::Store;

impl Gather for Tubes {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let panels = each_panel(&self.panels, results, |panel, series| tubes(panel, series, self.reading, store))?;
        let names = self.reading.names().map(str::to_owned);
        Ok((!panels.is_empty()).then(|| Box::new(plot::Tubes { title: self.title.clone(), names, panels }) as Drawing))
    }
}

/// One regression; `None` where no repetition is finished or it stored no tubes.
fn tubes(
    panel: &Panel,
    series: &Series,
    reading: TubeReading,
    store: &Store,
) -> Result<Option<TubePanel>, DrawingError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let tables = store.side_tables(result, |_| true).map_err(EvidenceError::from)?;
    let truth = truth(result, &tables, store)?;
    let (recorded, training) = (tables.iter().find_map(Recorded::from_table), training(&tables));
    let (Some(recorded), Some(training)) = (recorded, training) else { return Ok(None) };
    let Recorded { x, mean, wiener, latent, predictive, twice, .. } = recorded;
    let [outer, middle] = match reading {
        TubeReading::WithoutNoise => [predictive, latent],
        TubeReading::WithNoise => [twice, predictive],
    };
    Ok(Some(TubePanel { title: panel.title.clone(), x, mean, tubes: [outer, middle, wiener], truth, training }))
}
