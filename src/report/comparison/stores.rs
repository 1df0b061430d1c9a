//! Write the comparison of two stores: the same experiments, run by two versions of the program or on two machines.

use rayon::ThreadPool;

use super::methods::{CompareError, draw};
use crate::evidence::contents::Contents;
use crate::judgement::change::Change;
use crate::judgement::stores::{Row, rows};
use crate::metrics::{Direction, MetricId};
use crate::plot::{DifferencePanel, DifferenceRow, Differences};
use crate::report::document::Document;
use crate::report::export::documents;
use crate::report::grid::Grid;
use crate::report::index::damage_line;
use crate::report::section::{Block, Page, Section};
use crate::report::site::single;
use crate::runner::plan::Plan;
use crate::runner::store::Store;
use crate::stats::digits::{NONE, number};
use crate::stats::paired::ALPHA;

/// Name of the page and of its figure.
const NAME: &str = "stores";
/// Most rows of the figure.
const MOST_ROWS: usize = 40;

/// Compares two stores by these metrics; `plans` give experiments the names that they have in tables.
///
/// # Errors
/// [`CompareError`] where a store cannot be read, or they have no experiment in common.
pub fn render(
    [a, b]: [(&Store, &str); 2],
    plans: &[Plan],
    metrics: &[MetricId],
    pool: &ThreadPool,
) -> Result<Vec<Document>, CompareError> {
    let (old, new) = (Contents::read(a.0, metrics, pool)?, Contents::read(b.0, metrics, pool)?);
    let rows = rows(&old, &new, plans, metrics);
    page(&rows, [a.1, b.1], [&old, &new], [damage_line(a.0), damage_line(b.0)])
}

fn page(
    rows: &[Row],
    [a, b]: [&str; 2],
    [old, new]: [&Contents; 2],
    damage: [String; 2],
) -> Result<Vec<Document>, CompareError> {
    if rows.is_empty() {
        return Err(CompareError::Nothing(format!(
            "{a} and {b} have no finished trial of the same experiment in common"
        )));
    }
    let mut page = Page::new(format!("Comparison of two stores: {a} and {b}"));
    page.name_metrics(metrics_of(rows));
    let common = old.common_trials(new);
    page.text(format!(
        "{a} has {} finished trials, {b} {}; {common} are the same splits of the same experiments, whatever the versions of \
         the methods.",
        old.trials(),
        new.trials()
    ));
    for (name, line) in [(a, &damage[0]), (b, &damage[1])] {
        if !line.is_empty() {
            page.text(format!("{name}:{line}"));
        }
    }
    page.section(summary(rows));
    let mut figures = Vec::new();
    if let Some(figure) = figure(rows, a, b) {
        draw(&mut page, &mut figures, format!("{NAME}-gains"), &figure)?;
    }
    page.blocks.extend(changed(rows, a, b).map(Block::Section));
    let of_site = single::alone(NAME, &page, &figures);
    Ok(documents(NAME, &page, &numbers(rows)).into_iter().chain([of_site]).chain(figures).collect())
}

/// The metrics of the rows, in their order.
fn metrics_of(rows: &[Row]) -> Vec<MetricId> {
    let mut metrics: Vec<MetricId> = Vec::new();
    for row in rows {
        if !metrics.contains(&row.metric) {
            metrics.push(row.metric);
        }
    }
    metrics
}

fn summary(rows: &[Row]) -> Section {
    let mut head = vec!["Metric".to_owned()];
    head.extend(Change::ALL.iter().map(|change| format!("#{}", change.word())));
    let mut grid = Grid::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    for metric in metrics_of(rows) {
        let count = |change: &Change| {
            rows.iter().filter(|row| row.metric == metric && row.judged.change == *change).count().to_string()
        };
        grid.rows.push(std::iter::once(metric.label()).chain(Change::ALL.iter().map(count)).collect());
    }
    let note = format!(
        "Number of columns (experiment and reading) by result. Statistically: the paired interval over the common \
         splits, Holm-corrected over all columns and metrics that differ, excludes no change at {} %; it holds for \
         these splits, not for new data.",
        100.0 * ALPHA
    );
    Section { title: "Summary".into(), grid, note }
}

