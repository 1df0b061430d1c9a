//! Properties of whole fits.

use super::*;
use crate::golden::{assert_golden, first_and_last, golden_table};

#[test]
fn noise_that_varies_is_recovered_and_called_aleatoric() {
    let table = noisy_wave(160);
    let fitted = fit(short(500, 2), &table).unwrap();
    let at = array![[-0.8, 5.0], [-0.3, 5.0], [0.2, 5.0], [0.8, 5.0]];
    let predictive = predict(&*fitted, at.view());
    let split = predictive.split.clone().unwrap();
    let (aleatoric, epistemic) = (split.aleatoric.unwrap(), split.epistemic.unwrap());
    let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
    for (i, x) in at.column(0).iter().enumerate() {
        let (mean, sd) = (20.0 + 3.0 * (2.0 * x).sin(), 0.1 + 0.4 * (x + 1.0));
        // About 40 rows determine the noise at a place: to 11 % of its standard deviation.
        assert!(
            (aleatoric[i].sqrt() / sd - 1.0).abs() < 0.35,
            "x {x}: ω {} against {sd}",
            aleatoric[i].sqrt()
        );
        let error = (means[i] - mean) / epistemic[i].sqrt();
        assert!(
            error.abs() < 3.5,
            "x {x}: {} against {mean}, {error} standard deviations of f",
            means[i]
        );
        assert!((variances[i] - aleatoric[i] - epistemic[i]).abs() < 1e-9 && epistemic[i] > 0.0);
    }
    let side_tables = fitted.side_tables();
    let names: Vec<&str> = side_tables.iter().map(|side_table| side_table.name.as_str()).collect();
    let expected = [
        "hyper-functions-at-rows",
        "hyper-functions",
        "inducing-inputs",
        "latent",
        "restarts",
        "convergence",
        "diagonal",
    ];
    assert_eq!(names, expected);
    let noise = side_tables[0].column("noise").unwrap();
    let there = predict(&*fitted, table.features.view()).split.unwrap().aleatoric.unwrap();
    assert!(
        noise
            .iter()
            .zip(&there)
            .all(|(noise, variance)| (noise * noise / variance - 1.0).abs() < 1e-9)
    );
    assert_eq!(side_tables[1].column("x1").unwrap().len(), 200);
    assert_eq!((side_tables[1].column("x1").unwrap()[0], side_tables[2].columns.len()), (-1.0, 1));
}

#[test]
fn the_best_start_is_kept_and_the_seed_determines_the_fit() {
    let table = noisy_wave(30);
    let fitted = fit(short(60, 4), &table).unwrap();
    let side_tables = fitted.side_tables();
    let restarts = side_tables.iter().find(|side_table| side_table.name == "restarts").unwrap();
    let objectives = restarts.column("objective").unwrap();
    let kept = restarts.column("kept").unwrap().iter().position(|&kept| kept == 1.0).unwrap();
    assert_eq!(objectives.len(), 4);
    assert!(objectives.iter().all(|&objective| objective >= objectives[kept]));
    assert!(objectives.iter().enumerate().all(|(i, &other)| i == kept || other > objectives[kept]));
    let answer = predict(&*fitted, table.features.view());
    assert_eq!(predict(&*fit(short(60, 4), &table).unwrap(), table.features.view()), answer);
    // More starts add to the first ones and change none of them.
    let more = fit(short(60, 6), &table).unwrap().side_tables();
    let more = more
        .iter()
        .find(|side_table| side_table.name == "restarts")
        .unwrap()
        .column("objective")
        .unwrap()
        .to_vec();
    assert_eq!(more[..4], *objectives);
}

#[test]
fn a_start_that_ends_above_its_first_objective_is_repeated_with_a_smaller_step() {
    // Without noise, steps of this length jump from one bound to the other.
    let x = Array2::from_shape_fn((30, 1), |(i, _)| i as f64 / 10.0);
    let y = x.column(0).mapv(|x| (2.0 * x).sin());
    let table = Table::unnamed(x, y);
    let ends = |retries: usize| {
        let parameters = NonstationaryGpParameters { learning_rate: 1.0, retries, ..short(40, 20) };
        let side_tables = fit(parameters, &table).unwrap().side_tables();
        let of = |name: &str| {
            side_tables.iter().find(|side_table| side_table.name == name).unwrap().clone()
        };
        (of("restarts"), of("convergence"))
    };
    let (once, _) = ends(0);
    let (restarts, convergence) = ends(2);
    let column = |name: &str| restarts.column(name).unwrap().to_vec();
    let (attempts, rates, objectives) =
        (column("attempts"), column("learning_rate"), column("objective"));
    assert!(attempts.iter().any(|&attempts| attempts > 1.0), "{attempts:?}");
    for i in 0..attempts.len() {
        assert!((rates[i] / 0.1_f64.powf(attempts[i] - 1.0) - 1.0).abs() < 1e-12);
        assert!(
            objectives[i] <= column("start")[i]
                && objectives[i] <= once.column("objective").unwrap()[i]
        );
        assert_eq!(once.column("attempts").unwrap()[i], 1.0);
        assert!(
            attempts[i] == 1.0 || once.column("converged").unwrap()[i] == 0.0,
            "a failed attempt has not converged"
        );
    }
    let kept = column("kept").iter().position(|&kept| kept == 1.0).unwrap();
    for name in ["converged", "attempts", "learning_rate", "objective", "slope", "step"] {
        assert_eq!(convergence.column(name).unwrap(), [column(name)[kept]]);
    }
}

