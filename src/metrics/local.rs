//! Score what simulated and one-dimensional problems alone can tell: the distance from the truth, whether the noise is found
//! again, and whether the variance is larger on one interval than elsewhere.

use ndarray::{Array1, ArrayView1};

use super::conditional::known;
use super::{Direction, Metric, ScoreContext, finite, mean_over_rows, row_losses, squared};
use crate::predictive::{Exactness, Form, Predictive, Quantity};

/// Mean squared error of the predictive mean against the noise-free truth.
pub(super) struct TruthMse;

/// Share of rows whose predictive standard deviation is near the noise's true one.
pub(super) struct NoiseAccuracy {
    /// How far off it may be, as a factor above 1.
    pub factor: f64,
}

/// Which variance is compared.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum VariancePart {
    /// The predictive variance.
    Total,
    /// What the method calls aleatoric.
    Aleatoric,
    /// What the method calls epistemic.
    Epistemic,
}

impl VariancePart {
    /// Every part.
    pub const ALL: [Self; 3] = [Self::Total, Self::Aleatoric, Self::Epistemic];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Aleatoric => "aleatoric",
            Self::Epistemic => "epistemic",
        }
    }

    /// What a part is called before the word for what is done with it.
    fn label(self) -> &'static str {
        match self {
            Self::Total => "Variance",
            Self::Aleatoric => "Aleatoric variance",
            Self::Epistemic => "Epistemic variance",
        }
    }

    /// Whether a form gives it exactly.
    fn exactness(self, form: &Form) -> Exactness {
        let mean = form.distribution().exactness(Quantity::Mean);
        match self {
            Self::Total => mean.and(form.distribution().exactness(Quantity::Variance)),
            // As the method defines it; whether it does, a form does not know.
            Self::Aleatoric | Self::Epistemic => mean,
        }
    }

    /// The n variances, where they are defined.
    fn of(self, predictive: &Predictive) -> Option<Array1<f64>> {
        let split = predictive.split.as_ref();
        match self {
            Self::Total => predictive.variances(),
            Self::Aleatoric => split?.aleatoric.clone(),
            Self::Epistemic => split?.epistemic.clone(),
        }
    }
}

/// Ratio of mean variances: rows with x in an interval by all others.
pub(super) struct VarianceRatio {
    /// Which variance.
    pub part: VariancePart,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Root mean square of the predictive mean's second differences on an interval of x by that of the noise-free truth.
pub(super) struct Roughness {
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Mean variance over the test rows.
pub(super) struct MeanVariance {
    /// Which variance.
    pub part: VariancePart,
}

impl Metric for TruthMse {
    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        "MSE against the truth".into()
    }

    fn unit(&self, target_unit: &str) -> String {
        squared(target_unit)
    }

    fn definition(&self) -> &'static str {
        "mean (f - m)^2 with f the noise-free truth and m the predictive mean. Undefined where the truth is unknown, which is \
         everywhere but on simulated problems with noisy test rows (without noise, mse is the same)."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        let truth = known(context.facts.truth.as_ref(), y.len())?;
        mean_over_rows(predictive, y, |i, _| Some((truth[i] - predictive.distribution().mean(i)?).powi(2)))
    }

    fn exactness(&self, form: &Form) -> Exactness {
        form.distribution().exactness(Quantity::Mean)
    }
}

impl Metric for NoiseAccuracy {
    fn direction(&self) -> Direction {
        Direction::Higher
    }

    fn label(&self) -> String {
        format!("Share of rows with sd within a factor {} of the noise", self.factor)
    }

    fn unit(&self, _: &str) -> String {
        String::new()
    }

    fn definition(&self) -> &'static str {
        "the share of rows with t/factor <= s <= t factor, s the predictive standard deviation and t the true one of the noise: \
         where data are plenty, all variance that is left is the noise's. Undefined where the true noise is unknown, which is \
         everywhere but on simulated problems with noisy test rows. Our choice."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        let noise = known(context.facts.noise.as_ref(), y.len())?;
        mean_over_rows(predictive, y, |i, _| {
            // A row without mean is no distribution, whatever its variance.
            predictive.distribution().mean(i)?;
            let sd = predictive.distribution().variance(i)?.sqrt();
            Some(f64::from(noise[i] <= sd * self.factor && sd <= noise[i] * self.factor))
        })
    }

    fn exactness(&self, form: &Form) -> Exactness {
        form.distribution().exactness(Quantity::Mean).and(form.distribution().exactness(Quantity::Variance))
    }
}

