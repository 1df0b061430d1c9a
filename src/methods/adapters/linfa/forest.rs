//! Fit linfa's ensemble of decision trees to a target of few values: probabilities from the votes of the trees.
//!
//! Each tree sees rows and features drawn with replacement. linfa's own answer, the class with most votes, is not used: which of two
//! equal ones it takes is a matter of luck, and it says nothing of the others.
//!
//! *References*: Breiman (1996), Bagging predictors, Machine Learning 24; Ho (1998), The random subspace method for constructing
//! decision forests, IEEE TPAMI 20.

use linfa::DatasetBase;
use linfa::traits::{Fit, Predict};
use linfa_ensemble::{EnsembleLearner, EnsembleLearnerParams};
use ndarray16::{Array1 as LinfaVector, Array2 as LinfaMatrix, Axis};
use rand::RngExt;
use rand_chacha03::ChaCha8Rng;
use rand_chacha03::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::classifier::{BinaryClassifier, ClassifierMethod, Tally};
use super::grower::{BinaryTree, Grower};
use crate::methods::{Context, FitError, ParameterError};

/// Parameters of linfa's ensemble of decision trees.
///
/// | name | default | range | meaning |
/// | --- | --- | --- | --- |
/// | `trees` | 100 | 1 to 65535 | number of trees |
/// | `max_depth` | 32 | 1 to 128 | splits between root and leaf at most |
/// | `min_leaf` | 1 | 1 to 4096 | rows of a leaf at least |
/// | `rows` | 1 | (0, 1] | rows that a tree draws, as a share of the rows |
/// | `features` | 1 | (0, 1] | features that a tree draws, as a share of the features; with 1 it sees about 63 % of them |
/// | `smoothing` | 1 | ≥ 0 | added to the votes of both sides, so that no value of the training rows is impossible |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LinfaForestParameters {
    /// Number of trees.
    pub trees: u16,
    /// Splits between root and leaf at most.
    pub max_depth: u16,
    /// Rows of a leaf at least.
    pub min_leaf: u16,
    /// Rows that a tree draws, as a share of the rows.
    pub rows: f64,
    /// Features that a tree draws, as a share of the features.
    pub features: f64,
    /// Added to the votes of both sides.
    pub smoothing: f64,
}

impl Default for LinfaForestParameters {
    fn default() -> Self {
        Self { trees: 100, max_depth: 32, min_leaf: 1, rows: 1.0, features: 1.0, smoothing: 1.0 }
    }
}

/// linfa's ensemble of decision trees as a method; a prediction is the probabilities of the target's values.
pub type LinfaForest = ClassifierMethod<LinfaForestParameters>;

impl BinaryClassifier for LinfaForestParameters {
    const ID: &'static str = "linfa-forest";
    const VERSION: u32 = 1;
    const DETERMINISTIC: bool = false;
    /// Trees, and the features that each of them sees.
    type Fitted = Vec<(BinaryTree, Vec<usize>)>;

    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::check(self.trees >= 1, "trees", self.trees, "a whole number from 1 to 65535")?;
        for (name, share) in [("rows", self.rows), ("features", self.features)] {
            ParameterError::check(share > 0.0 && share <= 1.0, name, share, "a number above 0 and at most 1")?;
        }
        Grower::check(self.max_depth, self.min_leaf)
    }

    fn smoothing(&self) -> f64 {
        self.smoothing
    }

    /// Rows and features are drawn by a generator that the stream `("bootstrap", 0)` seeds.
    fn fit(
        &self,
        ranks: LinfaMatrix<f64>,
        above: LinfaVector<bool>,
        context: &Context,
    ) -> Result<Self::Fitted, FitError> {
        let grower = Grower { max_depth: self.max_depth, min_leaf: self.min_leaf, context };
        let generator = ChaCha8Rng::from_seed(context.stream("bootstrap", 0).random());
        let settings = EnsembleLearnerParams::new_fixed_rng(grower, generator)
            .ensemble_size(usize::from(self.trees))
            .bootstrap_proportion(self.rows)
            .feature_proportion(self.features);
        let EnsembleLearner { models, model_features } = settings
            .fit(&DatasetBase::new(ranks, above))
            .map_err(|error: linfa::error::Error| FitError::Diverged(format!("linfa's ensemble: {error}")))?;
        models.into_iter().zip(model_features).map(|(tree, features)| Ok((tree?, features))).collect()
    }

    fn tally(fitted: &Self::Fitted, ranks: &LinfaMatrix<f64>) -> Vec<Tally> {
        let mut tallies = vec![Tally { at: 0.0, above: 0.0 }; ranks.nrows()];
        for (tree, features) in fitted {
            let votes: LinfaVector<bool> = tree.predict(&ranks.select(Axis(1), features));
            for (tally, &above) in tallies.iter_mut().zip(&votes) {
                *(if above { &mut tally.above } else { &mut tally.at }) += 1.0;
            }
        }
        tallies
    }
}
