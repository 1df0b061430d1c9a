//! Hold a boosted tree, whose leaves have several values each.

use ndarray::ArrayView1;
use serde::{Deserialize, Serialize};

use crate::state::require;

/// One node. The right child of a split follows its left one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Node {
    /// A row goes left where `feature ≤ threshold`, and where the feature is missing and
    /// `missing_left` says so.
    Split { feature: u32, left: u32, threshold: f64, missing_left: bool },
    /// The leaf of this number.
    Leaf(u32),
}

/// A tree with `outputs` values in each leaf. Node 0 is the root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// Values, leaf by leaf.
    values: Vec<f64>,
    outputs: usize,
}

impl Tree {
    /// The tree of these nodes with values leaf by leaf.
    pub(super) fn new(nodes: Vec<Node>, values: Vec<f64>, outputs: usize) -> Self {
        Self { nodes, values, outputs }
    }

    /// Checks a tree that was read: a row of `columns` features goes from node to node until it is
    /// in a leaf with `outputs` values.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn check(&self, columns: usize, outputs: usize) -> Result<(), String> {
        require(self.outputs == outputs && outputs > 0, "leaves with another number of values")?;
        let (count, leaves) = (self.nodes.len(), self.values.len() / outputs);
        let leads_on = |(place, node): (usize, &Node)| match *node {
            Node::Leaf(leaf) => (leaf as usize) < leaves,
            Node::Split { feature, left, .. } => {
                let left = left as usize;
                (feature as usize) < columns && left > place && left < count - 1
            }
        };
        require(count > 0 && self.nodes.iter().enumerate().all(leads_on), "nodes that lead nowhere")
    }

    /// The values of the leaf that a row falls into.
    pub(super) fn at(&self, x: ArrayView1<f64>) -> &[f64] {
        let mut node = 0;
        loop {
            match self.nodes[node] {
                Node::Leaf(leaf) => return self.leaf(leaf as usize),
                Node::Split { feature, left, threshold, missing_left } => {
                    let value = x[feature as usize];
                    let goes_left = if value.is_nan() { missing_left } else { value <= threshold };
                    node = left as usize + usize::from(!goes_left);
                }
            }
        }
    }

    /// The values of a leaf.
    pub(super) fn leaf(&self, leaf: usize) -> &[f64] {
        &self.values[leaf * self.outputs..(leaf + 1) * self.outputs]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::aview1;

    #[test]
    fn a_row_falls_to_its_leaf_by_value_or_by_the_default_direction() {
        let split = |left, threshold, missing_left| Node::Split {
            feature: 1,
            left,
            threshold,
            missing_left,
        };
        let nodes = vec![
            split(1, 0.5, false),
            Node::Leaf(0),
            split(3, f64::INFINITY, false),
            Node::Leaf(1),
            Node::Leaf(2),
        ];
        let tree = Tree::new(nodes, vec![1.0, 10.0, 2.0, 20.0, 3.0, 30.0], 2);
        for (x, expected) in [(0.5, [1.0, 10.0]), (0.6, [2.0, 20.0]), (f64::NAN, [3.0, 30.0])] {
            assert_eq!(tree.at(aview1(&[9.0, x])), expected, "{x}");
        }
    }
}
