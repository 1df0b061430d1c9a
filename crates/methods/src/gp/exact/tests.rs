mod prior;

use ndarray::{Array1, Array2, Axis};
use rand::RngExt;
use serde_json::json;

use super::*;
use crate::golden::golden_features;
use crate::{Reading, Request, SideTable, registry};
use uq_core::math::random::Streams;
use uq_core::predictive::{Distribution, Form, Gaussian, Predictive};

fn context() -> Context {
    Context::new(Streams::new(7, "exact-gp"))
}

/// 50 rows, some of them equal, and 3 features whose values are computed without random numbers;
/// the third feature is irrelevant.
fn table() -> Table {
    let features = golden_features();
    let target = Array1::from_shape_fn(50, |i| {
        let x = features.row(i);
        3.0 + 2.0 * f64::sin(2.0 * x[0]) - 0.5 * x[1] + ((i * 13) % 11) as f64 / 20.0
    });
    Table::unnamed(features, target)
}

fn fit(parameters: serde_json::Value, train: &Table) -> Result<Box<dyn Fitted>, FitError> {
    registry::build(ID, &parameters).unwrap().fit(train, &context())
}

/// The standardised rows of a table.
fn observations(table: &Table) -> Observations {
    let (_, x, y) = standardise(ID, table, &context()).unwrap();
    Observations::new(x, y)
}

fn gaussian(fitted: &dyn Fitted, table: &Table) -> (Gaussian, Predictive) {
    let predictive = fitted
        .predict(&Reading::MAIN, table.features.view(), &Request::default(), &context())
        .unwrap();
    let Form::Gaussian(gaussian) = predictive.form.clone() else { panic!("a normal answer") };
    (gaussian, predictive)
}

fn side_table(fitted: &dyn Fitted, name: &str) -> SideTable {
    fitted.side_tables().into_iter().find(|side_table| side_table.name == name).unwrap()
}

fn number(fitted: &dyn Fitted, column: &str) -> f64 {
    side_table(fitted, "fit").column(column).unwrap()[0]
}

#[test]
fn the_prediction_is_the_posterior_in_the_targets_units_with_its_split() {
    let table = table();
    let fitted = fit(json!({}), &table).unwrap();
    let (gaussian, predictive) = gaussian(fitted.as_ref(), &table);
    let (scales, ..) = standardise(ID, &table, &context()).unwrap();
    let values = |name: &str| side_table(fitted.as_ref(), "kernel").column(name).unwrap().to_vec();
    let logs: Vec<f64> = values("value").iter().map(|value| value.ln()).collect();
    assert_eq!(values("feature"), [-1.0, 0.0, 1.0, 2.0]);
    let mut kernel = Composition::Shape(Shape::Rbf).kernel(3);
    kernel.set_log_parameters(&logs);
    let all = observations(&table);
    let noise = number(fitted.as_ref(), "noise_variance");
    let posterior =
        Posterior::new(kernel, noise, all.points(), &all.targets, faer::Par::Seq).unwrap();
    let (mean, variance) = posterior.function(all.points(), || Ok::<_, FitError>(())).unwrap();
    let (shift, scale) = (scales.target.shift, scales.target.scale);
    let split = predictive.split.unwrap();
    for i in 0..50 {
        assert!((gaussian.mean[i] - shift - scale * mean[i]).abs() < 1e-9);
        let [epistemic, aleatoric] =
            [&split.epistemic, &split.aleatoric].map(|part| part.as_ref().unwrap()[i]);
        assert!(
            (epistemic - scale * scale * variance[i]).abs() < 1e-9
                && (aleatoric - scale * scale * noise).abs() < 1e-12
        );
        assert!((gaussian.variance[i] - epistemic - aleatoric).abs() < 1e-12);
    }
}

