//! Quantiles of a binomial count.

/// The smallest counts k with P(K ≤ k) ≥ `tail` and P(K ≤ k) ≥ 1 − `tail`, K binomial of n trials
/// of probability p.
pub(super) fn binomial_quantiles(n: usize, p: f64, tail: f64) -> (usize, usize) {
    // In logarithms, because P(K = 0) of many trials underflows.
    let mut ln_mass = n as f64 * (-p).ln_1p();
    let mut cumulative = 0.0;
    let mut low = None;
    for k in 0..n {
        cumulative += ln_mass.exp();
        if cumulative >= tail {
            low = low.or(Some(k));
        }
        if cumulative >= 1.0 - tail {
            return (low.unwrap_or(k), k);
        }
        ln_mass += ((n - k) as f64 * p / ((k + 1) as f64 * (1.0 - p))).ln();
    }
    (low.unwrap_or(n), n)
}
