//! Recognise a file that has each row several times, as one that a script appended to when it was
//! run again.
//!
//! Outcomes and forecasts of few values have equal rows by nature: then some are there once, some
//! twice, some more often. Copies of a file have each row as often as any other, or, where it grew
//! between the runs, once or a fixed number of times.

use std::collections::{HashMap, HashSet};

use super::part::cells;

/// Fewest distinct rows of which all are there a multiple of the same number of times: of equal
/// rows by chance each is so with probability one half or less.
const FEWEST: usize = 10;

/// Fewest distinct rows, where no outcome is that of two of them.
const FEWEST_OF_DISTINCT_OUTCOMES: usize = 5;

/// Fewest distinct rows that are there several times, where others are there once.
const FEWEST_AMONG_OTHERS: usize = 20;

/// Rows that are there several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies {
    /// How often: each of the rows, or each of those that are there more than once.
    pub times: usize,
    /// Number of distinct rows.
    pub distinct: usize,
    /// Number of distinct rows that are there more than once.
    pub repeated: usize,
    /// The number of each row among the distinct ones, n.
    pub identities: Vec<usize>,
}

/// The copies among n rows, given all that is stated of each; the outcome comes first. `None` where
/// rows are equal by nature, or not at all.
pub(super) fn copies(rows: &[Vec<u64>]) -> Option<Copies> {
    let mut known: HashMap<&[u64], usize> = HashMap::with_capacity(rows.len());
    let mut counts: Vec<usize> = Vec::new();
    let mut identities = Vec::with_capacity(rows.len());
    for row in rows {
        let next = counts.len();
        let identity = *known.entry(row).or_insert(next);
        if identity == next {
            counts.push(0);
        }
        counts[identity] += 1;
        identities.push(identity);
    }
    let outcomes: HashSet<Option<&u64>> = known.keys().map(|row| row.first()).collect();
    if counts.iter().all(|count| *count == counts[0]) && fill_their_room(known.keys().copied()) {
        return None;
    }
    let (distinct, repeated) = (counts.len(), counts.iter().filter(|count| **count > 1).count());
    let divisor = counts.iter().copied().fold(0, greatest_common_divisor);
    let is_enough = distinct >= FEWEST
        || (distinct >= FEWEST_OF_DISTINCT_OUTCOMES
            && outcomes.len() == distinct
            && counts.iter().all(|c| *c == divisor));
    let times = if divisor > 1 && is_enough {
        divisor
    } else {
        let several = counts.iter().copied().filter(|count| *count > 1);
        let (least, most) = (several.clone().min()?, several.max()?);
        (least == most && repeated >= FEWEST_AMONG_OTHERS && 2 * repeated >= distinct)
            .then_some(least)?
    };
    Some(Copies { times, distinct, repeated, identities })
}

/// Whether distinct rows are at least half of all that there can be: each outcome on a coarse grid
/// beside each forecast. A balanced design has all of them equally often without a copy.
fn fill_their_room<'a>(distinct: impl Iterator<Item = &'a [u64]> + Clone) -> bool {
    let forecasts: HashSet<&[u64]> =
        distinct.clone().map(|row| row.get(1..).unwrap_or_default()).collect();
    let outcomes: Vec<f64> =
        distinct.clone().filter_map(|row| row.first().copied().map(f64::from_bits)).collect();
    let room = cells(&outcomes).map(|cells| cells * forecasts.len() as f64);
    room.is_some_and(|room| 2.0 * distinct.count() as f64 >= room)
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: impl IntoIterator<Item = u64>) -> Option<(usize, usize, usize)> {
        let rows: Vec<Vec<u64>> = rows.into_iter().map(|row| vec![row, row + 1]).collect();
        copies(&rows).map(|copies| (copies.times, copies.distinct, copies.repeated))
    }

    #[test]
    fn copies_are_found_as_blocks_interleaved_and_beside_rows_that_came_later() {
        assert_eq!(found((0..60).chain(0..60)), Some((2, 60, 60)));
        assert_eq!(found((0..180).map(|i| i / 3)), Some((3, 60, 60)));
        assert_eq!(
            found((0..5).chain(0..5)),
            Some((2, 5, 5)),
            "few rows with outcomes of their own"
        );
        assert_eq!(found((0..60).chain(0..60).chain(60..90)), Some((2, 90, 60)));
        let copies = copies(&[5, 6, 5, 6, 7, 7, 8, 8, 9, 9].map(|row| vec![row])).unwrap();
        assert_eq!(copies.identities, [0, 1, 0, 1, 2, 2, 3, 3, 4, 4]);
    }

    #[test]
    fn rows_that_are_equal_by_nature_are_no_copies() {
        assert_eq!(found(0..60), None);
        assert_eq!(found([1, 1, 2, 2]), None, "two values");
        // Counts of a few values, 15 once to four times.
        assert_eq!(found((0..100_u64).map(|i| i * i % 7)), None);
        assert_eq!(found((0..61_u64).map(|i| i * i % 30)), None);
        assert_eq!(found((0..40).chain([3; 20])), None, "one row many times");
        // Ten counts, each eight times, beside one forecast, and beside two of them: a balanced
        // design.
        let balanced = |outcomes: u64, forecasts: u64| {
            let row =
                |i: u64| vec![((i * 7 % outcomes) as f64).to_bits(), i / outcomes % forecasts];
            copies(&(0..8 * outcomes).map(row).collect::<Vec<_>>())
        };
        assert_eq!((balanced(10, 1), balanced(12, 2)), (None, None));
        // The same outcomes with a forecast for each row: nothing but a copy explains them.
        let appended = |i: u64| vec![((i % 10) as f64).to_bits(), i % 40];
        assert_eq!(
            copies(&(0..80).map(appended).collect::<Vec<_>>()).map(|copies| copies.distinct),
            Some(40)
        );
    }
}
