//! Tell predictions that go along with the outcomes, but in other units than theirs.
//!
//! Where a straight line through the predicted centres explains more than half of the outcomes'
//! variance, the predictions know the target. Then the line has a slope near 1 and passes near the
//! outcomes' mean, unless the target was scaled. Predictions that know little have no such line: a
//! constant is a bad prediction, and no wrong unit. But the median of their centres lies near the
//! outcomes, or near those of the training rows where test rows are others.

use super::refusal::Refusal;
use super::submission::Submission;
use uq_core::math::correlation::pearson;
use uq_core::math::median::median;
use uqbench_run::league::{Board, Truth};

/// Share of the variance that has to be explained.
const EXPLAINED: f64 = 0.5;

/// Largest slope of the outcomes over the predictions; its inverse is the smallest one.
const SLOPE: f64 = 3.0;

/// Largest distance of the means, in standard deviations of the outcomes.
const DISTANCE: f64 = 2.0;

/// How near slope and shift are to those of a standardised target.
const NEAR: f64 = 1.5;

impl Submission {
    /// The datasets whose predictions are in other units.
    pub(super) fn find_other_units(&self, board: &Board, truths: &[Vec<Truth>]) -> Vec<Refusal> {
        let distribution = self.predictive.distribution();
        let centre =
            |row: usize| distribution.mean(row).or_else(|| distribution.quantile(row, 0.5));
        let in_dataset = |(dataset, truths): (usize, &Vec<Truth>)| {
            let key = &board.datasets[dataset].key;
            let (mut outcomes, mut centres) = (Vec::new(), Vec::new());
            for (part, first) in self.parts().filter(|(part, _)| part.dataset == *key) {
                let truth = truths.get(part.split as usize)?;
                for (row, y) in (first..).zip(&truth.outcomes.y) {
                    centres.push(centre(row)?);
                    outcomes.push(*y);
                }
            }
            other_units(key, &outcomes, &centres, truths)
        };
        truths.iter().enumerate().filter_map(in_dataset).collect()
    }
}

fn other_units(
    dataset: &str,
    outcomes: &[f64],
    centres: &[f64],
    truths: &[Truth],
) -> Option<Refusal> {
    let [(mean, sd), (centre, spread)] = [outcomes, centres].map(moments);
    let average = |part: fn(&(f64, f64)) -> f64| {
        truths.iter().map(|truth| part(&truth.training)).sum::<f64>() / truths.len() as f64
    };
    let (training_mean, training_sd) = (average(|one| one.0), average(|one| one.1));
    let explained =
        pearson(centres, outcomes, 0.0).map(|correlation| (correlation, correlation * correlation));
    let Some((correlation, explained)) = explained.filter(|(_, share)| *share > EXPLAINED) else {
        let median = median(centres.to_vec())?;
        let is_far = |mean: f64, sd: f64| (median - mean).abs() > DISTANCE * sd;
        let (is_far, dataset) =
            (is_far(mean, sd) && is_far(training_mean, training_sd), dataset.into());
        return is_far.then_some(Refusal::FarOff { dataset, median, outcomes: (mean, sd) });
    };
    let factor = correlation * sd / spread;
    let shift = mean - factor * centre;
    let distance = (centre - mean).abs() / sd;
    if (SLOPE.recip()..=SLOPE).contains(&factor) && distance <= DISTANCE {
        return None;
    }
    let is_standardised = (NEAR.recip()..=NEAR).contains(&(factor / training_sd))
        && (shift - training_mean).abs() <= 0.5 * training_sd;
    Some(Refusal::Units {
        dataset: dataset.into(),
        explained,
        line: (shift, factor),
        distance,
        is_standardised,
    })
}

/// Mean and standard deviation.
fn moments(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (squares / count).sqrt())
}
