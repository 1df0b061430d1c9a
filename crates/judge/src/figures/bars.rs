//! Take the mean scores of columns, dataset by dataset, as bars in groups.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::Gather;
use crate::evidence::EvidenceError;
use crate::evidence::results::{Results, Series};
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures::{self as keys, DatasetPanel};
use uqbench_run::runner::store::Store;

/// Panels of bars, one below the other, with the same groups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bars {
    /// Title of the figure.
    pub title: String,
    /// Names of the groups, left to right.
    pub groups: Vec<String>,
    /// Names of the bars of a group, in the legend.
    pub series: Vec<String>,
    /// Panels.
    pub panels: Vec<BarsPanel>,
}

/// One panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarsPanel {
    /// Label of the values, with their unit.
    pub y_label: String,
    /// The axis does not go below this number, which is below 0.
    pub low: Option<f64>,
    /// The axis does not go above this number, which is above 0.
    pub high: Option<f64>,
    /// The number that bars should reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aim: Option<f64>,
    /// The bars of each group, in the order of the series; `None` where nothing has run.
    pub bars: Vec<Vec<Option<Bar>>>,
}

/// One bar.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// Its height.
    pub mean: f64,
    /// The standard error of the mean, where there are several repetitions.
    pub standard_error: Option<f64>,
    /// Number of repetitions.
    pub repetitions: usize,
}

impl Gather for keys::Bars {
    fn gather(&self, results: &Results, _: &Store) -> Result<Option<Figure>, EvidenceError> {
        let all = results.series();
        // A smaller profile runs fewer datasets.
        let run = |group: &&DatasetPanel| {
            all.iter().any(|series| {
                series.dataset.key == group.dataset && series.first_finished().is_some()
            })
        };
        let groups: Vec<&DatasetPanel> = self.datasets.iter().filter(run).collect();
        let panels: Vec<BarsPanel> =
            self.panels.iter().map(|panel| one_panel(self, panel, &groups, &all)).collect();
        let drawn =
            panels.iter().flat_map(|panel| panel.bars.iter().flatten()).any(Option::is_some);
        let figure = Bars {
            title: self.title.clone(),
            groups: groups.iter().map(|group| group.title.clone()).collect(),
            series: self.series.iter().map(|series| series.title.clone()).collect(),
            panels,
        };
        Ok(drawn.then_some(Figure::Bars(figure)))
    }
}

fn one_panel(
    figure: &keys::Bars,
    panel: &keys::BarsPanel,
    groups: &[&DatasetPanel],
    all: &[Series],
) -> BarsPanel {
    let bar = |series: &Panel, group: &DatasetPanel| {
        let column = all.iter().find(|s| s.is_column(&series.labels, Some(&group.dataset)))?;
        let summary = column.summary(&panel.metric).filter(|summary| summary.mean.is_finite())?;
        Some(Bar {
            mean: summary.mean,
            standard_error: summary.standard_error(),
            repetitions: summary.n,
        })
    };
    let bars = groups
        .iter()
        .map(|group| figure.series.iter().map(|series| bar(series, group)).collect())
        .collect();
    BarsPanel {
        y_label: panel.label.clone(),
        low: panel.low,
        high: panel.high,
        aim: panel.aim,
        bars,
    }
}
