use std::slice;

use super::*;
use crate::benchmark::find;
use crate::runner::execute::{Executor, InProcess, Job};
use crate::runner::plan::{Filter, plan};
use uq_core::CancelToken;
use uq_methods::anchors::ANCHORS;
use uqbench_data::{Library, SourceOptions};

fn row(profile: Profile, benchmark: &str, dataset: &str, seconds: f64) -> CostRow {
    let (benchmark, dataset, method, heading) =
        (benchmark.into(), dataset.into(), "dtb".into(), "Uniform, weak".into());
    CostRow {
        profile,
        benchmark,
        dataset,
        method,
        heading,
        trials: 1,
        seconds,
        longest: 2.0 * seconds,
        memory_mib: None,
    }
}

#[test]
fn the_table_of_the_program_is_read_and_written_the_same() {
    let shipped = Costs::shipped().unwrap();
    let table = text(SHIPPED).unwrap();
    assert_eq!(shipped.text().unwrap(), table);
    assert_eq!(Costs::parse(table).unwrap(), *shipped);
}

#[test]
fn a_renewed_table_has_the_times_of_the_store_and_keeps_all_other_rows() {
    let benchmark = find("dtb-figure-3").unwrap();
    let plans = plan(&[benchmark], Profile::Smoke, &Filter::default()).unwrap();
    let planned = trials(&plans);
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let library = Library::new(SourceOptions { offline: true, ..SourceOptions::default() });
    let executor = InProcess::new(&library, 1);
    let mut expected: BTreeMap<String, (f64, usize)> = BTreeMap::new();
    for trial in &planned {
        let mut record = executor
            .execute(&Job::new(trial.experiment.spec(trial.split)), &CancelToken::default())
            .unwrap();
        let number = expected.values().map(|(_, count)| count).sum::<usize>();
        record.provenance.fit_cpu_seconds = Some(2.0 + number as f64);
        record.provenance.predict_seconds = 0.5;
        record.provenance.peak_memory = Some((number as u64 + 1) << 20);
        store.keep(&record).unwrap();
        let (seconds, count) =
            expected.entry(trial.experiment.method.heading().to_owned()).or_default();
        (*seconds, *count) = (*seconds + 2.5 + number as f64, *count + 1);
    }
    let known = row(Profile::Full, "dtb-table-1", "bike", 7.0);
    let stale = CostRow {
        heading: expected.keys().next().unwrap().clone(),
        ..row(Profile::Smoke, "dtb-figure-3", "none", 9.0)
    };
    let older = Costs::of(vec![known.clone(), stale.clone()]);
    let renewed = older.renewed(&plans, &store).unwrap();
    let rows: Vec<&CostRow> = renewed.by_method.values().flatten().collect();
    assert!(
        rows.contains(&&known) && rows.contains(&&stale),
        "rows of other profiles and datasets stay"
    );
    for (heading, (seconds, count)) in expected {
        let of = |row: &&&CostRow| {
            row.profile == Profile::Smoke && row.heading == heading && row.dataset != "none"
        };
        let measured: Vec<_> = rows.iter().filter(of).collect();
        assert_eq!(measured.iter().map(|row| row.trials).sum::<usize>(), count, "{heading}");
        let sum: f64 = measured.iter().map(|row| row.seconds * row.trials as f64).sum();
        assert!((sum - seconds).abs() < 0.02 * seconds, "{heading}: {sum} for {seconds}");
        assert!(measured.iter().all(|row| row.memory_mib.is_some() && row.longest >= row.seconds));
    }
    // Twice gives the same.
    assert_eq!(renewed.renewed(&plans, &store).unwrap(), renewed);
}

#[test]
fn every_method_and_dataset_of_the_table_exists() {
    for row in Costs::shipped().unwrap().by_method.values().flatten() {
        let benchmark = find(&row.benchmark).unwrap();
        assert!(benchmark.datasets.iter().any(|dataset| dataset.key == row.dataset), "{row:?}");
        let has = |method: &str, heading: &str| method == row.method && heading == row.heading;
        let anchors = ANCHORS.iter().filter(|_| benchmark.anchors);
        let rows = benchmark.methods.iter().map(|method| (method.id.as_str(), method.heading()));
        assert!(
            rows.chain(anchors.copied()).any(|(method, heading)| has(method, heading)),
            "{row:?}"
        );
        assert!(row.trials > 0 && row.seconds <= row.longest, "{row:?}");
    }
}

