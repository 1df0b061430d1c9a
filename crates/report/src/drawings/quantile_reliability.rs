//! Count the outcomes below the quantiles of each method, over its finished repetitions.

use super::gather::{DrawingError, Gather, chosen};
use super::pooled::{effective, pool};
use crate::plot::{self, Drawing, ReliabilityPanel};
use uq_core::stats::{Counts, Reliability};
use uqbench_judge::evidence::results::Results;
use uqbench_run::benchmark::figures::QuantileReliability;
use uqbench_run::runner::store::Store;

impl Gather for QuantileReliability {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let all = results.series();
        let chosen = chosen(&self.panels, &all);
        let mut drawing =
            plot::QuantileReliability { title: self.title.clone(), notes: Vec::new(), panels: Vec::new() };
        let mut undefined: Vec<&str> = Vec::new();
        let what = format!("outcomes below quantiles@1 at {:?}", self.levels);
        let pooled = pool(&chosen, store, &what, |predictive, y| Counts::of(&self.levels, predictive, y))?;
        for ((panel, series), counts) in chosen.iter().zip(pooled) {
            let Some(counts) = counts else {
                undefined.push(&panel.title);
                continue;
            };
            let effective = effective(series, counts.iter().map(|counts| counts.outcomes).sum());
            let reliability = Reliability::new(&self.levels, &counts, effective);
            let title = panel.title.clone();
            drawing.panels.extend(reliability.map(|reliability| ReliabilityPanel { title, reliability }));
        }
        if !undefined.is_empty() {
            let left_out = undefined.join("; ");
            drawing.notes.push(format!("Left out, because a quantile is undefined at one of the levels: {left_out}."));
        }
        Ok((!drawing.panels.is_empty()).then(|| Box::new(drawing) as Drawing))
    }
}
