//! Sort the columns of a table once, so that every tree on any of its row subsets starts from
//! sorted columns.
//!
//! Each sorted entry packs a *rank* and a *row* into one word. Equal values share a rank, so a tree
//! recognises ties by the ranks alone and reads a column strictly forwards; within a tie rows
//! ascend. That order depends on values and positions only, so columns filtered from a larger table
//! equal columns sorted anew, word for word.

use ndarray::ArrayView2;

use crate::FitError;
use crate::engine::rows::finite_features;
use uq_core::math::ordered_bits::ordered_bits;

/// Bits of a digit of the radix sort: 2048 counters stay in the first-level cache.
const DIGIT_BITS: u32 = 11;

/// Rank (high 32 bits) and row (low 32 bits) of one value in its sorted column.
pub(super) type Entry = u64;

/// The rank of an entry among the distinct values of its column.
pub(super) fn rank(entry: Entry) -> u64 {
    entry >> 32
}

/// The row of an entry.
pub(super) fn row(entry: Entry) -> usize {
    (entry & u64::from(u32::MAX)) as usize
}

/// The columns of an n × d table, sorted.
#[derive(Clone, Debug, PartialEq)]
pub struct Presort {
    rows: usize,
    columns: usize,
    /// Values, column by column, d × n.
    pub(super) values: Vec<f64>,
    /// Entries of each column in ascending order, d × n.
    pub(super) entries: Vec<Entry>,
}

impl Presort {
    /// Sorts every column of `features` (n × d).
    ///
    /// # Errors
    /// [`FitError::Unsupported`] when a feature is not finite, or there are more rows than 32 bits
    /// count.
    pub fn new(features: ArrayView2<f64>) -> Result<Self, FitError> {
        let (rows, columns) = features.dim();
        if u32::try_from(rows).is_err() {
            return Err(FitError::Unsupported(format!(
                "a tree takes fewer than 2^32 rows, found {rows}"
            )));
        }
        finite_features("tree", "training row", features)?;
        let mut values = Vec::with_capacity(rows * columns);
        let mut entries = Vec::with_capacity(rows * columns);
        let mut sorter = RadixSorter::default();
        for column in features.columns() {
            values.extend(column);
            sorter.append_sorted(column.iter().copied(), &mut entries);
        }
        Ok(Self { rows, columns, values, entries })
    }

    /// Number of rows, n.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns, d.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The sorted columns of the table of the given rows in the given order, rows possibly
    /// repeated.
    ///
    /// Ranks are kept from the larger table: a tree compares them, and never counts them.
    ///
    /// # Panics
    /// If an index is not below [`Presort::rows`].
    #[must_use]
    pub fn subset(&self, rows: &[usize]) -> Self {
        let mut values = Vec::with_capacity(rows.len() * self.columns);
        let mut entries = Vec::with_capacity(rows.len() * self.columns);
        let mut ranks = vec![0_u64; self.rows];
        let mut ends = vec![0_usize; self.rows + 1];
        for j in 0..self.columns {
            let span = j * self.rows..(j + 1) * self.rows;
            let column = &self.values[span.clone()];
            values.extend(rows.iter().map(|&i| column[i]));
            for &entry in &self.entries[span] {
                ranks[row(entry)] = rank(entry);
            }
            // Counting sort by rank is stable, so ties stay in the order of `rows`.
            ends.fill(0);
            for &i in rows {
                ends[ranks[i] as usize + 1] += 1;
            }
            let mut total = 0;
            for end in &mut ends {
                total += *end;
                *end = total;
            }
            let start = entries.len();
            entries.resize(start + rows.len(), 0);
            for (position, &i) in rows.iter().enumerate() {
                let slot = &mut ends[ranks[i] as usize];
                entries[start + *slot] = ranks[i] << 32 | position as u64;
                *slot += 1;
            }
        }
        Self { rows: rows.len(), columns: self.columns, values, entries }
    }

    /// The entries of the rows that are kept, column by column; rows keep their numbers.
    pub(super) fn entries_of(&self, kept: impl Fn(usize) -> bool) -> Vec<Entry> {
        let mut entries = vec![0; self.entries.len()];
        let mut count = 0;
        for &entry in &self.entries {
            // Always written, counted only if kept, which avoids a branch.
            entries[count] = entry;
            count += usize::from(kept(row(entry)));
        }
        entries.truncate(count);
        entries
    }
}

/// Sorts (key, row) pairs by least significant digit; keeps its buffers between columns.
#[derive(Default)]
struct RadixSorter {
    pairs: Vec<(u64, u32)>,
    scratch: Vec<(u64, u32)>,
    counts: Vec<usize>,
}

