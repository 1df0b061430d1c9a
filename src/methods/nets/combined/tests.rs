use super::*;
use crate::math::random::Streams;
use ndarray::{Array1, Array2, array};
use rand::RngExt;

fn context() -> Context {
    Context::new(Streams::new(1, "combined"))
}

/// Few iterations, with a step of the variance that gets somewhere in them.
fn settings(iterations: usize) -> CombinedParameters {
    CombinedParameters { iterations, variance_rate: 0.003, hidden: 20, ..CombinedParameters::default() }
}

fn fit(parameters: CombinedParameters, train: &Table) -> Result<Box<dyn Fitted>, FitError> {
    Combined::new(parameters).unwrap().fit(train, &context())
}

fn predict(fitted: &dyn Fitted, at: ArrayView2<f64>) -> Predictive {
    fitted.predict(&Reading::MAIN, at, &Ask::default(), &context()).unwrap()
}

/// y = 20 + 3 x + N(0, (0.5 + 0.25 x²)²) for x from −2 to 2, and a column that says nothing.
fn noisy_line(n: usize) -> Table {
    let mut rng = context().stream("rows", 0);
    let features = Array2::from_shape_fn((n, 2), |(_, j)| if j == 0 { rng.random_range(-2.0..2.0) } else { 5.0 });
    let mut normal = || crate::math::special::normal_quantile(rng.random_range(1e-9..1.0));
    let target = features.column(0).mapv(|x| 20.0 + 3.0 * x + (0.5 + 0.25 * x * x) * normal());
    Table::unnamed(features, target)
}

#[test]
fn the_noises_standard_deviation_is_recovered_where_it_varies_and_the_prior_far_away() {
    let train = noisy_line(4000);
    let fitted = fit(settings(8000), &train).unwrap();
    let at = Array2::from_shape_fn((7, 2), |(i, j)| if j == 0 { 0.5 * i as f64 - 1.5 } else { 5.0 });
    let predictive = predict(&*fitted, at.view());
    let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
    for (i, x) in at.column(0).iter().enumerate() {
        let (mean, sd) = (20.0 + 3.0 * x, 0.5 + 0.25 * x * x);
        // Batches of 20 rows leave more noise in the variance than shuffled ones of hundreds.
        assert!((variances[i].sqrt() / sd - 1.0).abs() < 0.25, "x {x}: sd {} against {sd}", variances[i].sqrt());
        assert!((means[i] - mean).abs() < 0.5 * sd, "x {x}: mean {} against {mean}", means[i]);
    }
    assert_eq!(predictive.split, None);
    let mean = train.target.mean().unwrap();
    let prior = train.target.mapv(|y| (y - mean).powi(2)).mean().unwrap();
    let far = predict(&*fitted, array![[1e5, 5.0], [-1e5, 5.0]].view());
    for variance in far.variances().unwrap() {
        assert!((variance / prior - 1.0).abs() < 1e-6, "far away {variance} against {prior}");
    }
    let artefacts = fitted.artefacts();
    let names: Vec<&str> = artefacts.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["warm-up", "alternation", "extrapolation"]);
    let losses = artefacts[1].column("validation_loss").unwrap();
    assert_eq!(losses.len(), 41, "every hundredth of 4000 iterations, and the start");
    let kept = artefacts[1].column("kept").unwrap().iter().position(|k| *k == 1.0).unwrap();
    assert!(losses.iter().all(|loss| *loss >= losses[kept]) && losses[kept] < losses[0]);
}

#[test]
fn the_same_seed_gives_the_same_bytes_in_any_unit() {
    let table = noisy_line(60);
    let first = predict(&*fit(settings(40), &table).unwrap(), table.features.view());
    assert_eq!(predict(&*fit(settings(40), &table).unwrap(), table.features.view()), first);
    // A power of two scales without rounding.
    let scaled = Table { target: &table.target * 1024.0, ..table.clone() };
    let found = predict(&*fit(settings(40), &scaled).unwrap(), table.features.view());
    for (a, b) in found.variances().unwrap().iter().zip(first.variances().unwrap()) {
        assert!((a / b / 1024.0_f64.powi(2) - 1.0).abs() < 1e-9);
    }
}

