//! Render a whole report: one page for each benchmark, the scorecard, and the index that links to
//! them.

use std::collections::BTreeMap;
use std::fmt::Write;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::brief::Brief;
use super::committed::{self, Committed};
use super::document::Document;
use super::drawn::{DrawingError, Drawn};
use super::export::{documents, escape};
use super::grid::{Cell, Grid, Lead};
use super::numbers::long_grid;
use super::overview::overview;
use super::scorecard::{self, Row};
use super::section::Block;
use super::summary::{Part, QUESTION, tally_of};
use super::trials::{file, trials_grid};
use super::words::index as said;
pub use super::words::index::damage_line;
use super::{decomposition, errata, notable, provenance, ranks, site, table, words};
use uq_core::stats::digits::NONE;
use uqbench_data::Manifest;
use uqbench_judge::judgement::claims::{ClaimResult, Judged};
use uqbench_judge::judgement::sentences::{Conclusions, Sentences};
use uqbench_judge::report::Report;
use uqbench_run::benchmark::report_files::Beside;
use uqbench_run::benchmark::{Benchmark, Claim, Profile};
use uqbench_run::runner::plan::Plan;

/// One rendered benchmark.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rendered {
    /// Its page, its CSV and its figures.
    pub documents: Vec<Document>,
    /// Its page of the site, and those of trials that a reader should look at.
    pub site: Vec<Document>,
    /// What pages about several benchmarks show of it.
    pub brief: Brief,
}

/// The pages of one benchmark, its figures and its numbers: a pure function of its report.
pub fn pages(report: &Report) -> Rendered {
    let benchmark = &report.plan.benchmark;
    let drawn: Vec<Result<Drawn, DrawingError>> =
        report.figures.par_iter().map(Drawn::of).collect();
    let (mut figures, mut undrawn) = (Vec::new(), Vec::new());
    for figure in drawn {
        match figure {
            Ok(figure) => figures.push(figure),
            Err(why) => undrawn.push(why.to_string()),
        }
    }
    let mut page = table::page(report, &figures);
    let trial_pages = notable::pages(report);
    page.blocks.extend(notable::list(report).map(Block::folded));
    words::degenerate(&report.degenerate).into_iter().for_each(|sentence| page.text(sentence));
    report.overflows.iter().for_each(|overflow| page.text(words::overflow(overflow)));
    report.lacking.iter().map(words::lack).chain(undrawn).for_each(|what| page.lack(what));
    let json = json(report).map_err(|why| page.lack(said::json(why))).ok();
    let mut documents = documents(&benchmark.id, &page, &long_grid(&report.scores));
    documents.push(Document::new(file(benchmark), trials_grid(&report.trials).csv()));
    documents.extend(json);
    documents.extend(figures.iter().map(|figure| figure.document.clone()));
    documents.extend(ranks::render(report));
    documents.extend(decomposition::documents(report));
    let brief = Brief::of(report, &page, &figures);
    let content = site::Content {
        page: &page,
        figures: &figures,
        card: &report.card,
        trial_pages: &trial_pages,
    };
    let mut site = vec![site::artefact(report.plan, &brief, &content)];
    site.extend(trial_pages);
    Rendered { documents, site, brief }
}

/// The report itself as JSON.
///
/// # Errors
/// Those of the serializer.
fn json(report: &Report) -> serde_json::Result<Document> {
    let name = format!("{}.json", Beside::Report.name(&report.plan.benchmark.id));
    Ok(Document::new(name, serde_json::to_string(report)? + "\n"))
}

impl Rendered {
    /// All files.
    pub fn all(&self) -> impl Iterator<Item = &Document> {
        self.documents.iter().chain(&self.site)
    }
}

/// The plans in the order of pages: by paper, tables before figures, then by number.
fn in_order<'a>(plans: &'a [Plan], briefs: &[&'a Brief]) -> Vec<(&'a Plan, &'a Brief)> {
    let mut all: Vec<(&Plan, &Brief)> = plans.iter().zip(briefs.iter().copied()).collect();
    all.sort_by_key(|(plan, _)| plan.benchmark.place());
    all
}

