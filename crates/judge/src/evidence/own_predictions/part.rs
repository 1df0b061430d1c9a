//! Rows that belong together, and outcomes that are one.

use std::collections::HashMap;

use uqbench_data::own::grid_step;

/// Outcomes of one row that differ by no more than this share are equal: files may be rounded
/// differently.
const SAME_OUTCOME: f64 = 1e-9;

/// Rows that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The label; empty for all rows of a file without such labels.
    pub name: String,
    /// Its rows, ascending.
    pub rows: Vec<usize>,
}

/// Rows by label, in the order of the labels' first rows.
pub(super) fn parts(labels: impl Iterator<Item = String>) -> Vec<Part> {
    let (mut parts, mut known): (Vec<Part>, HashMap<String, usize>) = (Vec::new(), HashMap::new());
    for (row, name) in labels.enumerate() {
        let next = parts.len();
        let part = *known.entry(name.clone()).or_insert(next);
        if part == next {
            parts.push(Part { name, rows: Vec::new() });
        }
        parts[part].rows.push(row);
    }
    parts
}

/// Whether two outcomes of a row are one, in files that may be rounded differently, one of them to
/// 32 bits.
pub(in crate::evidence) fn is_same_outcome(a: f64, b: f64) -> bool {
    is_equal_outcome(a, b) || a as f32 == b as f32
}

/// The same where both have all their digits.
pub(super) fn is_equal_outcome(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME_OUTCOME * a.abs().max(b.abs())
}

/// Number of values that outcomes on a grid of rounded values can have, between the smallest and
/// the largest; `None` without a grid.
pub(super) fn cells(y: &[f64]) -> Option<f64> {
    let step = grid_step(y)?;
    let (low, high) = y
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(*y), high.max(*y)));
    Some((high - low) / step + 1.0)
}
