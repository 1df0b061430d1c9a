//! Find the noise variance that makes the outcomes most probable under passes of dropout, or under
//! the networks of an ensemble.
//!
//! ```text
//! −ln p(y_i) = −ln (1/T) Σ_t exp(−(y_i − ŷ_it)² / 2v) + ½ ln 2πv,   v = τ⁻¹
//! ```
//!
//! (Equation 8 of Gal & Ghahramani.) Its mean over i is searched on a grid over ln v, then by
//! golden sections about the best point.

use faer::traits::pulp::{Arch, Simd, WithSimd};
use ndarray::{ArrayView1, ArrayView2};

use uq_core::math::special::LN_SQRT_2PI;
use uq_core::math::vectorised::exp;

/// Smallest and largest variance that is tried, in standardised units.
const RANGE: (f64, f64) = (1e-6, 1e4);

/// Steps of the grid: four in each decade.
const STEPS: usize = 40;

/// Golden sections: each leaves 0.618 of the interval.
const SECTIONS: usize = 30;

/// Passes whose exponentials are added up side by side.
const LANES: usize = 8;

/// The variance with the smallest mean negative log-likelihood of `outcomes` (n) given the passes'
/// `means` (n × T), and that mean. Where a precision τ is given, the variance is 1/τ. `None` where
/// the mean is not finite.
pub(super) fn best_variance(
    means: ArrayView2<f64>,
    outcomes: ArrayView1<f64>,
    precision: Option<f64>,
) -> Option<(f64, f64)> {
    let squares = Squares::new(means, outcomes);
    let finite = |variance: f64| {
        Some((variance, squares.loss(variance))).filter(|(_, loss)| loss.is_finite())
    };
    if let Some(precision) = precision {
        return finite(1.0 / precision);
    }
    let (from, to) = (RANGE.0.ln(), RANGE.1.ln());
    let step = (to - from) / STEPS as f64;
    let grid = (0..=STEPS).map(|i| from + step * i as f64);
    let (at, _) = grid.map(|at| (at, squares.loss(at.exp()))).min_by(|a, b| a.1.total_cmp(&b.1))?;
    let ratio = 0.5 * (5_f64.sqrt() - 1.0);
    let (mut low, mut high) = ((at - step).max(from), (at + step).min(to));
    let section = |low: f64, high: f64| (high - ratio * (high - low), low + ratio * (high - low));
    let (mut a, mut b) = section(low, high);
    let (mut at_a, mut at_b) = (squares.loss(a.exp()), squares.loss(b.exp()));
    for _ in 0..SECTIONS {
        if at_a <= at_b {
            (high, b, at_b) = (b, a, at_a);
            a = section(low, high).0;
            at_a = squares.loss(a.exp());
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = section(low, high).1;
            at_b = squares.loss(b.exp());
        }
    }
    finite((0.5 * (low + high)).exp())
}

/// Squared errors of each outcome in each pass.
struct Squares {
    /// The smallest one of each outcome.
    smallest: Vec<f64>,
    /// The excess of each over the smallest, n × T, row by row.
    above: Vec<f64>,
    passes: usize,
}

impl Squares {
    fn new(means: ArrayView2<f64>, outcomes: ArrayView1<f64>) -> Self {
        let (mut smallest, mut above) =
            (Vec::with_capacity(outcomes.len()), Vec::with_capacity(means.len()));
        for (row, y) in means.rows().into_iter().zip(outcomes) {
            let squares = row.iter().map(|mean| (y - mean).powi(2));
            let least = squares.clone().fold(f64::INFINITY, f64::min);
            above.extend(squares.map(|square| square - least));
            smallest.push(least);
        }
        Self { smallest, above, passes: means.ncols() }
    }

    /// The mean negative log-likelihood.
    fn loss(&self, variance: f64) -> f64 {
        let total = Arch::new().dispatch(Total { squares: self, half: -0.5 / variance });
        total / self.smallest.len() as f64 + LN_SQRT_2PI + 0.5 * variance.ln()
    }
}

