//! Read the card of an entry, which somebody else has written: who predicts, what, and how. All of
//! its mistakes are told at once.

mod keys;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use toml::Table;

use self::keys::Keys;
use crate::runner::key::canonical;
use uq_core::printable::printable;
use uqbench_data::check_nesting;
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

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// One fit at one setting.
    Model,
    /// It searches over models or settings, or wraps a model.
    System,
}

/// Whether an entry had seen the datasets before, in pretraining for example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DataSeen {
    /// It is documented that it had not.
    #[serde(rename = "documented free of these sets")]
    Free,
    /// Nobody knows.
    #[serde(rename = "unknown")]
    Unknown,
    /// It had seen some.
    #[serde(rename = "contains")]
    Contains,
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

/// What is wrong with a card: each mistake with its key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", listed(.0))]
pub struct CardError(pub Vec<String>);

fn listed(mistakes: &[String]) -> String {
    match mistakes {
        [only] => only.clone(),
        all => format!("{} mistakes\n  {}", all.len(), all.join("\n  ")),
    }
}

impl Card {
    /// Reads a card.
    ///
    /// # Errors
    /// [`CardError`] with all mistakes.
    pub fn parse(text: &str) -> Result<Self, CardError> {
        let only = |why: &str| CardError(vec![printable(why, 300)]);
        check_nesting(text).map_err(|error| only(error.message()))?;
        let root: Table = text.parse().map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| 1 + before.matches('\n').count());
            only(&format!("line {line}: {}", error.message()))
        })?;
        let mut keys = Keys::new(&root, "");
        let card = read(&mut keys);
        let mistakes = keys.finish();
        if mistakes.is_empty() { Ok(card) } else { Err(CardError(mistakes)) }
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
        format!("{} {}", self.name, self.version)
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
    Card {
        board: keys.text("board", 100),
        name: keys.checked("name", "1 to 40 lower-case letters, digits and hyphens", is_name),
        version: keys.checked("version", "1 to 20 printable ASCII characters", is_version),
        authors: keys.texts("authors", 100, 100),
        address: keys.optional_text("address", "an address that begins with https://", is_address),
        licence: keys.text("licence", 100),
        kind: match keys.choice("kind", &["model", "system"]) {
            1 => Kind::System,
            _ => Kind::Model,
        },
        searched: keys.text("searched", 500),
        budget: keys.text("budget", 300),
        hardware: keys.text("hardware", 300),
        seconds: keys
            .number("seconds", "a number of 0 or more", |seconds| (0.0..1e15).contains(&seconds)),
        data_seen: match keys
            .choice("data_seen", &["documented free of these sets", "unknown", "contains"])
        {
            0 => DataSeen::Free,
            2 => DataSeen::Contains,
            _ => DataSeen::Unknown,
        },
        used_test_features: keys.flag("used_test_features", None),
        description: keys.text("description", 3000),
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

fn is_name(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=40).contains(&text.len()) && text.chars().all(is_allowed)
}

fn is_version(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.chars().all(|c| c.is_ascii_graphic() || c == ' ')
}

fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_plain = |c: char| c.is_ascii_graphic() && !"<>\"`\\^{|}".contains(c);
    text.len() <= 500 && rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(is_plain))
}

#[cfg(test)]
mod tests;
