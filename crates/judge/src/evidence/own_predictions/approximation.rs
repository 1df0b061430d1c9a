//! Tell which scores are not those of the distribution itself, so that no method is judged by them
//! against one whose scores are.
//!
//! A few quantiles stand for a distribution that is linear between them and flat beyond. Its CRPS
//! and its mean differ from those of the distribution whose quantiles they are, whatever the
//! outcomes. Quantiles at the same levels are all scored alike. Where the CRPS of a normal
//! distribution is nearly that of its quantiles, they are enough: 99 of equal distance add 0.006 %
//! to it, 19 add 0.2 %, 3 add 7 %. Draws have other errors: they are unbiased.

use ndarray::{Array1, Array2};

use uq_core::math::special::normal_quantile;
use uq_core::metrics::{Crps, Metric, ScoreContext};
use uq_core::predictive::{Exactness, Form, Gaussian, Predictive, Quantiles};

/// Share of the CRPS of a normal distribution by which that of its quantiles may differ: a tenth of
/// the usual region of practical equivalence.
const NEAR_ENOUGH: f64 = 0.001;

/// Number of outcomes in that comparison, at equal steps of probability.
const OUTCOMES: usize = 400;

/// What an approximated score takes of a distribution: its quantiles at these levels.
#[derive(Clone, Debug, PartialEq)]
pub struct Approximation {
    levels: Vec<f64>,
}

impl Approximation {
    /// That of a score of this form; `None` where the score is exact, or nearly so.
    pub fn of(form: &Form, exactness: Exactness) -> Option<Self> {
        let Form::Quantiles(Quantiles { levels, .. }) = form else { return None };
        let is_approximate = matches!(exactness, Exactness::Approximate(_));
        (is_approximate && !are_enough(levels)).then(|| Self { levels: levels.clone() })
    }
}

/// Whether quantiles at these levels have nearly the CRPS of the normal distribution that they are
/// of.
fn are_enough(levels: &[f64]) -> bool {
    let tail = 0.1 / OUTCOMES as f64;
    let quantile = |level: f64| normal_quantile(level.clamp(tail, 1.0 - tail));
    let y: Array1<f64> =
        (0..OUTCOMES).map(|i| quantile((i as f64 + 0.5) / OUTCOMES as f64)).collect();
    let values =
        Array2::from_shape_fn((OUTCOMES, levels.len()), |(_, level)| quantile(levels[level]));
    let normal = Gaussian { mean: Array1::zeros(OUTCOMES), variance: Array1::ones(OUTCOMES) };
    let crps = |form: Form| Crps.score(&Predictive::new(form), y.view(), &ScoreContext::default());
    let pair = crps(Form::Quantiles(Quantiles { levels: levels.to_vec(), values }))
        .zip(crps(Form::Gaussian(normal)));
    pair.is_some_and(|(approximated, exact)| (approximated / exact - 1.0).abs() <= NEAR_ENOUGH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_levels_are_enough_and_few_are_not() {
        let equal = |count: u32| {
            (1..=count).map(|i| f64::from(i) / f64::from(count + 1)).collect::<Vec<f64>>()
        };
        assert_eq!(
            [3, 9, 19, 49, 99].map(|count| are_enough(&equal(count))),
            [false, false, false, true, true]
        );
        assert!(
            are_enough(&[0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975]),
            "those that a benchmark asks for"
        );
        assert!(!are_enough(&[0.05, 0.5, 0.95]) && !are_enough(&[0.0, 0.5, 1.0]));
    }
}
