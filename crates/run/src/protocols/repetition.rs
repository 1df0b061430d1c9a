//! Select the rows of one repetition of an experiment.

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use uq_core::Table;
use uq_core::math::random::{Streams, draw_without_replacement};
use uqbench_data::imputation::Imputation;
use uqbench_data::objectives::Problem;
use uqbench_data::simulated::{Drawn, Simulated};

/// Which rows of a dataset take part. Part of the trial's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowSubset {
    /// Every row.
    #[default]
    All,
    /// This number of rows, drawn once per dataset and root seed, the same for every method and
    /// split.
    Random(usize),
}

/// Where the rows of an experiment come from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A pinned dataset.
    Table(&'a Table),
    /// A simulated problem.
    Simulated(&'a Simulated),
    /// A function that is evaluated where the experiment asks.
    Objective(&'a Problem<'a>),
}

/// What the rows of one repetition depend on, besides its protocol.
#[derive(Clone, Debug, PartialEq)]
pub struct Repetition<'a> {
    /// Key of the dataset: some have splits of their own.
    pub dataset: &'a str,
    /// Which rows take part.
    pub rows: RowSubset,
    /// Number of the repetition.
    pub split: u64,
    /// Streams that depend on the dataset, never on the method, so that all methods see the same
    /// rows.
    pub streams: Streams,
}

impl Repetition<'_> {
    /// The rows of a pinned dataset that take part.
    pub(super) fn select(&self, table: &Table) -> Table {
        match self.rows {
            RowSubset::All => table.clone(),
            RowSubset::Random(count) => {
                let mut rng = self.streams.stream("rows", 0);
                table.select(&draw_without_replacement(table.rows(), count, &mut rng))
            }
        }
    }

    /// The rows that a simulated problem draws for this repetition.
    pub(super) fn draw(&self, problem: &Simulated) -> Drawn {
        problem.draw(&mut self.streams.stream("draw", self.split))
    }
}

/// Training rows, test rows, and every row that takes part.
#[derive(Debug)]
pub struct Rows {
    /// The training set.
    pub train: Table,
    /// The test set.
    pub test: Table,
    /// True standard deviation of the noise at the test rows, where it is known, in the target's
    /// own units.
    pub noise: Option<Array1<f64>>,
    /// Noise-free truth at the test rows, where it is known, in the target's own units.
    pub truth: Option<Array1<f64>>,
    /// Every row that takes part.
    pub all: Table,
}

impl Rows {
    /// The same rows with missing features filled in by the medians of the training rows, but for
    /// those that the method [takes as missing](uq_methods::Facts::takes_missing).
    pub(super) fn imputed(mut self, takes_missing: bool) -> Self {
        let misses = |table: &Table| table.features.iter().any(|value| value.is_nan());
        if [&self.train, &self.test, &self.all].into_iter().any(misses) {
            let imputation = Imputation::by(&self.train.features, takes_missing);
            for table in [&mut self.train, &mut self.test, &mut self.all] {
                imputation.fill(&mut table.features);
            }
        }
        self
    }
}
