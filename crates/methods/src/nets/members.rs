//! Read the members of an ensemble, or the passes of dropout, with their noise and without it.
//!
//! The readings of one fit:
//! - `main` is the equal mixture of the members with one noise variance.
//! - `members` is their predictions alone, as draws without noise.
//! - `percentiles` is quantiles of these predictions at the requested levels, by linear
//!   interpolation between them (numpy's definition). Kompa et al. (2021) take a 95 % interval from
//!   those at 2.5 and 97.5 %. Even of draws from the distribution of the outcome itself, such an
//!   interval covers too little: 0.904 with 40 draws, 0.941 with 200.

use ndarray::{Array1, Array2, ArrayView2};

use super::variance::variance_of;
use crate::{Reading, Request};
use uq_core::math::quantile::interpolated_quantile;
use uq_core::predictive::{Form, Mixture, Predictive, Quantiles, Samples, Split};

/// The reading with the members' predictions alone.
const MEMBERS: &str = "members";

/// The reading with quantiles of them.
const PERCENTILES: &str = "percentiles";

/// All three.
pub(super) fn readings() -> Vec<Reading> {
    vec![Reading::MAIN, Reading::new(MEMBERS), Reading::new(PERCENTILES)]
}

/// The equal mixture of what the members predict (n × M) with one noise variance, and its split, in
/// standardised units.
pub(super) fn mixture(means: Array2<f64>, noise: f64) -> Predictive {
    let (rows, members) = means.dim();
    let split = Split {
        aleatoric: Some(Array1::from_elem(rows, noise)),
        epistemic: Some(spread(means.view())),
    };
    let weights = Array2::from_elem((1, members), 1.0 / members as f64);
    let variances = Array2::from_elem((rows, members), noise);
    let form = Form::Mixture(Mixture { weights, means, variances });
    Predictive { form, split: Some(split) }
}

/// The variance of what the members predict (n × M) in each row.
pub(super) fn spread(means: ArrayView2<f64>) -> Array1<f64> {
    means.rows().into_iter().map(variance_of).collect()
}

/// One of the readings of `found`, the mixture with its split.
pub(super) fn read(reading: &Reading, found: &Predictive, request: &Request) -> Predictive {
    let split = found.split.clone().filter(|_| request.split);
    let Form::Mixture(mixture) = &found.form else {
        return Predictive { form: found.form.clone(), split };
    };
    if *reading == Reading::MAIN {
        return Predictive { form: found.form.clone(), split };
    }
    // Without noise nothing is aleatoric.
    let split = split.map(|split| Split {
        aleatoric: split.aleatoric.map(|variance| Array1::zeros(variance.len())),
        ..split
    });
    let form = match *reading == Reading::new(PERCENTILES) {
        true => Form::Quantiles(percentiles(mixture.means.view(), &request.quantile_levels)),
        false => Form::Samples(Samples { values: mixture.means.clone() }),
    };
    Predictive { form, split }
}

/// Quantiles of the numbers of each row (n × M) at these levels.
fn percentiles(values: ArrayView2<f64>, levels: &[f64]) -> Quantiles {
    let mut found = Array2::zeros((values.nrows(), levels.len()));
    for (row, mut into) in values.rows().into_iter().zip(found.rows_mut()) {
        let mut sorted = row.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        for (quantile, &level) in into.iter_mut().zip(levels) {
            *quantile = interpolated_quantile(&sorted, level).unwrap_or(f64::NAN);
        }
    }
    Quantiles { levels: levels.to_vec(), values: found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::math::random::Streams;
    use uq_core::predictive::Distribution;

    use crate::Context;
    use rand::RngExt;

    #[test]
    fn quantiles_of_few_draws_cover_too_little() {
        // The coverage of uniform draws between numpy's 2.5 and 97.5 % quantiles: these lie 0.025 (M −
        // 1) places from the ends, and neighbours are 1/(M + 1) apart in the mean. So it is
        // (0.95 (M − 1))/(M + 1): 0.9037 for 40 draws, 0.9405 for 200.
        let mut rng = Context::new(Streams::new(1, "members")).stream("draws", 0);
        for draws in [40_usize, 200] {
            let values = Array2::from_shape_simple_fn((4000, draws), || rng.random::<f64>());
            let found = percentiles(values.view(), &[0.025, 0.975]);
            let width =
                |i: usize| found.quantile(i, 0.975).unwrap() - found.quantile(i, 0.025).unwrap();
            // A new uniform outcome lies within with the probability of the width.
            let mean = (0..4000).map(width).sum::<f64>() / 4000.0;
            let m = draws as f64;
            let expected = 0.95 * (m - 1.0) / (m + 1.0);
            assert!((mean - expected).abs() < 3e-3, "{draws}: {mean} {expected}");
        }
    }
}
