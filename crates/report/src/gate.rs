//! Tabulate what a run changed against blessed scores.

use super::grid::Grid;
use super::section::Section;
use super::words::gate::CHANGED;
use uq_core::stats::digits::{NONE, compared, number};
use uqbench_judge::judgement::baseline::Verdicts;
use uqbench_judge::judgement::change::Change;

/// The columns that got worse, and those that changed otherwise, as tables.
pub fn sections(verdicts: &Verdicts) -> Vec<Section> {
    let worse = |change: Change| change.is_worse();
    // A column that is new is counted, and has nothing to be compared with.
    let other =
        |change: Change| !change.is_worse() && !matches!(change, Change::Same | Change::Found);
    let tables =
        [table(verdicts, "What got worse", worse), table(verdicts, "What else changed", other)];
    tables.into_iter().flatten().collect()
}

fn table(verdicts: &Verdicts, title: &str, wanted: impl Fn(Change) -> bool) -> Option<Section> {
    let mut rows: Vec<_> =
        verdicts.rows.iter().filter(|(_, _, judged)| wanted(judged.change)).collect();
    rows.sort_by_key(|(_, _, judged)| judged.change);
    let mut grid = Grid::new(&[
        "Change",
        "Benchmark",
        "Dataset",
        "Column",
        "Metric",
        "#n",
        "#Before",
        "#Now",
        "#Gain",
        "#p",
    ]);
    for (cell, pair, judged) in rows {
        let mean = |scores: &[Option<f64>]| {
            let given: Vec<f64> = scores.iter().flatten().copied().collect();
            let mean = given.iter().sum::<f64>() / given.len() as f64;
            if given.is_empty() { NONE.into() } else { compared(mean) }
        };
        let gain = judged.gain.map(|gain| gain.summary);
        grid.push(vec![
            judged.change.word().into(),
            cell.benchmark.clone(),
            cell.dataset.clone(),
            cell.column.clone(),
            cell.metric.to_string(),
            judged.n.to_string(),
            mean(&pair.old),
            mean(&pair.new),
            gain.map_or(NONE.into(), |gain| number(gain.mean, gain.standard_error())),
            gain.and_then(|gain| gain.p_value()).map_or(NONE.into(), |p| format!("{p:.4}")),
        ]);
    }
    (!grid.rows.is_empty()).then(|| Section { title: title.into(), grid, note: CHANGED.into() })
}
