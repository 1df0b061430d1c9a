//! Read the card of an entry, which somebody else has written: who predicts, what, and how. All of
//! its mistakes are told at once.

use serde::{Deserialize, Serialize};

use super::facts::{CardError, DataSeen, Disclosure, Kind, Maker, heading, read_whole};
use super::keys::Keys;
use crate::runner::key::canonical;
use uqbench_system::hash::sha256;

/// Largest card, in bytes.
pub const LARGEST_CARD: u64 = 256 << 10;

/// Most splits on which a method may have failed.
const MOST_FAILED: usize = 2000;

/// What is said of an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The board.
    pub board: String,
    /// Its name: lower-case letters, digits and hyphens.
    pub name: String,
    /// Its version, in printable ASCII.
    pub version: String,
    /// Who made it.
    pub authors: Vec<String>,
    /// Where to read about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The licence of the predictions.
    pub licence: String,
    /// Whether it is a model or a system.
    pub kind: Kind,
    /// What was searched over.
    pub searched: String,
    /// With what budget.
    pub budget: String,
    /// What it ran on.
    pub hardware: String,
    /// Processor seconds in all, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Whether it had seen the datasets before.
    pub data_seen: DataSeen,
    /// Whether the features of the test rows were used in training.
    pub used_test_features: bool,
    /// What it is.
    pub description: String,
    /// Probability of intervals, where these are the predictions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<f64>,
    /// Whether it has a part of the board alone.
    #[serde(default, skip_serializing_if = "is_false")]
    pub part: bool,
    /// The splits on which it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedSplit>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A split without predictions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedSplit {
    /// The dataset's key.
    pub dataset: String,
    /// The split, from 0.
    pub split: u64,
    /// Why there are none.
    pub why: String,
}

impl Card {
    /// Reads a card.
    ///
    /// # Errors
    /// [`CardError`] with all mistakes.
    pub fn parse(text: &str) -> Result<Self, CardError> {
        read_whole(text, read)
    }

    /// The card as TOML, without comments: the same bytes for equal cards.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// SHA-256 of its content.
    pub fn sha256(&self) -> String {
        sha256(canonical(&serde_json::to_value(self).unwrap_or_default()).as_bytes())
    }

    /// Name and version, as a table shows them.
    pub fn heading(&self) -> String {
        heading(&self.name, &self.version)
    }

    /// Why there are no predictions for a split; `None` where it has not failed.
    pub fn failure(&self, dataset: &str, split: u64) -> Option<&FailedSplit> {
        self.failed.iter().find(|failed| failed.dataset == dataset && failed.split == split)
    }
}

/// A card of a board to fill in.
pub fn blank_card(board: &str, is_part: bool) -> String {
    let card = include_str!("card/blank.toml").replace("BOARD", board);
    if is_part { card.replace("# part = true", "part = true") } else { card }
}

/// The keys of a card. In place of a wrong one stands something that nobody looks at.
fn read(keys: &mut Keys) -> Card {
    let Maker { board, name, version, authors, address, licence, kind, searched, budget } =
        Maker::read(keys);
    let hardware = keys.text("hardware", 300);
    let seconds =
        keys.number("seconds", "a number of 0 or more", |seconds| (0.0..1e15).contains(&seconds));
    let Disclosure { data_seen, used_test_features, description } = Disclosure::read(keys);
    Card {
        board,
        name,
        version,
        authors,
        address,
        licence,
        kind,
        searched,
        budget,
        hardware,
        seconds,
        data_seen,
        used_test_features,
        description,
        level: keys.number("level", "a number between 0 and 1, such as 0.9", |level| {
            level > 0.0 && level < 1.0
        }),
        part: keys.flag("part", Some(false)),
        failed: keys.tables("failed", MOST_FAILED, |keys| FailedSplit {
            dataset: keys.text("dataset", 100),
            split: keys.count("split"),
            why: keys.text("why", 300),
        }),
    }
}

#[cfg(test)]
mod tests;