#[test]
fn a_refit_on_more_rows_reduces_the_epistemic_variance() {
    let table = noisy_wave(40);
    let few = table.select(&(0..40).step_by(2).collect::<Vec<_>>());
    let fitted = fit(short(80, 1), &few).unwrap();
    let same = fitted.refit(&few, &context()).unwrap();
    assert_eq!(predict(&*same, table.features.view()), predict(&*fitted, table.features.view()));
    let more = fitted.refit(&table, &context()).unwrap();
    let (before, after) =
        (predict(&*fitted, table.features.view()), predict(&*more, table.features.view()));
    let (before, after) = (before.split.unwrap(), after.split.unwrap());
    for (old, new) in before.aleatoric.unwrap().iter().zip(&after.aleatoric.unwrap()) {
        assert!((old / new - 1.0).abs() < 1e-12, "ω belongs to the hyperparameters");
    }
    for (old, new) in before.epistemic.unwrap().iter().zip(&after.epistemic.unwrap()) {
        assert!(*new <= old * (1.0 + 1e-9), "a row never adds to var f: {new} after {old}");
    }
    let error =
        fitted.refit(&Table::unnamed(array![[1.0]], array![1.0]), &context()).err().unwrap();
    assert!(error.to_string().contains("fitted on 2 features"), "{error}");
    let hole = Table::unnamed(array![[1.0, f64::NAN]], array![1.0]);
    assert!(matches!(fitted.refit(&hole, &context()), Err(FitError::Unsupported(_))));
}

#[test]
fn every_variant_predicts_in_any_unit() {
    let table = noisy_wave(24);
    let every = NonstationaryGpParameters { latent_values: LatentValues::EveryRow, ..short(40, 2) };
    let normal = NonstationaryGpParameters { start: Start::Normal, ..short(40, 2) };
    let variance = NonstationaryGpParameters { noise_is: NoiseIs::Variance, ..short(40, 2) };
    let stationary = NonstationaryGpParameters { steps: 40, restarts: 2, ..STATIONARY() };
    for parameters in [every, normal, variance, stationary] {
        let answer = predict(&*fit(parameters, &table).unwrap(), table.features.view());
        assert!(
            answer.variances().unwrap().iter().all(|&v| v > 0.0 && v.is_finite()),
            "{parameters:?}"
        );
        // A power of two scales without rounding.
        let scaled = Table { target: &table.target * 1024.0, ..table.clone() };
        let other = predict(&*fit(parameters, &scaled).unwrap(), table.features.view());
        for (a, b) in other.means().unwrap().iter().zip(answer.means().unwrap()) {
            assert!((a / b / 1024.0 - 1.0).abs() < 1e-9);
        }
    }
    let raw = NonstationaryGpParameters { standardise: false, ..short(0, 1) };
    let answer = predict(&*fit(raw, &table).unwrap(), array![[1e6, 5.0]].view());
    // Far from all rows the untrained process returns to its mean, a draw from N(0, 1).
    assert!(answer.means().unwrap()[0].abs() < 5.0, "the target's mean is not added");
}

#[test]
fn difficult_tables_are_fitted_or_refused_with_a_reason() {
    let sound = |parameters: NonstationaryGpParameters, table: &Table| {
        let answer = predict(&*fit(parameters, table).unwrap(), table.features.view());
        assert!(answer.variances().unwrap().iter().all(|&v| v > 0.0 && v.is_finite()));
        assert!(answer.means().unwrap().iter().all(|mean| mean.is_finite()));
    };
    // Equal rows with different targets, fewer rows than inducing inputs, an outlier, no feature
    // that varies.
    let twins = Table::unnamed(
        Array2::from_shape_fn((20, 1), |(i, _)| (i / 4) as f64),
        Array1::range(0.0, 20.0, 1.0),
    );
    sound(short(50, 2), &twins);
    sound(NonstationaryGpParameters { inducing: 50, ..short(50, 2) }, &noisy_wave(5));
    let mut outlier = noisy_wave(30);
    outlier.target[7] = 1e9;
    outlier.features[(7, 0)] = -1e9;
    sound(short(50, 2), &outlier);
    sound(short(50, 2), &Table::unnamed(Array2::zeros((20, 1)), Array1::range(0.0, 20.0, 1.0)));
    let refused = |table: &Table| match fit(short(1, 1), table) {
        Err(FitError::Unsupported(message)) => message,
        _ => panic!("accepted"),
    };
    assert!(refused(&noisy_wave(1)).contains("at least 2 training rows"));
    assert!(
        refused(&Table::unnamed(array![[1.0], [2.0]], array![4.0, 4.0]))
            .contains("a target that varies")
    );
    assert!(
        refused(&Table::unnamed(array![[1.0], [f64::NAN]], array![3.0, 4.0]))
            .contains("finite features")
    );
    assert!(refused(&noisy_wave(MOST_ROWS + 1)).contains("at most 2000 training rows, found 2001"));
}

