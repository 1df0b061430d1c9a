//! Take the paired differences of the contrast's columns.

use std::collections::BTreeMap;

use super::gather::{DrawingError, Gather};
use crate::plot::{DifferencePanel, DifferenceRow, Differences, Drawing, Measured};
use uqbench_judge::evidence::differences::differences;
use uqbench_judge::evidence::results::Results;
use uqbench_run::benchmark::figures::{self, MetricPanel};
use uqbench_run::benchmark::{Contrast, label_text};
use uqbench_run::runner::store::Store;

impl Gather for figures::Contrast {
    fn gather(&self, results: &Results, _: &Store) -> Result<Option<Drawing>, DrawingError> {
        let panels: Vec<DifferencePanel> = self.panels.iter().map(|panel| difference_panel(panel, results)).collect();
        if panels.iter().all(|panel| panel.rows.is_empty()) {
            return Ok(None);
        }
        let names = results.plan.benchmark.contrast.as_ref().map(Contrast::names);
        let title = self.title.clone();
        Ok(names.map(|[test, reference]| {
            Box::new(Differences { title, test, reference, measured: Measured::Losses, panels }) as Drawing
        }))
    }
}

fn difference_panel(panel: &MetricPanel, results: &Results) -> DifferencePanel {
    let contrast_label = results.plan.benchmark.contrast.as_ref().map(|c| c.label.as_str()).unwrap_or_default();
    let rows = differences(results, &panel.metric)
        .into_iter()
        .filter_map(|d| {
            let mean = d.comparison.summary.mean;
            // In per cent of the reference, so that datasets of different scale can be compared.
            let percent = 100.0 / d.reference.summary(&panel.metric)?.mean.abs();
            let half_width = d.comparison.summary.half_width(d.comparison.alpha)?;
            let rest: BTreeMap<String, String> =
                d.test.column.labels.clone().into_iter().filter(|(label, _)| label != contrast_label).collect();
            Some(DifferenceRow {
                name: format!("{}: {}", d.test.dataset.heading, label_text(&rest)),
                estimate: percent * mean,
                low: percent * (mean - half_width),
                high: percent * (mean + half_width),
                marked: d.comparison.significant,
            })
        })
        .collect();
    DifferencePanel { label: panel.label.clone(), rows }
}
