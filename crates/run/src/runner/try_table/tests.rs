use std::thread;
use std::time::{Duration, Instant};

use ndarray::{Array1, Array2};
use rand::RngExt;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::json;

use super::*;
use crate::candidates::{Candidate, candidates};
use crate::registry;
use crate::runner::progress::Progress;
use uq_core::math::random::Streams;
use uq_core::math::special::normal_quantile;
use uq_core::predictive::Side;
use uq_core::scaling::Scaling;
use uq_core::{CancelToken, Dependence};

/// y = 2 x + noise whose n values are normal scores in an order that is independent of x.
fn line(n: usize) -> Table {
    let noise = |i: usize| normal_quantile((((i * 37) % n) as f64 + 0.5) / n as f64);
    let features = Array2::from_shape_fn((n, 1), |(i, _)| i as f64 / n as f64 * 10.0);
    let target = Array1::from_shape_fn(n, |i| 2.0 * features[(i, 0)] + noise(i));
    Table::unnamed(features, target)
}

fn tried(table: &Table, names: &[&str], threads: usize) -> Evaluation {
    tried_with(table, names, threads, Side::Both)
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

fn problem(table: &Table, side: Side) -> Problem<'_> {
    Problem {
        table,
        division: Division::of(table).unwrap(),
        folding: Folding::of(table),
        discrete: false,
        bounds: Bounds { level: 0.9, side },
        seed: 1,
        categories: &[],
        stated: None,
    }
}

fn tried_with(table: &Table, names: &[&str], threads: usize, side: Side) -> Evaluation {
    let names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
    let all = candidates(&names).unwrap();
    let mut evaluation = evaluate(
        problem(table, side),
        &all,
        false,
        &pool(threads),
        &Stop::never(),
        &Progress::hidden(),
    );
    let folds = evaluation.methods.iter_mut().flat_map(|method| method.folds.iter_mut().flatten());
    folds.for_each(|fold| fold.seconds = 0.0);
    evaluation
}

#[test]
fn a_line_with_normal_noise_has_the_scores_that_theory_gives() {
    let evaluation = tried(&line(500), &["linear-gaussian"], 2);
    let folds = evaluation
        .methods
        .iter()
        .find(|m| m.id == "linear-gaussian")
        .unwrap()
        .folds
        .as_ref()
        .unwrap();
    assert_eq!(folds.len(), 10);
    assert!(folds.iter().all(|fold| (fold.train_rows, fold.test_rows) == (400, 100)));
    let mean = |value: &dyn Fn(&FoldScores) -> f64| folds.iter().map(value).sum::<f64>() / 10.0;
    // N(0, 1) noise: the interval is 2 × 1.645 wide, the CRPS 1/√π, the log density −½ ln(2πe).
    assert!((mean(&|f| f.width.unwrap()) - 3.29).abs() < 0.05);
    assert!((mean(&|f| f.crps.unwrap()) - 0.5642).abs() < 0.01);
    assert!((mean(&|f| f.log_score.unwrap()) + 1.419).abs() < 0.02);
    assert!((mean(&|f| f.mse.unwrap()) - 1.0).abs() < 0.03);
    let covered: usize = folds.iter().map(|f| f.covered.unwrap()).sum();
    assert!(covered.abs_diff(900) <= 16, "{covered} of 1000");
    assert!(
        folds.iter().all(|f| f.pit.as_ref().unwrap().iter().all(|(below, at)| below == at)),
        "a density has no jumps"
    );
    assert!(folds.iter().all(|fold| fold.impossible == 0), "a normal density is nowhere 0");
    let names: Vec<&str> = evaluation.kinds.iter().map(|kind| kind.name.as_str()).collect();
    assert_eq!((names.len(), names[0]), (8, "region x1 ≤ 1.24"));
    assert!(evaluation.kinds.iter().all(|kind| (62..=63).contains(&kind.rows.len())));
}

#[test]
fn regions_in_time_are_those_of_the_tested_rows() {
    let table = Table { dependence: Dependence::Periods((0..200).collect()), ..line(200) };
    let kinds = tried(&table, &[], 2).kinds;
    assert!(kinds.len() == 4 && kinds.iter().all(|kind| kind.rows.len() == 25), "{kinds:?}");
    let rows: Vec<usize> = kinds.into_iter().flat_map(|kind| kind.rows).collect();
    assert_eq!(rows, (100..200).collect::<Vec<_>>());
}

