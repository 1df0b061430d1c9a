//! Keep an entry in a folder of its own: its card, its predictions, and what was found when it was
//! added. The folder is named by its content, and is never changed.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::card::{Card, LARGEST_CARD};
use super::facts::folder_stem;
use crate::runner::key::canonical;
use crate::runner::record::FileStamp;
use uqbench_system::disk::{Disk, Durability, Kind, read_whole};
use uqbench_system::hash::sha256;
use uqbench_system::whole_folder::write_folder;

/// File of the card.
pub const CARD: &str = "card.toml";
/// File of the predictions.
pub const PREDICTIONS: &str = "predictions.parquet";
/// File of the record.
pub const RECORD: &str = "entry.json";
/// File of what is known of a rerun, which only an entry of this tier has.
pub const RERUN: &str = "rerun.toml";
/// File of the scores, for readers: nobody here reads it.
pub const SCORES: &str = "scores.csv";

/// Version of the folder's layout.
const FORMAT: u32 = 1;

/// Largest record, in bytes.
const LARGEST_RECORD: u64 = 4 << 20;

/// Most entries of a folder that are read.
const MOST_ENTRIES: usize = 5000;

/// Digits of the key in the name of a folder.
pub(super) const DIGITS: usize = 12;

/// What was found when an entry was added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Version of the layout.
    pub format: u32,
    /// SHA-256 of the content of card and predictions.
    pub key: String,
    /// SHA-256 of the values of the predictions.
    pub predictions: String,
    /// The board.
    pub board: String,
    /// The program that has added it.
    pub program: String,
    /// The form of its predictions.
    pub form: String,
    /// Number of predictions.
    pub rows: usize,
    /// Number of splits with predictions.
    pub splits: usize,
    /// Number of splits on which it failed.
    pub failed: usize,
    /// Whether it has a part of the board alone.
    pub part: bool,
    /// What is to be known of it.
    pub findings: Vec<String>,
    /// Hash and size of the other files, by name.
    pub files: BTreeMap<String, FileStamp>,
}

/// The key of an entry: SHA-256 of the content of its card and of its predictions.
pub fn key(card: &Card, predictions_sha256: &str) -> String {
    let parts = json!({
        "card": card.sha256(), "format": FORMAT, "predictions": predictions_sha256,
    });
    sha256(canonical(&parts).as_bytes())
}

/// The folder of an entry, in that of all entries of its board.
pub fn folder_of(card: &Card, key: &str) -> String {
    let stem = folder_stem(&card.name, &card.version);
    format!("{stem}-{}", key.get(..DIGITS).unwrap_or(key))
}

/// The files of an entry, and the parts of its record that they do not tell.
#[derive(Clone, Debug)]
pub struct NewEntry<'a> {
    /// Its card.
    pub card: &'a Card,
    /// Its predictions, as Parquet.
    pub predictions: Vec<u8>,
    /// Its scores, as text between commas.
    pub scores: String,
    /// The record without files and format.
    pub record: Record,
}

/// Writes an entry into `into`, the folder of all entries of its board, whole or not at all.
///
/// # Errors
/// The operating system's error; [`ErrorKind::AlreadyExists`] where its folder is there.
pub fn write_entry(disk: &dyn Disk, into: &Path, entry: NewEntry) -> io::Result<PathBuf> {
    let NewEntry { card, predictions, scores, mut record } = entry;
    let folder = into.join(folder_of(card, &record.key));
    let files: [(&str, Vec<u8>); 3] = [
        (CARD, card.to_toml().into_bytes()),
        (PREDICTIONS, predictions),
        (SCORES, scores.into_bytes()),
    ];
    record.format = FORMAT;
    record.files =
        files.iter().map(|(name, bytes)| ((*name).to_owned(), FileStamp::of(bytes))).collect();
    let text = serde_json::to_string_pretty(&record).map_err(io::Error::other)? + "\n";
    write_folder(disk, &folder, |folder| {
        for (name, bytes) in &files {
            disk.write_new(&folder.join(name), bytes, Durability::Cached)?;
        }
        disk.write_new(&folder.join(RECORD), text.as_bytes(), Durability::Cached)
    })?;
    Ok(folder)
}

