//! Score predictions of simulated problems against their truth: the error of the mean, the noise,
//! and the roughness of the mean.

use ndarray::ArrayView1;

use super::conditional::known;
use super::{
    Direction, Metric, Parameter, Properties, ScoreContext, SkillKind, Tolerance, Unit, finite,
    mean_over_rows, row_losses,
};
use crate::predictive::{Predictive, Quantity};

/// Mean squared error of the predictive mean against the noise-free truth.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct TruthMse;

impl Metric for TruthMse {
    fn properties(&self) -> Properties {
        Properties {
            name: "truth-mse",
            label: "MSE against the truth".into(),
            direction: Direction::Lower,
            unit: Unit::TargetSquared,
            quantities: vec![Quantity::Mean],
            skill: Some(SkillKind::Share),
            tolerance: Tolerance::None,
            definition: "mean (f - m)^2 with f the noise-free truth and m the predictive mean. \
                         Undefined where the truth is unknown, which is everywhere but on \
                         simulated problems with noisy test rows (without noise, mse is the same).",
        }
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        let truth = known(context.facts.truth.as_ref(), y.len())?;
        mean_over_rows(predictive, y, |i, _| {
            Some((truth[i] - predictive.distribution().mean(i)?).powi(2))
        })
    }
}

/// Share of rows whose predictive standard deviation is near the noise's true one.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct NoiseAccuracy {
    /// The largest allowed ratio of the two in either direction, above 1.
    pub factor: f64,
}

impl Metric for NoiseAccuracy {
    fn properties(&self) -> Properties {
        Properties {
            name: "noise-accuracy",
            label: format!("Share of rows with sd within a factor {} of the noise", self.factor),
            direction: Direction::Higher,
            unit: Unit::None,
            quantities: vec![Quantity::Mean, Quantity::Variance],
            skill: None,
            tolerance: Tolerance::None,
            definition: "the share of rows with t/factor <= s <= t factor, s the predictive \
                         standard deviation and t the true one of the noise: with many data, the \
                         noise is all variance that remains. Undefined where the true noise is \
                         unknown, which is everywhere but on simulated problems with noisy test \
                         rows. Our choice.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::number("factor", &mut self.factor, "a number above 1", |factor| {
            factor.is_finite() && factor > 1.0
        })]
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        let noise = known(context.facts.noise.as_ref(), y.len())?;
        mean_over_rows(predictive, y, |i, _| {
            // A row without a mean has no distribution, whatever its variance.
            predictive.distribution().mean(i)?;
            let sd = predictive.distribution().variance(i)?.sqrt();
            Some(f64::from(noise[i] <= sd * self.factor && sd <= noise[i] * self.factor))
        })
    }
}

