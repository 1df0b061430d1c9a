use super::super::{AdamSettings, MeanVariance, MeanVarianceParameters};
use super::*;
use crate::math::random::Streams;
use ndarray::array;
use rand::RngExt;

fn context() -> Context {
    Context::new(Streams::new(1, "deep-ensemble"))
}

fn settings(members: usize, epochs: usize) -> DeepEnsembleParameters {
    let default = DeepEnsembleParameters::default();
    let adam = AdamSettings { learning_rate: 0.01, ..AdamSettings::default() };
    let training = TrainingSettings { epochs, batch: 32, adam, ..default.training };
    DeepEnsembleParameters { members, training, ..default }
}

fn fit(parameters: DeepEnsembleParameters, train: &Table) -> Result<Box<dyn Fitted>, FitError> {
    DeepEnsemble::new(parameters).unwrap().fit(train, &context())
}

fn predict(fitted: &dyn Fitted, at: ArrayView2<f64>) -> Predictive {
    fitted.predict(&Reading::MAIN, at, &Ask::default(), &context()).unwrap()
}

/// y = x³ + N(0, 0.3²) for x from −2 to 2: the shape of the paper's toy.
fn cubic(n: usize) -> Table {
    let mut rng = context().stream("rows", 0);
    let features = Array2::from_shape_simple_fn((n, 1), || rng.random_range(-2.0..2.0));
    let mut normal = || crate::math::special::normal_quantile(rng.random_range(1e-9..1.0));
    let target = features.column(0).mapv(|x: f64| x.powi(3) + 0.3 * normal());
    Table::unnamed(features, target)
}

#[test]
fn an_ensemble_of_one_is_the_mean_variance_network() {
    let table = cubic(60);
    let parameters = settings(1, 10);
    let alone = MeanVarianceParameters { training: parameters.training, ..MeanVarianceParameters::default() };
    let alone = MeanVariance::new(alone).unwrap().fit(&table, &context().child("member", 0)).unwrap();
    let (alone, found) =
        (predict(&*alone, table.features.view()), predict(&*fit(parameters, &table).unwrap(), table.features.view()));
    assert_eq!(found.means(), alone.means());
    assert_eq!(found.variances(), alone.variances());
    assert_eq!(found.split, alone.split);
    for (i, &y) in table.target.iter().enumerate() {
        let (found, alone) = (found.distribution().log_density(i, y), alone.distribution().log_density(i, y));
        assert!((found.unwrap() - alone.unwrap()).abs() < 1e-12);
    }
}

#[test]
fn moments_are_those_of_the_members_and_the_variance_is_the_sum_of_its_parts() {
    let table = cubic(60);
    let found = predict(&*fit(settings(3, 10), &table).unwrap(), table.features.view());
    let alone = MeanVarianceParameters { training: settings(3, 10).training, ..MeanVarianceParameters::default() };
    let alone = MeanVariance::new(alone).unwrap();
    let members: Vec<Predictive> = (0..3)
        .map(|m| predict(&*alone.fit(&table, &context().child("member", m)).unwrap(), table.features.view()))
        .collect();
    let split = found.split.clone().unwrap();
    let (aleatoric, epistemic) = (split.aleatoric.unwrap(), split.epistemic.unwrap());
    for i in 0..60 {
        let moments = |m: &Predictive| (m.distribution().mean(i).unwrap(), m.distribution().variance(i).unwrap());
        let [a, b, c] = [0, 1, 2].map(|m| moments(&members[m]));
        let mean = (a.0 + b.0 + c.0) / 3.0;
        // The paper's σ*², written as it stands there.
        let variance = (a.1 + a.0 * a.0 + b.1 + b.0 * b.0 + c.1 + c.0 * c.0) / 3.0 - mean * mean;
        assert!((found.distribution().mean(i).unwrap() - mean).abs() < 1e-12);
        assert!((found.distribution().variance(i).unwrap() / variance - 1.0).abs() < 1e-9);
        assert!((aleatoric[i] / ((a.1 + b.1 + c.1) / 3.0) - 1.0).abs() < 1e-12);
        assert!(((aleatoric[i] + epistemic[i]) / variance - 1.0).abs() < 1e-9);
        assert!(epistemic[i] > 0.0, "members differ");
    }
}

#[test]
fn epistemic_variance_grows_away_from_the_data() {
    let fitted = fit(settings(5, 100), &cubic(200)).unwrap();
    let epistemic = |from: f64, to: f64| {
        let at = Array2::from_shape_fn((20, 1), |(i, _)| from + (to - from) * i as f64 / 19.0);
        predict(&*fitted, at.view()).split.unwrap().epistemic.unwrap().mean().unwrap()
    };
    let (inside, left, right) = (epistemic(-1.5, 1.5), epistemic(-6.0, -4.0), epistemic(4.0, 6.0));
    assert!(left > 20.0 * inside && right > 20.0 * inside, "{left} and {right} against {inside}");
}

