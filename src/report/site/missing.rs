//! Say what has not run, and why: a sentence for each outcome, and a table of every reason.

use maud::{Markup, html};

use crate::benchmark::papers::short_name;
use crate::report::grid::counted;
use crate::report::missing::{all, missing};
use crate::report::summary::Part;

/// Most columns that a row of the table names unfolded.
const MOST_COLUMNS: usize = 6;

/// What has not run and what ran without a result, in a sentence for each outcome.
pub fn in_short(parts: &[Part]) -> Markup {
    html! {
        p.missing {
            @for (question, answers) in missing(parts).questions() {
                strong { (question) " " }
                @for answer in answers { (answer) " " }
            }
            @if !all(parts).is_empty() { a href="#not-run" { "Each with its reason" } "." }
        }
    }
}

/// The columns; folded where they are many.
fn listed(columns: &[String]) -> Markup {
    let words = columns.join("; ");
    html! {
        @if columns.len() > MOST_COLUMNS { details { summary { (counted(columns.len(), "column")) } (words) } }
        @else { (words) }
    }
}

/// Every reason.
pub fn reasons(parts: &[Part]) -> Markup {
    let all = all(parts);
    html! { @if !all.is_empty() {
        section #not-run {
            h2 { "What has not run, or ran without a result" }
            div.scroll tabindex="0" role="group" aria-label="What has not run, or ran without a result" {
                table.sortable {
                    thead { tr { @for head in ["Where", "Outcome", "Count", "Reason", "Of"] {
                        th scope="col" class=[(head == "Count").then_some("n")] { (head) }
                    } } }
                    tbody { @for (part, one) in &all { tr {
                        th scope="row" { a href={ (part.plan.benchmark.id) ".html" } {
                            (short_name(&part.plan.benchmark.paper)) ", " (part.plan.benchmark.artefact)
                        } }
                        td { (one.outcome) }
                        td.n { (counted(one.count, if one.planned { "trial" } else { "printed number" })) }
                        td.words { (one.reason) }
                        td.words { (listed(&one.columns)) }
                    } } }
                }
            }
        }
    } }
}
