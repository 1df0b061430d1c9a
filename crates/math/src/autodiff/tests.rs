//! Check every operation against central differences, and the tape's reuse of memory.

mod gaussian_process;

use rand::{RngExt, SeedableRng};

use super::{Activation, Tape, Var, dense_layer};
use crate::matrix_product::Factor;
use uq_core::math::random::Rng;

/// One operation: its operands' shapes, the range they are drawn from, and the operation.
struct Row {
    name: &'static str,
    shapes: &'static [(usize, usize)],
    range: (f64, f64),
    operation: fn(&mut Tape, &[Var]) -> Var,
}

const ANY: (f64, f64) = (-2.0, 2.0);
const POSITIVE: (f64, f64) = (0.3, 3.0);

/// A table row: name, shapes, range, operation.
macro_rules! rows {
    ($($name:literal, $shapes:expr, $range:expr, |$tape:ident, $v:ident| $operation:expr;)*) => {
        &[$(Row { name: $name, shapes: &$shapes, range: $range, operation: |$tape, $v| $operation }),*]
    };
}

const LAYER: [(usize, usize); 3] = [(5, 3), (3, 4), (1, 4)];
const ONE: [(usize, usize); 1] = [(3, 4)];
const TWO: [(usize, usize); 2] = [(3, 4), (3, 4)];
const THREE: [(usize, usize); 3] = [(21, 1), (21, 1), (21, 1)];
const FOUR: [(usize, usize); 4] = [(5, 1), (5, 1), (5, 1), (5, 1)];

