//! Take the tubes of a kernel regression from the first repetition of a column.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::{Gather, each_panel};
use super::tables::{training, truth};
use crate::evidence::EvidenceError;
use crate::evidence::results::{Results, Series};
use uq_methods::side_tables::Tubes as Recorded;
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures::{self as keys, TubeReading};
use uqbench_run::runner::store::Store;

/// Regressions on one scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tubes {
    /// Title of the figure.
    pub title: String,
    /// Names of the tubes, from the widest to the narrowest.
    pub names: [String; 3],
    /// Panels, three in a row.
    pub panels: Vec<TubePanel>,
}

/// One regression: n points in the order of x.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TubePanel {
    /// Title of the panel.
    pub title: String,
    /// Places, n.
    pub x: Vec<f64>,
    /// Predicted means, n.
    pub mean: Vec<f64>,
    /// Standard deviations, n each, from the widest tube to the narrowest.
    pub tubes: [Vec<f64>; 3],
    /// The noise-free truth, n.
    pub truth: Option<Vec<f64>>,
    /// Coordinates of the training rows.
    pub training: (Vec<f64>, Vec<f64>),
}

impl Gather for keys::Tubes {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let panels = each_panel(&self.panels, results, |panel, series| {
            tubes(panel, series, self.reading, store)
        })?;
        let names = self.reading.names().map(str::to_owned);
        Ok((!panels.is_empty())
            .then(|| Figure::Tubes(Tubes { title: self.title.clone(), names, panels })))
    }
}

/// One regression; `None` where no repetition is finished or it stored no tubes.
fn tubes(
    panel: &Panel,
    series: &Series,
    reading: TubeReading,
    store: &Store,
) -> Result<Option<TubePanel>, EvidenceError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let tables = store.side_tables(result, |_| true)?;
    let truth = truth(result, &tables, store)?;
    let (recorded, training) = (tables.iter().find_map(Recorded::from_table), training(&tables));
    let (Some(recorded), Some(training)) = (recorded, training) else { return Ok(None) };
    let Recorded { x, mean, wiener, latent, predictive, twice, .. } = recorded;
    let [outer, middle] = match reading {
        TubeReading::WithoutNoise => [predictive, latent],
        TubeReading::WithNoise => [twice, predictive],
    };
    Ok(Some(TubePanel {
        title: panel.title.clone(),
        x,
        mean,
        tubes: [outer, middle, wiener],
        truth,
        training,
    }))
}
