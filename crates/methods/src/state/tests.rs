use ndarray::{Array2, ArrayView2, Axis, concatenate};
use rand::RngExt;
use serde_json::{Value, json};

use super::*;
use crate::golden::golden_table;
use crate::registry::{METHODS, build};
use crate::{Context, FitError, Method, Reading, Request};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::predictive::Predictive;
use uqbench_system::survive;

/// Every method with cheap parameters, several times where its fit consists of other things by
/// them.
fn cases() -> Vec<(&'static str, Value)> {
    let epochs = json!({ "epochs": 3 });
    let network = json!({ "hidden": 4, "training": epochs });
    let climb = json!({ "steps": 4, "window": 2, "windows": 3 });
    let linear = json!({ "id": "linear-gaussian" });
    let forest = json!({ "id": "quantile-forest", "parameters": { "trees": 10, "min_leaf": 3 } });
    let dropped = json!({ "hidden": 4, "passes": 3, "rates": [0.1], "precisions": [2.0], "training": epochs });
    let dropout = json!({ "id": "mc-dropout", "parameters": dropped });
    let normal = json!({ "id": "mean-variance-network", "parameters": { "training": epochs } });
    let split = json!({ "id": "split-conformal", "parameters": { "method": linear } });
    let mut searched =
        json!({ "start": { "epochs": 2 }, "dimension": [1, 2], "components": [2], "starts": [1] });
    for (name, value) in
        [("reconstruction", 0.5), ("learning_rate", 0.02), ("covariance_floor", 1e-4)]
    {
        searched[name] = json!([value]);
    }
    let product = json!({ "product": ["matern-32", "rational-quadratic"] });
    let alone = json!({ "restarts": 0, "steps": 20 });
    let few = json!({ "most": 15, "patience": 5 });
    let fixed = json!({ "variance": 1.0, "length_scales": [1.0, 1.0, 1.0, 1.0], "ridge": 0.3 });
    let gamma = json!({ "known": { "gamma": { "shape": 2.0, "scale": 0.4 } } });
    vec![
        ("unconditional-gaussian", Value::Null),
        ("unconditional-quantiles", Value::Null),
        ("linear-gaussian", Value::Null),
        ("ridge", Value::Null),
        ("linfa-elastic-net", Value::Null),
        ("polynomial", Value::Null),
        ("tree", json!({ "max_depth": 4 })),
        ("smartcore-tree", Value::Null),
        ("smartcore-forest", json!({ "trees": 5 })),
        ("smartcore-extra-trees", json!({ "trees": 5 })),
        ("linfa-tree", Value::Null),
        ("linfa-forest", json!({ "trees": 3 })),
        ("quantile-forest", json!({ "trees": 10, "out_of_bag": true })),
        (
            "quantile-forest-validated",
            json!({ "search_trees": 5, "trees": [5, 8], "min_leaf": [3] }),
        ),
        ("distributional-forest", json!({ "trees": 10 })),
        ("boosting-quantiles", json!({ "min_leaf": 5, "rounds": few })),
        ("ngboost", json!({ "rounds": few })),
        ("ngboost", json!({ "rounds": few, "distribution": "student-t" })),
        ("split-conformal", json!({ "method": linear })),
        ("split-conformal", json!({ "method": dropout })),
        ("conformalised-quantiles", json!({ "method": forest })),
        ("cv-plus", json!({ "method": linear, "folds": 5, "score": "normalised" })),
        ("cv-plus", json!({ "method": linear, "folds": "rows", "interval": "p-value" })),
        ("conformal-distribution", json!({ "method": linear, "calibration": 0.8 })),
        ("conformal-distribution", json!({ "method": linear, "folds": 4 })),
        (
            "conformal-distribution",
            json!({ "method": linear, "calibration": 0.8, "groups": { "spread": 2 } }),
        ),
        (
            "conformal-distribution",
            json!({ "method": linear, "calibration": 0.8, "tilt": [0.1, 0.0, 0.0, 0.0] }),
        ),
        ("adaptive-conformal", json!({ "method": linear, "calibration": 0.8 })),
        ("isotonic-distribution", json!({ "method": linear, "folds": 4 })),
        ("isotonic-distribution", json!({ "method": linear, "smooth": true })),
        ("gmm-regression", json!({ "components": 2 })),
        ("jcm", json!({ "dimension": 2, "components": 2, "epochs": 2 })),
        (
            "jcm",
            json!({ "dimension": 2, "components": 2, "epochs": 2, "standardise": true, "starts": 2 }),
        ),
        ("jcm-validated", searched),
        ("mean-variance-network", network.clone()),
        ("deep-ensemble", json!({ "members": 2, "hidden": 4, "training": epochs })),
        ("mse-ensemble", json!({ "members": 2, "hidden": 4, "training": epochs })),
        (
            "mc-dropout",
            json!({ "hidden": 4, "passes": 10, "rates": [0.05, 0.1], "training": epochs }),
        ),
        (
            "mc-dropout",
            json!({ "hidden": 4, "passes": 10, "rates": [0.1], "noise": false, "training": epochs }),
        ),
        (
            "mc-dropout",
            json!({ "hidden": 4, "passes": 10, "rates": [0.1], "alone": true, "training": epochs }),
        ),
        ("sqr", network.clone()),
        ("sqr", json!({ "hidden": 4, "training": epochs, "intervals": [0.5, 0.9] })),
        ("laplace", json!({ "hidden": 4, "rounds": 2, "training": epochs })),
        (
            "laplace",
            json!({ "hidden": 4, "rounds": 2, "training": epochs, "weights": "last-layer" }),
        ),
        (
            "bnn-hmc",
            json!({ "hidden": 3, "chains": 2, "warm_up": 10, "draws": 8, "depth": 2, "samples": 4 }),
        ),
        ("bnn-vi", json!({ "hidden": 4, "samples": 4, "training": epochs })),
        ("pbp", json!({ "hidden": 4, "epochs": 2 })),
        ("exact-gp", alone.clone()),
        ("exact-gp", json!({ "restarts": 0, "steps": 5, "kernel": { "sum": ["rbf", product] } })),
        ("sparse-gp", json!({ "points": 8, "restarts": 0, "iterations": 10 })),
        ("validated", json!({ "method": normal, "grid": { "hidden": [2, 3] } })),
        (
            "validated",
            json!({ "method": forest, "grid": { "min_leaf": [2, 9] }, "score": "crps", "refit": false }),
        ),
        (
            "stack",
            json!({ "methods": [linear, { "id": "unconditional-quantiles" }, dropout], "folds": 3 }),
        ),
        (
            "stack",
            json!({ "methods": [split, linear], "folds": 3, "refit": false, "calibrated": false }),
        ),
        ("combined", json!({ "hidden": 4, "iterations": 20, "inducing_points": 10 })),
        ("mixture-density-network", network),
        ("stochastic-sparse-gp", json!({ "inducing": 8, "training": climb })),
        (
            "deep-gp",
            json!({ "layers": 3, "inducing": 6, "width": 2, "samples": 3, "training": climb }),
        ),
        ("nonstationary-gp", json!({ "inducing": 4, "restarts": 1, "steps": 5 })),
        ("nonstationary-gp", json!({ "latent_values": "every-row", "restarts": 1, "steps": 3 })),
        (
            "nonstationary-gp",
            json!({ "length_scale": false, "signal": false, "noise": false, "restarts": 1, "steps": 3 }),
        ),
        (
            "rff-gplvm",
            json!({ "frequencies": 25, "samples": 10, "test_samples": 20, "starts": 1, "steps": 20 }),
        ),
        ("wiener-kernel-regression", json!({ "process": alone })),
        ("wiener-kernel-regression", json!({ "noise": gamma, "fixed": fixed })),
        (
            "dtb",
            json!({ "learners": [{ "id": "tree", "count": 3 }, { "id": "linear-gaussian", "count": 2 }] }),
        ),
        ("random-mixtures", json!({ "mixtures": 1 })),
        ("mock", Value::Null),
    ]
}

