//! Tabulate means over the splits that all columns have, where a table of a benchmark has means
//! over different splits.

use super::cell::{self, Cell};
use super::table::{About, Table};
use crate::evidence::Results;
use crate::evidence::field::{Block, Field};
use crate::evidence::imputation::{Imputation, Imputed};
use crate::evidence::losses::Losses;
use uq_core::metrics::MetricId;
use uq_core::names::counted;
use uq_core::stats::Summary;

/// For each dataset on which some columns have splits that others lack: the means over the common
/// splits, and where failures make the difference, those with the worst score in place of each
/// failed repetition. `None` where all columns have the same splits.
pub(super) fn common_splits(results: &Results, metric: &MetricId) -> Option<Table> {
    if results.plan.benchmark.protocol.kind().splits_a_repetition() > 1 {
        // a repetition is a whole cross-validation: its splits are no scores of their own
        return None;
    }
    let all = Field::gather(std::slice::from_ref(results), &[*metric]);
    let field = all.only(&all.present());
    let numbers = field.entrants.iter().map(|entrant| format!("#{}", entrant.heading));
    let head = ["Dataset", "Splits"].map(str::to_owned).into_iter().chain(numbers);
    let mut table = Table::new(About::CommonSplits { metric: *metric }, head);
    let [dropped, worst] =
        [Imputation::Drop, Imputation::Worst].map(|rule| Losses::new(&field, &all, 0, &rule));
    for ((block, scores), (_, imputed)) in
        dropped.blocks.iter().zip(&worst.blocks).filter(|((_, s), _)| differ(s))
    {
        let common = dropped.common(scores, &scored(scores));
        table.push(row(
            block,
            format!("the {} that all have", counted(common.len(), "split")),
            scores,
            &common,
        ));
        if imputed.imputed.iter().any(|&imputed| imputed > 0) {
            let common = worst.common(imputed, &scored(imputed));
            let splits =
                format!("{}, with the worst score for failures", counted(common.len(), "split"));
            table.push(row(block, splits, imputed, &common));
        }
    }
    table.filled()
}

/// The columns with a score.
fn scored(scores: &Imputed) -> Vec<usize> {
    (0..scores.scores.len()).filter(|&at| scores.scores[at].iter().any(Option::is_some)).collect()
}

/// Whether one column with scores has a split that another one lacks.
fn differ(scores: &Imputed) -> bool {
    let mut has = scored(scores)
        .into_iter()
        .map(|at| scores.scores[at].iter().map(Option::is_some).collect::<Vec<bool>>());
    has.next().is_some_and(|first| has.any(|other| other != first))
}

fn row(block: &Block, splits: String, scores: &Imputed, common: &[usize]) -> Vec<Cell> {
    let cell = |at: usize| {
        let given: Vec<f64> = common
            .iter()
            .filter_map(|&split| scores.scores[at].get(split).copied().flatten())
            .collect();
        Cell::Imputed(cell::Imputed {
            summary: Summary::from_values(&given),
            imputed: scores.imputed[at],
        })
    };
    let names = [Cell::text(&block.heading), Cell::text(splits)];
    names.into_iter().chain((0..scores.scores.len()).map(cell)).collect()
}
