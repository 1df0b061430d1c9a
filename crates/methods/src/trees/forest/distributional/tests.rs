use super::*;
use crate::golden::{assert_golden, first_and_last, golden_features, golden_table};
use crate::trees::{QuantileForest, QuantileForestParameters};
use crate::{Method, Reading, Request};
use ndarray::{Array1, Array2, ArrayView2};
use rand::RngExt;
use uq_core::math::random::Streams;
use uq_core::predictive::Predictive;
use uq_math::normal_draws::fill_standard_normal;

fn context() -> Context {
    Context::new(Streams::new(1, "distributional forest"))
}

fn method(parameters: DistributionalForestParameters) -> DistributionalForest {
    DistributionalForest::new(parameters).unwrap()
}

fn few() -> DistributionalForestParameters {
    DistributionalForestParameters { trees: 60, ..DistributionalForestParameters::default() }
}

fn predict(method: &dyn Method, train: &Table, features: ArrayView2<f64>) -> Predictive {
    let fitted = method.fit(train, &context()).unwrap();
    let predictive =
        fitted.predict(&Reading::MAIN, features, &Request::default(), &context()).unwrap();
    assert_eq!(predictive.validate(), Ok(()));
    predictive
}

/// Two features; the second one decides the spread of the target, and neither its mean.
fn spreads(rows: usize) -> Table {
    let mut rng = context().stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, 2), || rng.random::<f64>());
    let mut noise = vec![0.0; rows];
    fill_standard_normal(&mut noise, &mut rng);
    let spread = |x: f64| if x < 0.5 { 1.0 } else { 4.0 };
    let target: Array1<f64> =
        features.column(1).iter().zip(noise).map(|(&x, z)| spread(x) * z).collect();
    Table::unnamed(features, target)
}

#[test]
fn splits_find_a_spread_where_means_are_equal() {
    let train = spreads(2000);
    let asked = ndarray::array![[0.3, 0.2], [0.7, 0.2], [0.3, 0.8], [0.7, 0.8]];
    let errors = |predictive: Predictive| -> f64 {
        let truths = [1.0_f64, 1.0, 4.0, 4.0];
        let sds = predictive.variances().unwrap().mapv(f64::sqrt);
        sds.iter().zip(truths).map(|(sd, truth)| (sd / truth).ln().abs()).fold(0.0, f64::max)
    };
    let found = errors(predict(&method(few()), &train, asked.view()));
    // The quantile forest on the same rows, with leaves of as many rows, splits where means happen
    // to differ.
    let given =
        QuantileForestParameters { trees: 60, min_leaf: 15, ..QuantileForestParameters::default() };
    let by_means = errors(predict(&QuantileForest::new(given).unwrap(), &train, asked.view()));
    assert!(found < 0.2, "{found}");
    assert!(by_means > 2.0 * found, "{by_means} {found}");
}

#[test]
fn a_tree_that_is_honest_has_other_rows_in_its_leaves_than_chose_its_splits() {
    let train = spreads(101);
    let ground = Ground::new(ID, &train).unwrap();
    let saw = |parameters: DistributionalForestParameters| {
        let trees =
            (0..40).map(|t| parameters.tree(&ground, &train, Some(1.0), &context(), t)).collect();
        let forest = Forest::of_trees(&ground, trees);
        let mut unseen = 0;
        forest
            .weigh_out_of_bag(train.features.view(), &context(), |_, weights| {
                unseen += weights.trees
            })
            .unwrap();
        let weights = forest.weights(train.features.view(), &context()).unwrap();
        (unseen, weights)
    };
    // 51 of 101 rows are seen by each tree, honest or not.
    let (honest, weights) = saw(DistributionalForestParameters { trees: 40, ..few() });
    assert_eq!(honest, 40 * 50);
    assert!(weights.iter().all(|row| row.trees == 40 && !row.atoms.is_empty()));
    assert_eq!(
        saw(DistributionalForestParameters { trees: 40, honest: false, ..few() }).0,
        40 * 50
    );
}

#[test]
fn equal_targets_and_the_smallest_tables_have_a_prediction() {
    let constant = Table::unnamed(golden_features(), Array1::from_elem(50, 3.5));
    let predictive = predict(&method(few()), &constant, golden_features().view());
    assert!(predictive.means().unwrap().iter().all(|mean| (mean - 3.5).abs() < 1e-12));
    let two = golden_table().select(&[0, 7]);
    assert!(
        predict(&method(few()), &two, golden_features().view())
            .means()
            .unwrap()
            .iter()
            .all(|y| y.is_finite())
    );
    let one = golden_table().select(&[0]);
    let error = method(few()).fit(&one, &context()).err().unwrap();
    assert!(matches!(&error, FitError::Unsupported(text) if text.starts_with(ID)), "{error}");
}

#[test]
fn the_length_scale_is_the_median_distance() {
    let root = std::f64::consts::SQRT_2;
    // Distances 1, 2, 3, 1, 2, 1: their median is 1.5.
    assert_eq!(median_distance(&[0.0, 3.0, 1.0, 2.0]), Some(1.5 / root));
    // Most distances are 0: the median of the others.
    assert_eq!(median_distance(&[5.0, 5.0, 5.0, 5.0, 5.0, 9.0]), Some(4.0 / root));
    assert_eq!(median_distance(&[5.0, 5.0]), None);
    assert_eq!(median_distance(&[5.0]), None);
    // Of a uniform target on (0, 1), the median distance is 1 − 1/√2.
    let even: Vec<f64> = (0..5000).map(|i| (f64::from(i) + 0.5) / 5000.0).collect();
    assert!((median_distance(&even).unwrap() * root - (1.0 - 0.5_f64.sqrt())).abs() < 1e-3);
}

#[test]
fn numbers_change_only_with_the_version() {
    let given = DistributionalForestParameters { max_leaf: 2, ..few() };
    let predictive = predict(&method(given), &golden_table(), golden_features().view());
    assert_golden(
        first_and_last(&predictive),
        [-0.03685019841269834, 1.387316468253968, 0.9428589527578968, 0.8954726845700662],
        1e-9,
    );
}
