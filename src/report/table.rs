//! Render one benchmark's page: the table in the paper's shape, then every number, then claims, figures and notes.

use std::fmt::Write;

use super::document::Document;
use super::drawings::Drawn;
use super::markdown::{Grid, escape, mean_and_spread, number};
use super::results::{Results, Series, paired};
use super::scorecard::{Scorecard, cell_of, claim_rows, label_text};
use super::statistics::{Summary, holm_levels};
use crate::benchmark::{Benchmark, MetricRow, ProtocolSource, Published};
use crate::runner::plan::ANCHORS;

/// Probability of wrongly marking a difference, over all comparisons of one table.
const ALPHA: f64 = 0.05;

/// A paired difference of the contrast's columns.
#[derive(Clone)]
pub struct Difference<'a> {
    /// The column under test.
    pub test: Series<'a>,
    /// The reference.
    pub reference: Series<'a>,
    /// Test − reference, over repetitions.
    pub summary: Summary,
    /// Level of its interval: Holm's.
    pub alpha: f64,
    /// Whether that interval excludes zero.
    pub marked: bool,
}

/// The paired differences of a metric over all pairs of main readings, Holm-corrected together.
pub fn differences<'a>(results: &'a Results, metric: &MetricRow) -> Vec<Difference<'a>> {
    let Some(contrast) = &results.plan.benchmark.contrast else { return Vec::new() };
    let pairs = results.pairs(contrast).into_iter().filter(|(test, _)| test.variant().is_none());
    let found: Vec<(Series, Series, Summary)> = pairs
        .filter_map(|(test, reference)| {
            let summary = Summary::of(&paired(&test.values(&metric.id), &reference.values(&metric.id)))?;
            summary.sd.map(|_| (test, reference, summary))
        })
        .collect();
    let p: Vec<f64> = found.iter().map(|f| f.2.p_value().unwrap_or(1.0)).collect();
    let levels = holm_levels(&p, ALPHA);
    let marked = p.iter().zip(&levels).map(|(p, level)| p <= level);
    found
        .into_iter()
        .zip(levels.iter().zip(marked))
        .map(|((test, reference, summary), (&alpha, marked))| Difference { test, reference, summary, alpha, marked })
        .collect()
}

/// The page and the CSV of one benchmark.
///
/// # Errors
/// A message where the printed numbers cannot be read.
pub fn render(results: &Results, card: &Scorecard, figures: &[Drawn]) -> Result<Vec<Document>, String> {
    let benchmark = &results.plan.benchmark;
    let published = benchmark.published_numbers()?;
    let mut page = String::new();
    heading(&mut page, results, card);
    for Drawn { file, title, .. } in figures {
        let _ = write!(page, "![{title}]({file}.png)\n\n[{file}.svg]({file}.svg)\n\n"); // strings take every write
    }
    if results.series().iter().all(|s| s.column.x.is_none()) {
        for metric in &benchmark.metrics {
            paper_shape(&mut page, results, metric, &published);
        }
    }
    incomplete(&mut page, results);
    claims(&mut page, benchmark, card);
    if !card.rows.iter().all(|row| !row.claim.is_empty()) {
        verdicts(&mut page, card);
    }
    let _ = write!(page, "## Every number\n\nAll columns, metrics and repetitions: [{0}.csv]({0}.csv)\n", benchmark.id);
    let csv = long_grid(results, &published).csv();
    Ok(vec![Document::new(format!("{}.md", benchmark.id), page), Document::new(format!("{}.csv", benchmark.id), csv)])
}

fn heading(page: &mut String, results: &Results, card: &Scorecard) {
    let benchmark = &results.plan.benchmark;
    let (finished, expected) = results.coverage();
    let protocol = match benchmark.protocol_source {
        ProtocolSource::Printed => "printed in the paper",
        ProtocolSource::Inferred => "inferred (see the notes)",
    };
    let Benchmark { paper, artefact, title, notes, .. } = benchmark;
    let profile = results.plan.profile.as_str();
    let _ = write!(
        page,
        "# {paper} · {artefact}: {title}\n\nProfile `{profile}`; {finished} of {expected} trials; protocol {protocol}.\n\n"
    );
    if card.judged > 0 {
        let _ = write!(
            page,
            "{} of {} judged numbers pass (reproduced, compatible or close); {:.1} would pass by chance, were the \
             printed numbers of each row dealt to its columns at random.\n\n",
            card.passed, card.judged, card.by_chance
        );
    }
    if !notes.is_empty() {
        let _ = write!(page, "{}\n\n", notes.trim());
    }
}

