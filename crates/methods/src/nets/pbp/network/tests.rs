use rand::SeedableRng;

use super::*;
use uq_core::math::special::normal_density;

#[test]
fn rectified_moments_are_the_integrals_and_their_slopes_the_differences() {
    for (mean, variance) in
        [(0.0, 1.0), (1.3, 0.4), (-1.1, 2.0), (-3.0, 0.6), (4.0, 0.5), (-5.0, 1.0)]
    {
        let sd = f64::sqrt(variance);
        // Simpson's rule over max(a, 0), from the kink to 12 sds above the mean.
        let (steps, high) = (20_000, mean + 12.0 * sd);
        let width = high / f64::from(steps);
        let moment = |power: i32| {
            let term = |i: i32| {
                let a = width * f64::from(i);
                let weight = if i == 0 || i == steps { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
                weight * a.powi(power) * normal_density((a - mean) / sd) / sd
            };
            (0..=steps).map(term).sum::<f64>() * width / 3.0
        };
        let (first, second) = (moment(1), moment(2));
        let [mz, vz, cdf, density] = rectified(mean, variance);
        assert!((mz / first - 1.0).abs() < 1e-9, "mean {mz} against {first}");
        assert!(
            (vz / (second - first * first) - 1.0).abs() < 1e-7,
            "variance {vz} against {}",
            second - first * first
        );
        let step = 1e-5;
        let slope = |dm: f64, dv: f64, of: usize| {
            (rectified(mean + dm * step, variance + dv * step)[of]
                - rectified(mean - dm * step, variance - dv * step)[of])
                / (2.0 * step)
        };
        for (found, truth) in [
            (cdf, slope(1.0, 0.0, 0)),
            (0.5 * density, slope(0.0, 1.0, 0)),
            (2.0 * mz * (1.0 - cdf), slope(1.0, 0.0, 1)),
            (cdf - mz * density, slope(0.0, 1.0, 1)),
        ] {
            assert!((found - truth).abs() < 1e-8, "{found} against {truth} at {mean}, {variance}");
        }
    }
}

#[test]
fn rectified_moments_hold_in_both_tails() {
    // mpmath, 50 digits: E max(a, 0) = φ(r) + r Φ(r) and the variance for a ~ N(r, 1).
    for (r, mean, variance) in [
        (-10.0, 7.474_560_254_589_328e-25, 1.452_927_695_711_980_3e-25),
        (-30.0, 1.631_956_734_091_401_2e-199, 1.084_372_487_398_349e-200),
        (10.0, 10.0, 1.0),
        (1e9, 1e9, 1.0),
    ] {
        let [mz, vz, ..] = rectified(r, 1.0);
        assert!(
            (mz / mean - 1.0).abs() < 1e-9 && (vz / variance - 1.0).abs() < 1e-6,
            "{r}: {mz:e}, {vz:e}"
        );
    }
    let [mz, vz, cdf, density] = rectified(-1e9, 1.0);
    assert_eq!([mz, vz, cdf, density], [0.0; 4]);
}

/// A network of 3 inputs and 11 hidden units, and a row with its target.
fn example() -> (Network, [f64; 3], f64) {
    let mut network = Network::new(3, 11, &mut Rng::seed_from_u64(4));
    for (i, v) in network.variances.iter_mut().enumerate() {
        *v = 0.1 + 0.05 * ((i * 7) % 13) as f64;
    }
    (network, [0.7, -1.2, 0.4], 0.9)
}

fn ln_z(network: &Network, x: &[f64], y: f64) -> f64 {
    let (mut mean, mut variance) = ([0.0], [0.0]);
    network.outputs(x, &mut mean, &mut variance);
    let total = variance[0] + network.noise.plug_in_variance();
    -0.5 * (total.ln() + (y - mean[0]).powi(2) / total)
}

#[test]
fn the_gradients_of_ln_z_are_the_differences() {
    let (network, x, y) = example();
    let mut learned = network.clone();
    learned.learn(&x, &[y], &[0]);
    for i in 0..network.means.len() {
        let difference = |change: &dyn Fn(&mut Network, f64)| {
            let at = |step: f64| {
                let mut moved = network.clone();
                change(&mut moved, step);
                ln_z(&moved, &x, y)
            };
            (at(1e-5) - at(-1e-5)) / 2e-5
        };
        let by_mean = difference(&|network, step| network.means[i] += step);
        let by_variance = difference(&|network, step| network.variances[i] += step);
        // Equations (5) and (6) are solved for the gradients.
        let v = network.variances[i];
        let found = (learned.means[i] - network.means[i]) / v;
        assert!((found - by_mean).abs() < 1e-8, "mean {i}: {found} against {by_mean}");
        let found = 0.5 * (found * found - (v - learned.variances[i]) / (v * v));
        assert!((found - by_variance).abs() < 1e-8, "variance {i}: {found} against {by_variance}");
    }
}

#[test]
fn a_step_of_a_linear_model_is_the_exact_bayesian_update() {
    // Hidden weights without variance and one active unit: y = (w z + b) / √2 + noise with a known
    // z.
    let mut network = Network::new(1, 1, &mut Rng::seed_from_u64(1));
    network.means = vec![2.0, 1.0, 0.3, -0.2];
    network.variances = vec![1e-60, 1e-60, 0.8, 0.5];
    let (x, y) = (0.9, 1.7);
    let z = (2.0 * x + 1.0) / 2.0_f64.sqrt();
    let noise = network.noise.plug_in_variance();
    // The marginals of N(m, diag v) given y = h·w + N(0, noise): gain v h / (hᵀ diag(v) h + noise).
    let h = [z / 2.0_f64.sqrt(), 1.0 / 2.0_f64.sqrt()];
    let (m, v) = ([0.3, -0.2], [0.8, 0.5]);
    let total = h[0] * h[0] * v[0] + h[1] * h[1] * v[1] + noise;
    let residual = y - h[0] * m[0] - h[1] * m[1];
    network.learn(&[x], &[y], &[0]);
    for i in 0..2 {
        let gain = v[i] * h[i] / total;
        assert!((network.means[2 + i] - (m[i] + gain * residual)).abs() < 1e-14);
        assert!((network.variances[2 + i] - v[i] * (1.0 - gain * h[i])).abs() < 1e-14);
    }
    assert_eq!(network.means[..2], [2.0, 1.0]);
}

#[test]
fn a_refined_prior_is_the_exact_one_where_it_is_known() {
    // λ so sharp that it is known to be 4: each normal must be its rest times N(0, 1/4), however
    // often that is done.
    let (mut network, ..) = example();
    network.prior = Gamma { shape: 4e9, rate: 1e9 };
    let (means, variances) = (network.means.clone(), network.variances.clone());
    network.refine_prior();
    let once = network.clone();
    network.refine_prior();
    for i in 0..means.len() {
        // The factors start at the precision 5/6 of the paper's prior.
        let rest = 1.0 / variances[i] - 5.0 / 6.0;
        if rest <= 1e-6 {
            assert_eq!((network.means[i], network.variances[i]), (means[i], variances[i]));
            continue;
        }
        let variance = 1.0 / (rest + 4.0);
        assert!((network.variances[i] / variance - 1.0).abs() < 1e-6);
        assert!((network.means[i] - means[i] / variances[i] * variance).abs() < 1e-6);
        assert!((network.means[i] - once.means[i]).abs() < 1e-6);
    }
}

#[test]
fn a_variance_whose_update_is_not_positive_is_kept() {
    let (mut mean, mut variance) = (1.0, 2.0);
    update(&mut mean, &mut variance, 1.0, 0.0);
    assert_eq!((mean, variance), (1.0, 2.0));
    update(&mut mean, &mut variance, f64::NAN, 0.0);
    assert_eq!((mean, variance), (1.0, 2.0));
    update(&mut mean, &mut variance, 0.5, 0.0);
    assert_eq!((mean, variance), (2.0, 1.0));
}
