//! Draw SYNTH-1D, whose length scale, signal and noise depend on the input, and a noise-free step.

use std::sync::LazyLock;

use ndarray::{Array1, Array2};

use super::{Drawn, standard_normal};
use uq_core::Table;
use uq_core::math::random::Rng;

/// The true hyper-functions of a draw from a Gaussian process at one input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HyperFunctions {
    /// Length scale ℓ, in the input's units.
    pub length_scale: f64,
    /// Signal standard deviation σ, in the target's units.
    pub signal: f64,
    /// Standard deviation of the noise, in the target's units.
    pub noise: f64,
}

/// Number of training rows, whose inputs are equally spaced from −30 to 30.
const ROWS: usize = 200;
/// Number of grid points: the training inputs and the middles between them, which are test inputs
/// too.
const GRID: usize = 2 * ROWS - 1;
/// Added to the diagonal of the kernel matrix, whose signal variances are 0.3 to 16.6, so that it
/// has a Cholesky factor.
const JITTER: f64 = 1e-6;

/// Point `i` of the grid.
fn input(i: usize) -> f64 {
    -30.0 + 60.0 * i as f64 / (GRID - 1) as f64
}

/// Patel, Batra & Murphy (2022), Section 3: ℓ(x) = 0.5 sin(x/8) + 1.5, σ(x) = 1.5 exp(sin 0.2x),
/// ω(x) = 2.5 ln(1 + exp(sin −0.2x)), ω the standard deviation of the noise, as Eq. (1) has it.
pub(super) fn deviation(x: f64) -> HyperFunctions {
    HyperFunctions {
        length_scale: 0.5 * (x / 8.0).sin() + 1.5,
        signal: 1.5 * (0.2 * x).sin().exp(),
        noise: 2.5 * (-0.2 * x).sin().exp().ln_1p(),
    }
}

/// The functions with ω the variance of the noise, as the authors' program has it.
pub(super) fn variance(x: f64) -> HyperFunctions {
    let all = deviation(x);
    HyperFunctions { noise: all.noise.sqrt(), ..all }
}

/// Eq. (3) in one dimension, without ω.
fn gibbs(a: f64, b: f64) -> f64 {
    let (p, q) = (deviation(a), deviation(b));
    let squares = p.length_scale.powi(2) + q.length_scale.powi(2);
    let scales = (2.0 * p.length_scale * q.length_scale / squares).sqrt();
    p.signal * q.signal * scales * (-(a - b).powi(2) / squares).exp()
}

/// The lower Cholesky factor of the kernel matrix of the grid: the same for all draws.
static FACTOR: LazyLock<Array2<f64>> = LazyLock::new(|| {
    let mut l = Array2::from_shape_fn((GRID, GRID), |(i, j)| {
        gibbs(input(i), input(j)) + if i == j { JITTER } else { 0.0 }
    });
    for j in 0..GRID {
        for i in j..GRID {
            let dot: f64 = (0..j).map(|k| l[(i, k)] * l[(j, k)]).sum();
            // The diagonal of column j is replaced first, the others are divided by it.
            l[(i, j)] =
                if i == j { (l[(i, j)] - dot).sqrt() } else { (l[(i, j)] - dot) / l[(j, j)] };
        }
        l.row_mut(j).iter_mut().skip(j + 1).for_each(|above| *above = 0.0);
    }
    l
});

/// 200 noisy training rows, and noisy test rows at them and at the middles between them.
fn draw(noise: fn(f64) -> HyperFunctions, rng: &mut Rng) -> Drawn {
    let z: Array1<f64> = (0..GRID).map(|_| standard_normal(rng)).collect();
    let f = FACTOR.dot(&z);
    let sd = |i: usize| noise(input(i)).noise;
    let mut table = |rows: Vec<usize>| {
        let target = rows.iter().map(|&i| f[i] + sd(i) * standard_normal(rng)).collect();
        Table::unnamed(Array2::from_shape_fn((rows.len(), 1), |(r, _)| input(rows[r])), target)
    };
    let (train, test) = (table((0..GRID).step_by(2).collect()), table((0..GRID).collect()));
    Drawn { train, test, noise: Some((0..GRID).map(sd).collect()), truth: Some(f) }
}

