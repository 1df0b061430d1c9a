use super::*;
use crate::benchmark::find;
use crate::data::{Library, SourceOptions};
use crate::methods::anchors::ANCHORS;
use crate::runner::execute::{Executor, InProcess, Job};
use crate::runner::plan::{Filter, plan};
use crate::system::CancelToken;

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
    assert_eq!(shipped.text().unwrap(), SHIPPED);
    assert_eq!(Costs::parse(SHIPPED).unwrap(), *shipped);
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
        let mut record =
            executor.execute(&Job::new(trial.experiment.spec(trial.split)), &CancelToken::default()).unwrap();
        let number = expected.values().map(|(_, count)| count).sum::<usize>();
        record.provenance.fit_cpu_seconds = Some(2.0 + number as f64);
        record.provenance.predict_seconds = 0.5;
        record.provenance.peak_memory = Some((number as u64 + 1) << 20);
        store.keep(&record).unwrap();
        let (seconds, count) = expected.entry(trial.experiment.method.heading().to_owned()).or_default();
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
    assert!(rows.contains(&&known) && rows.contains(&&stale), "rows of other profiles and datasets stay");
    for (heading, (seconds, count)) in expected {
        let of = |row: &&&CostRow| row.profile == Profile::Smoke && row.heading == heading && row.dataset != "none";
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
        assert!(rows.chain(anchors.copied()).any(|(method, heading)| has(method, heading)), "{row:?}");
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
    let all_rows = [vec![own, quick.clone()], elsewhere.to_vec(), vec![other_data.clone()]].concat();
    assert_eq!(cost(&all_rows), (1.0, 2.0, Known::Measured));
    assert_eq!(cost(&all_rows[1..]), (5.0, 12.0, Known::Alike), "the profile outweighs the benchmark");
    assert_eq!(cost(&[quick, other_data.clone()]), (2.0, 4.0, Known::Alike), "the dataset outweighs the profile");
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
