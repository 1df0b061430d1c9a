//! Score the whole predictive distribution by proper scoring rules.

use ndarray::ArrayView1;

use super::{Direction, Metric, ScoreContext, mean_over_rows};
use crate::predictive::{Exactness, Form, Predictive, Quantity};

/// Mean log density of the outcomes.
pub(super) struct LogLikelihood;

/// Mean continuous ranked probability score.
pub(super) struct Crps;

impl Metric for LogLikelihood {
    fn direction(&self) -> Direction {
        Direction::Higher
    }

    fn label(&self) -> String {
        "Log-likelihood".into()
    }

    fn unit(&self, _: &str) -> String {
        "nat".into()
    }

    fn definition(&self) -> &'static str {
        "mean ln p(y) per test point, p a density per unit of the target. Good (1952), Rational decisions, JRSS B 14."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| predictive.distribution().log_density(i, y))
    }

    fn exactness(&self, form: &Form) -> Exactness {
        form.distribution().exactness(Quantity::LogDensity)
    }
}

impl Metric for Crps {
    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        "CRPS".into()
    }

    fn unit(&self, target_unit: &str) -> String {
        target_unit.into()
    }

    fn definition(&self) -> &'static str {
        "mean of the integral of (F(x) - 1{y <= x})^2 over x. Gneiting & Raftery (2007), Strictly proper scoring rules, \
         prediction, and estimation, JASA 102, eq. (20)."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| predictive.distribution().crps(i, y))
    }

    fn exactness(&self, form: &Form) -> Exactness {
        form.distribution().exactness(Quantity::Crps)
    }
}
