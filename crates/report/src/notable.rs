//! Choose the trials of a benchmark that a reader should look at, and write the page of each: of every dataset those with
//! the lowest, the median and the highest score, and those without predictions.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::document::Document;
use super::error::{Lacks, ReportError};
use super::grid::{Cell, Grid, Lead};
use super::section::Section;
use super::site::single::below;
use super::trial::{Place, ShowError, failed, page, short};
use super::trials::file;
use uq_core::metrics::MetricId;
use uq_core::stats::digits::{NONE, number};
use uqbench_judge::evidence::Results;
use uqbench_judge::evidence::results::{End, Series};
use uqbench_run::benchmark::DatasetRow;
use uqbench_run::runner::attempt::Attempt;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::outcome::{Failure, Outcome};
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::Store;

/// A trial that a reader should look at.
struct Notable<'a> {
    why: String,
    series: Series<'a>,
    split: u64,
    stored: Stored<'a>,
    score: Option<f64>,
}

/// What the store has of a trial.
#[derive(Clone, Copy)]
enum Stored<'a> {
    Result(&'a TrialResult),
    Attempt(&'a Attempt),
}

impl Notable<'_> {
    fn key(&self) -> TrialKey {
        self.series.repetitions.experiment.key(self.split)
    }
}

/// Most trials without predictions that have a page.
const MOST_WITHOUT: usize = 100;

/// Most letters of an error in the list; the trial's page has it in full.
const LETTERS: usize = 150;

/// The list of these trials with links to their pages, and the pages; `None` where no trial has run. A page that cannot be written
/// costs itself alone, and is named in `lacks`.
///
/// # Errors
/// [`ReportError`] where the store cannot be read.
pub fn render(
    results: &Results,
    store: &Store,
    lacks: &mut Lacks,
) -> Result<Option<(Section, Vec<Document>)>, ReportError> {
    let Some(metric) = results.plan.benchmark.metrics.first() else { return Ok(None) };
    let scored = extremes_of_all(results, &metric.id);
    let mut without = without_predictions(results);
    let more = without.len().saturating_sub(MOST_WITHOUT);
    without.truncate(MOST_WITHOUT);
    let all: Vec<Notable> = scored.into_iter().chain(without).collect();
    let mut grid = Grid::new(&["Trial", "Why", "Dataset", "Column", "#Repetition", &format!("#{}", metric.heading)]);
    let mut seen = BTreeSet::new();
    let with_page: Vec<&Notable> = all.iter().filter(|one| seen.insert(one.key())).collect();
    let written: Vec<_> = with_page.par_iter().map(|one| (one.key(), document(results, store, one))).collect();
    let pages = pages(written, lacks)?;
    for one in &all {
        let key = one.key();
        let page = pages.contains_key(&key).then(|| Lead::Page(format!("site/{}.html", name(&key))));
        grid.push([
            Cell::leading(short(&key), page),
            one.why.as_str().into(),
            one.series.dataset.heading.as_str().into(),
            one.series.name().into(),
            one.split.to_string().into(),
            one.score.map_or_else(|| NONE.into(), |score| number(score, None).into()),
        ]);
    }
    let left_out = match more {
        0 => String::new(),
        more => {
            format!(" {more} further trials without predictions are in {}.", file(&results.plan.benchmark))
        }
    };
    let note = format!(
        "Of each dataset the trials with the lowest, the median and the highest score, and every trial that ran without \
         predictions. The command uqbench show KEY makes the page of any other stored trial.{left_out}"
    );
    let section = Section { title: "Trials to look at".into(), grid, note };
    let pages = with_page.iter().filter_map(|one| pages.get(&one.key()).cloned()).collect();
    Ok((!all.is_empty()).then_some((section, pages)))
}

/// Name of the page of a trial.
fn name(key: &TrialKey) -> String {
    format!("trial-{}", short(key))
}

/// The pages that could be written.
fn pages(
    written: Vec<(TrialKey, Result<Document, ShowError>)>,
    lacks: &mut Lacks,
) -> Result<BTreeMap<TrialKey, Document>, ReportError> {
    let mut pages = BTreeMap::new();
    for (key, page) in written {
        let what = format!("the page of trial {}", short(&key));
        pages.extend(lacks.or_none_of(&what, page.map(Some))?.map(|page| (key, page)));
    }
    Ok(pages)
}

