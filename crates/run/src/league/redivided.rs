//! Divide the datasets of a board anew, by a seed that was drawn after code was frozen.

use super::{Code, Kind, LeagueError};
use crate::benchmark::{Benchmark, League, Profile};
use crate::external::{ID, Place};
use crate::protocols::{Holdout, Protocol};
use uqbench_data::splits::TestSize;

/// Share of the rows that the published splits of the board `standard` test.
const STANDARD_SHARE: f64 = 0.1;

/// Splits of each dataset where a board may have any number of them.
pub const USUAL_SPLITS: u64 = 5;

/// What runs beside code where nothing else is asked for, as far as the board has it.
pub const USUAL_YARDSTICKS: [&str; 3] = ["ridge", "quantile-forest", "ngboost"];

impl Benchmark {
    /// The board with splits of this seed, and without methods of its own that run a command. The
    /// published splits have no seed: random ones of the same size take their place.
    ///
    /// # Errors
    /// [`LeagueError::Unfit`] where no seed changes the splits.
    pub fn redivided(&self, seed: u64) -> Result<Self, LeagueError> {
        let mut new = self.clone();
        new.protocol = match &self.protocol {
            Protocol::Standard => {
                Protocol::Holdout(Holdout { test: TestSize::Fraction(STANDARD_SHARE) })
            }
            Protocol::Holdout(_)
            | Protocol::Grouped(_)
            | Protocol::KFold(_)
            | Protocol::GroupedKFold(_) => self.protocol.clone(),
            Protocol::RollingOrigin(origin) if origin.shuffled => self.protocol.clone(),
            _ => {
                return Err(LeagueError::Unfit {
                    board: self.id.clone(),
                    why:
                        "its rows are divided in one way, whatever the seed; a rerun needs splits \
                          that are drawn anew"
                            .into(),
                });
            }
        };
        (new.root_seed, new.validation, new.anchors) = (seed, None, true);
        new.methods.retain(|row| row.id != ID);
        if let Some(spec) = new.profiles.get_mut(&Profile::Full) {
            (spec.methods, spec.seeds) = (None, None);
        }
        Ok(new)
    }

    /// Splits of each dataset for a rerun where nothing else is asked for: all folds of a
    /// cross-validation, else [`USUAL_SPLITS`].
    pub fn splits_of_rerun(&self) -> u64 {
        let all = match &self.protocol {
            Protocol::Standard => None,
            other => other.kind().repetitions(),
        };
        let of_board = self.profile(Profile::Full).map_or(USUAL_SPLITS, |spec| spec.splits);
        all.map_or(USUAL_SPLITS, |all| all.min(of_board))
    }

    /// Adds the column of code whose files are in this place.
    pub fn add_code(&mut self, code: &Code, place: &Place) {
        self.add_external(&code.given(), place);
        let kind = match code.kind {
            Kind::Model => "model",
            Kind::System => "system",
        };
        for column in self.methods.last_mut().into_iter().flat_map(|row| &mut row.columns) {
            column.labels.insert("kind".into(), kind.into());
        }
    }

    /// Methods that run beside code where nothing else is asked for.
    pub fn usual_yardsticks(&self) -> Vec<String> {
        let has = |id: &&str| self.methods.iter().any(|row| row.id == *id);
        USUAL_YARDSTICKS.into_iter().filter(has).map(str::to_owned).collect()
    }

    /// Names of the predictors that ignore the features with which a rerun is compared.
    pub fn references(&self) -> Vec<String> {
        let of_league = |league: &League| {
            std::iter::once(league.reference.clone()).chain(league.log_reference.clone())
        };
        self.league.iter().flat_map(of_league).collect()
    }
}
