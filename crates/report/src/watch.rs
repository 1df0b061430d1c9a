//! Render what came of predictions: what to do, the alarms, coverage by period, and the numbers for
//! other programs.

use serde::Serialize;

use crate::document::Document;
use crate::export::documents;
use crate::grid::Grid;
use crate::section::{Block, Page, Section};
use crate::site::single::single;
use crate::words::try_table::bounds::Words;
use crate::words::watch as words;
use uq_core::metrics::percent;
use uq_core::stats::digits::{NONE, mean_and_spread, p_value as p_text};
use uqbench_judge::figures::{Watched, WatchedPeriod};
use uqbench_judge::watch::{Advice, Every, Evidence, FeatureDrift, Period, Watch};
use uqbench_run::benchmark::report_files;

/// Name of the page and its files.
const NAME: &str = report_files::WATCH;

/// Raised where a reader of older files would misread this one.
const FORMAT: u32 = 1;

/// Most periods on a terminal.
const MOST_PERIODS: usize = 6;

/// What a page says besides its numbers.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// Method of the model.
    pub method: &'a str,
    /// Target and table of the model.
    pub title: &'a str,
    /// The target.
    pub target: &'a str,
    /// The periods.
    pub every: Every,
    /// Whether outcomes have recalibrated the model.
    pub is_recalibrated: bool,
    /// What else is to be known of the predictions, in sentences.
    pub remarks: &'a [String],
    /// What to run next, in Markdown.
    pub next: &'a [String],
}

/// The part that a terminal shows: what to do, the alarms, the newest periods.
pub fn brief(subject: &Subject, watch: &Watch) -> Page {
    let mut page = first(subject, watch);
    let skipped = watch.periods.len().saturating_sub(MOST_PERIODS);
    page.section(section(subject.every, watch, skipped));
    page
}

/// The page, its figure, and its numbers (`watch.md`, `.tex`, `.csv`, `.html`, `.svg`, `.json`).
///
/// # Errors
/// [`serde_json::Error`] where the numbers cannot be written.
pub fn render(subject: &Subject, watch: &Watch) -> Result<Vec<Document>, serde_json::Error> {
    let mut page = first(subject, watch);
    let mut figures = Vec::new();
    page.draw(&mut figures, format!("{NAME}-coverage"), &figure(subject, watch));
    page.first = page.blocks.len();
    page.section(section(subject.every, watch, 0));
    if let Some(drifts) = watch.drifts.as_ref().filter(|drifts| !drifts.is_empty()) {
        page.section(features(drifts));
    }
    page.blocks.push(Block::Markdown(words::reading(watch)));
    let mut all: Vec<Document> = documents(NAME, &page, &numbers(watch))
        .into_iter()
        .filter(|document| !document.name.ends_with(".json"))
        .collect();
    all.push(Document::new(format!("{NAME}.json"), json(watch)?));
    all.push(single(&[], NAME, &page, &figures));
    all.extend(figures);
    Ok(all)
}

fn first(subject: &Subject, watch: &Watch) -> Page {
    let mut page = Page::new(words::title(subject.method, subject.title));
    page.blocks.push(Block::Markdown(words::advice(watch)));
    let every = subject.every;
    let alarms = [
        words::misses(watch, every),
        words::growth(watch, every, subject.is_recalibrated),
        words::drifts(watch),
    ];
    let list = alarms.iter().map(|alarm| format!("- {alarm}\n"));
    let remarks = subject.remarks.iter().map(|remark| format!("- {remark}\n"));
    page.blocks.push(Block::Markdown(list.chain(remarks).collect()));
    if !subject.next.is_empty() {
        let next = subject.next.iter().map(|step| format!("- Next: {step}\n"));
        page.blocks.push(Block::Markdown(next.collect()));
    }
    page
}

/// The periods but the first ones.
fn section(every: Every, watch: &Watch, skipped: usize) -> Section {
    let Words { score_column, .. } = Words::of(watch.terms.bounds);
    let interval = format!("{} interval", percent(1.0 - watch.terms.alpha));
    let mut grid = Grid::new(&[
        words::heading(every),
        "#Rows",
        "#Coverage",
        &interval,
        "#Mean width",
        score_column,
        "#Evidence of misses",
        "#Of larger errors",
    ]);
    for (place, period) in watch.periods.iter().enumerate().skip(skipped) {
        let Period { label, coverage, interval, width, loss, .. } = period;
        let after = |evidence: Option<&Evidence>| {
            let found = evidence.and_then(|evidence| evidence.by_period.get(place));
            found.map_or_else(|| NONE.into(), |found| words::evidence(*found))
        };
        grid.push(vec![
            label.clone(),
            coverage.rows.to_string(),
            format!("{:.3}", coverage.share()),
            interval.map_or_else(|| NONE.into(), |(low, high)| format!("{low:.3} to {high:.3}")),
            mean_and_spread(*width, None),
            mean_and_spread(Some(*loss), None),
            after(Some(&watch.misses)),
            after(watch.growth.as_ref()),
        ]);
    }
    Section { title: words::periods(every, skipped), grid, note: words::periods_note(watch) }
}

