//! Rows of small tables, divided by every protocol.

use ndarray::{Array1, Array2};

use super::*;
use uq_core::math::random::Streams;
use uq_core::scaling::Scaling;
use uq_core::{Dependence, Table};
use uq_methods::{Context, FitError, Request};
use uqbench_data::regions::Regions;
use uqbench_data::simulated::Simulated;

/// A table of `n` rows. Features are small whole numbers, so that some rows have equal features.
/// Targets are the row numbers.
fn table(n: usize) -> Table {
    let features = Array2::from_shape_fn((n, 2), |(row, j)| (row * (j + 3) % 7) as f64);
    Table::unnamed(features, Array1::from_iter((0..n).map(|row| row as f64)))
}

fn repetition(dataset: &str, split: u64) -> Repetition<'_> {
    Repetition { dataset, rows: RowSubset::All, split, streams: Streams::new(1, "rows") }
}

fn protocol(json: &str) -> Protocol {
    serde_json::from_str(json).unwrap()
}

/// Targets of training and test rows, which are the numbers of the rows.
fn divided(
    protocol: &Protocol,
    dataset: &str,
    table: &Table,
    split: u64,
) -> Result<(Vec<f64>, Vec<f64>), FitError> {
    let rows = protocol.kind().rows(&repetition(dataset, split), Source::Table(table));
    rows.map(|rows| (rows.train.target.to_vec(), rows.test.target.to_vec()))
}

fn refusal(json: &str, dataset: &str, table: &Table, split: u64) -> String {
    match divided(&protocol(json), dataset, table, split) {
        Err(FitError::Unsupported(why)) => why,
        other => panic!("{json}: expected a refusal, found {other:?}"),
    }
}

