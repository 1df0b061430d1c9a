//! Times of one evaluation of the sparse Gaussian process' bound with its gradient, beside the
//! product of two matrices, which measures the machine's peak.
//!
//! Measured on one core of an otherwise idle AMD EPYC (Zen 4), 9 features; the product ran at 50.3
//! Gflop/s. Seconds an evaluation, and in brackets the share of the product's rate that 4 n m²
//! operations reach (kernels, which take most of the time of 50 points, and m³, which counts where
//! n is small, are not counted):
//!
//! | rows        | 50 points     | 100           | 200           | 500           | 1000          |
//! | ----------- | ------------- | ------------- | ------------- | ------------- | ------------- |
//! | 1000        | 0.0011 (0.18) | 0.0029 (0.27) | 0.0078 (0.41) | 0.054 (0.37)  | 0.238 (0.33)  |
//! | kin8nm 7373 |               |               |               | 0.215 (0.68)  |               |
//! | 10 000      | 0.0104 (0.19) | 0.0256 (0.31) | 0.0738 (0.43) | 0.300 (0.66)  | 1.08 (0.73)   |
//! | protein 41 157 |            |               |               | 1.08 (0.76)   |               |
//! | 100 000     | 0.110 (0.18)  | 0.252 (0.32)  | 0.602 (0.53)  | 2.72 (0.73)   | 9.85 (0.81)   |
//! | 1 000 000   | 1.08 (0.18)   | 2.43 (0.33)   | 6.10 (0.52)   | 29.3 (0.68)   | 107 (0.74)    |
//!
//! After an evaluation the process held 33 MiB with 500 points on 1000 rows, 76 MiB on 100 000, 153
//! MiB with 1000 points on a million; the peak of a fit is in the reports (jcm-cost-sgp).
//!
//! `cargo bench --bench gp_sparse`; `cargo bench --bench gp_sparse -- scaling` for the table
//! against rows and points alone: 10³ to 10⁶ rows, 50 to 1000 points, one thread. It leaves out
//! sizes that would exceed [`LONGEST`]; at 50 Gflop/s no size does. A fit of 150 steps evaluates
//! the bound at most 207 times.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run should stop")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rand::RngExt;
use uq_core::math::random::Streams;
use uq_methods::Context;
use uq_methods::gp::kernels::{Composition, Points, Shape};
use uq_methods::gp::sparse::bound::Bound;

/// Standardised rows, row by row, and a smooth target with noise.
fn rows(n: usize, d: usize) -> (Vec<f64>, Vec<f64>) {
    let mut rng = Streams::new(1, "bench").stream("rows", 0);
    let x: Vec<f64> = (0..n * d).map(|_| rng.random_range(-1.7..1.7)).collect();
    let y = x
        .chunks_exact(d)
        .map(|x| f64::sin(2.0 * x[0]) + x[d - 1] * x[1] + rng.random_range(-0.5..0.5));
    let y = y.collect();
    (x, y)
}

/// Operations of one evaluation with gradient over n rows and m points: L⁻¹ K_uf, the lower half of
/// A Aᵀ, and the product behind ∂F/∂K_uf.
fn operations(n: usize, m: usize) -> f64 {
    4.0 * (n * m * m) as f64
}

/// Runs `measure` with a closure that evaluates bound and gradient once.
fn with_evaluation(n: usize, d: usize, m: usize, measure: impl FnOnce(&mut dyn FnMut() -> f64)) {
    let context = Context::new(Streams::new(1, "bench"));
    let (x, y) = rows(n, d);
    let kernel = Composition::Shape(Shape::Rbf).kernel(d);
    let mut theta = vec![0.0];
    theta.extend(vec![0.5 * (d as f64).ln(); d]);
    theta.push(f64::ln(0.1));
    // The first rows are as good as any others, because all are drawn alike.
    theta.extend(&x[..m * d]);
    let mut gradient = vec![0.0; theta.len()];
    let mut bound = Bound::new(kernel, Points::new(&x, n, d), &y, m, 1e-8);
    measure(&mut || {
        bound.evaluate(&theta, Some(&mut gradient), &context).expect("the work is not stopped")
    });
}

