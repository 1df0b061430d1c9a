use crate::golden::{assert_golden, golden_features};
use crate::{Context, FitError, Reading, Request, registry};
use ndarray::{Array1, Array2, ArrayView2, Axis, array};
use rand::RngExt;
use serde_json::{Value, json};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::metrics::{DiscretisedLogScore, Metric, ScoreContext};
use uq_core::predictive::{Form, Predictive};

const IDS: [&str; 2] = ["linfa-tree", "linfa-forest"];

fn context() -> Context {
    Context::new(Streams::new(1, "linfa"))
}

fn predict(
    id: &str,
    parameters: &Value,
    train: &Table,
    at: ArrayView2<f64>,
) -> Result<Predictive, FitError> {
    let fitted = registry::build(id, parameters).unwrap().fit(train, &context())?;
    let predictive = fitted.predict(&Reading::MAIN, at, &Request::default(), &context())?;
    assert_eq!(predictive.validate(), Ok(()));
    Ok(predictive)
}

/// The probabilities of the values in ascending order, one row for each point.
fn probabilities(id: &str, parameters: &Value, train: &Table, at: ArrayView2<f64>) -> Array2<f64> {
    match predict(id, parameters, train, at).unwrap().form {
        Form::Atoms(atoms) => atoms.weights,
        other => panic!("{other:?}"),
    }
}

/// Whole-number features and targets, many of them equal, as red wine's are.
fn graded(rows: usize) -> Table {
    let mut rng = context().stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, 4), || rng.random_range(0_u32..8).into());
    let grade = |x: ndarray::ArrayView1<f64>| {
        (3.0 + 0.25 * (x[0] + x[1]) + 2.0 * rng.random::<f64>()).floor()
    };
    let target = features.rows().into_iter().map(grade).collect();
    Table::unnamed(features.clone(), target)
}

#[test]
fn a_tree_predicts_the_smoothed_frequencies_of_its_leaves() {
    // Twelve rows at x = 0 and ten at x = 1, which leaves of at least ten rows cannot divide
    // further.
    let rows = |x: f64, counts: [usize; 2]| {
        [3.0, 5.0]
            .into_iter()
            .zip(counts)
            .flat_map(move |(y, count)| std::iter::repeat_n((x, y), count))
    };
    let (x, y): (Vec<f64>, Vec<f64>) = rows(0.0, [9, 3]).chain(rows(1.0, [2, 8])).unzip();
    let train = Table::unnamed(Array2::from_shape_vec((22, 1), x).unwrap(), Array1::from_vec(y));
    let at = array![[0.0], [1.0], [-7.0], [0.9]];
    let found = probabilities("linfa-tree", &Value::Null, &train, at.view());
    let (low, high) = ([10.0 / 14.0, 4.0 / 14.0], [3.0 / 12.0, 9.0 / 12.0]);
    for (row, expected) in found.rows().into_iter().zip([low, high, low, high]) {
        assert!(
            (row[0] - expected[0]).abs() < 1e-15 && (row[1] - expected[1]).abs() < 1e-15,
            "{found}"
        );
    }
    let bare = probabilities("linfa-tree", &json!({ "smoothing": 0.0 }), &train, at.view());
    assert!((bare[(0, 1)] - 0.25).abs() < 1e-15 && (bare[(1, 1)] - 0.8).abs() < 1e-15);
}

#[test]
fn without_a_feature_that_varies_a_tree_predicts_the_frequencies() {
    let target: Array1<f64> = [3.0; 5].into_iter().chain([4.0; 3]).chain([8.0; 2]).collect();
    for features in [Array2::ones((10, 2)), Array2::zeros((10, 0))] {
        let train = Table::unnamed(features, target.clone());
        let found = probabilities(
            "linfa-tree",
            &json!({ "smoothing": 0.0 }),
            &train,
            train.features.view(),
        );
        for (p, expected) in found.row(7).iter().zip([0.5, 0.3, 0.2]) {
            assert!((p - expected).abs() < 1e-15, "{found}");
        }
        assert!(predict("linfa-forest", &Value::Null, &train, train.features.view()).is_ok());
    }
}

