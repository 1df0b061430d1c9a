//! Grow a tree on binned features, the leaf of the largest gain first.
//!
//! Each row has a vector s of K numbers, and a split is as good as it divides rows of different s:
//! with the sums S over a node of n rows and S_l over the n_l rows of its left child, its gain is
//! the decrease of the squared distances from the mean,
//!
//! ```text
//! gain = n/(n_l n_r) Σ_k (S_l,k − n_l S_k/n)².
//! ```
//!
//! The sums of every bin of every feature are a node's histogram; that of a larger child is its
//! parent's less its sibling's.

use std::ops::Range;

use super::bins::{Bins, MISSING};
use super::tree::Node;
use crate::{Context, FitError};

/// A gain below this share of the sum of squares is rounding.
const ROUNDING: f64 = 1e-12;

/// The numbers s of each row, as their sums over bins.
pub(super) trait Response {
    /// Cells of a bin: K sums, and the number of rows.
    fn cells(&self) -> usize;

    /// Adds the rows to the histogram of one feature, which is zero; `codes` (n) is the bin of each
    /// row.
    fn fill(&self, rows: &[u32], codes: &[u8], histogram: &mut [f64]);
}

/// How large a tree may become.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Most leaves.
    pub(super) leaves: usize,
    /// Most splits between root and leaf.
    pub(super) depth: Option<usize>,
    /// Fewest rows of a leaf.
    pub(super) min_leaf: usize,
}

/// The nodes of a tree, and the rows of its leaves.
pub(super) struct Grown {
    pub(super) nodes: Vec<Node>,
    /// Rows that the tree was grown on, those of each leaf together.
    pub(super) inside: Vec<u32>,
    /// Other rows, those of each leaf together.
    pub(super) outside: Vec<u32>,
    /// The places of each leaf's rows in `inside` and in `outside`.
    pub(super) leaves: Vec<(Range<usize>, Range<usize>)>,
}

impl Grown {
    /// Calls back with each leaf and each of its rows, those inside and those outside.
    pub(super) fn each_row(&self, mut found: impl FnMut(usize, usize)) {
        for (leaf, (inside, outside)) in self.leaves.iter().enumerate() {
            for &row in self.inside[inside.clone()].iter().chain(&self.outside[outside.clone()]) {
                found(leaf, row as usize);
            }
        }
    }
}

/// A split of a node.
#[derive(Clone, Copy)]
struct Split {
    gain: f64,
    feature: usize,
    /// Rows of this bin and of those below it go left.
    bin: u8,
    missing_left: bool,
}

/// A leaf that may still be split.
struct Open {
    leaf: usize,
    node: usize,
    depth: usize,
    histogram: Vec<f64>,
    split: Split,
}

/// Grows a tree on the rows `inside`, with these `features` (in ascending order), and passes the
/// rows `outside` down to its leaves.
///
/// # Errors
/// [`FitError`] when the run is stopped.
pub(super) fn grow(
    bins: &Bins,
    response: &impl Response,
    inside: Vec<u32>,
    outside: Vec<u32>,
    features: &[usize],
    limits: Limits,
    context: &Context,
) -> Result<Grown, FitError> {
    let mut offsets = Vec::with_capacity(features.len() + 1);
    let mut total = 0;
    for &feature in features {
        offsets.push(total);
        total += bins.count(feature) * response.cells();
    }
    offsets.push(total);
    let leaves = vec![(0..inside.len(), 0..outside.len())];
    let scratch = vec![0; inside.len().max(outside.len())];
    let grown = Grown { nodes: vec![Node::Leaf(0)], inside, outside, leaves };
    Grower { bins, response, features, offsets, limits, scratch, spare: Vec::new(), grown }
        .grow(context)
}

struct Grower<'a, R> {
    bins: &'a Bins,
    response: &'a R,
    features: &'a [usize],
    /// Where the histogram of each feature begins, and where the last one ends.
    offsets: Vec<usize>,
    limits: Limits,
    scratch: Vec<u32>,
    /// Histograms that are no longer needed.
    spare: Vec<Vec<f64>>,
    grown: Grown,
}

