//! Combine probabilities of "above this value" into the probabilities of the values of a target.
//!
//! With the values c_0 < … < c_K of the target in the training rows, classifier k is fitted to the
//! rows with y ≥ c_k and separates those with y > c_k. With its prediction h_k(x) = P(y > c_k | y ≥
//! c_k, x),
//!
//! ```text
//! P(y = c_k | x) = (1 − h_k(x)) Π_{j < k} h_j(x),   P(y = c_K | x) = Π_{j < K} h_j(x)          (1)
//! ```
//!
//! which is a distribution for any h. Each h is computed from a tally of `above` rows or votes for
//! and `at` against,
//!
//! ```text
//! h = (above + a)/(above + at + 2 a)                                                           (2)
//! ```
//!
//! with the smoothing a: with a = 0 a value without a tally has probability zero, and one row that
//! takes it a log score of −∞; a = 1 is Laplace's rule of succession, an even prior.
//!
//! *References*: Tutz (1991), Sequential models in categorical regression, Comput. Stat. Data Anal.
//! 11; Provost & Domingos (2003), Tree induction for probability-based ranking, Machine Learning
//! 52, on (2).

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use crate::FitError;

/// Most distinct values of a target. With more, values are not classes.
const MOST_VALUES: usize = 256;

/// How many rows of a leaf, or votes of trees, are for the values above c_k, and how many for c_k
/// itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// For c_k.
    pub at: f64,
    /// For the values above.
    pub above: f64,
}

/// The distinct values of a target in ascending order.
///
/// # Errors
/// [`FitError::Unsupported`], in the name of the method `id`, for more than 256.
pub(super) fn values(id: &str, target: &Array1<f64>) -> Result<Vec<f64>, FitError> {
    let mut values = target.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    if values.len() > MOST_VALUES {
        return Err(FitError::Unsupported(format!(
            "{id} is for a target of at most {MOST_VALUES} distinct values, found {}: round the \
             target, or choose a method for continuous targets, such as quantile-forest",
            values.len()
        )));
    }
    Ok(values)
}

/// The probabilities (1) of the values at each of n rows, n × (K + 1), from the tallies of each of
/// the K classifiers.
pub(super) fn probabilities(rows: usize, steps: &[Vec<Tally>], smoothing: f64) -> Array2<f64> {
    let mut weights = Array2::zeros((rows, steps.len() + 1));
    for (i, mut row) in weights.rows_mut().into_iter().enumerate() {
        let mut rest = 1.0;
        for (weight, tallies) in row.iter_mut().zip(steps) {
            let Tally { at, above } = tallies[i];
            let total = above + at + 2.0 * smoothing;
            *weight = rest * (at + smoothing) / total;
            rest *= (above + smoothing) / total; // (2)
        }
        row[steps.len()] = rest;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::{prop, prop_assert, proptest};

    fn tally(at: f64, above: f64) -> Vec<Tally> {
        vec![Tally { at, above }]
    }

    #[test]
    fn tallies_become_probabilities_by_hand() {
        // h = 8/12 and 3/6.
        let found = probabilities(1, &[tally(3.0, 7.0), tally(2.0, 2.0)], 1.0);
        let expected = array![[4.0 / 12.0, 8.0 / 12.0 * 0.5, 8.0 / 12.0 * 0.5]];
        assert!((&found - &expected).iter().all(|d| d.abs() < 1e-15), "{found}");
        // Without smoothing, nested counts give back the frequencies: 5, 3 and 2 of 10.
        let found = probabilities(1, &[tally(5.0, 5.0), tally(3.0, 2.0)], 0.0);
        assert!((&found - &array![[0.5, 0.3, 0.2]]).iter().all(|d| d.abs() < 1e-15), "{found}");
    }

    #[test]
    fn too_many_values_are_refused_with_what_to_do() {
        let many = |count: u32| Array1::from_iter((0..count).map(f64::from));
        assert_eq!(values("m", &many(256)).unwrap().len(), 256);
        let error = values("m", &many(257)).unwrap_err().to_string();
        assert!(
            error.contains("at most 256 distinct values, found 257: round the target"),
            "{error}"
        );
    }

    proptest! {
        #[test]
        fn the_prediction_is_a_distribution_without_a_zero(
            tallies in prop::collection::vec((0_u8..9, 0_u8..9), 1..20),
            smoothing in 0.01_f64..5.0,
        ) {
            let steps: Vec<_> =
                tallies.iter().map(|&(at, above)| tally(at.into(), above.into())).collect();
            let found = probabilities(1, &steps, smoothing);
            prop_assert!((found.sum() - 1.0).abs() < 1e-12);
            prop_assert!(found.iter().all(|p| *p > 0.0));
        }
    }
}
