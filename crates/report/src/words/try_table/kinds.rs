//! Name the table of kinds of rows, and say what its kinds are.

use uq_core::metrics::percent;
use uq_core::predictive::Bounds;
use uq_core::stats::coverage::rule;
use uqbench_data::own::RowGroup;

/// The title of the table.
pub fn title(method: &str) -> String {
    format!("Coverage of {method} by kind of row")
}

/// Its note, where so many further kinds are left out.
pub fn note(bounds: Bounds, hidden: usize) -> String {
    let level = percent(bounds.level);
    let more = match hidden {
        0 => String::new(),
        _ => format!(" {hidden} kinds nearer to {level} are left out."),
    };
    format!(
        "Each kind has at least {} rows, and each row counts once. {} Regions are made of the \
         features by median cuts, at most eight. Rows of equal means or widths stay together, so \
         that thirds may differ in size.{more}",
        RowGroup::FEWEST,
        rule(&level, "kinds")
    )
}