#[test]
fn the_rows_that_are_most_like_a_trial_tell_its_cost() {
    let plans = plan(&[find("dtb-table-1").unwrap()], Profile::Full, &Filter::default()).unwrap();
    let all = trials(&plans);
    let dtb = all.iter().find(|trial| trial.experiment.template.method == "dtb").unwrap();
    let dataset = dtb.experiment.template.dataset.as_str();
    let cost = |rows: &[CostRow]| {
        let cost = Costs::of(rows.to_vec()).of_trial(dtb);
        let fit = |seconds: f64| ((seconds - BESIDE) * 1e6).round() / 1e6;
        (fit(cost.seconds), fit(cost.longest), cost.known)
    };
    let own = row(Profile::Full, "dtb-table-1", dataset, 1.0);
    let quick = row(Profile::Quick, "dtb-table-1", dataset, 2.0);
    let other_settings = CostRow { heading: "DT, other".into(), ..own.clone() };
    let elsewhere = [row(Profile::Full, "a", dataset, 4.0), row(Profile::Full, "b", dataset, 6.0)];
    let other_data = row(Profile::Full, "dtb-table-1", "none", 8.0);
    let all_rows =
        [vec![own, quick.clone()], elsewhere.to_vec(), vec![other_data.clone()]].concat();
    assert_eq!(cost(&all_rows), (1.0, 2.0, Known::Measured));
    assert_eq!(
        cost(&all_rows[1..]),
        (5.0, 12.0, Known::Alike),
        "the profile outweighs the benchmark"
    );
    assert_eq!(
        cost(&[quick, other_data.clone()]),
        (2.0, 4.0, Known::Scaled),
        "the dataset outweighs the profile"
    );
    assert_eq!(
        cost(&[other_settings, other_data.clone()]),
        (8.0, 16.0, Known::Alike),
        "the heading outweighs the dataset"
    );
    assert_eq!(cost(&[other_data]), (8.0, 16.0, Known::Alike));
    assert_eq!(Costs::of([]).of_trial(dtb).seconds, UNKNOWN_SECONDS);
    assert_eq!(Costs::of([]).of_trial(dtb).known, Known::Unknown);
}

#[test]
fn a_method_about_another_one_costs_the_fits_inside_it() {
    let fits = |parameters: Value| fits_inside(&parameters);
    let grid = serde_json::json!([
        { "parameter": "a", "values": [1, 2, 3] }, { "parameter": "b", "values": [1, 2] }
    ]);
    assert_eq!(fits(serde_json::json!({ "method": {} })), 1.0);
    assert_eq!(fits(serde_json::json!({ "folds": 5 })), 6.0);
    assert_eq!(fits(serde_json::json!({ "grid": grid, "folds": 1 })), 7.0);
    assert_eq!(fits(serde_json::json!({ "grid": { "a": [1, 2] }, "folds": 5 })), 11.0);

    // A search among twelve settings, of EasyUQ about a network.
    let easyuq = find("easyuq-ten-times").unwrap();
    let plans = plan(&[easyuq], Profile::Full, &Filter::default()).unwrap();
    let all = trials(&plans);
    let is_easyuq_on_boston = |trial: &&Planned| {
        trial.experiment.method.heading() == "EasyUQ"
            && trial.experiment.template.dataset == "boston"
    };
    let trial = all.iter().find(is_easyuq_on_boston).unwrap();
    let named = |method: &str, heading: &str, seconds: f64| CostRow {
        method: method.into(),
        heading: heading.into(),
        ..row(Profile::Full, "a", "boston", seconds)
    };
    let cost = |rows: &[CostRow]| {
        let cost = Costs::of(rows.to_vec()).of_trial(trial);
        ((cost.seconds * 1e6).round() / 1e6, cost.known)
    };
    let network = named("mse-ensemble", "b", 2.0);
    let other = named("validated", "c", 1.0);
    assert_eq!(cost(&[network.clone(), other.clone()]), (13.0 * 2.02, Known::Alike));
    assert_eq!(
        cost(slice::from_ref(&network)),
        (13.0 * 2.02, Known::Alike),
        "no row of the search itself"
    );
    let own = named("validated", "EasyUQ", 3.0);
    assert_eq!(cost(&[network, other, own]), (3.02, Known::Alike), "its own rows tell it");
}

