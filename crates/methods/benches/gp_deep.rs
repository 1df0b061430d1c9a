//! Times of one step of a deep and of a stochastic sparse Gaussian process, and the fraction of the
//! processor's matrix-multiply peak that their useful operations reach. A step's time is the
//! difference of two fits' smallest times over that of their steps; times are this thread's
//! processor time, so that other work on the machine counts only for the cache that it takes.
//!
//! `cargo bench --bench gp_deep`

#![allow(clippy::expect_used, reason = "a benchmark that cannot run should stop")]

use std::hint::black_box;

use faer::Accum;
use ndarray::{Array1, Array2};
use rand::RngExt;
use rustix::time::{ClockId, clock_gettime};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_math::matrix_product::{Factor, multiply};
use uq_methods::gp::{
    ClimbSettings, DeepGp, DeepGpParameters, StochasticSparseGp, StochasticSparseGpParameters,
};
use uq_methods::{Context, Method};

/// Steps of the longer and of the shorter fit.
const STEPS: [usize; 2] = [45, 5];
const TURNS: usize = 5;

fn table(rows: usize, columns: usize) -> Table {
    let mut rng = Streams::new(1, "bench").stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, columns), || rng.random_range(-1.7..1.7));
    let target: Array1<f64> = features
        .rows()
        .into_iter()
        .map(|x| f64::sin(2.0 * x[0]) + 0.3 * rng.random::<f64>())
        .collect();
    Table::unnamed(features, target)
}

/// This thread's processor time, in seconds.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The smallest of a few times, in seconds.
fn least(mut work: impl FnMut()) -> f64 {
    let times = (0..TURNS).map(|_| {
        let begin = now();
        work();
        now() - begin
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Gflop/s of a product of large square matrices.
fn peak() -> f64 {
    let n = 1000;
    let numbers: Vec<f64> = (0..n * n).map(|i| ((i * 7919) % 1009) as f64 / 500.0 - 1.0).collect();
    let mut to = vec![0.0; n * n];
    let square = Factor::new(&numbers, n, n);
    let time = least(|| multiply(black_box(&mut to), Accum::Replace, square, square, 1.0));
    2.0 * (n * n * n) as f64 / time * 1e-9
}

/// Useful operations of a step: 3 M² B (D + 1) + 3 M³ a layer.
fn operations(outputs: &[usize], points: usize, batch: usize) -> f64 {
    let (m, b) = (points as f64, batch as f64);
    outputs.iter().map(|d| 3.0 * m * m * b * (*d as f64 + 1.0) + 3.0 * m.powi(3)).sum()
}

fn report(
    name: &str,
    peak: f64,
    operations: f64,
    fit: impl Fn(usize) -> Box<dyn Method>,
    table: &Table,
) {
    let context = Context::new(Streams::new(1, "bench"));
    let [long, short] = STEPS.map(|steps| {
        let method = fit(steps);
        least(|| drop(black_box(method.fit(table, &context).expect("the table is fitted"))))
    });
    let step = (long - short) / (STEPS[0] - STEPS[1]) as f64;
    let rate = operations / step * 1e-9;
    println!(
        "{name}: {:.2} ms a step, {rate:.1} useful Gflop/s, {:.0} % of {peak:.1} Gflop/s",
        step * 1e3,
        100.0 * rate / peak
    );
}

fn main() {
    let peak = peak();
    for (rows, columns, batch) in [
        (2048, 4, 128),
        (2048, 8, 128),
        (2048, 13, 128),
        (2000, 4, 1000),
        (2000, 8, 1000),
        (455, 13, 1000),
    ] {
        let batch = usize::div_ceil(rows, usize::div_ceil(rows, batch));
        let build = |steps| -> Box<dyn Method> {
            let training = ClimbSettings { steps, batch, ..ClimbSettings::default() };
            let parameters = DeepGpParameters { training, ..DeepGpParameters::default() };
            Box::new(DeepGp::new(parameters).expect("the parameters are in range"))
        };
        let outputs = [columns, columns, columns, columns, 1];
        let name = format!("deep-gp, 5 layers, 100 points, {columns} features, batches of {batch}");
        report(&name, peak, operations(&outputs, 100, batch), build, &table(rows, columns));
    }
    for points in [100, 500] {
        let build = |steps| -> Box<dyn Method> {
            let training = ClimbSettings { steps, ..ClimbSettings::default() };
            let parameters = StochasticSparseGpParameters {
                inducing: points,
                training,
                ..StochasticSparseGpParameters::default()
            };
            Box::new(StochasticSparseGp::new(parameters).expect("the parameters are in range"))
        };
        let name = format!("stochastic-sparse-gp, {points} points, 8 features, batches of 128");
        report(&name, peak, operations(&[1], points, 128), build, &table(2048, 8));
    }
}
