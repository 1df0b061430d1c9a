//! Write the glossary: verdicts, the letters and marks of tables, and every metric with its formula and reference.

use maud::html;

use super::anchors::{GLOSSARY, metric_anchor};
use super::layout::{Framed, INDEX};
use super::looks::LOOKS;
use super::summary::Part;
use crate::metrics::MetricId;
use crate::report::document::Document;

/// Letters and marks of the tables.
const MARKS: [(&str, &str); 10] = [
    ("v", "The printed number."),
    ("u", "One unit of its last printed digit."),
    ("m", "Our mean over the repetitions."),
    ("n", "Our number of repetitions."),
    (
        "h",
        "Half width of the 95 % interval of the difference m − v, plus u/2: h = t(0.975, n − 1) √(s_p²/n_p + s²/n) + u/2, \
           where s is our standard deviation, and s_p and n_p are the printed one and the paper's number of repetitions, or \
           ours where the paper prints none.",
    ),
    (
        "δ",
        "Tolerance of the metric: 10 % of v for errors and widths (15 % for maximum fold losses), 0.10 nat for log \
           densities, 0.02 for coverages.",
    ),
    ("*", "The difference from the reference column is significant (paired, Holm-corrected at 5 %)."),
    ("†", "A mean that leaves failed repetitions out."),
    ("‡", "The coverage of validation rows misses its level: the paper's “none”."),
    ("§", "A mean over fits of which some had not converged when their steps were used up."),
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
            dd { (look.meaning) }
        } }
        h2 #marks { "Letters and marks" }
        dl { @for (mark, meaning) in MARKS { dt { strong { (mark) } } dd { (meaning) } } }
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
