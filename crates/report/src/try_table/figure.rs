//! Draw the calibration of all methods: PIT histograms and reliability curves over all test rows.

use crate::words::try_table::notes::undrawn;
use uq_core::stats::{Pit, PitCounts};
use uqbench_judge::figures::{Calibration, CalibrationPanel};
use uqbench_run::runner::try_table::{Evaluation, Folding, Tried};

/// The figure of an evaluation, one panel for each method; `None` where no method has a
/// distribution function. A method without one is named in a note.
pub fn figure(title: &str, evaluation: &Evaluation) -> Option<Calibration> {
    let mut drawing = Calibration {
        title: format!("Calibration: {title}"),
        notes: Vec::new(),
        panels: Vec::new(),
    };
    let mut undefined = Vec::new();
    for tried in &evaluation.methods {
        match pooled(tried, evaluation.folding) {
            Some(pit) => drawing.panels.push(CalibrationPanel { title: tried.id.to_string(), pit }),
            None => undefined.push(tried.id.to_string()),
        }
    }
    if !undefined.is_empty() {
        drawing.notes.push(undrawn(&undefined));
    }
    (!drawing.panels.is_empty()).then_some(drawing)
}

/// The transforms of the first division into folds. Its folds test each row once, so that every
/// outcome counts.
pub(super) fn pooled(tried: &Tried, folding: Folding) -> Option<Pit> {
    let folds = tried.folds.as_ref().ok()?.iter().take(folding.folds as usize);
    let counts: Option<Vec<PitCounts>> =
        folds.map(|fold| PitCounts::new(fold.pit.as_ref()?)).collect();
    let counts = counts?;
    Pit::new(&counts, counts.iter().map(PitCounts::outcomes).sum())
}