#[test]
fn a_forest_counts_the_votes_of_bootstrap_samples() {
    // A feature that is constant: each tree votes for the majority of its sample, which 5 of 9 rows
    // above have with probability P(B ≥ 5), B ~ Bin(9, 5/9), = 0.634 493 094 7 (a sum in rational
    // arithmetic, Python's fractions).
    let target: Array1<f64> = [0.0; 4].into_iter().chain([1.0; 5]).collect();
    let train = Table::unnamed(Array2::ones((9, 1)), target);
    let parameters = json!({ "trees": 4000, "smoothing": 0.0 });
    let found = probabilities("linfa-forest", &parameters, &train, array![[1.0]].view());
    // The standard deviation of the share is 0.0076; five of them are exceeded once in a million
    // seeds.
    assert!((found[(0, 1)] - 0.634_493_094_7).abs() < 0.038, "{found}");
    // Where all trees agree, Laplace's rule keeps a share of 1/(T + 2) for the other value.
    let train = Table::unnamed(
        Array2::from_shape_fn((40, 1), |(i, _)| i as f64),
        (0..40).map(|i| f64::from(i / 20)).collect(),
    );
    let found = probabilities(
        "linfa-forest",
        &json!({ "trees": 50 }),
        &train,
        array![[2.0], [37.0]].view(),
    );
    for (row, upper) in [(0, 1.0 / 52.0), (1, 51.0 / 52.0)] {
        assert!((found[(row, 1)] - upper).abs() < 1e-15, "{found}");
    }
}

