//! Find the slab of feature space in which intervals cover rows most rarely, and judge it on rows
//! that have not chosen it.
//!
//! A slab holds the rows x with a ≤ v·x ≤ b, for a direction v. Cauchois, Gupta & Duchi (2021), JMLR
//! 22(81), Section 4, define the worst-slab coverage as the least coverage over slabs that hold a
//! share δ of the rows or more. The least one over many directions is far below the level by chance
//! alone, so that Romano, Sesia & Candès (2020), NeurIPS 33, Supplement S1.2, search on one part of
//! the rows and score on the other. What the same search finds where coverage is even is shown by
//! permuted rows.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::coverage::Coverage;
use crate::math::random::{Rng, Streams, draw_without_replacement, permutation, standard_normal};

/// The share of the searched rows that a slab holds at least, δ.
pub const SHARE: f64 = 0.1;

/// Fewest searched rows of a slab.
pub const FEWEST: usize = 20;

/// Number of directions: features alone, at most half of them, and random ones.
pub const DIRECTIONS: usize = 200;

/// Number of searches where coverage is even.
const EVEN: u64 = 19;

/// Most rows that are searched.
const MOST: usize = 1000;

/// A slab with its coverage.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstSlab {
    /// v, of length 1, for features less `center` over `scale`, d.
    pub direction: Vec<f64>,
    /// Mean of each feature, d.
    pub center: Vec<f64>,
    /// Standard deviation of each feature, d; 1 where it is constant.
    pub scale: Vec<f64>,
    /// a.
    pub low: f64,
    /// b.
    pub high: f64,
    /// Of the searched rows, which have chosen the slab.
    pub searched: Coverage,
    /// Of the other rows.
    pub tested: Coverage,
    /// Least and greatest share that the same search finds where each searched row is as likely
    /// covered as any other.
    pub even: (f64, f64),
}

/// The directions with the searched rows in order, as blocks of equal projections.
struct Search {
    directions: Vec<Array1<f64>>,
    /// For each direction the rows in order, and where each block ends.
    orders: Vec<(Vec<usize>, Vec<usize>)>,
    /// Fewest rows of a slab.
    least: usize,
}

/// A slab of the search: direction, first and last row in its order, and coverage.
#[derive(Clone, Copy)]
struct Found {
    direction: usize,
    first: usize,
    end: usize,
    coverage: Coverage,
}

/// The worst slab of features (n × d; NaN where missing, read as the mean) by which rows `covered`
/// are covered (n). `None` where the searched half has too few rows for a slab beside others, and
/// where none of the other rows lies in the slab.
pub fn worst_slab(
    features: ArrayView2<f64>,
    covered: &[bool],
    streams: &Streams,
) -> Option<WorstSlab> {
    let rows = features.nrows();
    let order = permutation(rows, &mut streams.stream("slab rows", 0));
    let (searched, tested) = order.split_at(rows / 2);
    let searched = &searched[..searched.len().min(MOST)];
    if searched.len() < 2 * FEWEST || features.ncols() == 0 {
        return None;
    }
    let (center, scale) = moments(features, searched);
    let scaled = |rows: &[usize]| {
        Array2::from_shape_fn((rows.len(), features.ncols()), |(i, j)| {
            let value = (features[[rows[i], j]] - center[j]) / scale[j];
            if value.is_finite() { value } else { 0.0 }
        })
    };
    let mut rng = streams.stream("slab directions", 0);
    let search = Search::new(scaled(searched).view(), directions(features.ncols(), &mut rng));
    let flags: Vec<bool> = searched.iter().map(|row| covered[*row]).collect();
    let found = search.least(&flags);
    let (order, _) = &search.orders[found.direction];
    let direction = &search.directions[found.direction];
    let project = |rows: &[usize]| scaled(rows).dot(direction);
    let ends = project(&[searched[order[found.first]], searched[order[found.end - 1]]]);
    let low = ends[0];
    let high = ends[1];
    let inside: Vec<usize> = project(tested)
        .iter()
        .zip(tested)
        .filter(|(place, _)| low <= **place && **place <= high)
        .map(|(_, row)| *row)
        .collect();
    if inside.is_empty() {
        return None;
    }
    let even = (0..EVEN).map(|i| {
        let order = permutation(flags.len(), &mut streams.stream("slab permutation", i));
        let permuted: Vec<bool> = order.into_iter().map(|row| flags[row]).collect();
        search.least(&permuted).coverage.share()
    });
    let even = even.fold((1.0, 0.0), |(low, high), share| (share.min(low), share.max(high)));
    Some(WorstSlab {
        direction: direction.to_vec(),
        center,
        scale,
        low,
        high,
        searched: found.coverage,
        tested: Coverage {
            covered: inside.iter().filter(|row| covered[**row]).count(),
            rows: inside.len(),
        },
        even,
    })
}

