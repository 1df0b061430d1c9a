//! Judge code that somebody else has run on splits of a seed of its own, beside methods of the
//! board on the same splits.

use super::table::Standing;
use super::{Board, Counted, NoBoard, judge};
use crate::evidence::brought::EntrantKind;
use crate::evidence::field::Field;
use uq_methods::anchors::ANCHORS;
use uqbench_run::benchmark::Benchmark;

/// What code has shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Rerun {
    /// Its name and version.
    pub heading: String,
    /// What it is.
    pub kind: EntrantKind,
    /// 1 less the geometric mean over datasets of its loss ratios.
    pub skill: f64,
    /// Number of splits on which it failed, and of all of them.
    pub failed: (usize, usize),
    /// The methods that ran beside it, with their skills on the same splits.
    pub yardsticks: Vec<(String, f64)>,
    /// What it has shown on each dataset.
    pub datasets: Vec<OnDataset>,
}

/// What code has shown on a dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct OnDataset {
    /// The dataset's heading.
    pub heading: String,
    /// Number of splits.
    pub splits: usize,
    /// Its mean loss.
    pub loss: f64,
    /// The mean loss of the reference, which ignores the features.
    pub reference_loss: f64,
    /// 1 less its loss divided by that of the reference.
    pub skill: f64,
    /// Number of splits on which it failed. They have the loss of the reference.
    pub failed: usize,
    /// The skills of the methods that ran beside it.
    pub yardsticks: Vec<f64>,
}

/// Judges the code with this heading. `field` has the scores on its splits, by the metrics of
/// `benchmark`, in its order.
///
/// # Errors
/// As [`judge`]; [`NoBoard::NoTrial`] also where the code has no trial.
pub fn judge_rerun(field: &Field, benchmark: &Benchmark, heading: &str) -> Result<Rerun, NoBoard> {
    let board = judge(field, benchmark, &[], &[])?;
    let find = |heading: &str| find(&board, heading);
    let no_trial = || NoBoard::NoTrial { board: benchmark.id.clone() };
    let (kind, own) = find(heading).ok_or_else(no_trial)?;
    let is_anchor = |heading: &str| ANCHORS.iter().any(|(_, anchor)| *anchor == heading);
    let beside = field.entrants.iter().map(|entrant| entrant.heading.as_str());
    let yardsticks: Vec<&Standing> = beside
        .filter(|other| *other != heading && !is_anchor(other))
        .filter_map(|other| find(other).map(|(_, standing)| standing))
        .collect();
    let on_dataset = |(at, dataset): (usize, &Counted)| OnDataset {
        heading: dataset.block.heading.clone(),
        splits: dataset.splits,
        loss: dataset.reference_loss * (1.0 - own.by_dataset[at]),
        reference_loss: dataset.reference_loss,
        skill: own.by_dataset[at],
        failed: own.failed_on[at],
        yardsticks: yardsticks.iter().map(|one| one.by_dataset[at]).collect(),
    };
    Ok(Rerun {
        heading: heading.to_owned(),
        kind,
        skill: own.skill,
        failed: own.failed,
        yardsticks: yardsticks.iter().map(|one| (one.heading.clone(), one.skill)).collect(),
        datasets: board.datasets.iter().enumerate().map(on_dataset).collect(),
    })
}

/// The entrant with this heading.
fn find<'a>(board: &'a Board, heading: &str) -> Option<(EntrantKind, &'a Standing)> {
    board.tables.iter().find_map(|table| {
        let found = table.ranked.iter().find(|one| one.heading == heading)?;
        Some((table.kind, found))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::find as find_board;

    /// Losses of Ridge, of code and of the reference on two datasets with two splits each; the code
    /// failed on one of the four.
    fn field(board: &Benchmark) -> Field {
        let names = ["Ridge", "mine 1", "Unconditional quantiles"].map(str::to_owned);
        let metrics: Vec<_> = board.metrics.iter().map(|row| row.id).collect();
        let mut field = Field::default();
        for (key, own) in [("boston", [Some(0.5), Some(0.5)]), ("yacht", [Some(1.0), None])] {
            let losses = [[Some(1.0); 2], own, [Some(2.0); 2]].map(Vec::from).to_vec();
            let mut all = vec![vec![vec![None; 2]; names.len()]; metrics.len()];
            all[0] = losses;
            let one = Field::of_scores(key, &names, &metrics, all, Vec::new(), 0.1);
            field.blocks.extend(one.blocks);
            (field.metrics, field.entrants) = (one.metrics, one.entrants);
        }
        field
    }

    #[test]
    fn code_stands_beside_yardsticks_on_the_same_splits() {
        let board = find_board("league-standard").unwrap();
        let field = field(&board);
        let found = judge_rerun(&field, &board, "mine 1").unwrap();
        assert_eq!((found.kind, found.failed), (EntrantKind::Model, (1, 4)));
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        let [boston, yacht] = &found.datasets[..] else { panic!("{found:?}") };
        near(boston.skill, 0.75);
        // A failed split has the loss of the reference.
        near(yacht.loss, 1.5);
        near(yacht.reference_loss, 2.0);
        assert_eq!((boston.failed, yacht.failed, yacht.splits), (0, 1, 2));
        near(found.skill, 1.0 - (0.25_f64 * 0.75).sqrt());
        let [(name, skill)] = &found.yardsticks[..] else { panic!("{found:?}") };
        assert_eq!(name, "Ridge");
        near(*skill, 0.5);
        near(yacht.yardsticks[0], 0.5);
        assert!(judge_rerun(&field, &board, "other 1").is_err());
    }
}
