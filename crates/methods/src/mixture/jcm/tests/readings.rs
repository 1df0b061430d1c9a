//! Check the other readings of Algorithm 1: W at its start, EM until it is level, a last EM,
//! several starts.

use super::*;
use crate::mixture::EmSettings;

/// Mean log-likelihood of the training rows (y, W x) by the mixture.
fn joint(fit: &JcmFit, table: &Table) -> f64 {
    fit.mixture.log_density(rows_of(fit.projection.view(), table).view()).mean().unwrap()
}

/// The rows (y, W x).
fn rows_of(w: ArrayView2<f64>, table: &Table) -> Array2<f64> {
    let mut rows = Array2::zeros((table.rows(), w.nrows() + 1));
    rows.column_mut(0).assign(&table.target);
    project(table.features.view(), w, &mut rows);
    rows
}

/// W at its start, two dimensions.
fn still() -> JcmParameters {
    JcmParameters { dimension: Some(2), learning_rate: 0.0, epochs: 12, ..few(3) }
}

#[test]
fn without_a_step_w_stays_at_its_start_and_the_turns_are_those_of_em() {
    let table = golden_table();
    let fit = fitted(still(), &table).unwrap();
    let start = stiefel::random_start(2, 4, &mut context().stream("projection", 0)).unwrap();
    assert_eq!(fit.projection, start);
    let rows = rows_of(start.view(), &table);
    let mut mixture =
        GaussianMixture::start(rows.view(), 3, 1e-6, &mut context().stream("mixture", 0)).unwrap();
    let settings = EmSettings { max_steps: 12, tolerance: 0.0, floor: 1e-6 };
    let trace = mixture.fit(rows.view(), &settings, &context()).unwrap();
    assert_eq!(fit.mixture, mixture);
    assert_eq!(fit.trace.iter().map(|turn| turn.1).collect::<Vec<_>>(), trace.log_likelihoods);
}

#[test]
fn the_training_likelihood_never_falls_where_w_stays() {
    let table = ridge(150, &[0.6, 0.0, 0.8]);
    for (em_steps, covariance_floor) in [(1, 1e-6), (7, 1e-6), (200, 1e-2), (1, 0.3)] {
        let fit = fitted(JcmParameters { em_steps, covariance_floor, ..still() }, &table).unwrap();
        let turns: Vec<f64> =
            fit.trace.iter().map(|turn| turn.1).chain([joint(&fit, &table)]).collect();
        let falls = turns.windows(2).any(|pair| pair[1] < pair[0] - 1e-12);
        assert!(!falls, "{em_steps} steps, floor {covariance_floor}: {turns:?}");
        assert!(turns[turns.len() - 1] > turns[0], "it rises");
    }
}

#[test]
fn em_until_it_is_level_leaves_nothing_to_the_next_turns() {
    let table = ridge(150, &[0.6, 0.0, 0.8]);
    let fit = fitted(JcmParameters { em_steps: 10_000, ..still() }, &table).unwrap();
    let turns: Vec<f64> = fit.trace.iter().map(|turn| turn.1).collect();
    assert!(turns[1] > turns[0] + 0.01, "{turns:?}");
    assert!((turns[11] - turns[1]).abs() < 0.01 * (turns[1] - turns[0]), "{turns:?}");
}

#[test]
fn a_last_em_raises_the_likelihood_of_the_last_projection() {
    let table = ridge(300, &[0.48, 0.6, 0.64]);
    let printed = JcmParameters { dimension: Some(2), learning_rate: 0.1, epochs: 10, ..few(4) };
    let without = fitted(printed, &table).unwrap();
    let with = fitted(JcmParameters { final_em_steps: 100, ..printed }, &table).unwrap();
    assert_eq!(with.projection, without.projection);
    assert!(
        joint(&with, &table) > joint(&without, &table),
        "{} and {}",
        joint(&with, &table),
        joint(&without, &table)
    );
    let one = fitted(JcmParameters { final_em_steps: 1, ..printed }, &table).unwrap();
    assert!(
        joint(&one, &table) >= joint(&without, &table)
            && joint(&one, &table) <= joint(&with, &table)
    );
}

#[test]
fn of_several_starts_the_one_of_the_greatest_likelihood_of_the_targets_is_taken() {
    let table = ridge(200, &[0.48, 0.6, 0.64]);
    let one = JcmParameters { dimension: Some(1), epochs: 5, ..few(3) };
    let alone = |start: u64| {
        let own = if start == 0 { context() } else { context().child("start", start) };
        JcmFit::new(&one, &table, &own).unwrap()
    };
    let all: Vec<JcmFit> = (0..4).map(alone).collect();
    let best = all.iter().min_by(|a, b| a.training_loss.total_cmp(&b.training_loss)).unwrap();
    let found = fitted(JcmParameters { starts: 4, ..one }, &table).unwrap();
    assert_eq!((&found.projection, &found.mixture), (&best.projection, &best.mixture));
    // (7) of all rows: minus the mean log density of the targets by the conditional mixture.
    let predicted = predict(&found, LINE_SEARCH, table.features.view());
    let densities = table
        .target
        .iter()
        .enumerate()
        .map(|(i, &y)| predicted.distribution().log_density(i, y).unwrap());
    assert!((densities.sum::<f64>() / 200.0 + found.training_loss).abs() < 1e-12);
    let worst = all.iter().map(|fit| fit.training_loss).fold(f64::NEG_INFINITY, f64::max);
    assert!(worst > found.training_loss + 1e-3, "the starts differ");
}

#[test]
fn starts_that_all_fail_are_an_error_with_the_reason_of_the_first() {
    let error =
        fitted(JcmParameters { starts: 3, ..few(200) }, &golden_table()).err().unwrap().to_string();
    assert!(
        error.contains("none of 3 candidates has a score; the first, start 0: ")
            && error.contains("200"),
        "{error}"
    );
}

#[test]
fn w_stays_on_the_manifold_by_every_reading() {
    let table = ridge(120, &[0.6, 0.0, 0.8, 0.0]);
    let base = JcmParameters { dimension: Some(2), epochs: 8, ..few(3) };
    for parameters in [
        JcmParameters { learning_rate: 0.0, ..base },
        JcmParameters { learning_rate: 4e-4, ..base },
        JcmParameters { em_steps: 50, ..base },
        JcmParameters { final_em_steps: 50, ..base },
        JcmParameters { starts: 3, ..base },
    ] {
        let w = fitted(parameters, &table).unwrap().projection;
        let gram = w.dot(&w.t()) - Array2::<f64>::eye(2);
        assert!(gram.iter().all(|x| x.abs() < 1e-13), "{parameters:?}: {gram}");
    }
}
