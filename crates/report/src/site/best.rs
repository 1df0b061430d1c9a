//! Say which method did best, and how sure that is.

use maud::{Markup, html};

use crate::grid::separator;
use crate::summary::Part;
use crate::words::first_screen as words;
use uqbench_judge::judgement::findings::{Finding, Ranked};
use uqbench_run::benchmark::Term;
use uqbench_run::benchmark::papers::{papers, short_name};

/// For each paper the ranking over most datasets; nothing where there is no ranking.
pub fn best(parts: &[Part]) -> Markup {
    let mut chosen: Vec<(&Part, &Ranked)> = Vec::new();
    for part in parts {
        for ranked in part.brief.findings.iter().filter_map(|one| match &one.finding {
            Finding::Ranked(ranked) => Some(ranked),
            _ => None,
        }) {
            match chosen
                .iter_mut()
                .find(|(other, _)| other.plan.benchmark.paper == part.plan.benchmark.paper)
            {
                Some(known) if known.1.datasets < ranked.datasets => *known = (part, ranked),
                Some(_) => {}
                None => chosen.push((part, ranked)),
            }
        }
    }
    let mut unranked: Vec<&str> = Vec::new();
    for paper in parts.iter().map(|part| part.plan.benchmark.paper.as_str()) {
        let is_ranked = chosen.iter().any(|(part, _)| part.plan.benchmark.paper == paper);
        if !is_ranked
            && papers().any(|known| known.key == paper)
            && !unranked.contains(&short_name(paper))
        {
            unranked.push(short_name(paper));
        }
    }
    let (clear, unclear): (Vec<_>, Vec<_>) =
        chosen.into_iter().partition(|(_, ranked)| is_clear(ranked));
    html! { @if !clear.is_empty() || !unclear.is_empty() {
        p.best {
            strong { (words::BEST) }
            @for (part, ranked) in &clear {
                (place(part)) ": " strong { (ranked.best) } " " (words::rank(ranked)) ". "
                (meanings(part, ranked))
            }
            @for (at, (part, ranked)) in unclear.iter().enumerate() {
                @if at == 0 {
                    (words::NO_WINNER)
                } @else {
                    (separator(at, unclear.len()))
                }
                (ranked.best) " in " (place(part)) " (" (words::short_rank(ranked)) ")"
            }
            @if !unclear.is_empty() { ". " }
            @if !unranked.is_empty() { (words::unranked(&unranked)) }
        }
    } }
}

/// The table or figure, with a link to its page.
fn place(part: &Part) -> Markup {
    let benchmark = &part.plan.benchmark;
    html! {
        a href={ (benchmark.id) ".html" } {
            (short_name(&benchmark.paper)) " " (benchmark.artefact)
        }
    }
}

/// What the names of the first method and of the metric mean, where the benchmark says so.
fn meanings(part: &Part, ranked: &Ranked) -> Markup {
    let headings = [ranked.best.clone(), ranked.metric.label()];
    let of = |term: &&Term| headings.iter().any(|heading| term.is_in(heading));
    let meanings: Vec<String> =
        part.plan.benchmark.terms.iter().filter(of).map(Term::sentence).collect();
    html! { @if !meanings.is_empty() { (words::meanings(&meanings)) " " } }
}

/// Whether at least half of the other methods are significantly behind.
fn is_clear(ranked: &Ranked) -> bool {
    2 * ranked.methods.saturating_sub(ranked.tied) >= ranked.methods.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::metrics::{MetricId, Mse};

    #[test]
    fn a_rank_is_clear_where_half_of_the_others_are_significantly_behind() {
        let ranked = |tied| Ranked {
            metric: MetricId::Mse(Mse),
            best: "A".into(),
            best_rank: 1.25,
            own: None,
            methods: 5,
            datasets: 8,
            critical_difference: 2.0,
            p: 0.01,
            tied,
            failures_are_worst: false,
        };
        assert!(
            is_clear(&ranked(1))
                && is_clear(&ranked(3))
                && !is_clear(&ranked(4))
                && !is_clear(&ranked(5))
        );
    }
}
