//! The bound against other ways to compute it.

use super::*;
use crate::gp::deep::climb::climb;
use ndarray::Array1;
use uq_math::autodiff::Tape;

/// The bound of one layer on the tape, rows by rows as in Hensman et al.'s Eq. (4), with the
/// parameters in the network's order and the factor S written out as M × M at the end; and its
/// gradient.
fn on_tape(problem: &Problem, network: &Network, theta: &[f64]) -> (f64, Vec<f64>) {
    let layer = &network.layers[0];
    let (m, d, n) = (layer.points, layer.inputs, problem.y.len());
    let mut all = theta[..layer.means().end].to_vec();
    all.push(theta[network.noise()]);
    let at = all.len();
    all.extend(factor(layer, theta, 0).iter());
    let mut tape = Tape::new();
    let x = tape.constant(n, d, problem.x.as_slice().unwrap());
    let y = tape.constant(n, 1, &problem.y);
    let ln_scales = tape.parameter(&all, layer.ln_scales().start, 1, d);
    let scales = tape.exp(ln_scales);
    let ln_variance = tape.parameter(&all, layer.ln_variance(), 1, 1);
    let variance = tape.exp(ln_variance);
    let z = tape.parameter(&all, layer.inducing().start, m, d);
    let means = tape.parameter(&all, layer.means().start, m, 1);
    let raw = tape.parameter(&all, at - 1, 1, 1);
    let raw = tape.exp(raw);
    let noise = tape.affine(raw, 1.0, network.noise_floor);
    let s = tape.parameter(&all, at, m, m);

    let own = tape.squared_distances(z, z, scales);
    let own = tape.rbf(own);
    let own = tape.multiply(own, variance);
    let jitter = tape.scale(variance, layer.jitter);
    let identity: Vec<f64> = (0..m * m).map(|i| f64::from(u8::from(i % (m + 1) == 0))).collect();
    let identity = tape.constant(m, m, &identity);
    let jitter = tape.multiply(identity, jitter);
    let own = tape.add(own, jitter);
    let l = tape.cholesky(own).unwrap();
    let cross = tape.squared_distances(z, x, scales);
    let cross = tape.rbf(cross);
    let cross = tape.multiply(cross, variance);
    let a = tape.solve_lower(l, cross);
    let mean = tape.matmul_of(a, true, means, false);
    let spread = tape.matmul_of(s, true, a, false);
    let (spread, explained) = (tape.square(spread), tape.square(a));
    let (spread, explained) = (tape.sum(spread), tape.sum(explained));
    let error = tape.subtract(y, mean);
    let error = tape.square(error);
    let error = tape.sum(error);
    let whole = tape.scale(variance, n as f64);
    let rest = tape.subtract(whole, explained);
    let squares = tape.add(error, rest);
    let squares = tape.add(squares, spread);
    let squares = tape.divide(squares, noise);
    let ln_noise = tape.ln(noise);
    let ln_noise = tape.affine(ln_noise, n as f64, n as f64 * (2.0 * std::f64::consts::PI).ln());
    let misfit = tape.add(squares, ln_noise);
    let misfit = tape.scale(misfit, 0.5);
    let (trace, square) = (tape.square(s), tape.square(means));
    let (trace, square) = (tape.sum(trace), tape.sum(square));
    let diagonal = tape.diagonal(s);
    let diagonal = tape.square(diagonal);
    let logs = tape.ln(diagonal);
    let logs = tape.sum(logs);
    let kl = tape.add(trace, square);
    let kl = tape.subtract(kl, logs);
    let kl = tape.affine(kl, 0.5, -0.5 * m as f64);
    let loss = tape.add(misfit, kl);
    let mut found = vec![0.0; all.len()];
    tape.backward(loss, &mut found);
    let mut gradient = vec![0.0; theta.len()];
    gradient[..layer.means().end].copy_from_slice(&found[..at - 1]);
    gradient[network.noise()] = found[at - 1];
    for i in 0..m {
        for j in 0..=i {
            gradient[place(layer, 0, i, j)] = found[at + i * m + j];
        }
    }
    (tape.scalar(loss), gradient)
}

#[test]
fn one_layer_has_the_bound_and_the_gradient_of_a_stochastic_sparse_gp_written_on_the_tape() {
    // More inducing points than a block has columns: 120 in two blocks.
    for (n, d, m) in [(40, 3, 12), (150, 2, 120)] {
        let problem = Problem::new(n, d, m);
        let (mut network, theta) = problem.network(1, 1);
        network.layers[0].jitter = 1e-3;
        let (expected, slopes) = on_tape(&problem, &network, &theta);
        let (loss, gradient) = problem.loss(&network, &theta, &(0..n).collect::<Vec<_>>(), 1.0, 0);
        assert!((loss / expected - 1.0).abs() < 1e-10, "{loss} against {expected}");
        let largest = slopes.iter().fold(0.0_f64, |most, slope| most.max(slope.abs()));
        for (place, (found, slope)) in gradient.iter().zip(&slopes).enumerate() {
            assert!(
                (found - slope).abs() < 1e-10 * largest,
                "{m} points, {place}: {found} against {slope}"
            );
        }
    }
}

