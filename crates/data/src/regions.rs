//! Divide feature space into regions with similar numbers of training rows, so that coverage can be
//! computed for each.
//!
//! Median cuts, three deep or less: at most eight regions. A node is cut at the median of the
//! feature with the largest spread in it. The spread is the interquartile range of the node's rows
//! divided by the feature's standard deviation over all training rows. Of equal spreads the first
//! feature is taken. A node is not cut if all its interquartile ranges are zero. The partition
//! depends on training features alone, never on a target or a test row. The literature on
//! conditional coverage prescribes no groups. This partition, its depth and its measure of spread
//! are ours, after the k-d tree of Friedman, Bentley & Finkel (1977), ACM Trans. Math. Softw. 3,
//! 209-226, which cuts the key of the largest spread at its median.

use ndarray::{Array1, ArrayView1, ArrayView2, Axis};

/// Number of cuts from the whole space to a region.
pub const DEPTH: usize = 3;

/// Spreads are equal if their relative difference is at most this, so that rounding does not choose
/// between a feature and its copy in other units.
const SAME_SPREAD: f64 = 1e-9;

/// A partition of feature space.
#[derive(Clone, Debug, PartialEq)]
pub struct Regions {
    root: Node,
    count: usize,
}

/// Where a region lies along one feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Which feature.
    pub feature: usize,
    /// Its values are above this; −∞ where there is no end.
    pub above: f64,
    /// Its values are at most this; ∞ where there is no end.
    pub up_to: f64,
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    /// The region with this index.
    Region(usize),
    /// Rows whose feature is at most the threshold, and the others.
    Cut { feature: usize, threshold: f64, low: Box<Node>, high: Box<Node> },
}

impl Regions {
    /// The partition by the training rows' features (n × d); one region where no feature can be
    /// cut.
    pub fn fit(features: ArrayView2<f64>) -> Self {
        Self::of_depth(features, DEPTH, 1)
    }

    /// The partition with at most `depth` cuts from the whole space to a region, and with at least
    /// `fewest` training rows in each region: of the features whose cut leaves them on both sides,
    /// that of the largest spread is cut.
    pub fn of_depth(features: ArrayView2<f64>, depth: usize, fewest: usize) -> Self {
        let sd: Vec<f64> = features.axis_iter(Axis(1)).map(|column| column.std(0.0)).collect();
        let mut growth = Growth { features, sd, fewest, count: 0 };
        let root = growth.grow((0..features.nrows()).collect(), depth);
        Self { root, count: growth.count }
    }

    /// Number of regions, at least 1.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Where a region lies along each feature that was cut on the way to it, by feature; nothing
    /// for an index beyond the last region.
    pub fn extents(&self, region: usize) -> Vec<Extent> {
        let mut found = self.root.extents(region).unwrap_or_default();
        found.sort_by_key(|extent| extent.feature);
        found
    }

    /// Index of the region that each row of `features` (m × d) falls in, m: whole numbers from 0,
    /// from low to high.
    ///
    /// # Panics
    /// If there are fewer features than the training rows had.
    pub fn of(&self, features: ArrayView2<f64>) -> Array1<f64> {
        features.axis_iter(Axis(0)).map(|row| self.root.region(row) as f64).collect()
    }
}

impl Node {
    /// The extents of a region below this node; `None` where it is not below.
    fn extents(&self, region: usize) -> Option<Vec<Extent>> {
        match self {
            Self::Region(index) => (*index == region).then(Vec::new),
            Self::Cut { feature, threshold, low, high } => {
                let below =
                    || Some(within(low.extents(region)?, *feature, f64::NEG_INFINITY, *threshold));
                let beyond =
                    || Some(within(high.extents(region)?, *feature, *threshold, f64::INFINITY));
                below().or_else(beyond)
            }
        }
    }

    fn region(&self, row: ArrayView1<f64>) -> usize {
        match self {
            Self::Region(index) => *index,
            Self::Cut { feature, threshold, low, high } => {
                if row[*feature] <= *threshold {
                    low.region(row)
                } else {
                    high.region(row)
                }
            }
        }
    }
}

/// The extents, which also lie between these ends of a feature.
fn within(mut extents: Vec<Extent>, feature: usize, above: f64, up_to: f64) -> Vec<Extent> {
    match extents.iter_mut().find(|extent| extent.feature == feature) {
        Some(extent) => {
            (extent.above, extent.up_to) = (extent.above.max(above), extent.up_to.min(up_to))
        }
        None => extents.push(Extent { feature, above, up_to }),
    }
    extents
}

/// Cuts that are being made.
struct Growth<'a> {
    features: ArrayView2<'a, f64>,
    /// Standard deviation of each feature.
    sd: Vec<f64>,
    /// Fewest rows of a region that is cut off.
    fewest: usize,
    /// Number of regions so far.
    count: usize,
}

