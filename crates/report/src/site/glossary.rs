//! Write the glossary: verdicts, the letters, marks and columns of tables, and every metric with
//! its formula and reference.
//!
//! Benchmarks that are about no paper have no printed numbers. Their glossary has what their pages
//! lead to: marks, metrics, and the judgements of claims where there are claims.

use maud::{Markup, html};

use super::anchors::GLOSSARY;
use super::entries::{Term, reference};
use super::layout::{Framed, INDEX};
use super::looks::judged;
use crate::document::Document;
use crate::section::slug;
use crate::summary::Part;
use crate::words::glossary::{
    self, BESIDE, CLAIMED, COLUMNS, DERIVED, FIDELITIES, LETTERS, WEAKNESS,
};
use crate::words::looks::{JUDGEMENTS, LOOKS, NEWS, look_of_news};
use crate::words::signs::ALL;
use uq_core::metrics::MetricId;

/// The glossary of these benchmarks.
pub fn glossary(parts: &[Part]) -> Document {
    let mut metrics: Vec<MetricId> = Vec::new();
    for metric in parts.iter().flat_map(|part| part.plan.benchmark.all_metrics()) {
        if !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    metrics.sort_by_key(ToString::to_string);
    let has_claims = parts.iter().any(|part| !part.plan.benchmark.claims.is_empty());
    let has_findings = parts.iter().any(|part| !part.brief.findings.is_empty());
    page(Part::are_of_papers(parts), [has_claims, has_findings], &metrics)
}

/// The page of benchmarks about papers, or about none, of which some have claims and findings.
fn page(
    is_of_papers: bool,
    [has_claims, has_findings]: [bool; 2],
    metrics: &[MetricId],
) -> Document {
    let body = html! {
        h1 { "Glossary" }
        @if is_of_papers { (verdicts()) }
        @if is_of_papers || has_claims { (judgements(is_of_papers)) }
        @if is_of_papers { (own_papers()) }
        h2 #marks { @if is_of_papers { "Letters and marks" } @else { "Marks" } }
        dl {
            @if is_of_papers { @for sign in &LETTERS { (Term::Sign(sign).entry()) } }
            @for sign in ALL { (Term::Sign(sign).entry()) }
            @if is_of_papers { (Term::Sign(&WEAKNESS).entry()) }
        }
        @if is_of_papers || has_findings { (of_news(is_of_papers)) }
        @if is_of_papers { (columns()) }
        h2 #metrics { "Metrics" }
        dl { @for metric in metrics { (Term::Metric(*metric).entry()) } }
    };
    Framed { name: GLOSSARY, title: "Glossary", above: &[(INDEX, "Report")], body }.document()
}

fn verdicts() -> Markup {
    html! {
        h2 #verdicts { (glossary::VERDICTS) }
        dl { @for look in &LOOKS {
            dt id=(look.class) {
                span class={ "square v-" (look.class) } aria-hidden="true" { (look.symbol) } " " strong {
                    (look.word)
                }
            }
            dd {
                (look.meaning) " "
                @if !look.rule.is_empty() { "Rule: " code { (look.rule) } ". " }
                (reference(look.section, ""))
            }
        } }
    }
}

fn judgements(is_of_papers: bool) -> Markup {
    html! {
        h2 #judgements { (glossary::JUDGEMENTS) }
        p { (glossary::claims(is_of_papers)) }
        dl { @for (one, meaning) in JUDGEMENTS {
            dt id={ "claim-" (one.as_str()) } { (judged(one)) }
            dd { (meaning) " " (reference(CLAIMED, "")) }
        } }
    }
}

fn own_papers() -> Markup {
    html! {
        h2 #own-papers { (BESIDE) }
        p { (glossary::MARGIN) }
        dl { @for (word, meaning, rule) in FIDELITIES {
            dt id={ "own-" (slug(word.as_str())) } { strong { (word.as_str()) } }
            dd {
                (meaning) " "
                @if !rule.is_empty() { "Rule: " code { (rule) } ". " }
                (reference(BESIDE, ""))
            }
        } }
    }
}

fn of_news(is_of_papers: bool) -> Markup {
    html! {
        h2 #findings { "Findings" }
        p { (glossary::findings(is_of_papers)) }
        dl { @for (class, symbol, word) in NEWS.map(|news| look_of_news(news, is_of_papers)) {
            dt id={ "finding-" (class) } { strong { (symbol) } }
            dd { (glossary::news(word)) }
        } }
    }
}

fn columns() -> Markup {
    html! {
        h2 #columns { (glossary::OF_PAGES) }
        dl { @for column in &COLUMNS { (Term::Column(column).entry()) } }
        h2 #derived { (glossary::OF_TRIALS) }
        dl { @for column in &DERIVED { (Term::Column(column).entry()) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::looks::mark;
    use uq_core::metrics::Crps;
    use uqbench_judge::judgement::fidelity::Fidelity;

    #[test]
    fn every_reference_is_a_heading_of_the_rules() {
        let rules = include_str!("../../../../docs/understand/verdicts.md");
        let of_marks = LETTERS.iter().chain(ALL).chain([&WEAKNESS]).map(|sign| sign.section);
        let sections =
            LOOKS.iter().map(|look| look.section).chain(of_marks).chain([CLAIMED, BESIDE]);
        for section in sections {
            let is_heading = |line: &str| {
                line.trim_start_matches('#').trim() == section && line.starts_with('#')
            };
            assert!(rules.lines().any(is_heading), "{section}");
        }
    }

    #[test]
    fn the_glossary_of_the_documentation_has_the_same_meanings() {
        let in_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let page = in_one_line(include_str!("../../../../docs/look-up/glossary.md"));
        let of_signs = LETTERS.iter().chain(ALL).chain([&WEAKNESS]).map(|sign| sign.meaning);
        let of_columns = COLUMNS.iter().chain(&DERIVED).map(|column| column.meaning);
        let meanings = LOOKS
            .iter()
            .map(|look| look.meaning)
            .chain(of_signs)
            .chain(of_columns)
            .chain(JUDGEMENTS.iter().map(|(_, meaning)| *meaning))
            .chain(FIDELITIES.iter().map(|(_, meaning, _)| *meaning));
        for meaning in meanings {
            assert!(page.contains(&in_one_line(meaning)), "{meaning}");
        }
        let of_looks = LOOKS.iter().map(|look| (look.word, look.meaning));
        let of_columns = COLUMNS
            .iter()
            .filter(|column| column.heads.len() == 1)
            .map(|column| (column.heads[0], column.meaning));
        for (word, meaning) in of_looks.chain(of_columns) {
            let entry = format!("**{word}**: {}", in_one_line(meaning));
            assert!(page.contains(&entry), "docs/look-up/glossary.md lacks {entry}");
        }
    }

    #[test]
    fn every_mark_that_a_page_can_show_has_an_entry() {
        let page = String::from_utf8(page(true, [true; 2], &[]).bytes).unwrap();
        let has = |anchor: &str, sign: &str| {
            let (_, entry) = page
                .split_once(&format!("<dt id=\"{anchor}\">"))
                .unwrap_or_else(|| panic!("{sign}"));
            let (term, rest) = entry.split_once("</dt><dd>").unwrap();
            assert!(term.contains(sign) && !rest.starts_with("</dd>"), "{sign}: {term}");
        };
        ALL.into_iter().for_each(|sign| has(&format!("mark-{}", sign.name), sign.sign));
        LOOKS.iter().for_each(|look| has(look.class, look.symbol));
        for (judged, _) in JUDGEMENTS {
            has(&format!("claim-{}", judged.as_str()), mark(judged));
        }
        for (class, symbol, _) in NEWS.map(|news| look_of_news(news, true)) {
            has(&format!("finding-{class}"), symbol);
        }
    }

    #[test]
    fn benchmarks_about_no_paper_have_a_glossary_that_speaks_of_none() {
        for has_both in [false, true] {
            let page = String::from_utf8(page(false, [has_both; 2], &[MetricId::Crps(Crps)]).bytes)
                .unwrap();
            let (_, body) = page.split_once("<main").unwrap();
            let (body, _) = body.split_once("</main>").unwrap();
            for word in ["paper", "printed", "prints", "verdict-"] {
                assert!(!body.to_lowercase().contains(word), "{word}: {body}");
            }
            for sign in ALL {
                assert!(body.contains(&format!("<dt id=\"mark-{}\">", sign.name)), "{}", sign.sign);
            }
            assert!(body.contains("<dt id=\"metric-crps\">"));
            assert_eq!(body.contains("<dt id=\"claim-holds\">"), has_both);
            assert_eq!(body.contains("<dt id=\"finding-good\">"), has_both);
        }
    }

    #[test]
    fn every_rule_is_one_of_the_rules_of_its_verdict() {
        let rules = include_str!("../../../../docs/understand/verdicts.md").replace('\\', "");
        for look in LOOKS.iter().filter(|look| !look.rule.is_empty()) {
            let of_verdict =
                |line: &&str| line.starts_with('|') && line.contains(&format!("`{}`", look.word));
            let line = rules.lines().find(of_verdict).unwrap();
            assert!(line.contains(look.rule), "{}: {line}", look.word);
        }
        let (_, rules) = rules.split_once(&format!("## {BESIDE}\n")).unwrap();
        assert_eq!(FIDELITIES.map(|(word, ..)| word), Fidelity::ALL);
        for (word, _, rule) in FIDELITIES {
            let line = rules
                .lines()
                .find(|line| line.starts_with(&format!("| `{}` |", word.as_str())))
                .unwrap();
            assert!(line.contains(rule), "{}: {line}", word.as_str());
        }
    }
}
