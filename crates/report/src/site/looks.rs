//! Show verdicts and judged claims with their symbols and colours.

use maud::{Markup, html};

use crate::words::looks::{class, look_of, mark};
use uqbench_judge::judgement::Verdict;
use uqbench_judge::judgement::claims::Judged;

/// The symbol and the words of a verdict.
pub fn chip(verdict: &Verdict) -> Markup {
    let look = look_of(verdict);
    html! {
        span class={ "chip v-" (look.class) } {
            span.sym aria-hidden="true" { (look.symbol) } " " (verdict)
        }
    }
}

/// The symbol and the word of a judged claim.
pub fn judged(judged: Judged) -> Markup {
    html! {
        span class={ "chip v-" (class(judged)) } {
            span.sym aria-hidden="true" { (mark(judged)) } " " (judged.as_str())
        }
    }
}

/// The symbol of a judged claim alone.
pub fn symbol(judged: Judged) -> Markup {
    html! { span class={ "chip v-" (class(judged)) } aria-hidden="true" { (mark(judged)) } }
}