impl Growth<'_> {
    /// Cuts the rows `depth` times more.
    fn grow(&mut self, rows: Vec<usize>, depth: usize) -> Node {
        let cut = if depth > 0 { self.widest_cut(&rows) } else { None };
        let Some((feature, threshold)) = cut else {
            self.count += 1;
            return Node::Region(self.count - 1);
        };
        let (low, high): (Vec<usize>, Vec<usize>) =
            rows.into_iter().partition(|&row| self.features[[row, feature]] <= threshold);
        let low = Box::new(self.grow(low, depth - 1));
        let high = Box::new(self.grow(high, depth - 1));
        Node::Cut { feature, threshold, low, high }
    }

    /// The feature of the largest spread over these rows whose median cut leaves enough of them on
    /// both sides, and that cut; `None` where there is none.
    fn widest_cut(&self, rows: &[usize]) -> Option<(usize, f64)> {
        let mut widest: Option<(usize, f64, f64)> = None;
        for (feature, sd) in self.sd.iter().enumerate() {
            let mut values: Vec<f64> =
                rows.iter().map(|&row| self.features[[row, feature]]).collect();
            let spread = interquartile_range(&mut values) / sd;
            if !(spread > 0.0
                && widest.is_none_or(|(_, _, most)| spread > most * (1.0 + SAME_SPREAD)))
            {
                continue;
            }
            let cut = median_cut(&mut values).filter(|threshold| {
                let low = values.iter().filter(|value| *value <= threshold).count();
                low.min(values.len() - low) >= self.fewest
            });
            widest = cut.map(|threshold| (feature, threshold, spread)).or(widest);
        }
        widest.map(|(feature, threshold, _)| (feature, threshold))
    }
}

/// Third less first quartile, both order statistics; 0 for no value.
fn interquartile_range(values: &mut [f64]) -> f64 {
    let n = values.len();
    if n == 0 {
        return 0.0;
    }
    let first = order_statistic(values, n.div_ceil(4));
    order_statistic(values, (3 * n).div_ceil(4)) - first
}

/// The largest of the lower values if they are cut at the lower median. Ties across the cut stay
/// together, on the side that gives more equal halves.
fn median_cut(values: &mut [f64]) -> Option<f64> {
    let n = values.len();
    let median = order_statistic(values, n.div_ceil(2));
    let below = values.iter().filter(|v| **v < median).count();
    let up_to = values.iter().filter(|v| **v <= median).count();
    let lopsided = |count: usize| (2 * count).abs_diff(n);
    if up_to < n && (below == 0 || lopsided(up_to) <= lopsided(below)) {
        return Some(median);
    }
    values.iter().copied().filter(|v| *v < median).reduce(f64::max)
}