impl Metric for VarianceRatio {
    fn direction(&self) -> Direction {
        Direction::Higher
    }

    fn label(&self) -> String {
        format!("{} on [{}, {}] by elsewhere", self.part.label(), self.low, self.high)
    }

    fn unit(&self, _: &str) -> String {
        String::new()
    }

    fn definition(&self) -> &'static str {
        "mean variance of the test rows with low <= x <= high divided by that of all other test rows; the part is the predictive \
         variance (total), or what the method itself calls aleatoric or epistemic. Above 1: a method is less sure there. \
         Undefined for more than one feature, no row on a side, no variance elsewhere, a part that the method does not define. \
         Our choice."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        let x = known(context.x.as_ref(), y.len())?;
        let variances = self.part.of(predictive)?;
        let variances = row_losses(predictive, y, |i, _| predictive.distribution().mean(i).map(|_| variances[i]))?;
        // Sum and count inside and outside.
        let mut sides = [(0.0, 0.0); 2];
        for (x, variance) in x.iter().zip(&variances) {
            let (sum, count) = &mut sides[usize::from(!(self.low..=self.high).contains(x))];
            *sum += variance;
            *count += 1.0;
        }
        let [inside, outside] = sides.map(|(sum, count)| sum / count);
        finite(inside / outside)
    }

    fn exactness(&self, form: &Form) -> Exactness {
        self.part.exactness(form)
    }
}

impl Metric for MeanVariance {
    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        format!("{}, mean", self.part.label())
    }

    fn unit(&self, target_unit: &str) -> String {
        squared(target_unit)
    }

    fn definition(&self) -> &'static str {
        "mean over the test rows of the predictive variance (total), or of what the method itself calls aleatoric or epistemic. \
         Undefined for a part that the method does not define. It says how large a variance is, not how good."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        let variances = self.part.of(predictive)?;
        mean_over_rows(predictive, y, |i, _| predictive.distribution().mean(i).map(|_| variances[i]))
    }

    fn exactness(&self, form: &Form) -> Exactness {
        self.part.exactness(form)
    }
}