/// linfa's hash maps have other keys in each map, thread and process: a fit that depended on their
/// order would vary.
#[test]
fn fits_are_the_same_in_every_map_and_thread() {
    let train = graded(160);
    for (id, parameters) in
        [(IDS[0], json!({ "min_leaf": 1 })), (IDS[1], json!({ "trees": 10, "rows": 0.7 }))]
    {
        let fit = || probabilities(id, &parameters, &train, train.features.view());
        let first = fit();
        for repetition in 0..20 {
            assert_eq!(fit(), first, "{id}, repetition {repetition}");
        }
        for threads in [1, 2, 5] {
            let others: Vec<_> = std::thread::scope(|scope| {
                let running: Vec<_> = (0..threads).map(|_| scope.spawn(fit)).collect();
                running.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert!(others.iter().all(|other| *other == first), "{id}, {threads} threads");
        }
    }
}

#[test]
fn neither_the_unit_of_a_feature_nor_an_outlier_changes_a_fit() {
    let train = graded(120);
    let mut other = train.clone();
    other.features.mapv_inplace(|x| 1e-9 * x);
    // Far beyond all others: their differences are not above linfa's 1e-5 in standardised units.
    let highest = train.features.column(0).iter().fold(0.0_f64, |highest, &x| highest.max(x));
    other.features.column_mut(0).zip_mut_with(&train.features.column(0), |x, &was| {
        if was == highest {
            *x = 1e300;
        }
    });
    for id in IDS {
        let found = |table: &Table| probabilities(id, &Value::Null, table, table.features.view());
        assert_eq!(found(&train), found(&other), "{id}");
    }
}

#[test]
fn the_discretised_log_score_is_the_mean_log_probability_of_the_value() {
    let (train, test) = (graded(150), graded(40));
    let context = ScoreContext { target_resolution: Some(1.0), ..ScoreContext::default() };
    for id in IDS {
        let predictive = predict(id, &Value::Null, &train, test.features.view()).unwrap();
        let Form::Atoms(atoms) = &predictive.form else { panic!("{id}") };
        let mut sum = 0.0;
        for (i, y) in test.target.iter().enumerate() {
            let k = (0..atoms.values.ncols()).find(|&k| atoms.values[(i, k)] == *y).unwrap();
            sum += atoms.weights[(i, k)].ln();
        }
        let found = DiscretisedLogScore.score(&predictive, test.target.view(), &context).unwrap();
        assert!((found - sum / 40.0).abs() < 1e-14 && found < 0.0, "{id}: {found}");
        // Better than the frequencies of the values alone: the features carry information.
        let frequency = |y: f64| train.target.iter().filter(|t| **t == y).count() as f64 / 150.0;
        assert!(
            found > test.target.iter().map(|y| frequency(*y).ln()).sum::<f64>() / 40.0,
            "{id}: {found}"
        );
        // A value that no training row has is impossible, whatever the smoothing.
        let unseen = Array1::from_elem(40, 77.0);
        let found = DiscretisedLogScore.score(&predictive, unseen.view(), &context);
        assert_eq!(found, Some(f64::NEG_INFINITY));
        let quantile = predictive.distribution().quantile(0, 0.5).unwrap();
        assert!(atoms.values.row(0).iter().any(|value| *value == quantile));
    }
}

#[test]
fn bad_input_is_refused() {
    let train = graded(30);
    for id in IDS {
        let refused = |train: &Table, at: ArrayView2<f64>, part: &str| {
            let error = predict(id, &Value::Null, train, at).unwrap_err();
            let right =
                matches!(&error, FitError::Unsupported(m) if m.contains(part) && m.contains(id));
            assert!(right, "{error}, expected {part}");
        };
        let at = train.features.view();
        refused(&train.select(&[0]), at, "needs at least 2 training rows, found 1");
        refused(
            &Table::unnamed(train.features.clone(), Array1::ones(30)),
            at,
            "needs a target that varies, found 1",
        );
        let mut broken = train.clone();
        broken.features[(3, 1)] = f64::NAN;
        refused(&broken, at, "found NaN in training row 3, feature 1");
        refused(&train, broken.features.view(), "found NaN in row 3, feature 1");
        broken = train.clone();
        broken.target[4] = f64::INFINITY;
        refused(&broken, at, "found inf in training row 4");
        let many = Table::unnamed(Array2::zeros((300, 1)), (0..300).map(f64::from).collect());
        refused(
            &many,
            many.features.view(),
            "at most 256 distinct values, found 300: round the target",
        );
        let long =
            Table::unnamed(Array2::zeros((8193, 1)), (0..8193).map(|i| f64::from(i % 2)).collect());
        refused(&long, long.features.view(), "takes at most 8192 training rows, found 8193");
        let narrow = train.features.select(Axis(1), &[0]);
        let error = predict(id, &Value::Null, &train, narrow.view()).unwrap_err().to_string();
        assert!(error.contains("fitted on 4 features, asked to predict from 1"), "{error}");
        // Two rows that differ, and no row to predict.
        let two = Table::unnamed(array![[1.0], [2.0]], array![4.0, 7.0]);
        assert!(predict(id, &Value::Null, &two, two.features.view()).is_ok());
        let fitted = registry::build(id, &Value::Null).unwrap().fit(&two, &context()).unwrap();
        let none = fitted.predict(
            &Reading::MAIN,
            Array2::zeros((0, 1)).view(),
            &Request::default(),
            &context(),
        );
        assert_eq!(none.map(|predictive| predictive.len()), Ok(0));
    }
}

#[test]
fn a_fit_stops_when_told_to() {
    let cancel = crate::CancelToken::default();
    let method = registry::build("linfa-forest", &json!({ "trees": 3 })).unwrap();
    cancel.cancel();
    let error = method.fit(&graded(30), &context().stopping(cancel, None)).err();
    assert_eq!(error, Some(FitError::Cancelled));
}

#[test]
fn parameters_out_of_range_are_named() {
    for (id, parameters, part) in [
        (
            IDS[0],
            json!({ "max_depth": 0 }),
            "`max_depth` is 0, expected a whole number from 1 to 128",
        ),
        (
            IDS[0],
            json!({ "min_leaf": 0 }),
            "`min_leaf` is 0, expected a whole number from 1 to 4096",
        ),
        (
            IDS[0],
            json!({ "smoothing": -1.0 }),
            "`smoothing` is -1, expected a number of at least 0",
        ),
        (IDS[1], json!({ "trees": 0 }), "`trees` is 0, expected a whole number from 1 to 65535"),
        (IDS[1], json!({ "rows": 0.0 }), "`rows` is 0, expected a number above 0, at most 1"),
        (
            IDS[1],
            json!({ "features": 1.5 }),
            "`features` is 1.5, expected a number above 0, at most 1",
        ),
    ] {
        let error = registry::build(id, &parameters).err().unwrap().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn golden_fit_guards_the_version() {
    let features = golden_features();
    let target = Array1::from_shape_fn(50, |i| {
        (3.0 + features[(i, 0)] + ((i * 13) % 11) as f64 / 8.0).floor()
    });
    let train = Table::unnamed(features, target);
    for (id, golden) in IDS.into_iter().zip([
        [0.32142857142857145, 0.16071428571428573, 0.022531512605042017, 0.01360544217687075],
        [0.006439830834294502, 0.0027704276635683103, 0.007068110393172354, 0.006009060189046859],
    ]) {
        let found = probabilities(id, &Value::Null, &train, train.features.view());
        // Ratios of counts: the same on every processor.
        assert_golden(
            [found[(0, 1)], found[(17, 2)], found[(30, 3)], found[(49, 4)]],
            golden,
            1e-12,
        );
    }
}
