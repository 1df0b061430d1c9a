//! Check the rule `narrowest-covering`, its `none`, and a fit without a last one.

use super::*;
use uq_core::metrics::{Mpiw, Picp};
use uq_core::predictive::{Form, Quantiles, central_levels};

/// One normal distribution of target and features whose covariance has at least this floor: the
/// larger, the wider.
const FLOORS: [f64; 5] = [1.0, 0.3, 1e-6, 0.2, 0.15];

fn rule(level: f64, tolerance: f64) -> Value {
    json!({ "narrowest-covering": { "level": level, "tolerance": tolerance } })
}

fn mixtures(level: f64, tolerance: f64) -> Value {
    let method = json!({ "id": "gmm-regression", "parameters": { "components": 1 } });
    let grid = json!({ "covariance_floor": FLOORS });
    json!({ "method": method, "grid": grid, "fraction": 0.25, "score": rule(level, tolerance) })
}

/// Coverage and mean width on the held-out rows with each floor.
fn measured(train: &Table, level: f64) -> Vec<(f64, f64)> {
    let of = |floor: &f64| {
        let found = held_out(
            "gmm-regression",
            &json!({ "components": 1, "covariance_floor": floor }),
            train,
            0.25,
        );
        (metric(&Picp { level }, &found, None), metric(&Mpiw { level }, &found, None))
    };
    FLOORS.iter().map(of).collect()
}

#[test]
fn the_narrowest_of_the_settings_that_cover_is_chosen() {
    let (train, level, tolerance) = (table(160), 0.7, 0.06);
    let measured = measured(&train, level);
    let covers = |coverage: f64| coverage > level - tolerance && coverage < level + tolerance;
    let covering: Vec<usize> = (0..5).filter(|&i| covers(measured[i].0)).collect();
    assert!((2..5).contains(&covering.len()), "some settings cover and some do not: {measured:?}");
    let fitted = fit(mixtures(level, tolerance), &train).unwrap();
    // A setting that does not cover has no score.
    assert_eq!(
        column(&*fitted, "covariance_floor"),
        covering.iter().map(|&i| FLOORS[i]).collect::<Vec<_>>()
    );
    let widths: Vec<f64> = covering.iter().map(|&i| measured[i].1).collect();
    for (score, width) in column(&*fitted, "score").iter().zip(&widths) {
        assert!((score + width).abs() < 1e-12, "{score} against a width of {width}");
    }
    let narrowest = arg_max(&widths.iter().map(|width| -width).collect::<Vec<_>>());
    assert_eq!(
        column(&*fitted, "chosen").iter().position(|chosen| *chosen == 1.0),
        Some(narrowest)
    );
}

#[test]
fn without_a_setting_that_covers_the_fit_ends_with_none() {
    let train = table(160);
    // Of 40 rows no share lies between 0.9985 and 0.9995.
    let coverage = (measured(&train, 0.999)[0].0 * 1e4).round() / 1e4;
    let error = fit(mixtures(0.999, 0.0005), &train).err().unwrap();
    let FitError::NoneCovers(message) = &error else { panic!("{error}") };
    let expected = format!(
        "validated: none of 5 candidates has a score; the first, covariance_floor = 1.0: none: its \
         99.9 % intervals hold a share of {coverage} of the held-out outcomes, expected one that \
         differs from 0.999 by less than 0.0005"
    );
    assert_eq!(*message, expected);
    // The interval of a point has both ends there: no outcome is inside.
    let mock = json!({ "method": { "id": "mock" }, "grid": { "tag": [1, 2] }, "score": rule(0.95, 0.025) });
    assert!(matches!(fit(mock.clone(), &train), Err(FitError::NoneCovers(_))));
    let plain = json!({ "method": { "id": "mock" }, "grid": { "tag": [1] } });
    assert_eq!(
        [mock, plain].map(|parameters| build(parameters).unwrap().facts().chooses_by_coverage),
        [true, false]
    );
    // A failure of all settings is no `none`.
    let lost = json!({ "behaviour": "diverge" });
    let lost = json!({ "method": { "id": "mock", "parameters": lost }, "grid": { "tag": [1] }, "score": rule(0.95, 0.025) });
    assert!(matches!(fit(lost, &train), Err(FitError::Diverged(_))));
}

