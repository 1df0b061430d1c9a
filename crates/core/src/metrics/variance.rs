//! Score how large a variance is, and whether it is larger on one interval of x than elsewhere.

use std::fmt;

use ndarray::{Array1, ArrayView1};

use super::conditional::known;
use super::{
    Direction, Metric, Parameter, Properties, ScoreContext, Tolerance, Unit, finite,
    mean_over_rows, row_losses,
};
use crate::predictive::{Predictive, Quantity};

/// Which variance is compared.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize)]
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

    /// The parameter that says which part a metric takes.
    fn parameter(&mut self) -> Parameter<'_> {
        Parameter::choice("part", self, &Self::ALL, "total, aleatoric or epistemic")
    }

    /// The first words of a label.
    fn label(self) -> &'static str {
        match self {
            Self::Total => "Variance",
            Self::Aleatoric => "Aleatoric variance",
            Self::Epistemic => "Epistemic variance",
        }
    }

    /// What it needs of a form.
    fn quantities(self) -> Vec<Quantity> {
        match self {
            Self::Total => vec![Quantity::Mean, Quantity::Variance],
            // Only the method defines these variances; a form does not know whether it does.
            Self::Aleatoric | Self::Epistemic => vec![Quantity::Mean],
        }
    }

    /// The n variances, where they are defined.
    fn read(self, predictive: &Predictive) -> Option<Array1<f64>> {
        let split = predictive.split.as_ref();
        match self {
            Self::Total => predictive.variances(),
            Self::Aleatoric => split?.aleatoric.clone(),
            Self::Epistemic => split?.epistemic.clone(),
        }
    }
}

impl fmt::Display for VariancePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Ratio of mean variances: that of rows with x in an interval to that of all other rows.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct VarianceRatio {
    /// Which variance.
    pub part: VariancePart,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Metric for VarianceRatio {
    fn properties(&self) -> Properties {
        Properties {
            name: "variance-ratio",
            label: format!("{} on [{}, {}] by elsewhere", self.part.label(), self.low, self.high),
            direction: Direction::Higher,
            unit: Unit::None,
            quantities: self.part.quantities(),
            skill: None,
            tolerance: Tolerance::None,
            definition: "mean variance of the test rows with low <= x <= high divided by that of \
                         all other test rows; the part is the predictive variance (total), or what \
                         the method itself calls aleatoric or epistemic. Above 1: a method is less \
                         sure there. Undefined for more than one feature, no row on a side, no \
                         variance elsewhere, a part that the method does not define. Our choice.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            self.part.parameter(),
            Parameter::finite("low", &mut self.low),
            Parameter::finite("high", &mut self.high),
        ]
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        let x = known(context.x.as_ref(), y.len())?;
        let variances = self.part.read(predictive)?;
        let variances = row_losses(predictive, y, |i, _| {
            predictive.distribution().mean(i).map(|_| variances[i])
        })?;
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
}

/// Mean variance over the test rows.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct MeanVariance {
    /// Which variance.
    pub part: VariancePart,
}

impl Metric for MeanVariance {
    fn properties(&self) -> Properties {
        Properties {
            name: "mean-variance",
            label: format!("{}, mean", self.part.label()),
            direction: Direction::Lower,
            unit: Unit::TargetSquared,
            quantities: self.part.quantities(),
            skill: None,
            tolerance: Tolerance::None,
            definition: "mean over the test rows of the predictive variance (total), or of what \
                         the method itself calls aleatoric or epistemic. Undefined for a part that \
                         the method does not define. It says how large a variance is, not how \
                         good.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![self.part.parameter()]
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        let variances = self.part.read(predictive)?;
        mean_over_rows(predictive, y, |i, _| {
            predictive.distribution().mean(i).map(|_| variances[i])
        })
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::metrics::MetricId;
    use crate::predictive::{Form, Gaussian, Split};

    /// Standard deviations 1, 2, 3, 4 about means of zero; aleatoric and epistemic variances of its
    /// own.
    fn predictive() -> Predictive {
        let form = Form::Gaussian(Gaussian {
            mean: Array1::zeros(4),
            variance: array![1.0, 4.0, 9.0, 16.0],
        });
        let split = Split { aleatoric: Some(array![1.0, 3.0, 1.0, 3.0]), epistemic: None };
        Predictive::new(form).with_split(split)
    }

    fn score(metric: &str, context: &ScoreContext) -> Option<f64> {
        metric.parse::<MetricId>().unwrap().score(&predictive(), Array1::zeros(4).view(), context)
    }

    #[test]
    fn a_variance_is_averaged_over_the_rows() {
        let mean =
            |part: &str| score(&format!("mean-variance(part={part})"), &ScoreContext::default());
        assert_eq!(
            (mean("total"), mean("aleatoric"), mean("epistemic")),
            (Some(7.5), Some(2.0), None)
        );
        assert_eq!(score("mean-variance", &ScoreContext::default()), Some(7.5));
    }

    #[test]
    fn variance_on_an_interval_is_compared_with_the_rest() {
        let context =
            ScoreContext { x: Some(array![-3.0, -2.0, 2.0, 5.0]), ..ScoreContext::default() };
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
        assert_eq!(
            score("variance-ratio", &ScoreContext::default()),
            None,
            "more than one feature"
        );
    }
}
