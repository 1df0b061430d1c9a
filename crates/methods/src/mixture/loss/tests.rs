use super::*;
use ndarray::{Array1, Array2, array};
use rand::RngExt;
use uq_core::math::random::{Rng, Streams};
use uq_core::math::special::normal_quantile;
use uq_core::predictive::Distribution;

fn rng(index: u64) -> Rng {
    Streams::new(3, "loss").stream("draw", index)
}

fn normal(rng: &mut Rng) -> f64 {
    normal_quantile(rng.random_range(0.001..0.999))
}

/// A mixture of `k` components over (y, z) with p = 2.
fn mixture(k: usize) -> GaussianMixture {
    let mut rng = rng(k as u64);
    let covariance = |rng: &mut Rng| {
        let root = Array2::from_shape_simple_fn((3, 3), || normal(rng));
        root.dot(&root.t()) + 0.2 * Array2::<f64>::eye(3)
    };
    let raw = Array1::from_shape_simple_fn(k, || rng.random_range(0.2..1.0));
    let means = Array2::from_shape_simple_fn((k, 3), || normal(&mut rng));
    let covariances = (0..k).map(|_| covariance(&mut rng)).collect();
    GaussianMixture::new(&raw / raw.sum(), means, covariances).unwrap()
}

/// 37 rows of 4 features: two whole blocks and a part of one.
fn rows() -> (Array2<f64>, Array1<f64>) {
    let mut rng = rng(100);
    (
        Array2::from_shape_simple_fn((37, 4), || normal(&mut rng)),
        Array1::from_shape_simple_fn(37, || normal(&mut rng)),
    )
}

fn w() -> Array2<f64> {
    array![[0.6, -0.3, 0.2, 0.0], [0.1, 0.5, -0.7, 0.4]]
}

fn evaluate(
    mixture: &GaussianMixture,
    weights: LossWeights,
    w: &Array2<f64>,
) -> (LossTerms, Array2<f64>) {
    let (features, target) = rows();
    let mut workspace = LossWorkspace::new(mixture.weights.len(), w.dim());
    let batch: Vec<usize> = (0..features.nrows()).rev().collect();
    let terms =
        workspace.evaluate(&weights, mixture, w.view(), (features.view(), target.view()), &batch);
    (terms, workspace.gradient)
}

/// Density of a normal distribution in two or three dimensions by cofactors, independent of the
/// code above.
fn density(x: &[f64], mean: &[f64], covariance: ArrayView2<f64>) -> f64 {
    let c = |i: usize, j: usize| covariance[[i, j]];
    let (determinant, inverse): (f64, Array2<f64>) = if x.len() == 2 {
        let det = c(0, 0) * c(1, 1) - c(0, 1) * c(1, 0);
        (det, array![[c(1, 1), -c(0, 1)], [-c(1, 0), c(0, 0)]] / det)
    } else {
        let cofactor = |i: usize, j: usize| {
            let (a, b, e, f) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            c(a, e) * c(b, f) - c(a, f) * c(b, e)
        };
        let det = (0..3).map(|j| c(0, j) * cofactor(0, j)).sum::<f64>();
        (det, Array2::from_shape_fn((3, 3), |(i, j)| cofactor(j, i)) / det)
    };
    let away: Array1<f64> = x.iter().zip(mean).map(|(x, m)| x - m).collect();
    (-0.5 * away.dot(&inverse.dot(&away))).exp()
        / ((2.0 * std::f64::consts::PI).powi(x.len() as i32) * determinant).sqrt()
}

#[test]
fn the_terms_are_those_of_the_printed_equations() {
    let (mixture, w) = (mixture(3), w());
    let (features, target) = rows();
    let z = features.dot(&w.t());
    let mut expected = 0.0;
    for i in 0..z.nrows() {
        let (mut joint, mut marginal) = (0.0, 0.0);
        for k in 0..3 {
            let (mean, covariance) = (mixture.means.row(k).to_vec(), &mixture.covariances[k]);
            joint += mixture.weights[k]
                * density(&[target[i], z[[i, 0]], z[[i, 1]]], &mean, covariance.view());
            let of_z =
                covariance.select(ndarray::Axis(0), &[1, 2]).select(ndarray::Axis(1), &[1, 2]);
            marginal +=
                mixture.weights[k] * density(&[z[[i, 0]], z[[i, 1]]], &mean[1..], of_z.view());
        }
        expected -= (joint / marginal).ln() / 37.0; // (2), (3), (7)
    }
    let weights = LossWeights { reconstruction: 0.5, sparsity: 0.05 };
    let (terms, _) = evaluate(&mixture, weights, &w);
    assert!((terms.regression - expected).abs() < 1e-12, "{} against {expected}", terms.regression);
    let trace = features.dot(&w.t()).dot(&w).dot(&features.t()).diag().sum();
    assert!((terms.reconstruction + trace / 37.0).abs() < 1e-12); // (8)
    assert!((terms.sparsity - 2.8).abs() < 1e-15); // (9)
    let total = weights.total(&terms);
    assert!((total - (terms.regression - 0.5 * trace / 37.0 + 0.05 * 2.8)).abs() < 1e-12); // (10)
}

