//! Say in one row for each paper what came out: how many printed numbers are reproduced, where most differ, which claims hold.

use maud::{Markup, html};

use super::anchors::GLOSSARY;
use super::looks::{mark, symbol};
use super::summary::{Claims, Summary, Tally};
use crate::judgement::claims::Judged;
use crate::stats::digits::NONE;

/// One row for each paper.
pub fn in_short(summaries: &[Summary], is_full: bool) -> Markup {
    let shown: Vec<&Summary> = summaries.iter().filter(|one| has_printed(one)).collect();
    html! {
        div.scroll tabindex="0" role="group" aria-label="In short" {
            table.short {
                thead { tr {
                    th scope="col" { "Paper" }
                    th scope="col" { "Printed numbers that are reproduced or close" @if !is_full { " (full run)" } }
                    th scope="col" {
                        "Claims: " (mark(Judged::Holds)) " hold, " (mark(Judged::Fails)) " fail, " (mark(Judged::Undecided)) " open"
                        @if !is_full { " (full run)" }
                        " " a.define href={ (GLOSSARY) ".html#judgements" } { "definition" span.sr { " of claims" } }
                    }
                    @if !is_full { th.n.wide scope="col" { "Preview agrees" } }
                    th.n.wide scope="col" { "Trials" }
                } }
                tbody { @for one in &shown { tr {
                    th scope="row" title=(one.title) { (one.name) }
                    @let (tally, claims) = if is_full { (&one.own, &one.claims) } else { (&one.full, &one.claims_full) };
                    td { (numbers(tally)) }
                    td { (held(claims)) }
                    @if !is_full {
                        td.n.wide { @if one.previews.1 > 0 { (one.previews.0) " of " (one.previews.1) } @else { (NONE) } }
                    }
                    td.n.wide { (one.trials.0) "/" (one.trials.1) }
                } } }
            }
        }
        p.note {
            "Mostly: more than two thirds; mostly not: less than one third. Differ: implausible, too. Undecided: compatible or \
             inconclusive. By chance: if each of our numbers met a printed number drawn at random."
        }
    }
}

/// Whether a paper prints numbers or claims that this report judges.
fn has_printed(one: &Summary) -> bool {
    let Claims { hold, fail, open } = one.claims;
    one.own.judged + one.full.judged + one.previews.1 + hold + fail + open > 0
}

/// How many numbers are reproduced or close, in words, numbers and a bar, and where most of the others are.
fn numbers(tally: &Tally) -> Markup {
    let Some(word) = share(tally) else { return html! { "no number is judged" } };
    let percent = 100.0 * tally.passed as f64 / tally.judged as f64;
    html! {
        strong { (word) } ": " span.count { (tally.passed) " of " (tally.judged) } " "
        span.bar aria-hidden="true" { span style={ "width:" (format!("{percent:.0}")) "%" } {} }
        span.detail {
            (tally.differing) " differ, " (tally.judged.saturating_sub(tally.passed + tally.differing)) " undecided"
            @if let Some(worst) = &tally.worst { "; most that differ: " (worst.artefact) ", " (worst.differing) " of " (worst.judged) }
            @if tally.by_chance > 0.0 { "; " (format!("{:.0}", tally.by_chance)) " would be reproduced by chance" }
        }
    }
}

/// The share of the numbers that are reproduced or close, in words; `None` where none is judged.
fn share(tally: &Tally) -> Option<&'static str> {
    match (3 * tally.passed, tally.judged) {
        (_, 0) => None,
        (thrice, judged) if thrice > 2 * judged => Some("mostly"),
        (thrice, judged) if thrice < judged => Some("mostly not"),
        _ => Some("partly"),
    }
}

/// Claims by judgement, each number with its symbol.
fn held(claims: &Claims) -> Markup {
    let Claims { hold, fail, open } = claims;
    html! {
        @if hold + fail + open == 0 { (NONE) } @else {
            @for (count, judged) in [(hold, Judged::Holds), (fail, Judged::Fails), (open, Judged::Undecided)] {
                span.count { (symbol(judged)) " " (count) span.sr { " " (judged.as_str()) } } " "
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_state_the_share() {
        let word = |passed, judged| share(&Tally { passed, judged, ..Tally::default() });
        let words = [word(0, 0), word(45, 48), word(2, 3), word(1, 3), word(30, 158)];
        assert_eq!(words, [None, Some("mostly"), Some("partly"), Some("partly"), Some("mostly not")]);
    }

    #[test]
    fn numbers_are_not_cut_to_whole_per_cents() {
        let tally = Tally { passed: 45, judged: 48, ..Tally::default() };
        let cell = numbers(&tally).into_string();
        assert!(cell.contains("width:94%") && cell.contains("45 of 48") && !cell.contains("chance"), "{cell}");
    }
}
