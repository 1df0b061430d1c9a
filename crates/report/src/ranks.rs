//! Write the page of ranks of one benchmark: mean ranks over its datasets, and which differences
//! its splits could find.

use super::comparison::across::across;
use super::comparison::first_trial;
use super::comparison::methods::{numbers, slug};
use super::document::Document;
use super::export::documents;
use super::grid::{Grid, counted};
use super::section::{Block, Page, Section};
use super::site::INDEX;
use super::site::single::of_trials;
use uq_core::stats::digits::number;
use uqbench_judge::evidence::imputation::Imputation;
use uqbench_judge::evidence::losses::Losses;
use uqbench_judge::evidence::ranked::RankedField;
use uqbench_judge::judgement::detectable::{Detectable, detectable};
use uqbench_judge::report::Report;
use uqbench_run::benchmark::Benchmark;
use uqbench_run::benchmark::papers::short_name;
use uqbench_run::benchmark::report_files::Beside;

/// How to read the page.
const READING: &str = "A dataset is one observation (Demšar 2006): methods are ranked within each \
    dataset by their mean loss over the splits that all of them have, and only datasets on which \
    every ranked method has a score count. Methods whose mean ranks differ by less than the \
    critical difference are joined.";

/// The page's link on the benchmark's own page; `None` where there is no page of ranks.
pub fn link(report: &Report) -> Option<String> {
    report.ranked.as_ref().map(|_| {
        let name = name(&report.plan.benchmark);
        format!(
            "## Ranks\n\nMean ranks over datasets, and which differences the splits could find: \
             [{name}.md]({name}.md)."
        )
    })
}

/// Name of the page, without ending.
fn name(benchmark: &Benchmark) -> String {
    Beside::Ranks.name(&benchmark.id)
}

/// The page, its numbers and its figures; none where the benchmark asks for no ranks, or fewer than
/// two methods ran.
pub fn render(report: &Report) -> Vec<Document> {
    let benchmark = &report.plan.benchmark;
    let Some(RankedField { all, field, rule }) = &report.ranked else { return Vec::new() };
    let name = name(benchmark);
    let mut page = Page::new(format!(
        "{} · {}: ranks over datasets",
        short_name(&benchmark.paper),
        benchmark.artefact
    ));
    page.name_metrics(field.metrics.iter().copied());
    page.text(format!(
        "Profile {}; {}. Failed repetitions, refusals among them: {}.",
        report.plan.profile.as_str(),
        counted(field.entrants.len(), "method"),
        if *rule == Imputation::Worst {
            "given the worst score of any method on the same split"
        } else {
            "dropped"
        }
    ));
    page.text(READING);
    field.notes.iter().for_each(|note| page.text(note.clone()));
    page.blocks.push(Block::Markdown(format!(
        "Every number: [{name}.csv]({name}.csv). The trials behind them: \
         [{0}-trials.csv]({0}-trials.csv). The benchmark and what is wrong in its papers: \
         [{0}.md]({0}.md).",
        benchmark.id
    )));
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
    let of_benchmark = format!("{} · {}", short_name(&benchmark.paper), benchmark.artefact);
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

/// Which differences the splits of each dataset could find; `None` for single repetitions.
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
    let note = "The smallest mean difference of two methods that these splits would find \
                significant at 5 % on its own, over the pairs of methods whose scores are not \
                mostly imputed: Student's, with the variance of Nadeau and Bengio (2003) for \
                overlapping training sets. A smaller difference is not found, whether it exists or \
                not.";
    let title = format!("{}: detectable differences", losses.metric.label());
    (!grid.rows.is_empty()).then(|| Section { title, grid, note: note.into() })
}
