//! Read what an optimisation has found, and what its criteria chose.

use std::collections::BTreeMap;

use super::trials::EvidenceError;
use super::{Results, Series};
use uq_core::stats::Summary;
use uq_math::mixing::LARGEST_R_HAT;
use uq_methods::side_tables::Evaluations;
use uqbench_run::benchmark::DatasetRow;
use uqbench_run::runner::store::Store;

/// The column with these labels after the last evaluation on a dataset, a main one before a
/// variant.
pub fn at_end<'a>(
    results: &'a Results,
    dataset: &DatasetRow,
    labels: &BTreeMap<String, String>,
) -> Option<Series<'a>> {
    let selected = |series: &Series| {
        series.dataset.key == dataset.key
            && series.dataset.variant == dataset.variant
            && series.has_labels(labels)
    };
    let mut found: Vec<Series> = results.series().into_iter().filter(selected).collect();
    let main = found.iter().any(|series| series.method.variant.is_none());
    found.retain(|series| !main || series.method.variant.is_none());
    found.into_iter().max_by(|a, b| a.column.x.unwrap_or(0.0).total_cmp(&b.column.x.unwrap_or(0.0)))
}

/// Every evaluation of an acquisition in each finished repetition.
///
/// # Errors
/// [`EvidenceError`] where side tables cannot be read.
pub fn evaluations(
    series: &Series,
    acquisition: &str,
    store: &Store,
) -> Result<Vec<Evaluations>, EvidenceError> {
    let mut found = Vec::new();
    for result in series.finished() {
        let tables = store.side_tables(result, |name| name == Evaluations::by(acquisition))?;
        found.extend(tables.iter().filter_map(Evaluations::from_table));
    }
    Ok(found)
}

/// Of each repetition's choices that asked for it, the share in which the entropy and its lower
/// bound prefer the same candidate.
///
/// # Errors
/// As [`evaluations`].
pub fn shares_of_same_choice(
    series: &Series,
    acquisition: &str,
    store: &Store,
) -> Result<Vec<f64>, EvidenceError> {
    Ok(evaluations(series, acquisition, store)?
        .iter()
        .filter_map(|all| share(&all.agrees, |agrees| agrees == 1.0))
        .collect())
}

/// Of each repetition's evaluations after the start that have constraints, the share that violates
/// none.
///
/// # Errors
/// As [`evaluations`].
pub fn shares_of_feasible(
    series: &Series,
    acquisition: &str,
    store: &Store,
) -> Result<Vec<f64>, EvidenceError> {
    let of_one = |all: &Evaluations| {
        let chosen: Vec<f64> = all
            .constraint
            .iter()
            .zip(&all.evaluation)
            .filter(|(_, i)| **i > 0.0)
            .map(|(g, _)| *g)
            .collect();
        share(&chosen, |constraint| constraint <= 0.0)
    };
    Ok(evaluations(series, acquisition, store)?.iter().filter_map(of_one).collect())
}

/// Of each repetition's evaluations after the start, the mean share of inputs that lie within 1 %
/// of a side of the cube.
///
/// # Errors
/// As [`evaluations`].
pub fn shares_at_sides(
    series: &Series,
    acquisition: &str,
    store: &Store,
) -> Result<Vec<f64>, EvidenceError> {
    let of_one = |all: &Evaluations| {
        let chosen: Vec<f64> = all
            .at_sides
            .iter()
            .zip(&all.evaluation)
            .filter(|(_, i)| **i > 0.0)
            .map(|(share, _)| *share)
            .collect();
        Summary::from_values(&chosen).map(|summary| summary.mean)
    };
    Ok(evaluations(series, acquisition, store)?.iter().filter_map(of_one).collect())
}

/// Of each repetition's choices by a model with chains, the share in which these have not mixed.
///
/// # Errors
/// As [`evaluations`].
pub fn shares_of_unmixed(
    series: &Series,
    acquisition: &str,
    store: &Store,
) -> Result<Vec<f64>, EvidenceError> {
    let of_one = |all: &Evaluations| share(&all.r_hat, |r_hat| r_hat > LARGEST_R_HAT);
    Ok(evaluations(series, acquisition, store)?.iter().filter_map(of_one).collect())
}

/// Of the numbers that are not NaN, the share that satisfies `holds`; `None` where there is none.
fn share(numbers: &[f64], holds: impl Fn(f64) -> bool) -> Option<f64> {
    let known: Vec<f64> = numbers.iter().copied().filter(|number| !number.is_nan()).collect();
    (!known.is_empty())
        .then(|| known.iter().filter(|number| holds(**number)).count() as f64 / known.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn unknown_numbers_do_not_count() {
        assert_eq!(share(&[f64::NAN, 1.0, 0.0, 1.0, f64::NAN], |x| x == 1.0), Some(2.0 / 3.0));
        assert_eq!(share(&[f64::NAN], |x| x == 1.0), None);
    }
}
