//! Expectation maximisation.

use ndarray::{Array1, Array2, Axis, array};
use rand::RngExt;

use super::{context, normal, random_mixture, rows};
use crate::FitError;
use crate::mixture::{EmSettings, GaussianMixture, MixtureError, Workspace};
use uq_core::math::special::normal_quantile;

fn start(rows: &Array2<f64>, k: usize, floor: f64) -> Result<GaussianMixture, MixtureError> {
    GaussianMixture::start(rows.view(), k, floor, &mut context().stream("start", 0))
}

/// E and M step as Algorithm 1 prints them, and the mean log-likelihood before.
fn textbook(
    mixture: &GaussianMixture,
    rows: &Array2<f64>,
) -> (f64, Array1<f64>, Array2<f64>, Vec<Array2<f64>>) {
    let (n, m) = rows.dim();
    let k = mixture.weights.len();
    let mut r = Array2::from_shape_fn((n, k), |(i, c)| {
        let (x, mean) = (rows.row(i).to_owned(), mixture.means.row(c).to_owned());
        mixture.weights[c] * normal(&x, &mean, &mixture.covariances[c])
    });
    let log_likelihood = r.sum_axis(Axis(1)).mapv(f64::ln).sum() / n as f64;
    for mut row in r.rows_mut() {
        let sum = row.sum();
        row /= sum;
    }
    let totals = r.sum_axis(Axis(0));
    let mut means = Array2::zeros((k, m));
    let mut covariances = vec![Array2::zeros((m, m)); k];
    for c in 0..k {
        for i in 0..n {
            means.row_mut(c).scaled_add(r[(i, c)] / totals[c], &rows.row(i));
        }
        for i in 0..n {
            let d = &rows.row(i) - &means.row(c);
            let outer = Array2::from_shape_fn((m, m), |(a, b)| d[a] * d[b]);
            covariances[c].scaled_add(r[(i, c)] / totals[c], &outer);
        }
    }
    (log_likelihood, totals / n as f64, means, covariances)
}

#[test]
fn a_step_agrees_with_the_textbook_formulas() {
    for (n, m, k) in [(137, 4, 3), (700, 6, 5), (40, 1, 2), (16, 2, 1)] {
        let rows = rows(n, m, k);
        let mut mixture = start(&rows, k, 0.0).unwrap();
        let mut workspace = Workspace::default();
        for step in 0..3 {
            let (expected, weights, means, covariances) = textbook(&mixture, &rows);
            let found = mixture.em_step(rows.view(), 0.0, &mut workspace).unwrap();
            assert!((found - expected).abs() < 1e-12, "step {step}: {found} against {expected}");
            let close = |a: &f64, b: &f64| (a - b).abs() < 1e-12 * (1.0 + b.abs());
            assert!(
                mixture.weights.iter().zip(&weights).all(|(a, b)| close(a, b)),
                "weights of step {step}"
            );
            assert!(
                mixture.means.iter().zip(&means).all(|(a, b)| close(a, b)),
                "means of step {step}"
            );
            for (a, b) in mixture.covariances.iter().zip(&covariances) {
                assert!(
                    a.iter().zip(b).all(|(a, b)| close(a, b)),
                    "covariances of step {step}: {a} against {b}"
                );
            }
        }
    }
}

#[test]
fn the_log_likelihood_never_falls_with_or_without_a_floor() {
    for floor in [0.0, 1e-6, 0.4] {
        let rows = rows(431, 5, 4);
        let mut mixture = start(&rows, 6, floor).unwrap();
        let settings = EmSettings { max_steps: 150, tolerance: -1.0, floor };
        let trace = mixture.fit(rows.view(), &settings, &context()).unwrap();
        assert_eq!((trace.log_likelihoods.len(), trace.converged), (150, false));
        let falls = trace
            .log_likelihoods
            .windows(2)
            .filter(|pair| pair[1] < pair[0] - 1e-12 * pair[0].abs())
            .count();
        assert_eq!(falls, 0, "floor {floor}: {:?}", trace.log_likelihoods);
        assert!(trace.log_likelihoods[149] > trace.log_likelihoods[0]);
        // No variance lies below the floor.
        for covariance in &mixture.covariances {
            assert!((0..5).all(|j| covariance[(j, j)] >= floor * (1.0 - 1e-12)));
        }
    }
}

