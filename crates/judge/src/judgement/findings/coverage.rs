//! Find where the intervals of the paper's own method cover least, or of the methods whose coverage
//! it prints, where none is its own.

use serde::{Deserialize, Serialize};

use super::own_series;
use crate::evidence::{Evidence, Series};
use uq_core::metrics::{MetricId, Picp};
use uq_core::stats::coverage::Coverage;
use uq_core::stats::paired::ALPHA;
use uqbench_run::protocols::TestRows;

/// The lowest coverage of these intervals, relative to their level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Covered {
    /// Heading of the dataset.
    pub dataset: String,
    /// Heading of the column.
    pub own: String,
    /// Level of the intervals.
    pub level: f64,
    /// Mean share of the test rows in their intervals.
    pub mean: f64,
    /// Half width of the 95 % interval of the mean over the repetitions.
    pub half_width: f64,
    /// Number of repetitions.
    pub n: usize,
    /// Where all repetitions test the same rows and differ in the seed of the fit alone: how many
    /// rows these are. The interval is then over seeds, and tells nothing of other rows.
    pub same_rows: Option<usize>,
    /// Number of columns, datasets and levels whose 95 % interval lies below the level.
    pub low: usize,
    /// Number of all of them.
    pub all: usize,
    /// Whether the benchmark says that the column is the paper's own.
    #[serde(default = "yes")]
    pub is_papers_own: bool,
}

/// Findings of earlier versions are about own methods alone.
fn yes() -> bool {
    true
}

impl Covered {
    /// The half of the exact binomial interval of such a coverage of as many other rows; `None`
    /// where repetitions differ in their rows.
    pub fn half_width_over_rows(&self) -> Option<f64> {
        let rows = self.same_rows?;
        let (low, high) =
            Coverage { covered: (self.mean * rows as f64).round() as usize, rows }.interval()?;
        Some((high - low) / 2.0)
    }

    /// Whether the interval lies below the level.
    pub fn is_low(&self) -> bool {
        self.mean + self.half_width < self.level
    }
}

/// The coverage that lies farthest below its level; `None` where no such column has one of two
/// repetitions or more.
pub fn coverage(evidence: &Evidence) -> Option<Covered> {
    let metrics = evidence.results.plan.benchmark.all_metrics();
    let levels = metrics.iter().filter_map(|metric| match metric {
        MetricId::Picp(Picp { level }) => Some((*level, metric)),
        _ => None,
    });
    let mut found: Vec<Covered> = Vec::new();
    for (level, metric) in levels {
        found.extend(candidates(evidence, metric).iter().filter_map(|series| {
            let summary = series.summary(metric)?;
            Some(Covered {
                dataset: series.dataset.heading.clone(),
                own: series.column.heading.clone(),
                level,
                mean: summary.mean,
                half_width: summary.half_width(ALPHA)?,
                n: summary.n,
                same_rows: same_rows(series),
                low: 0,
                all: 0,
                is_papers_own: evidence.results.plan.benchmark.own.is_stated(),
            })
        }));
    }
    let low = found.iter().filter(|one| one.is_low()).count();
    let all = found.len();
    let worst = found.into_iter().max_by(|a, b| (a.level - a.mean).total_cmp(&(b.level - b.mean)));
    worst.map(|worst| Covered { low, all, ..worst })
}

/// The columns of the paper's own method, or those whose coverage it prints. Where the test rows of
/// a split are chosen, its repetitions give no interval of a mean.
fn candidates<'a>(evidence: &'a Evidence, metric: &MetricId) -> Vec<Series<'a>> {
    let benchmark = &evidence.results.plan.benchmark;
    if benchmark.own.is_stated() {
        return own_series(evidence);
    }
    let row = benchmark.metrics.iter().find(|row| row.id == *metric);
    let name = row.and_then(|row| row.published.as_ref());
    let Some(name) = name.filter(|_| benchmark.protocol.kind().test_rows() != TestRows::Chosen)
    else {
        return Vec::new();
    };
    let is_printed = |series: &Series| {
        let mut cells = benchmark.printed.cells.iter().filter(|cell| cell.metric == *name);
        series.variant().is_none() && cells.any(|cell| cell.labels == series.column.labels)
    };
    evidence.results.series().into_iter().filter(is_printed).collect()
}

/// Number of rows that every repetition tests, where these are the same.
fn same_rows(series: &Series) -> Option<usize> {
    let protocol = series.repetitions.experiment.template.protocol.kind();
    let rows = series.test_rows().filter(|_| protocol.repeats_the_same_rows())?;
    Some((rows * protocol.splits_a_repetition() as f64).round() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_over_seeds_is_not_one_over_rows() {
        let (dataset, own) = ("Jump".to_owned(), "a".to_owned());
        let found = Covered {
            dataset,
            own,
            level: 0.95,
            mean: 0.742,
            half_width: 0.021,
            n: 10,
            same_rows: Some(101),
            low: 1,
            all: 1,
            is_papers_own: true,
        };
        let half = found.half_width_over_rows().unwrap();
        // Clopper and Pearson: 75 of 101 are 0.646 to 0.825 (mpmath).
        assert!((half - 0.0894).abs() < 5e-4, "{half}");
        assert_eq!(Covered { same_rows: None, ..found }.half_width_over_rows(), None);
    }
}
