use super::super::{Kernel, Shape, Stationary, Workspace};
use super::*;
use crate::gp::jitter::{Scratch, factorise};

fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count)
        .map(|i| (((i + 3 * seed) * 7919 + seed) % 1009) as f64 / 1009.0 * 3.0 - 1.5)
        .collect()
}

/// Length scales between 0.2 and 4.5.
fn scales(count: usize, seed: usize) -> Vec<f64> {
    numbers(count, seed).iter().map(|x| x.exp()).collect()
}

#[test]
fn with_constant_length_scales_it_is_the_rbf_kernel() {
    let (n, m) = (6, 9);
    let (a, b) = (numbers(n * 2, 1), numbers(m * 2, 2));
    let (a, b) = (Points::new(&a, n, 2), Points::new(&b, m, 2));
    let scales = [0.7, 1.9].repeat(m);
    let mut found = vec![0.0; n * m];
    matrix(Scaled::new(a, &scales[..n * 2]), Scaled::new(b, &scales), &mut found);
    let length_scales = vec![0.7, 1.9];
    let rbf = Kernel::Stationary(Stationary {
        shape: Shape::Rbf,
        variance: 1.0,
        length_scales,
        alpha: 1.0,
    });
    let mut expected = vec![0.0; n * m];
    rbf.matrix(a, b, &mut expected, &mut Workspace::default());
    assert!(found.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-15));
}

#[test]
fn two_points_agree_with_the_formula_by_hand() {
    // ℓ = (1, 2), ℓ' = (3, 1), x − x' = (1, −2): √(6/10 · 4/5) exp(−1/10 − 4/5).
    let (a, b) = ([1.0, 0.0], [0.0, 2.0]);
    let mut k = [0.0];
    let a = Scaled::new(Points::new(&a, 1, 2), &[1.0, 2.0]);
    matrix(a, Scaled::new(Points::new(&b, 1, 2), &[3.0, 1.0]), &mut k);
    assert!((k[0] - 0.48_f64.sqrt() * (-0.9_f64).exp()).abs() < 1e-16);
}

#[test]
fn derivatives_by_points_and_length_scales_are_those_of_finite_differences() {
    let (n, m, h) = (4, 5, 1e-5);
    let (a, b, c) = (numbers(n * 2, 1), numbers(m * 2, 2), numbers(n * m, 3));
    let (l, r) = (scales(n * 2, 4), scales(m * 2, 5));
    // All variables side by side: L = Σ c k.
    let all = [a, l, b, r].concat();
    let value = |all: &[f64]| -> (f64, Vec<f64>) {
        let (a, rest) = all.split_at(n * 2);
        let (l, rest) = rest.split_at(n * 2);
        let (b, r) = rest.split_at(m * 2);
        let mut k = vec![0.0; n * m];
        matrix(Scaled::new(Points::new(a, n, 2), l), Scaled::new(Points::new(b, m, 2), r), &mut k);
        (k.iter().zip(&c).map(|(k, c)| k * c).sum(), k)
    };
    let (k, mut found) = (value(&all).1, vec![0.0; all.len()]);
    let (d_a, rest) = found.split_at_mut(n * 2);
    let (d_l, rest) = rest.split_at_mut(n * 2);
    let (d_b, d_r) = rest.split_at_mut(m * 2);
    let left = Scaled::new(Points::new(&all[..n * 2], n, 2), &all[n * 2..n * 4]);
    let right = Scaled::new(Points::new(&all[n * 4..n * 4 + m * 2], m, 2), &all[n * 4 + m * 2..]);
    let mut left_derivatives = Derivatives { points: Some(d_a), ln_length_scales: Some(d_l) };
    let mut right_derivatives = Derivatives { points: Some(d_b), ln_length_scales: Some(d_r) };
    pull_back(left, right, &k, &c, &mut left_derivatives, &mut right_derivatives);
    let is_scale = |p: usize| (n * 2..n * 4).contains(&p) || p >= n * 4 + m * 2;
    for (p, found) in found.iter().enumerate() {
        let at = |step: f64| {
            let mut moved = all.clone();
            if is_scale(p) {
                moved[p] *= step.exp();
            } else {
                moved[p] += step;
            }
            value(&moved).0
        };
        let expected = (at(h) - at(-h)) / (2.0 * h);
        assert!((found - expected).abs() < 1e-9, "{p}: {found} {expected}");
    }
}

/// Whether the correlations of these points have a Cholesky factor, up to a jitter of 1e-4.
fn is_positive_definite(correlation: impl Fn(usize, usize) -> f64, n: usize) -> bool {
    let k: Vec<f64> = (0..n * n).map(|i| correlation(i / n, i % n)).collect();
    factorise(&k, n, &mut vec![0.0; n * n], &mut Scratch::default(), faer::Par::Seq).is_ok()
}

/// Four corners of the unit square with ℓ = ½ and its centre with ℓ = 2, in 2-D.
const POINTS: [f64; 10] = [0.5, 0.5, 0.5, -0.5, -0.5, 0.5, -0.5, -0.5, 0.0, 0.0];
const SCALES: [f64; 5] = [0.5, 0.5, 0.5, 0.5, 2.0];

#[test]
fn the_printed_kernel_has_a_negative_eigenvalue_in_two_dimensions_and_this_one_has_none() {
    // Eq. (3) of the NSGP paper: one factor √(2ℓℓ'/q) for both features.
    let printed = |i: usize, j: usize| {
        let q = SCALES[i].powi(2) + SCALES[j].powi(2);
        let square: f64 = (0..2).map(|f| (POINTS[2 * i + f] - POINTS[2 * j + f]).powi(2)).sum();
        (2.0 * SCALES[i] * SCALES[j] / q).sqrt() * (-square / q).exp()
    };
    // By symmetry the vector (u, u, u, u, v) is an eigenvector: its eigenvalues are those of [[t,
    // c], [4c, 1]] with t = 1 + 2e⁻² + e⁻⁴ and c the correlation of a corner with the centre.
    let t = 1.0 + 2.0 * f64::exp(-2.0) + f64::exp(-4.0);
    let c = printed(0, 4);
    let smallest = 0.5 * ((t + 1.0) - ((t - 1.0).powi(2) + 16.0 * c * c).sqrt());
    // numpy's eigvalsh of the same 5 x 5 matrix.
    assert!((smallest + 0.083_747_101_352_904_24).abs() < 1e-12, "{smallest}");
    let (u, v) = (c, smallest - t);
    for i in 0..5 {
        let weight = |j: usize| if j == 4 { v } else { u };
        let product: f64 = (0..5).map(|j| printed(i, j) * weight(j)).sum();
        assert!((product - smallest * weight(i)).abs() < 1e-12, "not an eigenvector at {i}");
    }
    assert!(!is_positive_definite(printed, 5));
    let scales: Vec<f64> = SCALES.iter().flat_map(|l| [*l; 2]).collect();
    let mut k = [0.0; 25];
    let points = Scaled::new(Points::new(&POINTS, 5, 2), &scales);
    matrix(points, points, &mut k);
    assert!(is_positive_definite(|i, j| k[i * 5 + j], 5));
}

#[test]
fn length_scales_of_any_size_give_finite_numbers() {
    let points = Points::new(&[0.0, 1.0, 0.0], 3, 1);
    let scaled = Scaled::new(points, &[1e-200, 1e200, 1e200]);
    let mut k = [0.0; 9];
    matrix(scaled, scaled, &mut k);
    assert!(k.iter().all(|k| (0.0..=1.0).contains(k)) && k[0] == 1.0 && k[5] == 1.0, "{k:?}");
}
