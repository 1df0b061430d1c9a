//! Score the best value that an optimisation has found.
//!
//! The test row of an optimisation is the maximum, and the prediction the best value so far.

use ndarray::ArrayView1;

use super::{Direction, Metric, Properties, ScoreContext, Tolerance, Unit, mean_over_rows};
use crate::predictive::{Predictive, Quantity};

/// The best value so far.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct BestValue;

impl Metric for BestValue {
    fn properties(&self) -> Properties {
        Properties {
            name: "best-value",
            label: "Best value so far".into(),
            direction: Direction::Higher,
            unit: Unit::Target,
            quantities: vec![Quantity::Mean],
            skill: None,
            tolerance: Tolerance::None,
            definition: "the mean of the predictions, which under the protocol \
                         bayesian-optimisation is the best value of the objective so far, starting \
                         points included. It has no meaning under other protocols.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, _| predictive.distribution().mean(i))
    }
}

/// How far the best value so far is below the maximum.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct SimpleRegret;

impl Metric for SimpleRegret {
    fn properties(&self) -> Properties {
        Properties {
            name: "simple-regret",
            label: "Simple regret".into(),
            direction: Direction::Lower,
            unit: Unit::Target,
            quantities: vec![Quantity::Mean],
            skill: None,
            tolerance: Tolerance::None,
            definition: "the maximum less the best value so far, under the protocol \
                         bayesian-optimisation. Where the maximum is unknown, an upper bound or \
                         the best known value stands for it, and it may be negative. It has no \
                         meaning under other protocols.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| Some(y - predictive.distribution().mean(i)?))
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::predictive::{Atoms, Form};

    #[test]
    fn the_best_value_is_the_mean_and_the_regret_what_it_lacks() {
        let predictive =
            Predictive::new(Form::Atoms(Atoms { values: array![[-2.5]], weights: array![[1.0]] }));
        let context = ScoreContext::default();
        assert_eq!(BestValue.score(&predictive, array![0.0].view(), &context), Some(-2.5));
        assert_eq!(SimpleRegret.score(&predictive, array![0.0].view(), &context), Some(2.5));
        assert_eq!(
            SimpleRegret.score(&predictive, array![-3.0].view(), &context),
            Some(-0.5),
            "better than any known"
        );
    }
}