#[test]
fn each_term_has_the_slope_of_its_finite_differences() {
    let (mixture, w) = (mixture(4), w());
    let none = LossWeights { reconstruction: 0.0, sparsity: 0.0 };
    let all = [
        ("regression", none),
        ("with reconstruction", LossWeights { reconstruction: 0.7, ..none }),
        ("with sparsity", LossWeights { sparsity: 0.3, ..none }),
    ];
    for (name, weights) in all {
        let (_, gradient) = evaluate(&mixture, weights, &w);
        let largest = gradient.iter().fold(0.0_f64, |a, g| a.max(g.abs()));
        for ((j, c), &slope) in gradient.indexed_iter() {
            if w[[j, c]] == 0.0 && weights.sparsity > 0.0 {
                continue; // the kink of |W| has a test of its own
            }
            let at = |h: f64| {
                let mut moved = w.clone();
                moved[[j, c]] += h;
                weights.total(&evaluate(&mixture, weights, &moved).0)
            };
            // Central differences of fourth order.
            let h = 1e-3;
            let difference = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
            assert!(
                (slope - difference).abs() <= 1e-6 * largest,
                "{name} [{j}, {c}]: {slope} against {difference}"
            );
        }
    }
}

#[test]
fn an_entry_of_zero_has_no_sparsity_gradient() {
    let (mixture, w) = (mixture(2), w());
    let none = LossWeights { reconstruction: 0.0, sparsity: 0.0 };
    let pulled = evaluate(&mixture, LossWeights { sparsity: 0.3, ..none }, &w).1
        - evaluate(&mixture, none, &w).1;
    let expected = w.mapv(|w| if w == 0.0 { 0.0 } else { 0.3 * f64::signum(w) });
    assert!((pulled - expected).iter().all(|gap| gap.abs() < 1e-12));
}

#[test]
fn one_component_is_least_squares() {
    // −ln N(y; β z, s²) has the slope −(y − β z) β / s² in z; (y, z) with variances 2 and 1,
    // covariance 0.5.
    let covariance = array![[2.0, 0.5], [0.5, 1.0]];
    let mixture = GaussianMixture::new(array![1.0], array![[0.0, 0.0]], vec![covariance]).unwrap();
    let (beta, variance, w) = (0.5, 1.75, array![[0.5, 2.0]]);
    let (features, target) = (array![[1.0, 3.0]], array![4.0]);
    let mut workspace = LossWorkspace::new(1, (1, 2));
    let none = LossWeights { reconstruction: 0.0, sparsity: 0.0 };
    let terms =
        workspace.evaluate(&none, &mixture, w.view(), (features.view(), target.view()), &[0]);
    let residual = 4.0 - beta * 6.5;
    let expected =
        0.5 * (2.0 * std::f64::consts::PI * variance).ln() + 0.5 * residual * residual / variance;
    assert!((terms.regression - expected).abs() < 1e-14);
    let slope = -residual * beta / variance;
    assert!(
        (&workspace.gradient - &array![[slope, 3.0 * slope]]).iter().all(|gap| gap.abs() < 1e-14)
    );
}

#[test]
fn rows_far_from_every_component_keep_a_finite_loss_and_slope() {
    let (mixture, w) = (mixture(3), w());
    let (features, target) = (array![[1e6, -1e6, 1e6, 1e6]], array![-1e6]);
    let mut workspace = LossWorkspace::new(3, w.dim());
    let weights = LossWeights { reconstruction: 0.5, sparsity: 0.05 };
    let terms =
        workspace.evaluate(&weights, &mixture, w.view(), (features.view(), target.view()), &[0]);
    assert!(weights.total(&terms).is_finite() && workspace.gradient.iter().all(|g| g.is_finite()));
}

#[test]
fn a_component_of_weight_zero_changes_nothing() {
    let (two, w) = (mixture(2), w());
    let weights = LossWeights { reconstruction: 0.5, sparsity: 0.05 };
    let with =
        GaussianMixture::new(array![1.0, 0.0], two.means.clone(), two.covariances.clone()).unwrap();
    let mean = two.means.select(ndarray::Axis(0), &[0]);
    let without =
        GaussianMixture::new(array![1.0], mean, vec![two.covariances[0].clone()]).unwrap();
    let (with, without) = (evaluate(&with, weights, &w), evaluate(&without, weights, &w));
    assert!((with.0.regression - without.0.regression).abs() < 1e-14);
    assert!((with.1 - without.1).iter().all(|gap| gap.abs() < 1e-14));
}

#[test]
fn the_regression_loss_is_the_log_density_of_the_conditional_mixture() {
    let (mixture, w) = (mixture(4), w());
    let (features, target) = rows();
    let conditional = mixture.conditional(features.dot(&w.t()).view());
    let mean = (0..37).map(|i| conditional.log_density(i, target[i]).unwrap()).sum::<f64>() / 37.0;
    let none = LossWeights { reconstruction: 0.0, sparsity: 0.0 };
    assert!((evaluate(&mixture, none, &w).0.regression + mean).abs() < 1e-12);
}