/// Rows are datasets, columns are methods, as in the paper: our mean, the printed number in brackets, a star where the
/// contrast's difference is more than noise.
fn paper_shape(page: &mut String, results: &Results, metric: &MetricRow, published: &Published) {
    let series = results.series();
    let differences = differences(results, metric);
    let mut columns: Vec<&Series> = Vec::new();
    for one in series.iter().filter(|s| s.method.variant.is_none()) {
        if !columns.iter().any(|c| c.column == one.column) {
            columns.push(one);
        }
    }
    let mut head = vec!["Dataset"];
    head.extend(columns.iter().map(|c| c.column.heading.as_str()));
    let mut grid = Grid::new(&head);
    grid.numeric[1..].fill(true);
    for dataset in &results.plan.benchmark.datasets {
        let of_dataset: Vec<&Series> = series.iter().filter(|s| s.dataset.key == dataset.key).collect();
        if of_dataset.is_empty() {
            continue;
        }
        let mut row = vec![dataset.heading.clone()];
        for column in &columns {
            let found = of_dataset.iter().find(|s| s.column == column.column && s.method.variant.is_none());
            let cell = found.map_or("–".to_owned(), |s| {
                let summary = s.summary(&metric.id);
                let mut text = summary.map_or("–".into(), |m| mean_and_spread(Some(m.mean), m.sd));
                if differences.iter().any(|d| d.marked && d.test.column == s.column && d.test.dataset == s.dataset) {
                    text.push('*');
                }
                if let Some(cell) = cell_of(published, s, metric) {
                    let _ = write!(text, " ({})", cell.value);
                }
                text
            });
            row.push(cell);
        }
        grid.rows.push(row);
    }
    let _ = write!(page, "## {}\n\n{}\n", escape(&metric.heading), grid.markdown());
    let printed = if published.cells.is_empty() { "" } else { "; printed number in brackets" };
    let starred = if differences.is_empty() {
        String::new()
    } else {
        let marked = differences.iter().filter(|d| d.marked).count();
        format!(
            "; * differs from its reference column: the paired interval, Holm-corrected over the {} comparisons of this \
             table at 5 %, excludes 0 ({marked} do)",
            differences.len()
        )
    };
    let _ = write!(page, "Mean ± standard deviation over repetitions{printed}{starred}.\n\n");
}

/// The columns of which a repetition gave no predictions, and why.
fn incomplete(page: &mut String, results: &Results) {
    let mut grid = Grid::new(&["Dataset", "Column", "Variant", "#Ok", "#Expected", "Others"]);
    for series in results.series() {
        let (others, expected) = (series.not_ok(), series.repetitions.ends.len());
        if others.is_empty() {
            continue;
        }
        let words: Vec<String> = others.iter().map(|(word, count)| format!("{count} {word}")).collect();
        grid.rows.push(vec![
            series.dataset.heading.clone(),
            series.column.heading.clone(),
            series.variant().unwrap_or_default().into(),
            (expected - others.values().sum::<usize>()).to_string(),
            expected.to_string(),
            words.join(", "),
        ]);
    }
    if !grid.rows.is_empty() {
        let _ = write!(page, "## Repetitions without predictions\n\n{}\n", grid.markdown());
    }
}

fn claims(page: &mut String, benchmark: &Benchmark, card: &Scorecard) {
    let rows = claim_rows(benchmark, &card.rows);
    if rows.is_empty() {
        return;
    }
    page.push_str("## Claims\n\n");
    for (claim, row) in rows {
        let _ = write!(
            page,
            "- **{}**: “{}”{}{}\n  - our runs: **{}**; printed numbers: **{}**\n  - {}\n",
            claim.id,
            escape(&claim.text),
            if claim.reading.is_empty() { "" } else { " — read as: " },
            escape(&claim.reading),
            row.verdict,
            row.published,
            escape(&row.note)
        );
    }
    page.push('\n');
}

fn verdicts(page: &mut String, card: &Scorecard) {
    let mut grid =
        Grid::new(&["Dataset", "Column", "Variant", "Metric", "#Printed", "#Ours", "#n", "#h", "#δ", "Verdict"]);
    for r in card.rows.iter().filter(|row| row.claim.is_empty()) {
        grid.rows.push(vec![
            r.dataset.clone(),
            r.method.clone(),
            r.variant.clone(),
            r.metric.clone(),
            r.published.clone(),
            mean_and_spread(r.ours_mean, r.ours_sd),
            r.n.to_string(),
            r.half_width.map_or("–".into(), |h| number(h, Some(h))),
            r.tolerance.map_or("–".into(), |t| number(t, Some(t))),
            r.verdict.clone(),
        ]);
    }
    let _ = write!(page, "## Verdicts\n\n{}\n", grid.markdown());
    page.push_str("h: half width of the interval of the difference; δ: tolerance. How to read a verdict: README.\n\n");
}

/// One row a column, dataset and metric.
fn long_grid(results: &Results, published: &Published) -> Grid {
    let mut grid = Grid::new(&[
        "dataset",
        "method",
        "column",
        "variant",
        "x",
        "metric",
        "published",
        "mean",
        "sd",
        "n",
        "expected",
        "note",
        "repetitions",
    ]);
    for series in results.series() {
        for metric in &results.plan.benchmark.metrics {
            let values = series.values(&metric.id);
            let summary = series.summary(&metric.id);
            let exact = |v: Option<f64>| v.map(|v| v.to_string()).unwrap_or_default();
            grid.rows.push(vec![
                series.dataset.key.clone(),
                if ANCHORS.iter().any(|(id, _)| *id == series.method.id) {
                    "anchor".into()
                } else {
                    series.method.id.clone()
                },
                if series.column.labels.is_empty() {
                    series.column.heading.clone()
                } else {
                    label_text(&series.column.labels)
                },
                series.variant().unwrap_or_default().into(),
                exact(series.column.x),
                metric.id.to_string(),
                cell_of(published, &series, metric).map(|c| c.value.clone()).unwrap_or_default(),
                exact(summary.map(|s| s.mean)),
                exact(summary.and_then(|s| s.sd)),
                summary.map_or(0, |s| s.n).to_string(),
                values.len().to_string(),
                if summary.is_none() { series.why_none() } else { String::new() },
                values.iter().map(|v| exact(*v)).collect::<Vec<_>>().join(" "),
            ]);
        }
    }
    grid
}
