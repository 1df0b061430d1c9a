//! Write the page of one benchmark: summary and picture, then the main table, then all that is
//! folded.

use std::borrow::Cow;

use maud::{Markup, html};

use super::blocks::Parts;
use super::layout::{Framed, INDEX};
use super::legend;
use super::looks::judged;
use super::terms::Terms;
use super::ties::Ties;
use crate::document::Document;
use crate::drawn::Drawn;
use crate::grid::counted;
use crate::provenance::protocol;
use crate::section::{Block, Page, Place, Section};
use crate::summary::Part;
use crate::words::claims::judgements;
use crate::words::looks::{LOOKS, look_of};
use crate::words::page as words;
use uqbench_judge::judgement::Scorecard;
use uqbench_run::benchmark::Term;
use uqbench_run::benchmark::papers::Erratum;

/// What the page of a benchmark shows.
pub struct Content<'a> {
    /// The page, before it has a format.
    pub page: &'a Page,
    /// Its figures.
    pub figures: &'a [Drawn],
    /// Its verdicts.
    pub card: &'a Scorecard<'a>,
    /// Pages of trials that a reader should look at.
    pub trial_pages: &'a [Document],
}

/// Most claims beside the picture: more of them would push the main table out of the first screen.
const MOST_CLAIMS: usize = 3;

/// The page of a benchmark.
pub fn artefact(
    part: &Part,
    Content { page, figures, card, trial_pages }: &Content,
    errata: &[Erratum],
) -> Document {
    let ties = Ties::new(part, errata);
    let listed = ties.list();
    let parts = Parts::new(figures.iter().map(|figure| &figure.document), Some(card))
        .with_terms(Terms::of_glossary(
            part.plan.benchmark.metrics.iter().map(|row| (row.heading.as_str(), row.id)),
        ))
        .with_ties(ties)
        .with_trials(*trial_pages);
    let mut blocks: Vec<&Block> = page.blocks.iter().collect();
    let first = blocks
        .iter()
        .position(|block| matches!(block, Block::Figure { .. }))
        .map(|at| blocks.remove(at));
    let (lead, rest): (Vec<&Block>, Vec<&Block>) =
        blocks.into_iter().partition(|block| matches!(block, Block::Text(_)));
    // Notes are long: they come after the tables that they are about.
    let (notes, mut rest): (Vec<&Block>, Vec<&Block>) =
        rest.into_iter().partition(|block| matches!(block, Block::Notes(_)));
    // The main table comes before further pictures, and before what only some readers look up.
    let main = rest
        .iter()
        .position(|block| matches!(block, Block::Table(Place::Shown | Place::Diagnosis, _)))
        .map(|at| rest.remove(at));
    let body = html! {
        h1 { (page.title) }
        div class=[first.map(|_| "top")] {
            div { @for block in lead { (parts.block(block)) } (tally(part)) (claims(card)) }
            @if let Some(figure) = first { (parts.block(figure)) }
        }
        @if let Some(table) = main { (parts.block(table)) }
        (terms(part)) (listed)
        @for block in rest { (parts.block(&folded(block))) }
        @if let Some(block) = protocol_of(part) { (parts.block(&block)) }
        @for block in notes {
            details #notes { summary { h2 { (words::NOTES) } } (parts.block(block)) }
        }
    };
    let above = [(INDEX, "Report")];
    Framed { name: &part.plan.benchmark.id, title: &page.title, above: &above, body }.document()
}

/// The block, folded where it is a table of dashes: such a table says which metric has no score
/// here, and nothing else.
fn folded(block: &Block) -> Cow<'_, Block> {
    match block {
        Block::Table(Place::Shown, section) if section.is_of_dashes() => {
            Cow::Owned(Block::folded(section.clone()))
        }
        other => Cow::Borrowed(other),
    }
}

/// Where the protocol comes from, and what else was tried, as far as the benchmark says it.
fn protocol_of(part: &Part) -> Option<Block> {
    let section = protocol(&part.plan.benchmark)?;
    Some(Block::folded(Section { title: words::PROTOCOL.into(), ..section }))
}

/// What words of the headings mean.
fn terms(part: &Part) -> Markup {
    let meanings: Vec<String> = part.plan.benchmark.terms.iter().map(Term::sentence).collect();
    html! { @if !meanings.is_empty() { p.note { (words::in_headings(&meanings)) } } }
}

/// The claims as they are read, each with its judgement on our runs and a link to its evidence; the
/// first ones of many.
fn claims(card: &Scorecard) -> Markup {
    let lines = &card.claims;
    let more = lines.len().saturating_sub(MOST_CLAIMS);
    html! { @if !lines.is_empty() {
        ul.claims aria-label="Claims" {
            @for line in lines.iter().take(MOST_CLAIMS) {
                @let words = if line.claim.reading.is_empty() { &line.claim.text } else { &line.claim.reading };
                li {
                    (judged(line.result.own)) " " a href={ "#claim-" (line.claim.id) } { (words) }
                }
            }
            @if more > 0 {
                @let others = lines[lines.len() - more..].iter().map(|line| line.result.own);
                li {
                    a href="#claims" { (counted(more, "more part")) } ": " (judgements(others))
                }
            }
        }
    } }
}

/// How many printed numbers of the main reading have each verdict. The script makes filters of
/// them.
fn tally(part: &Part) -> Markup {
    let count = |class: &str| {
        part.main_numbers()
            .filter(|(_, row)| {
                row.verdict.number().is_some_and(|verdict| look_of(verdict).class == class)
            })
            .count()
    };
    html! {
        ul.legend.filters {
            @for look in &LOOKS {
                @let count = count(look.class);
                @if count > 0 { (legend::verdict(look, false, count)) }
            }
        }
    }
}
