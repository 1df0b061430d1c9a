//! Divide the datasets of a board anew, by a seed that was drawn after code was frozen.

use super::{Code, Kind, LeagueError};
use crate::benchmark::{Benchmark, League, Profile};
use crate::external::{ID, Place};
use crate::protocols::{Holdout, Protocol};
use uqbench_data::splits::TestSize;

/// Share of the rows that the published splits of the board `standard` test.
const STANDARD_SHARE: f64 = 0.1;

/// Splits of each dataset where a board may have any number of them.
const USUAL_SPLITS: u64 = 5;

/// What runs beside code where nothing else is asked for, as far as the board has it.
const USUAL_YARDSTICKS: [&str; 3] = ["ridge", "quantile-forest", "ngboost"];

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
                    why: "no seed changes how its rows are divided; a rerun needs splits that are \
                          drawn anew"
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
    /// cross-validation, else five random splits.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::find;
    use crate::runner::plan::{Filter, plan};

    /// Streams of the splits of the first experiment of a board under a seed.
    fn streams(board: &Benchmark, seed: u64) -> String {
        let new = board.redivided(seed).unwrap();
        let filter = Filter { methods: board.references(), ..Filter::default() };
        let plans = plan(&[new], Profile::Full, &filter).unwrap();
        format!("{:?}", plans[0].experiments[0].template.data_streams())
    }

    #[test]
    fn a_seed_divides_every_board_anew_but_those_in_time() {
        for (name, splits) in [
            ("standard", 5),
            ("modern", 9),
            ("beyond-groups", 5),
            ("beyond-groups-random", 5),
            ("beyond-time-random", 5),
        ] {
            let board = find(&format!("league-{name}")).unwrap();
            assert_eq!(board.splits_of_rerun(), splits, "{name}");
            assert_eq!(board.usual_yardsticks(), USUAL_YARDSTICKS, "{name}");
            assert_ne!(streams(&board, 1), streams(&board, 2), "{name}");
            assert_eq!(streams(&board, 1), streams(&board, 1), "{name}");
        }
        let error = find("league-beyond-time").unwrap().redivided(1).unwrap_err();
        assert!(error.to_string().contains("no seed changes how its rows are divided"), "{error}");
    }

    #[test]
    fn published_splits_become_random_ones_of_a_tenth() {
        let board = find("league-standard").unwrap().redivided(7).unwrap();
        assert_eq!(board.root_seed, 7);
        let text = serde_json::to_string(&board.protocol).unwrap();
        assert_eq!(text, r#"{"holdout":{"test":{"fraction":0.1}}}"#);
        assert_eq!(board.references(), ["unconditional-quantiles", "unconditional-gaussian"]);
    }
}
