use proptest::prelude::*;

use super::*;

const SHAPES: [Shape; 5] =
    [Shape::Rbf, Shape::Matern12, Shape::Matern32, Shape::Matern52, Shape::RationalQuadratic];

/// Numbers between −1.5 and 1.5 without order.
fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count)
        .map(|i| (((i + 3 * seed) * 7919 + seed) % 1009) as f64 / 1009.0 * 3.0 - 1.5)
        .collect()
}

fn one(shape: Shape) -> Kernel {
    let stationary =
        Stationary { shape, variance: 1.7, length_scales: vec![0.8, 2.5, 0.4], alpha: 1.3 };
    Kernel::Stationary(stationary)
}

/// Each shape, and sums and products of them.
fn kernels() -> Vec<Kernel> {
    let mut all: Vec<Kernel> = SHAPES.map(one).into();
    let [rbf, rough, smooth] = [Shape::Rbf, Shape::Matern12, Shape::Matern52].map(one);
    let sum = Kernel::Sum(vec![rbf.clone(), one(Shape::RationalQuadratic)]);
    all.push(sum.clone());
    all.push(Kernel::Product(vec![rbf.clone(), smooth.clone()]));
    all.push(Kernel::Product(vec![sum, rough, Kernel::Sum(vec![smooth, rbf])]));
    all
}

fn matrix(kernel: &Kernel, a: Points, b: Points) -> Vec<f64> {
    let mut k = vec![0.0; a.rows() * b.rows()];
    kernel.matrix(a, b, &mut k, &mut Workspace::default());
    k
}

/// The textbook's value, by the standard library.
fn reference(kernel: &Kernel, x: &[f64], y: &[f64]) -> f64 {
    match kernel {
        Kernel::Sum(parts) => parts.iter().map(|part| reference(part, x, y)).sum(),
        Kernel::Product(parts) => parts.iter().map(|part| reference(part, x, y)).product(),
        Kernel::Stationary(Stationary { shape, variance, length_scales, alpha }) => {
            let s: f64 =
                x.iter().zip(y).zip(length_scales).map(|((x, y), l)| ((x - y) / l).powi(2)).sum();
            let r = s.sqrt();
            let (a3, a5) = (3.0_f64.sqrt() * r, 5.0_f64.sqrt() * r);
            variance
                * match shape {
                    Shape::Rbf => (-s / 2.0).exp(),
                    Shape::Matern12 => (-r).exp(),
                    Shape::Matern32 => (1.0 + a3) * (-a3).exp(),
                    Shape::Matern52 => (1.0 + a5 + 5.0 * s / 3.0) * (-a5).exp(),
                    Shape::RationalQuadratic => (1.0 + s / (2.0 * alpha)).powf(-alpha),
                }
        }
    }
}

#[test]
fn matrices_hold_the_textbook_s_values_and_the_variance_on_the_diagonal() {
    for (n, m) in [(1, 1), (3, 31), (40, 32), (5, 70)] {
        let (a, b) = (numbers(n * 3, 1), numbers(m * 3, 2));
        let (a, b) = (Points::new(&a, n, 3), Points::new(&b, m, 3));
        for kernel in kernels() {
            let k = matrix(&kernel, a, b);
            for i in 0..n {
                for j in 0..m {
                    let expected = reference(&kernel, a.row(i), b.row(j));
                    assert!(
                        (k[i * m + j] - expected).abs() < 1e-14 * kernel.variance(),
                        "{kernel:?}: {i} {j}"
                    );
                }
            }
            let mut upper = vec![f64::NAN; n * n];
            kernel.matrix_upper(a, &mut upper, &mut Workspace::default());
            let full = matrix(&kernel, a, a);
            for i in 0..n {
                assert_eq!(full[i * n + i], kernel.variance(), "{kernel:?}");
                assert_eq!(upper[i * n + i..(i + 1) * n], full[i * n + i..(i + 1) * n]);
            }
        }
    }
}

/// L = Σ c_ij K_ij² / 2 with ∂L/∂K = c K, by its parameters and by the second points.
fn loss(kernel: &Kernel, a: Points, b: Points, c: &[f64]) -> f64 {
    matrix(kernel, a, b).iter().zip(c).map(|(k, c)| 0.5 * c * k * k).sum()
}