/// A tree predicts points, so that the cell of a rounded outcome has all of the probability or
/// none.
#[test]
fn outcomes_without_probability_are_counted() {
    let mut table = line(100);
    table.target.mapv_inplace(f64::round);
    table.target_resolution = Some(1.0);
    let evaluation = tried(&table, &["tree"], 2);
    let tree = evaluation.methods.iter().find(|method| method.id == "tree").unwrap();
    for fold in tree.folds.as_ref().unwrap() {
        let is_missed =
            |row: &&TestedRow| row.error.is_some_and(|error| error <= -0.5 || error > 0.5);
        let missed = fold.rows.iter().filter(is_missed).count();
        assert!(missed > 0);
        assert_eq!((fold.impossible, fold.log_score), (missed, Some(f64::NEG_INFINITY)));
    }
}

/// Each of five targets is a fifth of the rows, so that the 5 % and the 95 % quantile are the
/// smallest and the largest one.
#[test]
fn rounding_of_the_scaling_leaves_no_target_outside_the_interval_that_it_ends() {
    let features = Array2::from_shape_fn((500, 1), |(i, _)| ((i * 37) % 500) as f64);
    let target = Array1::from_shape_fn(500, |i| 0.1 + 0.7 * (i % 5) as f64);
    let table = Table::unnamed(features, target);
    let evaluation = tried(&table, &[], 2);
    let quantiles =
        evaluation.methods.iter().find(|method| method.id == "unconditional-quantiles").unwrap();
    for fold in quantiles.folds.as_ref().unwrap() {
        assert_eq!(fold.covered, Some(fold.test_rows));
    }
}

#[test]
fn threads_and_other_methods_change_nothing() {
    let table = line(60);
    let names = ["linear-gaussian", "calibrated-tree", "dtb"];
    let all = tried(&table, &names, 1);
    assert_eq!(all, tried(&table, &names, 3));
    let alone = tried(&table, &["dtb"], 2);
    assert_eq!(alone.methods.last(), all.methods.last(), "dtb beside linear-gaussian or not");
}

#[test]
fn a_method_that_panics_or_cannot_is_told_and_the_others_go_on() {
    let wide = Table::unnamed(
        Array2::from_shape_fn((30, 40), |(i, j)| ((i * (j + 2) * 7 + i * i * (j + 1)) % 31) as f64),
        Array1::from_shape_fn(30, |i| (i * i % 17) as f64),
    );
    let mut all = candidates(&["linear-gaussian".into(), "dtb".into()]).unwrap();
    all.push(mock(json!({ "behaviour": "panic" })));
    let problem = Problem { division: Division::Rows, ..problem(&wide, Side::Both) };
    let evaluation = evaluate(problem, &all, false, &pool(2), &Stop::never(), &Progress::hidden());
    let linear = evaluation.methods.iter().find(|m| m.id == "linear-gaussian").unwrap();
    let why = linear.folds.as_ref().unwrap_err();
    assert!(why.contains("needs more training rows than independent columns"), "{why}");
    let mock = evaluation.methods.last().unwrap().folds.as_ref().unwrap_err();
    assert!(mock.starts_with("panicked: "), "{mock}");
    assert_eq!(evaluation.methods.iter().filter(|m| m.folds.is_ok()).count(), 3);
    let Some(Failure::Failed(why)) = fit(&wide, 1, all.last().unwrap(), &Stop::never()).err()
    else {
        panic!("a panic is a failure")
    };
    assert!(why.starts_with("panicked: "), "{why}");
}

/// Seven calibrated methods asked for a quantile that 24 rows cannot tell, and failed.
#[test]
fn a_calibrated_method_is_asked_only_for_what_its_rows_can_tell() {
    let evaluation =
        tried(&line(30), &["calibrated-linear-gaussian", "split-conformal", "cv-plus"], 2);
    for method in &evaluation.methods {
        let folds = method.folds.as_ref().unwrap_or_else(|why| panic!("{}: {why}", method.id));
        assert_eq!((folds.len(), folds[0].train_rows), (20, 24), "{}", method.id);
    }
}

fn mock(parameters: serde_json::Value) -> Candidate {
    let method = registry::build("mock", &parameters).unwrap();
    Candidate {
        id: "mock".into(),
        settings: "".into(),
        method,
        cost: None,
        members: Vec::new(),
        host: None,
        scaling: Scaling::TrainRows,
    }
}

