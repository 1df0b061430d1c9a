//! Claim how fast methods learn from rows that they choose: by the areas of their learning curves.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use crate::protocols::Protocol;
use uq_core::metrics::MetricId;

/// The metric of the curves.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurveMetric {
    /// On all datasets but those of `instead`.
    pub metric: MetricId,
    /// Another metric on some datasets, by key.
    #[serde(default)]
    pub instead: BTreeMap<String, MetricId>,
}

impl CurveMetric {
    /// The metric on a dataset.
    pub fn on(&self, dataset: &str) -> MetricId {
        self.instead.get(dataset).copied().unwrap_or(self.metric)
    }

    fn all(&self) -> Vec<MetricId> {
        std::iter::once(self.metric).chain(self.instead.values().copied()).collect()
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        if !matches!(benchmark.protocol, Protocol::PoolLearning(_)) {
            return Err(
                "judges learning curves, which only the protocol `pool-learning` has".into()
            );
        }
        benchmark.has_main_datasets(&self.instead.keys().cloned().collect::<Vec<_>>())?;
        let main = benchmark.datasets.iter().filter(|row| row.variant.is_none());
        main.map(|row| &row.key)
            .try_for_each(|key| benchmark.has_ranks(&self.on(key), std::slice::from_ref(key)))
    }
}

/// On `at_least` main datasets or more, the curve under test has at most this rank among itself and
/// its references, by its area.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningRanked {
    /// The metric.
    pub curves: CurveMetric,
    /// Labels of the curve under test.
    pub test: BTreeMap<String, String>,
    /// Labels of the curves that it is ranked among.
    pub references: Vec<BTreeMap<String, String>>,
    /// Largest rank; 1 is the best.
    pub rank: usize,
    /// On how many datasets.
    pub at_least: usize,
}

/// No curve has the best area on every main dataset.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningUndominated {
    /// The metric.
    pub curves: CurveMetric,
    /// Labels of the curves.
    pub among: Vec<BTreeMap<String, String>>,
}

/// On every main dataset the curve under test gains over the random sequences of its own method,
/// and gains more than the references do over theirs. The gain is in the area.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningGain {
    /// The metric.
    pub curves: CurveMetric,
    /// Labels of the curve under test.
    pub test: BTreeMap<String, String>,
    /// Labels of the curves whose gains are smaller; none compares the gain with 0 alone.
    #[serde(default)]
    pub references: Vec<BTreeMap<String, String>>,
}

impl ClaimKind for LearningRanked {
    fn metrics(&self) -> Vec<MetricId> {
        self.curves.all()
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        self.curves.check(benchmark)?;
        let datasets = benchmark.datasets.iter().filter(|row| row.variant.is_none()).count();
        if self.references.is_empty() || self.rank == 0 || !(1..=datasets).contains(&self.at_least)
        {
            return Err(format!(
                "needs references, a rank of 1 or more, and `at_least` from 1 to the {datasets} \
                 datasets"
            ));
        }
        self.references
            .iter()
            .chain([&self.test])
            .try_for_each(|labels| benchmark.has_column(labels))
    }
}

impl ClaimKind for LearningUndominated {
    fn metrics(&self) -> Vec<MetricId> {
        self.curves.all()
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        self.curves.check(benchmark)?;
        if self.among.len() < 2 {
            return Err("compares fewer than two curves".into());
        }
        self.among.iter().try_for_each(|labels| benchmark.has_column(labels))
    }
}

impl ClaimKind for LearningGain {
    fn metrics(&self) -> Vec<MetricId> {
        self.curves.all()
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        self.curves.check(benchmark)?;
        self.references.iter().chain([&self.test]).try_for_each(|labels| {
            benchmark.has_column(labels)?;
            let random = |row: &&crate::benchmark::MethodRow| {
                row.acquire.iter().flatten().any(|by| by.is_random())
                    && row
                        .columns
                        .iter()
                        .any(|column| labels.iter().all(|(k, v)| column.labels.get(k) == Some(v)))
            };
            match benchmark.methods.iter().find(random) {
                Some(_) => Ok(()),
                None => Err(format!(
                    "the method with the labels {labels:?} has no random sequence to gain over"
                )),
            }
        })
    }
}
