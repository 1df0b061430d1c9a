//! Choose the trials of a benchmark that a reader should look at, and write the page of each: of every dataset those with
//! the lowest, the median and the highest score, and of every method the first that failed in each way.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::document::Document;
use super::grid::Grid;
use super::section::Section;
use super::site::single::below;
use super::trial::{Place, ShowError, page, short};
use crate::benchmark::DatasetRow;
use crate::evidence::Results;
use crate::evidence::results::{End, Series};
use crate::metrics::MetricId;
use crate::runner::outcome::Outcome;
use crate::runner::record::TrialResult;
use crate::runner::store::Store;
use crate::stats::digits::number;

/// A trial that a reader should look at.
struct Notable<'a> {
    why: String,
    series: Series<'a>,
    split: usize,
    result: &'a TrialResult,
    score: Option<f64>,
}

/// The list of these trials with links to their pages, and the pages; `None` where no trial has run.
///
/// # Errors
/// [`ShowError`] where a trial cannot be read or drawn.
pub fn render(results: &Results, store: &Store) -> Result<Option<(Section, Vec<Document>)>, ShowError> {
    let Some(metric) = results.plan.benchmark.metrics.first() else { return Ok(None) };
    let all = notable(results, &metric.id);
    let mut grid = Grid::new(&["Trial", "Why", "Dataset", "Column", "#Repetition", &format!("#{}", metric.heading)]);
    for (row, one) in all.iter().enumerate() {
        let key = short(&one.result.key);
        grid.links.insert((row, 0), format!("site/trial-{key}.html"));
        grid.rows.push(vec![
            key.to_owned(),
            one.why.clone(),
            one.series.dataset.heading.clone(),
            one.series.name(),
            one.split.to_string(),
            one.score.map_or_else(|| "–".into(), |score| number(score, None)),
        ]);
    }
    let note = "Of each dataset the trials with the lowest, the median and the highest score, and of each method the first that \
                returned no predictions, for each kind of reason. The command uqbench show KEY makes the page of any other trial.";
    let mut seen = BTreeSet::new();
    let distinct: Vec<&Notable> = all.iter().filter(|one| seen.insert(&one.result.key)).collect();
    let pages = distinct.par_iter().map(|one| document(results, store, one)).collect::<Result<_, _>>()?;
    let section = Section { title: "Trials to look at".into(), grid, note: note.into() };
    Ok((!all.is_empty()).then_some((section, pages)))
}

fn document(results: &Results, store: &Store, one: &Notable) -> Result<Document, ShowError> {
    let plan = results.plan;
    let place = Place { plan, column: one.series.name(), split: one.split as u64 };
    let (page, figures) = page(store, one.result, Some(&place))?;
    let above = [("index", "Report"), (plan.benchmark.id.as_str(), plan.benchmark.artefact.as_str())];
    Ok(below(&above, &format!("trial-{}", short(&one.result.key)), &page, &figures))
}

fn notable<'a>(results: &'a Results, metric: &MetricId) -> Vec<Notable<'a>> {
    let series = results.series();
    let mut all = Vec::new();
    for dataset in results.plan.benchmark.datasets.iter().filter(|dataset| dataset.variant.is_none()) {
        all.extend(extremes(&series, dataset, metric));
    }
    let mut ways = BTreeSet::new();
    for one in &series {
        for (split, end) in one.repetitions.ends.iter().enumerate() {
            let End::Finished { result, .. } = end else { continue };
            let word = result.outcome.word();
            if result.outcome != Outcome::Ok && ways.insert((one.method.id.as_str(), word)) {
                all.push(Notable { why: format!("no predictions: {word}"), series: *one, split, result, score: None });
            }
        }
    }
    all
}

/// The trials of one dataset with the lowest, the median and the highest score, among the columns of the table.
fn extremes<'a>(series: &[Series<'a>], dataset: &DatasetRow, metric: &MetricId) -> Vec<Notable<'a>> {
    let mut scored = Vec::new();
    for one in series.iter().filter(|one| one.variant().is_none() && one.dataset.key == dataset.key) {
        for (split, (score, end)) in one.split_values(metric).into_iter().zip(&one.repetitions.ends).enumerate() {
            if let (Some(score), End::Finished { result, .. }) = (score, end) {
                scored.push((score, *one, split, &**result));
            }
        }
    }
    // The sort is stable, so that equal scores keep the order of the table.
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let places = match scored.len() {
        0 => Vec::new(),
        1 => vec![("only score", 0)],
        2 => vec![("lowest score", 0), ("highest score", 1)],
        n => vec![("lowest score", 0), ("median score", (n - 1) / 2), ("highest score", n - 1)],
    };
    let pick = |(why, at): (&str, usize)| {
        let (score, series, split, result) = scored[at];
        Notable { why: why.into(), series, split, result, score: Some(score) }
    };
    places.into_iter().map(pick).collect()
}