#[test]
fn the_likelihood_is_at_a_maximum_and_an_irrelevant_feature_is_switched_off() {
    let table = table();
    let fitted = fit(json!({ "tolerance": 0.0 }), &table).unwrap();
    assert!(number(fitted.as_ref(), "gradient_norm") < 1e-3);
    let starts = side_table(fitted.as_ref(), "starts");
    let log_marginals = starts.column("log_marginal").unwrap();
    let best = log_marginals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(
        (log_marginals.len(), starts.column("chosen").unwrap().iter().sum::<f64>()),
        (11, 1.0)
    );
    assert!((number(fitted.as_ref(), "log_marginal") - best).abs() < 1e-9);
    let kernel = side_table(fitted.as_ref(), "kernel");
    let values = kernel.column("value").unwrap();
    assert!(values[3] > 20.0 * values[1], "length scales {values:?}");
}

/// 120 rows of eight features, two of them idle, on a coarse grid: features can be switched on and
/// off in many ways.
fn many_maxima(seed: u64) -> Table {
    let mut rng = Streams::new(seed, "many maxima").stream("rows", 0);
    let features =
        Array2::from_shape_fn((120, 8), |(_, j)| f64::from(rng.random_range(0..2 + j as i32)));
    let target = features.rows().into_iter().map(|x| {
        let steps = if x[1] + x[4] > 3.0 { 2.0 } else { 0.0 };
        steps + f64::sin(2.0 * x[2]) + x[0] * x[5] / 3.0 + 0.05 * rng.random_range(-1.0..1.0)
    });
    let target = target.collect();
    Table::unnamed(features, target)
}

#[test]
fn no_lower_bound_exceeds_the_maximum_that_is_found() {
    for seed in 0..6 {
        let table = many_maxima(seed);
        let found = number(fit(json!({}), &table).unwrap().as_ref(), "log_marginal");
        let sparse = registry::build("sparse-gp", &json!({ "points": 40 }))
            .unwrap()
            .fit(&table, &context())
            .unwrap();
        let bound = number(sparse.as_ref(), "bound");
        assert!(
            found > bound - 0.05,
            "table {seed}: ln p(y) {found}, a sparse process has at least {bound}"
        );
    }
}

/// 700 rows of noise and little else, whose first 150 rows occur twice.
fn noise_with_twins() -> Table {
    let mut rng = Streams::new(1, "twins").stream("rows", 0);
    let features = Array2::from_shape_fn((700, 3), |_| rng.random_range(-1.7..1.7));
    let target =
        features.rows().into_iter().map(|x| 0.3 * x[0] + rng.random_range(-1.0..1.0)).collect();
    let rows: Vec<usize> = (0..700).chain(0..150).collect();
    Table::unnamed(features, target).select(&rows)
}

#[test]
fn the_maximum_of_the_twins_is_found_and_rises_as_the_floor_falls() {
    let table = noise_with_twins();
    let found = [1e-2, 1e-4, 1e-6].map(|floor| {
        let fitted = fit(json!({ "noise_floor": floor, "restarts": 1 }), &table).unwrap();
        (number(fitted.as_ref(), "log_marginal"), number(fitted.as_ref(), "noise_at_bound"))
    });
    assert_eq!((found[1].1, found[2].1), (1.0, 1.0), "{found:?}");
    // Each pair adds ln 10 where the floor falls to a hundredth.
    let gain = found[2].0 - found[1].0;
    assert!(
        (gain / (150.0 * 10.0_f64.ln()) - 1.0).abs() < 0.1 && found[1].0 > found[0].0,
        "{found:?}"
    );
}

#[test]
fn starts_are_explored_the_best_compared_on_all_rows_and_the_winner_followed_to_its_end() {
    let explored = fit(json!({ "restarts": 3, "exploration_steps": 2 }), &table()).unwrap();
    let starts = side_table(explored.as_ref(), "starts");
    let column = |name: &str| starts.column(name).unwrap();
    let (order, values, steps) = (column("start"), column("log_marginal"), column("iterations"));
    assert_eq!((order.len(), &order[..5]), (9, [0.0, 1.0, 2.0, 3.0, 4.0].as_slice()));
    assert!(
        steps[..5].iter().all(|steps| *steps <= 2.0)
            && steps[5..8].iter().all(|steps| *steps <= 4.0)
    );
    let ranked = |mut places: Vec<usize>| {
        places.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
        places
    };
    let best = ranked((0..5).collect());
    for (place, from) in best[..3].iter().enumerate() {
        assert!(order[5 + place] == order[*from] && values[5 + place] >= values[*from]);
    }
    let winner = ranked(vec![5, 6, 7])[0];
    assert!(order[8] == order[winner] && values[8] >= values[winner]);
    assert_eq!(column("chosen")[8], 1.0);
    // On some of the rows, the same for all starts.
    let few = fit(json!({ "exploration_rows": 30 }), &table()).unwrap();
    let starts = side_table(few.as_ref(), "starts");
    assert_eq!(starts.column("rows").unwrap(), [vec![30.0; 7], vec![50.0; 4]].concat());
    // With no restarts there is one search, and nothing is compared.
    let alone = fit(json!({ "restarts": 0 }), &table()).unwrap();
    assert_eq!(side_table(alone.as_ref(), "starts").column("start").unwrap(), [0.0]);
}

