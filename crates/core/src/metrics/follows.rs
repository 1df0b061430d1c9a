//! Score whether an uncertainty follows the noise or the density of the training rows, each given
//! the other.

use std::fmt;

use ndarray::ArrayView1;

use super::conditional::known;
use super::{
    Direction, Metric, Parameter, Properties, ScoreContext, Tolerance, Unit, finite, row_losses,
};
use crate::math::correlation::pearson;
use crate::math::ranks::average_ranks;
use crate::predictive::{Predictive, Quantity};

/// A number that a prediction gives for its uncertainty at a row.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Uncertainty {
    /// The lower bound H_l of the entropy of y: [`Predictive::pairwise_entropies`].
    Entropy,
    /// The predictive variance.
    Total,
    /// What the method calls epistemic variance.
    Epistemic,
}

/// What it may follow.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Truth {
    /// The true standard deviation of the noise.
    Noise,
    /// The true density of the training inputs.
    Density,
}

impl fmt::Display for Uncertainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Entropy => "entropy",
            Self::Total => "total",
            Self::Epistemic => "epistemic",
        })
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Noise => "noise",
            Self::Density => "density",
        })
    }
}

/// Below this share of the variance of ranks nothing is left that could follow the truth, but for
/// rounding.
const NOTHING: f64 = 1e-12;

/// Partial rank correlation of an uncertainty with the noise given the density, or with the density
/// given the noise.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Follows {
    /// The uncertainty.
    pub uncertainty: Uncertainty,
    /// The truth; the other one is held fixed.
    pub truth: Truth,
}

impl Metric for Follows {
    fn properties(&self) -> Properties {
        let given = if self.truth == Truth::Noise { Truth::Density } else { Truth::Noise };
        Properties {
            name: "follows",
            label: format!(
                "Partial rank correlation of {} with the {} given the {given}",
                self.uncertainty, self.truth
            ),
            // An epistemic uncertainty falls with the density and does not change with the noise.
            direction: if self.truth == Truth::Noise {
                Direction::Target(0.0)
            } else {
                Direction::Lower
            },
            unit: Unit::None,
            quantities: match self.uncertainty {
                Uncertainty::Total => vec![Quantity::Mean, Quantity::Variance],
                Uncertainty::Entropy | Uncertainty::Epistemic => vec![Quantity::Mean],
            },
            skill: None,
            tolerance: Tolerance::None,
            definition: "(r_ut - r_ug r_tg) / sqrt((1 - r_ug^2)(1 - r_tg^2)) with Spearman's rank \
                         correlations of the uncertainty u, the truth t (noise or density) and the \
                         other one g, over the test rows; equal values have the mean of their \
                         ranks. The uncertainty is the lower bound H_l of the entropy of y (normal \
                         distributions and mixtures of them), the predictive variance, or what the \
                         method itself calls epistemic variance. 0 where u does not vary, and \
                         where the ranks of g determine those of u or t. Undefined where noise or \
                         density are unknown or do not vary, and for an uncertainty that the \
                         method does not define. Our choice.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        const UNCERTAINTIES: [Uncertainty; 3] =
            [Uncertainty::Entropy, Uncertainty::Total, Uncertainty::Epistemic];
        let (uncertainty, truth) = (&mut self.uncertainty, &mut self.truth);
        vec![
            Parameter::choice(
                "uncertainty",
                uncertainty,
                &UNCERTAINTIES,
                "entropy, total or epistemic",
            ),
            Parameter::choice("truth", truth, &[Truth::Noise, Truth::Density], "noise or density"),
        ]
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        let noise = ranks(&known(context.facts.noise.as_ref(), y.len())?);
        let density = ranks(&known(context.facts.density.as_ref(), y.len())?);
        let found = match self.uncertainty {
            Uncertainty::Entropy => predictive.pairwise_entropies()?,
            Uncertainty::Total => predictive.variances()?,
            Uncertainty::Epistemic => predictive.split.as_ref()?.epistemic.clone()?,
        };
        let found =
            row_losses(predictive, y, |i, _| predictive.distribution().mean(i).map(|_| found[i]))?;
        let uncertainty = ranks(&found);
        let (truth, given) =
            if self.truth == Truth::Noise { (noise, density) } else { (density, noise) };
        let tg = pearson(&truth, &given, 0.0)?;
        // A constant uncertainty follows nothing.
        let [ut, ug] =
            [&truth, &given].map(|other| pearson(&uncertainty, other, 0.0).unwrap_or(0.0));
        let left = (1.0 - ug * ug) * (1.0 - tg * tg);
        finite(if left > NOTHING { (ut - ug * tg) / left.sqrt() } else { 0.0 })
    }
}

/// Ranks; equal values have the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    average_ranks(values, |_| 0.0)
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, array};

    use super::*;
    use crate::metrics::{MetricId, RowFacts};
    use crate::predictive::{Form, Gaussian, Split};

    /// Four rows in which noise and density are crossed.
    fn score(metric: &str, variance: Array1<f64>) -> Option<f64> {
        let facts = RowFacts {
            noise: Some(array![1.0, 2.0, 1.0, 2.0]),
            density: Some(array![5.0, 5.0, 1.0, 1.0]),
            ..RowFacts::default()
        };
        let context = ScoreContext { facts, ..ScoreContext::default() };
        let split = Split { aleatoric: None, epistemic: Some(array![1.0, 1.0, 3.0, 3.0]) };
        let predictive =
            Predictive::new(Form::Gaussian(Gaussian { mean: Array1::zeros(4), variance }))
                .with_split(split);
        metric.parse::<MetricId>().unwrap().score(&predictive, Array1::zeros(4).view(), &context)
    }

    #[test]
    fn an_uncertainty_is_told_apart_by_what_it_follows() {
        let near = |found: Option<f64>, expected: f64| {
            assert!((found.unwrap() - expected).abs() < 1e-12, "{found:?}")
        };
        // Variances that follow the noise first and the scarcity second. Ranks 0 2 1 3: 0.8 (noise
        // up to ties, √0.8 by the formula) and half of it.
        let both = array![1.0, 3.0, 2.0, 4.0];
        let (noise, density) = (2.0 / 5.0_f64.sqrt(), -1.0 / 5.0_f64.sqrt());
        let partial = |a: f64, b: f64| a / (1.0 - b * b).sqrt();
        near(
            score("follows(uncertainty=total,truth=noise)", both.clone()),
            partial(noise, density),
        );
        near(
            score("follows(uncertainty=total,truth=density)", both.clone()),
            partial(density, noise),
        );
        near(
            score("follows(uncertainty=entropy,truth=noise)", both.clone()),
            partial(noise, density),
        );
        // The epistemic part follows the density alone: its rank correlation with the noise is 0
        // and with the density −1.
        near(score("follows(uncertainty=epistemic,truth=density)", both.clone()), -1.0);
        assert_eq!(
            score("follows(uncertainty=epistemic,truth=noise)", both),
            Some(0.0),
            "nothing is left that could"
        );
        assert_eq!(
            score("follows(uncertainty=total,truth=noise)", Array1::ones(4)),
            Some(0.0),
            "a constant"
        );
    }
}
