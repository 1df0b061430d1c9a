//! Compare the candidates on the training rows of each fold alone, so that the rows which judge a
//! choice have no part in it.
//!
//! Scores that choose a method for a fold otherwise come from the other folds, whose models have
//! seen that fold's rows.

use rayon::ThreadPool;

use super::cost::expected_seconds;
use super::division::{Division, repetition, training_rows};
use super::evaluate::evaluate;
use super::stop::Stop;
use super::{Evaluation, Folding, Problem};
use crate::candidates::Candidate;
use crate::runner::progress::Progress;
use uq_core::Table;

/// Fewest training rows of a fold that are divided once more.
const FEWEST_ROWS: usize = 40;

/// How the training rows of a fold are divided: once, into few folds, because only a choice comes
/// of it.
fn folding(problem: &Problem) -> Folding {
    Folding { repeats: 1, ..problem.folding.with_fewer_folds() }
}

/// Number of fits of a method in the comparisons on the training rows of every fold.
pub fn fits_inside(problem: &Problem) -> u64 {
    problem.folding.folds * folding(problem).fits()
}

/// Processor time, in seconds, that comparisons on the training rows of every fold are expected to
/// take. `None` where they cannot be made or their cost is unknown: too few rows or groups, or a
/// method of unknown cost.
pub fn expected_seconds_inside(problem: &Problem, candidates: &[Candidate]) -> Option<f64> {
    if candidates.iter().any(|candidate| candidate.cost.is_none()) {
        return None;
    }
    let tables = training_tables(problem)?;
    let each = tables.iter().map(|table| expected_seconds(table, folding(problem), candidates, 1));
    Some(each.sum())
}

/// The training rows of each fold of the first division. `None` where those of one cannot be
/// divided once more.
fn training_tables(problem: &Problem) -> Option<Vec<Table>> {
    if training_rows(problem.table, problem.folding) < FEWEST_ROWS as f64 {
        return None;
    }
    let protocol = problem.division.protocol(problem.folding);
    let of_fold = |fold: u64| {
        let split = protocol.kind().divide(&repetition(problem.seed, fold), problem.table).ok()?;
        let table = problem.table.select(&split.train);
        (table.rows() >= FEWEST_ROWS && Division::of(&table).is_ok()).then_some(table)
    };
    (0..problem.folding.folds).map(of_fold).collect()
}

/// The comparison of the candidates on the training rows of each fold of the first division; none
/// where they cannot be divided or `stop` ends one.
pub fn evaluate_inside(
    problem: Problem,
    candidates: &[Candidate],
    pool: &ThreadPool,
    stop: &Stop,
    progress: &Progress,
) -> Vec<Evaluation> {
    let mut inside = Vec::new();
    for (fold, table) in training_tables(&problem).unwrap_or_default().iter().enumerate() {
        let Ok(division) = Division::of(table) else { return Vec::new() };
        let seed = problem.seed.wrapping_add(1 + fold as u64);
        let within = Problem {
            table,
            division,
            folding: folding(&problem),
            seed,
            categories: &[],
            stated: None,
            ..problem
        };
        let evaluation = evaluate(within, candidates, pool, stop, progress);
        if evaluation.aborted.is_some() {
            return Vec::new();
        }
        inside.push(evaluation);
    }
    inside
}
