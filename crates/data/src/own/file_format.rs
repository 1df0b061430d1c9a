//! State how a user's file is to be read, where its bytes do not say it.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::charset::Charset;

/// What stands between the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum Separator {
    /// A comma.
    #[value(name = ",", alias = "comma")]
    #[serde(rename = ",", alias = "comma")]
    Comma,
    /// A semicolon.
    #[value(name = ";", alias = "semicolon")]
    #[serde(rename = ";", alias = "semicolon")]
    Semicolon,
    /// A tab.
    #[value(name = "tab", aliases = ["\t", "\\t"])]
    #[serde(rename = "tab", alias = "\t")]
    Tab,
    /// A vertical bar.
    #[value(name = "|", alias = "bar")]
    #[serde(rename = "|", alias = "bar")]
    Bar,
    /// One blank or more.
    #[value(name = "space", aliases = [" ", "blank"])]
    #[serde(rename = "space", alias = " ")]
    Space,
}

impl Separator {
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
#[derive(Args, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFormat {
    /// Characters of a text file, by the name of their encoding, such as utf-8, latin-1, windows-1251, utf-16le, gb18030 or shift_jis.
    /// A byte order mark at the beginning of the file outweighs it.
    #[arg(long, value_name = "NAME", default_value_t)]
    #[serde(default)]
    pub encoding: Charset,
    /// What stands between the cells of a text file: , ; | tab or space [default: as the lines of the file show].
    #[arg(long, value_name = "CHARACTER", value_enum, ignore_case = true, hide_possible_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separator: Option<Separator>,
    /// The sheet of a workbook, Excel or OpenDocument [default: its first one].
    #[arg(long, value_name = "NAME")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_separator_has_a_sign_and_a_name() {
        for (names, separator) in [
            (&[",", "comma"][..], Separator::Comma),
            (&[";", "semicolon"], Separator::Semicolon),
            (&["tab", "TAB", "\t", "\\t"], Separator::Tab),
            (&["|", "bar"], Separator::Bar),
            (&["space", " ", "blank"], Separator::Space),
        ] {
            names.iter().for_each(|name| assert_eq!(Separator::from_str(name, true), Ok(separator), "{name}"));
        }
        assert!(Separator::from_str("x", true).is_err());
    }
}
