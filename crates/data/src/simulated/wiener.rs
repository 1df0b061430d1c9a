//! Draw one step of the polynomial system on which Wiener kernel regression is demonstrated.

use ndarray::{Array1, Array2};

use super::{Drawn, standard_normal};
use uq_core::Table;
use uq_core::math::random::Rng;
use uq_math::gamma_draws::gamma;

/// Number of points of the test grid on [−5, 5].
const GRID: usize = 201;

/// The noise: its mean, and a function that draws it.
type Noise = (f64, fn(&mut Rng) -> f64);

/// Faulwasser & Molodchyk (2023), Eq. (10): x_{k+1} = 0.01 x³ − 0.2 x² + 0.2 x + M.
fn truth(x: f64) -> f64 {
    0.01 * x.powi(3) - 0.2 * x.powi(2) + 0.2 * x
}

/// `PLACES` linearly spaced states on [−5, 5], `SAMPLES` measurements at each, standard normal
/// noise.
pub(super) fn gaussian<const PLACES: usize, const SAMPLES: usize>(rng: &mut Rng) -> Drawn {
    draw(PLACES, SAMPLES, (0.0, standard_normal), rng)
}

/// `PLACES` linearly spaced states on [−5, 5], `SAMPLES` measurements at each, Gamma(0.25, 2)
/// noise: mean 0.5 and variance 1.
pub(super) fn skewed<const PLACES: usize, const SAMPLES: usize>(rng: &mut Rng) -> Drawn {
    draw(PLACES, SAMPLES, (0.5, |rng| 2.0 * gamma(0.25, rng)), rng)
}

/// Noisy test rows on the grid. The truth includes the mean of the noise, which is part of a new
/// measurement.
fn draw(places: usize, samples: usize, (mean, noise): Noise, rng: &mut Rng) -> Drawn {
    let spaced = |i: usize, n: usize| -5.0 + 10.0 * i as f64 / (n - 1) as f64;
    let mut table = |x: Vec<f64>| {
        let target = x.iter().map(|&x| truth(x) + noise(rng)).collect();
        Table::unnamed(Array2::from_shape_fn((x.len(), 1), |(i, _)| x[i]), target)
    };
    let train = table((0..places * samples).map(|i| spaced(i / samples, places)).collect());
    let grid: Vec<f64> = (0..GRID).map(|i| spaced(i, GRID)).collect();
    let test = table(grid.clone());
    let known = grid.iter().map(|&x| truth(x) + mean).collect();
    Drawn { train, test, noise: Some(Array1::ones(GRID)), truth: Some(known) }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn places_repeat_and_noise_has_its_moments() {
        for (skewness, draw) in
            [(0.0, gaussian::<5, 25> as fn(&mut Rng) -> Drawn), (4.0, skewed::<5, 25>)]
        {
            let drawn = draw(&mut Rng::seed_from_u64(1));
            assert_eq!(drawn, draw(&mut Rng::seed_from_u64(1)));
            assert_eq!((drawn.train.rows(), drawn.test.rows()), (125, 201));
            assert_eq!(
                (drawn.train.features[(24, 0)], drawn.train.features[(25, 0)]),
                (-5.0, -2.5)
            );
            assert_eq!((drawn.test.features[(100, 0)], drawn.test.features[(200, 0)]), (0.0, 5.0));
            let mut residuals = Vec::new();
            for seed in 0..400 {
                let Drawn { test, truth, noise, .. } = draw(&mut Rng::seed_from_u64(seed));
                assert!(noise.unwrap().iter().all(|sd| *sd == 1.0));
                residuals.extend((test.target - truth.unwrap()).to_vec());
            }
            let n = residuals.len() as f64;
            let moment = |power: i32| residuals.iter().map(|r| r.powi(power)).sum::<f64>() / n;
            // Five standard errors; those of the third moment of Gamma(0.25, 2) rest on its sixth.
            for (power, expected) in [(1, 0.0), (2, 1.0), (3, skewness)] {
                let error = 5.0 * ((moment(2 * power) - moment(power).powi(2)) / n).sqrt();
                assert!(
                    (moment(power) - expected).abs() < error,
                    "{power}: {} {expected}",
                    moment(power)
                );
            }
        }
        // 0.01·8 − 0.2·4 + 0.4.
        assert!((truth(2.0) + 0.32).abs() < 1e-15);
    }
}
