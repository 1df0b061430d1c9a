//! Gather the columns of a claim that compares one column with others.

use std::collections::BTreeMap;

use crate::benchmark::{Benchmark, DatasetRow};
use crate::evidence::{Results, Series};

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
    /// The main datasets that are compared.
    pub fn datasets<'b>(&self, benchmark: &'b Benchmark) -> Vec<&'b DatasetRow> {
        let selected = |row: &&DatasetRow| self.datasets.is_empty() || self.datasets.contains(&row.key);
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
