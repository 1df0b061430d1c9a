//! Cross the noise with the density of the rows, so that what an uncertainty follows can be told.
//!
//! x has four intervals of length 2 from −4 to 4. y = sin πx + σ(x) ε has one period on each, so
//! that only noise and density differ:
//!
//! ```text
//! interval         [−4, −2)   [−2, 0)   [0, 2)   [2, 4)
//! σ                  0.1        0.5       0.1      0.5
//! training rows      100        100        10       10
//! ```
//!
//! All numbers are ours.

use std::f64::consts::PI;

use ndarray::{Array1, Array2};
use rand::RngExt;

use super::{Drawn, Simulated, standard_normal};
use uq_core::Table;
use uq_core::math::random::Rng;

/// The problem.
pub const PROBLEM: Simulated = Simulated {
    key: "jcm-cross",
    title: "y = sin πx with normal noise on four intervals of length 2 from −4 to 4: sd 0.1 and \
            100 training rows, 0.5 and 100, 0.1 and 10, 0.5 and 10; noisy test rows on a grid of \
            400 (ours, for JCM, Section 5.4)",
    version: 1,
    draw,
    hyper_functions: None,
};

/// Test rows.
const GRID: usize = 400;

/// Index of the interval of x.
fn interval(x: f64) -> usize {
    ((x + 4.0) / 2.0).floor().clamp(0.0, 3.0) as usize
}

/// Standard deviation of the noise.
fn noise(x: f64) -> f64 {
    if interval(x).is_multiple_of(2) { 0.1 } else { 0.5 }
}

/// Number of training rows of the interval of x.
pub fn rows(x: f64) -> usize {
    if interval(x) < 2 { 100 } else { 10 }
}

/// Training rows uniform on each interval, noisy test rows at the middles of equal cells.
fn draw(rng: &mut Rng) -> Drawn {
    let truth = |x: f64| (PI * x).sin();
    let mut train = Vec::new();
    for low in [-4.0, -2.0, 0.0, 2.0] {
        train.extend((0..rows(low)).map(|_| low + 2.0 * rng.random::<f64>()));
    }
    let test: Vec<f64> = (0..GRID).map(|i| -4.0 + 8.0 * (i as f64 + 0.5) / GRID as f64).collect();
    let mut table = |x: &[f64]| {
        let target: Array1<f64> =
            x.iter().map(|&x| truth(x) + noise(x) * standard_normal(rng)).collect();
        Table::unnamed(Array2::from_shape_fn((x.len(), 1), |(i, _)| x[i]), target)
    };
    let (train, test_rows) = (table(&train), table(&test));
    let known = |f: &dyn Fn(f64) -> f64| Some(test.iter().map(|&x| f(x)).collect());
    Drawn { train, test: test_rows, noise: known(&noise), truth: known(&truth) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::math::random::Streams;

    #[test]
    fn noise_and_density_are_crossed() {
        let drawn = draw(&mut Streams::new(1, "cross").stream("draw", 0));
        let x = drawn.train.features.column(0).to_vec();
        let count = |low: f64| x.iter().filter(|x| (low..low + 2.0).contains(*x)).count();
        assert_eq!([-4.0, -2.0, 0.0, 2.0].map(count), [100, 100, 10, 10]);
        let at = |x: f64| (noise(x), rows(x));
        assert_eq!([-3.0, -1.0, 1.0, 3.0].map(at), [(0.1, 100), (0.5, 100), (0.1, 10), (0.5, 10)]);
        let (noise, truth) = (drawn.noise.unwrap(), drawn.truth.unwrap());
        let spread = |low: f64| {
            let rows =
                (0..GRID).filter(|&i| interval(drawn.test.features[(i, 0)]) == interval(low));
            let squares: Vec<f64> =
                rows.map(|i| ((drawn.test.target[i] - truth[i]) / noise[i]).powi(2)).collect();
            squares.iter().sum::<f64>() / squares.len() as f64
        };
        for low in [-4.0, -2.0, 0.0, 2.0] {
            assert!((spread(low) - 1.0).abs() < 0.6, "{low}: {}", spread(low));
        }
    }
}
