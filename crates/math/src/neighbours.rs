//! Find exact nearest neighbours among many rows, by a k-d tree.
//!
//! # References
//! J. H. Friedman, J. L. Bentley, R. A. Finkel: *An algorithm for finding best matches in
//! logarithmic expected time*, ACM Transactions on Mathematical Software 3, 1977.

use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Serialize};

/// Largest number of rows of a leaf.
const LEAF: usize = 12;

/// Rows, arranged in a k-d tree.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Neighbours {
    /// Numbers in a row, d.
    columns: usize,
    /// The row of the table at each place of the tree's order.
    rows: Vec<usize>,
    /// The rows in the order of the tree, n × d.
    points: Vec<f64>,
    nodes: Vec<Node>,
    /// The smallest and the largest number of each column in each node, nodes × d × 2.
    boxes: Vec<f64>,
}

/// The rows in their own order: the tree follows from them.
#[derive(Serialize, Deserialize)]
struct Written {
    rows: usize,
    columns: usize,
    /// Row by row.
    values: Vec<f64>,
}

/// Most rows without a column that are read.
const MOST_EMPTY: usize = 1 << 20;

impl TryFrom<Written> for Neighbours {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let Written { rows, columns, values } = written;
        if rows > values.len().max(MOST_EMPTY) {
            return Err("more rows than numbers");
        }
        let points = Array2::from_shape_vec((rows, columns), values)
            .map_err(|_| "rows of another length")?;
        Ok(Self::new(points.view()))
    }
}

impl From<Neighbours> for Written {
    fn from(tree: Neighbours) -> Self {
        let (rows, columns) = (tree.rows.len(), tree.columns);
        let mut values = vec![0.0; rows * columns];
        for (place, row) in tree.rows.iter().enumerate() {
            values[row * columns..][..columns]
                .copy_from_slice(&tree.points[place * columns..][..columns]);
        }
        Self { rows, columns, values }
    }
}

/// The rows `from..to` in the order of the tree.
#[derive(Clone, Copy)]
struct Node {
    from: usize,
    to: usize,
    /// The node of the second half; that of the first half follows its parent. `None` in a leaf.
    right: Option<usize>,
}

impl Neighbours {
    /// Arranges the rows of `points`, n × d; d may be 0.
    pub fn new(points: ArrayView2<f64>) -> Self {
        let (n, columns) = points.dim();
        let mut tree = Self {
            columns,
            rows: (0..n).collect(),
            points: Vec::new(),
            nodes: Vec::new(),
            boxes: Vec::new(),
        };
        tree.grow(points, 0, n);
        tree.points = tree.rows.iter().flat_map(|&row| points.row(row).to_vec()).collect();
        tree
    }

    /// Numbers in a row, d.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Halves rows at the median of their widest column. Equal rows are halved too, so that leaves
    /// stay small.
    fn grow(&mut self, points: ArrayView2<f64>, from: usize, to: usize) {
        let node = self.nodes.len();
        self.nodes.push(Node { from, to, right: None });
        let mut widest = (0, f64::NEG_INFINITY);
        for j in 0..self.columns {
            let column = self.rows[from..to].iter().map(|&row| points[(row, j)]);
            let (low, high) =
                column.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            self.boxes.extend([low, high]);
            if high - low > widest.1 {
                widest = (j, high - low);
            }
        }
        if to - from <= LEAF {
            // The order of rows in a leaf does not depend on the selection in the nodes above.
            self.rows[from..to].sort_unstable();
            return;
        }
        let middle = from.midpoint(to);
        if self.columns > 0 {
            let at = |row: usize| points[(row, widest.0)];
            let order = |a: &usize, b: &usize| at(*a).total_cmp(&at(*b)).then(a.cmp(b));
            self.rows[from..to].select_nth_unstable_by(middle - from, order);
        }
        self.grow(points, from, middle);
        self.nodes[node].right = Some(self.nodes.len());
        self.grow(points, middle, to);
    }

    /// Writes the `count` nearest rows of `at` to `found` (all rows where there are fewer): squared
    /// distance and row of the table, the nearest one first. The choice among equally far rows
    /// depends on the rows alone.
    pub fn nearest(&self, at: &[f64], count: usize, found: &mut Vec<(f64, usize)>) {
        found.clear();
        if count > 0 {
            self.visit(0, at, count, found);
        }
    }

    /// The squared distance and the number of the nearest row.
    pub fn first(&self, at: &[f64], found: &mut Vec<(f64, usize)>) -> (f64, usize) {
        self.nearest(at, 1, found);
        found.first().copied().unwrap_or((f64::INFINITY, 0))
    }

    /// The distance of each row of `points` (m × d) to the nearest row, m.
    pub fn distances(&self, points: ArrayView2<f64>) -> Array1<f64> {
        let mut found = Vec::new();
        points
            .rows()
            .into_iter()
            .map(|row| self.first(&row.to_vec(), &mut found).0.sqrt())
            .collect()
    }