#[test]
fn both_ends_of_the_tolerance_are_outside() {
    // Of the outcomes 0 to 39 the interval [−1, high] holds those below `high`.
    let held_out = Table::unnamed(Array2::zeros((40, 1)), Array1::from_shape_fn(40, |i| i as f64));
    let covering = |high: f64| {
        let values = Array2::from_shape_fn((40, 2), |(_, l)| if l == 0 { -1.0 } else { high });
        let levels = <[f64; 2]>::from(central_levels(0.95)).to_vec();
        let predictive = Predictive::new(Form::Quantiles(Quantiles { levels, values }));
        ValidationScore::NarrowestCovering { level: 0.95, tolerance: 0.025 }.of(
            &predictive,
            &held_out,
            &[],
        )
    };
    assert!(covering(36.5).is_err(), "37 of 40 are 0.925");
    assert_eq!(covering(37.5), Ok(Some(-38.5)));
    assert_eq!(covering(38.0), Ok(Some(-39.0)), "the outcome at the end is not inside");
    assert!(covering(38.5).is_err(), "39 of 40 are 0.975");
}

#[test]
fn without_a_last_fit_the_chosen_one_is_the_result() {
    let train = table(160);
    let mut parameters = mixtures(0.7, 0.15);
    let again = fit(parameters.clone(), &train).unwrap();
    parameters["refit"] = json!(false);
    let kept = fit(parameters, &train).unwrap();
    assert_eq!(search(&*kept), search(&*again));
    let floor = column(&*kept, "covariance_floor")[arg_max(&column(&*kept, "score"))];
    let (expected, y) = held_out(
        "gmm-regression",
        &json!({ "components": 1, "covariance_floor": floor }),
        &train,
        0.25,
    );
    let order = permutation(160, &mut context().stream("validation-rows", 0));
    let out = train.select(&order[..40]);
    assert_eq!(out.target, y);
    let answer = |fitted: &dyn Fitted| {
        let request = Request::default();
        fitted.predict(&Reading::MAIN, out.features.view(), &request, &context()).unwrap()
    };
    assert_eq!(answer(&*kept), expected);
    assert_ne!(answer(&*again), expected);
}

#[test]
fn what_the_score_does_not_need_is_left_out_of_the_search() {
    let train = table(120);
    let rates = [1e-4, 1e-2, 1e-1];
    let with = |intervals: &[f64], rate: Option<f64>| {
        let mut training = json!({ "epochs": 12, "validation": 0.0 });
        rate.into_iter().for_each(|rate| training["adam"] = json!({ "learning_rate": rate }));
        json!({ "hidden": 6, "intervals": intervals, "training": training })
    };
    let searched = |intervals: &[f64], refit: bool, in_search: Value| {
        let method = json!({ "id": "sqr", "parameters": with(intervals, None) });
        let grid = json!({ "training.adam.learning_rate": rates });
        json!({
            "method": method, "grid": grid, "score": rule(0.8, 0.7), "fraction": 0.25, "refit": refit, "in_search": in_search,
        })
    };
    let answer = |fitted: &dyn Fitted| {
        fitted
            .predict(&Reading::MAIN, train.features.view(), &Request::default(), &context())
            .unwrap()
    };
    let order = permutation(120, &mut context().stream("validation-rows", 0));
    for (refit, rows) in [(true, train.clone()), (false, train.select(&order[30..]))] {
        let both =
            fit(searched(&[0.5, 0.8], refit, json!({ "intervals": [0.8] })), &train).unwrap();
        let one = fit(searched(&[0.8], refit, json!({})), &train).unwrap();
        assert_eq!(
            search(&*both),
            search(&*one),
            "the search is that of the interval of the score alone"
        );
        let rate = column(&*both, "training.adam.learning_rate")[arg_max(&column(&*both, "score"))];
        let sqr = registry::build("sqr", &with(&[0.5, 0.8], Some(rate))).unwrap();
        assert_eq!(
            answer(&*both),
            answer(&*sqr.fit(&rows, &context()).unwrap()),
            "the result has both intervals"
        );
    }
    let parameters = |in_search| build(searched(&[0.8], true, in_search)).unwrap().parameters();
    assert_eq!(parameters(json!({})).get("in_search"), None, "the keys of trials without it stay");
    assert_eq!(parameters(json!({ "hidden": 3 }))["in_search"], json!({ "hidden": 3 }));
    let message = build(searched(&[0.8], true, json!({ "interval": [0.8] }))).err().unwrap();
    assert!(message.contains("in_search: ") && message.contains("interval"), "{message}");
}

#[test]
fn faults_of_the_rule_are_named() {
    let with = |score: Value| {
        let method = json!({ "id": "gmm-regression" });
        build(json!({ "method": method, "grid": { "components": [1] }, "score": score }))
            .err()
            .unwrap()
    };
    let message = with(rule(1.0, 0.025));
    assert!(
        message.contains("parameter `score` is") && message.contains("a level between 0 and 1"),
        "{message}"
    );
    assert!(with(rule(0.95, 0.0)).contains("a tolerance above 0"));
    let message = with(json!({ "narrowest-covering": { "level": 0.95 } }));
    assert!(message.contains("missing field `tolerance`"), "{message}");
}