const TABLE: &[Row] = rows! {
    "matmul", [(4, 3), (3, 5)], ANY, |t, v| t.matmul(v[0], v[1]);
    "matmul of a transpose", [(3, 4), (3, 5)], ANY, |t, v| t.matmul_of(v[0], true, v[1], false);
    "matmul by a transpose", [(4, 3), (5, 3)], ANY, |t, v| t.matmul_of(v[0], false, v[1], true);
    "matmul of transposes", [(3, 4), (5, 3)], ANY, |t, v| t.matmul_of(v[0], true, v[1], true);
    "matmul with itself", [(4, 3)], ANY, |t, v| t.matmul_of(v[0], true, v[0], false);
    "dense, identity", LAYER, ANY, |t, v| t.dense(v[0], v[1], v[2], Activation::Identity);
    "dense, ReLU", LAYER, ANY, |t, v| t.dense(v[0], v[1], v[2], Activation::Relu);
    "dense, tanh", LAYER, ANY, |t, v| t.dense(v[0], v[1], v[2], Activation::Tanh);
    "dense, softplus", LAYER, ANY, |t, v| t.dense(v[0], v[1], v[2], Activation::Softplus);
    "dense, sigmoid", LAYER, ANY, |t, v| t.dense(v[0], v[1], v[2], Activation::Sigmoid);
    "exp", ONE, ANY, |t, v| t.exp(v[0]);
    "ln", ONE, POSITIVE, |t, v| t.ln(v[0]);
    "ln_1p", ONE, POSITIVE, |t, v| t.ln_1p(v[0]);
    "sqrt", ONE, POSITIVE, |t, v| t.sqrt(v[0]);
    "square", ONE, ANY, |t, v| t.square(v[0]);
    "ln_gamma", ONE, POSITIVE, |t, v| t.ln_gamma(v[0]);
    "relu", ONE, ANY, |t, v| t.relu(v[0]);
    "tanh", ONE, ANY, |t, v| t.tanh(v[0]);
    "softplus", ONE, (-12.0, 5.0), |t, v| t.softplus(v[0]);
    "sigmoid", ONE, ANY, |t, v| t.sigmoid(v[0]);
    "affine", ONE, ANY, |t, v| t.affine(v[0], -1.5, 0.25);
    "add", TWO, ANY, |t, v| t.add(v[0], v[1]);
    "subtract", TWO, ANY, |t, v| t.subtract(v[0], v[1]);
    "multiply", TWO, ANY, |t, v| t.multiply(v[0], v[1]);
    "multiply by itself", ONE, ANY, |t, v| t.multiply(v[0], v[0]);
    "divide", TWO, POSITIVE, |t, v| t.divide(v[0], v[1]);
    "add a row", [(3, 4), (1, 4)], ANY, |t, v| t.add(v[0], v[1]);
    "subtract from a column", [(3, 1), (3, 4)], ANY, |t, v| t.subtract(v[0], v[1]);
    "multiply by a column", [(3, 4), (3, 1)], ANY, |t, v| t.multiply(v[0], v[1]);
    "divide by a number", [(3, 4), (1, 1)], POSITIVE, |t, v| t.divide(v[0], v[1]);
    "divide a row by a column", [(1, 4), (3, 1)], POSITIVE, |t, v| t.divide(v[0], v[1]);
    "sum", ONE, ANY, |t, v| t.sum(v[0]);
    "mean", ONE, ANY, |t, v| t.mean(v[0]);
    "log-sum-exp", ONE, ANY, |t, v| t.log_sum_exp(v[0]);
    "columns", ONE, ANY, |t, v| t.columns(v[0], 1, 2);
    "gather", ONE, ANY, |t, v| t.gather(v[0], &[2, 0, 2, 2]);
    "squared error", TWO, ANY, |t, v| t.squared_error(v[0], v[1]);
    "Gaussian NLL", THREE, POSITIVE, |t, v| t.gaussian_nll(v[0], v[1], v[2]);
    "Gaussian NLL, softplus", THREE, ANY, |t, v| t.gaussian_nll_softplus(v[0], v[1], 0.01, v[2]);
    "pinball", THREE, (0.01, 0.99), |t, v| t.pinball(v[0], v[1], v[2]);
    "RBF kernel", ONE, POSITIVE, |t, v| t.rbf(v[0]);
    "squared distances", [(4, 3), (11, 3), (1, 3)], POSITIVE, |t, v| t.squared_distances(v[0], v[1], v[2]);
    "squared distances of one set", [(5, 2), (1, 2)], POSITIVE, |t, v| t.squared_distances(v[0], v[0], v[1]);
    "Cholesky", [(5, 5)], ANY, |t, v| { let k = covariance(t, v[0]); t.cholesky(k).unwrap() };
    "solve L", [(5, 5), (5, 3)], ANY, |t, v| { let l = factor(t, v[0]); t.solve_lower(l, v[1]) };
    "ln determinant", [(5, 5)], ANY, |t, v| { let l = factor(t, v[0]); t.ln_determinant(l) };
    "diagonal", [(4, 4)], ANY, |t, v| t.diagonal(v[0]);
    "Student-t NLL", FOUR, POSITIVE, |t, v| t.student_t_nll(v[0], v[1], v[2], v[3]);
};

/// A Aᵀ + I / 2.
fn covariance(tape: &mut Tape, a: Var) -> Var {
    let product = tape.matmul_of(a, false, a, true);
    let noise = tape.constant(1, 1, &[0.5]);
    plus_diagonal(tape, product, noise)
}

/// `matrix` with this number (1 × 1) added to its diagonal.
fn plus_diagonal(tape: &mut Tape, matrix: Var, number: Var) -> Var {
    let (n, _) = tape.shape(matrix);
    let identity: Vec<f64> = (0..n * n).map(|i| f64::from(u8::from(i % (n + 1) == 0))).collect();
    let identity = tape.constant(n, n, &identity);
    let diagonal = tape.multiply(identity, number);
    tape.add(matrix, diagonal)
}

/// The Cholesky factor of A Aᵀ + I / 2.
fn factor(tape: &mut Tape, a: Var) -> Var {
    let covariance = covariance(tape, a);
    tape.cholesky(covariance).unwrap()
}

