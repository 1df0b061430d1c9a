//! Name what the picture of held-out rows shows.

use super::bounds::{Words, stated};
use uq_core::predictive::Bounds;

/// Its title.
pub fn title(method: &str, bounds: Bounds) -> String {
    format!("{method}: {} at held-out rows", stated(bounds))
}

/// The axis of widths.
pub fn width(bounds: Bounds) -> String {
    Words::of(bounds).width_column.trim_start_matches('#').to_owned()
}
