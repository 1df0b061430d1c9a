use std::sync::Arc;

use super::*;
use crate::registry;
use ndarray::{Array1, Array2};
use rand::RngExt;
use serde_json::json;
use uq_core::math::random::{Streams, permutation};
use uq_core::metrics::{Crps, DiscretisedLogScore, LogLikelihood, Metric, Pinball, ScoreContext};
use uq_core::predictive::Predictive;

mod covering;

fn context() -> Context {
    Context::new(Streams::new(1, "validated"))
}

/// y = a curve like 3 sin x₁, computed by products only, plus x₂ and noise.
fn table(rows: usize) -> Table {
    let mut rng = context().stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, 2), || rng.random::<f64>());
    let target: Array1<f64> = features
        .rows()
        .into_iter()
        .map(|x| 12.0 * x[0] * (1.0 - x[0]) * (0.3 - x[0]) + x[1] + 0.2 * rng.random::<f64>())
        .collect();
    Table::unnamed(features, target)
}

fn build(parameters: Value) -> Result<Box<dyn Method>, String> {
    registry::build("validated", &parameters).map_err(|error| error.to_string())
}

fn fit(parameters: Value, train: &Table) -> Result<Box<dyn Fitted>, FitError> {
    build(parameters).unwrap().fit(train, &context())
}

fn search(fitted: &dyn Fitted) -> SideTable {
    fitted.side_tables().into_iter().find(|side_table| side_table.name == "search").unwrap()
}

fn column(fitted: &dyn Fitted, name: &str) -> Vec<f64> {
    search(fitted).column(name).unwrap().to_vec()
}

/// The prediction of the held-out rows by a method fitted on all others, and their targets.
fn held_out(id: &str, parameters: &Value, train: &Table, share: f64) -> (Predictive, Array1<f64>) {
    let n = train.rows();
    let order = permutation(n, &mut context().stream("validation-rows", 0));
    let (out, rest) = order.split_at((share * n as f64).round() as usize);
    let fitted =
        registry::build(id, parameters).unwrap().fit(&train.select(rest), &context()).unwrap();
    let out = train.select(out);
    let predictive = fitted
        .predict(&Reading::MAIN, out.features.view(), &Request::default(), &context())
        .unwrap();
    (predictive, out.target)
}

fn metric(
    metric: &dyn Metric,
    (predictive, y): &(Predictive, Array1<f64>),
    target_resolution: Option<f64>,
) -> f64 {
    metric
        .score(predictive, y.view(), &ScoreContext { target_resolution, ..ScoreContext::default() })
        .unwrap()
}

/// The place of the largest number.
fn arg_max(numbers: &[f64]) -> usize {
    (0..numbers.len()).reduce(|best, i| if numbers[i] > numbers[best] { i } else { best }).unwrap()
}

/// Checks the search over `degree` or `components` against scores found by a metric on the same
/// rows.
fn agrees(parameters: Value, train: &Table, expected: &[f64]) {
    let fitted = fit(parameters, train).unwrap();
    let scores = column(&*fitted, "score");
    assert_eq!(scores.len(), expected.len());
    for (found, expected) in scores.iter().zip(expected) {
        assert!(
            (found - expected).abs() < 1e-12 * expected.abs().max(1.0),
            "{scores:?} against {expected}"
        );
    }
    let mut chosen = vec![0.0; expected.len()];
    chosen[arg_max(expected)] = 1.0;
    assert_eq!(column(&*fitted, "chosen"), chosen);
}

