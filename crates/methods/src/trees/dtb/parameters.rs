//! State the parameters of decision theoretic bootstrapping, and check them before use.

use serde::{Deserialize, Serialize};

use crate::parameter::{Choices, Parameters, Words, above, parameters};
use crate::{ParameterError, Reading};

/// Where the UQ set comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UqSet {
    /// Rows of their own: T and U are disjoint.
    #[default]
    Separate,
    /// All training rows: T = U.
    Shared,
}

parameters! {
    /// One more way to play the game on the same models.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SweepPoint {
        /// Purification ratio.
        ratio: f64, in above(0.0).to(1.0);
        /// Number of games K.
        games: usize, in 1..;
    }
}

impl SweepPoint {
    /// Its reading, such as `game@0.05x100`.
    pub fn reading(&self) -> Reading {
        Reading::new(format!("game@{}x{}", self.ratio, self.games))
    }
}

parameters! {
    /// Parameters of DTB besides its learners.
    #[derive(Clone, Debug, PartialEq)]
    pub struct DtbParameters {
        /// Whether U is held out of T, or T = U = all training rows.
        uq_set: UqSet = UqSet::Separate, in Choices;
        /// Share of the training rows in a separate U: round(share × rows), leaving T and U a row.
        uq_fraction: f64 = 0.2, in above(0.0).below(1.0);
        /// Rows of a separate U, instead of `uq_fraction`.
        uq_rows: Option<usize> = None, in 1..;
        /// Share of T that a model is fitted on: max(1, round(share × rows)), without replacement.
        subset_fraction: f64 = 0.5, in above(0.0).to(1.0);
        /// Subsets n of the sorted U.
        bins: usize = 100, in 1..;
        /// Games K that are played.
        games: usize = 100, in 1..;
        /// Purification ratio ns/│U│: share of each bin drawn for a game, one row at least.
        ratio: f64 = 0.2, in above(0.0).to(1.0);
        /// Further pairs of ratio and games, each a reading of its own.
        sweep: Vec<SweepPoint> = Vec::new(), in Words("a list of { ratio, games }");
    }
}

impl DtbParameters {
    /// Checks each parameter, and the rules between them.
    pub(super) fn check_all(&self) -> Result<(), ParameterError> {
        self.check()?;
        if let Some(rows) = self.uq_rows {
            let separate = self.uq_set == UqSet::Separate;
            ParameterError::check(
                separate,
                "uq_rows",
                rows,
                "null, because `uq_set` is \"shared\"",
            )?;
        }
        for (i, point) in self.sweep.iter().enumerate() {
            let name = format!("sweep[{i}]");
            point.check().map_err(|error| error.within(&name))?;
            let first = !self.sweep[..i].contains(point);
            ParameterError::check(
                first,
                &name,
                point.reading(),
                "each pair of ratio and games once",
            )?;
        }
        Ok(())
    }
}
