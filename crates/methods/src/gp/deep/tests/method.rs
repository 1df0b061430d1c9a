//! The method from a table to its prediction.

use super::super::super::{StochasticSparseGp, StochasticSparseGpParameters};
use super::*;
use crate::golden::{assert_golden, first_and_last, golden_table};
use crate::{Method, Reading};
use ndarray::array;
use uq_core::math::special::normal_quantile;

fn quick(steps: usize) -> DeepGpParameters {
    let training = ClimbSettings { steps, window: 10, windows: 3, ..ClimbSettings::default() };
    DeepGpParameters {
        layers: 3,
        inducing: 20,
        samples: 20,
        training,
        ..DeepGpParameters::default()
    }
}

fn fit(parameters: DeepGpParameters, rows: &Table) -> Result<Box<dyn Fitted>, FitError> {
    DeepGp::new(parameters).unwrap().fit(rows, &context())
}

fn predict(fitted: &dyn Fitted, at: ArrayView2<f64>) -> Predictive {
    fitted.predict(&Reading::MAIN, at, &Request::default(), &context()).unwrap()
}

/// y = 20 + 6 (x > 0) + N(0, 0.5²) for x from −2 to 2.
fn step_function(n: usize) -> Table {
    let mut rng = Rng::seed_from_u64(3);
    let features = Array2::from_shape_simple_fn((n, 1), || rng.random_range(-2.0..2.0));
    let target = features.column(0).mapv(|x| {
        20.0 + 6.0 * f64::from(u8::from(x > 0.0))
            + 0.5 * normal_quantile(rng.random_range(1e-9..1.0))
    });
    Table::unnamed(features, target)
}

#[test]
fn a_step_and_its_noise_are_found_and_uncertainty_grows_away_from_the_rows() {
    let mut parameters = DeepGpParameters { layers: 2, ..quick(2000) };
    parameters.training.tolerance = 0.0;
    let mut rng = Rng::seed_from_u64(3);
    let features = Array2::from_shape_simple_fn((400, 1), || rng.random_range(-2.0..2.0));
    let truth = |x: f64| 20.0 + 3.0 * (2.0 * x).sin();
    let target =
        features.column(0).mapv(|x| truth(x) + 0.5 * normal_quantile(rng.random_range(1e-9..1.0)));
    let fitted = fit(parameters, &Table::unnamed(features, target)).unwrap();
    let at = array![[-1.5], [-0.5], [0.5], [1.5], [15.0]];
    let predictive = predict(&*fitted, at.view());
    let (means, split) = (predictive.means().unwrap(), predictive.split.clone().unwrap());
    for (mean, x) in means.iter().zip(at.column(0)).take(4) {
        assert!((mean - truth(*x)).abs() < 0.35, "{mean} against {}", truth(*x));
    }
    let (aleatoric, epistemic) = (split.aleatoric.unwrap(), split.epistemic.unwrap());
    // A short fit attributes some of the inner layer's uncertainty to the noise.
    assert!((aleatoric[0].sqrt() / 0.5 - 1.0).abs() < 0.3, "noise {}", aleatoric[0].sqrt());
    assert!(epistemic[4] > 5.0 * epistemic[1], "{epistemic}");
}

#[test]
fn the_split_adds_up_to_the_mixtures_variance() {
    let (means, variances) =
        (array![[1.0, 3.0, 2.0], [0.0, 0.0, 0.0]], array![[0.5, 0.1, 0.3], [0.2, 0.4, 0.6]]);
    let answer = predictive(means, variances, 0.7);
    // The first row by hand: mean 2, spread 2/3, mean variance 0.3.
    let split = answer.split.clone().unwrap();
    let (aleatoric, epistemic) = (split.aleatoric.unwrap(), split.epistemic.unwrap());
    assert!(
        (epistemic[0] - (0.3 + 2.0 / 3.0)).abs() < 1e-14 && (epistemic[1] - 0.4).abs() < 1e-14,
        "{epistemic}"
    );
    for (total, parts) in answer.variances().unwrap().iter().zip(aleatoric + epistemic) {
        assert!((total / parts - 1.0).abs() < 1e-14, "{total} against {parts}");
    }
}

#[test]
fn one_layer_predicts_as_the_stochastic_sparse_gp() {
    let table = step_function(60);
    let training = ClimbSettings { steps: 40, window: 10, windows: 3, ..ClimbSettings::default() };
    let deep =
        DeepGpParameters { layers: 1, inducing: 15, training, ..DeepGpParameters::default() };
    let shallow = StochasticSparseGpParameters {
        inducing: 15,
        training,
        ..StochasticSparseGpParameters::default()
    };
    let deep = fit(deep, &table).unwrap();
    let shallow = StochasticSparseGp::new(shallow).unwrap().fit(&table, &context()).unwrap();
    let (deep, shallow) =
        (predict(&*deep, table.features.view()), predict(&*shallow, table.features.view()));
    for i in 0..60 {
        let (a, b) = (deep.distribution(), shallow.distribution());
        assert!((a.mean(i).unwrap() / b.mean(i).unwrap() - 1.0).abs() < 1e-10);
        assert!((a.variance(i).unwrap() / b.variance(i).unwrap() - 1.0).abs() < 1e-10);
        assert!((a.log_density(i, 22.0).unwrap() - b.log_density(i, 22.0).unwrap()).abs() < 1e-10);
    }
}

