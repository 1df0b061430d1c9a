//! Pool the outcomes of each method over its finished repetitions.

use std::ptr;
use std::sync::Arc;

use rayon::prelude::*;

use super::{DrawingError, chosen, decode, prediction};
use crate::benchmark::Panel;
use crate::report::calibration::{Pit, effective_outcomes};
use crate::report::figures::{Calibration, CalibrationPanel};
use crate::report::results::{Results, Series};
use crate::runner::record::TrialResult;
use crate::runner::store::Store;

/// What is pooled of one panel: pairs (F(y−), F(y)); `None` once F is undefined at an outcome.
type Pooled = Option<Vec<(f64, f64)>>;

/// The calibration of the panels' columns; `None` where no column has an outcome with a distribution function.
pub(super) fn calibration(
    title: &str,
    panels: &[Panel],
    results: &Results,
    store: &Store,
) -> Result<Option<Calibration>, DrawingError> {
    let all = results.series();
    let chosen = chosen(panels, &all);
    let mut drawing = Calibration { title: title.into(), notes: Vec::new(), panels: Vec::new() };
    let mut undefined: Vec<&str> = Vec::new();
    for ((panel, series), pooled) in chosen.iter().zip(pool(&chosen, store)?) {
        let Some(pairs) = pooled else {
            undefined.push(&panel.title);
            continue;
        };
        let effective = effective(series, pairs.len());
        let title = panel.title.clone();
        drawing.panels.extend(Pit::new(pairs, effective).map(|pit| CalibrationPanel { title, pit }));
    }
    if !undefined.is_empty() {
        drawing.notes.push(format!("Left out, because no distribution function is defined: {}.", undefined.join("; ")));
    }
    Ok((!drawing.panels.is_empty()).then_some(drawing))
}

/// The pairs of each panel; the rows of a trial are decoded once for all columns that are read from it.
fn pool(chosen: &[(&Panel, &Series)], store: &Store) -> Result<Vec<Pooled>, DrawingError> {
    let mut pooled: Vec<Pooled> = vec![Some(Vec::new()); chosen.len()];
    for (first, (_, one)) in chosen.iter().enumerate() {
        let same = |other: &Series| ptr::eq(other.repetitions, one.repetitions);
        if chosen[..first].iter().any(|(_, earlier)| same(earlier)) {
            continue;
        }
        let columns: Vec<usize> = (0..chosen.len()).filter(|&column| same(chosen[column].1)).collect();
        let of_trial = |result: &&Arc<TrialResult>| -> Result<Vec<Pooled>, DrawingError> {
            let decoded = decode(result, store)?;
            let pairs = |&column: &usize| {
                let predictive = prediction(&decoded, &chosen[column].1.column.reading, result)?;
                Ok(predictive.transforms(decoded.y.view()))
            };
            columns.iter().map(pairs).collect()
        };
        // In parallel, and then together in the order of the repetitions.
        let trials: Vec<&Arc<TrialResult>> = one.finished().collect();
        for of_columns in trials.par_iter().map(of_trial).collect::<Result<Vec<_>, _>>()? {
            for (&column, more) in columns.iter().zip(of_columns) {
                match (pooled[column].as_mut(), more) {
                    (Some(pairs), Some(more)) => pairs.extend(more),
                    _ => pooled[column] = None,
                }
            }
        }
    }
    Ok(pooled)
}

/// How many independent outcomes so many pooled ones of a column are worth.
fn effective(series: &Series, outcomes: usize) -> usize {
    let rows = series.finished().map(|result| result.train_rows.saturating_add(result.test_rows)).max().unwrap_or(0);
    effective_outcomes(&series.repetitions.experiment.template.protocol, outcomes, rows, series.finished().count())
}
