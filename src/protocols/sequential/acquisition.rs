//! Name the criteria by which an experiment chooses its own data.
//!
//! [`super::rows`] says what each does with the rows of a pool, [`super::criterion`] with the points of a domain.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::methods::Reading;

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
    /// The point that most probably exceeds the best value.
    Pi,
    /// The point of the largest expected improvement on the best value.
    Ei,
    /// The point of the largest upper confidence bound, mean + β standard deviations.
    Ucb(Beta),
    /// The same with the lower bound of the entropy in place of the standard deviation.
    EntropyUcb(Beta),
    /// The next points of the scrambled Sobol sequence of the start.
    Sobol,
    /// The points that CMA-ES draws, which sees all values and no model.
    CmaEs,
}

/// The weight β of an upper confidence bound, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Beta(u32);

impl Beta {
    /// β.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl fmt::Display for Beta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl FromStr for Beta {
    type Err = ();

    /// Only the shortest decimal number with at most three decimals, so that each β has one name.
    fn from_str(text: &str) -> Result<Self, ()> {
        let value: f64 = text.parse().map_err(|_| ())?;
        let beta = Self((1000.0 * value).round() as u32);
        if value > 0.0 && value <= 1000.0 && beta.to_string() == text { Ok(beta) } else { Err(()) }
    }
}

const RANDOM: &str = "random";
const UCB: &str = "ucb-";
const ENTROPY_UCB: &str = "entropy-ucb-";

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

    /// Whether it asks a model for points of a domain.
    pub fn asks_model_for_points(self) -> bool {
        matches!(self, Self::Pi | Self::Ei | Self::Ucb(_) | Self::EntropyUcb(_))
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
            Self::Pi => f.write_str("pi"),
            Self::Ei => f.write_str("ei"),
            Self::Ucb(beta) => write!(f, "{UCB}{beta}"),
            Self::EntropyUcb(beta) => write!(f, "{ENTROPY_UCB}{beta}"),
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
                "there is no acquisition `{text}`; of rows there are `total`, `epistemic`, `entropy` and `gsx`, of points `pi`, `ei`, \
                 `ucb-2`, `entropy-ucb-2` (or another β from 0.001 to 1000), `sobol` and `cma-es`, of both `random` and further random \
                 sequences `random-2`, `random-3`, …"
            )
        };
        let named = [Self::Total, Self::Epistemic, Self::Entropy, Self::Gsx, Self::Random(1)];
        let named = named.into_iter().chain([Self::Pi, Self::Ei, Self::Sobol, Self::CmaEs]);
        if let Some(found) = named.into_iter().find(|one| one.to_string() == text) {
            return Ok(found);
        }
        let beta = |prefix: &str| text.strip_prefix(prefix).and_then(|number| number.parse().ok());
        if let Some(found) = beta(UCB).map(Self::Ucb).or_else(|| beta(ENTROPY_UCB).map(Self::EntropyUcb)) {
            return Ok(found);
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
