//! Times of presorting, growing and predicting with regression trees, and of a whole DTB fit.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run should stop")]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use ndarray::{Array1, Array2};
use rand::RngExt;
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_methods::trees::{Cart, CartParameters, Dtb, DtbParameters, LearnerGroup, Presort};
use uq_methods::{Context, Method};

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

fn cart(max_depth: usize) -> Cart {
    let parameters = CartParameters { max_depth: Some(max_depth), ..CartParameters::default() };
    Cart::new(parameters).expect("the parameters are in range")
}

fn trees(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tree");
    group.sample_size(10);
    for (rows, columns) in [(16_512, 8), (20_000, 80)] {
        let table = table(rows, columns);
        let target = table.target.to_vec();
        let presort = || Presort::new(table.features.view()).expect("the features are finite");
        group.bench_function(format!("presort {rows} x {columns}"), |b| {
            b.iter(|| black_box(presort()))
        });
        let sorted = presort();
        for depth in [10, 15] {
            let grow = |columns: Presort| {
                let mut rng = Streams::new(1, "bench").stream("features", 0);
                cart(depth).grow(columns, &target, None, &mut rng).expect("the target is finite")
            };
            group.bench_function(
                format!("grow depth {depth}, {rows} x {columns}, presorted"),
                |b| {
                    b.iter_batched(
                        || sorted.clone(),
                        |columns| black_box(grow(columns)),
                        BatchSize::LargeInput,
                    );
                },
            );
            let tree = grow(sorted.clone());
            group.bench_function(format!("predict depth {depth}, {rows} x {columns}"), |b| {
                b.iter(|| black_box(tree.predict(table.features.view())));
            });
        }
    }
    group.finish();
}

/// One trial of Tables 1 and 2: 80 % of california's rows, 10 trees of depth 10, 100 games.
fn bootstrapping(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dtb");
    group.sample_size(10);
    let train = table(16_512, 8);
    for (name, subset_fraction) in [("weak", 0.005), ("strong", 0.5)] {
        let learners = vec![LearnerGroup { method: Box::new(cart(10)), count: 10 }];
        let parameters = DtbParameters { subset_fraction, ..DtbParameters::default() };
        let dtb = Dtb::new(parameters, learners).expect("the parameters are in range");
        let context = Context::new(Streams::new(1, "bench"));
        group.bench_function(format!("fit {name}, 16512 x 8"), |b| {
            b.iter(|| black_box(dtb.fit(&train, &context)))
        });
    }
    group.finish();
}

criterion_group!(benches, trees, bootstrapping);
criterion_main!(benches);
