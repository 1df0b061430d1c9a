//! Pool the outcomes of each method over its finished repetitions.

use super::gather::{DrawingError, Gather, chosen};
use super::pooled::{effective, pool};
use crate::plot::{self, CalibrationPanel, Drawing};
use uq_core::stats::{Pit, PitCounts};
use uqbench_judge::evidence::results::Results;
use uqbench_run::benchmark::figures::Calibration;
use uqbench_run::runner::store::Store;

impl Gather for Calibration {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let all = results.series();
        let chosen = chosen(&self.panels, &all);
        let mut drawing = plot::Calibration { title: self.title.clone(), notes: Vec::new(), panels: Vec::new() };
        let mut undefined: Vec<&str> = Vec::new();
        let pooled = pool(&chosen, store, "PIT@1", |predictive, y| PitCounts::new(&predictive.transforms(y)?))?;
        for ((panel, series), counts) in chosen.iter().zip(pooled) {
            let Some(counts) = counts else {
                undefined.push(&panel.title);
                continue;
            };
            let effective = effective(series, counts.iter().map(PitCounts::outcomes).sum());
            let title = panel.title.clone();
            drawing.panels.extend(Pit::new(&counts, effective).map(|pit| CalibrationPanel { title, pit }));
        }
        if !undefined.is_empty() {
            let left_out = undefined.join("; ");
            drawing.notes.push(format!("Left out, because no distribution function is defined: {left_out}."));
        }
        Ok((!drawing.panels.is_empty()).then(|| Box::new(drawing) as Drawing))
    }
}
