//! Hold what the predictions of one split are scored against, and what tells whether their author
//! has seen it.

use std::collections::HashSet;

use super::{Board, LeagueError};
use crate::protocols::{Outcomes, Rows, Source};
use uqbench_data::Library;

/// The outcomes of the test rows of one split, m, and what else is known of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// What metrics need.
    pub outcomes: Outcomes,
    /// Whether no training row of the split has the outcome, m: a method that predicts outcomes
    /// that it has seen cannot know it.
    pub is_new: Vec<bool>,
    /// Mean and standard deviation of the training rows' targets, by which a target is
    /// standardised.
    pub training: (f64, f64),
}

impl Truth {
    /// That of the rows that a protocol has chosen.
    fn of(rows: Rows, source: Source) -> Self {
        let train = &rows.train.target;
        let known: HashSet<u64> = train.iter().copied().map(bits).collect();
        let is_new = rows.test.target.iter().map(|y| !known.contains(&bits(*y))).collect();
        let training = (train.mean().unwrap_or(0.0), train.std(0.0));
        Self { is_new, training, outcomes: Outcomes::of(rows, source) }
    }

    /// Number of test rows, m.
    pub fn rows(&self) -> usize {
        self.is_new.len()
    }
}

impl Board {
    /// What the predictions of each split are scored against, by dataset and split.
    ///
    /// # Errors
    /// [`LeagueError::Data`] where datasets are not at hand, and as [`Board::of_each_split`].
    pub fn truths(&self, library: &Library) -> Result<Vec<Vec<Truth>>, LeagueError> {
        let tables = self.load(library)?;
        let places: Vec<&str> = self.datasets.iter().map(|one| one.key.as_str()).collect();
        self.of_each_split(&tables, |dataset, _, rows| {
            let place = places.iter().position(|key| *key == dataset.key).unwrap_or_default();
            Ok(Truth::of(rows, Source::Table(&tables[place])))
        })
    }
}

/// The bits of a number; both zeros are one.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}
