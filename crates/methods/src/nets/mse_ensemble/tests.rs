use super::super::fixtures::{Fixture, assert_keeps_what_a_file_leaves_out, with_outlier};
use super::*;
use crate::Method;
use ndarray::{Array1, array};
use uq_core::predictive::{Distribution, Form};

const FIXTURE: Fixture = Fixture("mse-ensemble");

fn settings(members: usize, epochs: usize) -> MseEnsembleParameters {
    let default = MseEnsembleParameters::default();
    let training = TrainingSettings { epochs, ..default.training };
    MseEnsembleParameters { members, training, ..default }
}

/// y = x³ + N(0, 0.3²) for x from −2 to 2.
fn cubic(n: usize) -> Table {
    FIXTURE.rows(n, 0, |x| x.powi(3), |_| 0.3)
}

fn read_all(
    parameters: MseEnsembleParameters,
    table: &Table,
    request: &Request,
) -> [Predictive; 3] {
    let method = MseEnsemble::new(parameters).unwrap();
    let fitted = method.fit(table, &FIXTURE.context()).unwrap();
    let all = fitted
        .predict_all(&method.readings(), table.features.view(), request, &FIXTURE.context())
        .unwrap();
    all.iter().for_each(|one| assert_eq!(one.validate(), Ok(())));
    all.try_into().unwrap()
}

#[test]
fn the_readings_are_of_the_same_networks_with_noise_and_without() {
    let table = cubic(60);
    let request = Request { quantile_levels: vec![0.025, 0.5, 0.975], ..Request::default() };
    let [main, members, percentiles] = read_all(settings(7, 5), &table, &request);
    let (Form::Mixture(mixture), Form::Samples(samples)) = (&main.form, &members.form) else {
        panic!("a mixture and draws are expected")
    };
    assert_eq!(mixture.means, samples.values);
    let noise = mixture.variances[(0, 0)];
    assert!(noise > 0.0 && mixture.variances.iter().all(|&variance| variance == noise));
    // Quantiles of seven numbers: numpy's lie 0.15 of the way from the outermost one, and at the
    // middle one.
    let mut sorted = samples.values.row(3).to_vec();
    sorted.sort_by(f64::total_cmp);
    let distribution = percentiles.distribution();
    assert_eq!(distribution.quantile(3, 0.5), Some(sorted[3]));
    let low = sorted[0] + 0.15 * (sorted[1] - sorted[0]);
    assert!((distribution.quantile(3, 0.025).unwrap() - low).abs() < 1e-12);
    let (split, without) = (main.split.unwrap(), members.split.unwrap());
    assert_eq!(split.epistemic, without.epistemic);
    assert_eq!(without.epistemic, percentiles.split.unwrap().epistemic);
    assert_eq!(without.aleatoric, Some(Array1::zeros(60)));
    let parts = split.aleatoric.unwrap() + split.epistemic.unwrap();
    let whole = Distribution::variance(mixture, 3).unwrap();
    assert!((parts[3] / whole - 1.0).abs() < 1e-12);
}

#[test]
fn the_noise_of_rows_that_were_held_out_is_the_truths_and_that_of_seen_rows_is_smaller() {
    let table = cubic(400);
    let wide = MseEnsembleParameters { hidden: 100, ..settings(3, 300) };
    let noise = |held_out: f64| {
        let parameters = MseEnsembleParameters { held_out, ..wide };
        let [main, ..] = read_all(parameters, &table, &Request::default());
        main.split.unwrap().aleatoric.unwrap()[0].sqrt()
    };
    let (unseen, seen) = (noise(0.2), noise(0.0));
    // 80 rows: a standard deviation has a standard error of 8 %, and the networks add their own.
    assert!((0.25..0.42).contains(&unseen), "{unseen}");
    assert!(seen < unseen && seen < 0.3, "{seen} {unseen}");
}

#[test]
fn layers_and_members_are_as_many_as_asked_for() {
    let parameters = MseEnsembleParameters { layers: 3, hidden: 4, ..settings(2, 2) };
    let fitted = MseEnsemble::new(parameters).unwrap().fit(&cubic(30), &FIXTURE.context()).unwrap();
    let names: Vec<String> = fitted.side_tables().into_iter().map(|table| table.name).collect();
    assert_eq!(names, ["trace-0", "trace-1"]);
    let networks = parameters.networks(
        array![[0.5], [1.0]].view(),
        array![[0.1], [0.2]].view(),
        &FIXTURE.context(),
    );
    // Weights and biases of 1-4-4-4-1.
    assert_eq!(networks.unwrap().trained[0].parameters.len(), 8 + 20 + 20 + 5);
}

#[test]
fn difficult_tables_train_or_give_a_reason() {
    let at = array![[0.5, 5.0]];
    let two = FIXTURE.noisy_line(2, |_| 0.1);
    let method = MseEnsemble::new(settings(2, 3));
    assert!(FIXTURE.answer(method, &two, at.view()).means().unwrap()[0].is_finite());
    let outlier = with_outlier(FIXTURE.noisy_line(50, |_| 0.1));
    let found = FIXTURE.answer(MseEnsemble::new(settings(2, 20)), &outlier, at.view());
    assert!(found.variances().unwrap()[0] > 0.0);
    FIXTURE.assert_needs_no_varying_feature(MseEnsemble::new(settings(2, 20)));
    FIXTURE.assert_needs_a_varying_target(MseEnsemble::new(settings(1, 1)));
    let error = MseEnsemble::new(settings(0, 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `members` is 0, expected a whole number from 1 to 1000"
    );
}

#[test]
fn a_file_may_leave_parameters_out() {
    assert_keeps_what_a_file_leaves_out(|parameters: &mut MseEnsembleParameters| {
        &mut parameters.training
    });
}
