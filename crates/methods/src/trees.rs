//! Regression trees, quantile regression forests, the zero-sum game over models, and decision
//! theoretic bootstrapping (DTB), which plays it.

mod bootstrap_game;
pub mod cart;
pub mod dtb;
pub mod forest;
mod gain;
pub mod game;
mod grow;
mod parameters;
mod presort;
mod references;
mod simplex;
mod tree;
mod weights;

pub use cart::Cart;
pub use dtb::{Dtb, DtbParameters, LearnerGroup, SweepPoint, UqSet};
pub use forest::{
    DistributionalForest, DistributionalForestParameters, Forest, QuantileForest,
    QuantileForestParameters, QuantileForestValidated, QuantileForestValidatedParameters,
};
pub use game::{Equilibrium, GameError, solve};
pub use parameters::{CartParameters, SplitFeatures};
pub use presort::Presort;
pub use references::PUBLICATIONS;
pub use tree::Tree;