fn least(turns: usize, mut work: impl FnMut()) -> f64 {
    let mut least = Duration::MAX;
    for _ in 0..turns {
        let begin = Instant::now();
        work();
        least = least.min(begin.elapsed());
    }
    least.as_secs_f64()
}

/// Operations of the product of two matrices of 2000 rows in a second, on one thread.
fn peak() -> f64 {
    let (left, right) = (
        Mat::from_fn(2000, 2000, |i, j| (i * 7 + j) as f64),
        Mat::from_fn(2000, 2000, |i, j| (i + 3 * j) as f64),
    );
    let mut to = Mat::<f64>::zeros(2000, 2000);
    1.6e10
        / least(5, || {
            matmul(to.as_mut(), Accum::Replace, left.as_ref(), right.as_ref(), 1.0, Par::Seq)
        })
}

fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sparse GP, bound and gradient, 500 points");
    group.sample_size(10);
    for (shape, d, n) in [("kin8nm", 8, 7373), ("protein", 9, 41_157)] {
        group.throughput(Throughput::Elements(operations(n, 500) as u64));
        with_evaluation(n, d, 500, |evaluate| {
            group.bench_function(format!("{shape}: {n} x {d}"), |b| {
                b.iter(|| black_box(evaluate()))
            });
        });
    }
    group.finish();
}

/// Seconds that the table may take.
const LONGEST: f64 = 225.0;

/// Largest number of evaluations of a fit with the default settings.
const EVALUATIONS: f64 = 207.0;

/// MiB that the process holds, where the system reports it.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// The least times of few runs, because criterion's samples would take long; the slowest sizes
/// last, once each.
fn scaling(_: &mut Criterion) {
    if !std::env::args().any(|argument| argument == "scaling") {
        return;
    }
    let begin = Instant::now();
    let peak = peak();
    println!("matrix product: {:.1} Gflop/s", peak * 1e-9);
    println!(
        "rows n, points M, seconds an evaluation, Gflop/s, share of the product's, seconds a fit \
         at most, MiB"
    );
    let counts = [50, 100, 200, 500, 1000];
    let mut sizes: Vec<(usize, usize)> = [1000, 10_000, 100_000, 1_000_000]
        .into_iter()
        .flat_map(|n| counts.map(|m| (n, m)))
        .collect();
    sizes.extend([(7373, 500), (41_157, 500)]);
    sizes.sort_by(|a, b| operations(a.0, a.1).total_cmp(&operations(b.0, b.1)));
    // Seconds for each counted operation of the size before: the next size has more points in a
    // block and is no slower.
    let mut slowness = 0.0;
    for (n, m) in sizes {
        let expected = operations(n, m) * slowness;
        if begin.elapsed().as_secs_f64() + expected > LONGEST {
            println!("{n}, {m}: left out, some {expected:.0} s");
            continue;
        }
        with_evaluation(n, 9, m, |evaluate| {
            let turns = if expected > 2.0 { 1 } else { 3 };
            let seconds = least(turns, || _ = black_box(evaluate()));
            let rate = operations(n, m) / seconds;
            slowness = 1.0 / rate;
            let memory = resident().map_or("–".into(), |mebibytes| format!("{mebibytes:.0}"));
            println!(
                "{n}, {m}, {seconds:.4}, {:.1}, {:.2}, {:.1}, {memory}",
                rate * 1e-9,
                rate / peak,
                EVALUATIONS * seconds
            );
        });
    }
    println!("{:.0} s in all", begin.elapsed().as_secs_f64());
}

criterion_group!(benches, evaluation, scaling);
criterion_main!(benches);
