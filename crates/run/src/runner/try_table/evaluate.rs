//! Compare the candidates on every fold, and on the training rows of each fold alone, so that the rows
//! which judge a choice have no part in it.
//!
//! Scores that choose a method for a fold otherwise come from the other folds, whose models have
//! seen that fold's rows. Here they come from models that have not: in each other fold the methods
//! are compared by fits without both folds, which serve both.

use ndarray::{Axis, Slice};
use rayon::ThreadPool;

use super::blocks::{problems_before_blocks, tables_before_blocks};
use super::comparison::{Comparison, tried};
use super::cost::can_divide_inside;
use super::held_out::HeldOut;
use super::stop::{Aborted, Stop};
use super::{Division, Evaluation, Problem, Tried};
use crate::candidates::Candidate;
use crate::runner::progress::Progress;
use uq_core::Table;
use uq_core::stats::order::Order;
use uqbench_data::own::{RowGroup, regions};
use uqbench_data::splits::clusters;

/// Compares the candidates on every fold, and, if `inside`, on the training rows of each fold of the
/// first division alone, where these can be divided. One fit runs on each thread of `pool` at a
/// time. The scores do not depend on the number of threads. A method that fails does not affect
/// other methods; one that `stop` has left without a fold is no part of the comparison. What a
/// budget has left out is known to the plan, and not added here.
pub fn evaluate(
    problem: Problem,
    candidates: &[Candidate],
    inside: bool,
    pool: &ThreadPool,
    stop: &Stop,
    progress: &Progress,
) -> Evaluation {
    let mut comparison = match Comparison::new(problem, candidates) {
        Ok(comparison) => comparison,
        Err(why) => {
            let failed = |candidate| tried(problem, candidate, Err(why.clone()));
            let methods = candidates.iter().map(failed).collect();
            return Evaluation { methods, ..Evaluation::without_methods(problem) };
        }
    };
    comparison.make(comparison.learners.fits(), pool, stop, progress);
    let mut evaluation = comparison.evaluation(pool, stop);
    if !inside || evaluation.aborted.is_some() {
        return evaluation;
    }
    if matches!(problem.division, Division::Blocks { .. }) {
        evaluation.inside = evaluate_blocks_inside(problem, candidates, pool, stop, progress);
    } else if can_divide_inside(&problem, &comparison.learners) {
        comparison.make(comparison.learners.fits_inside(), pool, stop, progress);
        // Of comparisons that a spent budget cuts, nothing is used.
        if stop.cause().is_none() {
            evaluation.inside = comparison.inside(pool);
        }
    }
    evaluation
}

/// For each block in time the methods on the rows before it alone, these divided into blocks; none
/// where they cannot be divided or `stop` ends one.
fn evaluate_blocks_inside(
    problem: Problem,
    candidates: &[Candidate],
    pool: &ThreadPool,
    stop: &Stop,
    progress: &Progress,
) -> Vec<Vec<Tried>> {
    let tables = tables_before_blocks(&problem).unwrap_or_default();
    let of_block = |inside: Problem| {
        let evaluation = evaluate(inside, candidates, false, pool, stop, progress);
        (evaluation.aborted.is_none() && stop.cause().is_none()).then_some(evaluation.methods)
    };
    let problems = problems_before_blocks(&problem, &tables).unwrap_or_default();
    problems.into_iter().map(of_block).collect::<Option<_>>().unwrap_or_default()
}

impl Comparison<'_> {
    /// The evaluation of all folds.
    fn evaluation(&self, pool: &ThreadPool, stop: &Stop) -> Evaluation {
        let problem = self.problem;
        let folding = problem.folding;
        let folds: Vec<(HeldOut, usize)> = (0..folding.fits() as usize)
            .map(|fit| (fit / folding.folds as usize, fit % folding.folds as usize))
            .map(|(division, fold)| (HeldOut::fold(division, fold), fold))
            .collect();
        let (methods, unfinished) = self.tried(&folds, pool);
        let cause = stop.cause().filter(|_| !unfinished.is_empty());
        Evaluation {
            aborted: cause.map(|cause| Aborted { cause, unfinished }),
            methods,
            log_score: self.log_score(),
            ..Evaluation::without_methods(problem)
        }
    }

    /// For each fold of the first division the methods in the other folds, by fits that have seen
    /// neither. None where one was stopped.
    fn inside(&self, pool: &ThreadPool) -> Vec<Vec<Tried>> {
        let folds = self.divided.folds();
        let of_fold = |fold: usize| {
            let others = (0..folds).filter(|other| *other != fold);
            let folds: Vec<(HeldOut, usize)> =
                others.map(|other| (HeldOut::fold(0, fold).and(other), other)).collect();
            let (mut methods, unfinished) = self.tried(&folds, pool);
            // A choice needs no single rows.
            for fold in methods.iter_mut().flat_map(|tried| tried.folds.iter_mut().flatten()) {
                fold.rows = Vec::new();
                fold.pit = None;
            }
            unfinished.is_empty().then_some(methods)
        };
        (0..folds).map(of_fold).collect::<Option<_>>().unwrap_or_default()
    }
}

impl Evaluation {
    /// What is known of a comparison before its methods are.
    fn without_methods(problem: Problem) -> Self {
        let table = problem.table;
        Self {
            bounds: problem.bounds,
            division: problem.division,
            folding: problem.folding,
            log_score: None,
            smallest: table.target.iter().copied().fold(f64::INFINITY, f64::min),
            order: Order::test(&table.target.to_vec()),
            kinds: [problem.categories, &regions_of_tested(table, problem.division)].concat(),
            stated: problem.stated.cloned(),
            clusters: clusters(table),
            inside: Vec::new(),
            left_out: Vec::new(),
            calibrated_by: None,
            slab: None,
            aborted: None,
            methods: Vec::new(),
        }
    }
}

/// The regions of the rows that are tested: rows before the first block in time are not, and would
/// leave regions with few rows.
fn regions_of_tested(table: &Table, division: Division) -> Vec<RowGroup> {
    let start = match division {
        Division::Blocks { start } => start,
        Division::Rows
        | Division::Grouped { .. }
        | Division::Repeated { .. }
        | Division::Groups { .. } => 0,
    };
    let mut regions =
        regions(table.features.slice_axis(Axis(0), Slice::from(start..)), &table.feature_names);
    regions.iter_mut().flat_map(|region| &mut region.rows).for_each(|row| *row += start);
    regions
}
