//! Claim that the contrast's test column has the lower sum of terms.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::{Benchmark, Column};
use super::kind::ClaimKind;
use super::quantifier::Quantifier;
use uq_core::metrics::MetricId;

/// In as many comparisons as `quantifier` asks, the contrast's test column has a lower sum of terms
/// than its reference column.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lower {
    /// What is summed in each column.
    pub terms: Vec<Term>,
    /// Labels that select the comparisons; each must be among those listed.
    #[serde(default)]
    pub labels: BTreeMap<String, Vec<String>>,
    /// Smallest and largest `x` of the columns compared.
    pub x: Option<(f64, f64)>,
    /// Swaps test and reference.
    #[serde(default)]
    pub reversed: bool,
    /// In how many.
    pub quantifier: Quantifier,
}

/// One summand of a comparison.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The metric.
    pub metric: MetricId,
    /// Benchmark whose printed numbers hold this metric, where it is not this one.
    pub published_in: Option<String>,
    /// Takes the logarithm, so that relative changes are compared.
    #[serde(default)]
    pub log: bool,
}

impl Lower {
    /// Whether a column is among those compared.
    pub fn selects(&self, column: &Column) -> bool {
        let by_label = self
            .labels
            .iter()
            .all(|(label, allowed)| column.labels.get(label).is_some_and(|v| allowed.contains(v)));
        by_label
            && self.x.is_none_or(|(low, high)| column.x.is_some_and(|x| (low..=high).contains(&x)))
    }
}

impl ClaimKind for Lower {
    fn metrics(&self) -> Vec<MetricId> {
        self.terms.iter().map(|term| term.metric).collect()
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        if benchmark.contrast.is_none() {
            return Err("compares columns, but there is no contrast".into());
        }
        if !benchmark.columns().any(|column| self.selects(column)) {
            return Err(format!(
                "no column has the labels {:?} and its x within {:?}",
                self.labels, self.x
            ));
        }
        Ok(())
    }
}
