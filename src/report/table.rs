//! Render one benchmark's page: the table in the paper's shape, then every number, then claims, figures and notes.

use std::fmt::Write;

use super::document::Document;
use super::drawings::Drawn;
use super::markdown::{Grid, escape, mean_and_spread, number};
use super::paired::{Comparison, compare, paired};
use super::results::{Results, Series};
use super::scorecard::{Scorecard, cell_of, claim_rows, label_text};
use crate::benchmark::{Benchmark, MetricRow, ProtocolSource, Published};
use crate::methods::anchors::ANCHORS;
use crate::metrics::MetricId;

/// A paired difference of the contrast's columns.
#[derive(Clone, Copy)]
pub struct Difference<'a> {
    /// The column under test.
    pub test: Series<'a>,
    /// The reference.
    pub reference: Series<'a>,
    /// Test − reference.
    pub comparison: Comparison,
}

/// The paired differences of a metric over all pairs of main readings, Holm-corrected together.
pub fn differences<'a>(results: &'a Results, metric: &MetricId) -> Vec<Difference<'a>> {
    let Some(contrast) = &results.plan.benchmark.contrast else { return Vec::new() };
    let mut pairs = results.pairs(contrast);
    pairs.retain(|(test, _)| test.variant().is_none());
    let family: Vec<Vec<f64>> =
        pairs.iter().map(|(test, reference)| paired(&test.values(metric), &reference.values(metric))).collect();
    let compared = compare(&family).into_iter().zip(pairs);
    compared
        .filter_map(|(comparison, (test, reference))| Some(Difference { test, reference, comparison: comparison? }))
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
        let title = escape(title);
        let _ = write!(page, "![{title}]({file}.png)\n\n[{file}.svg]({file}.svg)\n\n"); // strings take every write
    }
    for metric in &benchmark.metrics {
        if results.series().iter().all(|s| s.column.x.is_none()) {
            paper_shape(&mut page, results, metric, &published);
        } else {
            curve_shape(&mut page, results, metric);
        }
    }
    incomplete(&mut page, results);
    claims(&mut page, benchmark, card);
    verdicts(&mut page, results, card);
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
    let [paper, artefact, title] = [&benchmark.paper, &benchmark.artefact, &benchmark.title].map(|text| escape(text));
    let notes = &benchmark.notes;
    let profile = results.plan.profile.as_str();
    let _ = write!(
        page,
        "# {paper} · {artefact}: {title}\n\nProfile `{profile}`; {finished} of {expected} trials; protocol {protocol}.\n\n"
    );
    if card.judged > 0 {
        let _ = write!(
            page,
            "{} of {} judged numbers are reproduced or close; {:.1} would be by chance, were the printed numbers of each \
             row dealt to its columns at random.\n\n",
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
    let differences = differences(results, &metric.id);
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
                if differences
                    .iter()
                    .any(|d| d.comparison.significant && d.test.column == s.column && d.test.dataset == s.dataset)
                {
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
        let marked = differences.iter().filter(|d| d.comparison.significant).count();
        format!(
            "; * differs from its reference column: the paired interval, Holm-corrected over the {} comparisons of this \
             table at 5 %, excludes 0 ({marked} do); it speaks of random splits of these data, not of new data",
            differences.len()
        )
    };
    let n = repetitions(&series, metric);
    let _ = write!(page, "Mean ± standard deviation over {n} repetitions{printed}{starred}.\n\n");
}

/// The smallest and largest number of repetitions with a score, over the columns that have any.
fn repetitions(series: &[Series], metric: &MetricRow) -> String {
    let counts = || series.iter().filter_map(|s| s.summary(&metric.id)).map(|summary| summary.n);
    match (counts().min(), counts().max()) {
        (Some(low), Some(high)) if low < high => format!("{low} to {high}"),
        (Some(n), _) => n.to_string(),
        (None, _) => "0".into(),
    }
}

/// Rows are the points of a curve, columns are its series.
fn curve_shape(page: &mut String, results: &Results, metric: &MetricRow) {
    let all = results.series();
    let mut points: Vec<f64> = all.iter().filter_map(|s| s.column.x).collect();
    points.sort_by(f64::total_cmp);
    points.dedup();
    let mut names: Vec<String> = Vec::new();
    for name in all.iter().filter(|s| s.column.x.is_some()).map(series_name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut head = vec!["#x"];
    let marked: Vec<String> = names.iter().map(|name| format!("#{name}")).collect();
    head.extend(marked.iter().map(String::as_str));
    let mut grid = Grid::new(&head);
    for x in points {
        let at = |name: &String| all.iter().find(|s| s.column.x == Some(x) && series_name(s) == *name);
        let cell = |name: &String| {
            let summary = at(name).and_then(|s| s.summary(&metric.id));
            mean_and_spread(summary.map(|m| m.mean), summary.and_then(|m| m.sd))
        };
        grid.rows.push(std::iter::once(x.to_string()).chain(names.iter().map(cell)).collect());
    }
    let n = repetitions(&all, metric);
    let (heading, table) = (escape(&metric.heading), grid.markdown());
    let _ = write!(page, "## {heading}\n\n{table}\nMean ± standard deviation over {n} repetitions.\n\n");
}

/// A curve's name: its labels, and what makes it a variant.
fn series_name(series: &Series) -> String {
    let labels: Vec<String> = series.column.labels.iter().map(|(label, value)| format!("{label} {value}")).collect();
    labels.into_iter().chain(series.variant().map(str::to_owned)).collect::<Vec<_>>().join(", ")
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

fn verdicts(page: &mut String, results: &Results, card: &Scorecard) {
    let benchmark = &results.plan.benchmark;
    let numbers = || card.rows.iter().filter(|row| row.claim.is_empty());
    let parts = [("Verdicts", true), ("Verdicts on variants of the protocol", false)];
    for (title, main) in parts.into_iter().filter(|(_, main)| numbers().any(|row| row.variant.is_empty() == *main)) {
        let mut head = vec!["Dataset", "Column", "Metric", "#Printed", "#Ours", "#n", "#h", "#δ", "Verdict"];
        if !main {
            head.insert(2, "Variant");
        }
        let mut grid = Grid::new(&head);
        for row in numbers().filter(|row| row.variant.is_empty() == main) {
            let dataset = benchmark.datasets.iter().find(|d| d.key == row.dataset || d.printed_name() == row.dataset);
            let metric = benchmark.metrics.iter().find(|m| m.id.to_string() == row.metric);
            let columns = || benchmark.methods.iter().flat_map(|m| &m.columns);
            let column = columns().find(|c| label_text(&c.labels) == row.method);
            let mut cells = vec![
                dataset.map_or(row.dataset.clone(), |d| d.heading.clone()),
                column.map_or(row.method.clone(), |c| c.heading.clone()),
                metric.map_or(row.metric.clone(), |m| m.heading.clone()),
                row.published.clone(),
                mean_and_spread(row.ours_mean, row.ours_sd),
                row.n.to_string(),
                row.half_width.map_or("–".into(), |h| number(h, Some(h))),
                row.tolerance.map_or("–".into(), |t| number(t, Some(t))),
                row.verdict.clone(),
            ];
            if !main {
                cells.insert(2, row.variant.clone());
            }
            grid.rows.push(cells);
        }
        let _ = write!(page, "## {title}\n\n{}\n", grid.markdown());
    }
    if numbers().next().is_some() {
        page.push_str(
            "h: half width of the 95 % interval of the difference, with half a printed digit; δ: tolerance. The README \
             of uqbench says how to read a verdict.\n\n",
        );
    }
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
                match summary {
                    Some(_) => String::new(),
                    None => series.first_reason().unwrap_or_else(|| series.why_none()),
                },
                values.iter().map(|v| exact(*v)).collect::<Vec<_>>().join(" "),
            ]);
        }
    }
    grid
}