/// [`deviation`] with its draw.
pub(super) fn synth_1d(rng: &mut Rng) -> Drawn {
    draw(deviation, rng)
}

/// [`variance`] with its draw.
pub(super) fn synth_1d_variance(rng: &mut Rng) -> Drawn {
    draw(variance, rng)
}

/// The package regdata: y = 0 at 25 equally spaced points of [−1, 0.05], y = 1 at 25 of [−0.05, 1],
/// without noise; where the halves overlap no function goes through both. The test rows are the
/// training rows.
pub(super) fn step(_: &mut Rng) -> Drawn {
    let place = |k: usize| k as f64 * 1.05 / 24.0;
    let x: Vec<f64> =
        (0..25).map(|k| -1.0 + place(k)).chain((0..25).map(|k| -0.05 + place(k))).collect();
    let target = (0..50).map(|i| if i < 25 { 0.0 } else { 1.0 }).collect();
    let table = Table::unnamed(Array2::from_shape_fn((50, 1), |(i, _)| x[i]), target);
    Drawn { train: table.clone(), test: table, noise: None, truth: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn hyper_functions_are_those_of_the_formulas() {
        // Python 3: math.sin, math.exp, math.log1p at 10.
        let at = deviation(10.0);
        let expected = [1.974492309677793, 3.7238665920225014, 0.8461882979984019];
        for (found, expected) in [at.length_scale, at.signal, at.noise].into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
        assert!((variance(10.0).noise.powi(2) - at.noise).abs() < 1e-14);
        assert!((gibbs(3.0, 3.0) - deviation(3.0).signal.powi(2)).abs() < 1e-12);
        // The same in Python 3 at (1, 2.5).
        assert!((gibbs(1.0, 2.5) - 2.867649445227332).abs() < 1e-13, "{}", gibbs(1.0, 2.5));
    }

    #[test]
    fn draws_have_the_covariance_of_the_kernel_and_the_noise_of_the_formula() {
        let drawn = synth_1d(&mut Rng::seed_from_u64(3));
        assert_eq!(drawn, synth_1d(&mut Rng::seed_from_u64(3)));
        let x = drawn.train.features.column(0);
        assert_eq!((x.len(), x[0], x[199], drawn.test.rows()), (200, -30.0, 30.0, 399));
        // Exactly: L Lᵀ is the kernel matrix.
        for (i, j) in [(0, 0), (7, 9), (200, 190), (398, 398)] {
            let product = FACTOR.row(i).dot(&FACTOR.row(j));
            let jitter = if i == j { JITTER } else { 0.0 };
            assert!((product - gibbs(input(i), input(j)) - jitter).abs() < 1e-10);
        }
        // Standardised residuals of 40 draws, about 24 000: five standard errors of a variance of
        // one.
        for (draw, law) in [
            (synth_1d as fn(&mut Rng) -> Drawn, deviation as fn(f64) -> HyperFunctions),
            (synth_1d_variance, variance),
        ] {
            let mut squares = Vec::new();
            for seed in 0..40 {
                let Drawn { train, test, noise, truth } = draw(&mut Rng::seed_from_u64(seed));
                let (noise, truth) = (noise.unwrap(), truth.unwrap());
                let rows = train
                    .target
                    .iter()
                    .enumerate()
                    .map(|(r, y)| (2 * r, y))
                    .chain(test.target.iter().enumerate());
                for (i, y) in rows {
                    assert_eq!(noise[i], law(input(i)).noise);
                    squares.push(((y - truth[i]) / noise[i]).powi(2));
                }
            }
            let n = squares.len() as f64;
            let found = squares.iter().sum::<f64>() / n;
            assert!((found - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "{found}");
        }
    }

    #[test]
    fn the_halves_of_the_step_overlap() {
        let Drawn { train, .. } = step(&mut Rng::seed_from_u64(1));
        let (x, y) = (train.features.column(0), &train.target);
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-15);
        near(x[0], -1.0);
        near(x[24], 0.05);
        near(x[25], -0.05);
        near(x[49], 1.0);
        assert_eq!((y[24], y[25], y.sum()), (0.0, 1.0, 25.0));
    }
}
