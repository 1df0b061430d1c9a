//! Write a page of errata for each paper, the most important first, with the pages that each item
//! is about.

use maud::{Markup, html};

use super::layout::{Framed, INDEX};
use super::prose::prose;
use crate::cited::has_variant;
use crate::document::Document;
use crate::summary::Part;
use crate::words::errata as words;
use uqbench_run::benchmark::papers::{EVIDENCE, Erratum, Paper, SEVERITIES};
use uqbench_run::benchmark::report_files::errata_name;

/// File name, without ending, of a paper's errata.
pub fn page_name(paper: &str) -> String {
    errata_name(paper)
}

/// The pages of papers that have errata.
pub fn pages(parts: &[Part], papers: &[&Paper]) -> Vec<Document> {
    papers.iter().map(|paper| page(paper, parts)).collect()
}

fn page(paper: &Paper, parts: &[Part]) -> Document {
    let mut own: Vec<&Erratum> = paper.errata.iter().collect();
    let parts: Vec<&Part> =
        parts.iter().filter(|part| part.plan.benchmark.paper == paper.key).collect();
    // Of one severity and kind, items that are about a table or figure of the report matter more
    // than others.
    own.sort_by_key(|one| {
        (
            one.severity,
            one.rank,
            !parts.iter().any(|part| one.is_of(&part.plan.benchmark)),
            one.number,
        )
    });
    let title = format!("Errata of {}", paper.name);
    let body = html! {
        h1 { (title) }
        p { (words::sorted(&paper.title, own.len())) }
        dl.terms {
            @for (word, meaning) in SEVERITIES.iter().zip(words::SEVERITIES) {
                dt { strong { (word) } }
                dd { (meaning) "." }
            }
        }
        p.note {
            "Evidence: "
            @for (at, (word, meaning)) in EVIDENCE.iter().zip(words::EVIDENCE).enumerate() {
                @if at > 0 { "; " }
                strong { (word) } ", " (meaning)
            }
            "."
        }
        p.note { (words::KINDS) }
        @for one in own { (item(one, &parts)) }
    };
    Framed { name: &page_name(&paper.key), title: &title, above: &[(INDEX, "Report")], body }
        .document()
}

fn item(one: &Erratum, parts: &[&Part]) -> Markup {
    let about: Vec<&&Part> = parts.iter().filter(|part| one.is_of(&part.plan.benchmark)).collect();
    let variants: Vec<(&Part, &str)> = parts.iter().flat_map(|part| variants(part, one)).collect();
    html! {
        section.erratum id=(one.anchor()) {
            h2 {
                (one.number) ". " (one.kind()) " · " (one.group)
                " " a href={ "#" (one.anchor()) } aria-label="Link to this item" { "#" }
            }
            p.note {
                "Severity: " strong { (SEVERITIES.get(one.severity).copied().unwrap_or_default()) }
                ". Evidence: " strong { (one.evidence().collect::<Vec<_>>().join(", ")) } "."
            }
            div.prose { (prose(&one.source)) }
            @if !about.is_empty() {
                p.note { "Pages: " @for (at, part) in about.iter().enumerate() {
                    @if at > 0 { ", " }
                    a href={ (part.plan.benchmark.id) ".html" } { (part.plan.benchmark.artefact) }
                } "." }
            }
            @if !variants.is_empty() {
                p.note { "Variant rows: " @for (at, (part, variant)) in variants.iter().enumerate() {
                    @if at > 0 { ", " }
                    @let id = &part.plan.benchmark.id;
                    a href={ (id) ".html" (place(part, variant)) } { (variant) " in " (id) }
                } "." }
            }
        }
    }
}

/// The variants of a benchmark that an item is behind.
fn variants<'p, 'a>(part: &'p Part<'a>, one: &Erratum) -> Vec<(&'p Part<'a>, &'p str)> {
    let benchmark = &part.plan.benchmark;
    let methods = benchmark.methods.iter().filter_map(|row| row.variant.as_deref());
    let datasets = benchmark.datasets.iter().filter_map(|row| row.variant.as_deref());
    let mut named: Vec<&str> =
        methods.chain(datasets).filter(|variant| has_variant(one, benchmark, variant)).collect();
    named.sort_unstable();
    named.dedup();
    named.into_iter().map(|variant| (part, variant)).collect()
}

/// The first row of a variant on the page of its benchmark, as `#` and its anchor: that of a
/// printed number, or of another table.
fn place(part: &Part, variant: &str) -> String {
    let number = part.brief.numbers().position(|row| row.variant == variant);
    let row = || part.brief.variants.get(variant).cloned();
    number
        .map(|at| format!("n{at}"))
        .or_else(row)
        .map(|anchor| format!("#{anchor}"))
        .unwrap_or_default()
}