fn document(results: &Results, store: &Store, one: &Notable) -> Result<Document, ShowError> {
    let plan = results.plan;
    let place = Place { plan, column: one.series.name(), split: one.split };
    let key = one.key();
    let (mut page, figures) = match one.stored {
        Stored::Result(result) => page(store, result, Some(&place))?,
        Stored::Attempt(attempt) => {
            (failed(attempt, &key, &one.series.repetitions.experiment.spec(one.split), &place), Vec::new())
        }
    };
    // The glossary has these.
    page.name_metrics(plan.benchmark.all_metrics());
    let above = [("index", "Report"), (plan.benchmark.id.as_str(), plan.benchmark.artefact.as_str())];
    Ok(below(&above, &name(&key), &page, &figures))
}

/// The trials that ran, or began to, and have no predictions.
fn without_predictions<'a>(results: &'a Results) -> Vec<Notable<'a>> {
    let mut all = Vec::new();
    // Columns of one fit fail together.
    for series in results.series().into_iter().filter(|one| one.id.column == 0) {
        for (split, end) in (0..).zip(&series.repetitions.ends) {
            let (why, stored) = match end {
                End::Finished { result, .. } if result.outcome != Outcome::Ok => {
                    (format!("no predictions: {}", result.outcome.word()), Stored::Result(result))
                }
                // What has no data did not run.
                End::Failed(Attempt { failure: Failure::Unavailable(_) | Failure::MethodUnavailable(_), .. }) => {
                    continue;
                }
                End::Failed(attempt) => (shortened(&attempt.failure.message()), Stored::Attempt(attempt)),
                _ => continue,
            };
            all.push(Notable { why, series, split, stored, score: None });
        }
    }
    all
}

/// The first line of an error, cut where it is long.
fn shortened(error: &str) -> String {
    let first = error.lines().next().unwrap_or_default();
    let short: String = first.chars().take(LETTERS).collect();
    if short.len() < error.len() { format!("{short} …") } else { short }
}

/// Of each dataset the trials with extreme and median scores.
fn extremes_of_all<'a>(results: &'a Results, metric: &MetricId) -> Vec<Notable<'a>> {
    let series = results.series();
    let datasets = results.plan.benchmark.datasets.iter().filter(|dataset| dataset.variant.is_none());
    datasets.flat_map(|dataset| extremes(&series, dataset, metric)).collect()
}

/// The trials of one dataset with the lowest, the median and the highest score, among the columns of the table.
fn extremes<'a>(series: &[Series<'a>], dataset: &DatasetRow, metric: &MetricId) -> Vec<Notable<'a>> {
    let mut scored = Vec::new();
    for one in series.iter().filter(|one| one.variant().is_none() && one.dataset.key == dataset.key) {
        for (split, (score, end)) in (0..).zip(one.split_values(metric).into_iter().zip(&one.repetitions.ends)) {
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
        Notable { why: why.into(), series, split, stored: Stored::Result(result), score: Some(score) }
    };
    places.into_iter().map(pick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::runner::store::StoreError;

    #[test]
    fn a_page_that_cannot_be_written_costs_itself_alone_and_is_named() {
        let key = |digit: &str| TrialKey::parse(&digit.repeat(64)).unwrap();
        let damaged = StoreError::Damaged { key: key("b"), message: "cut".into() };
        let written = vec![
            (key("a"), Ok(Document::new("site/a.html", "a"))),
            (key("b"), Err(ShowError::Store(damaged))),
            (key("c"), Ok(Document::new("site/c.html", "c"))),
        ];
        let mut lacks = Lacks::default();
        let found = pages(written, &mut lacks).unwrap();
        assert_eq!(found.keys().cloned().collect::<Vec<_>>(), [key("a"), key("c")]);
        let told: Vec<String> = lacks.told().collect();
        assert!(told.len() == 1 && told[0].contains(short(&key("b"))), "{told:?}");
    }

    #[test]
    fn an_error_is_cut_after_its_first_line_and_where_it_is_long() {
        assert_eq!(shortened("timed out"), "timed out");
        assert_eq!(shortened("crashed: a\nb"), "crashed: a …");
        let long = shortened(&"ä".repeat(LETTERS + 1));
        assert_eq!((long.chars().count(), long.ends_with("ä …")), (LETTERS + 2, true));
    }
}
