use ndarray::array;

use super::super::Schedule;
use super::super::fixtures::{Fixture, with_outlier};
use super::*;
use crate::Reading;
use crate::golden::{assert_golden, golden_table};
use uq_core::math::special::normal_quantile;

const FIXTURE: Fixture = Fixture("sqr");

fn settings(epochs: usize) -> SqrParameters {
    let training = TrainingSettings { epochs, patience: epochs, ..TrainingSettings::default() };
    SqrParameters { training, ..SqrParameters::default() }
}

/// y = 20 + 3 x + N(0, 2²) for x from −2 to 2, and an irrelevant column.
fn noisy_line(n: usize) -> Table {
    FIXTURE.noisy_line(n, |_| 2.0)
}

/// One step from a wide start: the quantiles go down with the level as well as up.
fn untrained() -> SqrParameters {
    let training = TrainingSettings { epochs: 1, batch: 1000, ..TrainingSettings::default() };
    SqrParameters { hidden: 3, start: Start::He, training, ..SqrParameters::default() }
}

#[test]
fn the_quantiles_of_a_normal_distribution_are_recovered() {
    let training = TrainingSettings { schedule: Schedule::Cosine, ..settings(60).training };
    let fitted = FIXTURE
        .fit(Sqr::new(SqrParameters { training, ..settings(60) }), &noisy_line(6000))
        .unwrap();
    let at =
        Array2::from_shape_fn((7, 2), |(i, j)| if j == 0 { 0.5 * i as f64 - 1.5 } else { 5.0 });
    let predictive = FIXTURE.predict(&*fitted, at.view());
    assert_eq!((predictive.validate(), &predictive.split), (Ok(()), &None));
    for (i, x) in at.column(0).iter().enumerate() {
        for level in [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975] {
            let truth = 20.0 + 3.0 * x + 2.0 * normal_quantile(level);
            let found = predictive.distribution().quantile(i, level).unwrap();
            // In sds of the noise. A window of width 1 holds 1500 rows: their quantile at 2.5 % has
            // a standard error of 0.07; one hidden layer bends little along the level, so that
            // tails are short.
            let tolerance = if (0.1..=0.9).contains(&level) { 0.25 } else { 0.5 };
            assert!(
                (found - truth).abs() < tolerance * 2.0,
                "x {x}, level {level}: {found} against {truth}"
            );
        }
    }
    let side_tables = fitted.side_tables();
    assert_eq!(
        (side_tables[0].name.as_str(), side_tables[1].name.as_str()),
        ("trace", "crossings")
    );
    let shares = side_tables[1].column("share_of_rows").unwrap();
    let wide = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(shares.iter().all(|s| (0.0..=1.0).contains(s)) && wide < 0.5, "{wide}");
}

#[test]
fn networks_of_two_ends_recover_these_alone() {
    let training = TrainingSettings { schedule: Schedule::Cosine, ..settings(60).training };
    let both = SqrParameters { intervals: vec![0.8, 0.95], training, ..settings(60) };
    let fitted = FIXTURE.fit(Sqr::new(both.clone()), &noisy_line(4000)).unwrap();
    let at =
        Array2::from_shape_fn((7, 2), |(i, j)| if j == 0 { 0.5 * i as f64 - 1.5 } else { 5.0 });
    let predictive = FIXTURE.predict(&*fitted, at.view());
    let Form::Quantiles(Quantiles { levels, .. }) = &predictive.form else {
        panic!("no quantiles")
    };
    let expected = [0.025, 0.1, 0.9, 0.975];
    assert!(
        levels.len() == 4 && levels.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15),
        "{levels:?}"
    );
    for (i, x) in at.column(0).iter().enumerate() {
        for level in expected {
            let truth = 20.0 + 3.0 * x + 2.0 * normal_quantile(level);
            let found = predictive.distribution().quantile(i, level).unwrap();
            let tolerance = if (0.1..=0.9).contains(&level) { 0.25 } else { 0.5 };
            assert!(
                (found - truth).abs() < tolerance * 2.0,
                "x {x}, level {level}: {found} against {truth}"
            );
        }
        assert_eq!(predictive.distribution().quantile(i, 0.01), None, "no network learned it");
    }
    // The network of the 95 % interval is that of a fit of this interval alone, whose mean is the
    // middle.
    let alone = SqrParameters { intervals: vec![0.95], ..both };
    let alone = FIXTURE.fit(Sqr::new(alone), &noisy_line(4000)).unwrap();
    let names: Vec<String> = fitted.side_tables().into_iter().map(|table| table.name).collect();
    assert_eq!(names, ["trace", "trace-2", "crossings"]);
    let alone = FIXTURE.predict(&*alone, at.view());
    for i in 0..7 {
        assert_eq!(alone.interval(i, 0.95), predictive.interval(i, 0.95));
        let (low, high) = alone.interval(i, 0.95).unwrap();
        assert!((alone.distribution().mean(i).unwrap() - 0.5 * (low + high)).abs() < 1e-12);
    }
}

