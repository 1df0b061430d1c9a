//! Take the mean ranks of methods with their critical difference from the tests of a ranking.

use serde::{Deserialize, Serialize};

use crate::judgement::ranking::RankTests;

/// Mean ranks of two or more methods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranks {
    /// Title of the figure.
    pub title: String,
    /// Name and mean rank of each method, in any order; 1 is best.
    pub methods: Vec<(String, f64)>,
    /// Mean ranks that differ by this much or more differ significantly, where the test over all
    /// methods rejects.
    pub critical_difference: f64,
    /// Whether the test over all methods rejects that they rank alike. Where it does not, all are
    /// joined.
    pub rejects: bool,
    /// Number of datasets whose ranks were averaged.
    pub blocks: usize,
    /// A note for the reader, such as the test and its level; may be empty.
    pub note: String,
}

impl Ranks {
    /// The mean ranks of the methods by the metric with this label, over a number of `datasets`.
    /// `names` are in the order of `tests`.
    pub fn of(label: &str, names: &[&str], tests: &RankTests, datasets: usize) -> Self {
        let mean_ranks = tests.friedman.mean_ranks.iter().copied();
        Self {
            title: format!("{label}: mean ranks over {datasets} datasets"),
            methods: names.iter().map(|name| (*name).to_owned()).zip(mean_ranks).collect(),
            critical_difference: tests.critical_difference,
            rejects: tests.rejects(),
            blocks: datasets,
            note: String::new(),
        }
    }
}