fn features(drifts: &[FeatureDrift]) -> Section {
    let mut grid =
        Grid::new(&["Feature", "Rows with", "#Share before", "#Share now", "#Distance", "#p"]);
    for FeatureDrift { name, drift, p_value } in drifts {
        grid.push(vec![
            name.clone(),
            words::cell(drift.cell),
            format!("{:.3}", drift.before),
            format!("{:.3}", drift.now),
            format!("{:.3}", drift.distance),
            p_text(*p_value),
        ]);
    }
    Section { title: words::FEATURES.into(), grid, note: words::FEATURES_NOTE.into() }
}

fn figure(subject: &Subject, watch: &Watch) -> Watched {
    let period = |period: &Period| WatchedPeriod {
        label: period.label.clone(),
        rows: period.coverage.rows,
        share: period.coverage.share(),
        interval: period.interval,
        so_far: period.so_far.share(),
        interval_so_far: period.interval_so_far,
    };
    let all = [(words::OF_MISSES, Some(&watch.misses)), (words::OF_GROWTH, watch.growth.as_ref())];
    let evidence = all
        .into_iter()
        .filter_map(|(name, evidence)| Some((name.to_owned(), evidence?.by_period.clone())));
    Watched {
        title: words::figure(subject.target),
        level: watch.terms.bounds.level,
        least: 1.0 - watch.terms.most_missed(),
        alarm: 1.0 / watch.terms.alpha,
        periods: watch.periods.iter().map(period).collect(),
        evidence: evidence.collect(),
    }
}

/// One row for each period, with all digits.
fn numbers(watch: &Watch) -> Grid {
    let mut grid = Grid::new(&[
        "period",
        "#rows",
        "#covered",
        "#lower",
        "#upper",
        "#mean_width",
        "#loss",
        "#covered_so_far",
        "#rows_so_far",
        "#lower_so_far",
        "#upper_so_far",
        "#evidence_misses",
        "#evidence_growth",
    ]);
    let exact = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    for (place, period) in watch.periods.iter().enumerate() {
        let Period { label, coverage, interval, width, loss, so_far, interval_so_far } = period;
        let growth = watch.growth.as_ref().and_then(|of| of.by_period.get(place)).copied();
        let misses = watch.misses.by_period.get(place).copied();
        grid.push(vec![
            label.clone(),
            coverage.rows.to_string(),
            coverage.covered.to_string(),
            exact(interval.map(|(low, _)| low)),
            exact(interval.map(|(_, high)| high)),
            exact(*width),
            exact(Some(*loss)),
            so_far.covered.to_string(),
            so_far.rows.to_string(),
            exact(interval_so_far.map(|(low, _)| low)),
            exact(interval_so_far.map(|(_, high)| high)),
            exact(misses),
            exact(growth),
        ]);
    }
    grid
}

/// What other programs read. JSON has no infinity: an infinite number is null.
#[derive(Serialize)]
struct Numbers<'a> {
    format: u32,
    advice: &'static str,
    newest_rows: Option<usize>,
    since: Option<&'a str>,
    offset: Option<f64>,
    level: f64,
    tolerance: f64,
    alpha: f64,
    rows: usize,
    covered: usize,
    below: usize,
    interval: Option<(f64, f64)>,
    mean_width: Option<f64>,
    loss: f64,
    misses: Alarm<'a>,
    growth: Option<Alarm<'a>>,
    features: Option<Vec<Feature<'a>>>,
}

#[derive(Serialize)]
struct Alarm<'a> {
    evidence: Option<f64>,
    largest: f64,
    alarm: Option<&'a str>,
}

#[derive(Serialize)]
struct Feature<'a> {
    name: &'a str,
    distance: f64,
    p_value: f64,
}

fn feature(of: &FeatureDrift) -> Feature<'_> {
    Feature { name: &of.name, distance: of.drift.distance, p_value: of.p_value }
}

fn json(watch: &Watch) -> Result<String, serde_json::Error> {
    let alarm = |evidence: &Evidence| Alarm {
        evidence: evidence.by_period.last().copied(),
        largest: evidence.largest,
        alarm: evidence.alarm.map(|period| watch.periods[period].label.as_str()),
    };
    let advice = match watch.advice {
        Advice::Keep => "keep",
        Advice::Narrow => "narrow",
        Advice::Recalibrate { .. } => "recalibrate",
        Advice::NoGain { .. } => "no-gain",
        Advice::FitAnew { .. } => "fit-anew",
        Advice::Wait { .. } => "wait",
    };
    let numbers = Numbers {
        format: FORMAT,
        advice,
        newest_rows: watch.advice.newest(),
        since: watch.since.as_deref(),
        offset: watch.offset,
        level: watch.terms.bounds.level,
        tolerance: watch.terms.tolerance,
        alpha: watch.terms.alpha,
        rows: watch.coverage.rows,
        covered: watch.coverage.covered,
        below: watch.below,
        interval: watch.interval,
        mean_width: watch.width,
        loss: watch.loss,
        misses: alarm(&watch.misses),
        growth: watch.growth.as_ref().map(alarm),
        features: watch.drifts.as_ref().map(|drifts| drifts.iter().map(feature).collect()),
    };
    Ok(serde_json::to_string_pretty(&numbers)? + "\n")
}

#[cfg(test)]
mod tests;
