//! Score the predictive mean as a point prediction.

use ndarray::ArrayView1;

use super::{Direction, Metric, Properties, ScoreContext, SkillKind, Tolerance, Unit, mean_over_rows};
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
            definition: "sqrt(mean (y - m)^2) with m the predictive mean. Gneiting (2011), Making and evaluating point \
                         forecasts, JASA 106.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
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
            definition: "mean (y - m)^2 with m the predictive mean. Gneiting (2011), Making and evaluating point \
                         forecasts, JASA 106.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| Some((y - predictive.distribution().mean(i)?).powi(2)))
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
            tolerance: Tolerance::None,
            definition: "mean |y - m| with m the predictive mean, as regression papers report it (the median would \
                         minimise it). Gneiting (2011), Making and evaluating point forecasts, JASA 106.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| Some((y - predictive.distribution().mean(i)?).abs()))
    }
}