/// The slow method comes last, and its fits would take an hour each.
#[test]
fn a_run_that_is_stopped_compares_what_has_finished_and_names_the_rest() {
    let table = line(60);
    let all = || {
        let mut all = candidates(&["linear-gaussian".into()]).unwrap();
        all.push(mock(json!({ "behaviour": "answer", "sleep_ms": 3_600_000 })));
        all
    };
    let (cancel, all_of_both) = (CancelToken::default(), all());
    let by_user = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_secs(2));
            cancel.cancel();
        });
        let stop = Stop::new(cancel.clone(), None);
        evaluate(
            problem(&table, Side::Both),
            &all_of_both,
            false,
            &pool(2),
            &stop,
            &Progress::hidden(),
        )
    });
    let stop = Stop::new(CancelToken::default(), Some(Instant::now() + Duration::from_secs(2)));
    let late =
        evaluate(problem(&table, Side::Both), &all(), false, &pool(2), &stop, &Progress::hidden());
    for (evaluation, cause) in [(by_user, Cause::User), (late, Cause::Deadline)] {
        let unfinished = vec![Unfinished { id: "mock".into(), finished: 0, fits: 20 }];
        assert_eq!(evaluation.aborted, Some(Aborted { cause, unfinished }));
        let ids: Vec<&str> = evaluation.methods.iter().map(|method| &*method.id).collect();
        assert_eq!(ids, ["unconditional-gaussian", "unconditional-quantiles", "linear-gaussian"]);
        assert!(
            evaluation
                .methods
                .iter()
                .all(|method| method.folds.as_ref().is_ok_and(|folds| folds.len() == 20))
        );
    }
    assert_eq!(fit(&table, 1, &all()[2], &stop).err(), Some(Failure::Stopped));
    assert!(fit(&table, 1, &all()[2], &stop.without_deadline()).is_ok());
}

#[test]
fn a_method_that_had_failed_before_the_stop_is_told_as_failed() {
    let (table, cancel) = (line(60), CancelToken::default());
    cancel.cancel();
    let stop = Stop::new(cancel, None);
    let none = evaluate(
        problem(&table, Side::Both),
        &candidates(&[]).unwrap(),
        false,
        &pool(1),
        &stop,
        &Progress::hidden(),
    );
    let unfinished = none.aborted.unwrap().unfinished;
    assert_eq!((none.methods.len(), unfinished.len(), unfinished[0].finished), (0, 2, 0));
    let failed = vec![Err(Failure::Stopped), Err(Failure::Failed("diverged".into()))];
    assert_eq!(super::comparison::outcome(failed), Ok(Err("diverged".into())));
}

#[test]
fn chosen_settings_are_those_of_each_fold_and_of_the_fit_of_all_rows() {
    // A quarter of 160 training rows calibrates: a quantile of 0.975 takes 39 of them.
    let table = line(200);
    let evaluation =
        tried(&table, &["ngboost", "quantile-forest-validated", "conformal-distribution"], 2);
    let names = |id: &str| {
        let method = evaluation.methods.iter().find(|method| method.id == id).unwrap();
        let of_fold =
            |fold: &FoldScores| fold.settings.iter().map(|of| of.name.clone()).collect::<Vec<_>>();
        let mut names: Vec<Vec<String>> =
            method.folds.as_ref().unwrap().iter().map(of_fold).collect();
        names.dedup();
        names
    };
    assert_eq!(names("ngboost"), [["rounds"]]);
    assert_eq!(names("quantile-forest-validated"), [["features", "min_leaf", "trees"]]);
    assert_eq!(names("conformal-distribution"), [["boosting-quantiles: rounds"]]);
    assert!(names("unconditional-gaussian")[0].is_empty());
    let candidate = candidates(&["calibrated-ngboost".into()]).unwrap().remove(2);
    let whole = settings_of(&fit(&table, 1, &candidate, &Stop::never()).unwrap());
    assert_eq!((whole.len(), &*whole[0].name), (1, "rounds"));
    assert!(whole[0].value >= 1.0 && whole[0].value.fract() == 0.0, "{whole:?}");
}

