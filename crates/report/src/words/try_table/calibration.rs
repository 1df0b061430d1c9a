//! Say what the calibration of one method shows.

use super::bounds::percent_of;
use crate::try_table::reason::{Fault, Half};
use uq_core::stats::coverage::Kept;

/// The heading above the figure of one method.
pub fn title(method: &str) -> String {
    format!("Calibration of {method}")
}

/// What its figure shows.
pub fn shown(Fault { above, inside }: &Fault) -> String {
    let share = |half: &Half| percent_of(half.coverage.share());
    let place = match above.judged.kept {
        Kept::TooHigh => Some("Predicts too low"),
        Kept::TooLow => Some("Predicts too high"),
        Kept::Near | Kept::Unclear => None,
    };
    let place =
        place.map(|fault| format!("{fault}: {} of outcomes lie above the median.", share(above)));
    let width = match inside.judged.kept {
        Kept::TooLow => Some("too narrow"),
        Kept::TooHigh => Some("too wide"),
        Kept::Near | Kept::Unclear => None,
    };
    let width = width.map(|fault| {
        format!(
            "Its distributions are {fault}: {} of outcomes lie in the central half.",
            share(inside)
        )
    });
    let faults: Vec<String> = place.into_iter().chain(width).collect();
    if !faults.is_empty() {
        return faults.join(" ");
    }
    let few = match (above.judged.kept, inside.judged.kept) {
        (Kept::Near, Kept::Near) => "",
        _ => " These rows are too few to see a small fault.",
    };
    format!(
        "No fault is seen: {} of outcomes lie above the median, and {} in the central half of their \
         distributions.{few}",
        share(above),
        share(inside)
    )
}