#[test]
fn one_component_is_the_sample_mean_and_covariance() {
    let rows = rows(90, 3, 2);
    let mut mixture = start(&rows, 1, 0.0).unwrap();
    let trace = mixture
        .fit(rows.view(), &EmSettings { max_steps: 10, tolerance: 1e-12, floor: 0.0 }, &context())
        .unwrap();
    assert!(trace.converged && trace.log_likelihoods.len() == 2, "the start is the fixed point");
    let mean = rows.mean_axis(Axis(0)).unwrap();
    let centred = &rows - &mean;
    let covariance = centred.t().dot(&centred) / 90.0;
    assert!((&mixture.means.row(0) - &mean).iter().all(|e| e.abs() < 1e-13));
    assert!((&mixture.covariances[0] - &covariance).iter().all(|e| e.abs() < 1e-12));
    // The maximum of the likelihood: −½ (m ln 2π + ln |Σ| + m).
    let (_, determinant) = super::inverse(&covariance);
    let maximum = -0.5 * (3.0 * (2.0 * std::f64::consts::PI).ln() + determinant.ln() + 3.0);
    assert!((trace.log_likelihoods[1] - maximum).abs() < 1e-12);
}

#[test]
fn the_mixture_that_drew_the_rows_is_found() {
    let mut rng = context().stream("draws", 0);
    let mut normal = || normal_quantile(rng.random::<f64>().max(1e-12));
    // 30 % about (−2, 0) with covariance [[1, 0.8], [0.8, 1]], the others about (3, 1) with [[0.25,
    // 0], [0, 4]].
    let rows = Array2::from_shape_vec(
        (20_000, 2),
        (0..20_000)
            .flat_map(|i| {
                let (a, b) = (normal(), normal());
                if i % 10 < 3 {
                    [a - 2.0, 0.8 * a + 0.6 * b]
                } else {
                    [3.0 + 0.5 * a, 1.0 + 2.0 * b]
                }
            })
            .collect(),
    )
    .unwrap();
    let mut mixture = start(&rows, 2, 1e-6).unwrap();
    let settings = EmSettings { max_steps: 500, tolerance: 1e-10, floor: 1e-6 };
    assert!(mixture.fit(rows.view(), &settings, &context()).unwrap().converged);
    let first = usize::from(mixture.means[(0, 0)] > 0.0);
    // Standard errors of means and covariances of 6000 and 14000 rows are at most 0.05.
    let near = |a: &Array2<f64>, b: &Array2<f64>| (a - b).iter().all(|e| e.abs() < 0.2);
    assert!((mixture.weights[first] - 0.3).abs() < 0.01);
    assert!(near(
        &mixture.means.select(Axis(0), &[first, 1 - first]),
        &array![[-2.0, 0.0], [3.0, 1.0]]
    ));
    assert!(near(&mixture.covariances[first], &array![[1.0, 0.8], [0.8, 1.0]]));
    assert!(near(&mixture.covariances[1 - first], &array![[0.25, 0.0], [0.0, 4.0]]));
}

#[test]
fn a_component_without_rows_keeps_its_place_and_loses_its_weight() {
    let rows = rows(50, 2, 1);
    let mut mixture = GaussianMixture::new(
        array![0.5, 0.5],
        array![[0.0, 0.0], [1e6, 0.0]],
        vec![4.0 * Array2::eye(2), Array2::eye(2)],
    )
    .unwrap();
    let mut workspace = Workspace::default();
    let before = mixture.em_step(rows.view(), 0.0, &mut workspace).unwrap();
    assert_eq!(mixture.weights, array![1.0, 0.0]);
    assert_eq!((mixture.means[(1, 0)], &mixture.covariances[1]), (1e6, &Array2::eye(2)));
    let after = mixture.em_step(rows.view(), 0.0, &mut workspace).unwrap();
    assert!(after > before && after.is_finite());
    let conditional = mixture.conditional(array![[0.3]].view());
    assert_eq!(conditional.weights, array![[1.0, 0.0]]);
}

#[test]
fn a_row_has_the_same_density_in_any_block() {
    let mixture = random_mixture(3, 4, 11);
    let rows = rows(600, 4, 3);
    let all = mixture.log_density(rows.view());
    for n in [1, 15, 16, 17, 255, 256, 257, 513] {
        let some = rows.select(Axis(0), &(600 - n..600).collect::<Vec<_>>());
        let found = mixture.log_density(some.view());
        assert!(found.iter().eq(all.iter().skip(600 - n)), "the last {n} rows");
        // Neither contiguous nor in standard order.
        let turned = some.t().as_standard_layout().into_owned();
        assert_eq!(mixture.log_density(turned.t()), found);
    }
    assert_eq!(mixture.log_density(Array2::zeros((0, 4)).view()).len(), 0);
    let x = rows.row(5).to_owned();
    let density: f64 = (0..3)
        .map(|c| {
            mixture.weights[c]
                * normal(&x, &mixture.means.row(c).to_owned(), &mixture.covariances[c])
        })
        .sum();
    assert!((all[5] - density.ln()).abs() < 1e-11);
}

