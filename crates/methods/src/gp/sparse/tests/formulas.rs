//! The bound, its gradient and the posterior against dense formulas, finite differences and numbers
//! computed elsewhere.

use faer::prelude::Solve;
use faer::{Mat, Par, Side};
use proptest::prelude::{prop_assert, proptest};

use super::super::bound::Bound;
use super::*;
use crate::gp::kernels::Points;
use crate::gp::process::{self, Likelihood};

/// n × d numbers without a pattern.
fn points(n: usize, d: usize, stream: u64) -> Vec<f64> {
    let mut rng = context().stream("points", stream);
    (0..n * d).map(|_| rng.random_range(-1.5..1.5)).collect()
}

fn targets(x: &[f64], d: usize) -> Vec<f64> {
    let mut rng = context().stream("targets", 0);
    x.chunks_exact(d).map(|x| (2.0 * x[0]).sin() - x[d - 1] + rng.random_range(-0.3..0.3)).collect()
}

fn rbf(d: usize) -> Kernel {
    Composition::Shape(Shape::Rbf).kernel(d)
}

/// K(a, b) for the RBF kernel, by its definition; `own` is ln σ², ln ℓ_1, ….
fn covariance(own: &[f64], a: &[f64], b: &[f64]) -> Mat<f64> {
    let d = own.len() - 1;
    let k = |i: usize, j: usize| {
        let terms = (0..d).map(|f| ((a[i * d + f] - b[j * d + f]) / own[1 + f].exp()).powi(2));
        (own[0] - 0.5 * terms.sum::<f64>()).exp()
    };
    Mat::from_fn(a.len() / d, b.len() / d, k)
}

fn ln_normal(y: &[f64], covariance: &Mat<f64>) -> f64 {
    let n = y.len();
    let factor = covariance.llt(Side::Lower).unwrap();
    let column = Mat::from_fn(n, 1, |i, _| y[i]);
    let quadratic = (column.transpose() * factor.solve(&column))[(0, 0)];
    let ln_root: f64 = (0..n).map(|i| factor.L()[(i, i)].ln()).sum();
    -0.5 * (n as f64 * std::f64::consts::TAU.ln() + quadratic) - ln_root
}

/// Noise on the diagonal of a covariance.
fn noisy(mut covariance: Mat<f64>, noise: f64) -> Mat<f64> {
    for i in 0..covariance.nrows() {
        covariance[(i, i)] += noise;
    }
    covariance
}

/// ln N(y | 0, Q + s² I) − tr(K − Q) / 2 s², n × n matrices and all.
fn dense_bound(own: &[f64], noise: f64, jitter: f64, x: &[f64], y: &[f64], z: &[f64]) -> f64 {
    let cross = covariance(own, z, x);
    let among = noisy(covariance(own, z, z), jitter * own[0].exp());
    let q = cross.transpose() * among.llt(Side::Lower).unwrap().solve(&cross);
    let trace: f64 = (0..y.len()).map(|i| own[0].exp() - q[(i, i)]).sum();
    ln_normal(y, &noisy(q, noise)) - 0.5 * trace / noise
}

fn evaluate(kernel: Kernel, theta: &[f64], x: &[f64], y: &[f64], m: usize, jitter: f64) -> f64 {
    let x = Points::new(x, y.len(), x.len() / y.len());
    Bound::new(kernel, x, y, m, jitter).evaluate(theta, None, &context()).unwrap()
}

fn theta(own: &[f64], noise: f64, z: &[f64]) -> Vec<f64> {
    [own, &[noise.ln()], z].concat()
}