#[test]
fn all_iterations_may_be_of_one_kind_and_nothing_held_out() {
    let table = noisy_line(60);
    for (warm_up, names) in
        [(0.0, vec!["alternation", "extrapolation"]), (1.0, vec!["warm-up", "alternation", "extrapolation"])]
    {
        let parameters = CombinedParameters { warm_up, validation: 0.0, ..settings(50) };
        let fitted = fit(parameters, &table).unwrap();
        let artefacts = fitted.artefacts();
        assert_eq!(artefacts.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(), names);
        let alternation = &artefacts[names.len() - 2];
        assert_eq!(alternation.column("validation_loss"), None);
        assert_eq!(alternation.column("kept").unwrap().last(), Some(&1.0), "the last parameters are kept");
        assert!(predict(&*fitted, table.features.view()).variances().unwrap().iter().all(|v| *v > 0.0));
    }
}

#[test]
fn hard_tables_train_or_say_why_not() {
    let at = array![[0.5, 5.0]];
    for rows in [2, 10] {
        let found = predict(&*fit(settings(60), &noisy_line(rows)).unwrap(), at.view());
        assert!(found.means().unwrap()[0].is_finite(), "{rows} rows");
    }
    let mut outlier = noisy_line(50);
    outlier.target[7] = 1e6;
    outlier.features[(7, 0)] = -1e6;
    assert!(predict(&*fit(settings(60), &outlier).unwrap(), at.view()).variances().unwrap()[0] > 0.0);
    let nothing = Table::unnamed(Array2::zeros((20, 1)), Array1::range(0.0, 20.0, 1.0));
    let mean = predict(&*fit(settings(200), &nothing).unwrap(), array![[0.0]].view()).means().unwrap()[0];
    assert!((mean - 9.5).abs() < 4.0, "without features that vary: {mean}");
    let constant = Table::unnamed(array![[1.0], [2.0], [3.0]], array![4.0, 4.0, 4.0]);
    let Err(FitError::Unsupported(message)) = fit(settings(1), &constant) else { panic!("a constant target") };
    assert!(message.contains("a target that varies"), "{message}");
    let missing = Table::unnamed(array![[1.0], [f64::NAN], [3.0]], array![4.0, 5.0, 4.0]);
    let Err(FitError::Unsupported(message)) = fit(settings(1), &missing) else { panic!("a missing number") };
    assert!(message.contains("training row 1, feature 0"), "{message}");
}

#[test]
fn faults_are_named() {
    let error = |parameters| Combined::new(parameters).unwrap_err().to_string();
    let found = error(CombinedParameters { hidden: 0, ..settings(1) });
    assert_eq!(found, "parameter `hidden` is 0, expected a whole number from 1 to 10000");
    let found = error(CombinedParameters { turn_rate: -0.1, ..settings(1) });
    assert_eq!(found, "parameter `turn_rate` is -0.1, expected a number from 0 to 1");
    let found = error(CombinedParameters { variance_rate: f64::NAN, ..settings(1) });
    assert_eq!(found, "parameter `variance_rate` is NaN, expected a number above 0, up to 1");
    let units = LocalityUnits { primary: 101, secondary: 1, neighbours: 1 };
    let found = error(CombinedParameters { mean_units: units, ..settings(1) });
    assert_eq!(found, "parameter `primary` is 101, expected a whole number from 1 to 100");
    let fitted = fit(settings(1), &noisy_line(10)).unwrap();
    let ask = |reading: Reading, at: ArrayView2<f64>| fitted.predict(&reading, at, &Ask::default(), &context());
    let text = |result: Result<Predictive, FitError>| result.unwrap_err().to_string();
    assert!(text(ask(Reading::new("game"), array![[1.0, 2.0]].view())).contains("'main' only"));
    assert!(text(ask(Reading::MAIN, array![[1.0]].view())).contains("2 features, asked to predict from 1"));
}

#[test]
fn golden_fit_guards_the_version() {
    let features = Array2::from_shape_fn((50, 3), |(i, j)| ((i * (7 + 4 * j) + j) % 17) as f64 / 4.0 - 2.0);
    let target = Array1::from_shape_fn(50, |i| 3.0 + 2.0 * features[(i, 0)] + ((i * 13) % 11) as f64 / 8.0);
    let table = Table::unnamed(features, target);
    let predictive = predict(&*fit(settings(40), &table).unwrap(), table.features.view());
    let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
    let found = [means[0], means[49], variances[0], variances[49]];
    let golden = [-0.562_860_412_240_111_1, 2.902_602_963_278_269, 26.083_615_114_512_376, 6.765_062_892_843_987];
    for (found, golden) in found.into_iter().zip(golden) {
        // Products add up in another order on other processors.
        assert!((found / golden - 1.0).abs() < 1e-8, "{found:e} against {golden:e}: raise the version");
    }
}
