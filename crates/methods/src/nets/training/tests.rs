use ndarray::{Array1, Array2, Axis};
use rand::RngExt;

use super::*;
use crate::CancelToken;
use crate::nets::Mlp;
use uq_core::math::random::Streams;
use uq_math::autodiff::Activation;
use uq_math::least_squares::LeastSquares;

fn context() -> Context {
    Context::new(Streams::new(4, "training"))
}

/// Rows of three features and a target that is linear up to noise.
fn linear_rows(n: usize) -> (Array2<f64>, Array2<f64>) {
    let mut rng = context().stream("rows", 0);
    let x = Array2::from_shape_simple_fn((n, 3), || rng.random_range(-1.5..1.5));
    let y: Array1<f64> = x
        .rows()
        .into_iter()
        .map(|x| 0.7 + x[0] - 2.0 * x[1] + 0.1 * x[2] + rng.random_range(-0.5..0.5))
        .collect();
    (x, y.insert_axis(Axis(1)))
}

fn fit_line(
    settings: &TrainingSettings,
    x: &Array2<f64>,
    y: &Array2<f64>,
) -> Result<Trained, FitError> {
    let net = Mlp::new(&[3, 1], Activation::Identity);
    let parts = Parts::draw(x.nrows(), settings.validation, &context());
    train(settings, &parts, &vec![0.0; net.end()], &context(), |tape, theta, batch| {
        let input = tape.constant_rows(x.view(), batch.rows);
        let target = tape.constant_rows(y.view(), batch.rows);
        let mean = net.forward(tape, theta, input);
        let loss = tape.squared_error(mean, target);
        tape.mean(loss)
    })
}

fn full_batch(epochs: usize) -> TrainingSettings {
    let adam = AdamSettings { learning_rate: 0.05, ..AdamSettings::default() };
    TrainingSettings {
        epochs,
        batch: 1000,
        validation: 0.0,
        schedule: Schedule::Cosine,
        adam,
        ..TrainingSettings::default()
    }
}

#[test]
fn a_linear_network_trained_to_convergence_is_least_squares() {
    let (x, y) = linear_rows(60);
    let trained = fit_line(&full_batch(3000), &x, &y).unwrap();
    let exact = LeastSquares::fit(x.view(), y.column(0), faer::Par::Seq).unwrap();
    for (found, slope) in trained.parameters.iter().zip(&exact.slopes) {
        assert!((found - slope).abs() < 1e-6, "{:?} against {}", trained.parameters, exact.slopes);
    }
    assert!((trained.parameters[3] - exact.intercept).abs() < 1e-6);
    let rss = exact.residual_sum_of_squares / 60.0;
    assert!((trained.training_losses[2999] / rss - 1.0).abs() < 1e-9);
    assert_eq!((trained.epoch, trained.validation_loss()), (2999, None));
}

#[test]
fn decay_through_the_gradient_ends_at_the_ridge_regression() {
    let (x, y) = linear_rows(60);
    let l2 = 0.3;
    let trained = fit_line(&TrainingSettings { l2, ..full_batch(3000) }, &x, &y).unwrap();
    let theta = &trained.parameters;
    // At the minimum of the mean squared error plus ½ λ ‖θ‖² its slope is −λ θ, that of the bias
    // too.
    let residuals: Vec<f64> = x
        .rows()
        .into_iter()
        .zip(&y)
        .map(|(x, y)| (0..3).map(|j| theta[j] * x[j]).sum::<f64>() + theta[3] - y)
        .collect();
    for (j, theta) in theta.iter().enumerate() {
        let input = |i: usize| if j < 3 { x[(i, j)] } else { 1.0 };
        let slope =
            residuals.iter().enumerate().map(|(i, r)| 2.0 * r * input(i)).sum::<f64>() / 60.0;
        assert!((slope + l2 * theta).abs() < 1e-6, "parameter {j}: slope {slope}, value {theta}");
    }
    let loss = residuals.iter().map(|r| r * r).sum::<f64>() / 60.0;
    assert!(
        (trained.training_losses[2999] / loss - 1.0).abs() < 1e-6,
        "the loss is stated without the decay"
    );
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let (x, y) = linear_rows(50);
    let settings = TrainingSettings { epochs: 30, batch: 7, ..TrainingSettings::default() };
    let first = fit_line(&settings, &x, &y).unwrap();
    assert_eq!(fit_line(&settings, &x, &y).unwrap(), first);
    let bits = |t: &Trained| t.parameters.iter().map(|p| p.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&fit_line(&settings, &x, &y).unwrap()), bits(&first));
}