/// The golden rows, with one more feature that does not vary.
fn table() -> Table {
    let golden = golden_table();
    let constant = Array2::from_elem((golden.rows(), 1), 7.0);
    Table::unnamed(concatenate![Axis(1), golden.features, constant], golden.target)
}

fn first(features: &Array2<f64>, rows: usize) -> ArrayView2<'_, f64> {
    features.slice_axis(Axis(0), (..rows).into())
}

/// Rows between those of the table, and beyond them.
fn new_rows(table: &Table) -> Array2<f64> {
    first(&table.features, 12).mapv(|x| 1.3 * x + 0.1)
}

fn context(purpose: &str) -> Context {
    Context::new(Streams::new(5, "state")).child(purpose, 0)
}

/// A method, and the state of its fit of the table.
fn fitted(id: &str, parameters: &Value) -> (Box<dyn Method>, Box<dyn Fitted>, Vec<u8>) {
    let method = build(id, parameters).unwrap_or_else(|error| panic!("{error}"));
    let fit = method
        .fit(&table(), &context("fit"))
        .unwrap_or_else(|error| panic!("{id} {parameters}: {error}"));
    let state = fit.state().unwrap_or_else(|error| panic!("{id} {parameters}: {error}"));
    (method, fit, state)
}

/// What is asked for: with and without the split, other levels, other numbers of draws.
fn requests() -> [Request; 3] {
    let plain = Request { quantile_levels: vec![0.3, 0.5, 0.7], split: false, samples: 7 };
    [
        Request::default(),
        plain,
        Request { quantile_levels: vec![0.05, 0.95], samples: 40, ..Request::default() },
    ]
}