/// The columns that are not the same, worst first.
fn changed(rows: &[Row], a: &str, b: &str) -> Option<Section> {
    let mut differing: Vec<&Row> = rows.iter().filter(|row| row.judged.change != Change::Same).collect();
    differing.sort_by_key(|row| row.judged.change);
    let (a, b) = (format!("#{a}"), format!("#{b}"));
    let mut grid = Grid::new(&["Change", "Dataset", "Method", "Metric", "#n", &a, &b, "#Gain", "#Interval"]);
    for row in &differing {
        let mean = |scores: &[Option<f64>]| {
            let given: Vec<f64> = scores.iter().flatten().copied().collect();
            if given.is_empty() { NONE.into() } else { number(given.iter().sum::<f64>() / given.len() as f64, None) }
        };
        let gain = row.judged.gain;
        let digits = |value: f64| number(value, gain.and_then(|gain| gain.summary.standard_error()));
        let interval = gain.and_then(|gain| Some((gain.summary.mean, gain.summary.half_width(gain.alpha)?)));
        grid.rows.push(vec![
            row.judged.change.word().into(),
            row.name.dataset.clone(),
            row.name.method.clone(),
            row.metric.label(),
            row.judged.n.to_string(),
            mean(&row.pair.old),
            mean(&row.pair.new),
            gain.map_or(NONE.into(), |gain| digits(gain.summary.mean)),
            interval.map_or(NONE.into(), |(mean, half)| format!("{} to {}", digits(mean - half), digits(mean + half))),
        ]);
    }
    let note = "Means over the common splits. Gain: the loss before less the loss after; positive is better.";
    (!differing.is_empty()).then(|| Section { title: "What differs".into(), grid, note: note.into() })
}

/// Losses after less losses before, in panels by unit: in per cent of what they were, in nat, in distance from the aim.
fn figure(rows: &[Row], a: &str, b: &str) -> Option<Differences> {
    let mut differing: Vec<&Row> = rows.iter().filter(|row| row.judged.gain.is_some()).collect();
    differing.sort_by_key(|row| row.judged.change);
    let panel = |label: &str, wanted: fn(Direction) -> bool| {
        let of_unit = differing.iter().filter(|row| wanted(row.metric.direction()));
        let drawn: Vec<DifferenceRow> = of_unit.take(MOST_ROWS).filter_map(|row| drawn(row)).collect();
        let drawable = drawn.iter().any(|row| row.estimate.is_finite() && row.low.is_finite() && row.high.is_finite());
        drawable.then(|| DifferencePanel { label: label.into(), rows: drawn })
    };
    let panels: Vec<DifferencePanel> = [
        panel("Difference of the loss, % of its size before", |direction| direction == Direction::Lower),
        panel("Difference of minus the score", |direction| direction == Direction::Higher),
        panel("Difference of the distance from the aim", |direction| matches!(direction, Direction::Target(_))),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!panels.is_empty()).then(|| Differences {
        title: format!(
            "Losses in {b} against {a}: negative is better (at most {MOST_ROWS} columns a panel, worst first)"
        ),
        test: b.into(),
        reference: a.into(),
        panels,
    })
}

fn drawn(row: &Row) -> Option<DifferenceRow> {
    let gain = row.judged.gain?;
    let losses: Vec<f64> = row.pair.old.iter().flatten().map(|&score| row.metric.direction().loss(score)).collect();
    let share = row.metric.direction() == Direction::Lower;
    let factor = if share { 100.0 / (losses.iter().sum::<f64>() / losses.len() as f64).abs() } else { 1.0 };
    let (loss, half) = (-factor * gain.summary.mean, factor * gain.summary.half_width(gain.alpha)?);
    Some(DifferenceRow {
        name: format!("{}: {}, {}", row.name.dataset, row.name.method, row.metric.label()),
        estimate: loss,
        low: loss - half,
        high: loss + half,
        marked: gain.significant,
    })
}

fn numbers(rows: &[Row]) -> Grid {
    let mut grid = Grid::new(&["change", "dataset", "method", "metric", "#n", "before", "after"]);
    let joined = |scores: &[Option<f64>]| {
        scores.iter().map(|s| s.map(|v| v.to_string()).unwrap_or_default()).collect::<Vec<_>>().join(" ")
    };
    grid.rows.extend(rows.iter().map(|row| {
        vec![
            row.judged.change.word().into(),
            row.name.dataset.clone(),
            row.name.method.clone(),
            row.metric.to_string(),
            row.judged.n.to_string(),
            joined(&row.pair.old),
            joined(&row.pair.new),
        ]
    }));
    grid
}
