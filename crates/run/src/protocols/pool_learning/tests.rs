//! Pool learning on toys whose best choice is known.

use ndarray::{Array1, Array2};
use rand::RngExt;

use super::super::{
    Acquisition, Observed, PoolLearning, Protocol, Repetition, RowSubset, ScoreUnits, Setting,
    Source, run,
};
use super::*;
use crate::registry;
use uq_core::math::random::Streams;
use uq_core::math::special::normal_quantile;
use uq_methods::side_tables::{Batches, Chosen};
use uq_methods::{Context, Request};

/// Starts with a tenth, tests a fifth, adds a tenth of the pool.
fn pool_learning(steps: usize, acquire: &[Acquisition]) -> PoolLearning {
    PoolLearning { start: vec![(0, 0.1)], test: 0.2, batch: 0.1, steps, acquire: acquire.to_vec() }
}

fn observed(
    table: &Table,
    protocol: &PoolLearning,
    split: u64,
    scaling: Scaling,
) -> Result<Observed, FitError> {
    let protocol = Protocol::PoolLearning(protocol.clone());
    let repetition = Repetition {
        dataset: "toy",
        rows: RowSubset::All,
        split,
        streams: Streams::new(1, "rows"),
    };
    let (score_units, request) = (ScoreUnits::Target, Request::default());
    let setting =
        Setting { protocol: &protocol, repetition, scaling, score_units, request: &request };
    let method = registry::build("linear-gaussian", &serde_json::Value::Null).unwrap();
    run(&setting, Source::Table(table), method.as_ref(), &Context::new(Streams::new(1, "method")))
}

/// `y = f(x) + N(0, 1)` at `inner` places spread over [−1, 1] and `outer` places spread over [9,
/// 11].
fn line(inner: usize, outer: usize, f: impl Fn(f64) -> f64) -> Table {
    let spread = |n: usize, low: f64| (0..n).map(move |i| low + 2.0 * i as f64 / n as f64);
    let x: Vec<f64> = spread(inner, -1.0).chain(spread(outer, 9.0)).collect();
    let mut rng = Streams::new(7, "toy").stream("noise", 0);
    let y: Array1<f64> =
        x.iter().map(|&x| f(x) + normal_quantile(rng.random_range(1e-12..1.0))).collect();
    Table::unnamed(Array2::from_shape_vec((x.len(), 1), x).unwrap(), y)
}

/// Mean over thirty splits of the squared error at the test rows inside [−1, 1] or outside of it,
/// for each reading.
fn errors(table: &Table, acquire: &[Acquisition], inside: bool) -> Vec<f64> {
    let mut sums = vec![0.0; acquire.len()];
    for split in 0..30 {
        let found = observed(table, &pool_learning(1, acquire), split, Scaling::TrainRows).unwrap();
        let x = found.x.unwrap();
        for (sum, by) in sums.iter_mut().zip(acquire) {
            let (_, predictive) =
                found.readings.iter().find(|(reading, _)| *reading == by.reading(1)).unwrap();
            let errors = predictive.means().unwrap() - &found.y;
            let counted = x.iter().zip(&errors).filter(|(x, _)| (x.abs() <= 1.0) == inside);
            let squares: Vec<f64> = counted.map(|(_, error)| error * error).collect();
            *sum += squares.iter().sum::<f64>() / squares.len().max(1) as f64;
        }
    }
    sums.iter().map(|sum| sum / 30.0).collect()
}

const BOTH: [Acquisition; 2] = [Acquisition::Total, Acquisition::Random(1)];

#[test]
fn variance_sampling_beats_random_where_few_rows_determine_the_slope() {
    // A line with 95 rows near 0 and 5 at 10: the variance of a linear model is largest at the rows
    // that fix its slope.
    let [total, random] = errors(&line(95, 5, |x| x), &BOTH, false)[..] else {
        panic!("two readings")
    };
    assert!(total < 0.5 * random, "{total} against {random}");
}