impl<R: Response> Grower<'_, R> {
    fn grow(mut self, context: &Context) -> Result<Grown, FitError> {
        let mut open = Vec::new();
        if self.may_split(0, 0) {
            let histogram = self.histogram(0);
            open.extend(self.opened(0, 0, 0, histogram));
        }
        while self.grown.leaves.len() < self.limits.leaves {
            // Of equal gains the first leaf is split.
            let best = open.iter().enumerate().max_by(|(i, a): &(usize, &Open), (j, b)| {
                a.split.gain.total_cmp(&b.split.gain).then(j.cmp(i))
            });
            let Some(best) = best.map(|(i, _)| i) else { break };
            context.checkpoint()?;
            let here = open.swap_remove(best);
            let children = self.divide(&here);
            if self.grown.leaves.len() == self.limits.leaves {
                break;
            }
            let splits = children.map(|(leaf, _)| self.may_split(leaf, here.depth + 1));
            let smaller = usize::from(self.rows(children[1].0) < self.rows(children[0].0));
            if splits == [false; 2] {
                self.spare.push(here.histogram);
                continue;
            }
            let small = self.histogram(children[smaller].0);
            let mut large = here.histogram;
            large.iter_mut().zip(&small).for_each(|(a, b)| *a -= b);
            let mut histograms = if smaller == 0 { [small, large] } else { [large, small] };
            for (i, (leaf, node)) in children.into_iter().enumerate() {
                let histogram = std::mem::take(&mut histograms[i]);
                if splits[i] {
                    open.extend(self.opened(leaf, node, here.depth + 1, histogram));
                } else {
                    self.spare.push(histogram);
                }
            }
        }
        Ok(self.grown)
    }

    /// Number of rows that the leaf was grown on.
    fn rows(&self, leaf: usize) -> usize {
        self.grown.leaves[leaf].0.len()
    }

    fn may_split(&self, leaf: usize, depth: usize) -> bool {
        self.rows(leaf) >= 2 * self.limits.min_leaf
            && self.limits.depth.is_none_or(|most| depth < most)
    }

    /// The leaf with its best split, where it has one.
    fn opened(
        &mut self,
        leaf: usize,
        node: usize,
        depth: usize,
        histogram: Vec<f64>,
    ) -> Option<Open> {
        let split = self.best_split(&histogram, self.rows(leaf));
        if split.is_none() {
            self.spare.push(histogram);
            return None;
        }
        split.map(|split| Open { leaf, node, depth, histogram, split })
    }

    fn histogram(&mut self, leaf: usize) -> Vec<f64> {
        let mut histogram = self.spare.pop().unwrap_or_default();
        histogram.clear();
        histogram.resize(self.offsets.last().copied().unwrap_or(0), 0.0);
        let rows = &self.grown.inside[self.grown.leaves[leaf].0.clone()];
        for (place, &feature) in self.offsets.windows(2).zip(self.features) {
            self.response.fill(rows, self.bins.column(feature), &mut histogram[place[0]..place[1]]);
        }
        histogram
    }

    /// The split of the largest gain above rounding; of equal gains that of the first feature and
    /// its lowest bin.
    fn best_split(&self, histogram: &[f64], rows: usize) -> Option<Split> {
        let cells = self.response.cells();
        let mut means = vec![0.0; cells];
        let first = &histogram[..self.offsets.get(1).copied().unwrap_or(0)];
        for bin in first.chunks_exact(cells) {
            means.iter_mut().zip(bin).for_each(|(mean, sum)| *mean += sum);
        }
        means.iter_mut().for_each(|mean| *mean /= rows as f64);
        let rounding =
            ROUNDING * rows as f64 * means[..cells - 1].iter().map(|mean| mean * mean).sum::<f64>();
        let mut best: Option<Split> = None;
        let mut sums = vec![0.0; cells];
        for (place, &feature) in self.offsets.windows(2).zip(self.features) {
            let (missing, present) = histogram[place[0]..place[1]].split_at(cells);
            let sides: &[bool] = if missing[cells - 1] > 0.0 { &[false, true] } else { &[false] };
            for &missing_left in sides {
                if missing_left {
                    sums.copy_from_slice(missing);
                } else {
                    sums.fill(0.0);
                }
                for (bin, add) in present.chunks_exact(cells).enumerate() {
                    if add[cells - 1] == 0.0 {
                        continue;
                    }
                    sums.iter_mut().zip(add).for_each(|(sum, add)| *sum += add);
                    let gain = self.gain(&sums, &means, rows);
                    if gain > best.map_or(rounding, |best| best.gain) {
                        // Where no training row misses the feature, such a row takes the side of
                        // more rows.
                        let missing_left = missing_left
                            || (sides.len() == 1 && 2.0 * sums[cells - 1] >= rows as f64);
                        best = Some(Split { gain, feature, bin: bin as u8 + 1, missing_left });
                    }
                }
            }
        }
        best
    }

    /// The gain of a left child with these sums; zero where a child would have too few rows.
    fn gain(&self, sums: &[f64], means: &[f64], rows: usize) -> f64 {
        let Some((&left, sums)) = sums.split_last() else { return 0.0 };
        let right = rows as f64 - left;
        let least = self.limits.min_leaf.max(1) as f64;
        if left < least || right < least {
            return 0.0;
        }
        let distance: f64 =
            sums.iter().zip(means).map(|(sum, mean)| (sum - left * mean).powi(2)).sum();
        distance * rows as f64 / (left * right)
    }

    /// Splits a leaf: the left child keeps its number. Returns both children as leaf and node.
    fn divide(&mut self, here: &Open) -> [(usize, usize); 2] {
        let Split { feature, bin, missing_left, .. } = here.split;
        let codes = self.bins.column(feature);
        let goes_left = |row: u32| match codes[row as usize] {
            MISSING => missing_left,
            code => code <= bin,
        };
        let (inside, outside) = self.grown.leaves[here.leaf].clone();
        let middle = inside.start
            + partition(&mut self.grown.inside[inside.clone()], &mut self.scratch, goes_left);
        let among = outside.start
            + partition(&mut self.grown.outside[outside.clone()], &mut self.scratch, goes_left);
        let right = self.grown.leaves.len();
        self.grown.leaves[here.leaf] = (inside.start..middle, outside.start..among);
        self.grown.leaves.push((middle..inside.end, among..outside.end));
        let left = self.grown.nodes.len();
        self.grown.nodes[here.node] = Node::Split {
            feature: feature as u32,
            left: left as u32,
            threshold: self.bins.threshold(feature, bin),
            missing_left,
        };
        self.grown.nodes.extend([Node::Leaf(here.leaf as u32), Node::Leaf(right as u32)]);
        [(here.leaf, left), (right, left + 1)]
    }
}

/// Moves the rows that go left before the others, keeping the order on both sides; returns how many
/// go left.
fn partition(rows: &mut [u32], scratch: &mut [u32], goes_left: impl Fn(u32) -> bool) -> usize {
    let (mut left, mut right) = (0, 0);
    for i in 0..rows.len() {
        let row = rows[i];
        // Both are written and one is counted, which avoids a branch.
        rows[left] = row;
        scratch[right] = row;
        let goes = usize::from(goes_left(row));
        left += goes;
        right += 1 - goes;
    }
    rows[left..].copy_from_slice(&scratch[..right]);
    left
}

#[cfg(test)]
mod tests;
