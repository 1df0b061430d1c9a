//! Times of a Gaussian process: a log marginal likelihood with its gradient, which takes n³
//! floating-point operations (a third each for the Cholesky factor, its inverse and the square of
//! that), beside a matrix product of the same size, and whole fits.
//!
//! Beside scikit-learn 1.7.2 (`GaussianProcessRegressor`, constant · RBF with a length scale a
//! feature + white noise, its one default start, one thread, beside other work), both on all rows,
//! standardised; `exact-gp` with ten seeds, three times, on an otherwise idle machine:
//!
//! | rows | scikit-learn: ln p(y) | processor time | `exact-gp`: ln p(y) | processor time |
//! | --- | --- | --- | --- | --- |
//! | boston, 506 x 13 | −138.94 | 11.0 s | −137.63 | 0.6 to 0.8 s |
//! | concrete, 1030 x 8 | −333.09 | 8.0 s | −333.09 to −333.05 | 1.4 to 1.9 s, mean 1.6 s |
//! | energy, 768 x 8 | 1143.89 | 17.0 s | 1143.86 to 1143.89 | 1.0 to 1.6 s |

#![allow(clippy::expect_used, reason = "a benchmark that cannot run should stop")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use faer::{Accum, Par};
use ndarray::{Array1, Array2};
use rand::RngExt;
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_math::matrix_product::{Factor, multiply};
use uq_methods::gp::kernels::{Composition, Points, Shape, Workspace};
use uq_methods::gp::process::Likelihood;
use uq_methods::{Context, registry};

/// Rows of a smooth function with a little noise; the last features are irrelevant.
fn table(n: usize, d: usize) -> Table {
    let mut rng = Streams::new(1, "bench").stream("rows", 0);
    let features = Array2::from_shape_simple_fn((n, d), || rng.random_range(-1.7..1.7));
    let target = Array1::from_shape_fn(n, |i| {
        let x = features.row(i);
        f64::sin(2.0 * x[0]) + x[1] * x[2] + rng.random_range(-0.3..0.3)
    });
    Table::unnamed(features, target)
}

/// Elements are floating-point operations.
fn likelihood(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("log marginal likelihood and gradient");
    group.sample_size(10);
    let d = 10;
    for n in [500, 1000, 2000] {
        let Table { features, target, .. } = table(n, d);
        let (values, targets): (Vec<f64>, Vec<f64>) =
            (features.iter().copied().collect(), target.to_vec());
        let points = Points::new(&values, n, d);
        for shape in [Shape::Rbf, Shape::Matern52] {
            let mut kernel = Composition::Shape(shape).kernel(d);
            let logarithms = [&[0.0][..], &[1.0; 10]].concat();
            kernel.set_log_parameters(&logarithms);
            let mut likelihood = Likelihood::new(points, &targets, Par::Seq);
            let mut gradient = vec![0.0; d + 2];
            group.throughput(Throughput::Elements((n * n * n) as u64));
            group.bench_function(format!("{shape:?}, n = {n}"), |b| {
                b.iter(|| likelihood.negative(&kernel, 0.1, black_box(&mut gradient)).is_ok());
            });
            let (mut k, mut workspace) = (vec![0.0; n * n], Workspace::default());
            group.throughput(Throughput::Elements((n * n / 2) as u64));
            group.bench_function(
                format!("{shape:?}, n = {n}: pairs of the covariance alone"),
                |b| {
                    b.iter(|| kernel.matrix_upper(points, black_box(&mut k), &mut workspace));
                },
            );
        }
        let (ones, mut product) = (vec![1.0; n * n], vec![0.0; n * n]);
        let factor = Factor::new(&ones, n, n);
        group.throughput(Throughput::Elements((2 * n * n * n) as u64));
        group.bench_function(format!("matrix product, n = {n}"), |b| {
            b.iter(|| multiply(black_box(&mut product), Accum::Replace, factor, factor, 1.0));
        });
    }
    group.finish();
}

/// Whole fits on tables of the shape of the standard splits' training rows.
fn fit(criterion: &mut Criterion) {
    let method = registry::build("exact-gp", &serde_json::Value::Null)
        .expect("the default settings are valid");
    let context = Context::new(Streams::new(1, "bench"));
    let mut group = criterion.benchmark_group("exact-gp fit");
    group.sample_size(10);
    for (shape, n, d) in [("boston", 455, 13), ("energy", 691, 8), ("concrete", 927, 8)] {
        let train = table(n, d);
        group.bench_function(format!("{shape}: {n} x {d}"), |b| {
            b.iter(|| method.fit(&train, &context).is_ok())
        });
    }
    group.finish();
}

criterion_group!(benches, likelihood, fit);
criterion_main!(benches);