/// How an entry came to its scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Its author brought predictions.
    Claimed,
    /// Somebody else ran its code.
    Rerun,
}

/// The folders of all entries of a board and a tier, by name; none where there is no such folder.
///
/// # Errors
/// The operating system's error.
pub fn folders(disk: &dyn Disk, of_board: &Path, tier: Tier) -> io::Result<Vec<PathBuf>> {
    let names = match disk.list(of_board) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        names => names?,
    };
    let mut found = Vec::new();
    for name in names {
        let path = of_board.join(&name);
        // What begins with a point is being written, or was left by a program that was killed.
        let is_hidden = name.to_string_lossy().starts_with('.');
        if is_hidden || disk.kind(&path)? != Kind::Folder {
            continue;
        }
        let is_rerun = disk.kind(&path.join(RERUN)).is_ok();
        if is_rerun == (tier == Tier::Rerun) {
            found.push(path);
        }
    }
    match found.len() > MOST_ENTRIES {
        true => Err(io::Error::new(
            ErrorKind::FileTooLarge,
            format!("it has {} entries, expected at most {MOST_ENTRIES}", found.len()),
        )),
        false => Ok(found),
    }
}

/// An entry whose files are those that its record states.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// Its card.
    pub card: Card,
    /// Its record.
    pub record: Record,
    /// Its folder.
    pub folder: PathBuf,
}

impl Stored {
    /// Reads the card and the record of a folder, and checks its name.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn open(disk: &dyn Disk, folder: &Path) -> Result<Self, String> {
        let read = |name: &str, most: u64| {
            read_whole(disk, &folder.join(name), most).map_err(|error| format!("{name}: {error}"))
        };
        let record: Record = serde_json::from_slice(&read(RECORD, LARGEST_RECORD)?)
            .map_err(|error| format!("{RECORD}: unexpected content: {error}"))?;
        if record.format != FORMAT {
            return Err(format!(
                "{RECORD}: format {}, expected {FORMAT}: another version of this program wrote it",
                record.format
            ));
        }
        let card = read(CARD, LARGEST_CARD)?;
        check_stamp(&record.files, RECORD, CARD, &card)?;
        let card = String::from_utf8(card).map_err(|error| format!("{CARD}: {error}"))?;
        let card = Card::parse(&card).map_err(|error| format!("{CARD}: {error}"))?;
        let expected = folder_of(&card, &record.key);
        if folder.file_name().is_none_or(|name| name != expected.as_str()) {
            return Err(format!("its folder has another name than its content: {expected}"));
        }
        let known = key(&card, &record.predictions);
        if known != record.key {
            return Err(format!("{RECORD}: the key {}, expected {known}", record.key));
        }
        Ok(Self { card, record, folder: folder.into() })
    }

    /// The path of its predictions.
    pub fn predictions(&self) -> PathBuf {
        self.folder.join(PREDICTIONS)
    }

    /// Refuses bytes that are not those of its predictions.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn check_predictions(&self, bytes: &[u8]) -> Result<(), String> {
        check_stamp(&self.record.files, RECORD, PREDICTIONS, bytes)
    }
}

/// Refuses bytes of the file `name` that are not those that `record` states.
///
/// # Errors
/// What was found, and what was expected.
pub(super) fn check_stamp(
    files: &BTreeMap<String, FileStamp>,
    record: &str,
    name: &str,
    bytes: &[u8],
) -> Result<(), String> {
    let found = FileStamp::of(bytes);
    match files.get(name) {
        Some(stated) if *stated == found => Ok(()),
        Some(stated) => Err(format!(
            "{name}: SHA-256 {}, expected {}: it was changed or damaged",
            found.sha256, stated.sha256
        )),
        None => Err(format!("{record}: it states no hash of {name}")),
    }
}

#[cfg(test)]
mod tests;
