//! List the printed numbers that are excluded, with reasons and with a check against the store.

use std::fmt::Write;

use crate::export::escape;
use crate::words::remarks;
use uqbench_judge::judgement::Verdict;
use uqbench_judge::report::ExcludedNumber;

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
