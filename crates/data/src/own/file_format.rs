//! State how a user's file is to be read, where its bytes do not say it.

use serde::{Deserialize, Serialize};

use super::charset::Charset;

/// What stands between the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Separator {
    /// A comma.
    #[serde(rename = ",", alias = "comma")]
    Comma,
    /// A semicolon.
    #[serde(rename = ";", alias = "semicolon")]
    Semicolon,
    /// A tab.
    #[serde(rename = "tab", alias = "\t")]
    Tab,
    /// A vertical bar.
    #[serde(rename = "|", alias = "bar")]
    Bar,
    /// One blank or more.
    #[serde(rename = "space", alias = " ")]
    Space,
}

impl Separator {
    /// Its name in a benchmark file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::Tab => "tab",
            Self::Bar => "|",
            Self::Space => "space",
        }
    }

    /// The character.
    pub fn character(self) -> char {
        match self {
            Self::Comma => ',',
            Self::Semicolon => ';',
            Self::Tab => '\t',
            Self::Bar => '|',
            Self::Space => ' ',
        }
    }
}

/// What is said of a file beside its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFormat {
    /// Characters of a text file. A byte order mark at the beginning of the file outweighs it.
    #[serde(default)]
    pub encoding: Charset,
    /// What stands between the cells of a text file; `None` stands for what its lines show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separator: Option<Separator>,
    /// The sheet of a workbook; `None` stands for its first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
}
