//! Render one benchmark's page: the table in the paper's shape, then every number, then claims, figures and notes.

use std::fmt::Write;

use super::audit::{self, Audit};
use super::document::Document;
use super::drawings::Drawn;
use super::dropped::incomplete;
use super::export::{documents, escape};
use super::grid::{Grid, mean_and_spread, number};
use super::marks::Marks;
use super::numbers::long_grid;
use super::scorecard::{Scorecard, cell_of, claim_rows, printed_cell};
use super::section::{Block, Page, Section};
use super::unconverged::Unconverged;
use super::verdict::WEAK;
use super::{curves, validation, variance, variants};
use crate::benchmark::label_text;
use crate::benchmark::{Benchmark, MetricRow, PrintedColumn, ProtocolSource, Published};
use crate::evidence::differences::differences;
use crate::evidence::results::{Results, Series, repetitions};

/// The page of one benchmark and all its numbers, in every format. `of_fits` tells what fits left behind, `unconverged` which of
/// them were cut short.
///
/// # Errors
/// A message where the printed numbers cannot be read.
pub fn render(
    results: &Results,
    card: &Scorecard,
    audits: &[Audit],
    of_fits: Vec<Section>,
    unconverged: &Unconverged,
    figures: &[Drawn],
) -> Result<Vec<Document>, String> {
    let benchmark = &results.plan.benchmark;
    let published = benchmark.published_numbers()?;
    let mut page = heading(results, card);
    let drawn = figures.iter().map(|f| Block::Figure { file: f.file.clone(), title: f.title.clone() });
    page.blocks.extend(drawn);
    let curves = results.series().iter().any(|s| s.column.x.is_some());
    for metric in &benchmark.metrics {
        let sections = if curves {
            curves::sections(results, metric, unconverged)
        } else {
            vec![paper_shape(results, metric, &published, unconverged)]
        };
        page.blocks.extend(sections.into_iter().map(Block::Section));
    }
    page.blocks.extend(variants::sections(results, unconverged).into_iter().map(Block::Section));
    page.blocks.extend(validation::section(results).map(Block::Section));
    page.blocks.extend(of_fits.into_iter().map(Block::Section));
    page.blocks.extend(variance::section(results).map(Block::Section));
    page.blocks.extend(incomplete(results).map(Block::Section));
    page.blocks.extend(claims(benchmark, card).map(Block::Markdown));
    page.blocks.extend(verdicts(results, card).into_iter().map(Block::Section));
    page.blocks.extend(audit::block(audits).map(Block::Markdown));
    page.blocks.push(Block::Markdown(format!(
        "## Every number\n\nAll columns, metrics and repetitions: [{0}.csv]({0}.csv), [{0}.json]({0}.json). The tables \
         above in LaTeX: [{0}.tex]({0}.tex).",
        benchmark.id
    )));
    Ok(documents(&benchmark.id, &page, &long_grid(results, &published, unconverged)))
}

fn heading(results: &Results, card: &Scorecard) -> Page {
    let benchmark = &results.plan.benchmark;
    let (finished, expected) = results.coverage();
    let protocol = match benchmark.protocol_source {
        ProtocolSource::Printed => "printed in the paper",
        ProtocolSource::Inferred => "inferred (see the notes)",
    };
    let mut page = Page::new(format!("{} · {}: {}", benchmark.paper, benchmark.artefact, benchmark.title));
    let profile = results.plan.profile.as_str();
    page.text(format!("Profile {profile}; {finished} of {expected} trials; protocol {protocol}."));
    if card.judged > 0 {
        page.text(format!(
            "{} of {} judged numbers are reproduced or close; {:.1} would be by chance, were the printed numbers of each \
             row dealt to its columns at random.",
            card.passed, card.judged, card.by_chance
        ));
    }
    if !benchmark.notes.is_empty() {
        page.blocks.push(Block::Markdown(benchmark.notes.clone()));
    }
    page
}

