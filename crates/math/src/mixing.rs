//! Measure how well Markov chains of one quantity have mixed: split R-hat and the effective sample
//! size.
//!
//! Each chain is cut into halves, so that a chain that drifts disagrees with itself. With m halves
//! of n draws, the mean W of their variances, and the variance B / n of their means:
//!
//! ```text
//! var⁺ = (n − 1) / n · W + B / n                                                              (1)
//! R-hat = √(var⁺ / W)                                                                         (2)
//! ρ_t = 1 − (W − mean autocovariance at lag t) / var⁺                                          (3)
//! ESS = m n / τ,   τ = −1 + 2 Σ P_k,   P_k = ρ_2k + ρ_2k+1, while positive, and never rising   (4)
//! ```
//!
//! R-hat is near 1 where the chains agree. The number of independent draws that would be worth as
//! much is ESS.
//!
//! References: A. Gelman et al.: *Bayesian Data Analysis*, 3rd ed., 2013, Section 11.4, for (1) and
//! (2). A. Vehtari, A. Gelman, D. Simpson, B. Carpenter, P.-C. Bürkner: *Rank-normalization,
//! folding, and localization: an improved R-hat for assessing convergence of MCMC*, Bayesian
//! Analysis 16, 2021, Section 3.2, for (3) and (4).

/// The largest R-hat of chains that have mixed.
pub const LARGEST_R_HAT: f64 = 1.05;

/// How well the chains of one quantity have mixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixing {
    /// Split R-hat (2); 1 where the quantity is the same number in all draws, infinite where each
    /// half has a number of its own.
    pub r_hat: f64,
    /// Effective sample size (4), at most m n log₁₀(m n).
    pub effective: f64,
}

impl Mixing {
    /// Diagnoses chains of the same length, at least four draws each; `None` where there are none, or
    /// shorter or unequal ones.
    pub fn diagnose(chains: &[Vec<f64>]) -> Option<Self> {
        let draws = chains.first()?.len();
        if draws < 4 || chains.iter().any(|chain| chain.len() != draws) {
            return None;
        }
        let n = draws / 2;
        let halves: Vec<&[f64]> =
            chains.iter().flat_map(|chain| [&chain[..n], &chain[draws - n..]]).collect();
        let m = halves.len();
        let means: Vec<f64> = halves.iter().map(|half| mean(half)).collect();
        let autocovariance = |lag: usize| {
            let of_one = |(half, mean): (&&[f64], &f64)| {
                half.iter().zip(&half[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>()
                    / n as f64
            };
            halves.iter().zip(&means).map(of_one).sum::<f64>() / m as f64
        };
        let (count, total) = (n as f64, (m * n) as f64);
        let within = autocovariance(0) * count / (count - 1.0);
        let centre = mean(&means);
        let between =
            means.iter().map(|mean| (mean - centre).powi(2)).sum::<f64>() / (m as f64 - 1.0);
        let pooled = (count - 1.0) / count * within + between; // (1)
        if within <= 0.0 {
            let r_hat = if between > 0.0 { f64::INFINITY } else { 1.0 };
            return Some(Self { r_hat, effective: if between > 0.0 { m as f64 } else { total } });
        }
        let correlation = |lag: usize| 1.0 - (within - autocovariance(lag)) / pooled; // (3)
        let (mut tau, mut before) = (-1.0, f64::INFINITY);
        for k in 0..n / 2 {
            let pair = if k == 0 {
                1.0 + correlation(1)
            } else {
                correlation(2 * k) + correlation(2 * k + 1)
            };
            if pair <= 0.0 {
                break;
            }
            before = pair.min(before);
            tau += 2.0 * before;
        }
        let most = total * total.log10();
        Some(Self {
            r_hat: (pooled / within).sqrt(),
            effective: (total / tau.max(1.0 / total.log10())).min(most),
        }) // (2), (4)
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::normal_draws::fill_standard_normal;
    use uq_core::math::random::Rng;

    /// Chains of x_t = ρ x_t−1 + √(1 − ρ²) ε_t, which are N(0, 1) at every t.
    fn autoregressive(chains: usize, draws: usize, rho: f64) -> Vec<Vec<f64>> {
        let mut rng = Rng::seed_from_u64(5);
        let one = |_| {
            let mut chain = vec![0.0; draws];
            fill_standard_normal(&mut chain, &mut rng);
            for t in 1..draws {
                chain[t] = rho * chain[t - 1] + (1.0 - rho * rho).sqrt() * chain[t];
            }
            chain
        };
        (0..chains).map(one).collect()
    }

    #[test]
    fn a_small_case_by_hand() {
        // Halves (0, 2), (1, 3), (4, 6), (5, 7): each has the variance 2, their means 1, 2, 5, 6
        // have the variance 17/3.
        let found =
            Mixing::diagnose(&[vec![0.0, 2.0, 1.0, 3.0], vec![4.0, 6.0, 5.0, 7.0]]).unwrap();
        let pooled = 0.5 * 2.0 + 17.0 / 3.0;
        assert!((found.r_hat - (pooled / 2.0_f64).sqrt()).abs() < 1e-14, "{}", found.r_hat);
    }

    #[test]
    fn the_effective_size_of_an_autoregression_is_known() {
        // N (1 − ρ) / (1 + ρ); the estimate has an error of some percent.
        for (rho, tolerance) in [(0.0, 0.06), (0.6, 0.12), (-0.4, 0.12)] {
            let found = Mixing::diagnose(&autoregressive(4, 4000, rho)).unwrap();
            let truth = 16_000.0 * (1.0 - rho) / (1.0 + rho);
            assert!(
                (found.effective / truth - 1.0).abs() < tolerance,
                "ρ = {rho}: {} of {truth}",
                found.effective
            );
            assert!((found.r_hat - 1.0).abs() < 0.01, "{}", found.r_hat);
        }
    }

    #[test]
    fn chains_in_different_modes_and_chains_that_drift_have_a_large_r_hat() {
        // Modes at ± 3 with unit variance: var⁺ ≈ 1 + the variance of means (3, 3, −3, −3), which
        // is 12.
        let mut chains = autoregressive(2, 2000, 0.0);
        chains[0].iter_mut().for_each(|x| *x += 3.0);
        chains[1].iter_mut().for_each(|x| *x -= 3.0);
        let apart = Mixing::diagnose(&chains).unwrap();
        assert!((apart.r_hat - 13.0_f64.sqrt()).abs() < 0.1 && apart.effective < 10.0, "{apart:?}");
        let drift: Vec<f64> = (0..100).map(f64::from).collect();
        assert!(Mixing::diagnose(&[drift.clone(), drift]).unwrap().r_hat > 1.5);
    }

    #[test]
    fn constants_agree_or_disagree_and_short_chains_have_no_answer() {
        assert_eq!(
            Mixing::diagnose(&[vec![2.0; 8], vec![2.0; 8]]).unwrap(),
            Mixing { r_hat: 1.0, effective: 16.0 }
        );
        assert_eq!(Mixing::diagnose(&[vec![2.0; 8], vec![3.0; 8]]).unwrap().r_hat, f64::INFINITY);
        assert_eq!(Mixing::diagnose(&[]), None);
        assert_eq!(Mixing::diagnose(&[vec![1.0, 2.0, 3.0]]), None);
        assert_eq!(Mixing::diagnose(&[vec![1.0; 8], vec![1.0; 9]]), None);
    }
}