/// `reference.py` of this comment, run with numpy 2 in double precision:
/// X[i,j] = 1.5 sin(1.3 i + 0.7 j), y[i] = cos(0.9 i) + 0.1 i − 0.3, Z[i,j] = cos(2.1 i + 1.1 j), n
/// = 7, m = 3, d = 2, ℓ = (0.8, 1.7), σ² = 1.3, s² = 0.2, K_uu with 1.3e-8 on its diagonal, Q =
/// K_fu solve(K_uu, K_uf); slogdet and solve of Q + s² I; the variance as σ² − k_*ᵀ K_uu⁻¹ k_* +
/// k_*ᵀ (K_uu + K_uf K_fu / s²)⁻¹ k_*.
#[test]
fn the_bound_and_the_posterior_agree_with_numpy() {
    let x: Vec<f64> =
        (0..14).map(|i| 1.5 * (1.3 * (i / 2) as f64 + 0.7 * (i % 2) as f64).sin()).collect();
    let y: Vec<f64> =
        (0..7).map(|i| (0.9 * f64::from(i)).cos() + 0.1 * f64::from(i) - 0.3).collect();
    let z: Vec<f64> = (0..6).map(|i| (2.1 * (i / 2) as f64 + 1.1 * (i % 2) as f64).cos()).collect();
    let theta = theta(&[1.3_f64.ln(), 0.8_f64.ln(), 1.7_f64.ln()], 0.2, &z);
    let mut bound = Bound::new(rbf(2), Points::new(&x, 7, 2), &y, 3, 1e-8);
    let value = bound.evaluate(&theta, None, &context()).unwrap();
    assert!((value + 16.201_743_501_391).abs() < 1e-8, "{value}");
    let posterior = Posterior::new(rbf(2), &theta, bound.factors().clone(), &context());
    let at = array![[0.3, -0.4], [2.0, 1.0], [-0.9, 0.1]];
    let (means, variances) = posterior.predict(at.view(), &context()).unwrap();
    let expected = [-0.207_387_373_252_498, 0.187_607_467_944_09, -0.411_905_522_352_346];
    assert!(means.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8), "{means}");
    let expected = [0.541_197_901_268_078, 1.067_521_954_057_57, 0.417_636_014_982_6];
    assert!(variances.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8), "{variances}");
}

#[test]
fn several_blocks_of_rows_give_the_dense_bound() {
    let x = points(1100, 3, 0);
    let (y, z) = (targets(&x, 3), points(20, 3, 1));
    let own = [0.3, -0.2, 0.1, 0.4];
    let found = evaluate(rbf(3), &theta(&own, 0.1, &z), &x, &y, 20, 1e-8);
    let expected = dense_bound(&own, 0.1, 1e-8, &x, &y, &z);
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} against {expected}");
}

#[test]
fn the_gradient_is_that_of_finite_differences_in_every_parameter() {
    let shape = |shape| Composition::Shape(shape);
    let sum = Composition::Sum { sum: vec![shape(Shape::Rbf), shape(Shape::Matern32)] };
    for composition in
        [shape(Shape::Rbf), shape(Shape::Matern52), shape(Shape::RationalQuadratic), sum]
    {
        let (n, m, d) = (530, 6, 2);
        let x = points(n, d, 0);
        let y = targets(&x, d);
        let kernel = composition.kernel(d);
        let own: Vec<f64> =
            (0..kernel.parameters()).map(|i| 0.3 * (1.0 + i as f64).sin()).collect();
        let at = theta(&own, 0.15, &points(m, d, 1));
        // A jitter large enough to be seen in the derivative by σ².
        let mut bound = Bound::new(kernel, Points::new(&x, n, d), &y, m, 1e-3);
        let mut gradient = vec![f64::NAN; at.len()];
        bound.evaluate(&at, Some(&mut gradient), &context()).unwrap();
        let mut few = vec![f64::NAN; own.len() + 1];
        bound.evaluate(&at, Some(&mut few), &context()).unwrap();
        assert_eq!(few, gradient[..few.len()]);
        for (i, slope) in gradient.iter().enumerate() {
            let mut ends = [0.0; 2];
            for (end, step) in ends.iter_mut().zip([1e-5, -1e-5]) {
                let mut moved = at.clone();
                moved[i] += step;
                *end = bound.evaluate(&moved, None, &context()).unwrap();
            }
            let expected = (ends[0] - ends[1]) / 2e-5;
            assert!(
                (slope - expected).abs() < 1e-5 * (1.0 + expected.abs()),
                "{composition:?}, {i}: {slope}, {expected}"
            );
        }
    }
}

