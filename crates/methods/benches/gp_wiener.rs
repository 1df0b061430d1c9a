//! Times of Wiener kernel regression with a kernel that is given: conditioning on 5000 rows, and
//! the coefficients (8), mean (9a) and variance (9b) at 200 places, on one thread and on two; the
//! smallest of several runs.
//!
//! `cargo bench --bench gp_wiener`

use std::hint::black_box;
use std::time::{Duration, Instant};

use faer::Par;
use rand::RngExt;
use uq_core::math::random::Streams;
use uq_methods::gp::kernels::{Composition, Points, Shape};
use uq_methods::gp::wiener::expansion::Expansion;
use uq_methods::gp::wiener::regression::{Regression, condition};

const TURNS: usize = 3;
const FEATURES: usize = 8;
const PLACES: usize = 200;

/// The shortest of several runs: conditioning, and the coefficients.
fn fastest(n: usize, par: Par) -> Option<(Duration, Duration)> {
    let mut rng = Streams::new(1, "bench").stream("rows", 0);
    let x: Vec<f64> = (0..n * FEATURES).map(|_| rng.random_range(-1.7..1.7)).collect();
    let y: Vec<f64> =
        (0..n).map(|i| f64::sin(2.0 * x[i * FEATURES]) + rng.random_range(-0.3..0.3)).collect();
    let at: Vec<f64> = (0..PLACES * FEATURES).map(|_| rng.random_range(-1.7..1.7)).collect();
    let noise = Expansion::gamma(4.0, 0.1);
    let mut kernel = Composition::Shape(Shape::Rbf).kernel(FEATURES);
    kernel.set_log_parameters(&[0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    let mut shortest: Option<(Duration, Duration)> = None;
    for _ in 0..TURNS {
        let points = Points::new(&x, n, FEATURES);
        let start = Instant::now();
        let posterior =
            condition(kernel.clone(), noise.variance(), &noise, points, &y, par).ok()?;
        let fit = start.elapsed();
        let start = Instant::now();
        let regression = Regression { posterior: &posterior, noise: &noise };
        let mut sum = 0.0;
        let places = Points::new(&at, PLACES, FEATURES);
        let each =
            |p: uq_methods::gp::wiener::regression::Prediction| sum += p.mean + p.noise_in_mean;
        regression.predict(places, || Ok::<_, ()>(()), each).ok()?;
        black_box(sum);
        let predict = start.elapsed();
        let kept = shortest.filter(|(f, p)| *f + *p <= fit + predict);
        shortest = Some(kept.unwrap_or((fit, predict)));
    }
    shortest
}

fn main() {
    for n in [1000, 2000, 5000] {
        for (threads, par) in [(1, Par::Seq), (2, Par::rayon(2))] {
            let Some((fit, predict)) = fastest(n, par) else {
                println!("n = {n}: no Cholesky factor");
                continue;
            };
            println!(
                "n = {n:5}, {threads} thread(s): conditioning {fit:9.3?}, coefficients at {PLACES} \
                 places {predict:9.3?}, together {:9.3?}",
                fit + predict
            );
        }
    }
}