#[test]
fn a_warm_start_continues_the_fit_and_a_failed_step_changes_nothing() {
    let rows = rows(300, 3, 3);
    let settings = |max_steps| EmSettings { max_steps, tolerance: 0.0, floor: 1e-6 };
    let (mut at_once, mut in_parts) =
        (start(&rows, 4, 1e-6).unwrap(), start(&rows, 4, 1e-6).unwrap());
    at_once.fit(rows.view(), &settings(7), &context()).unwrap();
    for steps in [3, 4] {
        in_parts.fit(rows.view(), &settings(steps), &context()).unwrap();
    }
    assert_eq!(at_once, in_parts);
    let mut holed = rows.clone();
    holed[(299, 1)] = f64::NAN;
    let error = in_parts.em_step(holed.view(), 1e-6, &mut Workspace::default()).unwrap_err();
    assert_eq!(error, MixtureError::NotFinite { row: 299 });
    assert_eq!(at_once, in_parts);
}

#[test]
fn bad_input_is_an_error_with_its_reason() {
    let message = |rows: &Array2<f64>, k, floor| start(rows, k, floor).unwrap_err().to_string();
    let line = array![[0.0, 1.0], [1.0, 1.0], [3.0, 1.0], [4.0, 1.0]];
    assert!(message(&line, 5, 1e-6).contains("5 components need as many distinct rows, found 4"));
    assert!(message(&line, 0, 1e-6).contains("the number of components is 0, expected at least 1"));
    assert!(
        message(&line, 2, -1.0)
            .contains("the covariance floor is -1, expected finite and at least 0")
    );
    assert!(message(&line, 2, f64::NAN).contains("covariance floor is NaN"));
    assert!(message(&line, 1, 0.0).contains("the covariance of component 0 is singular"));
    assert!(message(&Array2::zeros((3, 0)), 1, 0.0).contains("the number of columns is 0"));
    assert!(message(&Array2::zeros((0, 2)), 1, 0.0).contains("found 0"));
    assert!(message(&array![[0.0], [f64::INFINITY]], 1, 0.0).contains("row 1"));
    assert!(message(&array![[2.0], [2.0], [3.0]], 3, 1e-6).contains("found 2"));
    let mut mixture = start(&line, 2, 1e-6).unwrap();
    let error =
        mixture.em_step(Array2::zeros((4, 3)).view(), 1e-6, &mut Workspace::default()).unwrap_err();
    assert_eq!(error.to_string(), "mixture: the number of columns is 3, expected 2");
    assert!(matches!(FitError::from(error), FitError::Unsupported(_)));
    let singular =
        GaussianMixture::new(array![1.0], array![[0.0, 0.0]], vec![Array2::ones((2, 2))])
            .unwrap_err();
    assert!(matches!(FitError::from(singular), FitError::Singular(_)));
    let off = GaussianMixture::new(array![0.7, 0.7], array![[0.0], [1.0]], vec![Array2::eye(1); 2])
        .unwrap_err();
    assert!(off.to_string().contains("the sum of the weights is 1.4"), "{off}");
}

#[test]
fn degenerate_rows_above_the_floor_have_a_finite_fit() {
    let constant = array![[0.0, 1.0], [1.0, 1.0], [3.0, 1.0], [4.0, 1.0]];
    let two = array![[0.0, 0.0], [1.0, 2.0]];
    let repeated = Array2::from_shape_fn((40, 2), |(i, j)| ((i % 4) * (j + 1)) as f64);
    let huge = &rows(60, 2, 2) * 1e12;
    for (rows, k, floor) in
        [(constant, 3, 1e-6), (two, 2, 1e-6), (repeated, 4, 1e-6), (huge, 3, 1e-6)]
    {
        let mut mixture = start(&rows, k, floor).unwrap();
        let settings = EmSettings { max_steps: 50, tolerance: 0.0, floor };
        let trace = mixture.fit(rows.view(), &settings, &context()).unwrap();
        assert!(trace.log_likelihoods.iter().all(|l| l.is_finite()), "{trace:?}");
        assert!(mixture.log_density(rows.view()).iter().all(|l| l.is_finite()));
    }
}
