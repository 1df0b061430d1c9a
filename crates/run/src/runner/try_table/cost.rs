//! Say what a comparison is expected to take.

use super::blocks::{FEWEST_ROWS, problems_before_blocks, tables_before_blocks};
use super::division::training_rows;
use super::learners::{Learners, PlannedFit};
use super::{Division, Problem};
use crate::candidates::Candidate;
use uq_core::Table;

/// What fits are expected to take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expected {
    /// Number of fits.
    pub fits: u64,
    /// Processor time of those whose cost is known, in seconds.
    pub seconds: f64,
    /// That of the longest of them.
    pub longest: f64,
    /// Whether all costs are known.
    pub is_known: bool,
}

impl Expected {
    /// That of these fits.
    pub(super) fn of(fits: &[PlannedFit]) -> Self {
        let known = || fits.iter().filter_map(|fit| fit.seconds);
        Self {
            fits: fits.len() as u64,
            seconds: known().sum(),
            longest: known().fold(0.0, f64::max),
            is_known: known().count() == fits.len(),
        }
    }

    /// Both of them.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            fits: self.fits + other.fits,
            seconds: self.seconds + other.seconds,
            longest: self.longest.max(other.longest),
            is_known: self.is_known && other.is_known,
        }
    }

    /// Seconds on this number of threads; the longest fit runs on one of them.
    pub fn on(&self, threads: usize) -> f64 {
        (self.seconds / threads.max(1) as f64).max(self.longest)
    }
}

/// What a comparison of these candidates is expected to take, with or without comparisons on the
/// training rows of each fold alone.
pub fn expected(problem: &Problem, candidates: &[Candidate], inside: bool) -> Expected {
    let outside = Expected::of(&Learners::new(*problem, candidates).fits());
    let inside = inside.then(|| expected_inside(problem, candidates)).flatten();
    outside.and(inside.unwrap_or(Expected { is_known: true, ..Expected::default() }))
}

/// What the comparisons on the training rows of each fold alone are expected to take. `None` where
/// they cannot be made or their cost is unknown: too few rows or groups, too much memory, or a
/// method of unknown cost.
pub(super) fn expected_inside(problem: &Problem, candidates: &[Candidate]) -> Option<Expected> {
    if candidates.iter().any(|candidate| candidate.cost.is_none()) {
        return None;
    }
    if matches!(problem.division, Division::Blocks { .. }) {
        let tables = tables_before_blocks(problem)?;
        let each = problems_before_blocks(problem, &tables)?;
        let each = each.iter().map(|inside| expected(inside, candidates, false));
        return each.reduce(Expected::and);
    }
    let learners = Learners::new(*problem, candidates);
    can_divide_inside(problem, &learners).then(|| Expected::of(&learners.fits_inside()))
}

/// Whether the training rows of each fold are compared by the other folds.
pub(super) fn can_divide_inside(problem: &Problem, learners: &Learners) -> bool {
    let rows = problem.table.rows() as f64 * (1.0 - 2.0 / problem.folding.folds as f64);
    let has_stacks = !learners.members.is_empty();
    let is_calibrated = !has_stacks || rows >= Candidate::rows_to_calibrate(problem.bounds) as f64;
    training_rows(problem.table, problem.folding) >= FEWEST_ROWS as f64
        && is_calibrated
        && learners.fits_into_memory_inside()
}

/// Processor time, in seconds, that all fits of a candidate are expected to take where it is tried
/// alone; `None` where its cost is unknown.
pub fn expected_alone(problem: &Problem, candidate: &Candidate) -> Option<f64> {
    let expected = expected(problem, std::slice::from_ref(candidate), false);
    expected.is_known.then_some(expected.seconds)
}

/// Approximate seconds of one fit of all rows; `None` where nothing is known of the method's cost.
pub fn seconds_of_one(table: &Table, candidate: &Candidate) -> Option<f64> {
    candidate.cost.as_ref().map(|cost| cost(table.rows() as f64, table.columns() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::{CALIBRATED, candidates};
    use crate::runner::try_table::{Division, Folding};
    use ndarray::{Array1, Array2};
    use uq_core::predictive::{Bounds, Side};

    fn problem(table: &Table) -> Problem<'_> {
        Problem {
            table,
            division: Division::Rows,
            folding: Folding { folds: 5, repeats: 2 },
            discrete: false,
            bounds: Bounds { level: 0.9, side: Side::Both },
            seed: 1,
            categories: &[],
            stated: None,
        }
    }

    fn named(name: &str) -> Candidate {
        Candidate::named(name).unwrap()
    }

    #[test]
    fn a_method_costs_its_fits_and_an_unknown_cost_is_told() {
        let table = Table::unnamed(Array2::zeros((500, 3)), Array1::zeros(500));
        let problem = problem(&table);
        let all = candidates(&["linear-gaussian".into(), "quantile-forest".into()]).unwrap();
        let seconds: f64 =
            all.iter().map(|candidate| (candidate.cost.as_ref().unwrap())(400.0, 3.0)).sum();
        let found = expected(&problem, &all, false);
        assert_eq!((found.fits, found.is_known), (40, true));
        assert!((found.seconds - 10.0 * seconds).abs() < 1e-9);
        assert!((found.on(2) - 5.0 * seconds).abs() < 1e-9);
        assert_eq!(found.on(1000), found.longest);
        let forest = (all[3].cost.as_ref().unwrap())(400.0, 3.0);
        let alone = expected_alone(&problem, &all[3]).unwrap();
        assert!((alone - 10.0 * forest).abs() < 1e-9);
        let unknown = Candidate { cost: None, ..named("tree") };
        assert_eq!(expected_alone(&problem, &unknown), None);
        assert!(!expected(&problem, &[unknown], false).is_known);
    }

    /// Of two divisions into five folds: 10 fits without a fold, 20 without two, and of the first
    /// division 10 without three.
    #[test]
    fn members_are_fitted_once_for_all_stacks() {
        let table = Table::unnamed(Array2::zeros((500, 3)), Array1::zeros(500));
        let problem = problem(&table);
        let cost = named("tree").cost.unwrap();
        let seconds = 10.0 * cost(400.0, 3.0) + 20.0 * cost(300.0, 3.0) + 10.0 * cost(200.0, 3.0);
        let found = expected(&problem, &[named("calibrated-tree")], true);
        assert_eq!(found.fits, 40);
        assert!((found.seconds - seconds).abs() < 1e-9);
        let stack = expected(&problem, &[named("stack")], true);
        let names = ["ngboost", "boosting-quantiles", "deep-ensemble", "quantile-forest"];
        let calibrated = names.map(|name| named(&format!("{CALIBRATED}{name}")));
        let all: Vec<Candidate> = [named("stack")].into_iter().chain(calibrated).collect();
        assert_eq!(expected(&problem, &all, true), stack, "a stack has the same members");
        assert_eq!(stack.fits, 4 * 40);
    }

    #[test]
    fn stacks_whose_predictions_take_too_much_memory_are_fitted_by_themselves() {
        let large = Table::unnamed(Array2::zeros((600_000, 1)), Array1::zeros(600_000));
        let problem = Problem { folding: Folding { folds: 5, repeats: 1 }, ..problem(&large) };
        assert_eq!(expected(&problem, &[named("calibrated-tree")], false).fits, 5);
        let smaller = Table::unnamed(Array2::zeros((400_000, 1)), Array1::zeros(400_000));
        let problem = Problem { table: &smaller, ..problem };
        assert_eq!(expected(&problem, &[named("calibrated-tree")], false).fits, 15);
    }
}
