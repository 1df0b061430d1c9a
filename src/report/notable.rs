//! Choose the trials of a benchmark that a reader should look at, and write the page of each: of every dataset those with
//! the lowest, the median and the highest score, and every trial without predictions.

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
use crate::runner::key::TrialKey;
use crate::runner::outcome::{Failure, Outcome};
use crate::runner::record::TrialResult;
use crate::runner::store::Store;
use crate::stats::digits::number;

/// A trial that a reader should look at.
struct Notable<'a> {
    why: String,
    series: Series<'a>,
    split: usize,
    /// What it stored; `None` where it failed and nothing is stored.
    result: Option<&'a TrialResult>,
    score: Option<f64>,
}

/// Most pages of trials without predictions; further ones are listed without a page.
const MOST_WITHOUT: usize = 100;

/// The list of these trials with links to their pages, and the pages; `None` where no trial has run.
///
/// # Errors
/// [`ShowError`] where a trial cannot be read or drawn.
pub fn render(results: &Results, store: &Store) -> Result<Option<(Section, Vec<Document>)>, ShowError> {
    let Some(metric) = results.plan.benchmark.metrics.first() else { return Ok(None) };
    let all = notable(results, &metric.id);
    let mut seen = BTreeSet::new();
    let mut without = 0;
    let shown: Vec<(&Notable, &TrialResult)> = all
        .iter()
        .filter_map(|one| Some((one, one.result?)))
        .filter(|(_, result)| {
            without += usize::from(result.outcome != Outcome::Ok);
            result.outcome == Outcome::Ok || without <= MOST_WITHOUT
        })
        .filter(|(_, result)| seen.insert(&result.key))
        .collect();
    let has_page = |key: &TrialKey| shown.iter().any(|(_, result)| result.key == *key);
    let mut grid = Grid::new(&["Trial", "Why", "Dataset", "Column", "#Repetition", &format!("#{}", metric.heading)]);
    for (row, one) in all.iter().enumerate() {
        let key = one.series.repetitions.experiment.key(one.split as u64);
        if has_page(&key) {
            grid.links.insert((row, 0), format!("site/trial-{}.html", short(&key)));
        }
        grid.rows.push(vec![
            short(&key).to_owned(),
            one.why.clone(),
            one.series.dataset.heading.clone(),
            one.series.name(),
            one.split.to_string(),
            one.score.map_or_else(|| "–".into(), |score| number(score, None)),
        ]);
    }
    let note = "Of each dataset the trials with the lowest, the median and the highest score, and every trial that ran without \
                predictions. The command uqbench show KEY makes the page of any other stored trial.";
    let pages =
        shown.par_iter().map(|(one, result)| document(results, store, one, result)).collect::<Result<_, _>>()?;
    let section = Section { title: "Trials to look at".into(), grid, note: note.into() };
    Ok((!all.is_empty()).then_some((section, pages)))
}

fn document(results: &Results, store: &Store, one: &Notable, result: &TrialResult) -> Result<Document, ShowError> {
    let plan = results.plan;
    let place = Place { plan, column: one.series.name(), split: one.split as u64 };
    let (page, figures) = page(store, result, Some(&place))?;
    let above = [("index", "Report"), (plan.benchmark.id.as_str(), plan.benchmark.artefact.as_str())];
    Ok(below(&above, &format!("trial-{}", short(&result.key)), &page, &figures))
}

fn notable<'a>(results: &'a Results, metric: &MetricId) -> Vec<Notable<'a>> {
    let series = results.series();
    let mut all = Vec::new();
    for dataset in results.plan.benchmark.datasets.iter().filter(|dataset| dataset.variant.is_none()) {
        all.extend(extremes(&series, dataset, metric));
    }
    // Columns of one fit fail together.
    for one in series.iter().filter(|one| one.id.column == 0) {
        for (split, end) in one.repetitions.ends.iter().enumerate() {
            let (why, result) = match end {
                End::Finished { result, .. } if result.outcome != Outcome::Ok => {
                    (format!("no predictions: {}", result.outcome.word()), Some(&**result))
                }
                // What has no data did not run.
                End::Failed(Failure::Unavailable(_) | Failure::MethodUnavailable(_)) => continue,
                End::Failed(failure) => (format!("{}: {}", failure.word(), failure.message()), None),
                _ => continue,
            };
            all.push(Notable { why, series: *one, split, result, score: None });
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
        Notable { why: why.into(), series, split, result: Some(result), score: Some(score) }
    };
    places.into_iter().map(pick).collect()
}
