//! Times of one step of the non-stationary Gaussian process (objective, gradient and Adam), by rows
//! and switches: the smallest of several fits of 1000 steps from one start, conditioning on the
//! rows included.
//!
//! `cargo bench --bench gp_nonstationary`

use std::hint::black_box;
use std::time::{Duration, Instant};

use ndarray::{Array1, Array2};
use rand::RngExt;
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_methods::gp::{NonstationaryGp, NonstationaryGpParameters};
use uq_methods::{Context, Method};

const STEPS: usize = 1000;
const TURNS: usize = 7;

/// Rows, inputs: Table 1's training folds of jump1d and motorcycle-94 (75, 81) and of nonstat2d
/// (121).
const SHAPES: [(usize, usize); 5] = [(75, 1), (81, 1), (121, 2), (160, 1), (200, 1)];

fn rows(n: usize, d: usize) -> Table {
    let mut rng = Streams::new(1, "bench").stream("rows", 0);
    let x = Array2::from_shape_simple_fn((n, d), || rng.random_range(-1.7..1.7));
    let y =
        Array1::from_shape_fn(n, |i| f64::sin(2.0 * x[(i, 0)]) + 0.3 * rng.random_range(-1.0..1.0));
    Table::unnamed(x, y)
}

/// The shortest fit.
fn fastest(parameters: NonstationaryGpParameters, table: &Table) -> Duration {
    let Ok(method) = NonstationaryGp::new(parameters) else { return Duration::MAX };
    let context = Context::new(Streams::new(1, "bench"));
    let time = |_| {
        let start = Instant::now();
        black_box(method.fit(black_box(table), &context).is_ok());
        start.elapsed()
    };
    (0..TURNS).map(time).min().unwrap_or(Duration::MAX)
}

fn main() {
    println!("rows inputs switches    ms a step   GFlop/s of inverse (n^3)");
    for (n, d) in SHAPES {
        let table = rows(n, d);
        for (name, length_scale, signal, noise) in [
            ("none", false, false, false),
            ("noise", false, false, true),
            ("all", true, true, true),
        ] {
            let parameters = NonstationaryGpParameters {
                length_scale,
                signal,
                noise,
                restarts: 1,
                steps: STEPS,
                ..NonstationaryGpParameters::default()
            };
            let step = fastest(parameters, &table).as_secs_f64() / STEPS as f64;
            let rate = (n as f64).powi(3) / step / 1e9;
            println!("{n:4} {d:6} {name:8} {:12.4} {rate:10.1}", 1e3 * step);
        }
    }
}
