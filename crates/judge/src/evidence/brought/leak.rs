//! Tell predictions that are the outcomes of test rows.
//!
//! An outcome that a training row of the split has may be predicted exactly by whoever predicts
//! outcomes that he has seen: nearest neighbours, medians of a forest, the only value of a constant
//! target, the grades of a coarse one. So only rows count whose outcome is new to the split. A
//! number that is computed from other rows equals a new one where both are rounded alike, and then
//! about as often as the step is a part of the error. Means and medians of eight methods (trees,
//! forests, boosting, Gaussian processes) on three splits of Boston, Energy, Wine and Yacht hit at
//! most one new outcome of a hundred. An author who rounds predictions of a target that is known
//! almost without error may be refused wrongly, and sees why: whoever does not round is not
//! refused. Where no outcome is new, as for grades, only predictions that are right in every row
//! are refused.
//!
//! A leak to which noise was added looks like a very good method, and is not found by any rule.

use super::refusal::Refusal;
use super::submission::Submission;
use crate::evidence::own_predictions::is_same_outcome;
use uqbench_run::league::{Board, Truth};

/// Most of the rows with a new outcome that an honest prediction hits.
const SHARE: f64 = 0.1;

/// Fewest rows that are hit.
const FEWEST: usize = 5;

/// Fewest rows of a dataset that are all hit.
const FEWEST_OF_ALL: usize = 20;

/// How often a number is the outcome.
#[derive(Clone, Copy, Debug, Default)]
struct Hits {
    rows: usize,
    hits: usize,
    new: usize,
    new_hits: usize,
}

impl Hits {
    /// Whether they are more than an honest prediction has: of all rows, or of the new ones.
    fn is_leak(&self) -> Option<bool> {
        if self.new_hits >= FEWEST && self.new_hits as f64 > SHARE * self.new as f64 {
            return Some(true);
        }
        (self.rows >= FEWEST_OF_ALL && self.hits == self.rows).then_some(false)
    }
}

impl Submission {
    /// The datasets whose outcomes stand in a column, or are the centre of the predictions.
    pub(super) fn find_leaks(&self, board: &Board, truths: &[Vec<Truth>]) -> Vec<Refusal> {
        let distribution = self.predictive.distribution();
        let rows = 0..self.predictive.len();
        let means: Vec<f64> =
            rows.clone().map(|row| distribution.mean(row).unwrap_or(f64::NAN)).collect();
        let medians: Vec<f64> =
            rows.map(|row| distribution.quantile(row, 0.5).unwrap_or(f64::NAN)).collect();
        let mut candidates: Vec<(String, &[f64])> =
            vec![("the mean".into(), &means), ("the median".into(), &medians)];
        let columns = self.predictions.columns.iter();
        candidates
            .extend(columns.map(|(name, values)| (format!("the column `{name}`"), &values[..])));
        let in_dataset = |(dataset, truths): (usize, &Vec<Truth>)| {
            let key = &board.datasets[dataset].key;
            candidates.iter().find_map(|(what, values)| {
                let hits = self.count(key, truths, values);
                let are_new = hits.is_leak()?;
                let (rows, equal) =
                    if are_new { (hits.new, hits.new_hits) } else { (hits.rows, hits.hits) };
                let (dataset, what) = (key.clone(), what.clone());
                Some(Refusal::Leak { dataset, what, rows, equal, are_new })
            })
        };
        truths.iter().enumerate().filter_map(in_dataset).collect()
    }

    fn count(&self, dataset: &str, truths: &[Truth], values: &[f64]) -> Hits {
        let mut all = Hits::default();
        for (part, first) in self.parts().filter(|(part, _)| part.dataset == dataset) {
            let Some(truth) = truths.get(part.split as usize) else { continue };
            let of_rows = truth.outcomes.y.iter().zip(&truth.is_new).zip(&values[first..]);
            for ((y, is_new), value) in of_rows {
                let (hit, new) = (usize::from(is_same_outcome(*value, *y)), usize::from(*is_new));
                all.rows += 1;
                all.hits += hit;
                all.new += new;
                all.new_hits += hit * new;
            }
        }
        all
    }
}