#[test]
fn tiny_noise_diverges_without_jitter() {
    let twins = eleven();
    let twins = twins.select(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1]);
    let layout = Layout::new(&STATIONARY(), 13, 2);
    let mut theta = constants(&layout, 0.0);
    let Function::Constant(noise) = layout.functions[3] else { panic!("a constant") };
    theta[noise] = f64::ln(1e-300);
    let y = twins.target.as_slice().unwrap();
    let with = |jitter: f64| {
        let parameters = NonstationaryGpParameters { jitter, ..STATIONARY() };
        let value = Objective::new(&parameters, &layout, twins.features.view(), y).evaluate(&theta);
        let model = Model {
            parameters,
            layout: layout.clone(),
            theta: theta.clone(),
            inducing: Array2::zeros((0, 2)),
        };
        (
            value,
            Posterior::new(model, twins.features.view(), twins.target.view())
                .map(|posterior| posterior.extra_jitter()),
        )
    };
    let (value, extra) = with(1e-4);
    assert!(value.unwrap().is_finite());
    assert_eq!(extra, Ok(0.0));
    // Without jitter the training objective is undefined or rounding error; the posterior adds
    // jitter of its own.
    let (_, extra) = with(0.0);
    assert!(extra.unwrap() > 0.0);
    // Numbers beyond all limits: every start fails.
    let huge = Table { target: twins.target.mapv(|y| 1e200 * y), ..twins.clone() };
    let raw = NonstationaryGpParameters { standardise: false, ..short(5, 3) };
    let Err(FitError::Diverged(message)) = fit(raw, &huge) else { panic!("fitted") };
    assert!(message.contains("not finite at any of the 3 starts; raise `jitter`"), "{message}");
    // A covariance with numbers that are not finite has no factor at any jitter.
    theta[noise] = f64::INFINITY;
    let model = Model { parameters: STATIONARY(), layout, theta, inducing: Array2::zeros((0, 2)) };
    let error = Posterior::new(model, twins.features.view(), twins.target.view()).err().unwrap();
    assert!(error.to_string().contains("has no Cholesky factor"), "{error}");
}

#[test]
fn faults_are_named() {
    let complaint = |parameters: NonstationaryGpParameters| {
        NonstationaryGp::new(parameters).unwrap_err().to_string()
    };
    let error = complaint(NonstationaryGpParameters { inducing: 0, ..Default::default() });
    assert_eq!(error, "parameter `inducing` is 0, expected a whole number from 1 to 500");
    let error = complaint(NonstationaryGpParameters { jitter: f64::NAN, ..Default::default() });
    assert_eq!(error, "parameter `jitter` is NaN, expected a number from 0 to 1");
    let fitted = fit(short(1, 1), &noisy_wave(10)).unwrap();
    let ask = |reading: Reading, at: ArrayView2<f64>| {
        fitted.predict(&reading, at, &Request::default(), &context())
    };
    let text = |result: Result<Predictive, FitError>| result.unwrap_err().to_string();
    assert!(text(ask(Reading::new("game"), array![[1.0, 2.0]].view())).contains("'main' only"));
    assert!(
        text(ask(Reading::MAIN, array![[1.0]].view()))
            .contains("2 features, asked to predict from 1")
    );
    assert!(
        text(ask(Reading::MAIN, Array2::zeros((0, 2)).view()))
            .contains("predict at least one point")
    );
    let cancel = crate::CancelToken::default();
    cancel.cancel();
    let stopped = context().stopping(cancel, None);
    let method = NonstationaryGp::new(short(1, 1)).unwrap();
    assert!(matches!(method.fit(&noisy_wave(10), &stopped), Err(FitError::Cancelled)));
}

#[test]
fn golden_fit_guards_the_version() {
    let table = golden_table();
    let predictive = predict(&*fit(short(20, 2), &table).unwrap(), table.features.view());
    let golden = [
        0.150_205_606_321_864_86,
        1.384_650_456_692_001_7,
        3.501_937_243_889_842,
        3.202_382_485_481_922_7,
    ];
    assert_golden(first_and_last(&predictive), golden, 1e-7);
    assert_eq!(NonstationaryGp::new(short(20, 2)).unwrap().version(), 2);
}
