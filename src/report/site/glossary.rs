//! Write the glossary: verdicts, the letters and marks of tables, and every metric with its formula and reference.

use maud::{Markup, html};

use super::anchors::{GLOSSARY, metric_anchor};
use super::layout::{Framed, INDEX};
use super::looks::LOOKS;
use super::summary::Part;
use crate::metrics::MetricId;
use crate::report::document::Document;

/// The page that has the rules.
const RULES: &str = "docs/verdicts.md of uqbench";

/// Where a mark has its rule.
const MARKED: &str = "Marks, and what else to look at";

/// Where letters are defined.
const LETTERS: &str = "How to read a verdict";

/// Letters and marks of the tables, with the section of the rules that defines them, and papers, if any.
const MARKS: [(&str, &str, &str, &str); 10] = [
    ("v", "The printed number.", LETTERS, ""),
    ("u", "One unit of its last printed digit.", LETTERS, ""),
    ("m", "Our mean over the repetitions.", LETTERS, ""),
    ("n", "Our number of repetitions.", LETTERS, ""),
    (
        "h",
        "Half width of the 95 % interval of the difference m − v, plus u/2: h = t(0.975, n − 1) √(s_p²/n_p + s²/n) + u/2, \
           where s is our standard deviation, and s_p and n_p are the printed one and the paper's number of repetitions, or \
           ours where the paper prints none.",
        LETTERS,
        "",
    ),
    (
        "δ",
        "Tolerance of the metric: 10 % of v for errors and widths (15 % for maximum fold losses), 0.10 nat for log \
           densities, 0.02 for coverages.",
        LETTERS,
        "",
    ),
    (
        "*",
        "The difference from the reference column is significant (paired, Holm-corrected at 5 %).",
        MARKED,
        "; Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 65–70",
    ),
    ("†", "A mean that leaves failed repetitions out.", MARKED, ""),
    ("‡", "The coverage of validation rows misses its level: the paper's “none”.", MARKED, ""),
    ("§", "A mean over fits of which some had not converged when their steps were used up.", MARKED, ""),
];

/// The glossary of these benchmarks.
pub fn glossary(parts: &[Part]) -> Document {
    let mut metrics: Vec<MetricId> = Vec::new();
    for metric in parts.iter().flat_map(|part| part.plan.benchmark.all_metrics()) {
        if !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    metrics.sort_by_key(ToString::to_string);
    let body = html! {
        h1 { "Glossary" }
        h2 #verdicts { "Verdicts on printed numbers" }
        dl { @for look in &LOOKS {
            dt id=(look.class) {
                span class={ "square v-" (look.class) } aria-hidden="true" { (look.symbol) } " " strong { (look.word) }
            }
            dd { (look.meaning) " " (reference(look.section, "")) }
        } }
        h2 #marks { "Letters and marks" }
        dl { @for (mark, meaning, section, papers) in MARKS {
            dt { strong { (mark) } }
            dd { (meaning) " " (reference(section, papers)) }
        } }
        h2 #metrics { "Metrics" }
        dl { @for metric in &metrics {
            dt id=(metric_anchor(metric)) { strong { (metric.label()) } " " code { (metric) } }
            @let unit = metric.unit("unit of the target");
            dd {
                (metric.properties().definition) " Better: " (metric.direction().to_string()) "."
                @if !unit.is_empty() { " Unit: " (unit) "." }
            }
        } }
    };
    Framed { name: GLOSSARY, title: "Glossary", above: &[(INDEX, "Report")], body }.document()
}

/// Where the rule is, and the papers behind it.
fn reference(section: &str, papers: &str) -> Markup {
    html! { span.note { "Reference: " (RULES) ", “" (section) "”" (papers) "." } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_is_a_heading_of_the_rules() {
        let rules = include_str!("../../../docs/verdicts.md");
        let sections = LOOKS.iter().map(|look| look.section).chain(MARKS.iter().map(|(_, _, section, _)| *section));
        for section in sections {
            let is_heading = |line: &str| line.trim_start_matches('#').trim() == section && line.starts_with('#');
            assert!(rules.lines().any(is_heading), "{section}");
        }
    }
}
