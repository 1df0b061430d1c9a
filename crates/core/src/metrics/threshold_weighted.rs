//! Score one tail of the predictive distribution: the CRPS above or below a threshold.

use std::fmt;

use ndarray::ArrayView1;

use super::interval::percent;
use super::{
    Direction, Metric, Parameter, Properties, ScoreContext, SkillKind, Tolerance, Unit, finite,
    mean_over_rows,
};
use crate::predictive::{Predictive, Quantity};

/// Which side of a threshold is scored.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Tail {
    /// Values above it.
    Upper,
    /// Values below it.
    Lower,
}

impl fmt::Display for Tail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Upper => "upper",
            Self::Lower => "lower",
        })
    }
}

/// Mean threshold-weighted CRPS.
///
/// The threshold is a share of the range of the whole dataset's target. So its default has a
/// meaning for every target, and a change of the target's unit does not move it. The range is a
/// fact of the dataset: all methods and splits share the threshold. A quantile of the test outcomes
/// would move with them, and the score would not be proper. A threshold t in the target's unit is
/// the share (t − min)/(max − min), which may lie outside [0, 1].
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct ThresholdWeightedCrps {
    /// The threshold: 0 is the smallest target of the dataset, 1 the largest.
    pub threshold: f64,
    /// Which side of it is scored.
    pub tail: Tail,
}

impl Metric for ThresholdWeightedCrps {
    fn properties(&self) -> Properties {
        let side = if self.tail == Tail::Upper { "above" } else { "below" };
        Properties {
            name: "threshold-weighted-crps",
            label: format!("CRPS {side} {} of the range", percent(self.threshold)),
            direction: Direction::Lower,
            unit: Unit::Target,
            quantities: vec![Quantity::CrpsWithin],
            skill: Some(SkillKind::Share),
            tolerance: Tolerance::Share(0.10),
            definition: "mean of the integral of w(x) (F(x) - 1{y <= x})^2 over x, w(x) = 1{x >= \
                         t} (tail upper) or 1{x <= t} (tail lower), t = min + threshold (max - \
                         min), min and max of the whole dataset's target; undefined where they are \
                         unknown. The scores of both tails sum to the CRPS. Proper, but \
                         insensitive to the other side of t. Gneiting & Ranjan (2011), J. Bus. \
                         Econ. Stat. 29; Allen, Ginsbourger & Ziegel (2023), SIAM/ASA J. \
                         Uncertain. Quantif. 11.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::finite("threshold", &mut self.threshold),
            Parameter::choice(
                "tail",
                &mut self.tail,
                &[Tail::Upper, Tail::Lower],
                "upper or lower",
            ),
        ]
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        let (smallest, largest) = context.target_range?;
        let threshold = finite(smallest + self.threshold * (largest - smallest))?;
        let (low, high) = match self.tail {
            Tail::Upper => (threshold, f64::INFINITY),
            Tail::Lower => (f64::NEG_INFINITY, threshold),
        };
        mean_over_rows(predictive, y, |i, y| predictive.distribution().crps_within(i, y, low, high))
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, array};

    use super::*;
    use crate::math::special::normal_quantile;
    use crate::metrics::{Crps, MetricId};
    use crate::predictive::{Form, Gaussian, Mixture, Quantiles, Samples, StudentT};

    fn normal(mean: f64, sd: f64, rows: usize) -> Predictive {
        let (mean, variance) = (Array1::from_elem(rows, mean), Array1::from_elem(rows, sd * sd));
        Predictive::new(Form::Gaussian(Gaussian { mean, variance }))
    }

    /// The score with a threshold in the target's unit.
    fn score(predictive: &Predictive, y: &Array1<f64>, threshold: f64, tail: Tail) -> f64 {
        let context = ScoreContext { target_range: Some((0.0, 1.0)), ..ScoreContext::default() };
        ThresholdWeightedCrps { threshold, tail }.score(predictive, y.view(), &context).unwrap()
    }

    #[test]
    fn a_normal_distribution_has_its_closed_and_its_integrated_values() {
        // By symmetry half of the CRPS of a standard normal distribution at its mean, (√2 − 1)/√π.
        let half = 0.5 * (2.0_f64.sqrt() - 1.0) / std::f64::consts::PI.sqrt();
        assert!((score(&normal(0.0, 1.0, 1), &array![0.0], 0.0, Tail::Upper) - half).abs() < 1e-15);
        // Simpson's rule on Φ of Python's math.erfc, for N(0.3, 1.5²) and the threshold 1.
        let of = |y, tail| score(&normal(0.3, 1.5, 1), &array![y], 1.0, tail);
        assert!((of(2.0, Tail::Upper) - 0.624_344_108_007_388).abs() < 1e-12);
        assert!((of(-1.0, Tail::Upper) - 0.056_526_947_639_555).abs() < 1e-12);
        assert!((of(2.0, Tail::Lower) - 0.422_022_097_280_939).abs() < 1e-12);
    }

