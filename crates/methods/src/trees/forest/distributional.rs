//! Predict the whole conditional distribution with a distributional random forest (Ćevid, Michel,
//! Näf, Bühlmann and Meinshausen, 2022), whose splits separate distributions and not means alone.
//!
//! A quantile forest splits where means differ, and leaves rows together whose targets have one
//! mean and different spreads. Here the split of a node P into L and R has the largest
//!
//! ```text
//! 1/B Σ_b  n_L n_R / n_P²  | 1/n_L Σ_L φ_b(Y_i) − 1/n_R Σ_R φ_b(Y_i) |²,    φ_b(y) = exp(i ω_b y)
//! ```
//!
//! with frequencies ω_b ~ N(0, 1/σ²) that are drawn anew in each node: an estimate of the squared
//! maximum mean discrepancy of both sides' targets under a Gaussian kernel of length scale σ.
//! Weights and prediction are those of the [quantile forest](super). A tree is grown on half of the
//! rows, drawn without replacement; of these, one half chooses the splits and the other half is in
//! the leaves (honesty), and a split one of whose sides gets no row is removed.
//!
//! # Departures
//! Settings are those of the package `drf` 1.3.1 by the authors. From its code: (a) σ is the median
//! distance of two targets over √2, which is the median heuristic (Gretton et al., 2012); the
//! package takes the median of the square *root* of half the distance, which has no unit of length,
//! on targets of unit variance. (b) The package's frequencies are the same in every node, because
//! each node makes a generator with the same seed; here each node draws its own, so that no tree
//! hangs on ten numbers. (c) The package computes n_L n_R / n_P in whole numbers, cut off, so that
//! a child of one row never has a gain. (d) It asks for a tenth of the rows on each side where
//! *both* sides have less, which never holds; here the share `balance`, its `alpha`, binds each
//! side. (e) The number of features tried is `features`, not a draw with this mean.
//!
//! # References
//! D. Ćevid, L. Michel, J. Näf, P. Bühlmann, N. Meinshausen: Distributional random forests,
//! *Journal of Machine Learning Research* 23 (333), 1–79, 2022; A. Gretton, K. Borgwardt, M. Rasch,
//! B. Schölkopf, A. Smola: A kernel two-sample test, *Journal of Machine Learning Research* 13,
//! 723–773, 2012.

use super::grown::{Forest, ForestTree, Ground};
use super::honest::repopulated;
use super::{FittedForest, SplitFeatures};
use crate::engine::own_units::OwnUnits;
use crate::engine::rows::at_least;
use crate::entry::{DEFAULTS, Tried, sorted};
use crate::parameter::{Choices, above, parameters};
use crate::trees::CartParameters;
use crate::trees::gain::{Fourier, Squares};
use crate::trees::grow::{Rules, grow_by, members};
use crate::{Configured, Context, Facts, FitError, Fitted, MethodParameters, Restored};
use uq_core::Table;
use uq_core::math::median::median;
use uq_core::math::random::draw_without_replacement;

const ID: &str = "distributional-forest";

/// Number of targets whose distances give the length scale: order statistics, evenly spaced.
const SPACED: usize = 1000;

parameters! {
    /// Parameters of a distributional random forest.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct DistributionalForestParameters {
        /// Number of trees.
        trees: usize = 500, in 1..;
        /// Nodes of at most this many rows are not split.
        max_leaf: usize = 15, in 1..;
        /// Smallest share of a node's rows on either side of its split.
        balance: f64 = 0.05, in 0.0..=0.5;
        /// Features tried at each split; null: √d + 20, rounded up, or all d where there are fewer.
        features: Option<usize> = None, in 1..;
        /// Length scale σ of the kernel, in units of the target; null: the median distance of two
        /// targets over √2.
        bandwidth: Option<f64> = None, in above(0.0);
        /// Whether one half of a tree's rows chooses the splits and the other half is in the
        /// leaves.
        honest: bool = true, in Choices;
    }
}

