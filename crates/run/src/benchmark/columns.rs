//! Find the columns and datasets that claims and figures name, and refuse names that do not exist.

use std::collections::BTreeMap;

use super::{Benchmark, Column, DatasetRow};
use uq_core::metrics::MetricId;
use uq_core::names::{did_you_mean, nearest_name};
use uq_methods::anchors::ANCHORS;
use uqbench_data::Manifest;

/// Labels of a column, or those that select it.
type Labels = BTreeMap<String, String>;

/// Whether a column with the labels `own` carries all of `labels`.
fn carries(own: &Labels, labels: &Labels) -> bool {
    labels.iter().all(|(label, value)| own.get(label) == Some(value))
}

impl Benchmark {
    /// The dataset of this key.
    pub(super) fn dataset(&self, key: &str) -> Option<&DatasetRow> {
        self.datasets.iter().find(|row| row.key == key)
    }

    /// The columns of all methods, variants among them.
    pub fn columns(&self) -> impl Iterator<Item = &Column> {
        self.methods.iter().flat_map(|method| &method.columns)
    }

    /// The columns of main methods that are run on a dataset and carry these labels.
    pub fn columns_on<'a>(
        &'a self,
        dataset: &'a str,
        labels: &'a Labels,
    ) -> impl Iterator<Item = &'a Column> {
        let rows =
            self.methods.iter().filter(move |row| row.variant.is_none() && row.runs_on(dataset));
        rows.flat_map(|row| &row.columns).filter(|column| carries(&column.labels, labels))
    }

    /// Checks that labels select a column. Otherwise a claim would be undecided or a figure empty
    /// without a message.
    ///
    /// # Errors
    /// A message where no column of a method or of a reference method has the labels.
    pub(super) fn has_column(&self, labels: &Labels) -> Result<(), String> {
        let anchors = ANCHORS.iter().filter(|_| self.anchors);
        let mut anchors =
            anchors.map(|(id, _)| BTreeMap::from([("method".to_owned(), (*id).to_owned())]));
        let found = self.columns().any(|column| carries(&column.labels, labels));
        match found || anchors.any(|own| carries(&own, labels)) {
            true => Ok(()),
            false => Err(format!("no column has the labels {labels:?}")),
        }
    }

    /// A question for the dataset whose key this one most resembles.
    pub(super) fn like(&self, key: &str) -> String {
        did_you_mean(&nearest_name(key, self.datasets.iter().map(|row| row.key.as_str())))
    }

    /// As [`Benchmark::has_column`], but also accepts a printed column.
    ///
    /// # Errors
    /// As [`Benchmark::has_column`].
    pub(super) fn has_column_or_printed(&self, labels: &Labels) -> Result<(), String> {
        match self.printed_columns.iter().any(|column| carries(&column.labels, labels)) {
            true => Ok(()),
            false => self.has_column(labels),
        }
    }

    /// Finds a key that is not a dataset of the paper's main reading.
    ///
    /// # Errors
    /// A message with the key.
    pub(super) fn has_main_datasets(&self, keys: &[String]) -> Result<(), String> {
        let known =
            |key: &String| self.datasets.iter().any(|row| row.key == *key && row.variant.is_none());
        match keys.iter().find(|key| !known(key)) {
            Some(key) => Err(format!("`{key}` is not a main dataset of this benchmark")),
            None => Ok(()),
        }
    }

    /// Checks that a metric ranks predictions of these datasets, all main ones where there is no
    /// key. A log density does not where the target is discrete: a density made of spikes on its
    /// values has no bound.
    ///
    /// # Errors
    /// A message with the dataset, and with the metric that ranks there.
    pub(super) fn has_ranks(&self, metric: &MetricId, keys: &[String]) -> Result<(), String> {
        let compared = |row: &&DatasetRow| {
            row.variant.is_none() && (keys.is_empty() || keys.contains(&row.key))
        };
        let mut discrete =
            self.datasets.iter().filter(compared).filter(|row| Manifest::is_discrete(&row.key));
        match discrete.next().filter(|_| metric.is_density()) {
            Some(row) => Err(format!(
                "`{metric}` ranks nothing on `{}`, whose target is discrete; compare by \
                 `discretised-log-score` there",
                row.key
            )),
            None => Ok(()),
        }
    }

    /// Checks that a curve on a dataset has a column with an x.
    ///
    /// # Errors
    /// A message where the dataset is not a main one, or no column on it has the labels and an x.
    pub(super) fn has_curve(&self, dataset: &str, labels: &Labels) -> Result<(), String> {
        self.has_main_datasets(&[dataset.to_owned()])?;
        match self.columns_on(dataset, labels).any(|column| column.x.is_some()) {
            true => Ok(()),
            false => Err(format!("no column with an x has the labels {labels:?}")),
        }
    }
}