#[test]
fn few_rows_are_all_held_out_once_in_folds() {
    let train = table(121);
    let folds = train.dependence.folds(121, 3, &mut context().stream("validation-rows", 0));
    // The mean over all rows: folds of 41 and of 40 rows have their share.
    let crps = |components: usize| -> f64 {
        let method =
            registry::build("gmm-regression", &json!({ "components": components })).unwrap();
        let of_fold = |held_out: &Vec<usize>| {
            let rest: Vec<usize> = (0..121).filter(|row| !held_out.contains(row)).collect();
            let fitted = method.fit(&train.select(&rest), &context()).unwrap();
            let out = train.select(held_out);
            let request = Request::default();
            let predictive =
                fitted.predict(&Reading::MAIN, out.features.view(), &request, &context()).unwrap();
            metric(&Crps, &(predictive, out.target.clone()), None) * out.rows() as f64
        };
        folds.iter().map(of_fold).sum::<f64>() / 121.0
    };
    let parameters = json!({
        "method": { "id": "gmm-regression" },
        "grid": { "components": [1, 4, 2] },
        "folds": 3,
        "score": "crps",
    });
    agrees(parameters.clone(), &train, &[1, 4, 2].map(|k| -crps(k)));
    // Many rows have no folds.
    let many = table(FOLDS_BELOW);
    let mut once = parameters.clone();
    once["folds"] = json!(1);
    let scores = |parameters: &Value| column(&*fit(parameters.clone(), &many).unwrap(), "score");
    assert_eq!(scores(&parameters), scores(&once));
    // One part has no key, as in trials from before there were folds.
    let stated = |folds: &Value| build(folds.clone()).unwrap().parameters();
    assert_eq!(
        (stated(&parameters)["folds"].as_u64(), stated(&once).get("folds")),
        (Some(3), None)
    );
    for (key, value) in [
        ("refit", json!(false)),
        ("score", json!({ "narrowest-covering": { "level": 0.9, "tolerance": 0.1 } })),
        ("folds", json!(0)),
    ] {
        let mut wrong = parameters.clone();
        wrong[key] = value;
        let message = build(wrong).err().unwrap();
        assert!(message.contains("folds"), "{key}: {message}");
    }
}

#[test]
fn the_settings_of_the_highest_score_on_held_out_rows_are_chosen() {
    let train = table(120);
    let mixtures = |components: usize| {
        held_out("gmm-regression", &json!({ "components": components }), &train, 0.25)
    };
    let method = json!({ "id": "gmm-regression" });
    let mut parameters =
        json!({ "method": method, "grid": { "components": [1, 4, 2] }, "fraction": 0.25 });
    let expected = [1, 4, 2].map(|k| metric(&LogLikelihood, &mixtures(k), None));
    agrees(parameters.clone(), &train, &expected);
    // The fit is that of the chosen settings on all rows.
    let components = [1, 4, 2][arg_max(&expected)];
    let chosen = json!({ "components": components });
    let alone =
        registry::build("gmm-regression", &chosen).unwrap().fit(&train, &context()).unwrap();
    let answer = |fitted: &dyn Fitted| {
        fitted
            .predict(&Reading::MAIN, train.features.view(), &Request::default(), &context())
            .unwrap()
    };
    assert_eq!(answer(&*fit(parameters.clone(), &train).unwrap()), answer(&*alone));
    let expected = [1, 4, 2].map(|k| -metric(&Crps, &mixtures(k), None));
    parameters["score"] = json!("crps");
    agrees(parameters.clone(), &train, &expected);
    let levels = [0.1, 0.5, 0.75];
    let pinball = |k| -> f64 {
        let of = |level| metric(&Pinball { level }, &mixtures(k), None);
        -levels.map(of).iter().sum::<f64>() / 3.0
    };
    (parameters["score"], parameters["levels"]) = (json!("pinball"), json!(levels));
    agrees(parameters, &train, &[1, 4, 2].map(pinball));
}

#[test]
fn fits_that_share_work_have_the_scores_of_single_fits() {
    let train = table(60);
    let few = json!({ "iterations": 200, "hidden": 5 });
    let score = |rate: f64| {
        let mut parameters = few.clone();
        parameters["turn_rate"] = json!(rate);
        metric(&LogLikelihood, &held_out("combined", &parameters, &train, 0.25), None)
    };
    let method = json!({ "id": "combined", "parameters": few });
    let parameters =
        json!({ "method": method, "grid": { "turn_rate": [1e-3, 1e-1] }, "fraction": 0.25 });
    agrees(parameters, &train, &[1e-3, 1e-1].map(score));
}

