//! Say in one row for each paper what came out: how many printed numbers are reproduced, and which
//! claims hold.

use maud::{Markup, html};

use super::anchors::GLOSSARY;
use super::looks::symbol;
use crate::summary::{MEANINGS, Summary, Tally};
use crate::words::claims::{dependence, verb};
use crate::words::first_screen::{self as words, Rest};
use crate::words::looks::mark;
use uq_core::stats::digits::NONE;
use uqbench_judge::judgement::claims::Judged;
use uqbench_judge::judgement::sentences::Conclusions;

/// One row for each paper.
pub fn in_short(summaries: &[Summary], is_full: bool) -> Markup {
    let shown: Vec<&Summary> = summaries.iter().filter(|one| one.is_listed()).collect();
    html! {
        div.scroll tabindex="0" role="group" aria-label="In short" {
            table.short {
                thead { tr {
                    th scope="col" { "Paper" }
                    th scope="col" {
                        "Numbers reproduced or close" @if !is_full { " (shipped run)" }
                    }
                    th scope="col" {
                        "Claims: " (mark(Judged::Holds)) " hold, " (mark(Judged::Fails)) " fail, "
                        (mark(Judged::Undecided)) " open"
                        @if !is_full { " (shipped run)" }
                        " " a.define.wide href={ (GLOSSARY) ".html#judgements" } {
                            "definition" span.sr { " of claims" }
                        }
                    }
                    @if !is_full { th.n.wide scope="col" { "This run agrees" } }
                } }
                tbody { @for one in &shown { tr {
                    th scope="row" title=(one.title) { (one.name) }
                    @let (tally, claims) = one.of_full(is_full);
                    td {
                        @if one.printed > 0 {
                            (numbers(tally))
                        } @else {
                            (words::NO_NUMBER)
                        }
                    }
                    td { (held(&claims)) }
                    @if !is_full {
                        td.n.wide {
                            @if one.means.1 > 0 { (one.means.0) " of " (one.means.1) } @else { (NONE) }
                        }
                    }
                } } }
            }
        }
    }
}

/// How many numbers are reproduced or close, differ and are unclear, in words, numbers and a bar.
fn numbers(tally: &Tally) -> Markup {
    let Some(word) = tally.share() else { return html! { (words::NONE_JUDGED) } };
    let percent = 100.0 * tally.passed as f64 / tally.judged as f64;
    html! {
        strong { (word) } ": " span.count { (tally.passed) " of " (tally.judged) } "; "
        span.count { (tally.differing) @if tally.differing == 1 { " differs, " } @else { " differ, " } } span.count { (tally.unclear()) " unclear" } " "
        span.bar aria-hidden="true" { span style={ "width:" (format!("{percent:.0}")) "%" } {} }
    }
}

/// Claims by judgement, each number with its symbol.
fn held(claims: &Conclusions) -> Markup {
    let Conclusions { hold, fail, depend, open } = claims;
    html! {
        @if claims.all() == 0 { (NONE) } @else {
            @for (count, judged) in [(hold, Judged::Holds), (fail, Judged::Fails), (open, Judged::Undecided)] {
                span.count { (symbol(judged)) " " (count) span.sr { " " (verb(judged, *count)) } } " "
            }
            @if *depend > 0 { "(" a href="#claims" { (depend) " " (dependence(*depend)) } ")" }
        }
    }
}

/// Where the other numbers are, claims on the paper's own numbers, finished trials, and what the
/// words mean; folded.
pub fn in_full(summaries: &[Summary], is_full: bool) -> Markup {
    html! {
        details {
            summary { (words::IN_FULL) }
            ul { @for one in summaries.iter().filter(|one| one.is_listed()) { li {
                strong { (one.name) } @if !one.title.is_empty() { ", " (one.title) } ": "
                (one.trials.0) " of " (one.trials.1) " trials. "
                (rest(one.of_full(is_full).0))
                @let printed = one.claims_printed.concluded();
                @if printed.all() > printed.open { (words::ON_PRINTED) (held(&printed)) }
            } } }
            p.note { (MEANINGS) }
        }
    }
}

/// The judged numbers that are neither reproduced nor close, and where most of them differ.
fn rest(tally: &Tally) -> Markup {
    html! { @if tally.judged > 0 {
        @let Rest { before, link, after } = words::rest(tally);
        (before)
        @if let Some(link) = link {
            a href={ (GLOSSARY) ".html#column-by-chance" } { (link) }
        }
        (after)
    } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_not_cut_to_whole_per_cents() {
        let tally = Tally { passed: 45, judged: 48, ..Tally::default() };
        let cell = numbers(&tally).into_string();
        assert!(
            cell.contains("width:94%") && cell.contains("45 of 48") && cell.contains("0 differ, "),
            "{cell}"
        );
    }
}
