//! Divide the values of each feature into few bins, so that a tree looks at bins instead of rows.

use ndarray::{ArrayView1, ArrayView2};

/// The bin of missing values (NaN).
pub(super) const MISSING: u8 = 0;

/// Most bins of a feature besides that of missing values.
const MOST: usize = 255;

/// The binned features of an n × d table. A feature without missing values has bins from 1 on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bins {
    rows: usize,
    /// Bins, column by column, d × n.
    codes: Vec<u8>,
    /// For each feature the largest value of each bin but the last: midpoints between neighbouring
    /// values.
    edges: Vec<Vec<f64>>,
}

impl Bins {
    /// Bins every column of `features` (n × d).
    pub(super) fn new(features: ArrayView2<f64>) -> Self {
        let mut codes = Vec::with_capacity(features.len());
        let mut edges = Vec::with_capacity(features.ncols());
        for column in features.columns() {
            let own = edges_of(column);
            codes.extend(column.iter().map(|&x| code(&own, x)));
            edges.push(own);
        }
        Self { rows: features.nrows(), codes, edges }
    }

    /// Number of features, d.
    pub(super) fn columns(&self) -> usize {
        self.edges.len()
    }

    /// The bin of each row, n.
    pub(super) fn column(&self, feature: usize) -> &[u8] {
        &self.codes[feature * self.rows..(feature + 1) * self.rows]
    }

    /// Number of bins of a feature, that of missing values included.
    pub(super) fn count(&self, feature: usize) -> usize {
        self.edges[feature].len() + 2
    }

    /// The largest value that belongs to a bin or to those below it; infinite for the last bin.
    pub(super) fn threshold(&self, feature: usize, bin: u8) -> f64 {
        self.edges[feature].get(usize::from(bin).wrapping_sub(1)).copied().unwrap_or(f64::INFINITY)
    }
}

/// The bin of a value.
fn code(edges: &[f64], x: f64) -> u8 {
    if x.is_nan() { MISSING } else { 1 + edges.partition_point(|edge| *edge < x) as u8 }
}

/// Ends of bins with about as many rows each; equal values share a bin.
fn edges_of(column: ArrayView1<f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = column.iter().copied().filter(|x| !x.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let distinct: Vec<&[f64]> = sorted.chunk_by(|a, b| a == b).collect();
    let mut edges = Vec::new();
    let (mut held, mut left) = (0, sorted.len());
    for (i, pair) in distinct.windows(2).enumerate() {
        held += pair[0].len();
        let free = MOST - edges.len();
        // A bin ends when it has its share of the rows that are left, or when every further value
        // can have its own.
        if held * free >= left || distinct.len() - i <= free {
            edges.push(middle(pair[0][0], pair[1][0]));
            left -= held;
            held = 0;
        }
        if edges.len() == MOST - 1 {
            break;
        }
    }
    edges
}

/// The midpoint or, where rounding puts it on the upper value, the lower one.
fn middle(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    if low <= middle && middle < high { middle } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};
    use proptest::prelude::{prop, prop_assert, prop_assert_eq, proptest};

    #[test]
    fn few_values_have_a_bin_each_and_missing_ones_their_own() {
        let bins = Bins::new(array![[3.0], [1.0], [f64::NAN], [1.0], [2.0]].view());
        assert_eq!(bins.column(0), [3, 1, MISSING, 1, 2]);
        assert_eq!((bins.columns(), bins.count(0)), (1, 4));
        assert_eq!([1, 2, 3].map(|bin| bins.threshold(0, bin)), [1.5, 2.5, f64::INFINITY]);
        let constant = Bins::new(array![[7.0], [7.0]].view());
        assert_eq!((constant.column(0), constant.count(0)), (&[1, 1][..], 2));
    }

    #[test]
    fn neighbouring_numbers_are_told_apart() {
        let next = 1.0_f64.next_up();
        let bins = Bins::new(array![[1.0], [next], [-f64::MAX], [f64::MAX]].view());
        assert_eq!(bins.column(0), [2, 3, 1, 4]);
        assert_eq!(bins.threshold(0, 2), 1.0);
    }

    #[test]
    fn many_values_are_divided_into_bins_of_near_equal_size() {
        let column = Array2::from_shape_fn((10_000, 1), |(i, _)| ((i * 7919) % 10_000) as f64);
        let bins = Bins::new(column.view());
        assert_eq!(bins.count(0), MOST + 1);
        let mut sizes = vec![0; bins.count(0)];
        bins.column(0).iter().for_each(|&bin| sizes[usize::from(bin)] += 1);
        assert_eq!(sizes[0], 0);
        assert!(sizes[1..].iter().all(|size| (38..=41).contains(size)), "{sizes:?}");
    }

    proptest! {
        #[test]
        fn bins_keep_the_order(column in prop::collection::vec(-400_i32..400, 1..900)) {
            let features = Array2::from_shape_fn((column.len(), 1), |(i, _)| f64::from(column[i]));
            let bins = Bins::new(features.view());
            for (i, &bin) in bins.column(0).iter().enumerate() {
                let x = features[(i, 0)];
                prop_assert!(x <= bins.threshold(0, bin));
                prop_assert!(bin == 1 || x > bins.threshold(0, bin - 1));
                prop_assert!(usize::from(bin) < bins.count(0));
            }
            let distinct: std::collections::BTreeSet<_> = column.iter().collect();
            prop_assert_eq!(bins.count(0) - 1, distinct.len().min(MOST));
        }
    }
}
