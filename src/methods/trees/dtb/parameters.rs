//! Say how decision theoretic bootstrapping separates, draws and plays, and check it before use.

use serde::{Deserialize, Serialize};

use crate::methods::{ParameterError, Reading};

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

/// One more way to play the game on the same models.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepPoint {
    /// Purification ratio.
    pub ratio: f64,
    /// Number of games K.
    pub games: usize,
}

impl SweepPoint {
    /// Its reading, such as `game@0.05x100`.
    pub fn reading(&self) -> Reading {
        Reading::new(format!("game@{}x{}", self.ratio, self.games))
    }
}

/// Parameters of DTB besides its learners.
///
/// | name | default | range | meaning |
/// | --- | --- | --- | --- |
/// | `uq_set` | `"separate"` | `"separate"`, `"shared"` | whether U is held out of T, or T = U = all training rows |
/// | `uq_fraction` | 0.2 | (0, 1) | share of the training rows in a separate U: round(share × rows), leaving T and U a row |
/// | `uq_rows` | null | ≥ 1 or null | rows of a separate U, instead of `uq_fraction` |
/// | `subset_fraction` | 0.5 | (0, 1] | share of T that a model is fitted on: max(1, round(share × rows)), no replacement |
/// | `bins` | 100 | ≥ 1 | n, subsets of the sorted U |
/// | `games` | 100 | ≥ 1 | K, games played |
/// | `ratio` | 0.2 | (0, 1] | purification ratio ns/│U│: share of each bin drawn for a game, one row at least |
/// | `sweep` | [] | as `ratio`, `games` | further pairs `{ratio, games}`, each a reading of its own |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DtbParameters {
    /// Where the UQ set comes from.
    pub uq_set: UqSet,
    /// Share of the training rows in a separate UQ set.
    pub uq_fraction: f64,
    /// Rows of a separate UQ set; overrides the share.
    pub uq_rows: Option<usize>,
    /// Share of T that each model is fitted on.
    pub subset_fraction: f64,
    /// Subsets n of the sorted UQ set.
    pub bins: usize,
    /// Games K.
    pub games: usize,
    /// Purification ratio.
    pub ratio: f64,
    /// Further ways to play.
    pub sweep: Vec<SweepPoint>,
}

impl Default for DtbParameters {
    fn default() -> Self {
        Self {
            uq_set: UqSet::Separate,
            uq_fraction: 0.2,
            uq_rows: None,
            subset_fraction: 0.5,
            bins: 100,
            games: 100,
            ratio: 0.2,
            sweep: Vec::new(),
        }
    }
}

impl DtbParameters {
    /// Checks the ranges.
    pub(super) fn check(&self) -> Result<(), ParameterError> {
        let open = |x: f64| x > 0.0 && x < 1.0;
        let half_open = |x: f64| x > 0.0 && x <= 1.0;
        let (share, count) = ("a number above 0 and at most 1", "a whole number of at least 1");
        ParameterError::check(
            open(self.uq_fraction),
            "uq_fraction",
            self.uq_fraction,
            "a number between 0 and 1, both excluded",
        )?;
        if let Some(rows) = self.uq_rows {
            ParameterError::check(rows >= 1, "uq_rows", rows, count)?;
            ParameterError::check(
                self.uq_set == UqSet::Separate,
                "uq_rows",
                rows,
                "null, because `uq_set` is \"shared\"",
            )?;
        }
        ParameterError::check(half_open(self.subset_fraction), "subset_fraction", self.subset_fraction, share)?;
        ParameterError::check(self.bins >= 1, "bins", self.bins, count)?;
        ParameterError::check(self.games >= 1, "games", self.games, count)?;
        ParameterError::check(half_open(self.ratio), "ratio", self.ratio, share)?;
        for (i, point) in self.sweep.iter().enumerate() {
            ParameterError::check(half_open(point.ratio), &format!("sweep[{i}].ratio"), point.ratio, share)?;
            ParameterError::check(point.games >= 1, &format!("sweep[{i}].games"), point.games, count)?;
            let first = !self.sweep[..i].contains(point);
            ParameterError::check(first, &format!("sweep[{i}]"), point.reading(), "each pair of ratio and games once")?;
        }
        Ok(())
    }
}
