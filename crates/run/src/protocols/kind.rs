//! Define what every kind of protocol provides.

use super::answers::{Fit, Observation};
use super::repetition::{Repetition, RowSubset, Rows, Source};
use uq_core::{Dependence, Table};
use uq_methods::{FitError, Reading};
use uqbench_data::splits::{Split, SplitError};

/// How the test rows of one repetition are related to those of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestRows {
    /// A simulated problem draws new ones.
    New,
    /// Each row of the dataset is tested once before any is tested again.
    InTurn,
    /// Each repetition draws a share of the rows at random.
    Random,
    /// An interval of a feature decides.
    Chosen,
}

/// What a benchmark plans to do with a protocol, as far as that is known without the data.
pub struct Usage<'a> {
    /// Keys of the datasets.
    pub datasets: Vec<&'a str>,
    /// Which rows take part.
    pub rows: RowSubset,
    /// The profiles.
    pub profiles: Vec<ProfileUsage>,
}

/// What a profile plans to do with a protocol.
pub struct ProfileUsage {
    /// The profile's name.
    pub name: &'static str,
    /// Number of splits.
    pub splits: u64,
    /// Whether each split is repeated with several seeds.
    pub has_seeds: bool,
}

/// A kind of protocol. Its fields are its keys in a benchmark file and part of the trial's key.
pub trait ProtocolKind {
    /// Number of different repetitions; `None` where it is unlimited. A dataset may have fewer.
    fn repetitions(&self) -> Option<u64> {
        None
    }

    /// Number of different repetitions of this dataset, where it has fewer than others; `None`
    /// otherwise.
    fn repetitions_of(&self, _dataset: &str) -> Option<u64> {
        None
    }

    /// Number of splits that make up one repetition, whose scores are averaged.
    fn splits_a_repetition(&self) -> u64 {
        1
    }

    /// Whether all repetitions fit and test the same rows, and differ in the seed of the fit alone:
    /// their spread tells nothing of other rows.
    fn repeats_the_same_rows(&self) -> bool {
        false
    }

    /// How the test rows of its repetitions are related.
    fn test_rows(&self) -> TestRows {
        TestRows::Random
    }

    /// Whether its scores compare methods on unseen rows of a dataset. `false` for protocols that
    /// only serve figures or simulated problems.
    fn compares_methods(&self) -> bool {
        true
    }

    /// Number of fits after the first one that a trial keeps one by one, so that a stopped trial
    /// goes on after the last; 0 for a protocol that keeps none.
    fn kept_steps(&self) -> usize {
        0
    }

    /// Whether rows of equal features are kept on one side.
    fn keeps_groups(&self) -> bool {
        false
    }

    /// Whether rows count as exchangeable whatever the dataset states of their groups and times,
    /// which is then withheld from the fit, too.
    fn ignores_dependence(&self) -> bool {
        false
    }

    /// The readings of a trial of a method that offers `own`.
    fn readings(&self, own: Vec<Reading>) -> Vec<Reading> {
        own
    }

    /// Finds the first number or name with which no rows could be divided.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn check(&self, usage: &Usage) -> Result<(), String>;

    /// Divides `all` rows of a pinned dataset into training rows and test rows. The default is for
    /// protocols of simulated problems, whose [`ProtocolKind::rows`] refuses a dataset before it is
    /// divided.
    ///
    /// # Errors
    /// [`SplitError`] where these rows cannot be divided so.
    fn divide(&self, _repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        Err(SplitError::TooFewRows { rows: all.rows() })
    }

    /// Selects and divides the rows of one repetition. The default divides a pinned dataset and
    /// refuses a simulated problem.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where the protocol does not fit the source or cannot divide its
    /// rows.
    fn rows(&self, repetition: &Repetition, source: Source) -> Result<Rows, FitError> {
        let Source::Table(table) = source else { return Err(wrong_source()) };
        let mut all = repetition.select(table);
        let split = self
            .divide(repetition, &all)
            .map_err(|error| FitError::Unsupported(error.to_string()))?;
        if self.ignores_dependence() {
            all.dependence = Dependence::Unknown;
        }
        let (train, test) = (all.select(&split.train), all.select(&split.test));
        Ok(Rows { train, test, noise: None, truth: None, all })
    }

    /// Observes a fit of the training rows. The default predicts the test rows by each of the
    /// method's readings.
    ///
    /// # Errors
    /// [`FitError`] from the method; [`FitError::Diverged`] where it returns an invalid
    /// distribution.
    fn observe(&self, fit: &Fit) -> Result<Observation, FitError> {
        fit.at_test_rows()
    }
}

/// The refusal of a source that the protocol does not fit.
pub(super) fn wrong_source() -> FitError {
    let why = "a simulated problem needs `demonstration` or `active-learning`, an objective \
               `bayesian-optimisation` or `objective-sample`, a pinned dataset any other protocol";
    FitError::Unsupported(why.into())
}
