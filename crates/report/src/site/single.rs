//! Write a page that is about no benchmark alone: a comparison, ranks, or what methods did on a
//! table of one's own.

use maud::{Markup, html};

use super::blocks::Parts;
use super::layout::Framed;
use super::terms::Terms;
use crate::document::Document;
use crate::section::{Block, Page};
use uqbench_run::benchmark::Benchmark;

/// A page with its figures, as `site/name.html`. What its words mean is folded at its end. `above`
/// names the pages that it lies below and their titles, from the index down, where there are any.
pub fn single(above: &[(&str, &str)], name: &str, page: &Page, figures: &[Document]) -> Document {
    framed(
        above,
        name,
        page,
        &Parts::new(figures, None).with_terms(Terms::of_page(page.named_metrics())),
    )
}

/// The same, which can be the first page of a folder without a report.
pub fn alone(name: &str, page: &Page, figures: &[Document]) -> Document {
    let parts = Parts::new(figures, None).with_terms(Terms::of_page(page.named_metrics()));
    Framed { name, title: &page.title, above: &[], body: body(page, &parts) }.alone()
}

/// A page from all trials of a benchmark, to whose list its numbers lead.
pub fn of_trials(
    above: &[(&str, &str)],
    name: &str,
    page: &Page,
    figures: &[Document],
    benchmark: &Benchmark,
) -> Document {
    let terms = Terms::of_page(page.named_metrics());
    framed(above, name, page, &Parts::new(figures, None).with_terms(terms).with_list(benchmark))
}

/// A page below others, with figures that are no files of their own, as `site/name.html`. `above`
/// names these pages and their titles, from the index down. What its words mean is in the glossary
/// beside it.
pub fn below(above: &[(&str, &str)], name: &str, page: &Page, figures: &[Document]) -> Document {
    let terms = Terms::of_glossary(page.named_metrics());
    framed(above, name, page, &Parts::new(figures, None).with_terms(terms).without_files())
}

fn framed(above: &[(&str, &str)], name: &str, page: &Page, parts: &Parts) -> Document {
    Framed { name, title: &page.title, above, body: body(page, parts) }
        .document()
        .lacking(page.not_shown())
}

fn body(page: &Page, parts: &Parts) -> Markup {
    html! {
        h1 { (page.title) }
        @let (first, rest) = page.blocks.split_at(page.first.min(page.blocks.len()));
        @if !first.is_empty() { (first_screen(first, parts)) }
        @for block in rest { (parts.block(block)) }
        (parts.terms.section())
    }
}

/// The first words, figures and all else: figures stand beside the others, or after the first words
/// where the window is narrow.
fn first_screen(blocks: &[Block], parts: &Parts) -> Markup {
    let (figures, others): (Vec<&Block>, Vec<&Block>) =
        blocks.iter().partition(|block| matches!(block, Block::Figure { .. }));
    let (lead, rest) = others.split_at(others.len().min(1));
    html! {
        div.beside {
            div { @for block in lead { (parts.block(block)) } }
            div.drawn { @for block in figures { (parts.block(block)) } }
            div { @for block in rest { (parts.block(block)) } }
        }
    }
}
