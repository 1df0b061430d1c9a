//! Grow linfa's classification tree so that the same rows always give the same tree.
//!
//! linfa counts classes in hash maps, whose order differs from map to map and from run to run. It
//! sums over them, and takes the class that comes first where two are equally frequent. With three
//! classes or more, the last bits of an impurity, ties between splits and majorities are therefore
//! arbitrary: 50 fits of six classes to the same 200 rows gave 45 different trees. Only trees of
//! two classes are grown here, because a sum of two numbers does not depend on their order. The
//! lower class counts [`LOWER_WEIGHT`] times, so that no two counts are equal: a tie goes to the
//! lower class.
//!
//! In single precision, up to 4095 rows of the lower class sum to n₀ (1 + 2⁻¹²) exactly. That is no
//! whole number, but n₁ is. With more rows of the lower class, a tie needs n₁ above 4096 too. So up
//! to [`MOST_ROWS`] rows have no tie.

use linfa::DatasetBase;
use linfa::traits::Fit;
use linfa_trees::DecisionTree;
use ndarray16::{Array1 as LinfaVector, Array2 as LinfaMatrix};

use crate::{Context, FitError};

/// Weight of a row of the lower class, 1 + 2⁻¹²; a row of the upper class weighs 1.
const LOWER_WEIGHT: f32 = 1.0 + 1.0 / 4096.0;

/// Largest number of rows of a table.
pub(super) const MOST_ROWS: usize = 8192;

/// Largest number of splits between root and leaf: linfa's trees recurse to their depth.
pub(super) const MOST_DEPTH: usize = 128;

/// Largest value of the smallest number of rows in a leaf.
pub(super) const LARGEST_LEAF: usize = 4096;

/// A tree that separates rows above a class (`true`) from rows at it.
pub(super) type BinaryTree = DecisionTree<f64, bool>;

/// Grows trees for linfa's ensemble, or a single one.
#[derive(Clone, Copy)]
pub(super) struct Grower<'a> {
    /// Largest number of splits between root and leaf.
    pub max_depth: u16,
    /// Smallest number of rows in a leaf.
    pub min_leaf: u16,
    pub context: &'a Context,
}

/// The outer error never occurs: linfa's ensemble would panic on it.
impl Fit<LinfaMatrix<f64>, LinfaVector<bool>, linfa::error::Error> for Grower<'_> {
    type Object = Result<BinaryTree, FitError>;

    fn fit(
        &self,
        rows: &DatasetBase<LinfaMatrix<f64>, LinfaVector<bool>>,
    ) -> Result<Self::Object, linfa::error::Error> {
        if let Err(stop) = self.context.checkpoint() {
            return Ok(Err(stop));
        }
        let weights = rows.targets.mapv(|above| if above { 1.0 } else { LOWER_WEIGHT });
        let weighed =
            DatasetBase::new(rows.records.view(), rows.targets.view()).with_weights(weights);
        let settings = BinaryTree::params()
            .max_depth(Some(usize::from(self.max_depth)))
            .min_weight_leaf(f32::from(self.min_leaf));
        let grown: Result<BinaryTree, linfa::error::Error> = settings.fit(&weighed);
        Ok(grown.map_err(|error| FitError::Diverged(format!("linfa's tree: {error}"))))
    }
}