#[test]
fn a_discrete_target_is_scored_by_the_probability_of_its_cells() {
    let mut train = table(120);
    train.target = train.target.mapv(|y| (y * 2.0).round() / 2.0);
    train.target_resolution = Some(0.5);
    let score = |k: usize| {
        let found = held_out(
            "gmm-regression",
            &json!({ "components": k, "covariance_floor": 0.01 }),
            &train,
            0.1,
        );
        metric(&DiscretisedLogScore, &found, Some(0.5))
    };
    let method = json!({ "id": "gmm-regression", "parameters": { "covariance_floor": 0.01 } });
    agrees(
        json!({ "method": method, "grid": { "components": [1, 3] } }),
        &train,
        &[1, 3].map(score),
    );
}

#[test]
fn one_setting_after_the_other_is_the_search_of_jcm_validated() {
    let train = table(90);
    let start = json!({ "epochs": 3, "dimension": 2, "components": 3, "reconstruction": 0.5 });
    let known = json!({
        "start": start, "dimension": [1, 2], "components": [2, 3, 5], "reconstruction": [0.0, 0.5],
        "learning_rate": [0.02], "covariance_floor": [1e-6, 1e-2], "starts": [1],
    });
    let known = registry::build("jcm-validated", &known).unwrap().fit(&train, &context()).unwrap();
    // Each list begins with the start.
    let of = |name: &str, values: Value| json!({ "parameter": name, "values": values });
    let grid = json!([
        of("dimension", json!([2, 1])),
        of("components", json!([3, 2, 5])),
        of("reconstruction", json!([0.5, 0.0])),
        of("covariance_floor", json!([1e-6, 1e-2])),
    ]);
    let found = fit(
        json!({ "method": { "id": "jcm", "parameters": start }, "grid": grid, "by": "turns" }),
        &train,
    )
    .unwrap();
    for name in ["dimension", "components", "reconstruction", "covariance_floor", "score", "chosen"]
    {
        assert_eq!(column(&*found, name), column(&*known, name), "{name}");
    }
    assert_eq!(column(&*found, "score").len(), 6, "1 + 1 + 2 + 1 + 1 fits");
    let readings = ["line-search", "monte-carlo"].map(Reading::new);
    let all = |fitted: &dyn Fitted| {
        fitted
            .predict_all(&readings, train.features.view(), &Request::default(), &context())
            .unwrap()
    };
    assert_eq!(all(&*found), all(&*known));
}

#[test]
fn a_grid_of_one_is_the_method_alone_bit_for_bit() {
    let train = table(60);
    let parameters = json!({ "hidden": 5, "training": { "epochs": 4 } });
    let method = registry::build("mean-variance-network", &parameters).unwrap();
    let alone = method.fit(&train, &context()).unwrap();
    let grid = json!({ "training.adam.learning_rate": [0.01], "hidden": [5] });
    let parameters = json!({ "method": { "id": "mean-variance-network", "parameters": parameters }, "grid": grid });
    let searched = build(parameters.clone()).unwrap();
    assert_eq!(searched.readings(), method.readings());
    let answer = |fitted: &dyn Fitted| {
        fitted
            .predict(&Reading::MAIN, train.features.view(), &Request::default(), &context())
            .unwrap()
    };
    let first = searched.fit(&train, &context()).unwrap();
    assert_eq!(answer(&*first), answer(&*alone));
    assert_eq!(first.side_tables()[..1], alone.side_tables()[..], "its own side_tables come first");
    let again = searched.fit(&train, &context()).unwrap();
    assert_eq!((again.side_tables(), answer(&*again)), (first.side_tables(), answer(&*first)));
}