/// Renders the index and the scorecard over all rendered benchmarks.
pub fn render_index(plans: &[Plan], briefs: &[&Brief], machine: &str) -> Vec<Document> {
    let ordered = in_order(plans, briefs);
    let rows: Vec<Row> = ordered.iter().flat_map(|(_, brief)| brief.rows.clone()).collect();
    let parts = Part::all(plans, briefs);
    let is_of_papers = Part::are_of_papers(&parts);
    let mut page = format!("# {}\n\n", if is_of_papers { said::TITLE } else { QUESTION });
    if let Some(plan) = plans.first() {
        // writing to a string cannot fail
        let _ = write!(page, "Profile `{}`. {machine}\n\n", plan.profile.as_str());
    }
    let is_full = plans.first().is_some_and(|plan| plan.profile == Profile::Full);
    page.push_str(&overview(&parts, is_full));
    page.push_str(&if is_of_papers { of_papers(&ordered, is_full) } else { of_none(&ordered) });
    // A full run beside the committed one would be beside itself.
    if is_of_papers && !is_full {
        page.push_str(&committed::section(&rows));
    }
    let mut files = vec![
        Document::new("index.md", page),
        Document::new("data.csv", data_grid(plans).csv()),
        Document::new("verdicts.csv", verdicts(&ordered).csv()),
        Document::new("scorecard.csv", scorecard::grid(&rows).csv()),
        Document::new("scorecard.json", scorecard::grid(&rows).json()),
    ];
    let ordered: Vec<&Plan> = ordered.into_iter().map(|(plan, _)| plan).collect();
    files.extend(provenance::documents(&ordered, &rows));
    if is_of_papers {
        files.extend(errata::documents(&errata::shown(plans.iter().map(|plan| &plan.benchmark))));
    }
    files
}

/// The part of the index about benchmarks that are about no paper: a row for each.
fn of_none(ordered: &[(&Plan, &Brief)]) -> String {
    let mut grid = Grid::new(&["Benchmark", "Title", "#Trials", "Claims that hold on our runs"]);
    for (plan, brief) in ordered {
        let benchmark = &plan.benchmark;
        let claims = judged(plan, brief);
        grid.push([
            page_of(benchmark, &benchmark.id),
            benchmark.title.clone().into(),
            format!("{} of {}", brief.coverage.0, brief.coverage.1).into(),
            held(claims.sentences.concluded()).into(),
        ]);
    }
    format!("## Benchmarks\n\n{}\n{}\n", grid.markdown(), said::BESIDE_BENCHMARKS)
}

/// The part of the index about tables and figures of papers: a row for each, and the verdicts on
/// its printed numbers.
fn of_papers(ordered: &[(&Plan, &Brief)], is_full: bool) -> String {
    let committed = Committed::read();
    let mut grid = Grid::new(&[
        "Paper",
        "Artefact",
        "Title",
        "#Trials",
        "#Reproduced or close",
        "#By chance",
        "#Claims that hold",
        "By thresholds of ours",
    ]);
    for (plan, brief) in ordered {
        let benchmark = &plan.benchmark;
        let tally = tally_of(&Part { plan, brief }, &committed, is_full);
        let passed = if tally.judged > 0 {
            format!("{} of {}", tally.passed, tally.judged)
        } else {
            NONE.into()
        };
        let chance =
            if tally.by_chance > 0.0 { format!("{:.1}", tally.by_chance) } else { NONE.into() };
        let claims = judged(plan, brief);
        grid.push([
            benchmark.paper.as_str().into(),
            page_of(benchmark, &benchmark.artefact),
            benchmark.title.as_str().into(),
            format!("{} of {}", brief.coverage.0, brief.coverage.1).into(),
            passed.into(),
            chance.into(),
            held(claims.sentences.concluded()).into(),
            by_ours(&claims.by_ours).into(),
        ]);
    }
    format!(
        "## Tables and figures\n\n{}\n{}\n\n{}\n",
        grid.markdown(),
        said::COUNTS,
        said::BESIDE_TABLES
    )
}

/// A cell that leads to the page of a benchmark.
fn page_of(benchmark: &Benchmark, text: &str) -> Cell {
    Cell::leading(text, Some(Lead::Page(format!("{}.md", benchmark.id))))
}

