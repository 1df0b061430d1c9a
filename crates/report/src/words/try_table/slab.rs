//! Say where in feature space coverage is lowest.

use super::bounds::{Words, in_words, percent_of};
use crate::export::escape;
use uq_core::metrics::percent;
use uq_core::predictive::Bounds;
use uq_core::printable::printable;
use uq_core::stats::coverage::Kept;
use uq_core::stats::digits::number;
use uqbench_run::runner::try_table::{Slab, SlabPlace};

/// Longest name of a feature, in characters.
const SHOWN: usize = 40;

/// The title above it.
pub fn title(method: &str) -> String {
    format!("Where {method} covers worst")
}

/// What the search found, and what the other rows say of it.
pub fn found(slab: &Slab, bounds: Bounds) -> String {
    let level = percent(bounds.level);
    let judged = match slab.tested.against(bounds.level) {
        Kept::Near => format!("near {level}"),
        Kept::TooLow => "too few".into(),
        Kept::TooHigh => "more than stated".into(),
        Kept::Unclear => format!("too few rows to tell whether that is near {level}"),
    };
    format!(
        "A search over slabs of the features, each with a tenth of the rows or more, found the \
         lowest coverage on one half of the rows {}: {} of {} rows. Where coverage is the same \
         everywhere, such a search finds {} to {}. Of the other half, which has not chosen the slab, \
         the {} there cover {} of {} rows: {judged}.",
        place(&slab.place),
        percent_of(slab.searched.share()),
        slab.searched.rows,
        percent_of(slab.even.0),
        percent_of(slab.even.1),
        Words::of(bounds).plural,
        in_words(slab.tested),
        slab.tested.rows
    )
}

/// That the other rows confirm it, as a warning.
pub fn warning(slab: &Slab, bounds: Bounds) -> String {
    format!(
        "its {} cover only {} of {} rows {}, on rows that have not chosen this slab of the features",
        Words::of(bounds).plural,
        percent_of(slab.tested.share()),
        slab.tested.rows,
        place(&slab.place)
    )
}

/// Where a slab is.
pub fn place(place: &SlabPlace) -> String {
    let name = |name: &str| escape(&printable(name, SHOWN));
    let end = |end: f64| number(end, None);
    match place {
        SlabPlace::Feature { name: feature, low, high } if low == high => {
            format!("where {} is {}", name(feature), end(*low))
        }
        SlabPlace::Feature { name: feature, low, high } => {
            format!("where {} is from {} to {}", name(feature), end(*low), end(*high))
        }
        SlabPlace::Sum { weights, others, low, high } => {
            let term = |(place, (feature, weight)): (usize, &(String, f64))| {
                let sign = match (*weight < 0.0, place) {
                    (true, 0) => "−",
                    (false, 0) => "",
                    (true, _) => " − ",
                    (false, _) => " + ",
                };
                format!("{sign}{:.2} {}", weight.abs(), name(feature))
            };
            let terms: String = weights.iter().enumerate().map(term).collect();
            let others = if *others > 0 { " + …" } else { "" };
            format!(
                "where {terms}{others} (in standard deviations from the means) is from {low:.2} to \
                 {high:.2}"
            )
        }
    }
}