#[test]
fn training_reports_whether_it_ended_on_a_plateau() {
    let table = step_function(100);
    let ended = |parameters: DeepGpParameters| {
        let side_tables = fit(parameters, &table).unwrap().side_tables();
        let of = |name: &str, column: &str| {
            side_tables.iter().find(|a| a.name == name).unwrap().column(column).unwrap().to_vec()
        };
        assert_eq!(of("trace", "step").last(), of("convergence", "steps").last());
        assert_eq!(of("trace", "bound_per_row").last(), of("convergence", "bound_per_row").last());
        (
            of("convergence", "converged")[0],
            of("convergence", "steps")[0],
            of("convergence", "slope_per_1000_steps")[0],
        )
    };
    // A tolerance that the first windows already meet.
    let mut level = quick(200);
    level.training = ClimbSettings {
        learning_rate: 1e-9,
        windows: 4,
        tolerance: 1.0,
        window: 40,
        ..level.training
    };
    level.layers = 1;
    let (converged, steps, _) = ended(level);
    assert_eq!((converged, steps), (1.0, 160.0));
    let mut rising = quick(60);
    rising.training.tolerance = 0.0;
    let (converged, steps, slope) = ended(rising);
    assert_eq!((converged, steps), (0.0, 60.0));
    assert!(slope > 1.0, "{slope}");
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_difficult_tables_train_or_give_a_reason() {
    let table = step_function(40);
    let first = predict(&*fit(quick(20), &table).unwrap(), table.features.view());
    assert_eq!(predict(&*fit(quick(20), &table).unwrap(), table.features.view()), first);
    let sound = |parameters: DeepGpParameters, table: &Table| match fit(parameters, table) {
        Ok(fitted) => {
            let answer = predict(&*fitted, table.features.view());
            answer.validate().unwrap();
            assert!(answer.variances().unwrap().iter().all(|v| *v > 0.0));
        }
        Err(FitError::Diverged(message)) => assert!(message.contains("restarts"), "{message}"),
        Err(other) => panic!("{other}"),
    };
    // Every row twice; fewer rows than inducing inputs; an outlier; a target that is the feature.
    let mut twice = step_function(12);
    twice = Table::unnamed(
        ndarray::concatenate![Axis(0), twice.features, twice.features],
        ndarray::concatenate![Axis(0), twice.target, twice.target],
    );
    sound(quick(60), &twice);
    sound(quick(60), &step_function(2));
    let mut outlier = step_function(50);
    outlier.target[7] = 1e12;
    outlier.features[(9, 0)] = -1e12;
    sound(quick(60), &outlier);
    let line = Table::unnamed(array![[0.0], [1.0], [2.0], [3.0]], array![0.0, 1.0, 2.0, 3.0]);
    sound(DeepGpParameters { noise: 1e-300, noise_floor: 0.0, ..quick(60) }, &line);
    sound(DeepGpParameters { noise_floor: 0.0, ..quick(300) }, &line);
    // Steps that send length scales and variances to their bounds.
    let mut wild = quick(60);
    wild.training.learning_rate = 1.0;
    sound(wild, &table);
}

#[test]
fn faults_are_named() {
    let error = DeepGp::new(DeepGpParameters { layers: 0, ..quick(1) }).unwrap_err();
    assert_eq!(error.to_string(), "parameter `layers` is 0, expected a whole number from 1 to 20");
    let mut none = quick(1);
    none.training.windows = 2;
    let error = DeepGp::new(none).unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `training.windows` is 2, expected a whole number from 3 to 1000"
    );
    let refused = |features: Array2<f64>, target: Array1<f64>| match fit(
        quick(1),
        &Table::unnamed(features, target),
    ) {
        Err(FitError::Unsupported(message)) => message,
        _ => panic!("it was not refused"),
    };
    assert!(refused(array![[1.0]], array![2.0]).contains("at least 2 training rows, found 1"));
    assert!(refused(array![[1.0], [2.0]], array![4.0, 4.0]).contains("a target that varies"));
    assert!(refused(array![[1.0], [1.0]], array![4.0, 5.0]).contains("a feature that varies"));
    assert!(
        refused(array![[1.0], [f64::NAN]], array![4.0, 5.0])
            .contains("found NaN in training row 1")
    );
    let fitted = fit(quick(2), &step_function(10)).unwrap();
    let ask = |reading: Reading, at: ArrayView2<f64>| {
        fitted.predict(&reading, at, &Request::default(), &context())
    };
    let text = |result: Result<Predictive, FitError>| result.unwrap_err().to_string();
    assert!(text(ask(Reading::new("game"), array![[1.0]].view())).contains("'main' only"));
    assert!(
        text(ask(Reading::MAIN, array![[1.0, 2.0]].view()))
            .contains("1 features, asked to predict from 2")
    );
    assert!(text(ask(Reading::MAIN, array![[f64::NAN]].view())).contains("diverged"));
}

#[test]
fn a_kernel_matrix_that_is_not_finite_diverges() {
    let problem = Problem::new(5, 2, 4);
    let (network, mut theta) = problem.network(1, 1);
    theta[network.layers[0].inducing().start] = f64::NAN;
    let error = network.prepare(&theta, &mut network.work::<f64>(5)).unwrap_err().to_string();
    assert!(error.starts_with("diverged: the 4 x 4 covariance has no Cholesky factor"), "{error}");
}

#[test]
fn golden_fit_guards_the_version() {
    let table = golden_table();
    // The start of version 1, whose numbers these are: passing a batch in chunks moved none of
    // them.
    let parameters = DeepGpParameters { inner_variance: 1e-5, inner_noise: 2e-6, ..quick(30) };
    let predictive = predict(&*fit(parameters, &table).unwrap(), table.features.view());
    let golden = [
        2.422_925_246_243_957,
        2.177_020_885_736_300_5,
        1.468_884_139_034_687_8,
        0.916_056_966_605_512_2,
    ];
    assert_golden(first_and_last(&predictive), golden, 1e-7);
}
