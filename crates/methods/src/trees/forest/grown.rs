//! Grow trees on bootstrap samples, record the rows of each leaf, and weigh training targets by the
//! leaves of a row.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use ndarray::{Array2, ArrayView2, Axis};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::QuantileForestParameters;
use crate::engine::rows::{at_least, finite, finite_features};
use crate::state::require;
use crate::trees::grow::grow_bag;
use crate::trees::{Presort, Tree};
use crate::{Context, FitError};
use uq_core::Table;
use uq_core::math::random::Rng;
use uq_core::predictive::Atoms;

/// Rows that pass through all trees before the next ones do, so that a tree's nodes stay in the
/// cache.
const BLOCK: usize = 128;

/// How far rounding may keep a sum of weights below the level that it should reach; that of the
/// atoms.
const LEVEL_TOLERANCE: f64 = 1e-12;

/// What all trees on one table share: presorted features, targets, and the order of the targets.
pub(super) struct Ground {
    /// The method's name, for errors.
    id: &'static str,
    pub(super) columns: Presort,
    pub(super) target: Vec<f64>,
    /// Distinct targets, ascending.
    values: Arc<[f64]>,
    /// Place of each row's target in `values`.
    places: Vec<u32>,
}

impl Ground {
    /// # Errors
    /// [`FitError::Unsupported`] without rows, or for numbers that are not finite.
    pub(super) fn new(id: &'static str, train: &Table) -> Result<Self, FitError> {
        let rows = train.rows();
        at_least(id, 1, rows)?;
        finite(id, train)?;
        let columns = Presort::new(train.features.view())?;
        let target = train.target.to_vec();
        let mut order: Vec<usize> = (0..rows).collect();
        order.sort_by(|&a, &b| target[a].total_cmp(&target[b]));
        let (mut values, mut places) = (Vec::new(), vec![0_u32; rows]);
        for i in order {
            if values.last() != Some(&target[i]) {
                values.push(target[i]);
            }
            places[i] = values.len() as u32 - 1;
        }
        Ok(Self { id, columns, target, values: values.into(), places })
    }

    /// One tree on the rows of a bag (n: how often each row was drawn).
    pub(super) fn tree(
        &self,
        bag: &[u32],
        parameters: &QuantileForestParameters,
        rng: &mut Rng,
    ) -> ForestTree {
        let cart = parameters.tree(self.columns.columns());
        let tree = grow_bag(&self.columns, &self.target, bag, &cart, rng);
        self.keep(tree, bag, |row| bag[row] > 0, parameters.weighted_leaves)
    }

    /// A tree with the targets of its members, each counted as often as `counts` says, and with the
    /// rows that it `saw`.
    pub(super) fn keep(
        &self,
        mut tree: Tree,
        counts: &[u32],
        saw: impl Fn(usize) -> bool,
        weighted_leaves: bool,
    ) -> ForestTree {
        let member =
            |row: u32| Member { place: self.places[row as usize], count: counts[row as usize] };
        let members: Vec<Member> =
            std::mem::take(&mut tree.members).into_iter().map(member).collect();
        let share = |span: &Range<usize>| match weighted_leaves {
            true => {
                1.0 / members[span.clone()]
                    .iter()
                    .map(|member| f64::from(member.count))
                    .sum::<f64>()
            }
            false => 1.0,
        };
        let shares = tree.spans.iter().map(share).collect();
        let mut in_bag = vec![0_u64; counts.len().div_ceil(64)];
        for i in (0..counts.len()).filter(|&row| saw(row)) {
            in_bag[i / 64] |= 1 << (i % 64);
        }
        ForestTree { tree, members, shares, in_bag }
    }

    /// The bag of a tree: n rows drawn with replacement, or each row once.
    fn bag(&self, parameters: &QuantileForestParameters, rng: &mut Rng) -> Vec<u32> {
        let rows = self.target.len();
        if !parameters.bootstrap {
            return vec![1; rows];
        }
        let mut bag = vec![0; rows];
        for _ in 0..rows {
            bag[rng.random_range(0..rows as u64) as usize] += 1;
        }
        bag
    }
}

/// A row of a leaf: the place of its target among the distinct ones, and how often it was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Member {
    place: u32,
    count: u32,
}