#[test]
fn equal_parts_of_a_sum_can_become_different() {
    let fitted =
        fit(json!({ "kernel": { "sum": ["rbf", "rbf"] }, "restarts": 0 }), &table()).unwrap();
    let kernel = side_table(fitted.as_ref(), "kernel");
    let values = kernel.column("value").unwrap();
    assert!(values[..4] != values[4..], "{values:?}");
}

#[test]
fn very_long_length_scales_are_accepted_and_reported() {
    // A plane without noise, which a process of ever longer length scales meets ever better.
    let table = table();
    let plane = table.features.rows().into_iter().map(|x| 1.0 + 2.0 * x[0] - x[1]).collect();
    let fitted =
        sound(json!({ "tolerance": 0.0 }), &Table::unnamed(table.features.clone(), plane)).unwrap();
    let kernel = side_table(fitted.as_ref(), "kernel");
    assert!(
        kernel.column("value").unwrap()[1..].iter().all(|length_scale| *length_scale > 5.0),
        "{kernel:?}"
    );
    let space = Space::new(Composition::Shape(Shape::Rbf).kernel(2), &RANGES, 1e-6);
    let at =
        |length_scale: f64, noise: f64| space.at_bound(&[0.0, length_scale.ln(), 0.0, noise.ln()]);
    assert_eq!(at(9e4, 1.1e-6), [false, true, false, false]);
    assert_eq!(at(1.1e-3, 1.005e-6), [false, true, false, true]);
    assert_eq!(at(7e4, 9.95), [false, false, false, true]);
}

#[test]
fn a_likelihood_that_is_undefined_everywhere_is_an_error() {
    let table = table();
    let mut all = observations(&table);
    all.targets[3] = f64::NAN;
    let space = Space::new(Composition::Shape(Shape::Rbf).kernel(all.inputs), &RANGES, 1e-6);
    let mut likelihood = all.likelihood(faer::Par::Seq);
    let mut search = Search::new(&space.first_start(), &space.bounds);
    let found =
        space.maximise(&mut likelihood, &mut search, &Settings::default(), || Ok(())).unwrap();
    assert_eq!(found, None);
    match ExactGpParameters::default().search(&space, &all, &context()) {
        Err(FitError::Diverged(text)) => {
            assert!(
                text.contains(
                    "the likelihood of the 50 training rows is undefined at all 7 starts"
                ),
                "{text}"
            );
        }
        _ => panic!("an error that says so"),
    }
}

#[test]
fn a_refit_keeps_parameters_and_scales_and_uses_the_new_rows() {
    let table = table();
    let few = table.select(&(0..40).collect::<Vec<_>>());
    let fitted = fit(json!({}), &few).unwrap();
    let refitted = fitted.refit(&table, &context()).unwrap();
    assert_eq!(side_table(fitted.as_ref(), "kernel"), side_table(refitted.as_ref(), "kernel"));
    assert_eq!((number(fitted.as_ref(), "rows"), number(refitted.as_ref(), "rows")), (40.0, 50.0));
    assert_eq!(number(fitted.as_ref(), "target_scale"), number(refitted.as_ref(), "target_scale"));
    let (before, after) =
        (gaussian(fitted.as_ref(), &table).0, gaussian(refitted.as_ref(), &table).0);
    assert!((0..50).all(|i| after.variance[i] <= before.variance[i] + 1e-9));
    assert!((40..50).all(|i| after.variance[i] < before.variance[i]));
    let same = fitted.refit(&few, &context()).unwrap();
    assert_eq!(gaussian(same.as_ref(), &table).0, before);
    let narrow = Table::unnamed(Array2::zeros((3, 2)), Array1::zeros(3));
    assert!(matches!(fitted.refit(&narrow, &context()), Err(FitError::Unsupported(_))));
    assert!(matches!(fitted.refit(&few.select(&[]), &context()), Err(FitError::Unsupported(_))));
}

