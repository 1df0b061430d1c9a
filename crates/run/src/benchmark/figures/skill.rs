//! Draw the skill of every part of the variance.

use serde::Deserialize;

use super::super::Benchmark;
use super::checks::{check_columns, check_decomposed};
use super::kind::{FigureKind, by_fields};
use super::panel::Panel;

/// Skill of every part of the variance against the best constant, a row a method and a dot a
/// dataset.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skill {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// One row each; a column whose label `split` is `nominal` is marked as such.
    pub rows: Vec<Panel>,
    /// One look each.
    pub groups: Vec<DatasetGroup>,
    /// What the places in a group are called: the dots of a method stand in as many lanes.
    pub lanes: Vec<String>,
}

/// Datasets that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetGroup {
    /// Name in the legend.
    pub title: String,
    /// Dataset keys, one a lane.
    pub datasets: Vec<String>,
}

impl FigureKind for Skill {
    by_fields!(file, title, rows);

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        check_columns(&self.file, &self.rows, benchmark)?;
        let keys: Vec<&String> = self.groups.iter().flat_map(|group| &group.datasets).collect();
        check_decomposed(&self.file, &keys, benchmark)?;
        match self.groups.iter().find(|group| group.datasets.len() > self.lanes.len()) {
            Some(DatasetGroup { title, datasets }) => {
                let (file, found, most) = (&self.file, datasets.len(), self.lanes.len());
                Err(format!(
                    "figure `{file}`: `{title}` has {found} datasets, expected {most} at most, one \
                     a lane"
                ))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    #[test]
    fn a_group_has_no_more_datasets_than_lanes() {
        let text = include_str!("../../../../../benchmarks/papers/uqbench/decomposition.toml");
        let (from, to) = ("lanes = [\"1\", ", "lanes = [");
        assert!(text.contains(from));
        let message =
            Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(message.contains("expected 3 at most"), "{message}");
    }
}
