//! Read what is stated of code that somebody else is to run on a board: who made it, what it is,
//! its command, and all of its files.

use std::path::{Component, Path};

use super::facts::{CardError, DataSeen, Disclosure, Kind, Maker, heading, read_whole};
use super::keys::Keys;
use crate::external::given::Given;

/// Largest file that states code, in bytes.
pub const LARGEST_CODE: u64 = 256 << 10;

/// Most files of which code may consist.
const MOST_FILES: usize = 1000;

/// Code that somebody else is to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// The board.
    pub board: String,
    /// Its name: lower-case letters, digits and hyphens.
    pub name: String,
    /// Its version, in printable ASCII.
    pub version: String,
    /// Who made it.
    pub authors: Vec<String>,
    /// Where to read about it.
    pub address: Option<String>,
    /// Its licence.
    pub licence: String,
    /// Whether it is a model or a system.
    pub kind: Kind,
    /// What it searches over.
    pub searched: String,
    /// With what budget.
    pub budget: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Names of all files of which it consists: paths below the folder of the file that states
    /// them.
    pub files: Vec<String>,
    /// Whether it had seen the datasets before.
    pub data_seen: DataSeen,
    /// Whether the features of the test rows are used in training.
    pub used_test_features: bool,
    /// What it is.
    pub description: String,
}

impl Code {
    /// Reads what is stated of code.
    ///
    /// # Errors
    /// [`CardError`] with all mistakes.
    pub fn parse(text: &str) -> Result<Self, CardError> {
        read_whole(text, read)
    }

    /// Its name and version, as tables show them.
    pub fn heading(&self) -> String {
        heading(&self.name, &self.version)
    }

    /// The external method that it is.
    pub fn given(&self) -> Given {
        Given {
            name: self.heading(),
            command: self.command.clone(),
            files: self.files.clone(),
            settings: serde_json::Map::new(),
        }
    }
}

/// A file to fill in, for code of a board.
pub fn blank_code(board: &str) -> String {
    include_str!("code/blank.toml").replace("BOARD", board)
}

/// In place of what is wrong stands something that nobody looks at.
fn read(keys: &mut Keys) -> Code {
    let Maker { board, name, version, authors, address, licence, kind, searched, budget } =
        Maker::read(keys);
    let command =
        keys.checked("command", "a program and its arguments, as \"python3 mine.py\"", is_command);
    let below = "a path below the folder of this file, with `/` and without `.` and `..`";
    let files = keys.checked_texts("files", MOST_FILES, below, is_below);
    let Disclosure { data_seen, used_test_features, description } = Disclosure::read(keys);
    Code {
        board,
        name,
        version,
        authors,
        address,
        licence,
        kind,
        searched,
        budget,
        command: shlex::split(&command).unwrap_or_default(),
        files,
        data_seen,
        used_test_features,
        description,
    }
}

fn is_command(text: &str) -> bool {
    let words = || shlex::split(text).and_then(|words| words.into_iter().next());
    text.len() <= 2000
        && !text.contains(char::is_control)
        && words().is_some_and(|first| !first.is_empty())
}

fn is_below(text: &str) -> bool {
    let parts = Path::new(text).components();
    let names: Option<Vec<&str>> = parts
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    text.len() <= 300
        && !text.contains(|c: char| c.is_control() || c == '\\')
        && names.is_some_and(|names| !names.is_empty() && names.join("/") == text)
}

#[cfg(test)]
mod tests;
