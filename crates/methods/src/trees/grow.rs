//! Grow a regression tree on presorted columns, without recursion and without allocating per node.

use rand::RngExt;

use super::gain::{Gain, Squares};
use super::parameters::{CartParameters, SplitFeatures};
use super::presort::{Entry, Presort, rank, row};
use super::tree::{Node, Tree};
use super::weights::{Ones, Weights};
use uq_core::math::random::Rng;

/// A node that may still be split: its number, its slice of every sorted column, its depth.
#[derive(Clone, Copy)]
struct Open {
    node: usize,
    start: usize,
    end: usize,
    depth: usize,
}

/// The best split of a node so far.
struct Split {
    feature: usize,
    /// Entries of the column that go left.
    left: usize,
    /// Squared length of the left child's sum of centred targets …
    numerator: f64,
    /// … over the product of both children's weights: proportional to the gain.
    denominator: f64,
}

/// When a node is split, and where.
pub(super) struct Rules {
    /// The parameters of a tree.
    pub(super) cart: CartParameters,
    /// Nodes of at most this weight are not split.
    pub(super) max_leaf: usize,
    /// Smallest share of a node's weight that goes to either side of its split.
    pub(super) balance: f64,
}

impl From<CartParameters> for Rules {
    fn from(cart: CartParameters) -> Self {
        Self { cart, max_leaf: 0, balance: 0.0 }
    }
}

/// Grows a tree on `columns` and `target` (n, finite), where `weights` (n) repeat rows or, being
/// zero, leave them out.
///
/// At least one row must have a positive weight.
pub(super) fn grow(
    mut columns: Presort,
    target: &[f64],
    weights: Option<&[u32]>,
    parameters: &CartParameters,
    rng: &mut Rng,
) -> Tree {
    let rules = Rules::from(*parameters);
    match weights {
        None => {
            let entries = std::mem::take(&mut columns.entries);
            let members: Vec<u32> = (0..target.len() as u32).collect();
            let gain = Squares::new(target, &members, &Ones);
            Grower::new(&columns, entries, target, members, (Ones, gain), &rules, rng).grow()
        }
        Some(weights) => grow_bag(&columns, target, weights, parameters, rng),
    }
}

/// As [`grow`] on the rows of a bag (n: how often each row is in it); the columns stay for the next
/// tree.
pub(super) fn grow_bag(
    columns: &Presort,
    target: &[f64],
    bag: &[u32],
    parameters: &CartParameters,
    rng: &mut Rng,
) -> Tree {
    let members = members(bag);
    let gain = Squares::new(target, &members, &bag);
    grow_by(columns, target, (bag, members), gain, &Rules::from(*parameters), rng)
}

/// As [`grow_bag`] with splits that are chosen by another gain.
pub(super) fn grow_by<G: Gain>(
    columns: &Presort,
    target: &[f64],
    (bag, members): (&[u32], Vec<u32>),
    gain: G,
    rules: &Rules,
    rng: &mut Rng,
) -> Tree {
    let entries = columns.entries_of(|i| bag[i] > 0);
    Grower::new(columns, entries, target, members, (bag, gain), rules, rng).grow()
}

/// The rows in a bag.
pub(super) fn members(bag: &[u32]) -> Vec<u32> {
    (0_u32..).zip(bag).filter(|(_, count)| **count > 0).map(|(row, _)| row).collect()
}

/// Everything that growing one tree needs, allocated once.
struct Grower<'a, W, G> {
    columns: &'a Presort,
    /// Sorted columns, d × kept rows; each node's slice is sorted by every column.
    entries: Vec<Entry>,
    /// Rows kept, in each column.
    kept: usize,
    target: &'a [f64],
    weights: W,
    gain: G,
    rules: &'a Rules,
    rng: &'a mut Rng,
    /// Order in which features are tried.
    features: Vec<usize>,
    goes_left: Vec<bool>,
    scratch: Vec<Entry>,
    member_scratch: Vec<u32>,
    tree: Tree,
}

impl<'a, W: Weights, G: Gain> Grower<'a, W, G> {
    fn new(
        columns: &'a Presort,
        entries: Vec<Entry>,
        target: &'a [f64],
        members: Vec<u32>,
        (weights, gain): (W, G),
        rules: &'a Rules,
        rng: &'a mut Rng,
    ) -> Self {
        let (rows, d) = (columns.rows(), columns.columns());
        let kept = entries.len() / d.max(1);
        Self {
            entries,
            kept,
            target,
            weights,
            gain,
            rules,
            rng,
            features: (0..d).collect(),
            goes_left: vec![false; rows],
            scratch: vec![0; kept],
            member_scratch: vec![0; members.len()],
            tree: Tree {
                columns: d,
                nodes: Vec::new(),
                values: Vec::new(),
                spans: Vec::new(),
                members,
            },
            columns,
        }
    }