/// N(0, 1) noise: the bound is 1.2816 from the mean, its pinball loss the density there, 0.1755, by
/// the closed form φ(z) + z (Φ(z) − p) at z = Φ⁻¹(p).
#[test]
fn one_bound_has_the_scores_that_theory_gives() {
    let table = line(500);
    for side in [Side::Upper, Side::Lower] {
        let evaluation = tried_with(&table, &["linear-gaussian"], 2, side);
        let folds = evaluation
            .methods
            .iter()
            .find(|m| m.id == "linear-gaussian")
            .unwrap()
            .folds
            .as_ref()
            .unwrap();
        let mean = |value: &dyn Fn(&FoldScores) -> f64| folds.iter().map(value).sum::<f64>() / 10.0;
        assert!((mean(&|f| f.width.unwrap()) - 1.2816).abs() < 0.03, "{side}");
        assert!((mean(&|f| f.interval_score.unwrap()) - 0.1755).abs() < 0.005, "{side}");
        let covered: usize = folds.iter().map(|f| f.covered.unwrap()).sum();
        assert!(covered.abs_diff(900) <= 16, "{covered} of 1000");
        let rows = folds.iter().flat_map(|fold| &fold.rows);
        let is_open = |row: &TestedRow| match side {
            Side::Upper => row.lower == f64::NEG_INFINITY && row.upper.is_finite(),
            _ => row.upper == f64::INFINITY && row.lower.is_finite(),
        };
        assert!(
            rows.into_iter().all(|row| is_open(row) && row.width.is_some_and(|width| width > 1.0))
        );
    }
    let central = tried(&table, &["cv-plus"], 2);
    let bound = tried_with(&table, &["cv-plus"], 2, Side::Upper);
    let of =
        |evaluation: &Evaluation| evaluation.methods.last().unwrap().guaranteed.clone().unwrap();
    assert!(
        of(&bound).least < of(&central).least,
        "an end of a wider interval is not known to keep more than the interval"
    );
    assert_eq!(of(&central).theorem, "Barber et al. 2021, Theorem 4");
    assert!(
        of(&bound)
            .theorem
            .ends_with("Theorem 4, about the central interval of which the bound is an end")
    );
}

/// The coverage and the mean width of a method over all folds, where this is what rows depend on.
fn kept(table: &Table, dependence: Dependence, method: &str) -> (f64, f64) {
    let evaluation = tried(&Table { dependence, ..table.clone() }, &[method], 2);
    let folds =
        evaluation.methods.iter().find(|tried| tried.id == method).unwrap().folds.as_ref().unwrap();
    let rows: usize = folds.iter().map(|fold| fold.test_rows).sum();
    let covered: usize = folds.iter().map(|fold| fold.covered.unwrap()).sum();
    (
        covered as f64 / rows as f64,
        folds.iter().map(|fold| fold.width.unwrap()).sum::<f64>() / folds.len() as f64,
    )
}

/// A tree cannot continue a trend, but between rows of the same season it need not.
#[test]
fn random_folds_of_a_trend_promise_what_later_rows_do_not_keep() {
    let n = 300;
    let score = |i: usize| normal_quantile((i as f64 + 0.5) / n as f64);
    let (x, noise) = (|i: usize| score(i * 77 % n), |i: usize| score(i * 37 % n));
    let features = Array2::from_shape_fn((n, 2), |(i, j)| if j == 0 { i as f64 } else { x(i) });
    let target = Array1::from_shape_fn(n, |i| 0.2 * i as f64 + x(i) + noise(i));
    let table = Table::unnamed(features, target);
    let later = || Dependence::Periods((0..n).collect());
    let found = ["quantile-forest", "calibrated-quantile-forest"].map(|method| {
        [Dependence::Unknown, later()].map(|dependence| kept(&table, dependence, method))
    });
    let [[(random, _), (later, _)], [(calibrated, narrow), (calibrated_later, wide)]] = found;
    assert!((0.86..=0.99).contains(&random) && (0.86..=0.94).contains(&calibrated), "{found:?}");
    assert!(later < 0.5, "{found:?}");
    // Errors at blocks in time that are held out are nearer to the truth.
    assert!(calibrated_later > later + 0.2 && wide > 1.5 * narrow, "{found:?}");
}