#[test]
fn derivatives_by_parameters_and_points_are_those_of_finite_differences() {
    let (n, m, h) = (9, 35, 1e-5);
    let (a, c) = (numbers(n * 3, 1), numbers(n * m, 3));
    // No second point is close to a first one, where Matérn 1/2 has its kink.
    let b: Vec<f64> = numbers(m * 3, 2).iter().map(|x| 1.3 * x + 0.117).collect();
    let a = Points::new(&a, n, 3);
    for kernel in kernels() {
        let points = Points::new(&b, m, 3);
        let k = matrix(&kernel, a, points);
        let dk: Vec<f64> = k.iter().zip(&c).map(|(k, c)| c * k).collect();
        let (mut gradient, mut d_b) = (vec![0.5; kernel.parameters()], vec![0.25; m * 3]);
        let mut workspace = Workspace::default();
        kernel.pull_back(a, points, &k, &dk, &mut gradient, Some(&mut d_b), &mut workspace);
        let mut alone = vec![0.5; kernel.parameters()];
        kernel.pull_back(a, points, &k, &dk, &mut alone, None, &mut workspace);
        assert_eq!(gradient, alone);
        let start = kernel.log_parameters();
        for (p, found) in gradient.iter().enumerate() {
            let at = |step: f64| {
                let (mut moved, mut logs) = (kernel.clone(), start.clone());
                logs[p] += step;
                moved.set_log_parameters(&logs);
                loss(&moved, a, points, &c)
            };
            let expected = (at(h) - at(-h)) / (2.0 * h);
            assert!(
                (found - 0.5 - expected).abs()
                    < 1e-8 * (kernel.variance().powi(2) + expected.abs()),
                "{kernel:?} {p}: {found} {expected}"
            );
        }
        for (p, found) in d_b.iter().enumerate() {
            let at = |step: f64| {
                let mut moved = b.clone();
                moved[p] += step;
                loss(&kernel, a, Points::new(&moved, m, 3), &c)
            };
            let expected = (at(h) - at(-h)) / (2.0 * h);
            assert!(
                (found - 0.25 - expected).abs()
                    < 1e-8 * (kernel.variance().powi(2) + expected.abs()),
                "{kernel:?} {p}: {found} {expected}"
            );
        }
    }
}

#[test]
fn the_upper_triangle_gives_the_derivatives_of_the_whole_matrix() {
    let n = 70;
    let a = numbers(n * 3, 4);
    let a = Points::new(&a, n, 3);
    for kernel in kernels() {
        let k = matrix(&kernel, a, a);
        let dk: Vec<f64> =
            (0..n * n).map(|i| (((i / n) * (i % n) + i / n + i % n) % 17) as f64 - 8.0).collect();
        let (mut whole, mut upper) =
            (vec![0.0; kernel.parameters()], vec![0.0; kernel.parameters()]);
        kernel.pull_back(a, a, &k, &dk, &mut whole, None, &mut Workspace::default());
        let hidden = |matrix: &[f64]| -> Vec<f64> {
            (0..n * n).map(|i| if i % n < i / n { 1e9 } else { matrix[i] }).collect()
        };
        kernel.pull_back_upper(a, &hidden(&k), &hidden(&dk), &mut upper, &mut Workspace::default());
        for (whole, upper) in whole.iter().zip(&upper) {
            assert!(
                (whole - upper).abs() < 1e-10 * (1.0 + whole.abs()),
                "{kernel:?}: {whole} {upper}"
            );
        }
    }
}

#[test]
fn the_variance_s_derivatives_are_those_of_finite_differences() {
    let h = 1e-6;
    for kernel in kernels() {
        let (start, mut gradient) = (kernel.log_parameters(), vec![0.0; kernel.parameters()]);
        kernel.pull_back_variance(2.0, &mut gradient);
        for (p, found) in gradient.iter().enumerate() {
            let at = |step: f64| {
                let (mut moved, mut logs) = (kernel.clone(), start.clone());
                logs[p] += step;
                moved.set_log_parameters(&logs);
                2.0 * moved.variance()
            };
            assert!((found - (at(h) - at(-h)) / (2.0 * h)).abs() < 1e-7, "{kernel:?} {p}");
        }
    }
}

