//! List the printed numbers that are excluded, with reasons and with a check against the store.

use serde::Serialize;

use crate::evidence::Evidence;
use crate::evidence::reach::{Place, Reach, place};
use uqbench_run::benchmark::{Exclusion, label_text};

/// A printed number that cannot be right, or hardly can.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExcludedNumber {
    /// Heading of the dataset.
    pub dataset: String,
    /// Labels of the column.
    pub column: String,
    /// Heading of the metric.
    pub metric: String,
    /// The number as it is printed.
    pub printed: String,
    /// How it is excluded.
    pub exclusion: Exclusion,
    /// Why, as the benchmark states it.
    pub reason: String,
    /// The coverage of a constant interval of the printed width.
    pub reach: Option<Reach>,
}

/// The excluded numbers that the benchmark prints.
pub(super) fn excluded(evidence: &Evidence) -> Vec<ExcludedNumber> {
    let benchmark = &evidence.results.plan.benchmark;
    let all = benchmark.excluded.iter().zip(&evidence.reaches);
    let one = |(excluded, reach): (&uqbench_run::benchmark::Excluded, &Option<Reach>)| {
        let Place { dataset, metric, cell } = place(benchmark, evidence.published, excluded)?;
        Some(ExcludedNumber {
            dataset: dataset.heading.clone(),
            column: label_text(&excluded.labels),
            metric: metric.heading.clone(),
            printed: cell.value.clone(),
            exclusion: excluded.verdict,
            reason: excluded.reason.clone(),
            reach: reach.clone(),
        })
    };
    all.filter_map(one).collect()
}