    fn visit(&self, node: usize, at: &[f64], count: usize, found: &mut Vec<(f64, usize)>) {
        let Node { from, to, right } = self.nodes[node];
        let wanted = |distance: f64, found: &[(f64, usize)]| {
            found.len() < count || distance < found[count - 1].0
        };
        let Some(right) = right else {
            for place in from..to {
                let point = &self.points[place * self.columns..][..self.columns];
                let distance = squared_distance(at, point);
                if wanted(distance, found) {
                    if found.len() == count {
                        found.pop();
                    }
                    let rank = found.partition_point(|nearer| nearer.0 <= distance);
                    found.insert(rank, (distance, self.rows[place]));
                }
            }
            return;
        };
        let halves = [(self.bound(node + 1, at), node + 1), (self.bound(right, at), right)];
        let first = usize::from(halves[1].0 < halves[0].0);
        for (bound, half) in [halves[first], halves[1 - first]] {
            if wanted(bound, found) {
                self.visit(half, at, count, found);
            }
        }
    }

    /// A lower bound of the squared distances of the node's rows. It is summed in the same order as
    /// a row's distance, so that rounding cannot lift it above one.
    fn bound(&self, node: usize, at: &[f64]) -> f64 {
        let sides = self.boxes[node * self.columns * 2..][..self.columns * 2].chunks_exact(2);
        let outside = at.iter().zip(sides).map(|(x, side)| (side[0] - x).max(x - side[1]).max(0.0));
        outside.map(|gap| gap * gap).sum()
    }
}

/// Σ_j (a_j − b_j)².
#[inline]
pub fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::{prop_assert_eq, proptest};
    use rand::{RngExt, SeedableRng};

    use uq_core::math::random::Rng;

    #[test]
    fn what_is_written_is_the_rows_and_makes_the_same_tree() {
        let points = Array2::from_shape_fn((40, 2), |(i, j)| ((i * (7 + j)) % 23) as f64);
        let tree = Neighbours::new(points.view());
        let text = serde_json::to_string(&tree).unwrap();
        let again: Neighbours = serde_json::from_str(&text).unwrap();
        assert_eq!((again.columns(), &again.rows, &again.points), (2, &tree.rows, &tree.points));
        let at = array![[3.5, 1.0], [-2.0, 30.0]];
        assert_eq!(again.distances(at.view()), tree.distances(at.view()));
        for wrong in [
            r#"{"rows":2,"columns":2,"values":[1.0]}"#,
            r#"{"rows":99999999999,"columns":0,"values":[]}"#,
        ] {
            assert!(serde_json::from_str::<Neighbours>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn distances_are_those_to_the_nearest_row() {
        let tree = Neighbours::new(array![[0.0, 0.0], [10.0, 20.0], [30.0, 60.0]].view());
        let found = tree.distances(array![[0.0, 0.0], [10.0, 23.0], [33.0, 64.0]].view());
        assert_eq!(found, array![0.0, 3.0, 5.0]);
        let nothing = Neighbours::new(Array2::zeros((4, 0)).view());
        assert_eq!(nothing.distances(Array2::zeros((2, 0)).view()), array![0.0, 0.0]);
    }

    proptest! {
        #[test]
        fn the_tree_finds_the_same_rows_as_a_search_of_all_rows(
            n in 1_usize..150,
            d in 0_usize..5,
            count in 0_usize..20,
            coarse: bool,
            seed: u64,
        ) {
            let mut rng = Rng::seed_from_u64(seed);
            // Coarse numbers bring many equal rows and equal distances.
            let mut draw = || {
                let x: f64 = rng.random();
                if coarse { (4.0 * x).floor() } else { x }
            };
            let points = Array2::from_shape_simple_fn((n, d), &mut draw);
            let tree = Neighbours::new(points.view());
            let mut found = Vec::new();
            for row in points.rows() {
                let at: Vec<f64> = row.iter().map(|x| x + draw()).collect();
                tree.nearest(&at, count, &mut found);
                let mut all: Vec<f64> =
                    points.rows().into_iter().map(|p| squared_distance(&at, &p.to_vec())).collect();
                all.sort_by(f64::total_cmp);
                let distances: Vec<f64> = found.iter().map(|f| f.0).collect();
                prop_assert_eq!(distances, &all[..count.min(n)]);
                let mut rows: Vec<usize> = found.iter().map(|f| f.1).collect();
                for (distance, row) in &found {
                    prop_assert_eq!(*distance, squared_distance(&at, &points.row(*row).to_vec()));
                }
                rows.sort_unstable();
                rows.dedup();
                prop_assert_eq!(rows.len(), count.min(n));
            }
        }
    }
}
