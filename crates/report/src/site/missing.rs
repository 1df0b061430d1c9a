//! Say what has not run, and why: a sentence for each outcome, and a table of every reason.

use maud::{Markup, html};

use super::map::beside;
use crate::committed::Committed;
use crate::grid::counted;
use crate::scorecard::Ruling;
use crate::summary::Part;
use crate::words::first_screen as words;
use crate::words::looks::look_of;
use crate::words::missing::{all, missing};
use uqbench_judge::judgement::Verdict;
use uqbench_run::benchmark::papers::short_name;

/// Most columns that a row of the table names unfolded.
const MOST_COLUMNS: usize = 6;

/// What has not run, a sentence for each outcome.
pub fn not_run(parts: &[Part], committed: &Committed) -> Markup {
    html! {
        p.missing {
            (answered(missing(parts).questions().first())) (unmet(parts, committed))
            (reasons_link(parts))
        }
    }
}

/// What ran without a result, a sentence for each outcome; nothing where everything that ran has
/// one.
pub fn without_result(parts: &[Part]) -> Markup {
    let missing = missing(parts);
    let questions = missing.questions();
    html! {
        @if questions.len() > 1 { p.missing { (answered(questions.get(1))) (reasons_link(parts)) } }
    }
}

fn answered(question: Option<&(&str, &[String])>) -> Markup {
    html! { @if let Some((question, answers)) = question {
        strong { (question) " " }
        @for answer in *answers { (answer) " " }
    } }
}

fn reasons_link(parts: &[Part]) -> Markup {
    html! { @if !all(parts).is_empty() { a href="#not-run" { (words::REASONS) } "." } }
}

/// How many printed numbers have no number of ours, with the symbol of their squares on the map;
/// and how many have one of the committed full run alone.
fn unmet(parts: &[Part], committed: &Committed) -> Markup {
    let is_not_run = |ruling: &Ruling| matches!(ruling.number(), Some(Verdict::NotRun(_)));
    let (mut none, mut full) = (0, 0);
    for part in parts {
        for (_, row) in part.main_numbers().filter(|(_, row)| is_not_run(&row.verdict)) {
            match beside(part, row, committed) {
                Some(known) if !is_not_run(&known.verdict) => full += 1,
                _ => none += 1,
            }
        }
    }
    html! {
        @if none > 0 {
            (words::without_ours(none, look_of(&Verdict::NotRun(String::new())).symbol)) " "
        }
        @if full > 0 { (words::shipped_alone(full)) " " }
    }
}

/// The columns; folded where they are many.
fn listed(columns: &[String]) -> Markup {
    let all = columns.join("; ");
    html! {
        @if columns.len() > MOST_COLUMNS {
            details { summary { (counted(columns.len(), "column")) } (all) }
        }
        @else { (all) }
    }
}

/// Every reason.
pub fn reasons(parts: &[Part]) -> Markup {
    let all = all(parts);
    html! { @if !all.is_empty() {
        section #not-run {
            h2 { (words::NOT_RUN) }
            div.scroll tabindex="0" role="group" aria-label=(words::NOT_RUN) {
                table.sortable {
                    thead { tr { @for head in ["Where", "Outcome", "Count", "Reason", "Of"] {
                        th scope="col" class=[(head == "Count").then_some("n")] { (head) }
                    } } }
                    tbody { @for (part, one) in &all { tr {
                        th scope="row" { a href={ (part.plan.benchmark.id) ".html" } {
                            (short_name(&part.plan.benchmark.paper)) ", "
                            (part.plan.benchmark.artefact)
                        } }
                        td { (one.outcome) }
                        td.n {
                            (counted(one.count, if one.planned { "trial" } else { "printed number" }))
                        }
                        td.words { (one.reason) }
                        td.words { (listed(&one.columns)) }
                    } } }
                }
            }
        }
    } }
}
