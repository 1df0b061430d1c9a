//! Show the chosen findings, each with a link to its evidence, and the rule of the choice.

use maud::{Markup, html};

use super::anchors::GLOSSARY;
use crate::selection::{Shown, rule, selected};
use crate::summary::Part;
use crate::words::findings::sentence;
use crate::words::first_screen as words;
use crate::words::looks::{NEWS, look_of_news};
use uqbench_run::benchmark::papers::short_name;

/// The findings, in the order of the papers.
pub fn findings(parts: &[Part], is_full: bool) -> Markup {
    let shown = selected(parts);
    let is_of_papers = Part::are_of_papers(parts);
    let look = |news| look_of_news(news, is_of_papers);
    html! { @if !shown.is_empty() {
        section.findings aria-labelledby="findings" {
            h2 #findings { (words::findings(is_full)) }
            ul { @for Shown { part, finding, anchor } in &shown {
                @let said = sentence(finding);
                @let (class, symbol, word) = look(finding.news());
                li class=(class) {
                    span.sym title=(word) {
                        span aria-hidden="true" { (symbol) } span.sr { (word) ": " }
                    }
                    a href={ (part.plan.benchmark.id) ".html" @if let Some(anchor) = anchor { "#" (anchor) } } {
                        (short_name(&part.plan.benchmark.paper)) ", " (part.plan.benchmark.artefact)
                    }
                    " " strong { (said.what) } " " span.evidence { (said.evidence) }
                }
            } }
            p.note {
                @for (at, (class, symbol, word)) in NEWS.map(look).into_iter().enumerate() {
                    @if at > 0 { ", " }
                    a href={ (GLOSSARY) ".html#finding-" (class) } { (symbol) } " " (word)
                }
                ". " (rule(is_of_papers))
                @if !is_full { " " (words::HINTS) }
            }
        }
    } }
}
