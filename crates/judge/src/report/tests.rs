//! Reports of every shipped benchmark, of a store without a trial.

use super::*;
use serde_json::Value;
use uqbench_run::benchmark::{Profile, shipped};
use uqbench_run::runner::plan::{Filter, plan};

/// The report on each shipped benchmark, as JSON.
fn reports() -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("store")).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let plans = plan(shipped().unwrap(), Profile::Smoke, &Filter::default()).unwrap();
    let one = |plan: &Plan| {
        let report = Report::collect(plan, &store, &pool, |note| format!("{note:?}")).unwrap();
        serde_json::to_value(report).unwrap()
    };
    plans.iter().map(one).collect()
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn each_row_has_a_cell_for_each_heading_and_each_cell_says_why_it_is_empty() {
    let reports = reports();
    assert!(reports.len() > 30, "{}", reports.len());
    let (mut scores, mut lines) = (0, 0);
    for report in &reports {
        let id = &report["benchmark"]["id"];
        assert_eq!(report["format"], FORMAT, "{id}");
        assert!(list(report, "lacking").is_empty(), "{id}");
        for table in list(report, "tables") {
            let head = list(table, "head").len();
            for row in list(table, "rows") {
                assert_eq!(row.as_array().unwrap().len(), head, "{id}: {}", table["about"]);
            }
            let cells = list(table, "rows").iter().flat_map(|row| row.as_array().unwrap());
            for score in cells.filter(|cell| cell["cell"] == "score") {
                scores += 1;
                assert!(score["summary"].is_null() && score["reason"] != "", "{id}: {score}");
                if let Some(line) = score["line"].as_u64() {
                    lines += 1;
                    let judged = &report["card"]["numbers"][usize::try_from(line).unwrap()];
                    assert_eq!(judged["printed"], score["printed"], "{id}");
                    let verdict = judged["verdict"].as_str().unwrap();
                    assert!(
                        ["not run", "imp"].iter().any(|word| verdict.starts_with(word)),
                        "{id}: {verdict}"
                    );
                }
            }
        }
    }
    assert!(scores > 300 && lines > 50, "{scores} scores, {lines} of them beside a printed number");
}

#[test]
fn numbers_that_json_lacks_are_words() {
    let number = |value| {
        serde_json::to_value(Cell::number(Some(value), Form::Exact)).unwrap()["value"].clone()
    };
    assert_eq!(number(1.5), 1.5);
    assert_eq!([f64::INFINITY, f64::NEG_INFINITY].map(number), ["inf", "-inf"]);
    assert_eq!(number(f64::NAN), "nan");
}