impl RadixSorter {
    /// Appends the entries of one column in ascending order.
    fn append_sorted(&mut self, column: impl Iterator<Item = f64>, entries: &mut Vec<Entry>) {
        self.pairs.clear();
        self.pairs.extend(column.zip(0_u32..).map(|(x, i)| (ordered_bits(x), i)));
        // Digits in which all keys agree need no pass.
        let (all, any) =
            self.pairs.iter().fold((u64::MAX, 0), |(all, any), &(key, _)| (all & key, any | key));
        let differing = all ^ any;
        self.scratch.clear();
        self.scratch.resize(self.pairs.len(), (0, 0));
        let mask = (1_u64 << DIGIT_BITS) - 1;
        for shift in (0..u64::BITS)
            .step_by(DIGIT_BITS as usize)
            .filter(|&shift| differing >> shift & mask != 0)
        {
            self.counts.clear();
            self.counts.resize(1 << DIGIT_BITS, 0);
            for &(key, _) in &self.pairs {
                self.counts[(key >> shift & mask) as usize] += 1;
            }
            let mut start = 0;
            for count in &mut self.counts {
                start += std::mem::replace(count, start);
            }
            for &pair in &self.pairs {
                let slot = &mut self.counts[(pair.0 >> shift & mask) as usize];
                self.scratch[*slot] = pair;
                *slot += 1;
            }
            std::mem::swap(&mut self.pairs, &mut self.scratch);
        }
        let mut rank = 0_u64;
        let mut previous = self.pairs.first().map(|&(key, _)| key);
        entries.extend(self.pairs.iter().map(|&(key, row)| {
            if previous != Some(key) {
                rank += 1;
                previous = Some(key);
            }
            rank << 32 | u64::from(row)
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::{Presort, rank, row};
    use crate::FitError;
    use ndarray::{Array2, Axis, array};
    use proptest::prelude::{any, prop, prop_assert_eq, proptest};

    /// Rows of a column in ascending order of value, then of row.
    fn rows_of(presort: &Presort, column: usize) -> Vec<usize> {
        let n = presort.rows();
        presort.entries[column * n..(column + 1) * n].iter().map(|&e| row(e)).collect()
    }

    /// Whether each value of a sorted column equals the one before.
    fn ties_of(presort: &Presort, column: usize) -> Vec<bool> {
        let n = presort.rows();
        presort.entries[column * n..(column + 1) * n]
            .windows(2)
            .map(|pair| rank(pair[0]) == rank(pair[1]))
            .collect()
    }

    proptest! {
        #[test]
        fn columns_are_sorted_stably(
            column in prop::collection::vec(any::<f64>().prop_filter_finite(), 0..300),
        ) {
            let features = Array2::from_shape_vec((column.len(), 1), column.clone()).unwrap();
            let presort = Presort::new(features.view()).unwrap();
            let mut expected: Vec<usize> = (0..column.len()).collect();
            expected.sort_by(|&a, &b| column[a].partial_cmp(&column[b]).unwrap());
            prop_assert_eq!(rows_of(&presort, 0), expected);
            for pair in presort.entries.windows(2) {
                prop_assert_eq!(
                    rank(pair[0]) == rank(pair[1]),
                    column[row(pair[0])] == column[row(pair[1])]
                );
            }
        }

        #[test]
        fn a_subset_is_ordered_as_if_sorted_anew(
            column in prop::collection::vec(-3_i32..4, 1..60),
            picks in prop::collection::vec(any::<prop::sample::Index>(), 0..90),
        ) {
            let features = Array2::from_shape_fn((column.len(), 2), |(i, j)| {
                f64::from(column[i] * (1 - 2 * j as i32))
            });
            let rows: Vec<usize> = picks.iter().map(|p| p.index(column.len())).collect();
            let filtered = Presort::new(features.view()).unwrap().subset(&rows);
            let anew = Presort::new(features.select(Axis(0), &rows).view()).unwrap();
            prop_assert_eq!(&filtered.values, &anew.values);
            for j in 0..2 {
                prop_assert_eq!(rows_of(&filtered, j), rows_of(&anew, j));
                prop_assert_eq!(ties_of(&filtered, j), ties_of(&anew, j));
            }
        }
    }

    /// Finite numbers only.
    trait PropFilterFinite: Sized {
        fn prop_filter_finite(self) -> proptest::strategy::Filter<Self, fn(&f64) -> bool>;
    }
    impl<S: proptest::strategy::Strategy<Value = f64>> PropFilterFinite for S {
        fn prop_filter_finite(self) -> proptest::strategy::Filter<Self, fn(&f64) -> bool> {
            self.prop_filter("finite", |x| x.is_finite())
        }
    }

    #[test]
    fn signed_zeros_are_one_value() {
        let presort = Presort::new(array![[0.0], [-0.0], [-1e-300], [0.0]].view()).unwrap();
        assert_eq!(rows_of(&presort, 0), [2, 0, 1, 3]);
        assert_eq!(rank(presort.entries[1]), rank(presort.entries[3]));
    }

    #[test]
    fn a_number_that_is_not_finite_is_named() {
        let error = Presort::new(array![[1.0, 2.0], [3.0, f64::NAN]].view()).unwrap_err();
        assert!(
            matches!(&error, FitError::Unsupported(m) if m.contains("NaN in training row 1, \
                                                                     feature 1")),
            "{error}"
        );
    }
}
