//! Find where the intervals of the paper's own method cover least.

use serde::{Deserialize, Serialize};

use super::own_series;
use crate::evidence::Evidence;
use crate::metrics::{MetricId, Picp};
use crate::stats::paired::ALPHA;

/// The lowest coverage of the paper's own intervals, relative to their level.
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
    /// Number of columns, datasets and levels whose 95 % interval lies below the level.
    pub low: usize,
    /// Number of all of them.
    pub all: usize,
}

impl Covered {
    /// Upper end of the interval.
    pub fn high(&self) -> f64 {
        self.mean + self.half_width
    }
}

/// The coverage that lies farthest below its level; `None` where no own column has one of two repetitions or more.
pub fn coverage(evidence: &Evidence) -> Option<Covered> {
    let metrics = evidence.results.plan.benchmark.all_metrics();
    let levels = metrics.iter().filter_map(|metric| match metric {
        MetricId::Picp(Picp { level }) => Some((*level, metric)),
        _ => None,
    });
    let mut found: Vec<Covered> = Vec::new();
    for (level, metric) in levels {
        found.extend(own_series(evidence).iter().filter_map(|series| {
            let summary = series.summary(metric)?;
            Some(Covered {
                dataset: series.dataset.heading.clone(),
                own: series.column.heading.clone(),
                level,
                mean: summary.mean,
                half_width: summary.half_width(ALPHA)?,
                n: summary.n,
                low: 0,
                all: 0,
            })
        }));
    }
    let (low, all) = (found.iter().filter(|one| one.high() < one.level).count(), found.len());
    let worst = found.into_iter().max_by(|a, b| (a.level - a.mean).total_cmp(&(b.level - b.mean)));
    worst.map(|worst| Covered { low, all, ..worst })
}
