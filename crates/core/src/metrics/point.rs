//! Score the predictive mean as a point prediction.

use ndarray::ArrayView1;

use super::{
    Direction, Metric, Properties, ScoreContext, SkillKind, Tolerance, Unit, mean_over_rows,
};
use crate::predictive::{Predictive, Quantity};

/// Root of the mean squared error.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rmse;

impl Metric for Rmse {
    fn properties(&self) -> Properties {
        Properties {
            name: "rmse",
            label: "RMSE".into(),
            direction: Direction::Lower,
            unit: Unit::Target,
            quantities: vec![Quantity::Mean],
            skill: Some(SkillKind::Share),
            tolerance: Tolerance::Share(0.10),
            definition: "sqrt(mean (y - m)^2) with m the predictive mean. Gneiting (2011), Making \
                         and evaluating point forecasts, JASA 106.",
        }
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        Mse.score(predictive, y, context).map(f64::sqrt)
    }
}

/// Mean squared error.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Mse;

impl Metric for Mse {
    fn properties(&self) -> Properties {
        Properties {
            name: "mse",
            label: "MSE".into(),
            direction: Direction::Lower,
            unit: Unit::TargetSquared,
            quantities: vec![Quantity::Mean],
            skill: Some(SkillKind::Share),
            tolerance: Tolerance::Share(0.10),
            definition: "mean (y - m)^2 with m the predictive mean. Gneiting (2011), Making and \
                         evaluating point forecasts, JASA 106.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| Some((y - predictive.distribution().mean(i)?).powi(2)))
    }
}

/// Root of the mean squared error, divided by the standard deviation of the outcomes.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct NormalisedRmse;

impl Metric for NormalisedRmse {
    fn properties(&self) -> Properties {
        Properties {
            name: "normalised-rmse",
            label: "Normalised RMSE".into(),
            direction: Direction::Lower,
            unit: Unit::None,
            quantities: vec![Quantity::Mean],
            skill: Some(SkillKind::Share),
            tolerance: Tolerance::Share(0.10),
            definition: "sqrt(mean (y - m)^2) / sd(y) with m the predictive mean and sd the \
                         standard deviation (divisor n) of the test set's outcomes: 1 for a \
                         prediction of their mean. Undefined where they are all equal.",
        }
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        let sd = y.std(0.0);
        Rmse.score(predictive, y, context).filter(|_| sd > 0.0).map(|rmse| rmse / sd)
    }
}

/// Root of the mean squared error of single draws from the predictions.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct RmseOfDraws;

impl Metric for RmseOfDraws {
    fn properties(&self) -> Properties {
        Properties {
            name: "rmse-of-draws",
            label: "RMSE of draws".into(),
            direction: Direction::Lower,
            unit: Unit::Target,
            quantities: vec![Quantity::Mean, Quantity::Variance],
            skill: None,
            tolerance: Tolerance::Share(0.10),
            definition: "sqrt(mean ((y - m)^2 + s^2)) with m and s the predictive mean and standard \
                         deviation: the root of the mean squared error of all draws or members of a \
                         prediction. It holds their spread, and is no error of the mean.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        let distribution = predictive.distribution();
        mean_over_rows(predictive, y, |i, y| {
            Some((y - distribution.mean(i)?).powi(2) + distribution.variance(i)?)
        })
        .map(f64::sqrt)
    }
}

/// Mean absolute error.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Mae;

impl Metric for Mae {
    fn properties(&self) -> Properties {
        Properties {
            name: "mae",
            label: "MAE".into(),
            direction: Direction::Lower,
            unit: Unit::Target,
            quantities: vec![Quantity::Mean],
            skill: Some(SkillKind::Share),
            tolerance: Tolerance::Share(0.10),
            definition: "mean |y - m| with m the predictive mean, as regression papers report it \
                         (the median would minimise it). Gneiting (2011), Making and evaluating \
                         point forecasts, JASA 106.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| Some((y - predictive.distribution().mean(i)?).abs()))
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::predictive::{Form, Gaussian, Samples};

    #[test]
    fn the_error_of_draws_is_that_of_all_of_them() {
        let values = array![[1.0, 3.0, 8.0], [0.0, 0.5, 1.0]];
        let y = array![2.0, 0.5];
        let draws = Predictive::new(Form::Samples(Samples { values: values.clone() }));
        let squares: f64 = values
            .rows()
            .into_iter()
            .zip(&y)
            .flat_map(|(row, y)| row.to_vec().into_iter().map(move |draw| (draw - y).powi(2)))
            .sum();
        let found = RmseOfDraws.score(&draws, y.view(), &ScoreContext::default()).unwrap();
        assert!((found - (squares / 6.0).sqrt()).abs() < 1e-14);
    }

    #[test]
    fn the_mean_of_the_outcomes_has_the_normalised_error_1_in_any_unit() {
        let score = |mean: f64, y: &ndarray::Array1<f64>| {
            let (mean, variance) = (array![mean, mean, mean, mean], array![1.0, 1.0, 1.0, 1.0]);
            let predictive = Predictive::new(Form::Gaussian(Gaussian { mean, variance }));
            NormalisedRmse.score(&predictive, y.view(), &ScoreContext::default())
        };
        let y = array![1.0, 3.0, 5.0, 7.0];
        assert!((score(4.0, &y).unwrap() - 1.0).abs() < 1e-15);
        // Its square is 1 + bias² / variance, here 1 + 5/5.
        let biased = score(4.0 + 5_f64.sqrt(), &y).unwrap();
        assert!((biased - 2_f64.sqrt()).abs() < 1e-14);
        assert!(
            (score(100.0 * (4.0 + 5_f64.sqrt()), &(100.0 * &y)).unwrap() - biased).abs() < 1e-14
        );
        assert_eq!(score(4.0, &array![2.0, 2.0, 2.0, 2.0]), None);
    }
}
