//! Score calibration over all levels at once. Coverage within groups of rows is in
//! `conditional.rs`.

use ndarray::ArrayView1;
use rand::RngExt;

use super::{Direction, Metric, Properties, ScoreContext, Tolerance, Unit, finite, row_losses};
use crate::math::random::Streams;
use crate::predictive::{Predictive, Quantity};

/// Number of equal steps between the levels at which the distribution of the PIT is compared with
/// the uniform one.
const STEPS: u32 = 20;

/// How far rounding may raise a PIT value above the level that it lies on.
const LEVEL_TOLERANCE: f64 = 1e-12;

/// Root mean square distance of the distribution of the probability integral transform (PIT) from
/// the uniform one.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct PitCalibration;

impl Metric for PitCalibration {
    fn properties(&self) -> Properties {
        Properties {
            name: "pit-calibration",
            label: "PIT calibration error".into(),
            direction: Direction::Lower,
            unit: Unit::None,
            quantities: vec![Quantity::Cdf],
            skill: None,
            tolerance: Tolerance::None,
            definition: "sqrt(mean over p of (share of u <= p, less p)^2), p = 0.05, 0.1, ..., \
                         0.95, u the probability integral transform F(y-) + v (F(y) - F(y-)), v \
                         uniform from a fixed stream by row, so that atoms are randomised and F(y) \
                         stands where there are none. 0.570 at worst; about 0.42 / sqrt(n) for n \
                         independent rows and perfect predictions. Kuleshov, Fenner & Ermon \
                         (2018), ICML, eq. (9) with equal weights (its root); Czado, Gneiting & \
                         Held (2009), Biometrics 65, on the randomised PIT.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        let mut stream = Streams::new(0, "pit").stream("row", 0);
        let v: Vec<f64> = y.iter().map(|_| stream.random()).collect();
        let pit = row_losses(predictive, y, |i, y| {
            let below = predictive.distribution().cdf_below(i, y)?;
            Some(below + v[i] * (predictive.distribution().cdf(i, y)? - below))
        })?;
        let square = |step: u32| {
            let p = f64::from(step) / f64::from(STEPS);
            let count = pit.iter().filter(|u| **u <= p + LEVEL_TOLERANCE).count();
            (count as f64 / pit.len() as f64 - p).powi(2)
        };
        finite(((1..STEPS).map(square).sum::<f64>() / f64::from(STEPS - 1)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2, array};

    use super::*;
    use crate::math::special::normal_quantile;
    use crate::predictive::{Atoms, Form, Gaussian};

    fn gaussian(mean: Array1<f64>, variance: Array1<f64>) -> Predictive {
        Predictive::new(Form::Gaussian(Gaussian { mean, variance }))
    }

    fn pit(predictive: &Predictive, y: &Array1<f64>) -> f64 {
        PitCalibration.score(predictive, y.view(), &ScoreContext::default()).unwrap()
    }

    /// Outcomes at the quantiles (k + ½)/n of the standard normal distribution.
    fn normal_scores(n: usize) -> Array1<f64> {
        (0..n).map(|k| normal_quantile((k as f64 + 0.5) / n as f64)).collect()
    }

    #[test]
    fn an_ideal_prediction_has_no_pit_error_and_the_worst_one_a_closed_form() {
        let y = normal_scores(1000);
        assert!(pit(&gaussian(Array1::zeros(1000), Array1::ones(1000)), &y) < 1e-12);
        // All outcomes below the prediction: the error is 1 − p at each level; Σ (k/20)² for k =
        // 1..19 is 2470/400.
        let worst = pit(&gaussian(Array1::from_elem(1000, 1e3), Array1::ones(1000)), &y);
        assert!((worst - (2470.0_f64 / 400.0 / 19.0).sqrt()).abs() < 1e-12, "{worst}");
        // One row whose PIT is ½: 0 − p below ½ and 1 − p from there on.
        let square = |k: i32| (f64::from(u8::from(k >= 10)) - f64::from(k) / 20.0).powi(2);
        let expected = ((1..20).map(square).sum::<f64>() / 19.0).sqrt();
        assert!((pit(&gaussian(array![0.0], array![1.0]), &array![0.0]) - expected).abs() < 1e-12);
    }

    #[test]
    fn an_overconfident_prediction_has_the_pit_error_of_its_closed_form() {
        // Outcomes of standard deviation 1, predicted 1/2: share of PIT below p is Φ(Φ⁻¹(p)/2).
        let n = 20_000;
        let found = pit(&gaussian(Array1::zeros(n), Array1::from_elem(n, 0.25)), &normal_scores(n));
        let square = |k: u32| {
            let p = f64::from(k) / 20.0;
            (crate::math::special::normal_cdf(0.5 * normal_quantile(p)) - p).powi(2)
        };
        let expected = ((1..20).map(square).sum::<f64>() / 19.0).sqrt();
        assert!((found - expected).abs() < 1e-4, "{found} against {expected}");
    }

    #[test]
    fn randomisation_makes_an_ideal_discrete_prediction_uniform_and_is_repeatable() {
        // Coins: F jumps by ½ at 0 and at 1; without randomisation the PIT would be ½ and 1 alone,
        // and the error 0.29.
        let n = 10_000;
        let y: Array1<f64> = (0..n).map(|i| f64::from(u8::from(i % 2 == 0))).collect();
        let values = Array2::from_shape_fn((n, 2), |(_, j)| j as f64);
        let coins = Predictive::new(Form::Atoms(Atoms { values, weights: array![[0.5, 0.5]] }));
        let found = pit(&coins, &y);
        assert!(found < 0.01, "{found}");
        assert_eq!(found.to_bits(), pit(&coins, &y).to_bits());
    }
}
