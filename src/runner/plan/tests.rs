use super::*;
use crate::benchmark::{find, shipped};
use crate::data::Manifest;

#[test]
fn a_row_of_one_seed_is_not_repeated_with_others() {
    let benchmark = find("jcm-table-2").unwrap();
    let found = &plan(std::slice::from_ref(&benchmark), Profile::Full, &Filter::default()).unwrap()[0];
    let repeated = |id: &str| found.reseeded.iter().filter(|e| e.method.id == id).count();
    assert_eq!(["deep-ensemble", "sparse-gp", "deep-gp"].map(repeated), [14, 0, 0], "7 datasets, 2 other seeds");
    let splits = |id: &str| found.experiments.iter().find(|e| e.method.id == id).map(|e| e.splits);
    assert_eq!(["deep-ensemble", "deep-gp"].map(splits), [Some(10), Some(3)], "a row may state fewer");
}

#[test]
fn jcms_figures_and_tables_share_the_trials_of_equal_settings() {
    let benchmarks = ["jcm-table-2", "jcm-figure-2", "jcm-figure-3"].map(|name| find(name).unwrap());
    let plans = plan(&benchmarks, Profile::Full, &Filter::default()).unwrap();
    let keys = |plan: &Plan, dataset: &str| -> Vec<TrialKey> {
        let on_dataset = |e: &&Experiment| e.template.dataset == dataset;
        plan.experiments.iter().filter(on_dataset).map(|e| e.key(3)).collect()
    };
    let table: Vec<TrialKey> = ["boston", "kin8nm", "protein"].iter().flat_map(|d| keys(&plans[0], d)).collect();
    // p from 2 to d and K from 4 to 20 share one fit, and there are two without projection.
    for (dataset, d, shared) in [("boston", 13, 2), ("kin8nm", 8, 1), ("protein", 9, 1)] {
        let figure = keys(&plans[1], dataset);
        assert_eq!(figure.len(), (d - 1) + 9 - 1 + 2, "{dataset}");
        assert_eq!(figure.iter().filter(|key| table.contains(key)).count(), shared, "{dataset}");
        assert_eq!(figure, keys(&plans[2], dataset), "{dataset}");
    }
}

#[test]
fn a_row_runs_on_its_datasets_alone_and_varied_whole_numbers_stay_whole() {
    let benchmark = find("jcm-figure-2").unwrap();
    let plan = plan(&[benchmark], Profile::Full, &Filter::default()).unwrap().remove(0);
    let projected = |dataset: &str| -> HashSet<i64> {
        let jcm = plan.experiments.iter().filter(|e| e.template.dataset == dataset && e.template.method == "jcm");
        jcm.filter_map(|e| e.template.parameters["dimension"].as_i64()).collect()
    };
    assert_eq!(projected("kin8nm"), (2..=8).collect::<HashSet<_>>());
    assert_eq!(projected("boston"), (2..=13).collect::<HashSet<_>>());
}

/// Every table of the three papers that have tables.
const TABLES: [&str; 7] =
    ["dtb-table-1", "dtb-table-2", "jcm-table-2", "jcm-table-3", "jcm-table-4", "jcm-table-5", "nsgp-table-1"];

/// Its original was not at hand.
const NOT_ABOARD: &str = "superconductivity";

#[test]
fn the_quick_profile_has_every_dataset_of_every_table_and_needs_no_download() {
    let of_papers = shipped().unwrap().iter().filter(|benchmark| {
        benchmark.artefact.starts_with("Table") && ["dtb", "jcm", "nsgp"].contains(&benchmark.paper.as_str())
    });
    let mut named: Vec<&str> = of_papers.map(|benchmark| benchmark.id.as_str()).collect();
    named.sort_unstable();
    assert_eq!(named, TABLES);
    for name in TABLES {
        let benchmark = find(name).unwrap();
        let quick = plan(std::slice::from_ref(&benchmark), Profile::Quick, &Filter::default()).unwrap().remove(0);
        let published = benchmark.published_numbers().unwrap();
        let main: Vec<&DatasetRow> = benchmark.datasets.iter().filter(|row| row.variant.is_none()).collect();
        // No dataset of the paper's own table is forgotten: each printed name is that of a row.
        for cell in &published.cells {
            let is_it = |row: &DatasetRow| row.printed_name() == cell.dataset;
            assert!(benchmark.datasets.iter().any(is_it), "{name}: {}", cell.dataset);
        }
        for row in main {
            let own = |experiment: &&Experiment| {
                benchmark.datasets[experiment.dataset].key == row.key && experiment.method.variant.is_none()
            };
            let splits = quick.experiments.iter().filter(own).map(|experiment| experiment.splits).max();
            assert!(splits.is_some_and(|splits| splits >= 1) || row.key == NOT_ABOARD, "{name}: {}", row.key);
            let dataset = Manifest::shipped().unwrap().get(&row.key).unwrap();
            assert_eq!(dataset.bundled.is_some(), row.key != NOT_ABOARD, "{name}: {}", row.key);
        }
    }
}