#[test]
fn variance_sampling_must_not_beat_random_where_the_far_rows_are_of_another_kind() {
    // Three far rows lie off the line of the others. Variance sampling takes all that it can get,
    // random few.
    let [total, random] =
        errors(&line(97, 3, |x| if x > 5.0 { -20.0 } else { x }), &BOTH, true)[..]
    else {
        panic!("two readings")
    };
    assert!(total > 1.5 * random, "{total} against {random}");
}

#[test]
fn the_parts_have_the_shares_of_the_tables_size() {
    let protocol =
        PoolLearning { start: vec![(0, 0.2), (50, 0.1), (80, 0.05)], ..pool_learning(1, &[]) };
    let parts = |n: usize| {
        let streams = Streams::new(1, "rows");
        let repetition = Repetition { dataset: "toy", rows: RowSubset::All, split: 3, streams };
        let Division { start, pool, test } = protocol.division(n, &repetition).unwrap();
        let mut all = [start.as_slice(), &pool, &test].concat();
        all.sort_unstable();
        assert_eq!(all, (0..n).collect::<Vec<_>>(), "every row is in one part");
        [start.len(), pool.len(), test.len()]
    };
    assert_eq!([parts(40), parts(50), parts(80)], [[8, 24, 8], [5, 35, 10], [4, 60, 16]]);
}

#[test]
fn every_step_is_a_reading_in_the_targets_units_and_all_share_the_first() {
    let table = line(60, 0, |x| 100.0 + 30.0 * x);
    let protocol =
        pool_learning(3, &[Acquisition::Total, Acquisition::Gsx, Acquisition::Random(1)]);
    let found = observed(&table, &protocol, 0, Scaling::TrainRows).unwrap();
    assert_eq!(
        found.readings.iter().map(|(reading, _)| reading.clone()).collect::<Vec<_>>(),
        protocol.readings(vec![])
    );
    assert_eq!((found.train_rows, found.y.len(), protocol.kept_steps()), (6, 12, 12));
    assert_eq!(
        found.steps_cpu.is_some(),
        found.fit_cpu.is_some(),
        "the time of its steps is known where that of a fit is"
    );
    let at = |name: &str| {
        found.readings.iter().find(|(reading, _)| reading.as_str() == name).unwrap().1.clone()
    };
    assert_eq!((at("total@0"), at("gsx@0")), (at("random@0"), at("random@0")));
    assert_ne!(at("total@1"), at("random@1"));
    let error = (at("gsx@3").means().unwrap() - &found.y).mapv(f64::abs).mean().unwrap();
    assert!(error < 5.0, "{error}");
    // 42 rows in the pool, 4 in a batch.
    let table = |name: &str| found.side_tables.iter().find(|table| table.name == name).unwrap();
    let chosen = Chosen::from_table(table("chosen@total")).unwrap();
    assert_eq!(chosen.step, [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0]);
    let batches = Batches::from_table(table("batches@gsx")).unwrap();
    assert_eq!(batches.known, [10.0, 14.0, 18.0]);
    let random = Batches::from_table(table("batches@random")).unwrap();
    assert!(batches.distance[0] > random.distance[0], "greedy sampling spreads a batch");
}

#[test]
fn once_all_rows_are_known_the_acquisitions_agree() {
    let table = line(40, 0, |x| x);
    let found = observed(&table, &pool_learning(12, &BOTH), 0, Scaling::TrainRows).unwrap();
    let at = |by: Acquisition| {
        found.readings.iter().find(|(reading, _)| *reading == by.reading(12)).unwrap().1.clone()
    };
    assert_eq!(at(BOTH[0]), at(BOTH[1]));
}

#[test]
fn scaling_by_all_rows_is_refused() {
    let refused =
        observed(&line(40, 0, |x| x), &pool_learning(1, &BOTH), 0, Scaling::AllRows).unwrap_err();
    assert!(refused.to_string().contains("the targets of the pool are unknown"), "{refused}");
}

#[test]
fn the_distance_in_a_batch_is_that_to_the_nearest_other_row() {
    let features = ndarray::array![[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]];
    assert_eq!(apart(&[0, 1, 2], features.view()), (1.0 + 18.0_f64.sqrt() + 1.0) / 3.0);
    assert!(apart(&[1], features.view()).is_nan());
}
