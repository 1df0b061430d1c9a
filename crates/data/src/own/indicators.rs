//! Give the columns that miss values a feature that says where: one for each set of rows, so that
//! no two are equal.

use std::collections::HashMap;

use super::cells::Cells;
use super::column::Column;
use super::error::SHOWN;
use super::finding::Finding;
use uq_core::names::counted;
use uq_core::printable::printable;

/// What fits make of missing numbers.
const FITS: &str = "boosted trees take it as missing, and every other fit, that of a stack among \
                    them, fills in the median of its training rows";

/// The sets of rows that columns miss, each with the name of the feature that says so.
#[derive(Debug, Default)]
pub(super) struct Indicators(HashMap<Vec<usize>, String>);

impl Indicators {
    /// Finds the rows that a column misses. The first column that misses these rows gets the
    /// feature.
    pub fn add(
        &mut self,
        cells: &Cells,
        place: usize,
        column: &mut Column,
        findings: &mut Vec<Finding>,
    ) {
        let rows: Vec<usize> =
            (0..cells.rows()).filter(|row| column.misses(cells.text(*row, place))).collect();
        if rows.is_empty() {
            return;
        }
        let name = printable(&column.name, SHOWN);
        let missing = format!("the column \"{name}\" is missing in {}", counted(rows.len(), "row"));
        let known = self.0.get(&rows).map(|feature| printable(feature, SHOWN));
        findings.push(Finding::note(match (column.is_category(), &known) {
            (true, None) => format!("{missing}: that is one more level"),
            (true, Some(feature)) => format!("{missing}: the feature \"{feature}\" says where"),
            (false, None) => {
                format!("{missing}: one more feature says where; {FITS}")
            }
            (false, Some(feature)) => {
                format!("{missing}: the feature \"{feature}\" says where; {FITS}")
            }
        }));
        if let Some(feature) = column.tell_missing(known.is_none()) {
            self.0.insert(rows, feature);
        }
    }
}
