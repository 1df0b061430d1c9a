//! Read what a card and a file of code both state: who made a method, what it is, and what it has
//! seen. All mistakes are told at once.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use toml::Table;

use super::keys::Keys;
use uq_core::printable::printable;
use uqbench_data::check_nesting;

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

/// Reads a whole text by its keys.
///
/// # Errors
/// [`CardError`] with all mistakes.
pub(super) fn read_whole<T>(text: &str, read: fn(&mut Keys) -> T) -> Result<T, CardError> {
    let only = |why: &str| CardError(vec![printable(why, 300)]);
    check_nesting(text).map_err(|error| only(error.message()))?;
    let root: Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| 1 + before.matches('\n').count());
        only(&format!("line {line}: {}", error.message()))
    })?;
    let mut keys = Keys::new(&root, "");
    let found = read(&mut keys);
    let mistakes = keys.finish();
    if mistakes.is_empty() { Ok(found) } else { Err(CardError(mistakes)) }
}

/// Who made a method, for which board, what it is, and what was searched for it.
pub(super) struct Maker {
    pub board: String,
    pub name: String,
    pub version: String,
    pub authors: Vec<String>,
    pub address: Option<String>,
    pub licence: String,
    pub kind: Kind,
    pub searched: String,
    pub budget: String,
}

impl Maker {
    /// In place of what is wrong stands something that nobody looks at.
    pub fn read(keys: &mut Keys) -> Self {
        Self {
            board: keys.text("board", 100),
            name: keys.checked("name", "1 to 40 lower-case letters, digits and hyphens", is_name),
            version: keys.checked("version", "1 to 20 printable ASCII characters", is_version),
            authors: keys.texts("authors", 100, 100),
            address: keys.optional_text(
                "address",
                "an address that begins with https://",
                is_address,
            ),
            licence: keys.text("licence", 100),
            kind: match keys.choice("kind", &["model", "system"]) {
                1 => Kind::System,
                _ => Kind::Model,
            },
            searched: keys.text("searched", 500),
            budget: keys.text("budget", 300),
        }
    }
}

/// What a method has seen, and what it is.
pub(super) struct Disclosure {
    pub data_seen: DataSeen,
    pub used_test_features: bool,
    pub description: String,
}

impl Disclosure {
    /// In place of what is wrong stands something that nobody looks at.
    pub fn read(keys: &mut Keys) -> Self {
        let seen = ["documented free of these sets", "unknown", "contains"];
        Self {
            data_seen: match keys.choice("data_seen", &seen) {
                0 => DataSeen::Free,
                2 => DataSeen::Contains,
                _ => DataSeen::Unknown,
            },
            used_test_features: keys.flag("used_test_features", None),
            description: keys.text("description", 3000),
        }
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

/// Name and version, as tables show them.
pub(super) fn heading(name: &str, version: &str) -> String {
    format!("{name} {version}")
}

/// What stands for name and version in the name of a folder.
pub(super) fn folder_stem(name: &str, version: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let version: String = version.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    format!("{name}-{version}")
}
