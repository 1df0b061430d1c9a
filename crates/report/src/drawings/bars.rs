//! Take the mean scores of columns, dataset by dataset.

use super::gather::{DrawingError, Gather};
use crate::plot::{self, Bar, BarsPanel, Drawing};
use uqbench_judge::evidence::results::{Results, Series};
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures::{self, Bars, DatasetPanel};
use uqbench_run::runner::store::Store;

impl Gather for Bars {
    fn gather(&self, results: &Results, _: &Store) -> Result<Option<Drawing>, DrawingError> {
        let all = results.series();
        // A smaller profile runs fewer datasets.
        let run = |group: &&DatasetPanel| {
            all.iter().any(|series| series.dataset.key == group.dataset && series.first_finished().is_some())
        };
        let groups: Vec<&DatasetPanel> = self.datasets.iter().filter(run).collect();
        let panels: Vec<BarsPanel> = self.panels.iter().map(|panel| one_panel(self, panel, &groups, &all)).collect();
        let drawn = panels.iter().flat_map(|panel| panel.bars.iter().flatten()).any(Option::is_some);
        let figure = plot::Bars {
            title: self.title.clone(),
            groups: groups.iter().map(|group| group.title.clone()).collect(),
            series: self.series.iter().map(|series| series.title.clone()).collect(),
            panels,
        };
        Ok(drawn.then(|| Box::new(figure) as Drawing))
    }
}

fn one_panel(figure: &Bars, panel: &figures::BarsPanel, groups: &[&DatasetPanel], all: &[Series]) -> BarsPanel {
    let bar = |series: &Panel, group: &DatasetPanel| {
        let column = all.iter().find(|s| s.is_column(&series.labels, Some(&group.dataset)))?;
        let summary = column.summary(&panel.metric).filter(|summary| summary.mean.is_finite())?;
        Some(Bar { mean: summary.mean, standard_error: summary.standard_error(), repetitions: summary.n })
    };
    let bars = groups.iter().map(|group| figure.series.iter().map(|series| bar(series, group)).collect()).collect();
    BarsPanel { y_label: panel.label.clone(), low: panel.low, high: panel.high, bars }
}
