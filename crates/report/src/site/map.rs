//! Draw the map of all printed numbers: a square for each, its colour and symbol the verdict.

use maud::{Markup, html};

use super::legend;
use crate::committed::{Committed, Number};
use crate::scorecard::Row;
use crate::summary::Part;
use crate::words::looks::{LOOKS, Look, look_of};
use crate::words::map as said;
use uqbench_judge::judgement::shipped::Origin;
use uqbench_run::benchmark::papers::short_name;
use uqbench_run::benchmark::{Profile, label_text};

/// The printed numbers of one paper, an artefact a line.
pub fn map_of(parts: &[&Part], committed: &Committed) -> Markup {
    let with_numbers = parts.iter().filter(|part| part.main_numbers().next().is_some());
    html! {
        @for part in with_numbers {
            @let id = &part.plan.benchmark.id;
            div.strip {
                a.artefact href={ (id) ".html" } { (part.plan.benchmark.artefact) }
                span.cells {
                    @for (at, row) in part.main_numbers() { (square(part, at, row, committed)) }
                }
            }
        }
    }
}

/// The shipped run of a number that a smaller profile does not judge; `None` in a full run, which
/// would be compared with itself.
pub fn beside<'c>(part: &Part, row: &Row, committed: &'c Committed) -> Option<&'c Number> {
    committed.of(row).filter(|_| part.plan.profile != Profile::Full)
}

/// A square that leads to the row of its verdict. A smaller profile shows the verdict of the
/// shipped run as an outline.
fn square(part: &Part, at: usize, row: &Row, committed: &Committed) -> Markup {
    let id = &part.plan.benchmark.id;
    let full = beside(part, row, committed);
    let look = look_beside(row, full);
    let state = if full.is_some() { " outlined" } else { "" };
    let here = match row.share.origin() {
        Some(Origin::Here) => " here",
        Some(Origin::Partly) => " partly",
        _ => "",
    };
    html! {
        @if let Some(look) = look {
            a class={ "square v-" (look.class) (state) (here) } href={ (id) ".html#n" (at) } data-verdict=(look.class)
                data-words=(words(part, row))
                title=(said::square(row, full.map(|full| (&full.verdict, full.agrees_with(row))))) {
                span aria-hidden="true" { (look.symbol) } span.sr { (look.word) }
            }
        }
    }
}

/// The look of a printed number's verdict: that of the shipped run, where it stands beside this
/// one.
fn look_beside(row: &Row, full: Option<&Number>) -> Option<&'static Look> {
    full.map_or(&row.verdict, |full| &full.verdict).number().map(look_of)
}

/// Names of dataset, metric, column, paper and artefact, by which the filter finds a square: those
/// of the scorecard, and headings that differ from them.
fn words(part: &Part, row: &Row) -> String {
    let benchmark = &part.plan.benchmark;
    let dataset =
        benchmark.datasets.iter().find(|one| one.key == row.dataset).map(|one| &one.heading);
    let metric = benchmark
        .metrics
        .iter()
        .find(|one| one.id.to_string() == row.metric)
        .map(|one| &one.heading);
    let column = benchmark
        .columns()
        .find(|one| label_text(&one.labels) == row.method)
        .map(|one| &one.heading);
    let mut all = vec![row.dataset.as_str(), row.metric.as_str(), row.method.as_str()];
    all.extend([dataset, metric, column].into_iter().flatten().map(String::as_str));
    all.extend([short_name(&benchmark.paper), benchmark.artefact.as_str()]);
    let mut text = String::new();
    for name in all {
        if !text.to_lowercase().contains(&name.to_lowercase()) {
            text += if text.is_empty() { "" } else { " " };
            text += name;
        }
    }
    text
}

/// What colours and symbols mean: those that occur in the parts.
pub fn legend(parts: &[Part], committed: &Committed) -> Markup {
    let (mut counts, mut is_outlined) = ([0_usize; LOOKS.len()], false);
    for part in parts {
        for (_, row) in part.main_numbers() {
            let full = beside(part, row, committed);
            is_outlined |= full.is_some();
            let look = look_beside(row, full);
            if let Some(at) = LOOKS.iter().position(|known| Some(known) == look) {
                counts[at] += 1;
            }
        }
    }
    html! {
        ul.legend {
            @for (look, count) in LOOKS.iter().zip(counts).filter(|(_, count)| *count > 0) {
                (legend::verdict(look, is_outlined, count))
            }
        }
    }
}