#[test]
fn adversarial_training_flattens_the_function() {
    // The loss at moved rows is larger where the slope is: with the same start and batches the fit has less of it.
    let mut rng = context().stream("rows", 1);
    let features = Array2::from_shape_simple_fn((40, 4), || rng.random_range(-1.0..1.0));
    let target = Array1::from_shape_simple_fn(40, || rng.random_range(-1.0..1.0));
    let noise = Table::unnamed(features, target);
    let roughness = |adversarial: bool| {
        let predictive = predict(
            &*fit(DeepEnsembleParameters { adversarial, ..settings(1, 150) }, &noise).unwrap(),
            noise.features.view(),
        );
        let moved = &noise.features + 0.05;
        let other =
            predict(&*fit(DeepEnsembleParameters { adversarial, ..settings(1, 150) }, &noise).unwrap(), moved.view());
        (predictive.means().unwrap() - other.means().unwrap()).mapv(|d| d * d).sum()
    };
    let (without, with) = (roughness(false), roughness(true));
    assert!(with < without, "{with} against {without}");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let table = cubic(40);
    let parameters = DeepEnsembleParameters { adversarial: true, ..settings(2, 3) };
    let first = predict(&*fit(parameters, &table).unwrap(), table.features.view());
    assert_eq!(predict(&*fit(parameters, &table).unwrap(), table.features.view()), first);
    let some = predict(&*fit(parameters, &table).unwrap(), table.features.select(Axis(0), &[7]).view());
    assert!((some.means().unwrap()[0] / first.means().unwrap()[7] - 1.0).abs() < 1e-12, "rows do not feel each other");
}

#[test]
fn hard_tables_train_or_say_why_not() {
    for learning_rate in [0.01, 0.1] {
        let mut parameters = settings(2, 20);
        parameters.training.adam.learning_rate = learning_rate;
        let ten = predict(&*fit(parameters, &cubic(10)).unwrap(), array![[0.5]].view());
        assert!(ten.means().unwrap()[0].is_finite());
        let mut outlier = cubic(50);
        outlier.target[7] = 1e6;
        outlier.features[(7, 0)] = -1e6;
        assert!(predict(&*fit(parameters, &outlier).unwrap(), array![[0.5]].view()).variances().unwrap()[0] > 0.0);
    }
    let constant = Table::unnamed(array![[1.0], [2.0], [3.0]], array![4.0, 4.0, 4.0]);
    let Err(FitError::Unsupported(message)) = fit(settings(2, 1), &constant) else { panic!("a constant target") };
    assert!(message.starts_with("deep-ensemble needs a target that varies"), "{message}");
    let mut missing = cubic(10);
    missing.features[(3, 0)] = f64::NAN;
    let Err(FitError::Unsupported(message)) = fit(settings(2, 1), &missing) else { panic!("a missing number") };
    assert!(message.contains("training row 3, feature 0"), "{message}");
}

#[test]
fn a_file_names_only_the_settings_that_it_changes() {
    let given = serde_json::json!({ "training": { "epochs": 7, "adam": { "beta1": 0.5 } } });
    let found: DeepEnsembleParameters = serde_json::from_value(given).unwrap();
    let mut expected = DeepEnsembleParameters::default();
    (expected.training.epochs, expected.training.adam.beta1) = (7, 0.5);
    assert_eq!(found, expected);
    for fault in [serde_json::json!({ "epoch": 7 }), serde_json::json!({ "adam": { "rate": 7 } })] {
        let fault = serde_json::json!({ "training": fault });
        assert!(
            serde_json::from_value::<DeepEnsembleParameters>(fault)
                .unwrap_err()
                .to_string()
                .starts_with("unknown field")
        );
    }
    let written = serde_json::json!(DeepEnsembleParameters::default());
    assert_eq!(serde_json::from_value::<DeepEnsembleParameters>(written).unwrap(), DeepEnsembleParameters::default());
}

#[test]
fn faults_are_named() {
    let error = DeepEnsemble::new(settings(0, 1)).unwrap_err();
    assert_eq!(error.to_string(), "parameter `members` is 0, expected a whole number from 1 to 1000");
    let error = DeepEnsemble::new(DeepEnsembleParameters { hidden: 0, ..settings(1, 1) }).unwrap_err();
    assert!(error.to_string().starts_with("parameter `hidden` is 0"));
    let fitted = fit(settings(1, 1), &cubic(10)).unwrap();
    let ask = |reading: Reading, at: ArrayView2<f64>| fitted.predict(&reading, at, &Ask::default(), &context());
    let text = |result: Result<Predictive, FitError>| result.unwrap_err().to_string();
    assert!(text(ask(Reading::new("game"), array![[1.0]].view())).contains("'main' only"));
    assert!(text(ask(Reading::MAIN, array![[1.0, 2.0]].view())).contains("1 features, asked to predict from 2"));
}

#[test]
fn golden_fit_guards_the_version() {
    let features = Array2::from_shape_fn((50, 3), |(i, j)| ((i * (7 + 4 * j) + j) % 17) as f64 / 4.0 - 2.0);
    let target = Array1::from_shape_fn(50, |i| 3.0 + 2.0 * features[(i, 0)] + ((i * 13) % 11) as f64 / 8.0);
    let table = Table::unnamed(features, target);
    let goldens = [
        (false, [-0.537_248_589_670_486_8, 1.162_099_207_939_973, 3.260_909_198_235_631_3, 1.989_186_575_350_743]),
        (true, [-0.528_793_644_819_334_2, 1.153_694_928_483_043, 3.544_176_558_992_409, 2.153_511_141_670_050_8]),
    ];
    for (adversarial, golden) in goldens {
        let parameters = DeepEnsembleParameters { adversarial, ..settings(2, 4) };
        let predictive = predict(&*fit(parameters, &table).unwrap(), table.features.view());
        let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
        let found = [means[0], means[49], variances[0], variances[49]];
        for (one, golden) in found.into_iter().zip(golden) {
            // Products add up in another order on other processors.
            assert!((one / golden - 1.0).abs() < 1e-8, "{found:?}: raise the version");
        }
    }
}
