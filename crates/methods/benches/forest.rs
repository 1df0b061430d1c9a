//! Times of growing a quantile regression forest of 100 trees, and of predicting with it, on tables
//! of the shapes of power and kin8nm (90 % of their rows to fit, 10 % to predict).

#![allow(clippy::expect_used, reason = "a benchmark that cannot run should stop")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ndarray::{Array1, Array2};
use rand::RngExt;
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_methods::trees::forest::ForestFeatures;
use uq_methods::trees::{
    QuantileForest, QuantileForestParameters, QuantileForestValidated,
    QuantileForestValidatedParameters,
};
use uq_methods::{Context, Method, Reading, Request};

/// Continuous features and a target that depends on some of them.
fn table(rows: usize, columns: usize) -> Table {
    let mut rng = Streams::new(1, "bench").stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, columns), || rng.random::<f64>());
    let signal = |x: ndarray::ArrayView1<f64>| {
        (7.0 * x[0]).sin() + x[1] * x[2] + 0.5 * (x[columns - 1] - x[3]).abs()
    };
    let target: Array1<f64> =
        features.rows().into_iter().map(|x| signal(x) + 0.3 * rng.random::<f64>()).collect();
    Table::unnamed(features, target)
}

fn forests(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("forest");
    group.sample_size(10);
    let context = Context::new(Streams::new(1, "bench"));
    for (name, rows, test, columns) in [("power", 8_611, 957, 4), ("kin8nm", 7_373, 819, 8)] {
        let train = table(rows, columns);
        let asked = table(test, columns).features;
        for (features, min_leaf) in
            [(ForestFeatures::All, 1), (ForestFeatures::All, 10), (ForestFeatures::Third, 10)]
        {
            let parameters = QuantileForestParameters {
                trees: 100,
                min_leaf,
                features,
                ..QuantileForestParameters::default()
            };
            let forest = QuantileForest::new(parameters).expect("the parameters are in range");
            let name = format!("{name}, {features:?}, leaf {min_leaf}");
            group.bench_function(format!("fit 100 trees, {name}"), |b| {
                b.iter(|| black_box(forest.fit(&train, &context)));
            });
            let fitted = forest.fit(&train, &context).expect("the table is finite");
            group.bench_function(format!("predict {test} rows, {name}"), |b| {
                b.iter(|| {
                    black_box(fitted.predict(
                        &Reading::MAIN,
                        asked.view(),
                        &Request::default(),
                        &context,
                    ))
                });
            });
        }
    }
    let train = table(1_439, 11);
    let validated = QuantileForestValidated::new(QuantileForestValidatedParameters::default());
    let validated = validated.expect("the parameters are in range");
    group.bench_function("fit validated, 1439 x 11", |b| {
        b.iter(|| black_box(validated.fit(&train, &context)))
    });
    group.finish();
}

criterion_group!(benches, forests);
criterion_main!(benches);
