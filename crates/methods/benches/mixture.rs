//! Times of one step of expectation maximisation, of the conditional mixture, of its quantiles by
//! root finding and by draws, and of whole fits.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run should stop")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ndarray::{Array2, Axis};
use rand::RngExt;
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::predictive::{Distribution, Form, Predictive};
use uq_core::scaling::{Scaler, Scaling};
use uq_methods::mixture::{EmSettings, GaussianMixture, Workspace, monte_carlo_quantiles};
use uq_methods::{Context, registry};

/// Rows near a curved surface, column 0 a function of the others.
fn rows(n: usize, m: usize) -> Array2<f64> {
    let mut rng = Streams::new(1, "bench").stream("rows", 0);
    let mut rows = Array2::from_shape_simple_fn((n, m), || rng.random_range(-1.7..1.7));
    for mut row in rows.rows_mut() {
        row[0] = f64::sin(2.0 * row[1]) + row[m - 1] * row[1] + 0.2 * row[0];
    }
    rows
}

fn mixture(criterion: &mut Criterion) {
    let (m, k, floor) = (6, 18, 1e-6);
    let context = Context::new(Streams::new(1, "bench"));
    let mut group = criterion.benchmark_group("mixture");
    group.sample_size(20);
    let train = rows(8192, m);
    let start = || GaussianMixture::start(train.view(), k, floor, &mut context.stream("start", 0));
    group.bench_function("start, 8192 x 6, 18 components", |b| b.iter(|| black_box(start())));
    let mut mixture = start().expect("the rows are distinct");
    let settings = EmSettings { max_steps: 20, tolerance: 0.0, floor };
    mixture.fit(train.view(), &settings, &context).expect("the floor holds");
    // Times per element are times per row and component.
    group.throughput(Throughput::Elements((8192 * k) as u64));
    let mut workspace = Workspace::default();
    group.bench_function("EM step, 8192 x 6, 18 components", |b| {
        b.iter(|| black_box(mixture.em_step(train.view(), floor, &mut workspace)));
    });
    group.bench_function("log density, 8192 x 6, 18 components", |b| {
        b.iter(|| mixture.log_density(train.view()))
    });
    let given = rows(100_000, m).select(Axis(1), &(1..m).collect::<Vec<_>>());
    group.throughput(Throughput::Elements((100_000 * k) as u64));
    group.bench_function("conditional, 100000 x 5, 18 components", |b| {
        b.iter(|| mixture.conditional(given.view()))
    });
    // A million rows take ten times as long; they are predicted in such pieces.
    group.throughput(Throughput::Elements(100_000));
    group.bench_function("mean, variance and 2 quantiles, 100000 x 5, 18 components", |b| {
        b.iter(|| {
            let predictive = Predictive::new(Form::Mixture(mixture.conditional(given.view())));
            let quantiles = [0.025, 0.975].map(|level| predictive.distribution().quantiles(level));
            (predictive.means(), predictive.variances(), quantiles)
        });
    });
    let few = mixture.conditional(given.select(Axis(0), &(0..1000).collect::<Vec<_>>()).view());
    group.throughput(Throughput::Elements(1000));
    group.bench_function("2 quantiles of all rows by root finding, 1000 rows", |b| {
        b.iter(|| [0.025, 0.975].map(|level| few.quantiles(level)));
    });
    group.bench_function("2 quantiles by root finding, 1000 rows", |b| {
        b.iter(|| {
            (0..1000).map(|i| (few.quantile(i, 0.025), few.quantile(i, 0.975))).collect::<Vec<_>>()
        });
    });
    for draws in [100, 1000, 10_000] {
        let name = format!("2 quantiles by {draws} draws, 1000 rows");
        let stream = |i: usize| context.stream("draws", i as u64);
        group.bench_function(name, |b| {
            b.iter(|| monte_carlo_quantiles(&few, &[0.025, 0.975], draws, stream))
        });
    }
    group.finish();
}

/// One fit of JCM with the printed settings, on simulated tables of the shape of the paper's
/// training rows.
fn fit(criterion: &mut Criterion) {
    let method =
        registry::build("jcm", &serde_json::Value::Null).expect("the printed settings are valid");
    let context = Context::new(Streams::new(1, "bench"));
    let mut group = criterion.benchmark_group("JCM fit, printed settings");
    group.sample_size(10);
    for (shape, d, n) in
        [("boston", 13, 455), ("kin8nm", 8, 7373), ("power", 4, 8611), ("protein", 9, 41_157)]
    {
        let rows = rows(n, d + 1);
        let features = rows.select(Axis(1), &(1..=d).collect::<Vec<_>>());
        let train = Table::unnamed(features, rows.column(0).to_owned());
        let scaler = Scaler::new(Scaling::TrainRows, &train, &train);
        let train = scaler.apply(&train);
        group.bench_function(format!("{shape}: {n} x {d}"), |b| {
            b.iter(|| method.fit(&train, &context).is_ok())
        });
    }
    group.finish();
}

criterion_group!(benches, mixture, fit);
criterion_main!(benches);