#[test]
fn the_description_holds_the_methods_version_and_builds_the_same_method() {
    let grid =
        json!({ "training.adam.learning_rate": [0.02, 0.1], "activation": ["tanh", "relu"] });
    let searched =
        build(json!({ "method": { "id": "mean-variance-network" }, "grid": grid })).unwrap();
    let told = searched.parameters();
    let version = registry::build("mean-variance-network", &Value::Null).unwrap().version();
    assert_eq!(told["method"]["version"], version);
    assert_eq!(told["method"]["parameters"]["hidden"], 50, "every parameter is resolved");
    assert_eq!(told["reading"], "main");
    assert_eq!(
        told["grid"][0],
        json!({ "parameter": "activation", "values": ["tanh", "relu"] }),
        "by name"
    );
    assert_eq!(build(told.clone()).unwrap().parameters(), told);
    let mut newer = told;
    newer["method"]["version"] = json!(version + 1);
    let message = build(newer).err().unwrap();
    let expected =
        format!("method `mean-variance-network` has version {version}, expected {}", version + 1);
    assert!(message.contains(&expected), "{message}");
}

#[test]
fn the_budget_is_the_number_of_fits_stated() {
    let budget = |by: &str| {
        let parameters = ValidatedParameters {
            by: serde_json::from_value(json!(by)).unwrap(),
            ..Default::default()
        };
        let method = registry::build("gmm-regression", &Value::Null).unwrap();
        let grid = json!({ "components": [1, 2, 3], "steps": [5, 10], "tolerance": [1e-3, 1e-6] });
        let build: Build = Arc::new(|_: &str, _: &Value| {
            registry::build("gmm-regression", &Value::Null).map_err(|e| e.to_string())
        });
        Validated::new(parameters, &grid, method, &build).unwrap().budget()
    };
    assert_eq!((budget("all"), budget("turns")), (12, 5));
}

#[test]
fn a_setting_that_fails_is_left_out_and_one_without_numbers_is_given_by_its_place() {
    let train = table(20);
    let mock = |behaviours: Value, score: &str| json!({ "method": { "id": "mock" }, "grid": { "behaviour": behaviours, "tag": [7, 3] }, "score": score });
    let fitted = fit(mock(json!(["diverge", "answer"]), "crps"), &train).unwrap();
    assert_eq!(column(&*fitted, "behaviour"), [1.0, 1.0]);
    assert_eq!(column(&*fitted, "tag"), [7.0, 3.0]);
    assert_eq!(column(&*fitted, "chosen"), [1.0, 0.0], "of equally good ones the first");
    let error = |parameters: Value| fit(parameters, &train).err().unwrap();
    let message = "validated: none of 4 candidates has a score; the first, behaviour = \
                   \"diverge\", tag = 7: diverged: the mock diverges as told";
    assert_eq!(
        error(mock(json!(["diverge", "unsupported"]), "crps")),
        FitError::Diverged(message.into())
    );
    let FitError::Unsupported(message) = error(mock(json!(["answer"]), "log-density")) else {
        panic!("no density")
    };
    assert!(message.contains("no finite \"log-density\" score of the held-out rows"), "{message}");
    // Turns continue from the first point where nothing has a score yet.
    let mut turns = mock(json!(["unsupported", "answer"]), "pinball");
    turns["by"] = json!("turns");
    assert_eq!(column(&*fit(turns, &train).unwrap(), "tag"), [7.0, 3.0]);
}

