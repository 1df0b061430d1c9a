//! Gather what a sequential protocol recorded step by step, over all repetitions of a column.

use super::{DrawingError, artefact};
use crate::benchmark::Panel;
use crate::report::figures::LearningCurve;
use crate::report::results::Series;
use crate::report::statistics::Summary;
use crate::runner::store::Store;

/// The mean of the column of the table `learning` that bears the reading's name, against its column `rows`; `None` where no
/// repetition has it.
pub(super) fn curve(panel: &Panel, series: &Series, store: &Store) -> Result<Option<LearningCurve>, DrawingError> {
    let mut found: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    for result in series.finished() {
        let Some(table) = artefact(result, "learning", store)? else { continue };
        let columns = table.column("rows").zip(table.column(series.column.reading.as_str()));
        found.extend(columns.map(|(x, y)| (x.to_vec(), y.to_vec())));
    }
    let Some((x, _)) = found.first().cloned() else { return Ok(None) };
    let at = |step: usize| -> Option<Summary> {
        Summary::of(&found.iter().filter_map(|(_, y)| y.get(step).copied()).collect::<Vec<_>>())
    };
    let summaries: Vec<Summary> = (0..x.len()).filter_map(at).collect();
    Ok((summaries.len() == x.len()).then(|| LearningCurve {
        name: panel.title.clone(),
        mean: summaries.iter().map(|s| s.mean).collect(),
        half_width: summaries.iter().map(|s| s.half_width(0.05)).collect(),
        repetitions: found.len(),
        x,
    }))
}
