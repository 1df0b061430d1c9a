//! Read what smartcore has written of its trees, to check it: smartcore itself walks from node to
//! node without an end where the nodes of a changed file lead back.
//!
//! The fields are those of smartcore's own types, in their order. They hold what a walk needs, and
//! the rest is read past.

use serde::Deserialize;

use crate::state::require;

/// The trees of one of smartcore's regressors, as they are written.
pub trait Trees {
    /// Checks that there is a tree, and that a row of `columns` features goes from node to node in
    /// each of them until it is in a leaf.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn check(&self, columns: usize) -> Result<(), String>;
}

/// A regression tree.
#[derive(Deserialize)]
pub struct WrittenTree {
    tree_regressor: Option<Tree>,
    _num_features: Option<usize>,
}

/// A forest.
#[derive(Deserialize)]
pub struct WrittenForest {
    forest_regressor: Option<Forest>,
}

#[derive(Deserialize)]
struct Forest {
    trees: Option<Vec<Tree>>,
    _num_features: Option<usize>,
    _samples: Option<Vec<Vec<bool>>>,
}

#[derive(Deserialize)]
struct Tree {
    nodes: Vec<Node>,
    _parameters: Option<Parameters>,
    _depth: u16,
    _root_mass: f64,
}

#[derive(Deserialize)]
struct Node {
    _output: f64,
    split_feature: usize,
    _split_value: Option<f64>,
    _split_score: Option<f64>,
    true_child: Option<usize>,
    false_child: Option<usize>,
}

#[derive(Deserialize)]
struct Parameters {
    _max_depth: Option<u16>,
    _min_samples_leaf: usize,
    _min_samples_split: usize,
    _seed: Option<u64>,
    _splitter: Splitter,
}

#[derive(Deserialize)]
enum Splitter {
    Random,
    Best,
}

impl Tree {
    fn check(&self, columns: usize) -> Result<(), String> {
        let leads_on = |(place, node): (usize, &Node)| {
            let forward = |child: usize| child > place && child < self.nodes.len();
            match (node.true_child, node.false_child) {
                (None, None) => true,
                (Some(yes), Some(no)) => {
                    forward(yes) && forward(no) && node.split_feature < columns
                }
                _ => false,
            }
        };
        require(
            !self.nodes.is_empty() && self.nodes.iter().enumerate().all(leads_on),
            "nodes that lead nowhere",
        )
    }
}

impl Trees for WrittenTree {
    fn check(&self, columns: usize) -> Result<(), String> {
        self.tree_regressor.as_ref().ok_or("no tree")?.check(columns)
    }
}

impl Trees for WrittenForest {
    fn check(&self, columns: usize) -> Result<(), String> {
        let trees = self.forest_regressor.as_ref().and_then(|forest| forest.trees.as_ref());
        let trees = trees.filter(|trees| !trees.is_empty()).ok_or("no tree")?;
        trees.iter().try_for_each(|tree| tree.check(columns))
    }
}