fn ask(
    fit: &dyn Fitted,
    readings: &[Reading],
    at: ArrayView2<f64>,
) -> Vec<Result<Vec<Predictive>, FitError>> {
    let of =
        |request: &Request| {
            let mut all = vec![fit.predict_all(readings, at, request, &context("predict"))];
            all.extend(readings.iter().map(|reading| {
                Ok(vec![fit.predict(reading, at, request, &context("predict"))?])
            }));
            all
        };
    requests().iter().flat_map(of).collect()
}

#[test]
fn every_method_of_the_registry_is_among_the_cases() {
    let cases = cases();
    for entry in METHODS {
        assert!(
            cases.iter().any(|(id, _)| *id == entry.id),
            "say how a fit of {} is kept",
            entry.id
        );
    }
}

#[test]
fn a_fit_that_is_made_again_predicts_the_same_bits() {
    for (id, parameters) in cases() {
        let (method, fit, state) = fitted(id, &parameters);
        let again =
            method.restore(&state).unwrap_or_else(|error| panic!("{id} {parameters}: {error}"));
        let (table, readings) = (table(), method.readings());
        for at in [table.features.view(), new_rows(&table).view(), first(&table.features, 1)] {
            let expected = ask(&*fit, &readings, at);
            assert!(expected.iter().any(Result::is_ok), "{id} {parameters}: {:?}", expected[0]);
            assert!(ask(&*again, &readings, at) == expected, "{id} {parameters}");
        }
        assert!(again.state().unwrap() == state, "{id} {parameters}");
        // Numbers that are not finite are one in a side table that was stored.
        assert_eq!(json!(again.side_tables()), json!(fit.side_tables()), "{id} {parameters}");
        assert_eq!(again.readings_share_work(), fit.readings_share_work(), "{id}");
    }
}