#[test]
fn times_of_another_profile_are_scaled_as_other_trials_under_both_are() {
    let plans = plan(&[find("dtb-table-1").unwrap()], Profile::Full, &Filter::default()).unwrap();
    let all = trials(&plans);
    let dtb = all.iter().find(|trial| trial.experiment.template.method == "dtb").unwrap();
    let dataset = dtb.experiment.template.dataset.as_str();
    let cost = |rows: &[CostRow]| {
        let cost = Costs::of(rows.to_vec()).of_trial(dtb);
        let fit = |seconds: f64| ((seconds - BESIDE) * 1e6).round() / 1e6;
        (fit(cost.seconds), fit(cost.longest), cost.known)
    };
    let other_method =
        |row: CostRow| CostRow { method: "jcm".into(), heading: "JCM".into(), ..row };
    let own = row(Profile::Quick, "dtb-table-1", dataset, 2.0);
    // Another method takes 3 and 27 times as long: 9 times in the geometric mean.
    let others = [
        row(Profile::Quick, "a", "x", 1.0),
        row(Profile::Full, "a", "x", 3.0),
        row(Profile::Quick, "a", "y", 2.0),
        row(Profile::Full, "a", "y", 54.0),
    ];
    let others = others.map(other_method);
    // The method itself takes 8 times and twice as long: 4 times. What has no partner or no time
    // does not count.
    let pairs = [
        row(Profile::Quick, "a", "x", 1.0),
        row(Profile::Full, "a", "x", 8.0),
        row(Profile::Quick, "a", "y", 4.0),
        row(Profile::Full, "a", "y", 8.0),
        row(Profile::Quick, "a", "z", 0.0),
        row(Profile::Full, "a", "z", 5.0),
        row(Profile::Full, "b", "x", 100.0),
        CostRow { heading: "other settings".into(), ..row(Profile::Full, "a", "v", 100.0) },
        row(Profile::Quick, "a", "v", 1.0),
    ];
    let of_all = [slice::from_ref(&own), &others[..]].concat();
    let of_method = [&of_all[..], &pairs[..]].concat();
    assert_eq!(cost(slice::from_ref(&own)), (2.0, 4.0, Known::Scaled), "nothing tells the ratio");
    assert_eq!(cost(&of_all), (18.0, 36.0, Known::Scaled), "2 s, 9 times as long");
    assert_eq!(cost(&of_method), (8.0, 16.0, Known::Scaled), "2 s, 4 times as long");
    // The smoke profile's 1 s has the ratio of its only pair, 16: the mean of 8 s and 16 s.
    let smoke =
        [row(Profile::Smoke, "dtb-table-1", dataset, 1.0), row(Profile::Smoke, "a", "x", 0.5)];
    assert_eq!(cost(&[&of_method[..], &smoke[..]].concat()), (12.0, 32.0, Known::Scaled));
    // A row of the same profile is taken as it is.
    let elsewhere = row(Profile::Full, "c", dataset, 7.0);
    assert_eq!(cost(&[&of_method[..], &[elsewhere][..]].concat()), (7.0, 14.0, Known::Alike));
    let ratio = |method: &str, profiles: (Profile, Profile)| {
        (Costs::of(of_method.clone()).ratios.ratio(method, profiles) * 1e6).round() / 1e6
    };
    assert_eq!(ratio("dtb", (Profile::Full, Profile::Quick)), 0.25);
    assert_eq!(ratio("jcm", (Profile::Quick, Profile::Full)), 9.0);
    assert_eq!(ratio("none", (Profile::Quick, Profile::Full)), 6.0, "3, 27, 8 and 2 times");
    assert_eq!(ratio("dtb", (Profile::Full, Profile::Full)), 1.0);
}

#[test]
fn work_is_known_where_the_same_profile_tells_half_of_it() {
    let cost =
        |seconds: f64, known: Known| Cost { seconds, longest: seconds, memory_mib: None, known };
    let (measured, alike) = (cost(1.0, Known::Measured), cost(4.0, Known::Alike));
    assert!(is_work_known(&[measured, alike, cost(5.0, Known::Scaled)]));
    assert!(!is_work_known(&[measured, alike, cost(5.1, Known::Scaled)]));
    assert!(!is_work_known(&[measured, alike, cost(0.1, Known::Unknown)]));
    assert!(is_work_known(&[]));
}

#[test]
fn long_trials_come_first_and_equal_ones_keep_their_order() {
    let plans = plan(&[find("dtb-table-1").unwrap()], Profile::Full, &Filter::default()).unwrap();
    let mut sorted = trials(&plans);
    let last = sorted.last().unwrap().experiment.template.dataset.clone();
    let costs = Costs::of([row(Profile::Full, "dtb-table-1", &last, 1e4)]);
    costs.longest_first(&mut sorted);
    let seconds: Vec<f64> = sorted.iter().map(|trial| costs.of_trial(trial).seconds).collect();
    assert!(seconds.is_sorted_by(|a, b| a >= b) && seconds[0] == 1e4 + BESIDE);
    let of = |trials: &[Planned]| -> Vec<_> {
        let unknown = trials.iter().filter(|trial| costs.of_trial(trial).known == Known::Unknown);
        unknown.map(|trial| trial.key.clone()).collect()
    };
    assert_eq!(of(&sorted), of(&trials(&plans)));
}

#[test]
fn rows_are_joined_by_their_trials() {
    let mut one = CostRow { trials: 3, memory_mib: Some(7), ..row(Profile::Full, "a", "b", 1.0) };
    one.add(&row(Profile::Full, "a", "b", 5.0));
    assert_eq!((one.trials, one.seconds, one.longest, one.memory_mib), (4, 2.0, 10.0, Some(7)));
}

#[test]
fn a_row_that_is_none_is_named() {
    let head = "profile,benchmark,dataset,method,heading,trials,seconds,longest,memory_mib\n";
    for (line, part) in [
        ("full,a,b,c,d,1,x,1,\n", "line: 2"),
        ("fool,a,b,c,d,1,1,1,\n", "fool"),
        ("full,a,b,c,d,1,-1,1,\n", "c on b is negative"),
        ("full,a,b,c,d,1,1,inf,\n", "c on b is negative or not finite"),
    ] {
        let why = Costs::parse(&format!("{head}{line}")).unwrap_err().to_string();
        assert!(why.contains(part), "{why}");
    }
}