#[test]
fn few_rows_missing_numbers_and_a_cancelled_search_are_errors() {
    let mock = || json!({ "method": { "id": "mock" }, "grid": { "tag": [1, 2] }, "score": "crps" });
    let two = table(2);
    assert_eq!(
        column(&*fit(mock(), &two).unwrap(), "score").len(),
        2,
        "one row to fit, one to score"
    );
    let error = fit(mock(), &two.select(&[0])).err().unwrap();
    assert_eq!(
        error,
        FitError::Unsupported("validated needs at least 2 training rows, found 1".into())
    );
    let mut hole = table(9);
    hole.target[4] = f64::NAN;
    let error = fit(mock(), &hole).err().unwrap().to_string();
    assert!(error.contains("a finite target, found NaN in training row 4"), "{error}");
    let cancel = crate::CancelToken::default();
    cancel.cancel();
    let stopped = context().stopping(cancel, None);
    let network =
        json!({ "method": { "id": "mean-variance-network" }, "grid": { "hidden": [3, 4] } });
    assert_eq!(build(network).unwrap().fit(&table(20), &stopped).err(), Some(FitError::Cancelled));
}

#[test]
fn faults_in_the_parameters_are_named() {
    let error = |method: &str, grid: Value| {
        build(json!({ "method": { "id": method }, "grid": grid })).err().unwrap()
    };
    let network = "mean-variance-network";
    for (message, expected) in [
        (
            error("mean-variance-netwrok", json!({ "hidden": [1] })),
            "did you mean `mean-variance-network`?",
        ),
        (
            error(network, json!({ "rate": [0.1, 0.2] })),
            "grid point rate = 0.1: method `mean-variance-network`: unknown field",
        ),
        (
            error(network, json!({ "hidden": [5, 0] })),
            "grid point hidden = 0: method `mean-variance-network`: parameter `hidden`",
        ),
        (
            error(network, json!({ "adam.beta1": [0.5] })),
            "there is no group `adam` among the parameters",
        ),
        (
            error(network, json!({ "hidden.size": [5] })),
            "there is no group `hidden` among the parameters",
        ),
        (error("linear-gaussian", json!({ "rate": [1] })), "there are no fields"),
        (
            error(network, json!({ "hidden": [] })),
            "grid: `hidden` has no values, expected at least one",
        ),
        (error(network, json!({ "hidden": [4, 8, 4] })), "grid: `hidden` has the value 4 twice"),
        (error(network, json!({ "hidden": 4 })), "grid: `hidden` is 4, expected a list of values"),
        (error(network, json!({})), "grid: expected at least one setting with its values"),
        (error(network, json!([{ "parameter": "hidden" }])), "grid: missing field `values`"),
        (
            error("jcm", json!({ "batch": (1..=1001).collect::<Vec<_>>() })),
            "grid: 1001 points, expected at most 1000",
        ),
        (error("dtb", json!({ "bins": [5] })), "learners"),
        (build(Value::Null).err().unwrap(), "method: missing field `id`"),
    ] {
        assert!(message.contains(expected), "{message}");
    }
    let with = |name: &str, value: Value| {
        let mut parameters = json!({ "method": { "id": "jcm" }, "grid": { "epochs": [2] } });
        parameters[name] = value;
        build(parameters).err().unwrap()
    };
    for (message, expected) in [
        (
            with("fraction", json!(1.0)),
            "parameter `fraction` is 1, expected a number between 0 and 1",
        ),
        (
            with("levels", json!([0.5, 0.5])),
            "parameter `levels` is [0.5, 0.5], expected increasing numbers",
        ),
        (with("levels", json!([])), "parameter `levels` is []"),
        (
            with("reading", json!("main")),
            "parameter `reading` is main, expected one of line-search, monte-carlo",
        ),
        (with("score", json!("rmse")), "unknown variant `rmse`"),
        (with("rate", json!(1)), "unknown field `rate`"),
    ] {
        assert!(message.contains(expected), "{message}");
    }
    // Played at other ratios DTB has other readings.
    let learners = json!([{ "id": "tree", "count": 2 }]);
    let sweeps = json!([[], [{ "ratio": 0.1, "games": 5 }]]);
    let method = json!({ "id": "dtb", "parameters": { "learners": learners } });
    let message = build(json!({ "method": method, "grid": { "sweep": sweeps }, "score": "crps" }))
        .err()
        .unwrap();
    assert!(message.contains("its readings are not game, uniform"), "{message}");
}