/// The claims of a benchmark on our runs.
struct OnOurRuns {
    /// Its sentences, by their readings.
    sentences: Sentences,
    /// The judgements on readings that a threshold of ours decides.
    by_ours: Vec<Judged>,
}

fn judged(plan: &Plan, brief: &Brief) -> OnOurRuns {
    let claims = || plan.benchmark.claims.iter().zip(&brief.claims);
    let decided = |(claim, result): &(&Claim, &ClaimResult)| {
        claim.our_threshold && result.own != Judged::Undecided
    };
    OnOurRuns {
        sentences: claims().map(|(claim, result)| (claim, result.own)).collect(),
        by_ours: claims().filter(decided).map(|(_, result)| result.own).collect(),
    }
}

/// How often each verdict occurs in each table and figure, in the main reading and in variants.
fn verdicts(ordered: &[(&Plan, &Brief)]) -> Grid {
    let mut grid =
        Grid::new(&["Paper", "Artefact", "Verdicts, main reading", "Verdicts, variants"]);
    for (plan, brief) in ordered.iter().filter(|(_, brief)| brief.numbers().next().is_some()) {
        let numbers = |variant: bool| {
            let rows = brief.numbers().filter(|row| row.variant.is_empty() != variant);
            counted(rows.map(|row| row.verdict.to_string()))
        };
        let benchmark = &plan.benchmark;
        grid.push(vec![
            benchmark.paper.clone(),
            benchmark.artefact.clone(),
            numbers(false),
            numbers(true),
        ]);
    }
    grid
}

/// The pinned data behind the numbers.
fn data_grid(plans: &[Plan]) -> Grid {
    let mut keys: Vec<&str> = plans
        .iter()
        .flat_map(|p| p.experiments.iter().map(|e| e.template.dataset.as_str()))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let mut grid = Grid::new(&["Dataset", "#Rows", "#Features", "SHA-256 of the parsed matrix"]);
    let Ok(manifest) = Manifest::shipped() else { return grid };
    let own = |key: &str| {
        plans
            .iter()
            .flat_map(|plan| &plan.benchmark.datasets)
            .find(|row| row.key == key)?
            .own
            .as_ref()
    };
    for key in keys {
        if let Some(own) = own(key) {
            grid.push(vec![
                key.into(),
                own.rows.to_string(),
                own.features.to_string(),
                own.sha256.clone(),
            ]);
        }
        if let Ok(dataset) = manifest.get(key) {
            grid.push(vec![
                key.into(),
                dataset.rows.to_string(),
                dataset.features.len().to_string(),
                dataset.parsed_sha256.clone().unwrap_or_else(|| said::NO_HASH.into()),
            ]);
        }
    }
    grid
}

/// The sentences that hold, of those that are decided: `5 of 7, 1 open`.
fn held(claims: Conclusions) -> String {
    let Conclusions { hold, fail, depend, open } = claims;
    let decided = hold + fail;
    let parts = [
        (decided, format!("{hold} of {decided}")),
        (depend, format!("{depend} by reading")),
        (open, format!("{open} open")),
    ];
    let some: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    if some.is_empty() { NONE.into() } else { some.join(", ") }
}

/// The readings that a threshold of ours decides: `1 holds, 2 fail`.
fn by_ours(decided: &[Judged]) -> String {
    let found = words::claims::judgements(decided.iter().copied());
    if found.is_empty() { NONE.into() } else { found }
}

/// How often each word occurs: `3 reproduced, 1 close`.
fn counted(words: impl Iterator<Item = String>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    let text: Vec<String> =
        counts.iter().map(|(word, count)| format!("{count} {}", escape(word))).collect();
    if text.is_empty() { NONE.into() } else { text.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_counted_of_those_that_are_decided() {
        let counts = |hold, fail, depend, open| held(Conclusions { hold, fail, depend, open });
        assert_eq!(counts(0, 0, 0, 0), "–");
        assert_eq!(counts(0, 0, 0, 2), "2 open");
        assert_eq!(counts(1, 1, 0, 1), "1 of 2, 1 open");
        assert_eq!(counts(1, 1, 3, 0), "1 of 2, 3 by reading");
        assert_eq!(by_ours(&[]), "–");
        assert_eq!(by_ours(&[Judged::Holds, Judged::Fails, Judged::Fails]), "1 holds, 2 fail");
    }
}