#[test]
fn with_all_points_it_is_the_exact_process() {
    let (n, d) = (40, 2);
    let x = points(n, d, 0);
    let y = targets(&x, d);
    let (own, noise) = ([0.4, -0.5, 0.1], 0.05);
    let at = theta(&own, noise, &x);
    let rows = Points::new(&x, n, d);
    let mut bound = Bound::new(rbf(d), rows, &y, n, 1e-13);
    let mut gradient = vec![0.0; own.len() + 1];
    let value = bound.evaluate(&at, Some(&mut gradient), &context()).unwrap();
    let expected = ln_normal(&y, &noisy(covariance(&own, &x, &x), noise));
    assert!((value - expected).abs() < 1e-6, "{value} against {expected}");
    // The loss, tr(K − Q), is never negative: where it is zero, so are its slopes.
    let mut kernel = rbf(d);
    kernel.set_log_parameters(&own);
    let mut slopes = vec![0.0; own.len() + 1];
    let exact = Likelihood::new(rows, &y, Par::Seq).negative(&kernel, noise, &mut slopes).unwrap();
    assert!((value + exact).abs() < 1e-6, "{value} against {exact}");
    assert!(
        gradient.iter().zip(&slopes).all(|(a, b)| (a + b).abs() < 1e-4),
        "{gradient:?} against {slopes:?}"
    );
    let new = points(9, d, 2);
    let exact = process::Posterior::new(kernel, noise, rows, &y, Par::Seq).unwrap();
    let (expected, spread) =
        exact.function(Points::new(&new, 9, d), || Ok::<_, FitError>(())).unwrap();
    let posterior = Posterior::new(rbf(d), &at, bound.factors().clone(), &context());
    let (means, variances) =
        posterior.predict(ArrayView2::from_shape((9, d), &new).unwrap(), &context()).unwrap();
    for j in 0..9 {
        assert!(
            (means[j] - expected[j]).abs() < 1e-6 && (variances[j] - spread[j]).abs() < 1e-6,
            "{j}"
        );
    }
}

proptest! {
    #[test]
    fn more_points_never_lower_the_bound_and_it_never_exceeds_the_evidence(
        seed in 0_u64..1000,
        amplitude in -1.0..1.0,
        length in -1.0..0.7,
        noise in -4.0..0.0,
    ) {
        let (n, d) = (30, 2);
        let (x, z) = (points(n, d, 2 * seed), points(12, d, 2 * seed + 1));
        let y = targets(&x, d);
        let own = [amplitude, length, length + 0.3];
        let noise = f64::exp(noise);
        let mut least = f64::NEG_INFINITY;
        for m in [1, 2, 5, 12] {
            let found = evaluate(rbf(d), &theta(&own, noise, &z[..m * d]), &x, &y, m, 1e-8);
            prop_assert!(
                found > least - 1e-7 * (1.0 + least.abs().min(1e9)),
                "{found} after {least}"
            );
            least = found;
        }
        let evidence = ln_normal(&y, &noisy(covariance(&own, &x, &x), noise));
        prop_assert!(least < evidence + 1e-7 * evidence.abs(), "{least} against {evidence}");
    }
}

#[test]
fn parameters_out_of_range_have_no_bound() {
    let x = points(20, 2, 0);
    let (y, z) = (targets(&x, 2), points(4, 2, 1));
    for bad in [f64::NAN, 1e6] {
        for place in 0..4 {
            let mut at = theta(&[0.0, 0.0, 0.0], 0.1, &z);
            at[place] = bad;
            let found = evaluate(rbf(2), &at, &x, &y, 4, 1e-8);
            // Length scales and noise may be infinite: the function is then constant, or there is
            // only noise.
            assert!(!found.is_finite() || bad == 1e6 && place > 0, "{found} at {bad} in {place}");
        }
    }
}