/// Σ w_ij out_ij for an operation at these operands, and its gradient.
fn weighted(row: &Row, tape: &mut Tape, theta: &[f64], gradient: &mut [f64]) -> f64 {
    tape.reset();
    let mut at = 0;
    let mut operands = Vec::new();
    for &(rows, columns) in row.shapes {
        operands.push(tape.parameter(theta, at, rows, columns));
        at += rows * columns;
    }
    let out = (row.operation)(tape, &operands);
    let (rows, columns) = tape.shape(out);
    let weights = tape.constant_from(rows, columns, |w| {
        for (i, w) in w.iter_mut().enumerate() {
            *w = 1.0 + ((i * 37) % 11) as f64 / 5.0;
        }
    });
    let product = tape.multiply(out, weights);
    let sum = tape.sum(product);
    tape.backward(sum, gradient);
    tape.scalar(sum)
}

#[test]
fn every_gradient_agrees_with_central_differences() {
    let mut rng = Rng::seed_from_u64(5);
    let mut tape = Tape::new();
    for row in TABLE {
        let count = row.shapes.iter().map(|(r, c)| r * c).sum();
        let theta: Vec<f64> =
            (0..count).map(|_| rng.random_range(row.range.0..row.range.1)).collect();
        let (mut gradient, mut unused) = (vec![f64::NAN; count], vec![0.0; count]);
        weighted(row, &mut tape, &theta, &mut gradient);
        for i in 0..count {
            let step = 1e-5 * theta[i].abs().max(1.0);
            let mut moved = theta.clone();
            moved[i] = theta[i] + step;
            let above = weighted(row, &mut tape, &moved, &mut unused);
            moved[i] = theta[i] - step;
            let below = weighted(row, &mut tape, &moved, &mut unused);
            let difference = (above - below) / (2.0 * step);
            let error = (gradient[i] - difference).abs() / difference.abs().max(0.01);
            assert!(
                error < 1e-6,
                "{}, operand {i}: {} against {difference}",
                row.name,
                gradient[i]
            );
        }
    }
}

#[test]
fn losses_have_their_textbook_values() {
    let mut tape = Tape::new();
    let mut value = |loss: &dyn Fn(&mut Tape, &[Var]) -> Var, inputs: &[f64]| {
        let vars: Vec<Var> = inputs.iter().map(|x| tape.constant(1, 1, &[*x])).collect();
        let loss = loss(&mut tape, &vars);
        tape.scalar(loss)
    };
    // −ln N(2 | 1, 4) and, with softplus r = 4 − 0.01 for r = ln(e^3.99 − 1), the same.
    let expected = 0.5 * (2.0 * std::f64::consts::PI * 4.0).ln() + 0.125;
    assert!(
        (value(&|t, v| t.gaussian_nll(v[0], v[1], v[2]), &[1.0, 4.0, 2.0]) - expected).abs()
            < 1e-14
    );
    let raw = 3.99_f64.exp_m1().ln();
    let found = value(&|t, v| t.gaussian_nll_softplus(v[0], v[1], 0.01, v[2]), &[1.0, raw, 2.0]);
    assert!((found - expected).abs() < 1e-14);
    assert!((value(&|t, v| t.pinball(v[0], v[1], v[2]), &[1.0, 0.9, 3.0]) - 1.8).abs() < 1e-15);
    assert!((value(&|t, v| t.pinball(v[0], v[1], v[2]), &[3.0, 0.9, 1.0]) - 0.2).abs() < 1e-15);
    // Cauchy with scale 2 at 3 from its centre 1: 1 / (2 π (1 + 1)).
    let found = value(&|t, v| t.student_t_nll(v[0], v[1], v[2], v[3]), &[1.0, 4.0, 1.0, 3.0]);
    assert!((found - (4.0 * std::f64::consts::PI).ln()).abs() < 1e-13);
}