/// Root mean square of the predictive mean's second differences on an interval of x, divided by
/// that of the noise-free truth.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Roughness {
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Metric for Roughness {
    fn properties(&self) -> Properties {
        Properties {
            name: "roughness",
            label: format!("Roughness of the mean on [{}, {}] by the truth's", self.low, self.high),
            direction: Direction::Lower,
            unit: Unit::None,
            quantities: vec![Quantity::Mean],
            skill: None,
            tolerance: Tolerance::None,
            definition: "sqrt(sum of squared second divided differences of the predictive mean \
                         over neighbouring test rows with low <= x <= high / the same of the \
                         noise-free truth). Above 1: the mean is rougher than the truth; a mean \
                         that is too smooth is below. Meant for a grid of x; rows of equal x after \
                         the first do not count. Undefined for more than one feature, an unknown \
                         truth, fewer than three places in the interval, a truth that is straight. \
                         Our choice.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::finite("low", &mut self.low), Parameter::finite("high", &mut self.high)]
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        let (x, truth) =
            (known(context.x.as_ref(), y.len())?, known(context.facts.truth.as_ref(), y.len())?);
        let mean = row_losses(predictive, y, |i, _| predictive.distribution().mean(i))?;
        let mut rows: Vec<usize> =
            (0..x.len()).filter(|&i| (self.low..=self.high).contains(&x[i])).collect();
        rows.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
        rows.dedup_by(|a, b| x[*a] == x[*b]);
        let squares = |values: &[f64]| -> f64 {
            let slope = |a: usize, b: usize| (values[b] - values[a]) / (x[b] - x[a]);
            let second =
                |at: &[usize]| (slope(at[1], at[2]) - slope(at[0], at[1])) / (x[at[2]] - x[at[0]]);
            rows.windows(3).map(|at| second(at).powi(2)).sum()
        };
        finite((squares(&mean) / squares(&truth)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, array};

    use super::*;
    use crate::metrics::{MetricId, RowFacts};
    use crate::predictive::{Form, Gaussian};

    /// Standard deviations 1, 2, 3, 4 about means of zero.
    fn predictive() -> Predictive {
        let variance = array![1.0, 4.0, 9.0, 16.0];
        Predictive::new(Form::Gaussian(Gaussian { mean: Array1::zeros(4), variance }))
    }

    fn score(metric: &str, context: &ScoreContext) -> Option<f64> {
        metric.parse::<MetricId>().unwrap().score(&predictive(), Array1::zeros(4).view(), context)
    }

    #[test]
    fn the_mean_is_compared_with_the_truth() {
        let facts = RowFacts { truth: Some(array![1.0, 0.0, -2.0, 1.0]), ..RowFacts::default() };
        assert_eq!(
            score("truth-mse", &ScoreContext { facts, ..ScoreContext::default() }),
            Some(1.5)
        );
        assert_eq!(score("truth-mse", &ScoreContext::default()), None, "unknown truth");
    }

    #[test]
    fn a_standard_deviation_within_a_factor_of_the_noise_counts() {
        // Predicted 1, 2, 3, 4: twice too small, right, 1.5 times too large, 4 times too large.
        let facts = RowFacts { noise: Some(array![2.0, 2.0, 2.0, 1.0]), ..RowFacts::default() };
        let context = ScoreContext { facts, ..ScoreContext::default() };
        for (factor, expected) in [("1.1", 0.25), ("1.5", 0.5), ("2", 0.75), ("4", 1.0)] {
            assert_eq!(
                score(&format!("noise-accuracy(factor={factor})"), &context),
                Some(expected),
                "{factor}"
            );
        }
        assert_eq!(score("noise-accuracy", &ScoreContext::default()), None, "unknown noise");
    }

    #[test]
    fn second_differences_are_compared_with_those_of_the_truth() {
        // Of x², divided differences are 1 wherever they are taken; of 3x² + x they are 3; those of
        // a line vanish.
        let x = array![2.0, -1.0, 0.5, 0.0, 0.5, 9.0];
        let form = |mean: Array1<f64>| {
            Form::Gaussian(Gaussian { variance: Array1::ones(mean.len()), mean })
        };
        let score_of = score;
        let score = |metric: &str, mean: Array1<f64>, truth: Array1<f64>| {
            let facts = RowFacts { truth: Some(truth), ..RowFacts::default() };
            let context = ScoreContext { x: Some(x.clone()), facts, ..ScoreContext::default() };
            let y = Array1::zeros(x.len());
            metric.parse::<MetricId>().unwrap().score(
                &Predictive::new(form(mean)),
                y.view(),
                &context,
            )
        };
        let (square, line) = (x.mapv(|x| x * x), x.mapv(|x| 4.0 - x));
        let mut tripled = x.mapv(|x| 3.0 * x * x + x);
        let ratio = |mean: &Array1<f64>, truth: &Array1<f64>| {
            score("roughness(low=-1,high=2)", mean.clone(), truth.clone())
        };
        // The row at 9 is outside.
        tripled[5] = 1e6;
        assert!((ratio(&tripled, &square).unwrap() - 3.0).abs() < 1e-12);
        assert_eq!(ratio(&line, &square), Some(0.0));
        assert_eq!(ratio(&square, &line), None, "a straight truth");
        assert_eq!(score("roughness(low=0,high=0.5)", square.clone(), square), None, "two places");
        assert_eq!(score_of("roughness", &ScoreContext::default()), None, "unknown truth");
    }
}