    #[test]
    fn draws_are_scored_as_draws_moved_to_the_threshold() {
        // max(·, 1.5) of the draws is 1.5, 2, 5, and of the outcome 1.5: E|X − y| − ½ E|X − X'| =
        // 4/3 − 7/6, X' another draw.
        let draws = Predictive::new(Form::Samples(Samples { values: array![[0.0, 2.0, 5.0]] }));
        assert!((score(&draws, &array![1.0], 1.5, Tail::Upper) - 1.0 / 6.0).abs() < 1e-15);
        // min(·, 1.5) is 0, 1.5, 1.5 and 1: 2/3 − 1/2.
        assert!((score(&draws, &array![1.0], 1.5, Tail::Lower) - 1.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn tails_sum_to_the_crps_and_a_far_threshold_leaves_all_or_nothing() {
        let t =
            StudentT { location: array![0.5], scale: array![0.7], degrees_of_freedom: array![3.0] };
        let mixture = Mixture {
            weights: array![[0.3, 0.2, 0.5]],
            means: array![[-1.0, 0.4, 2.0]],
            variances: array![[0.1, 0.0, 2.0]],
        };
        let quantiles = Quantiles { levels: vec![0.1, 0.5, 0.9], values: array![[-1.0, 0.5, 0.8]] };
        let forms = [
            Form::StudentT(t),
            Form::Mixture(mixture),
            Form::Quantiles(quantiles),
            normal(0.2, 1.3, 1).form,
        ];
        for predictive in forms.map(Predictive::new) {
            for y in [-1.2, 0.4, 3.0].map(|y| array![y]) {
                let crps = Crps.score(&predictive, y.view(), &ScoreContext::default()).unwrap();
                for threshold in [-4.0, -0.3, 0.4, 0.6, 2.5] {
                    let both = [Tail::Upper, Tail::Lower]
                        .map(|tail| score(&predictive, &y, threshold, tail));
                    assert!(
                        (both[0] + both[1] - crps).abs() < 1e-12,
                        "{y} {threshold}: {both:?} of {crps}"
                    );
                }
                assert!((score(&predictive, &y, -1e4, Tail::Upper) - crps).abs() < 1e-9);
                assert!(score(&predictive, &y, 1e4, Tail::Upper) < 1e-9);
            }
        }
    }

    #[test]
    fn the_distribution_of_the_outcomes_has_the_best_mean_score() {
        let rows = 500;
        let y: Array1<f64> =
            (0..rows).map(|k| normal_quantile((f64::from(k) + 0.5) / f64::from(rows))).collect();
        for (threshold, tail) in [(1.0, Tail::Upper), (1.0, Tail::Lower), (-0.5, Tail::Upper)] {
            let of = |mean, sd| score(&normal(mean, sd, y.len()), &y, threshold, tail);
            for (mean, sd) in [(0.3, 1.0), (-0.3, 1.0), (0.0, 0.7), (0.0, 1.4)] {
                assert!(
                    of(0.0, 1.0) < of(mean, sd),
                    "{threshold} {tail}: N({mean}, {sd}²) is better"
                );
            }
        }
    }

    #[test]
    fn the_threshold_is_a_share_of_the_range_which_must_be_known() {
        let (predictive, y) = (normal(0.3, 1.5, 1), array![2.0]);
        let metric = ThresholdWeightedCrps { threshold: 0.75, tail: Tail::Upper };
        let context = ScoreContext { target_range: Some((-2.0, 2.0)), ..ScoreContext::default() };
        assert_eq!(
            metric.score(&predictive, y.view(), &context),
            Some(score(&predictive, &y, 1.0, Tail::Upper))
        );
        assert_eq!(metric.score(&predictive, y.view(), &ScoreContext::default()), None);
        assert_eq!(metric.label(), "CRPS above 75 % of the range");
        let lower: MetricId = "threshold-weighted-crps(tail=lower)".parse().unwrap();
        assert_eq!(lower.to_string(), "threshold-weighted-crps(threshold=0.75,tail=lower)");
    }
}