/// A tree with its leaves' members.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ForestTree {
    tree: Tree,
    /// Members of the nodes, at the tree's spans.
    members: Vec<Member>,
    /// The weight of a member of each node: one over their number, copies counted, or one.
    shares: Vec<f64>,
    /// Rows that the tree was grown on, one bit for each.
    in_bag: Vec<u64>,
}

impl ForestTree {
    fn saw(&self, row: usize) -> bool {
        self.in_bag[row / 64] >> (row % 64) & 1 == 1
    }
}

/// A grown quantile regression forest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forest {
    /// The method's name, for errors.
    id: Cow<'static, str>,
    columns: usize,
    rows: usize,
    values: Arc<[f64]>,
    trees: Vec<ForestTree>,
}

/// The conditional distribution at one row: weights (5) of the distinct training targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Places in [`Forest::values`], ascending, and their weights, which sum to one.
    pub atoms: Vec<(u32, f64)>,
    /// Number of trees.
    pub trees: usize,
}

impl Weights {
    /// Σ_i w_i Y_i, the random forest's prediction.
    pub fn mean(&self, forest: &Forest) -> f64 {
        self.atoms.iter().map(|&(place, weight)| weight * forest.values[place as usize]).sum()
    }

    /// (2), the smallest target whose weights up to it reach `level`; NaN where there is no tree.
    pub fn quantile(&self, forest: &Forest, level: f64) -> f64 {
        let mut sum = 0.0;
        let reaches = |&&(_, weight): &&(u32, f64)| {
            sum += weight;
            sum >= level - LEVEL_TOLERANCE
        };
        // Rounding may keep the sum of all weights below the level.
        let atom = self.atoms.iter().find(reaches).or(self.atoms.last());
        atom.map_or(f64::NAN, |atom| forest.values[atom.0 as usize])
    }
}

impl Forest {
    /// A forest without trees.
    pub(super) fn new(ground: &Ground) -> Self {
        Self {
            id: ground.id.into(),
            columns: ground.columns.columns(),
            rows: ground.target.len(),
            values: Arc::clone(&ground.values),
            trees: Vec::new(),
        }
    }

