//! A marginal likelihood on the tape, against closed forms.

use super::*;

/// ln N(y | 0, v k(X, X) + s² I) up to a constant, for parameters (ln ℓ₁, ln ℓ₂, ln v, ln s²).
fn evidence(tape: &mut Tape, theta: &[f64], x: &[f64], y: &[f64]) -> Var {
    let n = y.len();
    let (rows, target) = (tape.constant(n, 2, x), tape.constant(n, 1, y));
    let (scales, variance, noise) = (
        tape.parameter(theta, 0, 1, 2),
        tape.parameter(theta, 2, 1, 1),
        tape.parameter(theta, 3, 1, 1),
    );
    let (scales, variance, noise) = (tape.exp(scales), tape.exp(variance), tape.exp(noise));
    let distances = tape.squared_distances(rows, rows, scales);
    let kernel = tape.rbf(distances);
    let kernel = tape.multiply(kernel, variance);
    let kernel = plus_diagonal(tape, kernel, noise);
    let factor = tape.cholesky(kernel).unwrap();
    let white = tape.solve_lower(factor, target);
    let (square, determinant) = (tape.square(white), tape.ln_determinant(factor));
    let square = tape.sum(square);
    let total = tape.add(square, determinant);
    tape.scale(total, -0.5)
}

fn problem(n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut rng = Rng::seed_from_u64(8);
    let x: Vec<f64> = (0..2 * n).map(|_| rng.random_range(-2.0..2.0)).collect();
    let y = x.chunks(2).map(|x| x[0].sin() + 0.3 * x[1] + rng.random_range(-0.2..0.2)).collect();
    (x, y)
}

#[test]
fn the_marginal_likelihood_of_two_rows_is_the_formula() {
    let (x, y) = ([0.0, 0.0, 1.0, 2.0], [0.5, -1.0]);
    let mut tape = Tape::new();
    let theta = [0.0, 2.0_f64.ln(), 3.0_f64.ln(), 0.25_f64.ln()];
    let found = evidence(&mut tape, &theta, &x, &y);
    // r² = 1 + 1; K = [[a, b], [b, a]].
    let (a, b) = (3.25_f64, 3.0 * (-1.0_f64).exp());
    let determinant = a * a - b * b;
    let square = (a * (y[0] * y[0] + y[1] * y[1]) - 2.0 * b * y[0] * y[1]) / determinant;
    assert!((tape.scalar(found) + 0.5 * (square + determinant.ln())).abs() < 1e-14);
}

#[test]
fn its_gradient_agrees_with_differences_over_many_tiles_and_allocates_no_memory() {
    let (x, y) = problem(70);
    let mut tape = Tape::new();
    let theta = [0.3, -0.2, 0.1, -2.0];
    let (mut gradient, mut unused) = ([0.0; 4], [0.0; 4]);
    let mut value = |theta: &[f64], gradient: &mut [f64]| {
        tape.reset();
        let result = evidence(&mut tape, theta, &x, &y);
        tape.backward(result, gradient);
        (tape.scalar(result), tape.capacity())
    };
    let (_, warm) = value(&theta, &mut gradient);
    for (i, found) in gradient.into_iter().enumerate() {
        let at = |step: f64| {
            std::array::from_fn::<f64, 4, _>(|j| theta[j] + if i == j { step } else { 0.0 })
        };
        let (above, below) = (value(&at(1e-5), &mut unused), value(&at(-1e-5), &mut unused));
        let difference = (above.0 - below.0) / 2e-5;
        assert!((found / difference - 1.0).abs() < 1e-7, "{i}: {found} against {difference}");
        assert_eq!((above.1, below.1), (warm, warm));
    }
}

#[test]
fn a_matrix_that_is_not_positive_definite_is_refused_and_leaves_the_tape_as_it_was() {
    let mut tape = Tape::new();
    let matrix = tape.constant(3, 3, &[1.0, 0.5, 0.0, 0.5, -1.0, 0.0, 0.0, 0.0, 1.0]);
    let error = tape.cholesky(matrix).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the 3 x 3 matrix is not positive definite: pivot 1 (from 0) is not above zero"
    );
    let hole = tape.constant(2, 2, &[f64::NAN, 0.0, 0.0, 1.0]);
    assert!(tape.cholesky(hole).is_err());
    let sound = tape.constant(1, 1, &[4.0]);
    let factor = tape.cholesky(sound).unwrap();
    assert_eq!((tape.scalar(factor), tape.value(matrix)[4]), (2.0, -1.0));
}

#[test]
fn the_factor_is_lower_triangular_and_multiplies_to_the_matrix() {
    let n = 45;
    let (x, _) = problem(n);
    let mut tape = Tape::new();
    let (rows, scales) = (tape.constant(n, 2, &x), tape.constant(1, 2, &[0.7, 1.3]));
    let distances = tape.squared_distances(rows, rows, scales);
    let (kernel, noise) = (tape.rbf(distances), tape.constant(1, 1, &[0.1]));
    let kernel = plus_diagonal(&mut tape, kernel, noise);
    let factor = tape.cholesky(kernel).unwrap();
    let product = tape.matmul_of(factor, false, factor, true);
    for (i, (a, b)) in tape.value(product).iter().zip(tape.value(kernel)).enumerate() {
        assert!((a - b).abs() < 1e-13, "element {i}");
    }
    assert!(
        (0..n).all(|i| tape.value(factor)[i * n + i + 1..(i + 1) * n].iter().all(|l| *l == 0.0))
    );
    let undone = tape.solve_lower(factor, product);
    for i in 0..n {
        for j in 0..n {
            let (found, expected) = (tape.value(undone)[i * n + j], tape.value(factor)[j * n + i]);
            assert!(
                (found - expected).abs() < 1e-11,
                "L⁻¹ L Lᵀ = Lᵀ at {i}, {j}: {found} against {expected}"
            );
        }
    }
}