#[test]
fn the_best_parameters_are_kept_and_patience_ends_the_run() {
    // A huge constant step makes the validation loss rise and fall.
    let (x, y) = linear_rows(50);
    let adam = AdamSettings { learning_rate: 0.9, ..AdamSettings::default() };
    let settings = TrainingSettings {
        epochs: 500,
        batch: 5,
        patience: 6,
        adam,
        ..TrainingSettings::default()
    };
    let trained = fit_line(&settings, &x, &y).unwrap();
    let losses = &trained.validation_losses;
    assert!(losses.len() < 500 && losses.len() == trained.epoch + 7, "{} epochs", losses.len());
    assert!(losses.iter().all(|l| *l >= trained.validation_loss().unwrap()));
    let side_table = trained.side_table("trace");
    assert_eq!(side_table.column("kept").unwrap().iter().sum::<f64>(), 1.0);
    assert_eq!(side_table.column("kept").unwrap()[trained.epoch], 1.0);
}

#[test]
fn every_row_is_in_exactly_one_part() {
    for (n, share, count) in
        [(10, 0.1, 1), (100, 0.25, 25), (3, 0.1, 1), (1, 0.5, 0), (2, 0.9, 1), (5, 0.0, 0)]
    {
        let Parts { training, validation } = Parts::draw(n, share, &context());
        assert_eq!(
            (validation.len(), training.len()),
            (count, n - count),
            "{n} rows, share {share}"
        );
        let mut all = [training, validation].concat();
        all.sort_unstable();
        assert_eq!(all, (0..n).collect::<Vec<_>>());
    }
}

#[test]
fn losses_that_are_not_finite_diverge_after_the_restarts() {
    let (x, mut y) = linear_rows(20);
    y[(3, 0)] = 1e300;
    let error = fit_line(&full_batch(5), &x, &y).unwrap_err();
    let FitError::Diverged(message) = error else { panic!("{error}") };
    assert!(message.contains("after 3 restarts") && message.contains("epoch 0"), "{message}");
}

#[test]
fn a_smaller_step_lets_a_run_finish() {
    // The loss is finite near the start only.
    let settings = TrainingSettings { validation: 0.0, epochs: 5, ..TrainingSettings::default() };
    let parts = Parts::draw(4, 0.0, &context());
    let trained = train(&settings, &parts, &[1.0], &context(), |tape, theta, _| {
        let x = tape.parameter(theta, 0, 1, 1);
        let room = tape.affine(x, 1.0, -0.9949);
        tape.ln(room)
    })
    .unwrap();
    assert!(trained.restarts >= 1 && trained.parameters[0] > 0.9949, "{trained:?}");
}

#[test]
fn no_rows_are_unsupported_and_a_cancelled_run_stops() {
    let (x, y) = linear_rows(0);
    assert!(matches!(fit_line(&full_batch(1), &x, &y), Err(FitError::Unsupported(_))));
    let cancel = CancelToken::default();
    cancel.cancel();
    let stopped = context().stopping(cancel, None);
    let parts = Parts::draw(4, 0.0, &stopped);
    let result = train(&full_batch(1), &parts, &[1.0], &stopped, |tape, theta, _| {
        tape.parameter(theta, 0, 1, 1)
    });
    assert_eq!(result.unwrap_err(), FitError::Cancelled);
}