#[test]
fn every_protocol_puts_every_row_on_one_side() {
    for (json, n) in [
        (r#"{"holdout":{"test":{"fraction":0.2}}}"#, 60),
        (r#""standard""#, 308),
        (r#"{"k-fold":{"folds":7}}"#, 60),
        (r#"{"grouped":{"test":{"fraction":0.2}}}"#, 60),
        (r#"{"grouped-k-fold":{"folds":5}}"#, 60),
        (r#"{"gap":{"feature":"x2","share":0.2}}"#, 60),
        (r#"{"tail":{"feature":"x1","share":0.2,"end":"low"}}"#, 60),
    ] {
        let (train, test) = divided(&protocol(json), "yacht", &table(n), 0).unwrap();
        let mut all = [train.as_slice(), &test].concat();
        all.sort_by(f64::total_cmp);
        assert_eq!(all, (0..n).map(|row| row as f64).collect::<Vec<_>>(), "{json}");
        assert!(!train.is_empty() && !test.is_empty(), "{json}");
    }
}

#[test]
fn each_repeat_of_k_fold_tests_every_row_once() {
    let protocol = protocol(r#"{"k-fold":{"folds":4,"repeats":3}}"#);
    let tested = |split| divided(&protocol, "any", &table(30), split).unwrap().1;
    for repeat in 0..3 {
        let mut all: Vec<f64> = (0..4).flat_map(|fold| tested(4 * repeat + fold)).collect();
        all.sort_by(f64::total_cmp);
        assert_eq!(all, (0..30).map(f64::from).collect::<Vec<_>>());
    }
    assert_ne!(tested(0), tested(4), "a repeat is shuffled anew");
    assert_eq!(protocol.kind().repetitions(), Some(12));
}

#[test]
fn a_shuffled_rolling_origin_has_the_parts_of_that_in_time_without_their_times() {
    let mut table = table(40);
    table.dependence = Dependence::Periods((0..40).map(|row| row / 3).collect());
    let rows = |json: &str, split| {
        let protocol = protocol(json);
        protocol.kind().rows(&repetition("any", split), Source::Table(&table)).unwrap()
    };
    let mut tested = Vec::new();
    for split in 0..4 {
        let in_time = rows(r#"{"rolling-origin":{"start":0.5,"folds":4}}"#, split);
        let shuffled = rows(r#"{"rolling-origin":{"start":0.5,"folds":4,"shuffled":true}}"#, split);
        let sizes = |rows: &Rows| (rows.train.rows(), rows.test.rows());
        assert_eq!(sizes(&in_time), sizes(&shuffled));
        assert!(matches!(in_time.train.dependence, Dependence::Periods(_)));
        assert_eq!(shuffled.train.dependence, Dependence::Unknown);
        let latest = shuffled.train.target.iter().copied().fold(0.0, f64::max);
        assert!(shuffled.test.target.iter().any(|row| *row < latest), "it is not in time");
        tested.extend(shuffled.test.target);
    }
    tested.sort_by(f64::total_cmp);
    tested.dedup();
    assert_eq!(tested.len(), 19, "no row is tested twice");
}

#[test]
fn random_folds_withhold_groups_from_the_fit_and_grouped_folds_do_not() {
    let mut table = table(30);
    table.dependence = Dependence::Groups((0..30).map(|row| row / 3).collect());
    let dependence = |json: &str| {
        let protocol = protocol(json);
        let rows = protocol.kind().rows(&repetition("any", 0), Source::Table(&table)).unwrap();
        rows.train.dependence
    };
    assert_eq!(dependence(r#"{"k-fold":{"folds":5}}"#), Dependence::Unknown);
    let grouped = dependence(r#"{"grouped-k-fold":{"folds":5}}"#);
    assert!(matches!(grouped, Dependence::Groups(_)), "{grouped:?}");
}

#[test]
fn repetitions_of_numpys_folds_have_the_same_rows() {
    let protocol = protocol(r#"{"numpy-k-fold":{"folds":5,"seed":0}}"#);
    let rows = |split| divided(&protocol, "any", &table(94), split).unwrap();
    assert_eq!((protocol.kind().splits_a_repetition(), protocol.kind().repetitions()), (5, None));
    assert_eq!((rows(1).1[0], rows(1).1.len(), rows(4).1.len()), (3.0, 19, 18), "scikit-learn's");
    for fold in 0..5 {
        assert_eq!(rows(fold), rows(5 + fold));
    }
    assert_ne!(rows(0), rows(1));
}

#[test]
fn whole_data_are_fitted_and_predicted() {
    let (train, test) = divided(&protocol(r#""whole-data""#), "any", &table(9), 3).unwrap();
    assert_eq!((train.len(), train == test), (9, true));
    let step = uqbench_data::simulated::Simulated::get("simulated:step").unwrap();
    let setting = Setting {
        protocol: &Protocol::WholeData,
        repetition: repetition("simulated:step", 0),
        scaling: Scaling::TrainRows,
        score_units: ScoreUnits::Target,
        request: &Request::default(),
    };
    let method = crate::registry::build("linear-gaussian", &serde_json::json!({})).unwrap();
    let context = Context::new(Streams::new(1, "fit"));
    let observed = run(&setting, Source::Simulated(step), method.as_ref(), &context).unwrap();
    assert_eq!(
        observed.predict_cpu.is_some(),
        observed.fit_cpu.is_some(),
        "both are measured, or none"
    );
    assert_eq!((observed.train_rows, observed.y.len(), observed.y.sum()), (50, 50, 25.0));
}

#[test]
fn validation_divides_the_training_rows_of_the_split_and_nothing_else() {
    for (of, dataset, n) in [
        (r#"{"holdout":{"test":{"fraction":0.2}}}"#, "any", 60),
        (r#""standard""#, "yacht", 308),
        (r#"{"k-fold":{"folds":5,"repeats":2}}"#, "any", 60),
        (r#"{"gap":{"feature":"x2","share":0.2}}"#, "any", 60),
        (r#"{"grouped":{"test":{"fraction":0.2}}}"#, "any", 60),
    ] {
        let inside = protocol(&format!(r#"{{"validation":{{"of":{of},"fraction":0.1}}}}"#));
        assert_eq!(
            (inside.outer(), inside.kind().repetitions()),
            (&protocol(of), protocol(of).kind().repetitions())
        );
        let mut held_out = Vec::new();
        for split in 0..2 {
            let (train, _) = divided(&protocol(of), dataset, &table(n), split).unwrap();
            let (fitted, validated) = divided(&inside, dataset, &table(n), split).unwrap();
            let mut both = [fitted.as_slice(), &validated].concat();
            both.sort_by(f64::total_cmp);
            let mut train_sorted = train.clone();
            train_sorted.sort_by(f64::total_cmp);
            assert_eq!(both, train_sorted, "{of}: no test row, and every training row once");
            assert!(
                (1..=train.len() / 5).contains(&validated.len()),
                "{of}: {} of {}",
                validated.len(),
                train.len()
            );
            held_out.push(validated);
        }
        assert_ne!(held_out[0], held_out[1], "{of}");
    }
}

#[test]
fn validation_keeps_twins_together_where_the_protocol_does() {
    let table = table(60);
    let features = |row: &f64| table.features.row(*row as usize).to_vec();
    let inside =
        protocol(r#"{"validation":{"of":{"grouped":{"test":{"rows":12}}},"fraction":0.2}}"#);
    let (fitted, validated) = divided(&inside, "any", &table, 5).unwrap();
    assert!(
        validated.iter().all(|row| fitted.iter().all(|other| features(row) != features(other)))
    );
}

#[test]
fn standard_splits_do_not_depend_on_streams() {
    let (train, _) = divided(&protocol(r#""standard""#), "boston", &table(506), 0).unwrap();
    assert_eq!(train[..5], [307.0, 343.0, 47.0, 67.0, 362.0]);
}

#[test]
fn twins_and_gaps_are_those_of_the_table() {
    let table = table(60);
    let features = |row: &f64| table.features.row(*row as usize).to_vec();
    let (train, test) =
        divided(&protocol(r#"{"grouped":{"test":{"rows":12}}}"#), "any", &table, 5).unwrap();
    assert!(test.iter().all(|t| train.iter().all(|row| features(row) != features(t))));
    let (train, test) =
        divided(&protocol(r#"{"gap":{"feature":"x2","share":0.1}}"#), "any", &table, 0).unwrap();
    assert!(test.iter().all(|row| features(row)[1] == 3.0), "the middle of 0 to 6");
    assert!(train.iter().all(|row| features(row)[1] != 3.0));
}

#[test]
fn rows_that_cannot_be_divided_are_unsupported() {
    let table = table(60);
    let past = refusal(r#"{"k-fold":{"folds":4,"repeats":2}}"#, "any", &table, 8);
    assert_eq!(past, "2 × 4 folds: 8 in all, numbered from 0, but split 8 was asked for");
    assert!(
        refusal(r#""standard""#, "bike", &table, 0).starts_with("`bike` has no standard splits")
    );
    assert!(
        refusal(r#"{"gap":{"feature":"x3","share":0.1}}"#, "any", &table, 0)
            .ends_with("are `x1`, `x2`")
    );
    assert!(
        refusal(r#""demonstration""#, "any", &table, 0)
            .starts_with("a simulated problem needs `demonstration`")
    );
    let holdout = r#"{"holdout":{"test":{"rows":60}}}"#;
    assert_eq!(
        refusal(holdout, "any", &table, 0),
        "60 rows cannot be split into training and test rows"
    );
}

#[test]
fn test_rows_come_with_their_region_noise_and_truth_in_the_units_of_the_scores() {
    let method =
        crate::registry::build("unconditional-gaussian", &serde_json::Value::Null).unwrap();
    let context = Context::new(Streams::new(1, "method"));
    let request = Request::default();
    let setting = |protocol, score_units| Setting {
        protocol,
        repetition: repetition("any", 0),
        scaling: Scaling::Fixed(10.0),
        score_units,
        request: &request,
    };
    let problem = Source::Simulated(Simulated::get("simulated:heteroscedastic-sine").unwrap());
    for (score_units, factor) in [(ScoreUnits::Target, 1.0), (ScoreUnits::Scaled, 10.0)] {
        let observed = run(
            &setting(&Protocol::Demonstration, score_units),
            problem,
            method.as_ref(),
            &context,
        )
        .unwrap();
        let x = observed.x.unwrap();
        let noise = observed.facts.noise.unwrap();
        for (x, noise) in x.iter().zip(&noise) {
            assert!((noise - factor * (0.5 + x)).abs() < 1e-12, "{x}: {noise}");
        }
        let truth = observed.facts.truth.unwrap();
        for (x, truth) in x.iter().zip(&truth) {
            let expected = factor * 2.0 * (2.0 * std::f64::consts::PI * x).sin();
            assert!((truth - expected).abs() < 1e-12, "{x}: {truth}");
        }
        // Regions of one feature follow it, and all eight are there.
        let region = observed.facts.region.unwrap();
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
        let mut along: Vec<f64> = order.iter().map(|&row| region[row]).collect();
        assert!(along.is_sorted());
        along.dedup();
        assert_eq!(along, (0..8).map(f64::from).collect::<Vec<_>>());
    }

    let holdout = protocol(r#"{"holdout":{"test":{"rows":12}}}"#);
    let table = table(60);
    let observed = run(
        &setting(&holdout, ScoreUnits::Target),
        Source::Table(&table),
        method.as_ref(),
        &context,
    )
    .unwrap();
    let facts = &observed.facts;
    assert_eq!((&facts.noise, &facts.truth), (&None, &None), "unknown for pinned data");
    let rows = holdout.kind().rows(&repetition("any", 0), Source::Table(&table)).unwrap();
    let expected = Regions::fit(rows.train.features.view()).of(rows.test.features.view());
    assert_eq!(observed.facts.region, Some(expected));
}
