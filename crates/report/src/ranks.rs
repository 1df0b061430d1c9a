//! Write the page of ranks of one benchmark: mean ranks over its datasets, and which differences
//! its splits could find.

use super::comparison::across::across;
use super::comparison::first_trial;
use super::comparison::methods::{numbers, slug};
use super::document::Document;
use super::export::documents;
use super::grid::Grid;
use super::section::{Block, Page, Section};
use super::site::INDEX;
use super::site::single::of_trials;
use super::words::field::{left_out, only_begun};
use super::words::ranks as words;
use uq_core::stats::digits::number;
use uqbench_judge::evidence::losses::Losses;
use uqbench_judge::evidence::ranked::RankedField;
use uqbench_judge::judgement::detectable::{Detectable, detectable};
use uqbench_judge::report::Report;
use uqbench_run::benchmark::Benchmark;
use uqbench_run::benchmark::papers::short_name;
use uqbench_run::benchmark::report_files::Beside;
use uqbench_run::protocols::TestRows;

/// The page's link on the benchmark's own page; `None` where there is no page of ranks.
pub fn link(report: &Report) -> Option<String> {
    let benchmark = &report.plan.benchmark;
    report.ranked.as_ref().map(|_| words::link(&name(benchmark), are_chosen(benchmark)))
}

/// Name of the page, without ending.
fn name(benchmark: &Benchmark) -> String {
    Beside::Ranks.name(&benchmark.id)
}

/// Whether the test rows of a split are chosen, such as a gap: splits of one dataset then differ by
/// more than chance, and no test over them holds.
fn are_chosen(benchmark: &Benchmark) -> bool {
    benchmark.protocol.kind().test_rows() == TestRows::Chosen
}

/// The page, its numbers and its figures; none where the benchmark asks for no ranks, or fewer than
/// two methods ran.
pub fn render(report: &Report) -> Vec<Document> {
    let benchmark = &report.plan.benchmark;
    let Some(RankedField { all, field, begun, rule }) = &report.ranked else { return Vec::new() };
    let name = name(benchmark);
    let of_benchmark = format!("{} · {}", short_name(&benchmark.paper), benchmark.artefact);
    let mut page = Page::new(words::title(&of_benchmark));
    page.name_metrics(field.metrics.iter().copied());
    page.text(words::terms(report.plan.profile.as_str(), field.entrants.len(), rule));
    page.text(words::READING);
    if are_chosen(benchmark) {
        page.text(words::CHOSEN_SPLITS);
    }
    left_out(&field.notes).into_iter().for_each(|note| page.text(note));
    begun.iter().for_each(|method| page.text(only_begun(method)));
    page.blocks.push(Block::Markdown(words::sources(&name, &benchmark.id)));
    let mut figures = Vec::new();
    for metric in 0..field.metrics.len() {
        let losses = Losses::new(field, all, metric, rule);
        let across = across(&losses);
        across.ranks.into_iter().for_each(|section| page.section(section));
        if let Some(diagram) = across.diagram {
            page.draw(&mut figures, format!("{name}-{}", slug(&losses.metric)), &diagram);
        }
        power(&losses).into_iter().for_each(|section| page.section(section));
        across.remarks.into_iter().for_each(|remark| page.text(remark));
    }
    let mut written = documents(&name, &page, &numbers(field, all, rule));
    written.push(of_trials(
        &[(INDEX, "Report"), (&benchmark.id, &of_benchmark)],
        &name,
        &page,
        &figures,
        benchmark,
    ));
    written.extend(figures);
    written
}

/// Which differences the splits of each dataset could find; `None` for single repetitions, and for
/// splits that are not random.
fn power(losses: &Losses) -> Option<Section> {
    let found = detectable(losses);
    let mut grid = Grid::new(&["Dataset", "#Splits", "#Pairs", "#Median", "#Smallest", "#Largest"]);
    let written = |value: f64| number(value, Some(value));
    for Detectable { block, n, pairs, range: [smallest, median, largest] } in found {
        let numbers = [
            n.to_string(),
            pairs.to_string(),
            written(median),
            written(smallest),
            written(largest),
        ];
        let first =
            (0..losses.field.entrants.len()).find_map(|entrant| first_trial(block, entrant));
        grid.push_of_trials(std::iter::once(block.heading.clone()).chain(numbers).collect(), first);
    }
    let title = words::detectable_title(losses.metric);
    (!grid.rows.is_empty()).then(|| Section { title, grid, note: words::DETECTABLE.into() })
}