/// Finite predictions with positive variance everywhere, or an error that says why.
fn sound(parameters: serde_json::Value, table: &Table) -> Result<Box<dyn Fitted>, FitError> {
    let fitted = fit(parameters, table)?;
    let (gaussian, _) = gaussian(fitted.as_ref(), table);
    assert!(
        (0..gaussian.len()).all(|i| gaussian.mean[i].is_finite() && gaussian.variance[i] > 0.0)
    );
    for SideTable { columns, .. } in fitted.side_tables() {
        assert!(columns.iter().all(|(_, values)| values.len() == columns[0].1.len()));
    }
    Ok(fitted)
}

#[test]
fn every_kernel_is_fitted() {
    for kernel in [
        json!("matern-12"),
        json!("matern-32"),
        json!("matern-52"),
        json!("rational-quadratic"),
        json!({ "sum": ["rbf", "matern-12"] }),
        json!({ "product": ["rbf", "matern-32"] }),
    ] {
        let fitted = sound(json!({ "kernel": kernel, "restarts": 1 }), &table()).unwrap();
        assert!(number(fitted.as_ref(), "log_marginal") > -60.0, "{kernel}");
    }
}

#[test]
fn equal_rows_with_a_tiny_noise_floor_are_fitted_or_diverge() {
    let twins = table().select(&(0..51).map(|i| i % 17).collect::<Vec<_>>());
    // A rough process fits any targets, and three equal rows each show that there is no noise.
    let fitted = sound(json!({ "kernel": "matern-12" }), &twins).unwrap();
    assert_eq!(number(fitted.as_ref(), "noise_at_bound"), 1.0);
    assert!((number(fitted.as_ref(), "noise_variance") / 1e-6 - 1.0).abs() < 0.01);
    assert_eq!(
        side_table(fitted.as_ref(), "starts").column("start").unwrap()[..7],
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    );
    let fitted = sound(json!({ "kernel": "matern-12", "noise_floor": 0.01 }), &twins).unwrap();
    assert_eq!(
        (number(fitted.as_ref(), "noise_at_bound"), number(fitted.as_ref(), "noise_floor")),
        (1.0, 0.01)
    );
    match sound(json!({ "noise_floor": 1e-300 }), &twins) {
        Ok(fitted) => assert!(number(fitted.as_ref(), "condition_at_least") > 1e4),
        Err(error) => assert!(matches!(error, FitError::Diverged(_)), "{error}"),
    }
}

#[test]
fn a_target_of_pure_noise_is_predicted_with_its_variance() {
    let table = table();
    let target = Array1::from_shape_fn(50, |i| ((i * 7919 + 13) % 101) as f64);
    let noise = Table::unnamed(table.features.clone(), target);
    let fitted = sound(json!({}), &noise).unwrap();
    assert!(number(fitted.as_ref(), "noise_variance") > 0.3);
}

