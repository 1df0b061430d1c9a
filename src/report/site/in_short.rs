//! Say in one row for each paper what came out: how many printed numbers are reproduced, where most differ, which claims hold.

use maud::{Markup, html};

use super::anchors::GLOSSARY;
use super::looks::symbol;
use crate::judgement::claims::Judged;
use crate::report::looks::mark;
use crate::report::summary::{Claims, MEANINGS, Summary, Tally};
use crate::stats::digits::NONE;

/// One row for each paper.
pub fn in_short(summaries: &[Summary], is_full: bool) -> Markup {
    let shown: Vec<&Summary> = summaries.iter().filter(|one| one.has_printed()).collect();
    html! {
        div.scroll tabindex="0" role="group" aria-label="In short" {
            table.short {
                thead { tr {
                    th scope="col" { "Paper" }
                    th scope="col" { "Printed numbers that are reproduced or close" @if !is_full { " (full run)" } }
                    th scope="col" {
                        "Claims on our runs: " (mark(Judged::Holds)) " hold, " (mark(Judged::Fails)) " fail, " (mark(Judged::Undecided)) " open"
                        @if !is_full { " (full run)" }
                        " " a.define href={ (GLOSSARY) ".html#judgements" } { "definition" span.sr { " of claims" } }
                    }
                    @if !is_full { th.n.wide scope="col" { "Preview agrees" } }
                } }
                tbody { @for one in &shown { tr {
                    th scope="row" title=(one.title) {
                        (one.name)
                        span.detail { (one.trials.0) " of " (one.trials.1) " trials" }
                    }
                    @let (tally, claims) = one.of_full(is_full);
                    td { (numbers(tally)) }
                    td {
                        (held(claims))
                        @if one.claims_printed.hold + one.claims_printed.fail > 0 {
                            span.detail { "the same claims on the paper's own numbers: " (held(&one.claims_printed)) }
                        }
                    }
                    @if !is_full {
                        td.n.wide { @if one.previews.1 > 0 { (one.previews.0) " of " (one.previews.1) } @else { (NONE) } }
                    }
                } } }
            }
        }
        p.note { (MEANINGS) }
    }
}

/// How many numbers are reproduced or close, in words, numbers and a bar, and where most of the others are.
fn numbers(tally: &Tally) -> Markup {
    let Some(word) = tally.share() else { return html! { "no number is judged" } };
    let percent = 100.0 * tally.passed as f64 / tally.judged as f64;
    html! {
        strong { (word) } ": " span.count { (tally.passed) " of " (tally.judged) } " "
        @if tally.by_chance > 0.0 { span.count { "(" (format!("{:.0}", tally.by_chance)) " by chance)" } " " }
        span.bar aria-hidden="true" { span style={ "width:" (format!("{percent:.0}")) "%" } {} }
        span.detail {
            (tally.differing) " differ, " (tally.undecided()) " undecided"
            @if let Some(worst) = &tally.worst { "; most that differ: " (worst.artefact) ", " (worst.differing) " of " (worst.judged) }
        }
    }
}

/// Claims by judgement, each number with its symbol.
fn held(claims: &Claims) -> Markup {
    let Claims { hold, fail, open } = claims;
    html! {
        @if hold + fail + open == 0 { (NONE) } @else {
            @for (count, judged) in [(hold, Judged::Holds), (fail, Judged::Fails), (open, Judged::Undecided)] {
                span.count { (symbol(judged)) " " (count) span.sr { " " (judged.of_so_many(*count)) } } " "
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_not_cut_to_whole_per_cents() {
        let tally = Tally { passed: 45, judged: 48, ..Tally::default() };
        let cell = numbers(&tally).into_string();
        assert!(cell.contains("width:94%") && cell.contains("45 of 48") && !cell.contains("chance"), "{cell}");
    }
}
