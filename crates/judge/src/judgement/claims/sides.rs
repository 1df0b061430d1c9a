//! Gather the columns of a claim that compares one column with others.

use std::collections::BTreeMap;

use super::comparisons::Family;
use crate::evidence::{Results, Series};
use crate::judgement::unranked::unranked;
use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uqbench_run::benchmark::{Benchmark, DatasetRow, Published};

/// Whether the narrower of two widths is of intervals that cover too little, so that neither is
/// better: the test's where `difference`, its loss less the reference's, is below zero. The two
/// functions return the coverages of both sides.
pub fn is_short(
    difference: f64,
    metric: &MetricId,
    dataset: &DatasetRow,
    test: impl Fn(&MetricId) -> Option<f64>,
    reference: impl Fn(&MetricId) -> Option<f64>,
) -> bool {
    difference != 0.0 && unranked(difference < 0.0, metric, &dataset.key, test, reference).is_some()
}

/// The columns and datasets that are compared.
pub struct Sides<'a> {
    /// Labels of the column under test.
    pub test: &'a BTreeMap<String, String>,
    /// Labels of the columns that it is compared with.
    pub references: &'a [BTreeMap<String, String>],
    /// Keys of the datasets; all main ones where empty.
    pub datasets: &'a [String],
}

impl Sides<'_> {
    /// The comparisons of our runs: for each dataset and reference the differences that `compare`
    /// makes of the values of both columns, and for a width whether the narrower intervals cover
    /// too little.
    pub fn family(
        &self,
        results: &Results,
        metric: &MetricId,
        compare: impl Fn(&[Option<f64>], &[Option<f64>]) -> Vec<f64>,
    ) -> Family<Vec<f64>> {
        let columns = self.columns(results);
        let mut family = Family::default();
        for dataset in self.datasets(&results.plan.benchmark) {
            let column = |labels| {
                columns.iter().find(|s| s.dataset.key == dataset.key && s.has_labels(labels))
            };
            let values =
                |labels| column(labels).map(|series| series.values(metric)).unwrap_or_default();
            let mean = |labels, metric: &MetricId| Some(column(labels)?.summary(metric)?.mean);
            for reference in self.references {
                let differences = compare(&values(self.test), &values(reference));
                let is_short = Summary::from_values(&differences).is_some_and(|difference| {
                    let (test, reference) =
                        (|m: &MetricId| mean(self.test, m), |m: &MetricId| mean(reference, m));
                    is_short(difference.mean, metric, dataset, test, reference)
                });
                family.push_runs([column(self.test), column(reference)], differences, is_short);
            }
        }
        family
    }

    /// The comparisons of printed numbers, where both are numbers: the difference that `compare`
    /// makes of them.
    pub fn printed(
        &self,
        benchmark: &Benchmark,
        published: &Published,
        metric: &MetricId,
        compare: impl Fn(f64, f64) -> f64,
    ) -> Family<f64> {
        let number = |dataset: &DatasetRow, labels, metric: &MetricId| {
            let row = benchmark.metrics.iter().find(|row| row.id == *metric)?;
            published.cell(dataset.printed_name(), row.published.as_ref()?, labels)?.number()
        };
        let mut family = Family::default();
        for dataset in self.datasets(benchmark) {
            let of = |labels| move |metric: &MetricId| number(dataset, labels, metric);
            for reference in self.references {
                if let Some((test, other)) = of(self.test)(metric).zip(of(reference)(metric)) {
                    let difference = compare(test, other);
                    family.push(
                        difference,
                        is_short(difference, metric, dataset, of(self.test), of(reference)),
                    );
                }
            }
        }
        family
    }

    /// The main datasets that are compared.
    pub fn datasets<'b>(&self, benchmark: &'b Benchmark) -> Vec<&'b DatasetRow> {
        let selected =
            |row: &&DatasetRow| self.datasets.is_empty() || self.datasets.contains(&row.key);
        benchmark.datasets.iter().filter(|row| row.variant.is_none()).filter(selected).collect()
    }

    /// The columns on both sides, of the datasets that are run.
    pub fn columns<'b>(&self, results: &'b Results) -> Vec<Series<'b>> {
        let datasets = self.datasets(&results.plan.benchmark);
        let selected = |series: &Series| {
            series.variant().is_none()
                && datasets.iter().any(|row| row.key == series.dataset.key)
                && self.references.iter().chain([self.test]).any(|labels| series.has_labels(labels))
        };
        results.series().into_iter().filter(selected).collect()
    }
}