/// The `place`-th smallest value, counted from 1.
fn order_statistic(values: &mut [f64], place: usize) -> f64 {
    *values.select_nth_unstable_by(place - 1, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;

    fn column(values: &[f64]) -> Array2<f64> {
        Array2::from_shape_fn((values.len(), 1), |(i, _)| values[i])
    }

    #[test]
    fn one_feature_is_cut_at_its_octiles() {
        let regions = Regions::fit(column(&[6.0, 0.0, 3.0, 7.0, 1.0, 4.0, 2.0, 5.0]).view());
        assert_eq!(regions.count(), 8);
        let found = regions.of(column(&[-9.0, 0.0, 0.1, 3.0, 3.5, 6.0, 99.0]).view());
        assert_eq!(found, array![0.0, 0.0, 1.0, 3.0, 4.0, 6.0, 7.0]);
    }

    #[test]
    fn the_feature_of_the_largest_spread_is_cut_first() {
        // Quartiles of eight rows are the second and the sixth value. First feature: one far value,
        // so a standard deviation that is large against its quartiles. Second: two heaps at 0 and
        // 1, the widest spread there is.
        let first = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 100.0];
        let second = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
        let features = Array2::from_shape_fn((8, 2), |(i, j)| [first, second][j][i]);
        let regions = Regions::fit(features.view());
        let Node::Cut { feature, threshold, low, high } = &regions.root else {
            panic!("it is cut")
        };
        assert_eq!((*feature, *threshold), (1, 0.0));
        // Within a heap the second feature has no spread; its rows are 1, 3, 5, 7 and 2, 4, 6, 100.
        let thresholds = [low, high].map(|node| match &**node {
            Node::Cut { feature, threshold, .. } => (*feature, *threshold),
            Node::Region(_) => panic!("it is cut"),
        });
        assert_eq!(thresholds, [(0, 3.0), (0, 4.0)]);
        assert_eq!(regions.count(), 8);
    }

    #[test]
    fn a_region_lies_between_the_cuts_on_the_way_to_it() {
        let regions =
            Regions::of_depth(column(&[6.0, 0.0, 3.0, 7.0, 1.0, 4.0, 2.0, 5.0]).view(), 2, 1);
        assert_eq!(regions.count(), 4);
        let [first, second] = [0, 1].map(|region| regions.extents(region));
        assert_eq!(first, [Extent { feature: 0, above: f64::NEG_INFINITY, up_to: 1.0 }]);
        assert_eq!(second, [Extent { feature: 0, above: 1.0, up_to: 3.0 }]);
        assert_eq!(regions.extents(4), []);
        // Every row lies inside the extents of its region, and of no other.
        let features = Array2::from_shape_fn((80, 3), |(i, j)| {
            ((i + 1) as f64 * [2.0_f64, 3.0, 5.0][j].sqrt()).fract()
        });
        let regions = Regions::fit(features.view());
        for (row, found) in features.rows().into_iter().zip(regions.of(features.view())) {
            let inside = |extent: &Extent| {
                extent.above < row[extent.feature] && row[extent.feature] <= extent.up_to
            };
            let all =
                (0..regions.count()).filter(|region| regions.extents(*region).iter().all(inside));
            assert_eq!(all.collect::<Vec<_>>(), [found as usize]);
        }
    }

    /// Two heaps of the first feature are 30 and 70 rows; the second feature has another value in
    /// each row.
    #[test]
    fn a_cut_that_leaves_too_few_rows_is_not_made_and_the_next_feature_is_cut() {
        let features =
            Array2::from_shape_fn(
                (100, 2),
                |(i, j)| if j == 0 { f64::from(i >= 30) } else { i as f64 },
            );
        let cut = |fewest: usize| match Regions::of_depth(features.view(), 1, fewest).root {
            Node::Cut { feature, .. } => Some(feature),
            Node::Region(_) => None,
        };
        assert_eq!([30, 31, 50, 51].map(cut), [Some(0), Some(1), Some(1), None]);
        let regions = Regions::of_depth(features.view(), DEPTH, 20);
        let mut counts = vec![0; regions.count()];
        regions.of(features.view()).iter().for_each(|&region| counts[region as usize] += 1);
        assert!(counts.len() > 2 && counts.iter().all(|count| *count >= 20), "{counts:?}");
        assert_eq!(counts.iter().sum::<usize>(), 100);
    }

    #[test]
    fn of_equal_spreads_the_first_is_cut() {
        // The second feature is the first in other units, whose rounding must not decide.
        let features = Array2::from_shape_fn((40, 2), |(i, j)| {
            let x = (i * 7 % 40) as f64;
            if j == 0 { x } else { 0.1 * x + 1e3 / 3.0 }
        });
        let regions = Regions::fit(features.view());
        assert!(matches!(regions.root, Node::Cut { feature: 0, threshold: 19.0, .. }));
    }

    #[test]
    fn ties_stay_together_on_the_side_that_leaves_the_halves_more_alike() {
        let cut = |values: &[f64]| median_cut(&mut values.to_vec());
        assert_eq!(
            cut(&[0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0]),
            Some(1.0),
            "7 and 3 rather than 1 and 9"
        );
        assert_eq!(
            cut(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0]),
            Some(0.0),
            "3 and 7 rather than 9 and 1"
        );
        assert_eq!(cut(&[0.0, 1.0, 1.0]), Some(0.0), "the median is the largest value");
        assert_eq!(cut(&[1.0, 1.0, 2.0]), Some(1.0), "the median is the smallest value");
        assert_eq!(cut(&[1.0, 1.0]), None);
    }

    #[test]
    fn what_cannot_be_cut_is_one_region() {
        assert_eq!(Regions::fit(Array2::from_elem((50, 3), 0.3).view()).count(), 1);
        assert_eq!(Regions::fit(Array2::zeros((0, 2)).view()).count(), 1);
        assert_eq!(Regions::fit(Array2::zeros((5, 0)).view()).count(), 1);
        assert_eq!(
            Regions::fit(column(&[3.0]).view()).of(column(&[1.0, f64::NAN]).view()),
            array![0.0, 0.0]
        );
        // Two values make two regions, and those stay whole.
        let two = Regions::fit(column(&[0.0, 1.0, 0.0, 1.0, 1.0]).view());
        assert_eq!(
            (two.count(), two.of(column(&[0.0, 0.5, 1.0]).view())),
            (2, array![0.0, 1.0, 1.0])
        );
    }

    #[test]
    fn regions_hold_equal_numbers_of_training_rows() {
        let features = Array2::from_shape_fn((800, 3), |(i, j)| {
            ((i + 1) as f64 * [2.0_f64, 3.0, 5.0][j].sqrt()).fract()
        });
        let regions = Regions::fit(features.view());
        let mut counts = [0; 8];
        regions.of(features.view()).iter().for_each(|&region| counts[region as usize] += 1);
        assert_eq!(counts, [100; 8]);
    }

    proptest! {
        #[test]
        fn units_of_the_features_do_not_matter(
            values in proptest::collection::vec(0..200_u32, 3..240),
            scale in proptest::collection::vec(1e-3..1e3_f64, 3),
            shift in proptest::collection::vec(-1e3..1e3_f64, 3),
        ) {
            let n = values.len() / 3;
            let features = Array2::from_shape_fn((n, 3), |(i, j)| f64::from(values[3 * i + j]));
            let others =
                Array2::from_shape_fn((n, 3), |(i, j)| shift[j] + scale[j] * features[[i, j]]);
            // The first half trains.
            let half: Vec<usize> = (0..n.div_ceil(2)).collect();
            let fit = |all: &Array2<f64>| Regions::fit(all.select(Axis(0), &half).view());
            prop_assert_eq!(fit(&features).of(features.view()), fit(&others).of(others.view()));
        }
    }
}
