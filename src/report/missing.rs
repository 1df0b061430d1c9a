//! Say what has not run, and why.

use maud::{Markup, html};

use super::summary::Part;
use crate::benchmark::papers::short_name;
use crate::report::grid::counted;
use crate::report::not_run::NotRun;

/// Most columns that a row of the table names unfolded.
const MOST_COLUMNS: usize = 6;

/// Most benchmarks that a sentence names.
const NAMED: usize = 4;

/// Each benchmark with what has not run of it.
fn all<'p, 'a>(parts: &'p [Part<'a>]) -> Vec<(&'p Part<'a>, &'p NotRun)> {
    parts.iter().flat_map(|part| part.brief.not_run.iter().map(move |one| (part, one))).collect()
}

/// What has not run, in a sentence for each outcome.
pub fn in_short(parts: &[Part]) -> Markup {
    let all = all(parts);
    let unplanned = all.iter().filter(|(_, one)| !one.planned).map(|(_, one)| one.count).sum::<usize>();
    let mut outcomes: Vec<(&str, Vec<(String, usize)>)> = Vec::new();
    for (part, one) in all.iter().filter(|(_, one)| one.planned) {
        let benchmark = &part.plan.benchmark;
        let name = format!("{} {}", short_name(&benchmark.paper), benchmark.artefact);
        let at = outcomes.iter().position(|(outcome, _)| *outcome == one.outcome).unwrap_or_else(|| {
            outcomes.push((&one.outcome, Vec::new()));
            outcomes.len() - 1
        });
        let of = &mut outcomes[at].1;
        match of.last_mut().filter(|(last, _)| *last == name) {
            Some((_, count)) => *count += one.count,
            None => of.push((name, one.count)),
        }
    }
    html! {
        p.missing {
            strong { "What has not run? " }
            @if outcomes.is_empty() { "Every planned trial has predictions. " }
            @for (outcome, of) in &mut outcomes { (sentence(outcome, of)) " " }
            @if unplanned > 0 {
                (counted(unplanned, "printed number")) ", variants too, " (if unplanned == 1 { "is" } else { "are" })
                " not part of this profile. "
            }
            @if !all.is_empty() { a href="#not-run" { "Each with its reason" } "." }
        }
    }
}

/// The benchmarks with trials of an outcome, the one with most of them first.
fn sentence(outcome: &str, of: &mut [(String, usize)]) -> String {
    of.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let named: Vec<String> = of.iter().take(NAMED).map(|(name, count)| format!("{name} ({count})")).collect();
    let more = match of.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}, number of trials: {}{more}.", meaning(outcome), named.join(", "))
}

/// What an outcome means to a reader.
fn meaning(outcome: &str) -> String {
    match outcome {
        "not in the store" => "Not run yet (the same command goes on with them)".into(),
        "unavailable" => "Data or files that are not at hand".into(),
        "none" => "Ran, and has no intervals by the paper's rule".into(),
        other => format!("Ended as {other}"),
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
            h2 { "What has not run" }
            div.scroll tabindex="0" role="group" aria-label="What has not run" {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_the_benchmarks_with_most_trials() {
        let of = |counts: &[usize]| counts.iter().map(|count| (format!("P Table {count}"), *count)).collect::<Vec<_>>();
        assert_eq!(
            sentence("not in the store", &mut of(&[3, 20])),
            "Not run yet (the same command goes on with them), number of trials: P Table 20 (20), P Table 3 (3)."
        );
        let many = sentence("diverged", &mut of(&[1, 2, 3, 4, 5, 6]));
        assert!(many.starts_with("Ended as diverged, ") && many.ends_with("P Table 3 (3) and 2 more."), "{many}");
    }
}