    fn grow(mut self) -> Tree {
        let rows = self.tree.members.len();
        let mut open = Vec::new();
        open.extend(self.push_node(0, rows, 0));
        while let Some(here) = open.pop() {
            let Some(split) = self.best_split(here) else { continue };
            let column = &self.entries[split.feature * self.kept..];
            let (below, above) =
                (column[here.start + split.left - 1], column[here.start + split.left]);
            let threshold = self.threshold(split.feature, row(below), row(above));
            for (i, &entry) in column[here.start..here.end].iter().enumerate() {
                self.goes_left[row(entry)] = i < split.left;
            }
            partition(
                &mut self.tree.members[here.start..here.end],
                &mut self.member_scratch,
                |i| self.goes_left[i as usize],
            );
            let left = self.tree.nodes.len();
            self.tree.nodes[here.node] = Node::split(split.feature, threshold, left);
            let middle = here.start + split.left;
            let open_left = self.push_node(here.start, middle, here.depth + 1);
            let open_right = self.push_node(middle, here.end, here.depth + 1);
            // Columns of leaves are never read again.
            if open_left.is_some() || open_right.is_some() {
                for feature in (0..self.tree.columns).filter(|&feature| feature != split.feature) {
                    let base = feature * self.kept;
                    let slice = &mut self.entries[base + here.start..base + here.end];
                    partition(slice, &mut self.scratch, |entry| self.goes_left[row(entry)]);
                }
            }
            // The left child is processed first, while its slices are in the cache.
            open.extend(open_right);
            open.extend(open_left);
        }
        self.tree
    }

    /// Adds the node of the members `start..end` as a leaf; returns it when it may still be split.
    fn push_node(&mut self, start: usize, end: usize, depth: usize) -> Option<Open> {
        let node = self.tree.nodes.len();
        let members = &self.tree.members[start..end];
        // Relative to the first target, so that the mean of equal targets is that target.
        let first = self.target[members[0] as usize];
        let (mut sum, mut weight, mut constant) = (0.0, 0.0, true);
        for &i in members {
            let w = self.weights.of(i as usize);
            let y = self.target[i as usize];
            sum += w * (y - first);
            weight += w;
            constant &= y == first;
        }
        self.tree.nodes.push(Node::leaf(node));
        self.tree.values.push(first + sum / weight);
        self.tree.spans.push(start..end);
        let cart = &self.rules.cart;
        let deep = cart.max_depth.is_some_and(|max| depth >= max);
        let small = weight < 2.0 * cart.min_leaf as f64 || weight <= self.rules.max_leaf as f64;
        (!deep && !small && !constant).then_some(Open { node, start, end, depth })
    }

    /// The split with the largest gain; of equal gains that of the first feature tried, and its
    /// lowest threshold.
    fn best_split(&mut self, here: Open) -> Option<Split> {
        let weight =
            self.gain.enter(&self.tree.members[here.start..here.end], &self.weights, self.rng);
        let d = self.tree.columns;
        let wanted = match self.rules.cart.features {
            SplitFeatures::All => d,
            SplitFeatures::Count(m) => m,
        };
        let sampled = wanted < d;
        let (mut best, mut varied) = (None, false);
        for looked in 0..d {
            // As scikit-learn: at a node whose sampled features are all constant, further features
            // are drawn until one varies.
            if looked >= wanted && varied {
                break;
            }
            if sampled {
                let pick = self.rng.random_range(looked as u64..d as u64) as usize;
                self.features.swap(looked, pick);
            }
            let feature = self.features[looked];
            let base = feature * self.kept;
            let column = &self.entries[base + here.start..base + here.end];
            if rank(column[0]) != rank(column[column.len() - 1]) {
                varied = true;
                self.scan(feature, column, weight, &mut best);
            }
        }
        best
    }

    /// Raises `best` to the best split of one column.
    fn scan(&self, feature: usize, column: &[Entry], total: f64, best: &mut Option<Split>) {
        let least = (self.rules.cart.min_leaf as f64).max(self.rules.balance * total);
        // Gain ∝ |s_l|² / (w_l w_r) for centred targets; compared by cross products, which spares a
        // division per row.
        let (mut numerator, mut denominator) =
            best.as_ref().map_or((-1.0, 1.0), |b| (b.numerator, b.denominator));
        let (mut sum, mut weight, mut left) = (G::ZERO, 0.0, 0);
        for (i, pair) in column.windows(2).enumerate() {
            let here = row(pair[0]);
            let w = self.weights.of(here);
            self.gain.add(&mut sum, here, w);
            weight += w;
            let (square, product) = (G::square(&sum), weight * (total - weight));
            let better = square * denominator > numerator * product;
            if better
                && rank(pair[0]) != rank(pair[1])
                && weight >= least
                && total - weight >= least
            {
                (numerator, denominator, left) = (square, product, i + 1);
            }
        }
        if left > 0 {
            *best = Some(Split { feature, left, numerator, denominator });
        }
    }

    /// The midpoint of the two values beside a split or, where rounding puts it on the upper one,
    /// the lower value.
    fn threshold(&self, feature: usize, below: usize, above: usize) -> f64 {
        let base = feature * self.columns.rows();
        let (low, high) = (self.columns.values[base + below], self.columns.values[base + above]);
        let middle = low / 2.0 + high / 2.0;
        if low <= middle && middle < high { middle } else { low }
    }
}

/// Moves the items that go left before the others, keeping the order on both sides.
fn partition<T: Copy>(items: &mut [T], scratch: &mut [T], goes_left: impl Fn(T) -> bool) {
    let (mut left, mut right) = (0, 0);
    for i in 0..items.len() {
        let item = items[i];
        // Both are written and one is counted, which avoids a branch.
        items[left] = item;
        scratch[right] = item;
        let goes = usize::from(goes_left(item));
        left += goes;
        right += 1 - goes;
    }
    items[left..].copy_from_slice(&scratch[..right]);
}
