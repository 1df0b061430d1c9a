//! List the printed numbers that are excluded, with reasons and with a check against the store, and
//! those that are not judged.

use std::fmt::Write;

use crate::export::escape;
use crate::grid::listed;
use crate::words::remarks;
use uqbench_judge::judgement::Verdict;
use uqbench_judge::report::ExcludedNumber;
use uqbench_run::benchmark::{Benchmark, Unjudged, label_text};

/// The excluded numbers of a page; `None` where there is none.
pub fn block(all: &[ExcludedNumber]) -> Option<String> {
    let mut text = String::new();
    for ExcludedNumber { dataset, column, metric, printed, exclusion, reason, reach } in all {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "- {}, {}, {}: {printed}, **{}**\n  - {}\n",
            escape(dataset),
            escape(column),
            escape(metric),
            Verdict::Excluded(*exclusion),
            escape(reason)
        );
        if let Some(reach) = reach {
            let _ = writeln!(text, "  - {}", escape(&remarks::reach(reach, printed)));
        }
    }
    (!text.is_empty()).then(|| format!("## Printed numbers that are excluded\n\n{text}"))
}

/// The printed numbers of a benchmark that its file leaves unjudged, each with the reason; `None`
/// where there is none.
pub fn unjudged(benchmark: &Benchmark) -> Option<String> {
    let heading_of_dataset = |name: &String| {
        let mut rows = benchmark.datasets.iter();
        let row = rows.find(|row| row.printed_name() == name);
        row.map_or_else(|| name.clone(), |row| row.heading.clone())
    };
    let heading_of_metric = |name: &String| {
        let mut rows = benchmark.metrics.iter();
        let row = rows.find(|row| row.published.as_ref() == Some(name));
        row.map_or_else(|| name.clone(), |row| row.heading.clone())
    };
    let one = |Unjudged { datasets, metrics, labels, reason }: &Unjudged| {
        let datasets: Vec<String> = datasets.iter().map(heading_of_dataset).collect();
        let metrics: Vec<String> = metrics.iter().map(heading_of_metric).collect();
        let column = if labels.is_empty() { String::new() } else { label_text(labels) };
        let names = [listed(&datasets), column, listed(&metrics)];
        let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
        let names = if names.is_empty() { "All numbers".into() } else { names.join("; ") };
        format!("- {}: {}.\n", escape(&names), escape(reason))
    };
    let text: String = benchmark.unjudged.iter().map(one).collect();
    (!text.is_empty()).then(|| format!("## Printed numbers that are not judged\n\n{text}"))
}