#[test]
fn a_rational_quadratic_of_large_alpha_is_the_rbf_kernel() {
    let a = numbers(30, 5);
    let a = Points::new(&a, 10, 3);
    let Kernel::Stationary(rational) = one(Shape::RationalQuadratic) else { unreachable!() };
    let rational = Kernel::Stationary(Stationary { alpha: 1e12, ..rational });
    let (found, expected) = (matrix(&rational, a, a), matrix(&one(Shape::Rbf), a, a));
    assert!(found.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-10));
}

#[test]
fn far_points_are_uncorrelated_and_twins_fully_correlated_without_nan() {
    for kernel in kernels() {
        let a = [0.0, 0.0, 0.0, 1e200, -1e200, 1e160, 0.0, 0.0, 0.0];
        let points = Points::new(&a, 3, 3);
        let k = matrix(&kernel, points, points);
        let far = k[1];
        assert!((0.0..1e-100).contains(&far), "{kernel:?}: {far}");
        assert_eq!((k[0], k[2]), (kernel.variance(), kernel.variance()));
        let (mut gradient, mut d_b) = (vec![0.0; kernel.parameters()], vec![0.0; 9]);
        kernel.pull_back(
            points,
            points,
            &k,
            &[1.0; 9],
            &mut gradient,
            Some(&mut d_b),
            &mut Workspace::default(),
        );
        assert!(
            gradient.iter().chain(&d_b).all(|slope| slope.is_finite()),
            "{kernel:?}: {gradient:?} {d_b:?}"
        );
    }
}

#[test]
fn without_features_the_kernel_is_constant() {
    let kernel = Composition::Shape(Shape::Matern32).kernel(0);
    let points = Points::new(&[], 40, 0);
    let k = matrix(&kernel, points, points);
    assert!(k.iter().all(|k| *k == 1.0));
    let mut gradient = [0.0];
    kernel.pull_back_upper(points, &k, &k, &mut gradient, &mut Workspace::default());
    assert_eq!(gradient, [1600.0]);
}

#[test]
fn compositions_are_written_as_in_a_benchmark_file() {
    let text = r#"{"sum":["rbf",{"product":["matern-12","rational-quadratic"]}]}"#;
    let composition: Composition = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&composition).unwrap(), text);
    let kernel = composition.kernel(2);
    assert_eq!((kernel.parameters(), kernel.variance()), (3 + 3 + 4, 2.0));
    assert_eq!(kernel.stationary_parts().len(), 3);
    assert!(composition.is_complete() && !Composition::Sum { sum: vec![] }.is_complete());
    assert!(serde_json::from_str::<Composition>("\"rbff\"").is_err());
}

proptest! {
    #[test]
    fn every_kernel_is_positive_definite(seed in 0_usize..1000) {
        let n = 25;
        let a = numbers(n * 3, seed);
        let a = Points::new(&a, n, 3);
        for kernel in kernels() {
            let mut k = vec![0.0; n * n];
            kernel.matrix_upper(a, &mut k, &mut Workspace::default());
            let mut factor = vec![0.0; n * n];
            let scratch = &mut super::super::jitter::Scratch::default();
            let found =
                super::super::jitter::factorise(&k, n, &mut factor, scratch, faer::Par::Seq);
            prop_assert!(found.is_ok_and(|found| found.jitter <= 1e-9 * kernel.variance()));
        }
    }
}

#[test]
fn a_kernel_is_written_as_a_list_and_one_without_its_parts_is_refused() {
    let one = |variance: f64| {
        Kernel::Stationary(Stationary { variance, ..Stationary::unit(Shape::Rbf, 2) })
    };
    let kernel = Kernel::Sum(vec![one(0.1), Kernel::Product(vec![one(0.2), one(0.3)]), one(0.4)]);
    let text = serde_json::to_string(&kernel).unwrap();
    assert_eq!(serde_json::from_str::<Kernel>(&text).unwrap(), kernel);
    assert!(
        kernel.check(2).is_ok()
            && kernel.check(3).is_err()
            && Kernel::Sum(Vec::new()).check(2).is_err()
    );
    let deep = format!("[{}{{\"Sum\":0}}]", "{\"Sum\":1},".repeat(200));
    for wrong in ["[]", "[{\"Sum\":2},{\"Sum\":0}]", "[{\"Sum\":0},{\"Sum\":0}]", &deep] {
        assert!(serde_json::from_str::<Kernel>(wrong).is_err(), "{wrong}");
    }
}