/// The noise of a series doubles in its last third. The blocks after it are covered as stated only
/// by what follows the misses, more and more of them.
#[test]
fn levels_that_follow_misses_keep_the_coverage_after_a_change_of_the_noise() {
    let (n, tables) = (600, 8);
    let names = ["linear-gaussian", "calibrated-linear-gaussian", "adaptive-linear-gaussian"];
    let (mut distance, mut covered) = ([0.0; 3], [0.0; 3]);
    for index in 0..tables {
        let mut rng = Streams::new(index, "change").stream("data", 0);
        let features = Array2::from_shape_simple_fn((n, 1), || rng.random::<f64>());
        let mut noise = |i: usize| if i < 400 { 1.0 } else { 2.0 } * normal_quantile(rng.random_range(1e-9..1.0));
        let target = Array1::from_shape_fn(n, |i| features[(i, 0)] + noise(i));
        let table = Table {
            dependence: Dependence::Periods((0..n).collect()),
            ..Table::unnamed(features, target)
        };
        let evaluation = tried(&table, &names, 2);
        for (place, name) in names.iter().enumerate() {
            let method = evaluation.methods.iter().find(|method| method.id == *name).unwrap();
            assert_eq!(method.guaranteed, None);
            // Blocks of 60 rows from row 300 on: the last three lie after the change.
            for fold in &method.folds.as_ref().unwrap()[2..] {
                let share = fold.covered.unwrap() as f64 / fold.test_rows as f64;
                distance[place] += (share - 0.9).abs() / (3 * tables) as f64;
                covered[place] += share / (3 * tables) as f64;
            }
        }
    }
    let [plain, calibrated, adaptive] = distance;
    assert!(adaptive < plain - 0.02 && adaptive < calibrated - 0.02, "{distance:?}, {covered:?}");
    assert!(covered[2] > covered[0] + 0.02 && covered[2] > covered[1] + 0.02, "{covered:?}");
}

/// The first feature tells the groups apart, and says nothing of a new one. Errors at whole groups
/// that are held out are the right ones to calibrate by.
#[test]
fn random_folds_of_a_panel_promise_what_new_groups_do_not_keep() {
    let (groups, rows) = (25, 16);
    let n = groups * rows;
    let score = |i: usize, of: usize| normal_quantile((i as f64 + 0.5) / of as f64);
    let noise = |i: usize| score(i * 37 % n, n);
    let features =
        Array2::from_shape_fn(
            (n, 2),
            |(i, j)| if j == 0 { (i / rows) as f64 } else { noise(i * 7) },
        );
    let target =
        Array1::from_shape_fn(n, |i| 3.0 * score(i / rows * 17 % groups, groups) + 0.3 * noise(i));
    let table = Table::unnamed(features, target);
    let of_groups = || Dependence::Groups((0..n).map(|i| i / rows).collect());
    let (random, narrow) = kept(&table, Dependence::Unknown, "quantile-forest");
    let (new, _) = kept(&table, of_groups(), "quantile-forest");
    let (calibrated, wide) = kept(&table, of_groups(), "calibrated-quantile-forest");
    assert!((0.85..=0.99).contains(&random), "{random}");
    assert!(new < random - 0.2, "{new} against {random}");
    assert!(
        (0.82..=0.98).contains(&calibrated) && wide > 1.25 * narrow,
        "{calibrated}, {wide} against {narrow}"
    );
}

/// y = exp(x + z) with normal z: its logarithm is a line with normal noise, and no interval of a
/// log-normal distribution reaches zero.
#[test]
fn a_positive_family_follows_skewed_targets_and_stays_above_zero() {
    let line = line(300);
    let target = line
        .target
        .iter()
        .zip(line.features.column(0))
        .map(|(y, x)| (0.3 * x + (y - 2.0 * x)).exp());
    let table = Table { target: target.collect(), ..line.clone() };
    let evaluation =
        tried(&table, &["ngboost", "log-normal-ngboost", "calibrated-log-normal-ngboost"], 2);
    let folds = |id: &str| {
        let method = evaluation.methods.iter().find(|method| method.id == id).unwrap();
        method.folds.as_ref().unwrap_or_else(|why| panic!("{id}: {why}"))
    };
    let crps = |id: &str| folds(id).iter().map(|fold| fold.crps.unwrap()).sum::<f64>();
    assert!(crps("log-normal-ngboost") < crps("ngboost"));
    assert!(crps("calibrated-log-normal-ngboost") < crps("ngboost"));
    let below = |id: &str| {
        folds(id).iter().flat_map(|fold| &fold.rows).filter(|row| row.lower <= 0.0).count()
    };
    assert!(below("log-normal-ngboost") == 0 && below("ngboost") > 0);
    // Predictions of new rows are in the target's units, too.
    let candidate = candidates(&["log-normal-ngboost".into()]).unwrap().remove(2);
    let whole = fit(&table, 1, &candidate, &Stop::never()).unwrap();
    let question = Question { bounds: evaluation.bounds, rows: 300, seed: 1 };
    let found = predict(&whole, question, &candidate, &table.features).unwrap();
    let within = |i: &usize| {
        let (lower, upper) = evaluation.bounds.interval(&found, *i).unwrap();
        lower > 0.0 && lower <= table.target[*i] && table.target[*i] <= upper
    };
    assert!((240..=300).contains(&(0..300).filter(within).count()));
}