/// −Σ_i ln (1/T) Σ_t exp(`half` · square). A type rather than a closure, so that it is compiled for
/// the processor's own instructions.
struct Total<'a> {
    squares: &'a Squares,
    half: f64,
}

impl WithSimd for Total<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let Self { squares: Squares { smallest, above, passes }, half } = self;
        let mut total = 0.0;
        for (row, smallest) in above.chunks_exact(*passes).zip(smallest) {
            // Several sums at once, so that exponentials are computed in vectors.
            let mut lanes = [0.0; LANES];
            let groups = row.chunks_exact(LANES);
            let rest: f64 = groups.remainder().iter().map(|square| exp(half * square)).sum();
            for group in groups {
                for (lane, square) in lanes.iter_mut().zip(group) {
                    *lane += exp(half * square);
                }
            }
            total -= half * smallest + ((lanes.iter().sum::<f64>() + rest) / *passes as f64).ln();
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2, array};

    #[test]
    fn one_pass_has_the_mean_squared_error_as_its_variance() {
        let (means, outcomes) = (array![[1.0], [2.0], [-0.5]], array![1.5, 1.0, -0.5]);
        let (variance, loss) = best_variance(means.view(), outcomes.view(), None).unwrap();
        let exact: f64 = (0.25 + 1.0) / 3.0;
        assert!((variance / exact - 1.0).abs() < 1e-5, "{variance}");
        // At the maximum ½ ln 2πv + ½.
        assert!((loss - (0.5 * (2.0 * std::f64::consts::PI * exact).ln() + 0.5)).abs() < 1e-10);
    }

    #[test]
    fn the_loss_is_that_of_a_mixture_by_hand() {
        let (means, outcomes) = (array![[0.0, 2.0]], array![0.5]);
        let density =
            |mean: f64| (-(0.5 - mean).powi(2) / 0.6).exp() / (0.6 * std::f64::consts::PI).sqrt();
        let loss = best_variance(means.view(), outcomes.view(), Some(1.0 / 0.3)).unwrap().1;
        assert!((loss + (0.5 * (density(0.0) + density(2.0))).ln()).abs() < 1e-13, "{loss}");
    }

    #[test]
    fn at_the_best_variance_it_is_the_expected_squared_error() {
        // The derivative by ln v vanishes: v is the squared error, averaged over outcomes and over
        // each pass' share in the density.
        let means = Array2::from_shape_fn((20, 7), |(i, t)| ((i * 13 + t * 5) % 11) as f64 / 11.0);
        let outcomes = Array1::from_shape_fn(20, |i| ((i * 7) % 10) as f64 / 8.0);
        let (variance, _) = best_variance(means.view(), outcomes.view(), None).unwrap();
        let mut expected = 0.0;
        for (row, y) in means.rows().into_iter().zip(&outcomes) {
            let shares: Vec<f64> =
                row.iter().map(|m| (-0.5 * (y - m).powi(2) / variance).exp()).collect();
            let squares: f64 =
                row.iter().zip(&shares).map(|(m, share)| share * (y - m).powi(2)).sum();
            expected += squares / shares.iter().sum::<f64>() / 20.0;
        }
        assert!((variance / expected - 1.0).abs() < 1e-4, "{variance} against {expected}");
    }

    #[test]
    fn exact_and_very_distant_outcomes_have_finite_losses() {
        let exact = best_variance(array![[1.0]].view(), array![1.0].view(), None).unwrap().0;
        assert!((exact / 1e-6 - 1.0).abs() < 1e-4, "{exact}");
        let far = best_variance(array![[0.0]].view(), array![1e5].view(), None).unwrap().0;
        assert!((far / 1e4 - 1.0).abs() < 1e-4, "{far}");
        assert_eq!(best_variance(array![[f64::NAN]].view(), array![0.0].view(), None), None);
    }
}
