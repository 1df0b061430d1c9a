//! Write legends: what symbols and colours mean, and how often each occurs. The script makes
//! filters of their entries.

use maud::{Markup, html};

use super::anchors::GLOSSARY;
use crate::words::claims::verb;
use crate::words::looks::{JUDGEMENTS, Look, class, mark};
use uqbench_judge::judgement::claims::Judged;

/// The entry of a verdict that `count` squares or cells have.
pub fn verdict(look: &Look, is_outline: bool, count: usize) -> Markup {
    html! {
        li data-verdict=(look.class) title=(look.meaning) {
            (sample(look.class, look.symbol, is_outline))
            " " a href={ (GLOSSARY) ".html#" (look.class) } { (look.word) } " " (count)
        }
    }
}

/// The legend of a table of claims: how many of them have each judgement. One claim needs none.
pub fn of_claims(all: &[Judged]) -> Markup {
    let count = |judged| all.iter().filter(|one| **one == judged).count();
    html! { @if all.len() > 1 {
        ul.legend aria-label="Claims by judgement" {
            @for (judged, meaning) in JUDGEMENTS {
                @let count = count(judged);
                @if count > 0 {
                    li data-claim=(judged.as_str()) title=(meaning) {
                        (sample(class(judged), mark(judged), false)) " " (count)
                        " " a href={ (GLOSSARY) ".html#claim-" (judged.as_str()) } {
                            (verb(judged, count))
                        }
                    }
                }
            }
        }
    } }
}

/// A square as it is drawn.
fn sample(class: &str, symbol: &str, is_outline: bool) -> Markup {
    let state = if is_outline { " outlined" } else { "" };
    html! { span class={ "square v-" (class) (state) } aria-hidden="true" { (symbol) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::looks::LOOKS;

    #[test]
    fn every_entry_filters_by_something() {
        let verdicts = LOOKS.iter().map(|look| verdict(look, false, 3));
        let entries = verdicts.chain([of_claims(&Judged::ALL)]).map(Markup::into_string);
        for entry in entries {
            let tagged = entry.matches("<li data-verdict=\"").count()
                + entry.matches("<li data-claim=\"").count();
            assert!(tagged == entry.matches("<li").count() && tagged > 0, "{entry}");
        }
    }

    #[test]
    fn claims_are_counted_by_judgement_and_one_claim_has_no_legend() {
        let [holds, fails, open] = Judged::ALL;
        let legend = of_claims(&[open, holds, open]).into_string();
        assert!(
            legend.contains("data-claim=\"holds\"") && legend.contains("</span> 2 <a href="),
            "{legend}"
        );
        assert!(
            !legend.contains(&format!("data-claim=\"{}\"", fails.as_str()))
                && of_claims(&[fails]).into_string().is_empty(),
            "{legend}"
        );
    }
}
