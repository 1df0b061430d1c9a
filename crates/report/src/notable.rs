//! List the trials of a benchmark that a reader should look at, and write the page of each.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::document::Document;
use super::grid::{Cell, Grid, Lead};
use super::section::Section;
use super::site::single::below;
use super::trial::{Place, page};
use super::trials::file;
use super::words::notable as words;
use uq_core::stats::digits::{NONE, number};
use uqbench_judge::report::{NotableTrial, Report, TrialReport};
use uqbench_run::runner::key::TrialKey;

/// The list of these trials with links to their pages; `None` where no trial has run.
pub fn list(report: &Report) -> Option<Section> {
    let metric = report.plan.benchmark.metrics.first()?;
    let notable = &report.notable;
    let mut grid = Grid::new(&[
        "Trial",
        "Why",
        "Dataset",
        "Column",
        "#Repetition",
        &format!("#{}", metric.heading),
    ]);
    for NotableTrial { key, why, dataset, column, split, score } in &notable.trials {
        let has_page = notable.reports.iter().any(|report| report.key == *key);
        let page = has_page.then(|| Lead::Page(format!("site/{}.html", name(key))));
        grid.push([
            Cell::leading(key.short(), page),
            words::why(why).into(),
            dataset.as_str().into(),
            column.as_str().into(),
            split.to_string().into(),
            score.map_or_else(|| NONE.into(), |score| number(score, None).into()),
        ]);
    }
    let note = words::note(notable.more, &file(&report.plan.benchmark));
    (!grid.rows.is_empty()).then(|| Section { title: "Trials to look at".into(), grid, note })
}

/// Name of the page of a trial.
fn name(key: &TrialKey) -> String {
    format!("trial-{}", key.short())
}

/// The pages of these trials.
pub fn pages(report: &Report) -> Vec<Document> {
    let mut by_key: BTreeMap<&TrialKey, &NotableTrial> = BTreeMap::new();
    for trial in &report.notable.trials {
        by_key.entry(&trial.key).or_insert(trial);
    }
    let page = |one: &TrialReport| Some(document(report, one, by_key.get(&one.key)?));
    report.notable.reports.par_iter().filter_map(page).collect()
}

fn document(
    report: &Report,
    one: &TrialReport,
    NotableTrial { column, split, .. }: &NotableTrial,
) -> Document {
    let plan = report.plan;
    let place = Place { plan, column: column.clone(), split: *split };
    let (mut page, figures) = page(one, Some(&place));
    // The glossary has these.
    page.name_metrics(plan.benchmark.all_metrics());
    let above =
        [("index", "Report"), (plan.benchmark.id.as_str(), plan.benchmark.artefact.as_str())];
    below(&above, &name(&one.key), &page, &figures)
}
