//! List the printed numbers that are excluded, with reasons and with a check against the store.

use std::fmt::Write;

use super::export::escape;
use super::remarks;
use uqbench_judge::evidence::Evidence;
use uqbench_judge::evidence::reach::{Place, place};
use uqbench_judge::judgement::Verdict;
use uqbench_run::benchmark::label_text;

/// The excluded numbers of a page; `None` where there is none.
pub fn block(evidence: &Evidence) -> Option<String> {
    let benchmark = &evidence.results.plan.benchmark;
    let mut text = String::new();
    for (excluded, reach) in benchmark.excluded.iter().zip(&evidence.reaches) {
        let Some(Place { dataset, metric, cell }) = place(benchmark, &evidence.published, excluded) else { continue };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "- {}, {}, {}: {}, **{}**\n  - {}\n",
            escape(&dataset.heading),
            escape(&label_text(&excluded.labels)),
            escape(&metric.heading),
            cell.value,
            Verdict::Excluded(excluded.verdict),
            escape(&excluded.reason)
        );
        if let Some(reach) = reach {
            let _ = writeln!(text, "  - {}", escape(&remarks::reach(reach, &cell.value)));
        }
    }
    (!text.is_empty()).then(|| format!("## Printed numbers that are excluded\n\n{text}"))
}
