//! Compare our scores by split with the authors' own, to find out whether both have the same splits
//! in the same order.
//!
//! A split with hard test rows is hard for both programs, so that their scores correlate over
//! splits. They do not where the splits differ, or where one list has another order. Then nothing
//! may be paired.

use super::results::{Results, Series};
use uq_core::stats::correlation::correlation;
use uqbench_run::benchmark::{Pairing, Published};

/// Fewest common splits that are correlated.
const FEWEST: usize = 3;

/// The correlation of our scores with the authors' on each of the datasets that decide whether a
/// column is paired.
#[derive(Clone, Debug, PartialEq)]
pub struct RowOrder {
    /// Heading of each dataset with its correlation; `None` where it is not known, because a list
    /// is missing. Those that decide come first, then those that are only shown.
    pub correlations: Vec<(String, Option<f64>)>,
    /// Whether each of those that decide exceeds the bound.
    pub is_same: bool,
}

impl RowOrder {
    /// The correlations of a column.
    pub fn of(
        results: &Results,
        published: &Published,
        column: &Series,
        pairing: &Pairing,
    ) -> Self {
        let benchmark = &results.plan.benchmark;
        let name = benchmark
            .metrics
            .iter()
            .find(|row| row.id == pairing.metric)
            .and_then(|row| row.published.as_ref());
        let all = results.series();
        let on = |key: &String| {
            let dataset = benchmark.datasets.iter().find(|row| row.key == *key);
            let heading = dataset.map_or(key.clone(), |row| row.heading.clone());
            let same =
                |s: &&Series| s.dataset.key == *key && s.column.labels == column.column.labels;
            let found = all.iter().filter(same).find(|s| s.variant() == column.variant()).and_then(
                |series| {
                    let cell =
                        published.cell(dataset?.printed_name(), name?, &series.column.labels)?;
                    common(&series.split_values(&pairing.metric), &cell.splits)
                },
            );
            (heading, found)
        };
        let mut order = Self::judged(pairing.datasets.iter().map(on).collect(), pairing.above);
        order.correlations.extend(pairing.shown.iter().map(on));
        order
    }

    fn judged(correlations: Vec<(String, Option<f64>)>, above: f64) -> Self {
        let is_same =
            correlations.iter().all(|(_, found)| found.is_some_and(|found| found > above));
        Self { correlations, is_same }
    }
}

/// The correlation over the splits that both lists have.
fn common(ours: &[Option<f64>], theirs: &[f64]) -> Option<f64> {
    let (a, b): (Vec<f64>, Vec<f64>) =
        ours.iter().zip(theirs).filter_map(|(a, b)| Some(((*a)?, *b))).unzip();
    (a.len() >= FEWEST).then(|| correlation(&a, &b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dataset_must_exceed_the_bound() {
        let judged = |found: [Option<f64>; 3]| {
            RowOrder::judged(found.into_iter().map(|value| ("d".into(), value)).collect(), 0.8)
                .is_same
        };
        assert!(judged([Some(0.81), Some(0.9), Some(1.0)]));
        assert!(!judged([Some(0.8), Some(0.9), Some(1.0)]), "not above it");
        assert!(!judged([Some(0.9), None, Some(0.9)]), "not known");
    }

    #[test]
    fn only_splits_that_both_have_are_correlated() {
        let ours = [Some(1.0), None, Some(2.0), Some(4.0)];
        assert!((common(&ours, &[2.0, 9.0, 4.0, 8.0]).unwrap() - 1.0).abs() < 1e-15);
        assert_eq!(common(&ours, &[2.0, 9.0, 4.0]), None, "two common splits");
        assert_eq!(common(&ours, &[]), None);
    }
}
