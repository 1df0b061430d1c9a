//! State which board of the league a benchmark is, by which loss and against which predictor its
//! methods are ranked, and which datasets come from one source.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::check::check_file_name;
use super::mistakes::{Mistakes, Part};
use super::{Benchmark, Column};
use uq_core::metrics::{Direction, MetricId, SkillKind};

/// The label of a column that says what it is.
const KIND: &str = "kind";

/// The label of a column that names it.
const METHOD: &str = "method";

/// A board of the league.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct League {
    /// Its name.
    pub board: String,
    /// The label `method` of the predictor whose loss all others are divided by. It ignores the
    /// features, and stands in for whoever fails on a split.
    pub reference: String,
    /// The label `method` of the predictor with whose log score that of the others is compared,
    /// because the reference may have none; absent means that no log score is shown.
    pub log_reference: Option<String>,
    /// The metric by which methods are ranked, one of the benchmark's.
    pub loss: MetricId,
    /// The source of each dataset that shares one with another, by its key. Any other dataset is
    /// its own source.
    #[serde(default)]
    pub sources: BTreeMap<String, String>,
    /// The benchmark with the same datasets and methods whose rows are divided at random, where
    /// this one divides them by groups or in time: what skill is lost from there to here is shown.
    pub random_twin: Option<String>,
    /// The benchmark with the same datasets and methods in time whose targets have no trend, with a
    /// twin of its own: a control of that loss.
    pub detrended: Option<String>,
    /// Labels `method` of columns that are controls of that loss: linear ones, whose predictions
    /// have no neighbours among the training rows.
    #[serde(default)]
    pub controls: Vec<String>,
}

impl League {
    /// The source of the dataset of this key.
    pub fn source<'a>(&'a self, key: &'a str) -> &'a str {
        self.sources.get(key).map_or(key, String::as_str)
    }
}

impl Column {
    /// Whether it is a system: it searches over models or settings, or wraps a model.
    pub fn is_system(&self) -> bool {
        self.labels.get(KIND).is_some_and(|kind| kind == "system")
    }
}

impl Benchmark {
    /// Notes why a board cannot be made.
    pub(super) fn check_league(&self, to: &mut Mistakes) {
        let Some(league) = &self.league else { return };
        let part = |key: &str| Part::key("league").then(key);
        to.note_failure(part("board"), check_file_name(&league.board));
        if !self.protocol.kind().compares_methods() {
            to.note(
                Part::key("league"),
                "league: the protocol does not compare methods on unseen rows of a dataset",
            );
        }
        let named = [("reference", &league.reference)]
            .into_iter()
            .chain(league.log_reference.iter().map(|name| ("log_reference", name)))
            .chain(league.controls.iter().map(|name| ("controls", name)));
        for (key, name) in named {
            let labels = BTreeMap::from([(METHOD.to_owned(), name.clone())]);
            to.note_failure(part(key), self.has_column(&labels));
        }
        if !self.metrics.iter().any(|row| row.id == league.loss) {
            let message = format!("`{}` is not a metric of this benchmark", league.loss);
            to.note(part("loss"), message);
        }
        let has_ratio = league.loss.direction() == Direction::Lower
            && league.loss.properties().skill == Some(SkillKind::Share);
        if !has_ratio {
            let message = format!(
                "`{}` is no loss whose ratio has a meaning; expected one whose perfect value is 0, \
                 such as `crps`",
                league.loss
            );
            to.note(part("loss"), message);
        }
        for key in league.sources.keys().filter(|key| self.dataset(key).is_none()) {
            let message = format!("`{key}` is not a dataset of this benchmark{}", self.like(key));
            to.note(part("sources"), message);
        }
        for (i, row) in self.methods.iter().enumerate() {
            for column in &row.columns {
                let kind = column.labels.get(KIND).map(String::as_str);
                if !matches!(kind, Some("model" | "system")) {
                    let message = format!(
                        "column `{}`: on a board of the league the label `kind` is `model` or \
                         `system`",
                        column.heading
                    );
                    to.note(to.entry("methods", i).then("columns"), message);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::find;

    const KEY: &str = "league = { board = \"standard\", reference = \"unconditional-quantiles\", \
                       log_reference = \"unconditional-gaussian\", loss = \"crps\" }";

    /// The board `standard` with another key `league`, and with one piece of its text replaced.
    fn with(league: &str, from: &str, to: &str) -> Result<Benchmark, String> {
        let text = include_str!("../../../../benchmarks/league/league-standard.toml");
        assert!(text.contains(KEY) && text.contains(from), "{from}");
        let text = text.replacen(KEY, league, 1).replacen(from, to, 1);
        Benchmark::parse("test", &text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_board_names_reference_loss_and_sources() {
        let board = find("league-standard").unwrap();
        let league = board.league.unwrap();
        assert_eq!((league.board.as_str(), league.loss.to_string()), ("standard", "crps".into()));
        assert_eq!(league.source("yacht"), "yacht");
        let shared = KEY.replace(" }", ", sources = { yacht = \"Delft\", boston = \"Delft\" } }");
        let shared = with(&shared, "", "").unwrap().league.unwrap();
        assert_eq!([shared.source("yacht"), shared.source("naval")], ["Delft", "naval"]);
        let systems = board.methods.iter().flat_map(|row| &row.columns);
        assert_eq!(systems.filter(|column| column.is_system()).count(), 12);
    }

    #[test]
    fn what_a_board_cannot_be_made_of_is_told() {
        for (league, expected) in [
            (KEY.replace("\"standard\"", "\"a/b\""), "becomes a file name"),
            (KEY.replace("unconditional-quantiles", "none"), "no column has the labels"),
            (KEY.replace("unconditional-gaussian", "none"), "no column has the labels"),
            (KEY.replace(" }", ", controls = [\"rigde\"] }"), "no column has the labels"),
            (KEY.replace("crps", "mae"), "not a metric of this benchmark"),
            (KEY.replace("crps", "log-likelihood"), "no loss whose ratio has a meaning"),
            (KEY.replace(" }", ", sources = { bostn = \"x\" } }"), "did you mean `boston`?"),
            (KEY.replace("board", "bored"), "bored"),
        ] {
            let message = with(&league, "", "").unwrap_err();
            assert!(message.contains(expected), "{league}: {message}");
        }
        for kind in ["", ", kind = \"modell\""] {
            let from = "labels = { method = \"ridge\", kind = \"model\" }";
            let to = format!("labels = {{ method = \"ridge\"{kind} }}");
            let message = with(KEY, from, &to).unwrap_err();
            assert!(message.contains("`Ridge`") && message.contains("`kind`"), "{message}");
        }
    }

    #[test]
    fn a_file_like_a_board_is_no_board() {
        let text = "id = \"mine\"\nlike = \"league-standard\"\ntitle = \"T\"\nmetrics = [{ id = \
                    \"crps\", heading = \"CRPS\" }]\n";
        let mine = Benchmark::parse("mine", text).unwrap();
        assert_eq!((mine.league, mine.datasets.len()), (None, 9));
    }
}
