use super::*;
use crate::benchmark::find;

#[test]
fn a_row_of_one_seed_is_not_repeated_with_others() {
    let benchmark = find("jcm-table-2").unwrap();
    let found =
        &plan(std::slice::from_ref(&benchmark), Profile::Full, &Filter::default()).unwrap()[0];
    let repeated = |id: &str| found.reseeded.iter().filter(|e| e.method.id == id).count();
    assert_eq!(
        ["deep-ensemble", "sparse-gp", "deep-gp"].map(repeated),
        [14, 0, 0],
        "7 datasets, 2 other seeds"
    );
    let splits = |id: &str| found.experiments.iter().find(|e| e.method.id == id).map(|e| e.splits);
    assert_eq!(
        ["deep-ensemble", "deep-gp"].map(splits),
        [Some(10), Some(3)],
        "a row may state fewer"
    );
}

#[test]
fn jcms_figures_and_tables_share_the_trials_of_equal_settings() {
    let benchmarks =
        ["jcm-table-2", "jcm-figure-2", "jcm-figure-3"].map(|name| find(name).unwrap());
    let plans = plan(&benchmarks, Profile::Full, &Filter::default()).unwrap();
    let keys = |plan: &Plan, dataset: &str| -> Vec<TrialKey> {
        let on_dataset = |e: &&Experiment| e.template.dataset == dataset;
        plan.experiments.iter().filter(on_dataset).map(|e| e.key(3)).collect()
    };
    let table: Vec<TrialKey> =
        ["boston", "kin8nm", "protein"].iter().flat_map(|d| keys(&plans[0], d)).collect();
    // p from 2 to d and K from 4 to 20 share one fit, and there are two without projection.
    for (dataset, d, shared) in [("boston", 13, 2), ("kin8nm", 8, 1), ("protein", 9, 1)] {
        let figure = keys(&plans[1], dataset);
        assert_eq!(figure.len(), (d - 1) + 9 - 1 + 2, "{dataset}");
        assert_eq!(figure.iter().filter(|key| table.contains(key)).count(), shared, "{dataset}");
        assert_eq!(figure, keys(&plans[2], dataset), "{dataset}");
    }
}

#[test]
fn the_quick_profile_has_every_dataset_of_every_printed_table() {
    let tables = [
        "dtb-table-1",
        "dtb-table-2",
        "jcm-table-2",
        "jcm-table-3",
        "jcm-table-4",
        "jcm-table-5",
        "nsgp-table-1",
    ];
    for benchmark in tables.map(|name| find(name).unwrap()) {
        let quick =
            &plan(std::slice::from_ref(&benchmark), Profile::Quick, &Filter::default()).unwrap()[0];
        for row in benchmark.datasets.iter().filter(|row| row.variant.is_none()) {
            let planned = quick
                .experiments
                .iter()
                .filter(|e| e.template.dataset == row.key && e.splits > 0)
                .count();
            let main = benchmark
                .methods
                .iter()
                .filter(|method| method.variant.is_none() && method.runs_on(&row.key));
            assert!(planned >= main.count(), "{} on {}", benchmark.id, row.key);
        }
    }
}

#[test]
fn a_row_runs_on_its_datasets_alone_and_varied_whole_numbers_stay_whole() {
    let benchmark = find("jcm-figure-2").unwrap();
    let plan = plan(&[benchmark], Profile::Full, &Filter::default()).unwrap().remove(0);
    let projected = |dataset: &str| -> HashSet<i64> {
        let jcm = plan
            .experiments
            .iter()
            .filter(|e| e.template.dataset == dataset && e.template.method == "jcm");
        jcm.filter_map(|e| e.template.parameters["dimension"].as_i64()).collect()
    };
    assert_eq!(projected("kin8nm"), (2..=8).collect::<HashSet<_>>());
    assert_eq!(projected("boston"), (2..=13).collect::<HashSet<_>>());
}

#[test]
fn a_method_that_no_benchmark_has_is_told_with_what_to_do() {
    let benchmark = find("dtb-table-1").unwrap();
    let of = |name: &str| {
        let filter = Filter { methods: vec![name.into()], ..Filter::default() };
        plan(std::slice::from_ref(&benchmark), Profile::Quick, &filter).err().unwrap().to_string()
    };
    for (name, advice) in [
        ("xgboost", ", but `boosting-quantiles` is of its kind"),
        ("wiener-kernel-regresion", ", did you mean `wiener-kernel-regression`?"),
        ("wiener-kernel-regression", "; a benchmark file of your own can name this method"),
    ] {
        let expected = format!("no method `{name}` in the chosen benchmarks{advice}");
        assert!(of(name).starts_with(&expected), "{}", of(name));
    }
}

#[test]
fn a_short_name_chooses_the_variants_of_a_dataset_where_none_has_the_name_itself() {
    let chosen = |benchmark: &str, name: &str| -> Vec<String> {
        let benchmark = find(benchmark).unwrap();
        let filter = Filter { datasets: vec![name.into()], ..Filter::default() };
        let plans = plan(std::slice::from_ref(&benchmark), Profile::Smoke, &filter).unwrap();
        let mut keys: Vec<String> = plans[0]
            .experiments
            .iter()
            .map(|experiment| benchmark.datasets[experiment.dataset].key.clone())
            .collect();
        keys.dedup();
        keys
    };
    assert_eq!(chosen("baselines-standard", "power"), ["power:sheet5"]);
    assert_eq!(chosen("jcm-table-2", "power"), ["power"]);
    let gaps = [1, 2, 4, 8].map(|d| format!("simulated:decomposition-gap@{d}"));
    assert_eq!(chosen("decomposition", "decomposition-gap"), gaps);
    assert_eq!(chosen("decomposition", "simulated:decomposition-gap"), gaps);
    assert_eq!(chosen("decomposition", &gaps[2]), gaps[2..3]);
    assert!(
        ["simulated", "decomposition-gap@2x", "gap"].iter().all(|name| !is_short(name, &gaps[1]))
    );
}
