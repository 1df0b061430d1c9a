//! Count the outcomes below the quantiles of each method, over its finished repetitions.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::{Gather, chosen};
use super::pooled::{effective, pool};
use crate::evidence::EvidenceError;
use crate::evidence::results::Results;
use uq_core::stats::{Counts, Reliability};
use uqbench_run::benchmark::figures as keys;
use uqbench_run::runner::store::Store;

/// Reliability of the quantiles of several methods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuantileReliability {
    /// Title of the figure.
    pub title: String,
    /// Further facts for the reader, one line each.
    pub notes: Vec<String>,
    /// One plot for each method, at most four side by side.
    pub panels: Vec<ReliabilityPanel>,
}

/// One method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReliabilityPanel {
    /// Title of the panel.
    pub title: String,
    /// The pooled shares, one number for each level.
    pub reliability: Reliability,
}

impl Gather for keys::QuantileReliability {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let all = results.series();
        let chosen = chosen(&self.panels, &all);
        let mut figure = QuantileReliability {
            title: self.title.clone(),
            notes: Vec::new(),
            panels: Vec::new(),
        };
        let mut undefined: Vec<&str> = Vec::new();
        let what = format!("outcomes below quantiles@1 at {:?}", self.levels);
        let pooled = pool(&chosen, store, &what, |predictive, y| {
            Counts::count(&self.levels, predictive, y)
        })?;
        for ((panel, series), counts) in chosen.iter().zip(pooled) {
            let Some(counts) = counts else {
                undefined.push(&panel.title);
                continue;
            };
            let effective = effective(series, counts.iter().map(|counts| counts.outcomes).sum());
            let reliability = Reliability::new(&self.levels, &counts, effective);
            let title = panel.title.clone();
            figure
                .panels
                .extend(reliability.map(|reliability| ReliabilityPanel { title, reliability }));
        }
        if !undefined.is_empty() {
            let left_out = undefined.join("; ");
            figure.notes.push(format!(
                "Left out, because a quantile is undefined at one of the levels: {left_out}."
            ));
        }
        Ok((!figure.panels.is_empty()).then_some(Figure::QuantileReliability(figure)))
    }
}
