//! Hold one of linfa's trees as a list of nodes, with a tally in each leaf.

use linfa_trees::TreeNode;
use ndarray16::ArrayView1;
use serde::{Deserialize, Serialize};

use super::classifier::Tally;
use super::grower::BinaryTree;
use crate::state::require;

/// The nodes, root first, and the tallies of the leaves.
#[derive(Serialize, Deserialize)]
pub struct Leaves(Vec<Node>);

#[derive(Serialize, Deserialize)]
enum Node {
    /// Smaller ranks than the threshold go to the first place, others to the second.
    Split {
        feature: usize,
        threshold: f64,
        places: [usize; 2],
    },
    Leaf(Tally),
}

impl Leaves {
    /// A tree whose nodes look at the features at these places, `tally` in each leaf, which is told
    /// whether it is above.
    pub(super) fn of(tree: &BinaryTree, features: &[usize], tally: fn(bool) -> Tally) -> Self {
        let mut leaves = Self(Vec::new());
        leaves.take(tree.root_node(), features, tally);
        leaves
    }

    /// Copies a node and those below it; returns its place.
    fn take(
        &mut self,
        node: &TreeNode<f64, bool>,
        features: &[usize],
        tally: fn(bool) -> Tally,
    ) -> usize {
        let place = self.0.len();
        self.0.push(Node::Leaf(tally(node.prediction().unwrap_or_default())));
        if let [Some(left), Some(right)] = node.children()[..]
            && !node.is_leaf()
        {
            let (feature, threshold, _) = node.split();
            let places = [self.take(left, features, tally), self.take(right, features, tally)];
            self.0[place] = Node::Split { feature: features[feature], threshold, places };
        }
        place
    }

    /// Checks a tree that was read: a row of `columns` features goes from node to node until it is
    /// in a leaf.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn check(&self, columns: usize) -> Result<(), String> {
        let leads_on = |(place, node): (usize, &Node)| match node {
            Node::Leaf(_) => true,
            Node::Split { feature, places, .. } => {
                *feature < columns && places.iter().all(|&next| next > place && next < self.0.len())
            }
        };
        require(
            !self.0.is_empty() && self.0.iter().enumerate().all(leads_on),
            "nodes that lead nowhere",
        )
    }

    /// The place of the leaf of a row.
    fn place(&self, x: ArrayView1<f64>) -> usize {
        let mut place = 0;
        while let Node::Split { feature, threshold, places } = &self.0[place] {
            place = places[usize::from(x[*feature] >= *threshold)];
        }
        place
    }

    /// Counts a row in its leaf.
    pub(super) fn count(&mut self, x: ArrayView1<f64>, above: bool) {
        let place = self.place(x);
        if let Node::Leaf(tally) = &mut self.0[place] {
            *(if above { &mut tally.above } else { &mut tally.at }) += 1.0;
        }
    }

    /// The tally of the leaf of a row.
    pub(super) fn tally(&self, x: ArrayView1<f64>) -> Tally {
        match &self.0[self.place(x)] {
            Node::Leaf(tally) => *tally,
            Node::Split { .. } => Tally { at: 0.0, above: 0.0 },
        }
    }
}