/// Rows are datasets, columns are methods, as in the paper: our mean, the printed number in brackets, a star where the
/// contrast's difference is more than noise.
fn paper_shape(results: &Results, metric: &MetricRow, published: &Published, unconverged: &Unconverged) -> Section {
    let series = results.series();
    let differences = differences(results, &metric.id);
    let mut columns: Vec<&Series> = Vec::new();
    for one in series.iter().filter(|s| s.method.variant.is_none()) {
        if !columns.iter().any(|c| c.column == one.column) {
            columns.push(one);
        }
    }
    // Without a printed number of this metric such a column would be empty.
    let has_numbers = |column: &&PrintedColumn| {
        published.cells.iter().any(|c| c.labels == column.labels && metric.published.as_ref() == Some(&c.metric))
    };
    let unbuilt: Vec<&PrintedColumn> = results.plan.benchmark.printed_columns.iter().filter(has_numbers).collect();
    let mut head = vec!["Dataset"];
    head.extend(unbuilt.iter().map(|c| c.heading.as_str()));
    head.extend(columns.iter().map(|c| c.column.heading.as_str()));
    let mut grid = Grid::new(&head);
    grid.numeric[1..].fill(true);
    let mut marks = Marks::new(unconverged);
    for dataset in &results.plan.benchmark.datasets {
        let of_dataset: Vec<&Series> = series.iter().filter(|s| s.dataset.key == dataset.key).collect();
        if of_dataset.is_empty() {
            continue;
        }
        let mut row = vec![dataset.heading.clone()];
        row.extend(unbuilt.iter().map(|column| {
            let cell = printed_cell(published, dataset, &column.labels, metric);
            cell.map_or("–".into(), |cell| format!("– ({})", cell.value))
        }));
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
                text.push_str(&marks.mark(s, &metric.id));
                text.push_str(validation::mark(results, s));
                if let Some(cell) = cell_of(published, s, metric) {
                    let _ = write!(text, " ({})", cell.value);
                }
                text
            });
            row.push(cell);
        }
        grid.rows.push(row);
    }
    let printed = match (published.cells.is_empty(), unbuilt.is_empty()) {
        (true, _) => "",
        (false, true) => "; printed number in brackets",
        (false, false) => "; printed number in brackets, alone where the method does not exist here yet",
    };
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
    let n = repetitions(&series, &metric.id);
    let note = format!(
        "Mean ± standard deviation over {n} repetitions{printed}{starred}{}{}.",
        marks.note(),
        validation::note(results)
    );
    Section { title: metric.heading.clone(), grid, note }
}

fn claims(benchmark: &Benchmark, card: &Scorecard) -> Option<String> {
    let rows = claim_rows(benchmark, &card.rows);
    if rows.is_empty() {
        return None;
    }
    let mut text = String::from("## Claims\n\n");
    for (claim, row) in rows {
        // Strings take every write.
        let _ = write!(
            text,
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
    Some(text)
}

fn verdicts(results: &Results, card: &Scorecard) -> Vec<Section> {
    let benchmark = &results.plan.benchmark;
    let numbers = || card.rows.iter().filter(|row| row.claim.is_empty());
    let parts = [("Verdicts", true), ("Verdicts on variants of the protocol", false)];
    let mut sections = Vec::new();
    for (title, main) in parts.into_iter().filter(|(_, main)| numbers().any(|row| row.variant.is_empty() == *main)) {
        let mut head = vec!["Dataset", "Column", "Metric", "#Printed", "#Ours", "#n", "#h", "#δ", "Verdict"];
        if !main {
            head.insert(2, "Variant");
        }
        let mut grid = Grid::new(&head);
        let mut weak: Vec<String> = Vec::new();
        for row in numbers().filter(|row| row.variant.is_empty() == main) {
            let dataset = benchmark.datasets.iter().find(|d| d.key == row.dataset || d.printed_name() == row.dataset);
            let metric = benchmark.metrics.iter().find(|m| m.id.to_string() == row.metric);
            let columns = benchmark.methods.iter().flat_map(|m| &m.columns).map(|c| (&c.labels, &c.heading));
            let mut columns = columns.chain(benchmark.printed_columns.iter().map(|c| (&c.labels, &c.heading)));
            let heading = columns.find(|(labels, _)| label_text(labels) == row.method).map(|(_, heading)| heading);
            let mut cells = vec![
                dataset.map_or(row.dataset.clone(), |d| d.heading.clone()),
                heading.unwrap_or(&row.method).clone(),
                metric.map_or(row.metric.clone(), |m| m.heading.clone()),
                row.published.clone(),
                mean_and_spread(row.ours_mean, row.ours_sd),
                row.n.to_string(),
                row.half_width.map_or("–".into(), |h| number(h, Some(h))),
                row.tolerance.map_or("–".into(), |t| number(t, Some(t))),
                row.verdict.clone(),
            ];
            if row.note.contains(WEAK) {
                weak.push(cells[..3].join(", "));
            }
            if !main {
                cells.insert(2, row.variant.clone());
            }
            grid.rows.push(cells);
        }
        let note = "h: half width of the 95 % interval of the difference, with half a printed digit; δ: tolerance. The \
                    README of uqbench says how to read a verdict.";
        let mut note = note.to_owned();
        if !weak.is_empty() {
            let why =
                "ours is better by more than δ, and the 95 % interval of our mean does not hold the printed number";
            note = format!("{note} A {WEAK} where {why}: {}.", weak.join("; "));
        }
        sections.push(Section { title: title.into(), grid, note });
    }
    sections
}