#[test]
fn extreme_tables_are_fitted_or_refused_with_a_reason() {
    let table = table();
    let refused = |parameters, table: &Table, word: &str| match sound(parameters, table) {
        Err(FitError::Unsupported(text)) => assert!(text.contains(word), "{text}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("{word}"),
    };
    refused(json!({}), &table.select(&[0]), "at least 2 training rows");
    refused(
        json!({}),
        &Table::unnamed(table.features.clone(), Array1::from_elem(50, 2.0)),
        "a target that varies",
    );
    let mut holes = table.clone();
    holes.features[(3, 1)] = f64::NAN;
    refused(json!({}), &holes, "finite features");
    let many = Table::unnamed(Array2::zeros((5001, 1)), Array1::from_shape_fn(5001, |i| i as f64));
    refused(json!({}), &many, "at most 5000 training rows");
    sound(json!({}), &table.select(&[0, 1])).unwrap();
    // Without a feature that varies only the target's distribution remains.
    let constant = Table::unnamed(Array2::ones((50, 2)), table.target.clone());
    let fitted = sound(json!({}), &constant).unwrap();
    let (gaussian, _) = gaussian(fitted.as_ref(), &constant);
    assert!((gaussian.mean[7] - table.target.mean().unwrap()).abs() < 1e-6);
    assert!((gaussian.variance[7] / table.target.var(0.0) - 1.0).abs() < 0.05);
    // More features than rows, and numbers of any size.
    let wide = Array2::from_shape_fn((6, 40), |(i, j)| ((i * 31 + j * 17) % 23) as f64 * 1e150);
    sound(
        json!({ "restarts": 1 }),
        &Table::unnamed(wide, Array1::from_shape_fn(6, |i| (i * i) as f64 * 1e-150)),
    )
    .unwrap();
}

#[test]
fn a_stop_is_obeyed_and_invalid_requests_are_refused() {
    let method = registry::build(ID, &json!({})).unwrap();
    let cancel = crate::CancelToken::default();
    cancel.cancel();
    let stopped = context().stopping(cancel, None);
    assert_eq!(method.fit(&table(), &stopped).err(), Some(FitError::Cancelled));
    let fitted = fit(json!({ "restarts": 0 }), &table()).unwrap();
    let other = fitted.predict(
        &Reading::new("x"),
        table().features.view(),
        &Request::default(),
        &context(),
    );
    assert!(matches!(other, Err(FitError::Unsupported(_))));
    let narrow = table().features.select(Axis(1), &[0]);
    let asked = fitted.predict(&Reading::MAIN, narrow.view(), &Request::default(), &context());
    assert!(matches!(asked, Err(FitError::Unsupported(_))));
}

#[test]
fn parameters_out_of_range_are_refused() {
    for (wrong, word) in [
        (json!({ "noise_floor": 0.0 }), "noise_floor"),
        (json!({ "restarts": 101 }), "restarts"),
        (json!({ "exploration_steps": 0 }), "exploration_steps"),
        (json!({ "exploration_rows": 1 }), "exploration_rows"),
        (json!({ "steps": 0 }), "steps"),
        (json!({ "tolerance": -1.0 }), "tolerance"),
        (json!({ "kernel": { "sum": [] } }), "kernel"),
        (json!({ "kernel": "cubic" }), "Composition"),
        (json!({ "noise": 1.0 }), "noise"),
    ] {
        let error = registry::build(ID, &wrong).err().map(|error| error.to_string()).unwrap();
        assert!(error.contains(word), "{wrong}: {error}");
    }
    assert!(registry::build(ID, &json!({ "restarts": 0 })).unwrap().facts().deterministic);
}

#[test]
fn golden_fit_guards_the_version() {
    let method = registry::build(ID, &json!({})).unwrap();
    let fitted = method.fit(&table(), &context()).unwrap();
    let (gaussian, _) = gaussian(fitted.as_ref(), &table());
    let found = [gaussian.mean[3], gaussian.variance[3], number(fitted.as_ref(), "log_marginal")];
    let near = found.iter().zip(GOLDEN).all(|(found, golden)| (found / golden - 1.0).abs() < 3e-3);
    assert!(near && method.version() == 3, "{found:?} against {GOLDEN:?}: raise the version");
}

/// Mean and variance of the fourth row, and ln p(y); a search ends anywhere within its tolerance,
/// which processors' rounding decides.
const GOLDEN: [f64; 3] = [2.5254585577267026, 0.01718172429920522, 26.693862437650488];

#[test]
fn points_are_row_by_row() {
    let table = table();
    let all = observations(&table);
    let some = all.select(&[4, 2]);
    assert_eq!(
        (some.points().row(0), some.points().row(1)),
        (all.points().row(4), all.points().row(2))
    );
    assert_eq!(some.targets, [all.targets[4], all.targets[2]]);
}
