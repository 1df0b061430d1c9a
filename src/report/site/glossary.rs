//! Write the glossary: verdicts, the letters and marks of tables, and every metric with its formula and reference.

use maud::{Markup, html};

use super::anchors::{GLOSSARY, mark_anchor, metric_anchor};
use super::blocks::judged;
use super::layout::{Framed, INDEX};
use super::looks::{LOOKS, NUMBERS};
use super::summary::Part;
use crate::judgement::claims::Judged;
use crate::judgement::fidelity::Fidelity;
use crate::metrics::MetricId;
use crate::report::document::Document;
use crate::report::remarks::WEAK;
use crate::report::section::slug;

/// The page that has the rules.
const RULES: &str = "docs/verdicts.md of uqbench";

/// Where a mark has its rule.
const MARKED: &str = "Marks, and what else to look at";

/// Where a printed baseline is called weak.
const WEAKNESS: &str = "Weak baselines, spreads of unsaid kind";

/// Where letters are defined.
const LETTERS: &str = "How to read a verdict";

/// Where claims have their rule.
const CLAIMED: &str = "Claims";

/// How a claim of a paper is judged.
const JUDGEMENTS: [(Judged, &str); 3] = [
    (Judged::Holds, "The comparisons of the claim come out as it says, and the intervals exclude that they do not."),
    (Judged::Fails, "They come out otherwise, and the intervals exclude what the claim says."),
    (Judged::Undecided, "The intervals exclude neither, or too few repetitions have run."),
];

/// Where baselines are judged by the papers that introduced them.
const BESIDE: &str = "Baselines beside their own papers";

/// How a baseline is judged by the paper that introduced it: its meaning, and its rule where this says more.
const FIDELITIES: [(Fidelity, &str, &str); 6] = [
    (Fidelity::Faithful, "Ours is as good as in its paper, within the margin.", "g − h ≥ −m and g + h ≤ m"),
    (Fidelity::Weak, "Ours is worse than in its paper.", "g + h < −m"),
    (Fidelity::SuspiciouslyGood, "Ours is better than in its paper.", "g − h > m"),
    (Fidelity::Differs, "Ours is farther from its paper than the margin, and the metric ranks nothing here.", ""),
    (Fidelity::Inconclusive, "An end of the margin lies in the interval.", ""),
    (Fidelity::Preview, "Not the full profile, or fewer repetitions than ten and than the paper's.", ""),
];

/// Letters and marks of the tables, with the section of the rules that defines them, and papers, if any.
const MARKS: [(&str, &str, &str, &str); 12] = [
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
    ("–", "No number: no trial has a score, or the metric is not defined for it.", NUMBERS, ""),
    ("§", "A mean over fits of which some had not converged when their steps were used up.", MARKED, ""),
    (WEAK, "Our number is better than the printed one, and our loss is lower by more than δ + u/2.", WEAKNESS, ""),
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
            dd {
                (look.meaning) " "
                @if !look.rule.is_empty() { "Rule: " code { (look.rule) } ". " }
                (reference(look.section, ""))
            }
        } }
        h2 #judgements { "Judgements of claims" }
        p { "A claim is a sentence of a paper. It is judged on our runs, and on the numbers that the paper prints." }
        dl { @for (one, meaning) in JUDGEMENTS {
            dt id={ "claim-" (one.as_str()) } { (judged(one)) }
            dd { (meaning) " " (reference(CLAIMED, "")) }
        } }
        h2 #own-papers { (BESIDE) }
        p {
            "Here g is the printed loss less ours, h the half width of its interval, with half a printed digit, and m the margin: the \
             larger of δ and one printed digit."
        }
        dl { @for (word, meaning, rule) in FIDELITIES {
            dt id={ "own-" (slug(word.as_str())) } { strong { (word.as_str()) } }
            dd {
                (meaning) " "
                @if !rule.is_empty() { "Rule: " code { (rule) } ". " }
                (reference(BESIDE, ""))
            }
        } }
        h2 #marks { "Letters and marks" }
        dl { @for (mark, meaning, section, papers) in MARKS {
            dt id=[mark_anchor(mark)] { strong { (mark) } }
            dd { (meaning) " " (reference(section, papers)) }
        } }
        h2 #metrics { "Metrics" }
        dl { @for metric in &metrics {
            dt id=(metric_anchor(metric)) { strong { (metric.label()) } " " code { (metric) } }
            @let unit = metric.unit("unit of the target");
            dd {
                @let definition = metric.properties().definition;
                (definition)
                @if !names_a_publication(definition) { " Reference: none; this sentence is its definition." }
                " Better: " (metric.direction().to_string()) "."
                @if !unit.is_empty() { " Unit: " (unit) "." }
            }
        } }
    };
    Framed { name: GLOSSARY, title: "Glossary", above: &[(INDEX, "Report")], body }.document()
}

/// Whether a definition names a publication, by its year in brackets.
fn names_a_publication(definition: &str) -> bool {
    definition.split('(').skip(1).any(|rest| {
        let year = rest.get(..4).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
        year.is_some() && rest[4..].starts_with([')', ',', 'a', 'b'])
    })
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
        let of_marks = MARKS.iter().map(|(_, _, section, _)| *section);
        let sections = LOOKS.iter().map(|look| look.section).chain(of_marks).chain([CLAIMED, BESIDE]);
        for section in sections {
            let is_heading = |line: &str| line.trim_start_matches('#').trim() == section && line.starts_with('#');
            assert!(rules.lines().any(is_heading), "{section}");
        }
    }

    #[test]
    fn every_rule_is_one_of_the_rules_of_its_verdict() {
        let rules = include_str!("../../../docs/verdicts.md").replace('\\', "");
        for look in LOOKS.iter().filter(|look| !look.rule.is_empty()) {
            let of_verdict = |line: &&str| line.starts_with('|') && line.contains(&format!("`{}`", look.word));
            let line = rules.lines().find(of_verdict).unwrap();
            assert!(line.contains(look.rule), "{}: {line}", look.word);
        }
        let (_, rules) = rules.split_once(&format!("## {BESIDE}\n")).unwrap();
        assert_eq!(FIDELITIES.map(|(word, ..)| word), Fidelity::ALL);
        for (word, _, rule) in FIDELITIES {
            let line = rules.lines().find(|line| line.starts_with(&format!("| `{}` |", word.as_str()))).unwrap();
            assert!(line.contains(rule), "{}: {line}", word.as_str());
        }
    }

    #[test]
    fn a_publication_has_its_year_in_brackets() {
        assert!(names_a_publication("mean |y - m|. Willmott (2005), Advantages"));
        assert!(!names_a_publication("mean (y - m)^2 over (1 row), 2^20 (MiB)"));
    }
}