    /// Checks a forest that was read: each tree leads to a leaf, whose members are among the
    /// targets.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn check(&self) -> Result<(), String> {
        require(
            !self.trees.is_empty() && self.values.is_sorted_by(|a, b| a < b),
            "no trees, or targets in disorder",
        )?;
        for ForestTree { tree, members, shares, in_bag } in &self.trees {
            tree.check(self.columns, members.len())?;
            let known = members.iter().all(|member| (member.place as usize) < self.values.len());
            let fits = shares.len() == tree.node_count() && in_bag.len() == self.rows.div_ceil(64);
            require(known && fits, "leaves of other targets")?;
        }
        Ok(())
    }

    /// Number of features, d.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of trees, k.
    pub fn trees(&self) -> usize {
        self.trees.len()
    }

    /// The distinct training targets, ascending.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Adds trees until there are `count`. Tree t draws only from the streams `("bootstrap", t)`
    /// and `("features", t)`, so that a smaller forest is a prefix of a larger one.
    pub(super) fn grow_to(
        &mut self,
        count: usize,
        ground: &Ground,
        parameters: &QuantileForestParameters,
        context: &Context,
    ) -> Result<(), FitError> {
        for t in self.trees.len()..count {
            context.checkpoint()?;
            let bag = ground.bag(parameters, &mut context.stream("bootstrap", t as u64));
            let tree = ground.tree(&bag, parameters, &mut context.stream("features", t as u64));
            self.trees.push(tree);
        }
        Ok(())
    }

    /// A forest of these trees.
    pub(super) fn of_trees(ground: &Ground, trees: Vec<ForestTree>) -> Self {
        Self { trees, ..Self::new(ground) }
    }

    /// Keeps the first `count` trees only.
    pub(super) fn truncate(&mut self, count: usize) {
        self.trees.truncate(count);
    }

    /// The conditional distribution at each row of `features` (n × d).
    ///
    /// # Errors
    /// [`FitError::Unsupported`] for a feature that is not finite; [`FitError`] when the run is
    /// stopped.
    ///
    /// # Panics
    /// If `features` has other than d columns.
    pub fn weights(
        &self,
        features: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Vec<Weights>, FitError> {
        let mut all = Vec::with_capacity(features.nrows());
        self.weigh(
            features,
            &self.trees,
            |_, _| true,
            context,
            |_, weights| all.push(weights.clone()),
        )?;
        Ok(all)
    }

    /// Calls back, for each training row that some tree was grown without, with its place and its
    /// conditional distribution by those trees. `features` are those of the training table.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] for another number of rows; [`FitError`] when the run is stopped.
    pub fn weigh_out_of_bag(
        &self,
        features: ArrayView2<f64>,
        context: &Context,
        each: impl FnMut(usize, &Weights),
    ) -> Result<(), FitError> {
        self.weigh_out_of_bag_of(self.trees.len(), features, context, each)
    }

    /// As [`Forest::weigh_out_of_bag`] by the first `count` trees.
    pub(super) fn weigh_out_of_bag_of(
        &self,
        count: usize,
        features: ArrayView2<f64>,
        context: &Context,
        mut each: impl FnMut(usize, &Weights),
    ) -> Result<(), FitError> {
        let (rows, found) = (self.rows, features.nrows());
        if rows != found {
            return Err(FitError::Unsupported(format!(
                "out-of-bag prediction needs the {rows} rows that the forest was grown on, found \
                 {found}"
            )));
        }
        let trees = &self.trees[..count.min(self.trees.len())];
        self.weigh(
            features,
            trees,
            |tree, row| !tree.saw(row),
            context,
            |row, weights| {
                if weights.trees > 0 {
                    each(row, weights);
                }
            },
        )
    }

    /// Calls back with the weights (5) of each row in order, by those of `trees` that are `asked`
    /// about it.
    fn weigh(
        &self,
        features: ArrayView2<f64>,
        trees: &[ForestTree],
        asked: impl Fn(&ForestTree, usize) -> bool,
        context: &Context,
        mut each: impl FnMut(usize, &Weights),
    ) -> Result<(), FitError> {
        finite_features(&self.id, "row", features)?;
        let mut sums = vec![0.0; self.values.len()];
        let mut touched: Vec<u32> = Vec::new();
        let mut weights = Weights { atoms: Vec::new(), trees: 0 };
        for (b, block) in features.axis_chunks_iter(Axis(0), BLOCK).enumerate() {
            context.checkpoint()?;
            let block = block.as_standard_layout();
            let leaves: Vec<Vec<usize>> =
                trees.iter().map(|tree| tree.tree.apply(block.view())).collect();
            for r in 0..block.nrows() {
                let row = b * BLOCK + r;
                weights.trees = 0;
                for (tree, leaves) in trees.iter().zip(&leaves).filter(|(tree, _)| asked(tree, row))
                {
                    weights.trees += 1;
                    let share = tree.shares[leaves[r]];
                    for member in &tree.members[tree.tree.spans[leaves[r]].clone()] {
                        let sum = &mut sums[member.place as usize];
                        if *sum == 0.0 {
                            touched.push(member.place);
                        }
                        *sum += f64::from(member.count) * share; // (4)
                    }
                }
                touched.sort_unstable();
                weights.atoms.clear();
                // k to rounding where every tree counts the same.
                let total: f64 = touched.iter().map(|&place| sums[place as usize]).sum();
                // (5)
                let atom = |place: u32| (place, std::mem::take(&mut sums[place as usize]) / total);
                weights.atoms.extend(touched.drain(..).map(atom));
                each(row, &weights);
            }
        }
        Ok(())
    }

    /// The atoms of (6) at these rows, filled up to `most` a row with atoms without weight.
    pub(super) fn atoms(&self, rows: &[Weights], most: usize) -> Atoms {
        let (mut values, mut weights) =
            (Array2::zeros((rows.len(), most)), Array2::zeros((rows.len(), most)));
        for (i, row) in rows.iter().enumerate() {
            let last = row.atoms.last().map_or(0, |atom| atom.0);
            for m in 0..most {
                let (place, weight) = row.atoms.get(m).copied().unwrap_or((last, 0.0));
                values[(i, m)] = self.values[place as usize];
                weights[(i, m)] = weight;
            }
        }
        Atoms { values, weights }
    }
}
