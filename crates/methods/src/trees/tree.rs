//! Hold a grown regression tree as a flat arena of nodes, and pass rows down to its leaves.

use std::ops::Range;

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::state::require;

/// Rows that are passed down together: their memory loads overlap.
const ABREAST: usize = 8;

/// One node: a row goes left where `feature ≤ threshold`. A leaf is its own left child and has the
/// threshold ∞.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Node {
    threshold: f64,
    feature: u32,
    /// Left child; the right one follows it.
    left: u32,
}

impl Node {
    /// The leaf with this number.
    pub(super) fn leaf(id: usize) -> Self {
        Self { threshold: f64::INFINITY, feature: 0, left: id as u32 }
    }

    /// A split of column `feature` at `threshold`, whose children are `left` and `left + 1`.
    pub(super) fn split(feature: usize, threshold: f64, left: usize) -> Self {
        Self { threshold, feature: feature as u32, left: left as u32 }
    }

    /// The left child; a leaf's is itself.
    pub(super) fn left(self) -> usize {
        self.left as usize
    }

    /// The next node of a row.
    fn next(self, x: &[f64]) -> u32 {
        self.left + u32::from(x[self.feature as usize] > self.threshold)
    }
}

/// A grown regression tree over d features. Node 0 is the root; the two children of a node are
/// neighbours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    pub(super) columns: usize,
    pub(super) nodes: Vec<Node>,
    /// Mean target of each node.
    pub(super) values: Vec<f64>,
    /// Range of each node's training rows in `members`.
    pub(super) spans: Vec<Range<usize>>,
    /// Training rows, those of each node together.
    pub(super) members: Vec<u32>,
}

impl Tree {
    /// Checks a tree that was read: it is one over this number of features, a row goes from node to
    /// node until it is in a leaf, and nodes have their rows among the `members`.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn check(&self, columns: usize, members: usize) -> Result<(), String> {
        let count = self.nodes.len();
        require(
            count > 0 && [self.values.len(), self.spans.len()] == [count; 2],
            "nodes without values",
        )?;
        require(self.columns == columns, "a tree of other features")?;
        let leads_on = |(place, node): (usize, &Node)| match node.left() {
            // A leaf keeps every number, which is not above infinity.
            own if own == place => {
                node.threshold == f64::INFINITY && (node.feature as usize) < columns.max(1)
            }
            left => left > place && left < count - 1 && (node.feature as usize) < columns,
        };
        require(self.nodes.iter().enumerate().all(leads_on), "nodes that lead nowhere")?;
        let holds = |span: &Range<usize>| span.start <= span.end && span.end <= members;
        require(self.spans.iter().all(holds), "nodes with rows that are not there")
    }

    /// Number of features, d.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of nodes, leaves included.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Whether a node is a leaf.
    ///
    /// # Panics
    /// If `node` is not below [`Tree::node_count`].
    pub fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].left() == node
    }

    /// Mean target of a node's training rows.
    ///
    /// # Panics
    /// If `node` is not below [`Tree::node_count`].
    pub fn value(&self, node: usize) -> f64 {
        self.values[node]
    }

    /// The training rows (of positive weight) in a node, as positions in the table that the tree
    /// was grown on; weights are the caller's.
    ///
    /// # Panics
    /// If `node` is not below [`Tree::node_count`].
    pub fn members(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.members[self.spans[node].clone()].iter().map(|&i| i as usize)
    }

    /// The leaf, as a node number, of each row of `features` (n × d).
    ///
    /// # Panics
    /// If `features` has other than d columns.
    pub fn apply(&self, features: ArrayView2<f64>) -> Vec<usize> {
        let mut leaves = Vec::with_capacity(features.nrows());
        self.walk(features, |leaf| leaves.push(leaf));
        leaves
    }

    /// The prediction at each row of `features` (n × d).
    ///
    /// # Panics
    /// If `features` has other than d columns.
    pub fn predict(&self, features: ArrayView2<f64>) -> Array1<f64> {
        let mut values = Vec::with_capacity(features.nrows());
        self.walk(features, |leaf| values.push(self.values[leaf]));
        Array1::from_vec(values)
    }

    /// Calls back with the leaf of each row, in order.
    fn walk(&self, features: ArrayView2<f64>, mut found: impl FnMut(usize)) {
        let (rows, d) = features.dim();
        assert_eq!(d, self.columns, "a tree predicts tables of the columns it was grown on");
        if self.nodes.len() == 1 {
            (0..rows).for_each(|_| found(0));
            return;
        }
        let features = features.as_standard_layout();
        let Some(flat) = features.as_slice() else { return };
        for block in flat.chunks(ABREAST * d) {
            let mut ids = [0_u32; ABREAST];
            let mut moved = true;
            while moved {
                moved = false;
                for (id, x) in ids.iter_mut().zip(block.chunks_exact(d)) {
                    let next = self.nodes[*id as usize].next(x);
                    moved |= next != *id;
                    *id = next;
                }
            }
            ids[..block.len() / d].iter().for_each(|&id| found(id as usize));
        }
    }
}
