//! Find the best method on each dataset, and those that are not significantly behind it.

use crate::evidence::Results;
use crate::evidence::field::{Block, Field};
use crate::evidence::imputation::Imputation;
use crate::evidence::losses::Losses;
use crate::judgement::duels::{REGION, duels};
use serde::Serialize;
use uq_core::metrics::MetricId;
use uqbench_data::Manifest;

/// How a method's mean stands against the best one on the same dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgainstBest {
    /// It is the best mean.
    Best,
    /// It is not significantly worse than the best mean.
    NotBehind,
    /// It is significantly worse.
    Behind,
}

/// The methods on one dataset against the best one.
struct Standing {
    dataset: String,
    method: String,
    against_best: AgainstBest,
}

/// How the methods of a benchmark stand on its datasets by one metric.
pub struct Leaders(Vec<Standing>);

impl Leaders {
    /// Compares the main columns on each dataset with the best one by paired differences over the
    /// splits, corrected for overlapping training sets, and by Holm over the dataset's columns.
    /// A dataset has no leader where no interval is known, such as for one repetition or splits
    /// that are not random, and where the metric's direction alone does not say which number is
    /// better: widths of intervals, and log densities of discrete targets.
    pub fn find(results: &Results, metric: MetricId) -> Self {
        if metric.width_of().is_some() {
            return Self(Vec::new());
        }
        let field = Field::gather(std::slice::from_ref(results), &[metric]);
        let is_ranked =
            |block: &&Block| !(metric.is_density() && Manifest::is_discrete(&block.key));
        let blocks = field.blocks.iter().filter(is_ranked);
        Self(blocks.flat_map(|block| of_block(&field, block)).collect())
    }

    /// How the column with this heading stands on a dataset; `None` where that is not known.
    pub fn against_best(&self, dataset: &str, method: &str) -> Option<AgainstBest> {
        let found = self.0.iter().find(|one| one.dataset == dataset && one.method == method);
        found.map(|one| one.against_best)
    }
}

fn of_block(field: &Field, block: &Block) -> Vec<Standing> {
    // Methods that were never planned on this dataset have a row without scores.
    let all: Vec<usize> = (0..field.entrants.len()).collect();
    let row = Field { blocks: vec![block.clone()], ..field.clone() }.only(&all);
    let Some(best) = best(&row) else { return Vec::new() };
    let others = (0..row.entrants.len()).filter(|&entrant| entrant != best);
    let row = row.only(&std::iter::once(best).chain(others).collect::<Vec<_>>());
    let losses = Losses::new(&row, &row, 0, &Imputation::Drop);
    let standing = |entrant: usize, against_best| Standing {
        dataset: block.key.clone(),
        method: row.entrants[entrant].heading.clone(),
        against_best,
    };
    let mut found = Vec::new();
    for duel in duels(&losses, REGION).iter().filter(|duel| duel.gain.is_some()) {
        let is_behind = duel.is_significant() && duel.mean < 0.0;
        let against_best = if is_behind { AgainstBest::Behind } else { AgainstBest::NotBehind };
        found.push(standing(duel.entrant, against_best));
    }
    if !found.is_empty() {
        found.push(standing(0, AgainstBest::Best));
    }
    found
}

/// The entrant with the lowest mean loss on the field's only block; the first one of several.
fn best(row: &Field) -> Option<usize> {
    let losses = Losses::new(row, row, 0, &Imputation::Drop);
    let (_, scores) = losses.blocks.first()?;
    let mean = |entrant: usize| {
        let known: Vec<f64> =
            scores.scores[entrant].iter().flatten().map(|&score| losses.loss(score)).collect();
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        mean.is_finite().then_some((entrant, mean))
    };
    let means = (0..row.entrants.len()).filter_map(mean);
    means.reduce(|best, other| if other.1 < best.1 { other } else { best }).map(|(best, _)| best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standing of three methods by the root mean squared errors of ten splits: of a lead by
    /// less than its noise, and of one that is clear. The first method's errors are around 1.
    fn standings(test_to_train: f64) -> Vec<(String, AgainstBest)> {
        let noise = |i: usize| 0.01 * ((i * 7) % 10) as f64;
        let errors = |mean: f64, sign: f64| {
            (0..10).map(|i| Some(mean + sign * noise(i))).collect::<Vec<_>>()
        };
        let methods = ["a", "b", "c", "planned elsewhere"].map(str::to_owned);
        let scores = vec![vec![errors(1.0, 1.0), errors(1.095, -1.0), errors(2.0, 1.0)]];
        let metric: MetricId = "rmse".parse().unwrap();
        let field = Field::of_scores(
            "own",
            &methods,
            &[metric],
            scores,
            vec![vec![None; 3]],
            test_to_train,
        );
        let found = of_block(&field, &field.blocks[0]);
        found.into_iter().map(|one| (one.method, one.against_best)).collect()
    }

    #[test]
    fn a_method_is_behind_where_a_corrected_test_finds_it_so() {
        let found = standings(0.1);
        assert_eq!(found.len(), 3, "{found:?}");
        for expected in [
            ("a".to_owned(), AgainstBest::Best),
            ("b".to_owned(), AgainstBest::NotBehind),
            ("c".to_owned(), AgainstBest::Behind),
        ] {
            assert!(found.contains(&expected), "{found:?}");
        }
    }
}
