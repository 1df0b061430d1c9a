//! Draw four outputs that share two latent inputs, one of them the target.

use ndarray::{Array1, Array2};

use super::{Drawn, standard_normal};
use uq_core::Table;
use uq_core::math::random::Rng;

/// Number of latent inputs.
const LATENT: usize = 2;
/// Number of outputs.
const OUTPUTS: usize = 4;
/// Numbers of training and test rows.
const ROWS: [usize; 2] = [800, 200];

/// Ajirak, Ravishankar & Djurić (2025), Section 6: x ~ N(0, σ² I), the w_d ~ N(0, I), y_1 = w_1ᵀx,
/// y_2 = (w_2ᵀx)², y_3 = sin w_3ᵀx, y_4 = ±1 by the sign of w_4ᵀx, each with normal noise of
/// variance 1 (33 to 36). σ² is not printed: 1 is ours. The weights are drawn anew with the rows.
/// Output `MISSING` is the target, the others, in their order, the features.
pub(super) fn draw<const MISSING: usize>(rng: &mut Rng) -> Drawn {
    let weights = Array2::from_shape_simple_fn((OUTPUTS, LATENT), || standard_normal(rng));
    let mut table = |rows: usize| {
        let latent = Array2::from_shape_simple_fn((rows, LATENT), || standard_normal(rng));
        let truth = functions(latent.dot(&weights.t()));
        let noisy = truth.mapv(|f| f + standard_normal(rng));
        let features = Array2::from_shape_fn((rows, OUTPUTS - 1), |(i, k)| {
            noisy[(i, k + usize::from(k >= MISSING))]
        });
        (
            Table::unnamed(features, noisy.column(MISSING).to_owned()),
            truth.column(MISSING).to_owned(),
        )
    };
    let [(train, _), (test, truth)] = ROWS.map(&mut table);
    Drawn { train, test, noise: Some(Array1::ones(ROWS[1])), truth: Some(truth) }
}

/// The four functions of w_dᵀx, n × 4.
fn functions(mut projections: Array2<f64>) -> Array2<f64> {
    for mut row in projections.rows_mut() {
        row[1] = row[1].powi(2); // (34)
        row[2] = row[2].sin(); // (35)
        row[3] = if row[3] > 0.0 { 1.0 } else { -1.0 }; // (36)
    }
    projections
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated::Simulated;
    use rand::SeedableRng;

    #[test]
    fn the_four_problems_are_one_draw_whose_outputs_change_places() {
        let drawn = ["linear", "square", "periodic", "step"].map(|name| {
            Simulated::get(&format!("simulated:gplvm-{name}"))
                .unwrap()
                .draw(&mut Rng::seed_from_u64(5))
        });
        for (d, one) in drawn.iter().enumerate() {
            assert_eq!((one.train.features.dim(), one.test.features.dim()), ((800, 3), (200, 3)));
            for (k, other) in drawn.iter().enumerate().filter(|(k, _)| *k != d) {
                assert_eq!(one.train.features.column(k - usize::from(k > d)), other.train.target);
            }
            // 200 normal errors of variance 1: five standard errors of their variance.
            let errors = &one.test.target - one.truth.as_ref().unwrap();
            assert!((errors.var(0.0) - 1.0).abs() < 5.0 * 0.1, "{d}: {}", errors.var(0.0));
        }
        let of = |d: usize| drawn[d].truth.as_ref().unwrap();
        assert!(of(1).iter().all(|f| *f >= 0.0) && of(2).iter().all(|f| f.abs() <= 1.0));
        assert!(of(3).iter().all(|f| f.abs() == 1.0));
    }

    #[test]
    fn moments_over_draws_are_those_of_the_formula() {
        // Over weights and inputs s = wᵀx has E s² = 2, E s⁴ = 3 E |w|⁴ = 24, and E sin² s = (1 − E
        // cos 2s)/2 = 2/5, since E cos 2s = E exp(−2 |w|²) = 1/(1 + 4).
        let mut sums = [0.0; 3];
        let draws = 400;
        for seed in 0..draws {
            let rng = |seed| Rng::seed_from_u64(seed);
            let truths =
                [draw::<0>(&mut rng(seed)), draw::<1>(&mut rng(seed)), draw::<2>(&mut rng(seed))];
            for (sum, one) in sums.iter_mut().zip(&truths) {
                *sum += one.truth.as_ref().unwrap().mapv(|f| f * f).mean().unwrap() / draws as f64;
            }
        }
        // |w|² has standard deviation 2, 3 |w|⁴ one of 54, and the share of sin² one of less than 0.2: five standard errors.
        for (found, (mean, sd)) in sums.iter().zip([(2.0, 2.1), (24.0, 56.0), (0.4, 0.2)]) {
            assert!(
                (found - mean).abs() < 5.0 * sd / f64::from(draws as u32).sqrt(),
                "{found} against {mean}"
            );
        }
    }
}
