//! Choose a quantile forest's settings by the out-of-bag CRPS of its training rows.
//!
//! A training row is predicted by the trees whose bootstrap sample left it out, about 37 % of them:
//! a cross-validation that costs no further fit. First each pair of a number of features and a
//! minimum leaf is tried with `search_trees` trees; the pair of the lowest mean CRPS is kept, and
//! its forest gets more trees. Of its prefixes of the lengths `trees`, the one of the lowest CRPS
//! is the model. Trees of the same number t have the same bootstrap sample. With the default grids
//! that is a budget of 8 × 100 trees in the search and 900 after it, the same for every dataset;
//! test rows are not used. The CRPS scores the whole distribution, and is proper: wider intervals
//! alone do not improve it.
//!
//! *Departures:* Meinshausen (2006) fixes all settings. Tagasovska & Lopez-Paz (2019), whom the JCM
//! paper follows, list 100 and 1000 trees and minimum leaves of 3, 9 and 15. Of the settings whose
//! coverage on a fifth of the training rows is within 0.025 of the level, they take the one with
//! the narrowest intervals; their code sets only the number of trees of its forest.

use ndarray::{Array2, ArrayView2, aview1};

use super::grown::{Forest, Ground, Weights};
use super::{FittedForest, ForestFeatures, QuantileForestParameters, seconds};
use crate::engine::own_units::OwnUnits;
use crate::engine::search::{Search, side_table};
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::{Group, one_or_more, parameters};
use crate::side_tables::{Candidates, Outcome};
use crate::{
    Configured, Context, Facts, FitError, Fitted, MethodParameters, ParameterError, Restored,
    SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Atoms, Distribution};

const ID: &str = "quantile-forest-validated";

parameters! {
    /// Parameters of a validated quantile forest: where the search starts, and the values tried.
    #[derive(Clone, Debug, PartialEq)]
    pub struct QuantileForestValidatedParameters {
        /// Settings of everything that is not searched; with `bootstrap`.
        start: QuantileForestParameters = QuantileForestParameters::default(), in Group;
        /// Trees with which `features` and `min_leaf` are searched.
        search_trees: usize = 100, in 1..;
        /// Features tried at each split.
        features: Vec<ForestFeatures> = vec![ForestFeatures::Third, ForestFeatures::All], in ForestFeatures::LIST;
        /// Smallest number of rows in a leaf.
        min_leaf: Vec<usize> = vec![1, 3, 9, 15], in one_or_more(1..);
        /// Numbers of trees.
        trees: Vec<usize> = vec![100, 300, 1000], in one_or_more(1..);
    }
}

impl QuantileForestValidatedParameters {
    /// The settings of the first search.
    fn pairs(&self) -> Vec<QuantileForestParameters> {
        let of = |&features: &ForestFeatures| {
            let leaf = move |&min_leaf: &usize| QuantileForestParameters {
                features,
                min_leaf,
                ..self.start
            };
            self.min_leaf.iter().map(leaf).collect::<Vec<_>>()
        };
        self.features.iter().flat_map(of).collect()
    }
}

/// The quantile forest with settings chosen out of bag.
pub type QuantileForestValidated = Configured<QuantileForestValidatedParameters>;

impl MethodParameters for QuantileForestValidatedParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "quantile regression forest, settings chosen by the out-of-bag CRPS";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "weighted targets of the leaves; leaves, features and trees chosen by the \
                   out-of-bag CRPS",
        cost: |n, d| 4.0 * seconds(n, d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 2;

    fn check_coupled(&self) -> Result<(), ParameterError> {
        self.start.check_coupled().map_err(|error| error.within("start"))?;
        let bootstrap = self.start.bootstrap;
        ParameterError::check(
            bootstrap,
            "start.bootstrap",
            bootstrap,
            "true: without it no row is out of bag",
        )
    }

    fn facts(&self) -> Facts {
        Facts { predicts_targets: true, ..Facts::default() }
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::<FittedForest<Self>>::restored(state)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        let ground = Ground::new(ID, train)?;
        let mut pairs = Search::default();
        let mut best = None;
        for pair in self.pairs() {
            let settings = QuantileForestParameters { trees: self.search_trees, ..pair };
            let mut forest = Forest::new(&ground);
            forest.grow_to(settings.trees, &ground, &settings, context)?;
            let crps = out_of_bag_crps(&forest, settings.trees, train, context)?;
            if pairs.add(settings, Ok(-crps))? {
                best = Some((settings, forest));
            }
        }
        let Some((pair, mut forest)) = best else {
            return Err(FitError::Unsupported(format!("{ID}: no candidate has a score")));
        };
        let mut counts = self.trees.clone();
        counts.sort_unstable();
        counts.dedup();
        let mut sizes = Search::default();
        for &trees in &counts {
            let settings = QuantileForestParameters { trees, ..pair };
            forest.grow_to(trees, &ground, &settings, context)?;
            sizes.add(settings, Ok(-out_of_bag_crps(&forest, trees, train, context)?))?;
        }
        let settings = sizes.best().map_or(pair, |(settings, _)| *settings);
        forest.truncate(settings.trees);
        let tried =
            pairs.scored().chain(sizes.scored().filter(|(settings, _)| !pairs.has_tried(settings)));
        let mut side_tables = vec![search(tried, &settings, train.columns())];
        if settings.out_of_bag {
            side_tables.push(super::out_of_bag(&forest, train, context)?);
        }
        Ok(FittedForest::<Self>::boxed(forest, side_tables))
    }
}

/// Mean CRPS of the training rows, each by those of the first `trees` trees that were grown without
/// it.
fn out_of_bag_crps(
    forest: &Forest,
    trees: usize,
    train: &Table,
    context: &Context,
) -> Result<f64, FitError> {
    let (mut sum, mut rows) = (0.0, 0);
    let features: ArrayView2<f64> = train.features.view();
    forest.weigh_out_of_bag_of(trees, features, context, |row, weights| {
        // Never undefined: there is at least one atom, and all numbers are finite.
        sum += crps(forest, weights, train.target[row]).unwrap_or(f64::INFINITY);
        rows += 1;
    })?;
    if rows == 0 {
        let found = train.rows();
        return Err(FitError::Unsupported(format!(
            "none of {found} training rows is out of the bag of any of {trees} trees: choose the \
             settings of `quantile-forest` by hand, or take more trees or rows"
        )));
    }
    Ok(sum / f64::from(rows))
}

fn crps(forest: &Forest, weights: &Weights, y: f64) -> Option<f64> {
    let values: Vec<f64> =
        weights.atoms.iter().map(|atom| forest.values()[atom.0 as usize]).collect();
    let weights: Vec<f64> = weights.atoms.iter().map(|atom| atom.1).collect();
    let row = |numbers: &[f64]| -> Array2<f64> {
        aview1(numbers).insert_axis(ndarray::Axis(0)).to_owned()
    };
    Atoms { values: row(&values), weights: row(&weights) }.crps(0, y)
}

/// The side table `search`: one row for each setting, `features` as a number, `chosen` 1 for the
/// model's.
fn search<'a>(
    tried: impl Iterator<Item = (&'a QuantileForestParameters, f64)>,
    chosen: &QuantileForestParameters,
    columns: usize,
) -> SideTable {
    let numbers = |s: &QuantileForestParameters| {
        [s.features.count(columns), s.min_leaf, s.trees].map(|number| number as f64).to_vec()
    };
    let names = ["features", "min_leaf", "trees"];
    let losses = tried.map(|(settings, score)| (settings, -score));
    side_table(Candidates::SEARCH, &names, numbers, Outcome::Crps, losses, chosen)
}