/// Mean and standard deviation of each feature at these rows, without missing numbers.
fn moments(features: ArrayView2<f64>, rows: &[usize]) -> (Vec<f64>, Vec<f64>) {
    let mean_and_scale = |column: ndarray::ArrayView1<f64>| {
        let known = || rows.iter().map(|row| column[*row]).filter(|value| value.is_finite());
        let count = known().count().max(1) as f64;
        let mean = known().sum::<f64>() / count;
        let variance = known().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        (mean, if variance > 0.0 { variance.sqrt() } else { 1.0 })
    };
    features.axis_iter(Axis(1)).map(mean_and_scale).unzip()
}

/// Features alone, at most half as many as there are directions, and random directions.
fn directions(features: usize, rng: &mut Rng) -> Vec<Array1<f64>> {
    let alone = features.min(DIRECTIONS / 2);
    let mut all: Vec<Array1<f64>> = draw_without_replacement(features, alone, rng)
        .into_iter()
        .map(|feature| Array1::from_shape_fn(features, |j| f64::from(u8::from(j == feature))))
        .collect();
    while features > 1 && all.len() < DIRECTIONS {
        let drawn = Array1::from_shape_simple_fn(features, || standard_normal(rng));
        let length = drawn.dot(&drawn).sqrt();
        if length > 0.0 {
            all.push(drawn / length);
        }
    }
    all
}

impl Search {
    /// The rows of features (n × d) in the order of each direction.
    fn new(features: ArrayView2<f64>, directions: Vec<Array1<f64>>) -> Self {
        let rows = features.nrows();
        let in_order = |direction: &Array1<f64>| {
            let places = features.dot(direction);
            let mut order: Vec<usize> = (0..rows).collect();
            order.sort_by(|&a, &b| places[a].total_cmp(&places[b]).then(a.cmp(&b)));
            let is_end =
                |end: &usize| *end == rows || places[order[*end - 1]] != places[order[*end]];
            let ends = (1..=rows).filter(is_end).collect();
            (order, ends)
        };
        let orders = directions.iter().map(in_order).collect();
        let least = FEWEST.max((SHARE * rows as f64).ceil() as usize);
        Self { directions, orders, least }
    }

