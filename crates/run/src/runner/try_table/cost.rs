//! Say what fits are expected to take.

use super::{Folding, training_rows};
use crate::candidates::Candidate;
use uq_core::Table;

/// Approximate seconds of a fit of one fold; `None` where nothing is known of the method's cost.
pub fn seconds_of_fold(table: &Table, folding: Folding, candidate: &Candidate) -> Option<f64> {
    candidate.cost.as_ref().map(|cost| cost(training_rows(table, folding), table.columns() as f64))
}

/// Approximate seconds of one fit of all rows; `None` where nothing is known of the method's cost.
pub fn seconds_of_one(table: &Table, candidate: &Candidate) -> Option<f64> {
    candidate.cost.as_ref().map(|cost| cost(table.rows() as f64, table.columns() as f64))
}

/// Approximate seconds of all fits of these candidates on `threads` threads, as far as their cost
/// is known.
pub fn expected_seconds(
    table: &Table,
    folding: Folding,
    candidates: &[Candidate],
    threads: usize,
) -> f64 {
    let fits = candidates.iter().filter_map(|candidate| seconds_of_fold(table, folding, candidate));
    let times = folding.fits() as f64;
    // The longest fit runs on one thread.
    let (all, longest) =
        fits.fold((0.0, 0.0_f64), |(sum, longest), fit| (sum + fit * times, longest.max(fit)));
    (all / threads.max(1) as f64).max(longest)
}

/// The expected work of a fit of one fold of each candidate, in seconds, and whether all of it is
/// known: what is unknown counts as the mean of what is known.
pub fn work_of_folds(
    table: &Table,
    folding: Folding,
    candidates: &[Candidate],
) -> (Vec<f64>, bool) {
    let costs: Vec<Option<f64>> =
        candidates.iter().map(|candidate| seconds_of_fold(table, folding, candidate)).collect();
    let known: Vec<f64> = costs.iter().flatten().copied().collect();
    let mean = if known.is_empty() { 1.0 } else { known.iter().sum::<f64>() / known.len() as f64 };
    (costs.iter().map(|cost| cost.unwrap_or(mean)).collect(), known.len() == costs.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::candidates;
    use ndarray::{Array1, Array2};

    #[test]
    fn work_is_what_a_fit_costs_and_the_mean_where_that_is_unknown() {
        let table = Table::unnamed(Array2::zeros((500, 3)), Array1::zeros(500));
        let five = Folding { folds: 5, repeats: 1 };
        let mut all = candidates(&["linear-gaussian".into(), "quantile-forest".into()]).unwrap();
        let (work, is_known) = work_of_folds(&table, five, &all);
        let cost = |candidate: &Candidate| (candidate.cost.as_ref().unwrap())(400.0, 3.0);
        assert_eq!((work, is_known), (all.iter().map(cost).collect::<Vec<_>>(), true));
        let sum: f64 = all.iter().map(cost).sum();
        assert!(
            (expected_seconds(&table, Folding { folds: 5, repeats: 2 }, &all, 1) - 10.0 * sum)
                .abs()
                < 1e-9
        );
        // 333 of 500 rows.
        let three = seconds_of_fold(&table, Folding { folds: 3, repeats: 2 }, &all[3]);
        assert_eq!(three, Some((all[3].cost.as_ref().unwrap())(333.0, 3.0)));
        let forest = cost(&all[3]);
        all.truncate(3);
        all.push(Candidate { cost: None, ..candidates(&["tree".into()]).unwrap().remove(2) });
        let (work, is_known) = work_of_folds(&table, five, &all);
        assert!(!is_known && forest > work[3]);
        assert!((work[3] - work[..3].iter().sum::<f64>() / 3.0).abs() < 1e-15);
        assert_eq!(work_of_folds(&table, five, &all[3..]), (vec![1.0], false));
    }
}
