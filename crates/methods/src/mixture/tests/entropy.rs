//! The printed inequalities of Theorem 1, and the correct ones.

use std::f64::consts::{E, LN_2, PI};

use ndarray::{Array1, Array2, array};
use rand::RngExt;

use super::context;
use crate::mixture::entropy::EntropyBounds;
use uq_core::predictive::{Distribution, Mixture};

/// −∫ p ln p by the trapezoidal rule, which converges faster than any power for such functions.
fn integral(mixture: &Mixture, i: usize) -> f64 {
    let (mu, sd) = (mixture.means.row(i), mixture.variances.row(i).mapv(f64::sqrt));
    let widest = sd.iter().fold(0.0_f64, |a, &b| a.max(b));
    let low = mu.iter().fold(f64::INFINITY, |a, &b| a.min(b)) - 12.0 * widest;
    let high = mu.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b)) + 12.0 * widest;
    let width = 0.05 * sd.iter().fold(f64::INFINITY, |a, &b| a.min(b));
    let steps = ((high - low) / width) as usize;
    let term = |j: usize| {
        let log_p = mixture.log_density(i, low + width * j as f64).unwrap();
        -log_p.exp() * log_p
    };
    width * (0..=steps).map(term).sum::<f64>()
}

/// n mixtures of k components: means within ±`spread`, standard deviations from 0.3 to 1.5.
fn random(n: usize, k: usize, spread: f64) -> Mixture {
    let mut rng = context().stream("entropy", (100 * k) as u64 + spread as u64);
    let mut weights = Array2::from_shape_simple_fn((n, k), || rng.random_range(0.02..1.0));
    for mut row in weights.rows_mut() {
        let sum = row.sum();
        row /= sum;
    }
    let means = Array2::from_shape_simple_fn((n, k), || rng.random_range(-spread..spread));
    let variances = Array2::from_shape_simple_fn((n, k), || rng.random_range(0.3_f64..1.5).powi(2));
    Mixture { weights, means, variances }
}

#[test]
fn one_component_has_the_entropy_of_the_normal_distribution() {
    let mixture =
        Mixture { weights: array![[1.0]], means: array![[7.0]], variances: array![[4.0]] };
    let bounds = EntropyBounds::bound(&mixture, 0).unwrap();
    let exact = 0.5 * (2.0 * PI * E * 4.0).ln();
    assert!(
        [bounds.component_average, bounds.with_weights, bounds.moment_matched]
            .iter()
            .all(|b| (b - exact).abs() < 1e-15)
    );
    // Eq. (19) is ½ ln(4π σ²): loose by ½ (1 − ln 2) even here.
    assert!((exact - bounds.pairwise - 0.5 * (1.0 - LN_2)).abs() < 1e-15);
    assert!((integral(&mixture, 0) - exact).abs() < 1e-12);
}

/// Truth by integration over 800 random mixtures: Eq. (19) ≤ H holds everywhere; the printed H ≤
/// Eq. (20) holds nowhere, and Eq. (19) ≤ Eq. (20) fails for most; both corrected upper bounds hold
/// everywhere.
#[test]
fn the_printed_upper_bound_lies_below_the_entropy() {
    let (mut cases, mut printed_holds, mut crossed) = (0, 0, 0);
    for k in [2, 3, 8, 18] {
        for spread in [1.0, 10.0] {
            let mixture = random(100, k, spread);
            for i in 0..100 {
                let truth = integral(&mixture, i);
                let bounds = EntropyBounds::bound(&mixture, i).unwrap();
                let slack = 1e-9;
                assert!(bounds.pairwise <= truth + slack, "Eq. 19: {bounds:?}, entropy {truth}");
                assert!(
                    bounds.component_average <= truth + slack,
                    "Eq. 20 is a lower bound: {bounds:?}, {truth}"
                );
                assert!(truth <= bounds.with_weights + slack, "{bounds:?}, entropy {truth}");
                assert!(truth <= bounds.moment_matched + slack, "{bounds:?}, entropy {truth}");
                assert!(bounds.lower() <= bounds.upper() + slack);
                cases += 1;
                printed_holds += usize::from(truth <= bounds.component_average);
                crossed += usize::from(bounds.pairwise > bounds.component_average);
            }
        }
    }
    println!(
        "Theorem 1 over {cases} mixtures: H <= (20) in {printed_holds}; (19) > (20) in {crossed}"
    );
    assert_eq!((cases, printed_holds), (800, 0));
    assert!(crossed > 400, "{crossed}");
}

#[test]
fn far_components_add_the_entropy_of_their_weights() {
    let mixture = Mixture {
        weights: array![[0.25, 0.75]],
        means: array![[0.0, 1e3]],
        variances: array![[1.0, 4.0]],
    };
    let bounds = EntropyBounds::bound(&mixture, 0).unwrap();
    let of_weights = -0.25 * 0.25_f64.ln() - 0.75 * 0.75_f64.ln();
    assert!((integral(&mixture, 0) - bounds.with_weights).abs() < 1e-9, "the bound is attained");
    // Eq. (19) exceeds Eq. (20) by Σ −π ln π − ½ (1 − ln 2): "lower" above "upper".
    let excess = of_weights - 0.5 * (1.0 - LN_2);
    assert!(excess > 0.4 && (bounds.pairwise - bounds.component_average - excess).abs() < 1e-12);
}

/// Section 4.5: "maximizing this lower bound is equivalent to maximizing the entropy". Some pairs
/// of mixtures contradict it.
#[test]
fn the_larger_lower_bound_need_not_have_the_larger_entropy() {
    let mixture = random(100, 2, 6.0);
    let bound = |i| EntropyBounds::bound(&mixture, i).unwrap().pairwise;
    let reversed = (1..100).filter(|&i| {
        (integral(&mixture, 0) - integral(&mixture, i)) * (bound(0) - bound(i)) < -1e-6
    });
    assert!(reversed.count() > 0, "every pair is ordered the same way");
}

#[test]
fn a_point_mass_has_no_finite_lower_bound() {
    let mixture = Mixture {
        weights: array![[0.5, 0.5]],
        means: array![[0.0, 1.0]],
        variances: array![[0.0, 1.0]],
    };
    let bounds = EntropyBounds::bound(&mixture, 0).unwrap();
    assert_eq!((bounds.component_average, bounds.pairwise), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    let shared = Mixture {
        weights: array![[1.0]],
        means: Array2::zeros((3, 1)),
        variances: Array2::ones((3, 1)),
    };
    let all: Option<Array1<f64>> =
        (0..3).map(|i| EntropyBounds::bound(&shared, i).map(|b| b.upper())).collect();
    assert!(all.unwrap().iter().all(|upper| (upper - 0.5 * (2.0 * PI * E).ln()).abs() < 1e-15));
}
