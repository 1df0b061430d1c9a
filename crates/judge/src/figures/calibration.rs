//! Pool the outcomes of each method over its finished repetitions.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::{Gather, chosen};
use super::pooled::{effective, pool};
use crate::evidence::EvidenceError;
use crate::evidence::results::Results;
use uq_core::stats::{Pit, PitCounts};
use uqbench_run::benchmark::figures as keys;
use uqbench_run::runner::store::Store;

/// Calibration of several methods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Title of the figure.
    pub title: String,
    /// Further facts for the reader, one line each.
    pub notes: Vec<String>,
    /// One column of two plots for each method, at most four side by side.
    pub panels: Vec<CalibrationPanel>,
}

/// One method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationPanel {
    /// Title of the panel.
    pub title: String,
    /// The pooled transforms.
    pub pit: Pit,
}

impl Gather for keys::Calibration {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let all = results.series();
        let chosen = chosen(&self.panels, &all);
        let mut figure =
            Calibration { title: self.title.clone(), notes: Vec::new(), panels: Vec::new() };
        let mut undefined: Vec<&str> = Vec::new();
        let pooled = pool(&chosen, store, "PIT@1", |predictive, y| {
            PitCounts::new(&predictive.transforms(y)?)
        })?;
        for ((panel, series), counts) in chosen.iter().zip(pooled) {
            let Some(counts) = counts else {
                undefined.push(&panel.title);
                continue;
            };
            let effective = effective(series, counts.iter().map(PitCounts::outcomes).sum());
            let title = panel.title.clone();
            figure
                .panels
                .extend(Pit::new(&counts, effective).map(|pit| CalibrationPanel { title, pit }));
        }
        if !undefined.is_empty() {
            let left_out = undefined.join("; ");
            figure.notes.push(format!(
                "Left out, because no distribution function is defined: {left_out}."
            ));
        }
        Ok((!figure.panels.is_empty()).then_some(Figure::Calibration(figure)))
    }
}
