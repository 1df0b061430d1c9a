//! Time the decomposition of the mean CRPS: forecasts that are all comparable, and some that are not.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ndarray::Array1;
use rand::{RngExt, SeedableRng};
use uq_core::crps_decomposition::{MOST_ROWS, OrderedForecasts};
use uq_core::math::random::Rng;
use uq_core::predictive::{Form, Gaussian, Predictive};

/// Normal forecasts whose standard deviations differ by up to `spread`, and outcomes drawn from them.
fn forecasts(rows: usize, spread: f64) -> (Predictive, Array1<f64>) {
    let mut rng = Rng::seed_from_u64(1);
    let mean: Array1<f64> = (0..rows).map(|_| 4.0 * rng.random::<f64>()).collect();
    let variance: Array1<f64> =
        (0..rows).map(|_| (1.0 + spread * rng.random::<f64>()).powi(2)).collect();
    let predictive = Predictive::new(Form::Gaussian(Gaussian { mean, variance }));
    let draw = |row| predictive.distribution().quantile(row, rng.random::<f64>());
    let y = (0..rows).map(draw).map(Option::unwrap_or_default).collect();
    (predictive, y)
}

fn decompose(c: &mut Criterion) {
    let mut group = c.benchmark_group("crps-decomposition");
    group.sample_size(10);
    for (name, rows, spread) in [
        ("10000 comparable rows", 10_000, 0.0),
        ("100 rows", 100, 1.0),
        ("most rows in one part", MOST_ROWS, 1.0),
    ] {
        let (predictive, y) = forecasts(rows, spread);
        group.bench_function(name, |b| {
            b.iter(|| {
                OrderedForecasts::new(black_box(&predictive))
                    .and_then(|forecasts| forecasts.decompose(y.view()))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, decompose);
criterion_main!(benches);
