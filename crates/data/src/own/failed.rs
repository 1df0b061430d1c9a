//! Name the failed formulas of a spreadsheet, and dashes that are no minus, which are taken as
//! missing.

use std::collections::BTreeMap;

use super::cells::Cells;
use super::error::SHOWN;
use super::finding::Finding;
use super::missing::is_failure;
use uq_core::names::counted;
use uq_core::printable::printable;

/// A warning on each of these columns that has failed formulas or dashes, which names them.
pub(super) fn failures(cells: &Cells, places: &[usize]) -> Vec<Finding> {
    places.iter().filter_map(|place| failures_of(cells, *place)).collect()
}

fn failures_of(cells: &Cells, place: usize) -> Option<Finding> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    cells
        .texts(place)
        .filter(|text| is_failure(text))
        .for_each(|text| *counts.entry(text).or_default() += 1);
    let each: Vec<String> = counts
        .iter()
        .map(|(text, count)| format!("\"{text}\" in {}", counted(*count, "row")))
        .collect();
    (!each.is_empty()).then(|| {
        Finding::warning(format!(
            "the column \"{}\" has {}: taken as missing",
            printable(&cells.names[place], SHOWN),
            printable(&each.join(", "), 200)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_formulas_are_named_with_their_number() {
        let cells =
            Cells::parse("f", "a,b\n#DIV/0!,1\n#REF!,2\n#DIV/0!,-\n5,3\n".as_bytes()).unwrap();
        let told: Vec<String> = failures(&cells, &[0, 1]).iter().map(ToString::to_string).collect();
        let expected = "warning: the column \"a\" has \"#DIV/0!\" in 2 rows, \"#REF!\" in 1 row: \
                        taken as missing";
        assert_eq!(told, [expected]);
    }
}