/// The lower factor and the log-determinant of a symmetric positive definite matrix.
fn cholesky(matrix: &Array2<f64>) -> (Array2<f64>, f64) {
    let n = matrix.nrows();
    let mut l = Array2::<f64>::zeros((n, n));
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| l[(i, k)] * l[(j, k)]).sum();
            let rest = matrix[(i, j)] - sum;
            l[(i, j)] = if i == j { rest.sqrt() } else { rest / l[(j, j)] };
        }
    }
    let ln = 2.0 * l.diag().iter().map(|x| x.ln()).sum::<f64>();
    (l, ln)
}

/// L⁻¹ B.
fn solve(l: &Array2<f64>, right: &Array2<f64>) -> Array2<f64> {
    let mut x = right.clone();
    for i in 0..l.nrows() {
        for c in 0..x.ncols() {
            let sum: f64 = (0..i).map(|k| l[(i, k)] * x[(k, c)]).sum();
            x[(i, c)] = (x[(i, c)] - sum) / l[(i, i)];
        }
    }
    x
}

#[test]
fn at_the_best_q_the_bound_is_the_collapsed_one() {
    let problem = Problem::new(60, 2, 15);
    let (network, mut theta) = problem.network(1, 1);
    let layer = &network.layers[0];
    let (n, m) = (60, 15);
    let (variance, noise) = (theta[layer.ln_variance()].exp(), network.noise_variance(&theta));
    let scales: Vec<f64> = theta[layer.ln_scales()].iter().map(|l| l.exp()).collect();
    let z = Array2::from_shape_vec((m, 2), theta[layer.inducing()].to_vec()).unwrap();
    let kernel = |a: &Array2<f64>, b: &Array2<f64>| {
        Array2::from_shape_fn((a.nrows(), b.nrows()), |(i, j)| {
            let square: f64 = (0..2).map(|k| ((a[(i, k)] - b[(j, k)]) / scales[k]).powi(2)).sum();
            variance * (-0.5 * square).exp()
        })
    };
    let own = kernel(&z, &z) + Array2::<f64>::eye(m) * (variance * layer.jitter);
    let a = solve(&cholesky(&own).0, &kernel(&z, &problem.x));
    let y = Array1::from(problem.y.clone());
    // Titsias: ln N(y | 0, Q + σ² I) − tr(K − Q) / 2σ², with Q = Aᵀ A.
    let q = a.t().dot(&a);
    let (l, ln) = cholesky(&(&q + &(Array2::<f64>::eye(n) * noise)));
    let white = solve(&l, &y.clone().insert_axis(ndarray::Axis(1)));
    let evidence = -0.5
        * (ln
            + white.iter().map(|w| w * w).sum::<f64>()
            + n as f64 * (2.0 * std::f64::consts::PI).ln());
    let collapsed = evidence - 0.5 * (n as f64 * variance - q.diag().sum()) / noise;
    // Best q of whitened variables: precision Λ = I + A Aᵀ / σ², mean Λ⁻¹ A y / σ², S Sᵀ = Λ⁻¹.
    let (l, _) = cholesky(&(Array2::<f64>::eye(m) + a.dot(&a.t()) / noise));
    let inverse = solve(&l, &Array2::eye(m));
    let covariance = inverse.t().dot(&inverse);
    let mean = covariance.dot(&a.dot(&y)) / noise;
    let (s, _) = cholesky(&covariance);
    theta[layer.means()].copy_from_slice(mean.as_slice().unwrap());
    for i in 0..m {
        for j in 0..=i {
            theta[place(layer, 0, i, j)] = s[(i, j)];
        }
    }
    let (loss, gradient) = problem.loss(&network, &theta, &(0..n).collect::<Vec<_>>(), 1.0, 0);
    assert!((-loss / collapsed - 1.0).abs() < 1e-9, "{} against {collapsed}", -loss);
    // It is a maximum over q.
    let worst = gradient[layer.means().start..layer.end()]
        .iter()
        .fold(0.0_f64, |most, g| most.max(g.abs()));
    assert!(worst < 1e-6, "{worst:e}");
}

