//! Score the worst part of the target's range: the maximum fold loss.

use ndarray::ArrayView1;

use super::{
    Direction, Metric, Parameter, Properties, ScoreContext, SkillKind, Tolerance, Unit, finite,
    row_losses,
};
use crate::math::bins::near_equal_bins;
use crate::predictive::{Predictive, Quantity};

/// Largest of the mean squared errors over contiguous bins of the rows sorted by target.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct MaxFoldMse {
    /// Number of bins, at least 1.
    pub folds: usize,
}

impl Metric for MaxFoldMse {
    fn properties(&self) -> Properties {
        Properties {
            name: "max-fold-mse",
            label: format!("Maximum fold loss ({} folds)", self.folds),
            direction: Direction::Lower,
            unit: Unit::TargetSquared,
            quantities: vec![Quantity::Mean],
            skill: Some(SkillKind::Share),
            tolerance: Tolerance::Share(0.15),
            definition: "max over bins of the mean of (y - m)^2 in the bin, with m the predictive \
                         mean; rows are sorted stably by target and cut into near-equal contiguous \
                         bins, longer ones first. With fewer rows than folds each row is a bin of \
                         its own, so that the score is the largest squared error. Tavallali et al. \
                         (2021), Decision theoretic bootstrapping, Section 4, has it as the \
                         maximum fold loss.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::count("folds", &mut self.folds)]
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        let losses = row_losses(predictive, y, |i, y| {
            Some((y - predictive.distribution().mean(i)?).powi(2))
        })?;
        let mut order: Vec<usize> = (0..y.len()).collect();
        // Ties of −0 and 0 must keep their order, which `total_cmp` would not; no outcome is NaN
        // here.
        order.sort_by(|&a, &b| y[a].partial_cmp(&y[b]).unwrap_or(std::cmp::Ordering::Equal));
        near_equal_bins(y.len(), self.folds)
            .into_iter()
            .filter(|bin| !bin.is_empty())
            .map(|bin| {
                order[bin.clone()].iter().map(|&row| losses[row]).sum::<f64>() / bin.len() as f64
            })
            .reduce(f64::max)
            .and_then(finite)
    }
}
