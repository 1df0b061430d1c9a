//! Score calibration beyond the coverage of one interval: over all levels, and given the predicted width.
//!
//! Calibration by region of the features or by the true noise is not here: a metric sees predictions and outcomes alone.

use ndarray::ArrayView1;
use rand::RngExt;

use super::interval::{interval_exactness, percent};
use super::{Direction, Metric, ScoreContext, finite, row_losses};
use crate::math::bins::near_equal_bins;
use crate::math::random::Streams;
use crate::predictive::{Exactness, Form, Predictive, Quantity};

/// Number of equal steps between the levels at which the distribution of the PIT is compared with the uniform one.
const STEPS: u32 = 20;

/// How far rounding may lift a PIT value above the level that it lies on.
const LEVEL_TOLERANCE: f64 = 1e-12;

/// Widths that agree to this share of the largest one are ties: rounding must not order equal widths.
const SAME_WIDTH: f64 = 1e-9;

/// Root mean square distance of the distribution of the probability integral transform (PIT) from the uniform one.
pub(super) struct PitCalibration;

/// Largest deviation of coverage from its level over groups of rows of similar width.
pub(super) struct CoverageByWidth {
    /// Probability of the interval.
    pub level: f64,
    /// Number of groups.
    pub groups: usize,
}

impl Metric for PitCalibration {
    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        "PIT calibration error".into()
    }

    fn unit(&self, _: &str) -> String {
        String::new()
    }

    fn definition(&self) -> &'static str {
        "sqrt(mean over p of (share of u <= p, less p)^2), p = 0.05, 0.1, ..., 0.95, u the probability integral transform \
         F(y-) + v (F(y) - F(y-)), v uniform from a fixed stream by row, so that atoms are randomised and F(y) stands \
         where there are none. 0.570 at worst; about 0.42 / sqrt(n) for n independent rows and perfect predictions. \
         Kuleshov, Fenner & Ermon (2018), ICML, eq. (9) with equal weights (its root); Czado, Gneiting & Held (2009), \
         Biometrics 65, on the randomised PIT."
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

    fn exactness(&self, form: &Form) -> Exactness {
        form.distribution().exactness(Quantity::Cdf)
    }
}

impl Metric for CoverageByWidth {
    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        format!("Coverage error by width ({}, {} groups)", percent(self.level), self.groups)
    }

    fn unit(&self, _: &str) -> String {
        String::new()
    }

    fn definition(&self) -> &'static str {
        "max over groups of |share of l <= y <= u in the group, less level|, [l, u] the central interval of the level; rows \
         are sorted by u - l, ties (to 1e-9 of the largest width) in row order, and cut into near-equal groups, longer \
         ones first. Its size depends on the rows per group: compare equal numbers of rows only. After the size-stratified \
         coverage of Angelopoulos & Bates (2023), Found. Trends Mach. Learn. 16, which takes the smallest coverage."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        let widths =
            row_losses(predictive, y, |i, _| predictive.interval(i, self.level).map(|(low, high)| high - low))?;
        let covered = row_losses(predictive, y, |i, y| {
            let (lower, upper) = predictive.interval(i, self.level)?;
            Some(f64::from(lower <= y && y <= upper))
        })?;
        let grain = SAME_WIDTH * widths.iter().copied().fold(0.0, f64::max);
        // Where all widths are zero so is the grain, and all are ties.
        let key = |row: usize| if grain > 0.0 { (widths[row] / grain).round() } else { 0.0 };
        let mut order: Vec<usize> = (0..y.len()).collect();
        order.sort_by(|&a, &b| key(a).total_cmp(&key(b)));
        near_equal_bins(y.len(), self.groups)
            .into_iter()
            .filter(|group| !group.is_empty())
            .map(|group| order[group.clone()].iter().map(|&row| covered[row]).sum::<f64>() / group.len() as f64)
            .map(|coverage| (coverage - self.level).abs())
            .reduce(f64::max)
            .and_then(finite)
    }

    fn exactness(&self, form: &Form) -> Exactness {
        interval_exactness(form, self.level)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2, array};

    use super::*;
    use crate::math::special::normal_quantile;
    use crate::metrics::MetricId;
    use crate::predictive::{Atoms, Gaussian};

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
        // All outcomes below the prediction: the error is 1 − p at each level; Σ (k/20)² for k = 1..19 is 2470/400.
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
        // Coins: F jumps by ½ at 0 and at 1; without randomisation the PIT would be ½ and 1 alone, and the error 0.29.
        let n = 10_000;
        let y: Array1<f64> = (0..n).map(|i| f64::from(u8::from(i % 2 == 0))).collect();
        let values = Array2::from_shape_fn((n, 2), |(_, j)| j as f64);
        let coins = Predictive::new(Form::Atoms(Atoms { values, weights: array![[0.5, 0.5]] }));
        let found = pit(&coins, &y);
        assert!(found < 0.01, "{found}");
        assert_eq!(found.to_bits(), pit(&coins, &y).to_bits());
    }

    #[test]
    fn coverage_by_width_finds_what_coverage_hides() {
        let by_width = |predictive: &Predictive, y: &Array1<f64>, groups| {
            CoverageByWidth { level: 0.5, groups }.score(predictive, y.view(), &ScoreContext::default())
        };
        // Two rows are too narrow and missed, two too wide and covered: PICP is exactly ½.
        let predictive = gaussian(Array1::zeros(4), array![1e-4, 1e4, 1e-4, 1e4]);
        let y = array![1.0, 1.0, -1.0, -1.0];
        assert_eq!(MetricId::Picp { level: 0.5 }.score(&predictive, y.view(), &ScoreContext::default()), Some(0.5));
        assert_eq!(by_width(&predictive, &y, 1), Some(0.0));
        assert_eq!(by_width(&predictive, &y, 2), Some(0.5));
        assert_eq!(by_width(&predictive, &y, 3), Some(0.5), "groups of 2, 1 and 1 rows");
        assert_eq!(by_width(&predictive, &y, 100), Some(0.5), "a group of each row");
        assert_eq!(by_width(&gaussian(array![0.0], array![0.0]), &array![0.0], 10), Some(0.5), "one row of no width");
    }

    #[test]
    fn equal_widths_stay_in_row_order_whatever_rounding_does_to_them() {
        // Rows 0 and 1 are covered, 2 and 3 missed; the means make the widths differ by rounding.
        let mean = array![1e5, 1.0 / 3.0, -1e4, 0.1];
        let y = &mean + &array![0.0, 0.0, 9.0, 9.0];
        let predictive = gaussian(mean, Array1::ones(4));
        let score = CoverageByWidth { level: 0.75, groups: 2 }.score(&predictive, y.view(), &ScoreContext::default());
        assert_eq!(score, Some(0.75));
        let alternating = array![1e5, 1.0 / 3.0 + 9.0, -1e4, 9.1];
        let score =
            CoverageByWidth { level: 0.5, groups: 2 }.score(&predictive, alternating.view(), &ScoreContext::default());
        assert_eq!(score, Some(0.0));
    }
}
