//! Draw stated variances beside the true ones.

use serde::Deserialize;

use super::super::Benchmark;
use super::checks::{check_columns, check_decomposed};
use super::kind::{FigureKind, by_fields};
use super::panel::Panel;
use uqbench_data::simulated::Simulated;

/// What methods state of noise and of their own error beside the truth, for problems of one feature
/// whose test inputs never change.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variances {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// One row of panels each.
    pub rows: Vec<Panel>,
    /// One panel of a row each; labels select nothing here.
    pub datasets: Vec<DatasetPanel>,
}

/// A dataset that is a panel.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetPanel {
    /// Title of the panel.
    pub title: String,
    /// Dataset key.
    pub dataset: String,
}

impl FigureKind for Variances {
    by_fields!(file, title, rows);

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        check_columns(&self.file, &self.rows, benchmark)?;
        let keys: Vec<&String> = self.datasets.iter().map(|panel| &panel.dataset).collect();
        check_decomposed(&self.file, &keys, benchmark)?;
        let features = |key: &str| Some(Simulated::get(key)?.design()?.inputs.ncols());
        match keys.iter().find(|key| features(key) != Some(1)) {
            Some(key) => Err(format!("figure `{}`: `{key}` has more than one feature", self.file)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    #[test]
    fn datasets_are_there_have_one_feature_and_are_compared_with_the_truth() {
        let text = include_str!("../../../../../benchmarks/papers/uqbench/decomposition.toml");
        for (from, to, expected) in [
            ("decomposition = true", "decomposition = false", "needs `decomposition = true`"),
            (
                "dataset = \"simulated:decomposition-gap@1\"",
                "dataset = \"yacht\"",
                "`yacht` is not a dataset",
            ),
            (
                "dataset = \"simulated:decomposition-gap@1\"",
                "dataset = \"simulated:decomposition-gap@2\"",
                "has more than one feature",
            ),
        ] {
            assert!(text.contains(from), "{from}");
            let message =
                Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(message.contains(expected), "{from}: {message}");
        }
    }
}
