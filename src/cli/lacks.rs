//! Tell what pages could not show.

use std::collections::BTreeSet;

use super::Ending;
use uqbench_report::document::Document;
use uqbench_system::notice::say;

/// Says on standard error what pages could not show, and returns code 3 if there was anything.
pub fn with_lacks<'d>(ending: Ending, documents: impl IntoIterator<Item = &'d Document>) -> Ending {
    // A page in several formats lacks the same in each.
    let lacks: BTreeSet<&String> = documents.into_iter().flat_map(Document::not_shown).collect();
    for what in &lacks {
        say(format!("warning: not shown: {what}; all else is written"));
    }
    if !lacks.is_empty() && ending == Ending::Done { Ending::Incomplete } else { ending }
}
