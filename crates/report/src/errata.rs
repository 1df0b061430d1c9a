//! Show the errata of all papers, those first that matter most. The folder of each paper has them
//! in the order of the paper.

#[cfg(test)]
mod quoted;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use super::document::Document;
use crate::words::errata as words;
use uqbench_run::benchmark::Benchmark;
use uqbench_run::benchmark::papers::{EVIDENCE, Erratum, Paper, SEVERITIES, with_folder};

/// The papers with errata that pages about these benchmarks lead to: all of the program, whose errata
/// name each other, unless every benchmark is of a folder on disk.
pub fn shown<'p>(benchmarks: impl Iterator<Item = &'p Benchmark> + Clone) -> Vec<&'static Paper> {
    let is_of_program = benchmarks.clone().any(|benchmark| benchmark.folder.is_none());
    let is_own = |paper: &&Paper| benchmarks.clone().any(|one| one.paper == paper.key);
    with_errata().filter(|paper| is_of_program || is_own(paper)).collect()
}

/// The page that lists every item, those that matter most first, and the files of these papers.
pub fn documents(papers: &[&'static Paper]) -> Vec<Document> {
    let meanings = |known: &[&'static str], meanings: &[&'static str]| {
        let each = known.iter().copied().zip(meanings.iter().copied());
        each.map(words::meaning).collect::<Vec<_>>().join("; ")
    };
    let severities = meanings(&SEVERITIES, &words::SEVERITIES);
    let mut page = words::page(&severities, &meanings(&EVIDENCE, &words::EVIDENCE));
    for paper in papers {
        page.push_str(&listed(paper));
    }
    let copies = papers
        .iter()
        .map(|paper| Document::new(format!("errata/{}.md", paper.key), with_list(paper)));
    std::iter::once(Document::new("errata.md", page)).chain(copies).collect()
}

/// Papers and other topics with errata. Every report has a copy of each file, because pages refer
/// to it.
fn with_errata() -> impl Iterator<Item = &'static Paper> {
    with_folder().iter().filter(|paper| !paper.errata_text.is_empty())
}

/// Where the list in a paper's file starts and ends. The items keep the order of the paper.
const LIST: [&str; 2] = ["<!-- by importance -->\n", "<!-- end -->\n"];

/// The file of a paper with the list of its items by how much they matter, where it has a place for
/// that.
fn with_list(paper: &Paper) -> String {
    let text = &paper.errata_text;
    match text
        .split_once(LIST[0])
        .and_then(|(before, rest)| Some((before, rest.split_once(LIST[1])?.1)))
    {
        Some((before, after)) => {
            let list = by_severity(&paper.errata.iter().collect::<Vec<_>>(), "");
            format!("{before}{}{list}{}{after}", LIST[0], LIST[1])
        }
        None => text.clone(),
    }
}

/// The items of a paper on the page of all errata.
fn listed(paper: &Paper) -> String {
    let file = format!("errata/{}.md", paper.key);
    let own: Vec<&Erratum> = paper.errata.iter().collect();
    let faults = own.iter().filter(|one| one.is_fault()).count();
    let items = words::items(&paper.title, &file, own.len(), own.len() - faults);
    format!("\n## {}\n\n{items}\n\n{}", paper.name, by_severity(&own, &file))
}

/// A line for each severity of a paper's items, in it the kinds in their order, with links to the
/// items in this file.
fn by_severity(own: &[&Erratum], file: &str) -> String {
    let mut text = String::new();
    let of_severity =
        |severity: usize| own.iter().filter(move |one| one.is_fault() && one.severity == severity);
    let lines =
        SEVERITIES.iter().enumerate().map(|(at, word)| (*word, of_severity(at).copied().collect()));
    let others = own.iter().copied().filter(|one| !one.is_fault()).collect();
    for (word, items) in lines.chain(std::iter::once((words::NO_FAULT, others))) {
        let kinds = by_kind(items, file);
        if !kinds.is_empty() {
            // writing to a string cannot fail
            let _ = writeln!(text, "- **{word}**: {}", kinds.join(". "));
        }
    }
    text
}

/// The kinds of these items in their order, each with links to its items.
fn by_kind(mut items: Vec<&Erratum>, file: &str) -> Vec<String> {
    items.sort_by_key(|one| (one.rank, one.number));
    let of_kind = |items: &[&Erratum]| {
        let links = items
            .iter()
            .map(|one| format!("[{}]({file}#{}) {}", one.number, one.anchor(), one.subject()));
        let links = links.collect::<Vec<_>>().join("; ");
        items.first().map(|first| format!("*{}* {links}", first.kind()))
    };
    items.chunk_by(|a, b| a.rank == b.rank).filter_map(of_kind).collect()
}

/// How many of the errata about a benchmark are named by their subject.
pub const GRAVEST: usize = 3;
