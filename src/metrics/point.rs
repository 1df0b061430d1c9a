//! Score the predictive mean as a point prediction.

use ndarray::ArrayView1;

use super::{Direction, Metric, ScoreContext, SkillKind, mean_over_rows, squared};
use crate::predictive::{Exactness, Form, Predictive, Quantity};

/// Root of the mean squared error.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rmse;

impl Metric for Rmse {
    fn name(&self) -> &'static str {
        "rmse"
    }

    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        "RMSE".into()
    }

    fn unit(&self, target_unit: &str) -> String {
        target_unit.into()
    }

    fn definition(&self) -> &'static str {
        "sqrt(mean (y - m)^2) with m the predictive mean. Gneiting (2011), Making and evaluating point forecasts, JASA 106."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        Mse.score(predictive, y, context).map(f64::sqrt)
    }

    fn exactness(&self, form: &Form) -> Exactness {
        form.distribution().exactness(Quantity::Mean)
    }

    fn skill(&self) -> Option<SkillKind> {
        Some(SkillKind::Share)
    }

    fn tolerance(&self, printed: f64, _: f64) -> f64 {
        0.10 * printed.abs()
    }
}

/// Mean squared error.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Mse;

impl Metric for Mse {
    fn name(&self) -> &'static str {
        "mse"
    }

    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        "MSE".into()
    }

    fn unit(&self, target_unit: &str) -> String {
        squared(target_unit)
    }

    fn definition(&self) -> &'static str {
        "mean (y - m)^2 with m the predictive mean. Gneiting (2011), Making and evaluating point forecasts, JASA 106."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| Some((y - predictive.distribution().mean(i)?).powi(2)))
    }

    fn exactness(&self, form: &Form) -> Exactness {
        form.distribution().exactness(Quantity::Mean)
    }

    fn skill(&self) -> Option<SkillKind> {
        Some(SkillKind::Share)
    }

    fn tolerance(&self, printed: f64, _: f64) -> f64 {
        0.10 * printed.abs()
    }
}

/// Mean absolute error.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Mae;

impl Metric for Mae {
    fn name(&self) -> &'static str {
        "mae"
    }

    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        "MAE".into()
    }

    fn unit(&self, target_unit: &str) -> String {
        target_unit.into()
    }

    fn definition(&self) -> &'static str {
        "mean |y - m| with m the predictive mean, as regression papers report it (the median would minimise it). \
         Gneiting (2011), Making and evaluating point forecasts, JASA 106."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| Some((y - predictive.distribution().mean(i)?).abs()))
    }

    fn exactness(&self, form: &Form) -> Exactness {
        form.distribution().exactness(Quantity::Mean)
    }

    fn skill(&self) -> Option<SkillKind> {
        Some(SkillKind::Share)
    }
}
