//! Claim what an optimisation finds, and that two criteria choose alike.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::{ACQUISITION, Benchmark};
use super::kind::ClaimKind;
use super::quantifier::Quantifier;
use crate::protocols::Protocol;
use uq_core::metrics::{BestValue, MetricId};

/// In most of several readings of the paper, a method's acquisition ends at a better value than its
/// references. A reading is, for example, a number that the paper does not print.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optimised {
    /// The readings; the first one is the main one.
    pub readings: Vec<Contest>,
    /// Keys of the datasets; all main ones where empty.
    #[serde(default)]
    pub datasets: Vec<String>,
    /// In how many of a reading's comparisons, each of one dataset and one reference.
    pub quantifier: Quantifier,
}

/// One reading.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contest {
    /// Its name, such as `β = 2`.
    pub name: String,
    /// Labels of the column under test.
    pub test: BTreeMap<String, String>,
    /// Labels of the columns that it is compared with.
    pub references: Vec<BTreeMap<String, String>>,
}

/// In at least this share of the choices of an entropy-based bound, the entropy itself and its
/// lower bound are largest at the same candidate.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SameChoice {
    /// Labels of the column under test, its acquisition among them.
    pub test: BTreeMap<String, String>,
    /// The share, on every main dataset.
    pub at_least: f64,
}

fn check_protocol(benchmark: &Benchmark) -> Result<(), String> {
    match benchmark.protocol {
        Protocol::BayesianOptimisation(_) => Ok(()),
        _ => {
            Err("judges an optimisation, which only the protocol `bayesian-optimisation` makes"
                .into())
        }
    }
}

impl ClaimKind for Optimised {
    fn metrics(&self) -> Vec<MetricId> {
        vec![MetricId::BestValue(BestValue)]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        check_protocol(benchmark)?;
        benchmark.has_main_datasets(&self.datasets)?;
        if self.readings.is_empty() {
            return Err("has no reading".into());
        }
        if let Some(one) = self.readings.iter().find(|one| one.references.is_empty()) {
            return Err(format!("reading `{}` compares a column with no other", one.name));
        }
        let labels = self.readings.iter().flat_map(|one| one.references.iter().chain([&one.test]));
        labels.into_iter().try_for_each(|labels| benchmark.has_column(labels))
    }
}

impl ClaimKind for SameChoice {
    fn metrics(&self) -> Vec<MetricId> {
        vec![MetricId::BestValue(BestValue)]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        check_protocol(benchmark)?;
        benchmark.has_column(&self.test)?;
        let by = self.test.get(ACQUISITION).map_or("", String::as_str);
        if !by.starts_with("entropy-ucb-") {
            return Err(format!(
                "compares the choices of an acquisition `entropy-ucb-β`, not of `{by}`"
            ));
        }
        if self.at_least > 0.0 && self.at_least <= 1.0 {
            return Ok(());
        }
        Err(format!("`at_least` is {}, expected a number above 0 and up to 1", self.at_least))
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    #[test]
    fn what_could_never_be_judged_is_refused() {
        let text = include_str!("../../../../../benchmarks/papers/jcm/jcm-figure-5.toml");
        for (from, to, expected) in [
            ("at_least = 0.95", "at_least = 1.5", "expected a number above 0"),
            (
                "test = { method = \"jcm\", acquisition = \"entropy-ucb-2\" }\nat_least",
                "test = { method = \"jcm\", acquisition = \"ucb-2\" }\nat_least",
                "compares the choices of an acquisition `entropy-ucb-β`, not of `ucb-2`",
            ),
            ("acquisition = \"ei\" }]", "acquisition = \"eii\" }]", "no column has the labels"),
        ] {
            assert!(text.contains(from), "{from}");
            let message =
                Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(message.contains(expected), "{from}: {message}");
        }
    }
}
