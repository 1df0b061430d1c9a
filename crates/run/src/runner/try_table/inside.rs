//! Compare the candidates on the training rows of each fold alone, so that the rows which judge a
//! choice have no part in it.
//!
//! Scores that choose a method for a fold otherwise come from the other folds, whose models have
//! seen that fold's rows. Only the choice comes of these comparisons, so that methods which cannot
//! be chosen any more are fitted no further ([`super::race`]).

use rayon::ThreadPool;

use super::cost::{expected_seconds, work_of_folds};
use super::division::{Division, repetition, training_rows};
use super::evaluate::{Comparison, Scored, Task, in_order};
use super::race::staying;
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

/// Largest number of fits of a method in the comparisons on the training rows of every fold.
pub fn fits_inside(problem: &Problem) -> u64 {
    problem.folding.folds * folding(problem).fits()
}

/// Processor time, in seconds, that comparisons on the training rows of every fold are expected to
/// take at most. `None` where they cannot be made or their cost is unknown: too few rows or groups, or a
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
/// where they cannot be divided or `stop` ends one. Methods that cannot be chosen any more are no
/// part of it.
pub fn evaluate_inside(
    problem: Problem,
    candidates: &[Candidate],
    pool: &ThreadPool,
    stop: &Stop,
    progress: &Progress,
) -> Vec<Evaluation> {
    let tables = training_tables(&problem).unwrap_or_default();
    let within = |(fold, table)| {
        Some(Problem {
            table,
            division: Division::of(table).ok()?,
            folding: folding(&problem),
            seed: problem.seed.wrapping_add(1 + fold as u64),
            categories: &[],
            stated: None,
            ..problem
        })
    };
    let Some(problems) = tables.iter().enumerate().map(within).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let comparisons: Vec<Comparison> =
        problems.into_iter().map(|problem| Comparison::new(problem, candidates)).collect();
    let mut races: Vec<Race> = comparisons.iter().map(Race::new).collect();
    for fold in 0..folding(&problem).fits() {
        let mut tasks: Vec<(usize, Task)> = races
            .iter()
            .enumerate()
            .flat_map(|(place, race)| race.tasks(fold).map(move |task| (place, task)))
            .collect();
        // The longest fits first, so that no thread waits for one at the end of a fold.
        tasks.sort_by(|a, b| b.1.work.total_cmp(&a.1.work));
        let fit = |(place, task): &(usize, Task)| comparisons[*place].fit(task, stop, progress);
        for ((place, task), scored) in tasks.iter().zip(in_order(pool, &tasks, fit)) {
            races[*place].folds[task.candidate].push(scored);
        }
        // Of comparisons that a spent budget cuts, nothing is used.
        if stop.cause().is_some() {
            return Vec::new();
        }
        races.iter_mut().for_each(|race| race.end_fits(progress));
    }
    let evaluations: Vec<Evaluation> = races.into_iter().map(|race| race.end(stop)).collect();
    let is_whole = evaluations.iter().all(|evaluation| evaluation.aborted.is_none());
    if is_whole { evaluations } else { Vec::new() }
}

/// A comparison that ends fits of methods that cannot be chosen any more.
struct Race<'a> {
    comparison: &'a Comparison<'a>,
    /// Which candidates are in it.
    in_it: Vec<bool>,
    folds: Vec<Vec<Scored>>,
    /// The expected work of a fit of each candidate, in seconds.
    work: Vec<f64>,
}

impl<'a> Race<'a> {
    fn new(comparison: &'a Comparison) -> Self {
        let Problem { table, folding, .. } = comparison.problem;
        let count = comparison.candidates.len();
        Self {
            comparison,
            in_it: vec![true; count],
            folds: (0..count).map(|_| Vec::new()).collect(),
            work: work_of_folds(table, folding, comparison.candidates).0,
        }
    }

    /// The fits of a fold.
    fn tasks(&self, fold: u64) -> impl Iterator<Item = Task> {
        let contenders = self.in_it.iter().enumerate().filter(|(_, in_it)| **in_it);
        contenders.map(move |(candidate, _)| Task { candidate, fold, work: self.work[candidate] })
    }

    /// Takes out who cannot be chosen any more; the fits that are not made count as done.
    fn end_fits(&mut self, progress: &Progress) {
        let Comparison { problem, candidates, .. } = self.comparison;
        let stay = staying(candidates, &self.in_it, &self.folds, problem.bounds);
        for (candidate, stays) in stay.iter().enumerate() {
            if self.in_it[candidate] && !stays {
                let left = problem.folding.fits() as usize - self.folds[candidate].len();
                (0..left).for_each(|_| progress.advance(self.work[candidate]));
            }
        }
        self.in_it = stay;
    }

    /// The evaluation of those that are in it to the end.
    fn end(self, stop: &Stop) -> Evaluation {
        let folds = self.folds.into_iter().zip(self.in_it);
        let folds = folds.map(|(folds, in_it)| in_it.then_some(folds)).collect();
        self.comparison.evaluation(folds, stop)
    }
}