    /// The slab with the least covered share; of equal ones the first.
    ///
    /// A slab that has twice the least number of rows can be cut in two, of which one part covers no
    /// greater share. So a slab grows only until it has that many rows.
    fn least(&self, covered: &[bool]) -> Found {
        let rows = covered.len();
        let all = Coverage { covered: covered.iter().filter(|is| **is).count(), rows };
        let mut best = Found { direction: 0, first: 0, end: rows, coverage: all };
        let mut sums = vec![0; rows + 1];
        for (direction, (order, ends)) in self.orders.iter().enumerate() {
            for (place, row) in order.iter().enumerate() {
                sums[place + 1] = sums[place] + usize::from(covered[*row]);
            }
            let starts = std::iter::once(0).chain(ends.iter().copied());
            for (block, first) in starts.enumerate().take(ends.len()) {
                for &end in &ends[block..] {
                    if end - first < self.least {
                        continue;
                    }
                    let coverage = Coverage { covered: sums[end] - sums[first], rows: end - first };
                    // Shares are compared as products, without rounding.
                    if coverage.covered * best.coverage.rows < best.coverage.covered * coverage.rows
                    {
                        best = Found { direction, first, end, coverage };
                    }
                    if end - first >= 2 * self.least {
                        break;
                    }
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn streams() -> Streams {
        Streams::new(7, "slab")
    }

    /// n rows of two features on a grid that repeats nowhere, and whether each is covered.
    fn rows(n: usize, covered: impl Fn(f64, f64, usize) -> bool) -> (Array2<f64>, Vec<bool>) {
        let uniform = |i: usize, by: f64| ((i as f64 + 0.5) * by).fract();
        let features = Array2::from_shape_fn((n, 2), |(i, j)| {
            uniform(i, [0.618_033_988_749_895, 0.754_877_666_246_693][j])
        });
        let flags = (0..n).map(|i| covered(features[[i, 0]], features[[i, 1]], i)).collect();
        (features, flags)
    }

    #[test]
    fn a_strip_without_coverage_is_found_and_confirmed_by_the_other_rows() {
        let (features, covered) =
            rows(2000, |x, _, i| if x > 0.8 { i % 2 == 0 } else { i % 20 != 0 });
        let found = worst_slab(features.view(), &covered, &streams()).unwrap();
        assert!(found.searched.share() < 0.5, "{:?}", found.searched);
        let tested = found.tested;
        assert!((0.35..0.65).contains(&tested.share()) && tested.rows > 60, "{tested:?}");
        // Where coverage is even, the search finds about what 1000 × 200 chances allow, and more.
        assert!(found.even.0 > found.searched.share(), "{:?}", found.even);
        assert!(found.even.0 <= found.even.1 && found.even.1 < 0.86, "{:?}", found.even);
    }

    #[test]
    fn where_coverage_is_even_the_search_is_too_low_and_the_other_rows_are_not() {
        let mut above = 0;
        for seed in 0..20 {
            let streams = Streams::new(seed, "even");
            let mut rng = streams.stream("covered", 0);
            let (features, _) = rows(600, |_, _, _| true);
            let covered: Vec<bool> =
                (0..600).map(|_| rand::RngExt::random::<f64>(&mut rng) < 0.9).collect();
            let found = worst_slab(features.view(), &covered, &streams).unwrap();
            assert!(found.searched.share() < 0.82, "{:?}", found.searched);
            let (low, high) = found.even;
            assert!(found.searched.share() >= low - 0.08 && found.searched.share() <= high + 0.08);
            let interval = found.tested.interval().unwrap();
            above += usize::from(interval.1 >= 0.9);
        }
        assert!(above >= 18, "{above} of 20 intervals contain the true coverage");
    }

    #[test]
    fn a_direction_across_features_is_found() {
        let (features, covered) = rows(2000, |x, y, _| x + y < 1.4);
        let found = worst_slab(features.view(), &covered, &streams()).unwrap();
        assert_eq!(found.searched.covered, 0);
        let [v, w] = [found.direction[0], found.direction[1]];
        assert!(v * w > 0.05, "both features count, and alike: {:?}", found.direction);
        assert!(found.tested.share() < 0.1, "{:?}", found.tested);
    }

    #[test]
    fn rows_of_equal_places_stay_together_and_constants_and_missing_numbers_are_no_fault() {
        let features = Array2::from_shape_fn((400, 3), |(i, j)| match j {
            0 => (i % 4) as f64,
            1 => 5.0,
            _ if i % 9 == 0 => f64::NAN,
            _ => (i % 2) as f64,
        });
        let covered: Vec<bool> = (0..400).map(|i| i % 4 != 2 || i % 8 == 2).collect();
        let found = worst_slab(features.view(), &covered, &streams()).unwrap();
        assert!((found.searched.share() - 0.5).abs() < 0.25, "{found:?}");
        assert_eq!(found, worst_slab(features.view(), &covered, &streams()).unwrap());
        let first = features.select(Axis(0), &(0..79).collect::<Vec<_>>());
        let few = worst_slab(first.view(), &covered[..79], &streams());
        assert_eq!(few, None, "39 rows cannot be searched");
        let none = worst_slab(Array2::zeros((400, 0)).view(), &covered, &streams());
        assert_eq!(none, None, "no feature");
    }
}