impl Metric for Roughness {
    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        format!("Roughness of the mean on [{}, {}] by the truth's", self.low, self.high)
    }

    fn unit(&self, _: &str) -> String {
        String::new()
    }

    fn definition(&self) -> &'static str {
        "sqrt(sum of squared second divided differences of the predictive mean over neighbouring test rows with low <= x <= high / \
         the same of the noise-free truth). Above 1: the mean is rougher than the truth; a mean that is too smooth is below. Meant for a \
         grid of x; rows of equal x after the first do not count. Undefined for more than one feature, an unknown truth, fewer than three \
         places in the interval, a truth that is straight. Our choice."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        let (x, truth) = (known(context.x.as_ref(), y.len())?, known(context.facts.truth.as_ref(), y.len())?);
        let mean = row_losses(predictive, y, |i, _| predictive.distribution().mean(i))?;
        let mut rows: Vec<usize> = (0..x.len()).filter(|&i| (self.low..=self.high).contains(&x[i])).collect();
        rows.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
        rows.dedup_by(|a, b| x[*a] == x[*b]);
        let squares = |values: &[f64]| -> f64 {
            let slope = |a: usize, b: usize| (values[b] - values[a]) / (x[b] - x[a]);
            let second = |at: &[usize]| (slope(at[1], at[2]) - slope(at[0], at[1])) / (x[at[2]] - x[at[0]]);
            rows.windows(3).map(|at| second(at).powi(2)).sum()
        };
        finite((squares(&mean) / squares(&truth)).sqrt())
    }

    fn exactness(&self, form: &Form) -> Exactness {
        form.distribution().exactness(Quantity::Mean)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::metrics::{MetricId, RowFacts};
    use crate::predictive::{Gaussian, Split};

    /// Standard deviations 1, 2, 3, 4 about means of zero; aleatoric and epistemic variances of its own.
    fn predictive() -> Predictive {
        let form = Form::Gaussian(Gaussian { mean: Array1::zeros(4), variance: array![1.0, 4.0, 9.0, 16.0] });
        let split = Split { aleatoric: Some(array![1.0, 3.0, 1.0, 3.0]), epistemic: None };
        Predictive::new(form).with_split(split)
    }

    fn score(metric: &str, context: &ScoreContext) -> Option<f64> {
        metric.parse::<MetricId>().unwrap().score(&predictive(), Array1::zeros(4).view(), context)
    }

    #[test]
    fn the_truth_is_what_the_mean_is_compared_with() {
        let facts = RowFacts { truth: Some(array![1.0, 0.0, -2.0, 1.0]), ..RowFacts::default() };
        assert_eq!(score("truth-mse", &ScoreContext { facts, ..ScoreContext::default() }), Some(1.5));
        assert_eq!(score("truth-mse", &ScoreContext::default()), None, "unknown truth");
    }

    #[test]
    fn noise_is_found_again_within_a_factor_either_way() {
        // Predicted 1, 2, 3, 4: twice too small, right, 1.5 times too large, 4 times too large.
        let facts = RowFacts { noise: Some(array![2.0, 2.0, 2.0, 1.0]), ..RowFacts::default() };
        let context = ScoreContext { facts, ..ScoreContext::default() };
        for (factor, expected) in [("1.1", 0.25), ("1.5", 0.5), ("2", 0.75), ("4", 1.0)] {
            assert_eq!(score(&format!("noise-accuracy(factor={factor})"), &context), Some(expected), "{factor}");
        }
        assert_eq!(score("noise-accuracy", &ScoreContext::default()), None, "unknown noise");
    }

    #[test]
    fn second_differences_are_compared_with_those_of_the_truth() {
        // Of x², divided differences are 1 wherever they are taken; of 3x² + x they are 3; those of a line vanish.
        let x = array![2.0, -1.0, 0.5, 0.0, 0.5, 9.0];
        let form = |mean: Array1<f64>| Form::Gaussian(Gaussian { variance: Array1::ones(mean.len()), mean });
        let score_of = score;
        let score = |metric: &str, mean: Array1<f64>, truth: Array1<f64>| {
            let facts = RowFacts { truth: Some(truth), ..RowFacts::default() };
            let context = ScoreContext { x: Some(x.clone()), facts, ..ScoreContext::default() };
            let y = Array1::zeros(x.len());
            metric.parse::<MetricId>().unwrap().score(&Predictive::new(form(mean)), y.view(), &context)
        };
        let (square, line) = (x.mapv(|x| x * x), x.mapv(|x| 4.0 - x));
        let mut tripled = x.mapv(|x| 3.0 * x * x + x);
        let ratio =
            |mean: &Array1<f64>, truth: &Array1<f64>| score("roughness(low=-1,high=2)", mean.clone(), truth.clone());
        // The row at 9 is outside.
        tripled[5] = 1e6;
        assert!((ratio(&tripled, &square).unwrap() - 3.0).abs() < 1e-12);
        assert_eq!(ratio(&line, &square), Some(0.0));
        assert_eq!(ratio(&square, &line), None, "a straight truth");
        assert_eq!(score("roughness(low=0,high=0.5)", square.clone(), square), None, "two places");
        assert_eq!(score_of("roughness", &ScoreContext::default()), None, "unknown truth");
    }

    #[test]
    fn a_variance_is_averaged_over_the_rows() {
        let mean = |part: &str| score(&format!("mean-variance(part={part})"), &ScoreContext::default());
        assert_eq!((mean("total"), mean("aleatoric"), mean("epistemic")), (Some(7.5), Some(2.0), None));
        assert_eq!(score("mean-variance", &ScoreContext::default()), Some(7.5));
    }

    #[test]
    fn variance_on_an_interval_is_compared_with_the_rest() {
        let context = ScoreContext { x: Some(array![-3.0, -2.0, 2.0, 5.0]), ..ScoreContext::default() };
        let ratio = |part: &str, low: f64, high: f64| {
            score(&format!("variance-ratio(part={part},low={low},high={high})"), &context)
        };
        // (4 + 9)/2 by (1 + 16)/2, ends included; (3 + 1)/2 by (1 + 3)/2.
        assert_eq!(ratio("total", -2.0, 2.0), Some(13.0 / 17.0));
        assert_eq!(ratio("aleatoric", -2.0, 2.0), Some(1.0));
        assert!((ratio("aleatoric", 3.0, 9.0).unwrap() - 9.0 / 5.0).abs() < 1e-14);
        assert_eq!(ratio("epistemic", -2.0, 2.0), None, "a part that the method does not define");
        assert_eq!(ratio("total", 6.0, 7.0), None, "no row inside");
        assert_eq!(ratio("total", -6.0, 7.0), None, "no row outside");
        assert_eq!(score("variance-ratio", &ScoreContext::default()), None, "more than one feature");
    }
}
