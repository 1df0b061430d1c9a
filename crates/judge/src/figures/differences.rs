//! Take the paired differences of the contrast's columns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::Gather;
use crate::evidence::EvidenceError;
use crate::evidence::differences::differences;
use crate::evidence::results::Results;
use uqbench_run::benchmark::figures::{self as keys, MetricPanel};
use uqbench_run::benchmark::{Contrast, label_text};
use uqbench_run::runner::store::Store;

/// Differences test − reference in one or more metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Differences {
    /// Title of the figure.
    pub title: String,
    /// Name of what is tested, such as "DT".
    pub test: String,
    /// Name of what it is compared with.
    pub reference: String,
    /// What a positive value is.
    pub measured: Measured,
    /// One panel for each metric, side by side. Panels with the same row names in the same order
    /// share the column of names.
    pub panels: Vec<DifferencePanel>,
}

/// What the values of a figure of differences are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measured {
    /// Losses of the test less those of the reference: negative is better.
    Losses,
    /// Gains of the test over the reference: positive is better.
    Gains,
}

/// One metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DifferencePanel {
    /// The metric, with its unit.
    pub label: String,
    /// Cells, top to bottom.
    pub rows: Vec<DifferenceRow>,
}

/// One cell: an estimate in its interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DifferenceRow {
    /// Name of the cell.
    pub name: String,
    /// The difference; `None` is shown as "undefined".
    pub difference: Option<Interval>,
    /// Whether the Holm-corrected interval excludes 0.
    pub marked: bool,
}

/// A finite estimate in its finite interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Estimated difference.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Interval {
    /// The estimate between these ends; `None` where one of the three is not finite.
    pub fn finite(estimate: f64, low: f64, high: f64) -> Option<Self> {
        [estimate, low, high].iter().all(|number| number.is_finite()).then_some(Self {
            estimate,
            low,
            high,
        })
    }
}

impl Gather for keys::Contrast {
    fn gather(&self, results: &Results, _: &Store) -> Result<Option<Figure>, EvidenceError> {
        let panels: Vec<DifferencePanel> =
            self.panels.iter().map(|panel| difference_panel(panel, results)).collect();
        if panels.iter().all(|panel| panel.rows.is_empty()) {
            return Ok(None);
        }
        let names = results.plan.benchmark.contrast.as_ref().map(Contrast::names);
        let title = self.title.clone();
        Ok(names.map(|[test, reference]| {
            Figure::Differences(Differences {
                title,
                test,
                reference,
                measured: Measured::Losses,
                panels,
            })
        }))
    }
}

fn difference_panel(panel: &MetricPanel, results: &Results) -> DifferencePanel {
    let contrast_label =
        results.plan.benchmark.contrast.as_ref().map(|c| c.label.as_str()).unwrap_or_default();
    let rows = differences(results, &panel.metric)
        .into_iter()
        .filter_map(|d| {
            let mean = d.comparison.summary.mean;
            // In per cent of the reference, so that datasets of different scale can be compared.
            let percent = 100.0 / d.reference.summary(&panel.metric)?.mean.abs();
            let half_width = d.comparison.summary.half_width(d.comparison.alpha)?;
            let rest: BTreeMap<String, String> = d
                .test
                .column
                .labels
                .clone()
                .into_iter()
                .filter(|(label, _)| label != contrast_label)
                .collect();
            Some(DifferenceRow {
                name: format!("{}: {}", d.test.dataset.heading, label_text(&rest)),
                difference: Interval::finite(
                    percent * mean,
                    percent * (mean - half_width),
                    percent * (mean + half_width),
                ),
                marked: d.comparison.significant,
            })
        })
        .collect();
    DifferencePanel { label: panel.label.clone(), rows }
}