/// The distributional random forest as a method.
pub type DistributionalForest = Configured<DistributionalForestParameters>;

impl MethodParameters for DistributionalForestParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "distributional random forest: weighted targets of leaves that separate distributions";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "500 honest trees on half of the rows, splits by the maximum mean discrepancy",
        cost: |n, d| 1e-5 * sorted(n, 1.0) * d.powf(0.7),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn facts(&self) -> Facts {
        Facts { predicts_targets: true, ..Facts::default() }
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::<FittedForest<Self>>::restored(state)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        at_least(ID, 2, train.rows())?;
        let ground = Ground::new(ID, train)?;
        let bandwidth = self.bandwidth.or_else(|| median_distance(&ground.target));
        let mut trees = Vec::with_capacity(self.trees);
        for t in 0..self.trees {
            context.checkpoint()?;
            trees.push(self.tree(&ground, train, bandwidth, context, t as u64));
        }
        Ok(FittedForest::<Self>::boxed(Forest::of_trees(&ground, trees), Vec::new()))
    }
}

impl DistributionalForestParameters {
    /// Tree t, which draws its rows from the stream `("rows", t)`, its features and frequencies
    /// from `("splits", t)`.
    fn tree(
        &self,
        ground: &Ground,
        train: &Table,
        bandwidth: Option<f64>,
        context: &Context,
        t: u64,
    ) -> ForestTree {
        let (rows, d) = (train.rows(), train.columns());
        // Two rows at least, so that each half has one.
        let drawn =
            draw_without_replacement(rows, rows.div_ceil(2).max(2), &mut context.stream("rows", t));
        let (splitting, leaves) =
            if self.honest { drawn.split_at(drawn.len() / 2) } else { (&drawn[..], &drawn[..]) };
        let [seen, chose, holds] = [&drawn, splitting, leaves].map(|chosen| counts(chosen, rows));
        let wanted = self.features.unwrap_or((d as f64).sqrt().ceil() as usize + 20);
        let features = if wanted < d { SplitFeatures::Count(wanted) } else { SplitFeatures::All };
        let cart = CartParameters { features, ..CartParameters::default() };
        let rules = Rules { cart, max_leaf: self.max_leaf, balance: self.balance };
        let (target, rng) = (&ground.target, &mut context.stream("splits", t));
        let bag = (&chose[..], members(&chose));
        let grown = match bandwidth {
            Some(bandwidth) => {
                grow_by(&ground.columns, target, bag, Fourier::new(target, bandwidth), &rules, rng)
            }
            // All targets are equal: the tree is one leaf by any gain.
            None => {
                let gain = Squares::new(target, &bag.1, &bag.0);
                grow_by(&ground.columns, target, bag, gain, &rules, rng)
            }
        };
        let tree = repopulated(grown, &members(&holds), train.features.view(), target);
        ground.keep(tree, &holds, |row| seen[row] > 0, true)
    }
}

/// How often each of `rows` rows is among the chosen ones.
fn counts(chosen: &[usize], rows: usize) -> Vec<u32> {
    let mut counts = vec![0; rows];
    chosen.iter().for_each(|&row| counts[row] += 1);
    counts
}

/// The median distance of two targets over √2: of those that are not equal, where most are; `None`
/// where all are.
fn median_distance(target: &[f64]) -> Option<f64> {
    let mut sorted = target.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let count = sorted.len().min(SPACED);
    let spaced: Vec<f64> =
        (0..count).map(|i| sorted[i * (sorted.len() - 1) / (count - 1).max(1)]).collect();
    let mut distances = Vec::with_capacity(count * count / 2);
    for (i, high) in spaced.iter().enumerate() {
        distances.extend(spaced[..i].iter().map(|low| high - low));
    }
    let positive = |distances: Vec<f64>| median(distances).filter(|distance| *distance > 0.0);
    let median = positive(distances.clone())
        .or_else(|| positive(distances.into_iter().filter(|distance| *distance > 0.0).collect()));
    median.map(|distance| distance / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests;
