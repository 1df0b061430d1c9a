//! Tabulate means over the splits that all columns have, where a table of a benchmark has means over different splits.

use super::comparison::failures::{legend, mark};
use super::grid::{Grid, counted};
use super::section::Section;
use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uq_core::stats::digits::{NONE, mean_and_spread};
use uqbench_judge::evidence::Results;
use uqbench_judge::evidence::field::{Block, Field};
use uqbench_judge::evidence::imputation::{Imputation, Imputed};
use uqbench_judge::evidence::losses::Losses;

/// For each dataset on which some columns have splits that others lack: the means over the common splits, and where failures make
/// the difference, those with the worst score in place of each failed repetition. `None` where all columns have the same splits.
pub fn section(results: &Results, metric: &MetricId) -> Option<Section> {
    if results.plan.benchmark.protocol.kind().splits_a_repetition() > 1 {
        return None; // a repetition is a whole cross-validation: its splits are no scores of their own
    }
    let all = Field::gather(std::slice::from_ref(results), &[*metric]);
    let field = all.only(&all.present());
    let head: Vec<String> = field.entrants.iter().map(|entrant| format!("#{}", entrant.heading)).collect();
    let head: Vec<&str> = ["Dataset", "Splits"].into_iter().chain(head.iter().map(String::as_str)).collect();
    let mut grid = Grid::new(&head);
    let [dropped, worst] = [Imputation::Drop, Imputation::Worst].map(|rule| Losses::new(&field, &all, 0, &rule));
    for ((block, scores), (_, imputed)) in dropped.blocks.iter().zip(&worst.blocks).filter(|((_, s), _)| differ(s)) {
        let common = dropped.common(scores, &scored(scores));
        grid.push(row(block, format!("the {} that all have", counted(common.len(), "split")), scores, &common));
        if imputed.imputed.iter().any(|&imputed| imputed > 0) {
            let common = worst.common(imputed, &scored(imputed));
            let splits = format!("{}, with the worst score for failures", counted(common.len(), "split"));
            grid.push(row(block, splits, imputed, &common));
        }
    }
    let note = format!(
        "Mean ± standard deviation over the same splits in each row; columns without any score are left out. {}",
        legend(&Imputation::Worst)
    );
    (!grid.rows.is_empty()).then(|| Section { title: format!("{}: on common splits", metric.label()), grid, note })
}

/// The columns with a score.
fn scored(scores: &Imputed) -> Vec<usize> {
    (0..scores.scores.len()).filter(|&at| scores.scores[at].iter().any(Option::is_some)).collect()
}

/// Whether one column with scores has a split that another one lacks.
fn differ(scores: &Imputed) -> bool {
    let mut has =
        scored(scores).into_iter().map(|at| scores.scores[at].iter().map(Option::is_some).collect::<Vec<bool>>());
    has.next().is_some_and(|first| has.any(|other| other != first))
}

fn row(block: &Block, splits: String, scores: &Imputed, common: &[usize]) -> Vec<String> {
    let cell = |at: usize| {
        let given: Vec<f64> =
            common.iter().filter_map(|&split| scores.scores[at].get(split).copied().flatten()).collect();
        let mean = Summary::of(&given).map_or(NONE.into(), |summary| mean_and_spread(Some(summary.mean), summary.sd));
        let imputed = Imputed { failed: scores.imputed.clone(), ..scores.clone() };
        mean + &mark(&imputed, at)
    };
    [block.heading.clone(), splits].into_iter().chain((0..scores.scores.len()).map(cell)).collect()
}
