//! Represent each point by draws, taken as the discrete distribution with equal weights.

use ndarray::Array2;

use super::crps::{crps_outside, crps_piece};
use super::distribution::{finite, ln_of_probability};
use super::{Distribution, Exactness, InvalidPredictive, Quantity, validate};

/// Number of draws from which on the CRPS is that of the discrete distribution: the difference is
/// then below a 500th of the spread of the draws.
const MANY: usize = 500;

/// S draws at each of n points.
///
/// On average the CRPS of that distribution exceeds the CRPS of the sampled distribution by O(1/S):
/// Zamo & Naveau (2018), *Estimation of the continuous ranked probability score with limited
/// information*, Math. Geosci. 50, 209-234. Of 2 to 499 draws the score is therefore the fair CRPS,
/// whose mean is that of the sampled distribution,
///
/// ```text
/// Σᵢ |xᵢ − y| / S − Σᵢⱼ |xᵢ − xⱼ| / (2 S (S − 1)) = ∫ (F(x) − 1{y ≤ x})² − F(x) (1 − F(x)) / (S − 1) dx,
/// ```
///
/// F the distribution of the draws: Ferro (2014), *Fair scores for ensemble forecasts*, Q. J. R.
/// Meteorol. Soc. 140, 1917-1923. It may be negative.
/// [`Atoms`](super::Atoms) with equal weights have the CRPS of the discrete distribution itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Draws, n × S.
    pub values: Array2<f64>,
}

impl Samples {
    pub(super) fn exactness_of(quantity: Quantity) -> Exactness {
        match quantity {
            Quantity::LogDensity => Exactness::Undefined,
            Quantity::Crps | Quantity::CrpsWithin => Exactness::Approximate(
                "empirical distribution of the draws; of fewer than 500 the fair score",
            ),
            _ => Exactness::Approximate("empirical distribution of the draws"),
        }
    }

    pub(super) fn affine(&self, shift: f64, scale: f64) -> Self {
        Self { values: shift + scale * &self.values }
    }

    /// The share of the draws for which `test` is true.
    fn share(&self, i: usize, test: impl Fn(f64) -> bool) -> Option<f64> {
        let draws = self.values.row(i);
        finite(draws.iter().filter(|&&draw| test(draw)).count() as f64 / draws.len() as f64)
    }

    /// The draws in increasing order.
    fn sorted(&self, i: usize) -> Vec<f64> {
        let mut draws = self.values.row(i).to_vec();
        draws.sort_unstable_by(f64::total_cmp);
        draws
    }
}

impl Distribution for Samples {
    fn len(&self) -> usize {
        self.values.nrows()
    }

    fn mean(&self, i: usize) -> Option<f64> {
        self.values.row(i).mean().and_then(finite)
    }

    /// With divisor S: the variance of the empirical distribution.
    fn variance(&self, i: usize) -> Option<f64> {
        let mean = self.mean(i)?;
        let squares: f64 = self.values.row(i).iter().map(|draw| (draw - mean).powi(2)).sum();
        finite(squares / self.values.ncols() as f64)
    }

    fn log_density(&self, _: usize, _: f64) -> Option<f64> {
        None
    }

    fn cdf(&self, i: usize, y: f64) -> Option<f64> {
        if y.is_nan() { None } else { self.share(i, |draw| draw <= y) }
    }

    fn cdf_below(&self, i: usize, y: f64) -> Option<f64> {
        if y.is_nan() { None } else { self.share(i, |draw| draw < y) }
    }

    fn ln_probability(&self, i: usize, low: f64, high: f64) -> Option<f64> {
        if low.is_nan() || high.is_nan() {
            return None;
        }
        ln_of_probability(self.share(i, |draw| low <= draw && draw < high)?.ln())
    }

    fn quantile(&self, i: usize, level: f64) -> Option<f64> {
        if !(0.0..=1.0).contains(&level) {
            return None;
        }
        let mut draws = self.values.row(i).to_vec();
        // The smallest draw with at least level × S draws at or below it; the tolerance is for
        // rounding of the product.
        let count = (level * draws.len() as f64 - 1e-9).ceil().max(1.0) as usize;
        if count > draws.len() {
            return None;
        }
        let (_, quantile, _) = draws.select_nth_unstable_by(count - 1, f64::total_cmp);
        finite(*quantile)
    }

    fn crps_within(&self, i: usize, y: f64, low: f64, high: f64) -> Option<f64> {
        let draws: Vec<f64> =
            self.sorted(i).into_iter().map(|draw| draw.clamp(low, high)).collect();
        let y = y.clamp(low, high);
        let mut sum = crps_outside(*draws.first()?, *draws.last()?, y);
        let count = draws.len();
        let share = if (2..MANY).contains(&count) { 1.0 / (count - 1) as f64 } else { 0.0 };
        for (below, pair) in draws.windows(2).enumerate() {
            let level = (below + 1) as f64 / count as f64;
            sum += crps_piece(pair[0], pair[1], level, level, y)
                - share * level * (1.0 - level) * (pair[1] - pair[0]);
        }
        finite(sum).filter(|_| !y.is_nan())
    }

    fn exactness(&self, quantity: Quantity) -> Exactness {
        Self::exactness_of(quantity)
    }

    fn validate(&self) -> Result<(), InvalidPredictive> {
        validate::finite_matrix("samples", self.values.view())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S draws 1, 2, …, S.
    fn ladder(count: usize) -> Samples {
        Samples { values: Array2::from_shape_fn((1, count), |(_, j)| j as f64 + 1.0) }
    }

    #[test]
    fn few_draws_have_the_fair_score_and_many_that_of_the_discrete_distribution() {
        // Σ |xᵢ − y|/S of 1, …, S at y = 0 is (S + 1)/2, and Σᵢⱼ |xᵢ − xⱼ| is S (S² − 1)/3.
        for count in [2, 3, 10, 499] {
            let s = count as f64;
            let fair = (s + 1.0) / 2.0 - (s + 1.0) / 6.0;
            assert!((ladder(count).crps(0, 0.0).unwrap() - fair).abs() < 1e-9 * fair, "{count}");
        }
        for count in [1, 500, 501] {
            let s = count as f64;
            let discrete = (s + 1.0) / 2.0 - (s * s - 1.0) / (6.0 * s);
            assert!(
                (ladder(count).crps(0, 0.0).unwrap() - discrete).abs() < 1e-9 * discrete,
                "{count}"
            );
        }
    }

    #[test]
    fn the_fair_score_of_equal_draws_is_their_distance() {
        assert_eq!(Samples { values: Array2::from_elem((1, 7), 2.5) }.crps(0, 4.0), Some(1.5));
    }
}
