//! Name the criteria by which an experiment chooses its own data.
//!
//! [`super::rows`] says what each does with the rows of a pool, [`super::criterion`] with the
//! points of a domain.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::criterion::Criterion;
use uq_methods::Reading;

/// The criterion by which rows or points are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Acquisition {
    /// The rows of the largest variance of y.
    Total,
    /// The rows of the largest variance of f.
    Epistemic,
    /// The rows of the largest lower bound of the entropy of y.
    Entropy,
    /// Greedy sampling in the input space.
    Gsx,
    /// Rows or points at random: the sequence of this number, from 1.
    Random(u32),
    /// The point at which a model's criterion is largest, by this search.
    Best(Criterion, Search),
    /// The next points of the scrambled Sobol sequence of the start.
    Sobol,
    /// The points that CMA-ES draws, which sees all values and no model.
    CmaEs,
}

/// How the largest value of a criterion is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Search {
    /// The candidates are scored, and L-BFGS improves the best few.
    Improved,
    /// The best candidate is taken.
    Candidates,
}

const CANDIDATES: &str = "-candidates";
const RANDOM: &str = "random";

impl Acquisition {
    /// The reading of a step, such as `entropy@3`: the prediction after the third addition.
    pub fn reading(self, step: usize) -> Reading {
        Reading::new(format!("{self}@{step}"))
    }

    /// Whether it draws rows at random.
    pub fn is_random(self) -> bool {
        matches!(self, Self::Random(_))
    }

    /// Whether it chooses rows of a pool.
    pub fn chooses_rows(self) -> bool {
        matches!(self, Self::Total | Self::Epistemic | Self::Entropy | Self::Gsx | Self::Random(_))
    }

    /// Whether it chooses points of a domain.
    pub fn chooses_points(self) -> bool {
        self.is_random() || !self.chooses_rows()
    }
}

impl fmt::Display for Acquisition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Total => f.write_str("total"),
            Self::Epistemic => f.write_str("epistemic"),
            Self::Entropy => f.write_str("entropy"),
            Self::Gsx => f.write_str("gsx"),
            Self::Random(1) => f.write_str(RANDOM),
            Self::Random(sequence) => write!(f, "{RANDOM}-{sequence}"),
            Self::Best(criterion, Search::Improved) => write!(f, "{criterion}"),
            Self::Best(criterion, Search::Candidates) => write!(f, "{criterion}{CANDIDATES}"),
            Self::Sobol => f.write_str("sobol"),
            Self::CmaEs => f.write_str("cma-es"),
        }
    }
}

impl FromStr for Acquisition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || {
            format!(
                "there is no acquisition `{text}`; of rows there are `total`, `epistemic`, \
                 `entropy` and `gsx`, of points `pi`, `ei`, `ucb-2`, `entropy-ucb-2` (or another β \
                 from 0.001 to 1000), the same with `-candidates`, `sobol` and `cma-es`, of both \
                 `random` and further random sequences `random-2`, `random-3`, …"
            )
        };
        let named = [Self::Total, Self::Epistemic, Self::Entropy, Self::Gsx, Self::Random(1)];
        let named = named.into_iter().chain([Self::Sobol, Self::CmaEs]);
        if let Some(found) = named.into_iter().find(|one| one.to_string() == text) {
            return Ok(found);
        }
        let (criterion, search) = match text.strip_suffix(CANDIDATES) {
            Some(criterion) => (criterion, Search::Candidates),
            None => (text, Search::Improved),
        };
        if let Ok(criterion) = criterion.parse() {
            return Ok(Self::Best(criterion, search));
        }
        let sequence = text.strip_prefix("random-").and_then(|number| number.parse().ok());
        let found = sequence.filter(|number| *number > 1).map(Self::Random).ok_or_else(unknown)?;
        if found.to_string() == text { Ok(found) } else { Err(unknown()) }
    }
}

impl TryFrom<String> for Acquisition {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Acquisition> for String {
    fn from(acquisition: Acquisition) -> Self {
        acquisition.to_string()
    }
}

/// The acquisition and the step that a reading of [`Acquisition::reading`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepReading {
    /// The acquisition.
    pub acquisition: Acquisition,
    /// Number of additions before the prediction.
    pub step: usize,
}

impl StepReading {
    /// Reads a reading's name; `None` for a reading of another kind.
    pub fn of(reading: &Reading) -> Option<Self> {
        let (acquisition, step) = reading.as_str().split_once('@')?;
        Some(Self { acquisition: acquisition.parse().ok()?, step: step.parse().ok()? })
    }
}
