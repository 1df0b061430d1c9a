//! Pool the outcomes of each method over its finished repetitions.

use super::gather::{DrawingError, Gather, chosen};
use super::pooled::{effective, pool};
use crate::benchmark::figures::Calibration;
use crate::evidence::results::Results;
use crate::plot::{self, CalibrationPanel, Drawing};
use crate::runner::store::Store;
use crate::stats::Pit;

impl Gather for Calibration {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let all = results.series();
        let chosen = chosen(&self.panels, &all);
        let mut drawing = plot::Calibration { title: self.title.clone(), notes: Vec::new(), panels: Vec::new() };
        let mut undefined: Vec<&str> = Vec::new();
        // Pairs (F(y−), F(y)).
        let pooled = pool(&chosen, store, |predictive, y| predictive.transforms(y))?;
        for ((panel, series), pairs) in chosen.iter().zip(pooled) {
            let Some(pairs) = pairs.map(|pairs| pairs.concat()) else {
                undefined.push(&panel.title);
                continue;
            };
            let effective = effective(series, pairs.len());
            let title = panel.title.clone();
            drawing.panels.extend(Pit::new(pairs, effective).map(|pit| CalibrationPanel { title, pit }));
        }
        if !undefined.is_empty() {
            let left_out = undefined.join("; ");
            drawing.notes.push(format!("Left out, because no distribution function is defined: {left_out}."));
        }
        Ok((!drawing.panels.is_empty()).then(|| Box::new(drawing) as Drawing))
    }
}
