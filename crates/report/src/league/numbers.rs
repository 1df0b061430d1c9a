//! Write every number of a board: a row for each entrant, and a row for each score.

use super::grid;
use crate::grid::Grid;
use crate::long_table::{LongTable, Values};
use crate::words::league::singular;
use uq_core::stats::digits::exact;
use uqbench_judge::evidence::brought::EntrantKind;
use uqbench_judge::evidence::field::{Field, Score};
use uqbench_judge::judgement::league::{Board, Standing};

/// The columns of an entrant, before its skill by dataset.
const HEAD: [&str; 36] = [
    "board",
    "kind",
    "method",
    "claimed",
    "#rank",
    "#best_rank_here",
    "#worst_rank_here",
    "behind_first_here",
    "#best_rank_elsewhere",
    "#worst_rank_elsewhere",
    "behind_first_elsewhere",
    "#skill",
    "#skill_low",
    "#skill_high",
    "#rank_with_worst",
    "#rank_on_common",
    "#best_rank_without_one",
    "#worst_rank_without_one",
    "#first_on_splits",
    "#better_than_first",
    "#worse_than_first",
    "#equivalent_to_first",
    "#undecided",
    "#untested",
    "#detectable",
    "#log_score_gain",
    "#interval_score_ratio",
    "#coverage",
    "#coverage_low",
    "#coverage_high",
    "#worst_coverage",
    "#cpu_seconds",
    "#stated_seconds",
    "#memory_bytes",
    "#failed_splits",
    "#splits",
];

/// A row for each entrant; those that are left out have no number.
pub(super) fn entrants(board: &Board) -> Grid {
    let skills = board.datasets.iter().map(|dataset| format!("#skill {}", dataset.block.key));
    let head = HEAD.iter().map(|head| (*head).to_owned()).chain(skills);
    let mut grid = grid(&head.collect::<Vec<_>>());
    for table in &board.tables {
        for one in table.ranked.iter().chain(&table.claimed) {
            let cells = named(board, table.kind, one.entrant).into_iter().chain(numbers(one));
            grid.push(cells.chain(one.by_dataset.iter().map(|skill| exact(Some(*skill)))));
        }
        for one in &table.unranked {
            let empty = grid.head.len() - 4;
            let cells = named(board, table.kind, one.entrant).into_iter();
            grid.push(cells.chain(std::iter::repeat_n(String::new(), empty)));
        }
    }
    grid
}

fn named(board: &Board, kind: EntrantKind, entrant: usize) -> [String; 4] {
    let entrant = &board.field.entrants[entrant];
    [
        board.league.board.clone(),
        singular(kind).into(),
        entrant.heading.clone(),
        entrant.brought.is_some().to_string(),
    ]
}

/// The numbers of an entrant.
fn numbers(one: &Standing) -> Vec<String> {
    let whole = |of: Option<usize>| of.map(|count| count.to_string()).unwrap_or_default();
    let (rank, against) = (one.rank.as_ref(), one.against_leader.as_ref());
    let (here, elsewhere) = (rank.and_then(|rank| rank.these), rank.map(|rank| rank.others));
    let without = rank.map(|rank| rank.stability.without_one).filter(|(best, _)| *best > 0);
    let besides = &one.besides;
    let coverage = besides.coverage.as_ref();
    vec![
        whole(rank.map(|rank| rank.rank)),
        whole(here.map(|sure| sure.set.best)),
        whole(here.map(|sure| sure.set.worst)),
        here.map(|sure| sure.is_behind_leader.to_string()).unwrap_or_default(),
        whole(elsewhere.map(|sure| sure.set.best)),
        whole(elsewhere.map(|sure| sure.set.worst)),
        elsewhere.map(|sure| sure.is_behind_leader.to_string()).unwrap_or_default(),
        exact(Some(one.skill)),
        exact(one.interval.map(|(low, _)| low)),
        exact(one.interval.map(|(_, high)| high)),
        whole(rank.map(|rank| rank.with_worst)),
        whole(rank.and_then(|rank| rank.on_common)),
        whole(without.map(|(best, _)| best)),
        whole(without.map(|(_, worst)| worst)),
        exact(rank.and_then(|rank| rank.stability.leads)),
        whole(against.map(|against| against.better)),
        whole(against.map(|against| against.worse)),
        whole(against.map(|against| against.equivalent)),
        whole(against.map(|against| against.undecided)),
        whole(against.map(|against| against.untested)),
        exact(against.and_then(|against| against.detectable)),
        exact(besides.log_score),
        exact(besides.interval_score),
        exact(coverage.map(|coverage| coverage.mean)),
        exact(coverage.and_then(|coverage| Some(coverage.interval?.0))),
        exact(coverage.and_then(|coverage| Some(coverage.interval?.1))),
        exact(coverage.map(|coverage| coverage.worst.coverage)),
        exact(besides.seconds),
        exact(besides.stated_seconds),
        besides.memory.map(|bytes| bytes.to_string()).unwrap_or_default(),
        one.failed.0.to_string(),
        one.failed.1.to_string(),
    ]
}

/// A row for each entrant, dataset, metric and split; none for a trial that has not run.
pub fn scores(field: &Field) -> LongTable {
    let (mut methods, mut claimed, mut datasets) = (Vec::new(), Vec::new(), Vec::new());
    let (mut metrics, mut splits) = (Vec::new(), Vec::new());
    let (mut values, mut outcomes) = (Vec::new(), Vec::new());
    for block in &field.blocks {
        for (at, metric) in field.metrics.iter().enumerate() {
            for (entrant, of) in field.entrants.iter().zip(block.scores(at)) {
                for (split, score) in of.into_iter().enumerate() {
                    let (value, outcome) = match score {
                        Score::Given(value) => (Some(value), "scored"),
                        Score::Undefined => (None, "undefined"),
                        Score::Failed => (None, "failed"),
                        Score::Absent => continue,
                    };
                    methods.push(Some(entrant.heading.clone()));
                    claimed.push(entrant.brought.is_some());
                    datasets.push(Some(block.key.clone()));
                    metrics.push(Some(metric.to_string()));
                    splits.push(Some(split as u64));
                    values.push(value);
                    outcomes.push(Some(outcome.to_owned()));
                }
            }
        }
    }
    let columns = [
        ("method", Values::Text(methods)),
        ("claimed", Values::Flag(claimed)),
        ("dataset", Values::Text(datasets)),
        ("metric", Values::Text(metrics)),
        ("split", Values::Whole(splits)),
        ("score", Values::Number(values)),
        ("outcome", Values::Text(outcomes)),
    ];
    let rows = match &columns[4].1 {
        Values::Whole(splits) => splits.len(),
        _ => 0,
    };
    LongTable::of_columns(rows, columns.map(|(name, of)| (name.to_owned(), of)).into())
}
