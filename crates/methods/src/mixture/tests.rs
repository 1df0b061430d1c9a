//! The fit, the conditional mixture and the entropy bounds against naive formulas, closed forms and
//! integrals.

mod conditional;
mod entropy;
mod gmm;

use ndarray::{Array1, Array2};
use proptest::prelude::{Strategy, prop};
use rand::RngExt;

use super::GaussianMixture;
use crate::Context;
use uq_core::math::random::{Rng, Streams};

fn context() -> Context {
    Context::new(Streams::new(3, "mixture"))
}

/// n × m numbers in [−1, 1).
fn uniform(n: usize, m: usize, rng: &mut Rng) -> Array2<f64> {
    Array2::from_shape_simple_fn((n, m), || rng.random_range(-1.0..1.0))
}

/// Rows in `groups` groups whose columns depend on each other differently.
fn rows(n: usize, m: usize, groups: usize) -> Array2<f64> {
    let mut rng = context().stream("rows", 0);
    let noise = uniform(n, m, &mut rng);
    Array2::from_shape_fn((n, m), |(i, j)| {
        let group = i % groups;
        let turned: f64 =
            (0..=j).map(|l| noise[(i, l)] * (1.0 + ((l * (group + 2)) % 3) as f64)).sum();
        turned + 2.5 * ((group * (j + 1)) % (groups + 1)) as f64
    })
}

/// A mixture of random weights, means within ±3 and covariances A Aᵀ + 0.05 I.
fn random_mixture(k: usize, m: usize, seed: u64) -> GaussianMixture {
    let mut rng = Streams::new(seed, "random-mixture").stream("draw", 0);
    let raw: Array1<f64> = (0..k).map(|_| rng.random_range(0.05..1.0)).collect();
    let means = 3.0 * uniform(k, m, &mut rng);
    let covariances = (0..k)
        .map(|_| {
            let a = uniform(m, m, &mut rng);
            a.dot(&a.t()) + 0.05 * Array2::eye(m)
        })
        .collect();
    GaussianMixture::new(&raw / raw.sum(), means, covariances).unwrap()
}

/// Mixtures of 1 to 4 components over 1 to 4 columns.
fn mixtures() -> impl Strategy<Value = GaussianMixture> {
    (1_usize..5, 1_usize..5, prop::num::u64::ANY)
        .prop_map(|(k, m, seed)| random_mixture(k, m, seed))
}

/// Inverse and determinant by Gauss-Jordan elimination with row exchanges.
fn inverse(a: &Array2<f64>) -> (Array2<f64>, f64) {
    let m = a.nrows();
    let (mut left, mut right, mut determinant) = (a.clone(), Array2::eye(m), 1.0);
    for c in 0..m {
        let best =
            (c..m).max_by(|&a, &b| left[(a, c)].abs().total_cmp(&left[(b, c)].abs())).unwrap();
        if best != c {
            determinant = -determinant;
            for j in 0..m {
                left.swap((c, j), (best, j));
                right.swap((c, j), (best, j));
            }
        }
        let pivot = left[(c, c)];
        determinant *= pivot;
        left.row_mut(c).mapv_inplace(|x| x / pivot);
        right.row_mut(c).mapv_inplace(|x| x / pivot);
        for r in (0..m).filter(|&r| r != c) {
            let factor = left[(r, c)];
            let (row, other) = (left.row(c).to_owned(), right.row(c).to_owned());
            left.row_mut(r).scaled_add(-factor, &row);
            right.row_mut(r).scaled_add(-factor, &other);
        }
    }
    (right, determinant)
}

/// The normal density as it is printed in textbooks.
fn normal(x: &Array1<f64>, mean: &Array1<f64>, covariance: &Array2<f64>) -> f64 {
    let (inverse, determinant) = inverse(covariance);
    let d = x - mean;
    let norm = (2.0 * std::f64::consts::PI).powi(x.len() as i32) * determinant;
    (-0.5 * d.dot(&inverse.dot(&d))).exp() / norm.sqrt()
}