#[test]
fn the_mean_over_the_batches_is_the_bound_of_all_rows() {
    let problem = Problem::new(50, 3, 10);
    let (network, theta) = problem.network(1, 1);
    let (whole, slopes) = problem.loss(&network, &theta, &(0..50).collect::<Vec<_>>(), 1.0, 0);
    // Batches of unequal sizes.
    let batches: [Vec<usize>; 3] = [(0..17).collect(), (17..33).collect(), (33..50).collect()];
    let (mut mean, mut gradient) = (0.0, vec![0.0; theta.len()]);
    for rows in &batches {
        let (loss, slopes) = problem.loss(&network, &theta, rows, 3.0, 0);
        mean += loss / 3.0;
        gradient.iter_mut().zip(slopes).for_each(|(to, slope)| *to += slope / 3.0);
    }
    assert!((mean / whole - 1.0).abs() < 1e-12, "{mean} against {whole}");
    for (found, slope) in gradient.iter().zip(&slopes) {
        assert!((found - slope).abs() < 1e-9 * (1.0 + slope.abs()), "{found} against {slope}");
    }
}

#[test]
fn the_size_of_the_chunks_changes_neither_bound_nor_gradient() {
    // One layer draws nothing, so that chunks of every size see the same numbers.
    let problem = Problem::new(50, 3, 10);
    let (network, theta) = problem.network(1, 1);
    let rows: Vec<usize> = (0..50).collect();
    let (whole, slopes) = problem.loss_by_chunks(&network, &theta, (&rows, 1.5), 50, 0);
    for room in [1, 7, 16, 49] {
        let (loss, gradient) = problem.loss_by_chunks(&network, &theta, (&rows, 1.5), room, 0);
        assert!((loss / whole - 1.0).abs() < 1e-12, "{room}: {loss} against {whole}");
        for (found, slope) in gradient.iter().zip(&slopes) {
            assert!(
                (found - slope).abs() < 1e-9 * (1.0 + slope.abs()),
                "{room}: {found} against {slope}"
            );
        }
    }
}

#[test]
fn the_divergence_is_the_formula_for_dense_normals() {
    let problem = Problem::new(10, 3, 24);
    let (network, theta) = problem.network(2, 3);
    for layer in &network.layers {
        let (m, mut expected) = (layer.points, 0.0);
        for output in 0..layer.outputs {
            let s = factor(layer, &theta, output);
            let covariance = s.dot(&s.t());
            let means = (0..m).map(|i| theta[layer.means().start + i * layer.outputs + output]);
            let square: f64 = means.map(|mean| mean * mean).sum();
            expected +=
                0.5 * (covariance.diag().sum() + square - m as f64 - cholesky(&covariance).1);
        }
        let found = layer.divergence(&theta, None);
        assert!((found / expected - 1.0).abs() < 1e-10, "{found} against {expected}");
    }
}

#[test]
fn drawn_outputs_have_the_moments_of_the_layer() {
    let problem = Problem::new(1, 2, 8);
    let (network, theta) = problem.network(2, 2);
    let rows = 40_000;
    let inputs: Vec<f64> = [0.4, -0.9].iter().flat_map(|x| vec![*x; rows]).collect();
    let mut work = prepared(&network, &theta, rows);
    network.draw(rows, &mut work, &mut Rng::seed_from_u64(2));
    network.propagate(&theta, &inputs, rows, &mut work);
    let layer = &work.layers[0];
    for output in 0..2 {
        let own = output * rows..(output + 1) * rows;
        // The identity is the mean function.
        let mean = layer.means[own.start] + [0.4, -0.9][output];
        let variance = layer.variances[own.start];
        let drawn = &layer.drawn[own];
        let n = rows as f64;
        let m = drawn.iter().sum::<f64>() / n;
        let v = drawn.iter().map(|f| (f - m).powi(2)).sum::<f64>() / n;
        // Four standard errors.
        assert!((m - mean).abs() < 4.0 * (variance / n).sqrt(), "{m} against {mean}");
        assert!((v / variance - 1.0).abs() < 4.0 * (2.0 / n).sqrt(), "{v} against {variance}");
    }
}

#[test]
fn the_mean_bound_over_an_epoch_is_that_of_all_rows() {
    // One layer draws nothing, and steps of 1e-12 leave the parameters where they are: the mean
    // over an epoch's batches is the bound.
    let problem = Problem::new(50, 2, 6);
    let (network, theta) = problem.network(1, 1);
    let settings = ClimbSettings {
        steps: 8,
        batch: 16,
        learning_rate: 1e-12,
        window: 4,
        windows: 3,
        ..ClimbSettings::default()
    };
    let climbed =
        climb(&network, &theta, problem.x.view(), &problem.y, &settings, &context()).unwrap();
    let all = problem.loss(&network, &theta, &(0..50).collect::<Vec<_>>(), 1.0, 1).0;
    assert_eq!(climbed.bounds.len(), 2);
    for bound in climbed.bounds {
        assert!((bound + all / 50.0).abs() < 1e-9, "{bound} against {}", -all / 50.0);
    }
}
