//! Protocols: how one repetition of an experiment uses a method.
//!
//! [`Protocol`] lists the kinds, each in a file of its own: it says which rows are fitted, which
//! are tested, and what is observed of a fit. [`run`] takes a table or a simulated problem and a
//! method, and goes through the steps: select, split, scale, fit, predict, and convert back to the
//! units of the scores. It returns an [`Observed`], which the runner scores and stores. Start with
//! [`ProtocolKind`], then [`run`].

mod active_learning;
mod answers;
mod bayesian_optimisation;
mod demonstration;
mod fit_tables;
mod gap;
mod given;
mod grouped;
mod holdout;
mod k_fold;
mod kind;
mod limits;
mod new_rows;
mod numpy_k_fold;
mod objective_sample;
mod pool_learning;
mod repetition;
mod rolling_origin;
mod run;
mod sequential;
mod standard;
mod tail;
#[cfg(test)]
mod tests;
mod units;
mod validation;
mod whole_data;

pub use active_learning::ActiveLearning;
pub use answers::{Fit, Observation};
pub use bayesian_optimisation::BayesianOptimisation;
pub use demonstration::Demonstration;
pub use fit_tables::FitTables;
pub use gap::Gap;
pub use given::{Given, GivenFile};
pub use grouped::Grouped;
pub use holdout::Holdout;
pub use k_fold::{GroupedKFold, KFold};
pub use kind::{ProfileUsage, ProtocolKind, TestRows, Usage};
pub use limits::MOST_SPLITS;
pub use new_rows::{KeptFit, WholeFit};
pub use numpy_k_fold::NumpyKFold;
pub use objective_sample::ObjectiveSample;
pub use pool_learning::PoolLearning;
pub use repetition::{Repetition, RowSubset, Rows, Source};
pub use rolling_origin::RollingOrigin;
pub use run::{Observed, Outcomes, ScoreUnits, Setting, run, run_keeping};
pub use sequential::{Acquisition, Beta, Choice, Criterion, Journal, Search, Step, StepReading};
pub use standard::Standard;
pub use tail::Tail;
pub use validation::Validation;
pub use whole_data::WholeData;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::kinds::kinds;

kinds! {
    /// How one repetition of an experiment goes. Part of the trial's key.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub enum Protocol: ProtocolKind {
        /// One random split into training and test rows per repetition.
        Holdout(Holdout),
        /// The training rows and the test grid of a simulated problem.
        Demonstration,
        /// The standard 90/10 splits of the Bayesian-network literature.
        Standard,
        /// Shuffled k-fold cross-validation.
        KFold(KFold),
        /// The folds of scikit-learn.
        NumpyKFold(NumpyKFold),
        /// Every row is a training row and a test row.
        WholeData,
        /// Acquisition functions add rows of a pool.
        ActiveLearning(ActiveLearning),
        /// Acquisition functions add rows of a dataset, and each step fits anew.
        PoolLearning(PoolLearning),
        /// Acquisition functions choose where an objective is evaluated.
        BayesianOptimisation(BayesianOptimisation),
        /// Training and test points of an objective.
        ObjectiveSample(ObjectiveSample),
        /// One random split that keeps rows of equal features on one side.
        Grouped(Grouped),
        /// K-fold cross-validation that keeps rows of equal features on one side.
        GroupedKFold(GroupedKFold),
        /// Blocks in time, each tested by the rows before it.
        RollingOrigin(RollingOrigin),
        /// The test rows lie in an interval of one feature.
        Gap(Gap),
        /// The test rows lie at one end of one feature's range.
        Tail(Tail),
        /// The test rows stand in a file.
        Given(Given),
        /// A part of the training rows of another protocol's repetition.
        Validation(Validation),
    }
}

impl Protocol {
    /// Raised whenever the same input would give other rows.
    pub const VERSION: u32 = 1;

    /// The protocol that divides all rows: itself, or for [`Validation`] the protocol whose
    /// training rows it divides.
    pub fn outer(&self) -> &Self {
        match self {
            Self::Validation(inside) => inside.of.outer(),
            _ => self,
        }
    }

    /// The protocol of one trial: splits of a file become the rows of this one, so that the trial
    /// says by itself which rows it tests.
    #[must_use]
    pub fn of_trial(&self, dataset: &str, split: u64) -> Self {
        match self {
            Self::Given(given) => Self::Given(given.of_trial(dataset, split)),
            Self::Validation(inside) => Self::Validation(Validation {
                of: Box::new(inside.of.of_trial(dataset, split)),
                ..inside.clone()
            }),
            _ => self.clone(),
        }
    }

    /// The protocol without its acquisitions, which change neither the rows of a split nor the
    /// first fit.
    pub fn without_acquisitions(&self) -> Cow<'_, Self> {
        match self {
            Self::PoolLearning(pool) => {
                Cow::Owned(Self::PoolLearning(PoolLearning { acquire: Vec::new(), ..pool.clone() }))
            }
            Self::BayesianOptimisation(protocol) => {
                Cow::Owned(Self::BayesianOptimisation(BayesianOptimisation {
                    acquire: Vec::new(),
                    refit: false,
                    ..protocol.clone()
                }))
            }
            _ => Cow::Borrowed(self),
        }
    }

    /// The protocol with these acquisitions, where it takes any, and with refits, where it takes
    /// them.
    pub fn acquiring(&self, acquire: &[Acquisition], refit: bool) -> Self {
        match self {
            Self::PoolLearning(pool) => {
                Self::PoolLearning(PoolLearning { acquire: acquire.to_vec(), ..pool.clone() })
            }
            Self::BayesianOptimisation(protocol) => {
                Self::BayesianOptimisation(BayesianOptimisation {
                    acquire: acquire.to_vec(),
                    refit,
                    ..protocol.clone()
                })
            }
            _ => self.clone(),
        }
    }

    /// Number of additions by each acquisition; `None` where nothing is acquired.
    pub fn additions(&self) -> Option<usize> {
        match self {
            Self::PoolLearning(pool) => Some(pool.steps),
            Self::BayesianOptimisation(protocol) => Some(protocol.evaluations),
            _ => None,
        }
    }

    /// Whether this acquisition chooses what the protocol adds.
    pub fn takes(&self, acquisition: Acquisition) -> bool {
        match self {
            Self::PoolLearning(_) => acquisition.chooses_rows(),
            Self::BayesianOptimisation(_) => acquisition.chooses_points(),
            _ => false,
        }
    }
}