#[test]
fn crossed_quantiles_are_counted_and_sorted() {
    let fitted = FIXTURE.fit(Sqr::new(untrained()), &noisy_line(60)).unwrap();
    let predictive = FIXTURE.predict(&*fitted, noisy_line(60).features.view());
    assert_eq!(predictive.validate(), Ok(()));
    let side_tables = fitted.side_tables();
    assert!(
        side_tables[1].column("share_of_rows").unwrap().iter().any(|s| *s > 0.0),
        "{:?}",
        side_tables[1]
    );
}

#[test]
fn crossings_are_counted_on_the_rows_that_are_predicted() {
    let quantiles = array![[1.0, 2.0, 3.0], [1.0, 1.0, 0.5], [3.0, 2.0, 1.0], [0.0, 1.0, 0.0]];
    let (level, next_level) = (vec![0.1, 0.5], vec![0.5, 0.9]);
    let expected = Crossings { level, next_level, share_of_rows: vec![0.25, 0.75] };
    assert_eq!(crossings(quantiles.view(), &[0.1, 0.5, 0.9]), expected, "ties are in order");
    let fitted = FIXTURE.fit(Sqr::new(untrained()), &noisy_line(60)).unwrap();
    // A single far row: each pair of levels is crossed there or not. Its sorted quantiles differ
    // wherever one is.
    let at = array![[40.0, 5.0]];
    let found = fitted.side_tables_at(at.view(), &Request::default(), &FIXTURE.context()).unwrap();
    assert_eq!(found[0].name, "predicted-crossings");
    let shares = found[0].column("share_of_rows").unwrap();
    assert!(shares.iter().all(|share| *share == 0.0 || *share == 1.0), "{shares:?}");
    let near = fitted
        .side_tables_at(array![[0.0, 5.0]].view(), &Request::default(), &FIXTURE.context())
        .unwrap();
    assert_ne!(found, near, "of these rows, not of the training rows");
    assert!(
        fitted
            .side_tables_at(array![[1.0]].view(), &Request::default(), &FIXTURE.context())
            .is_err()
    );
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_any_levels_can_be_requested() {
    let table = noisy_line(40);
    let first = FIXTURE.fit(Sqr::new(settings(5)), &table).unwrap();
    let answer = FIXTURE.predict(&*first, table.features.view());
    assert_eq!(FIXTURE.answer(Sqr::new(settings(5)), &table, table.features.view()), answer);
    let request = Request { quantile_levels: vec![0.7, 0.123], ..Request::default() };
    let other =
        first.predict(&Reading::MAIN, table.features.view(), &request, &FIXTURE.context()).unwrap();
    let at = |level| other.distribution().quantile(3, level).unwrap();
    assert!(at(0.123) <= at(0.7));
    let request = Request { quantile_levels: vec![1.5], ..Request::default() };
    let error = first
        .predict(&Reading::MAIN, table.features.view(), &request, &FIXTURE.context())
        .unwrap_err();
    assert!(error.to_string().contains("quantile at 1.5, expected levels in (0, 1)"), "{error}");
}

#[test]
fn difficult_tables_train_or_give_a_reason() {
    let at = array![[0.5, 5.0]];
    let ten = noisy_line(10);
    assert!(
        FIXTURE.answer(Sqr::new(settings(20)), &ten, at.view()).means().unwrap()[0].is_finite()
    );
    let outlier = with_outlier(noisy_line(50));
    assert!(
        FIXTURE.answer(Sqr::new(settings(20)), &outlier, at.view()).means().unwrap()[0].is_finite()
    );
    FIXTURE.assert_needs_no_varying_feature(Sqr::new(settings(20)));
    FIXTURE.assert_needs_a_varying_target(Sqr::new(settings(1)));
    let mut hole = noisy_line(10);
    hole.features[(3, 0)] = f64::NAN;
    FIXTURE.assert_refuses(Sqr::new(settings(1)), &hole, "training row 3");
}

#[test]
fn faults_are_named() {
    let error = Sqr::new(SqrParameters { hidden: 0, ..settings(1) }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `hidden` is 0, expected a whole number from 1 to 10000"
    );
    assert!(
        Sqr::new(settings(0))
            .unwrap_err()
            .to_string()
            .starts_with("parameter `training.epochs` is 0")
    );
    let error = Sqr::new(SqrParameters { intervals: vec![0.9, 0.5], ..settings(1) }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `intervals` is [0.9, 0.5], expected increasing numbers"
    );
    let fitted = FIXTURE.fit(Sqr::new(settings(1)), &noisy_line(10)).unwrap();
    FIXTURE.assert_refuses_other_questions(&*fitted, 2);
}

#[test]
fn golden_fit_guards_the_version() {
    let table = golden_table();
    let predictive = FIXTURE.answer(Sqr::new(settings(4)), &table, table.features.view());
    let at = |i, level| predictive.distribution().quantile(i, level).unwrap();
    let found = [at(0, 0.1), at(0, 0.9), at(49, 0.1), at(49, 0.9)];
    let golden = [
        0.137_329_477_039_035_64,
        5.824_019_002_888_185,
        0.229_843_057_230_303_4,
        7.218_298_709_359_82,
    ];
    assert_golden(found, golden, 1e-8);
}