#[test]
fn a_state_that_is_cut_or_of_another_method_or_asked_for_other_columns_is_refused() {
    let foreign = [
        fitted("linear-gaussian", &Value::Null).2,
        fitted("unconditional-gaussian", &Value::Null).2,
    ];
    for (id, parameters) in cases() {
        let (method, _, state) = fitted(id, &parameters);
        for length in [0, 1, state.len() / 3, state.len() / 2, state.len() - 1] {
            let found = survive(|| method.restore(&state[..length]).map(|_| ()));
            let error =
                found.unwrap_or_else(|panic| panic!("{id} cut at {length}: {panic}")).unwrap_err();
            assert!(matches!(error, StateError::Damaged { .. }), "{id}, {length} bytes: {error}");
        }
        let longer = [&state[..], &[0]].concat();
        assert!(method.restore(&longer).is_err(), "{id}");
        for other in foreign.iter().filter(|other| **other != state) {
            let error = method.restore(other).err().unwrap_or_else(|| panic!("{id}"));
            assert!(matches!(error, StateError::Foreign { .. }), "{id}: {error}");
        }
        let again = method.restore(&state).unwrap_or_else(|error| panic!("{id}: {error}"));
        let fewer = Array2::zeros((2, 3));
        let found = again.predict(
            &method.readings()[0],
            fewer.view(),
            &Request::default(),
            &context("predict"),
        );
        assert_eq!(found.is_err(), id != "mock", "{id} {parameters}");
    }
}

/// A changed number may make another model; it never makes a panic before the prediction, which is
/// caught, or a prediction without an end.
#[test]
fn a_state_with_a_changed_byte_is_refused_or_another_model() {
    let mut random = Streams::new(1, "state").stream("places", 0);
    for (id, parameters) in cases() {
        let (method, _, state) = fitted(id, &parameters);
        let at = new_rows(&table());
        let (mut refused, tries) = (0, 60);
        for attempt in 0..tries {
            // The shapes are among the first bytes, and most bytes are of numbers.
            let place = random
                .random_range(0..if attempt % 2 == 0 { state.len().min(80) } else { state.len() });
            let mut changed = state.clone();
            changed[place] ^= 1 << random.random_range(0..8);
            let found = survive(|| method.restore(&changed));
            match found.unwrap_or_else(|panic| panic!("{id} {parameters}, byte {place}: {panic}")) {
                Err(_) => refused += 1,
                Ok(other) => {
                    let request = Request::default();
                    let context = context("predict");
                    // The last guard of `predict` catches what a number makes of it.
                    let _ = survive(|| {
                        other.predict_all(&method.readings(), first(&at, 3), &request, &context)
                    });
                }
            }
        }
        assert!(refused > 0, "{id} {parameters}: no change of {tries} is refused");
    }
}

#[test]
fn a_fit_outside_of_this_program_keeps_none() {
    struct Other;

    impl Fitted for Other {
        fn predict(
            &self,
            _: &Reading,
            _: ArrayView2<f64>,
            _: &Request,
            _: &Context,
        ) -> Result<Predictive, FitError> {
            Err(FitError::Unsupported("no".into()))
        }
    }

    assert_eq!(Other.state(), Err(StateError::Unsupported));
    let boxed: Vec<Box<dyn Fitted>> = vec![Box::new(Other)];
    assert!(
        of_fits(
            &boxed,
            &mut postcard::Serializer { output: postcard::ser_flavors::AllocVec::new() }
        )
        .is_err()
    );
}

#[test]
fn parameters_inside_a_state_are_checked() {
    use crate::nets::BnnHmcParameters;
    use serde::Deserialize;

    #[derive(Serialize, Deserialize)]
    struct Holds(#[serde(with = "as_json")] BnnHmcParameters);

    let good = write("m", &Holds(BnnHmcParameters::default())).unwrap();
    assert_eq!(read::<Holds>("m", &good).unwrap().0, BnnHmcParameters::default());
    let none =
        write("m", &Holds(BnnHmcParameters { hidden: 0, ..BnnHmcParameters::default() })).unwrap();
    assert!(matches!(read::<Holds>("m", &none), Err(StateError::Damaged { .. })));
    let error = read::<Holds>("n", &good).err().unwrap().to_string();
    assert_eq!(error, "the state is of a fit of `m`, expected one of `n`");
}