#[test]
fn extreme_numbers_stay_finite() {
    let mut tape = Tape::new();
    let theta = [1000.0, -1000.0, 0.0, -1000.0, -1000.0, -1000.0];
    let mut gradient = [0.0; 6];
    let x = tape.parameter(&theta, 0, 2, 3);
    let sums = tape.log_sum_exp(x);
    assert_eq!(tape.value(sums), [1000.0, -1000.0 + 3.0_f64.ln()]);
    let bent = tape.softplus(x);
    assert_eq!(tape.value(bent)[..2], [1000.0, 0.0]);
    let logistic = tape.sigmoid(x);
    let (a, b, c) = (tape.sum(sums), tape.sum(bent), tape.sum(logistic));
    let total = tape.add(a, b);
    let total = tape.add(total, c);
    let nll = tape.gaussian_nll_softplus(x, x, 1e-6, bent);
    let nll = tape.sum(nll);
    let total = tape.add(total, nll);
    tape.backward(total, &mut gradient);
    assert!(
        tape.scalar(total).is_finite() && gradient.iter().all(|g| g.is_finite()),
        "{gradient:?}"
    );
}

#[test]
fn a_parameter_used_twice_gets_the_sum_and_an_unused_one_zero() {
    let mut tape = Tape::new();
    let theta = [3.0, 5.0];
    let (a, b) = (tape.parameter(&theta, 0, 1, 1), tape.parameter(&theta, 0, 1, 1));
    let unused = tape.parameter(&theta, 1, 1, 1);
    let variable = tape.variable(1, 1, &[7.0]);
    let product = tape.multiply(a, b);
    let product = tape.multiply(product, variable);
    let mut gradient = [f64::NAN; 2];
    tape.backward(product, &mut gradient);
    assert_eq!(gradient, [42.0, 0.0]);
    assert_eq!(tape.gradient(variable), Some(&[9.0][..]));
    assert_eq!(tape.gradient(unused), None);
}

#[test]
fn a_result_without_parameters_has_no_gradient() {
    let mut tape = Tape::new();
    let x = tape.constant(1, 1, &[2.0]);
    let square = tape.square(x);
    let mut gradient = [1.0];
    tape.backward(square, &mut gradient);
    assert_eq!((gradient, tape.gradient(x)), ([0.0], None));
}

#[test]
fn prediction_without_a_tape_equals_the_layer_on_the_tape() {
    let mut rng = Rng::seed_from_u64(2);
    let numbers: Vec<f64> = (0..40).map(|_| rng.random_range(-1.0..1.0)).collect();
    let mut tape = Tape::new();
    let (x, w, b) =
        (tape.constant(5, 3, &numbers[..15]), tape.constant(3, 4, &numbers[15..27]), 27);
    let b = tape.constant(1, 4, &numbers[b..b + 4]);
    let y = tape.dense(x, w, b, Activation::Tanh);
    let mut out = [0.0; 20];
    dense_layer(
        &mut out,
        Factor::new(&numbers[..15], 5, 3),
        &numbers[15..27],
        &numbers[27..31],
        Activation::Tanh,
    );
    assert_eq!(tape.value(y), out);
}

#[test]
fn a_repeated_step_allocates_no_memory() {
    let mut tape = Tape::new();
    let mut gradient = Vec::new();
    let mut warm = 0;
    let mut places = None;
    for round in 0..3 {
        for row in TABLE {
            let count = row.shapes.iter().map(|(r, c)| r * c).sum();
            let theta = vec![0.7; count];
            gradient.resize(count, 0.0);
            weighted(row, &mut tape, &theta, &mut gradient);
        }
        tape.reset();
        let first = tape.constant(1, 1, &[0.0]);
        let place = tape.value(first).as_ptr();
        if round == 0 {
            warm = tape.capacity();
            places = Some(place);
        }
        assert_eq!((tape.capacity(), Some(place)), (warm, places), "round {round}");
    }
}
