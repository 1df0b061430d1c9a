//! Keep a rerun in a folder of its own: what is stated of the code, its seed, its trials and its
//! scores. The folder is named by its content, and is never changed.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::code::{Code, LARGEST_CODE};
use super::entry::{DIGITS, RERUN, SCORES, check_stamp};
use super::facts::folder_stem;
use super::freeze::hash_code;
use crate::runner::record::FileStamp;
use uqbench_system::disk::{Disk, Durability, LARGEST, read_whole};
use uqbench_system::hash::sha256;
use uqbench_system::machine::affordable;
use uqbench_system::whole_folder::write_folder;

/// File of what is stated of the code.
pub const CODE: &str = "code.toml";
/// File of the pack of its trials.
pub const TRIALS: &str = "trials.pack";

/// Version of the folder's layout.
const FORMAT: u32 = 1;

/// Largest record, in bytes.
const LARGEST_RECORD: u64 = 4 << 20;

/// What is known of a rerun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Version of the layout.
    pub format: u32,
    /// The board.
    pub board: String,
    /// SHA-256 of the command and of the names and hashes of all files.
    pub code: String,
    /// Root of all random numbers, in decimal digits.
    #[serde(with = "digits")]
    pub seed: u64,
    /// Whether the seed was given, not drawn: it is that of an earlier rerun.
    pub repeated: bool,
    /// The day of the run in UTC.
    pub date: String,
    /// Who ran it, as they say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The program that ran it.
    pub program: String,
    /// Where the trials ran, in words.
    pub machine: String,
    /// How the rows were divided, as a benchmark file states it.
    pub protocol: String,
    /// Keys of the datasets.
    pub datasets: Vec<String>,
    /// Splits of each dataset, where it has as many.
    pub splits: u64,
    /// Names of the methods that ran beside it.
    pub yardsticks: Vec<String>,
    /// SHA-256 of each file of the code, by its name.
    pub files_of_code: BTreeMap<String, String>,
    /// Hash and size of the other files of the folder, by name.
    #[serde(default)]
    pub files: BTreeMap<String, FileStamp>,
}

/// A seed has 64 bits, and a whole number of TOML 63: a text takes its place.
mod digits {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub fn serialize<S: Serializer>(seed: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(seed)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        let seed = text.parse::<u64>().ok().filter(|seed| seed.to_string() == text);
        seed.ok_or_else(|| D::Error::custom("expected a number of 64 bits in decimal digits"))
    }
}

/// The files of a rerun, and what is known of it but for their hashes.
#[derive(Clone, Debug)]
pub struct NewRerun<'a> {
    /// The code.
    pub code: &'a Code,
    /// The text that states it.
    pub text: String,
    /// The pack of all trials, with their predictions.
    pub trials: Vec<u8>,
    /// Every score, as text between commas.
    pub scores: String,
    /// The record without files and format.
    pub record: Record,
}

/// Writes a rerun into `into`, the folder of all entries of its board, whole or not at all. The
/// folder of the same rerun may be there already.
///
/// # Errors
/// The operating system's error.
pub fn write_rerun(disk: &dyn Disk, into: &Path, new: NewRerun) -> io::Result<PathBuf> {
    let NewRerun { code, text, trials, scores, mut record } = new;
    let files = [(CODE, text.into_bytes()), (TRIALS, trials), (SCORES, scores.into_bytes())];
    record.format = FORMAT;
    record.files =
        files.iter().map(|(name, bytes)| ((*name).to_owned(), FileStamp::of(bytes))).collect();
    let text = toml::to_string(&record).map_err(io::Error::other)?;
    let folder = into.join(folder_of(code, &record, text.as_bytes()));
    let written = write_folder(disk, &folder, |folder| {
        for (name, bytes) in &files {
            disk.write_new(&folder.join(name), bytes, Durability::Cached)?;
        }
        disk.write_new(&folder.join(RERUN), text.as_bytes(), Durability::Cached)
    });
    match written {
        // Its name tells its content.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            StoredRerun::open(disk, &folder).map_err(io::Error::other)?;
        }
        written => written?,
    }
    Ok(folder)
}

/// The name of the folder of a rerun, whose record has these bytes.
fn folder_of(code: &Code, record: &Record, bytes: &[u8]) -> String {
    let stem = folder_stem(&code.name, &code.version);
    let key = sha256(bytes);
    format!("{stem}-rerun-{}-{}", record.seed, key.get(..DIGITS).unwrap_or(&key))
}

/// A rerun whose files are those that its record states.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRerun {
    /// The code.
    pub code: Code,
    /// What is known of it.
    pub record: Record,
    /// The pack of its trials.
    pub trials: Vec<u8>,
}

impl StoredRerun {
    /// Reads a folder, and checks its name and the hashes of all its files.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn open(disk: &dyn Disk, folder: &Path) -> Result<Self, String> {
        let read = |name: &str, most: u64| {
            read_whole(disk, &folder.join(name), most).map_err(|error| format!("{name}: {error}"))
        };
        let bytes = read(RERUN, LARGEST_RECORD)?;
        let text = std::str::from_utf8(&bytes).map_err(|error| format!("{RERUN}: {error}"))?;
        let record: Record = toml::from_str(text)
            .map_err(|error| format!("{RERUN}: unexpected content: {}", error.message()))?;
        if record.format != FORMAT {
            return Err(format!(
                "{RERUN}: format {}, expected {FORMAT}: another version of this program wrote it",
                record.format
            ));
        }
        let stamped = |name: &str, most: u64| {
            let bytes = read(name, most)?;
            check_stamp(&record.files, RERUN, name, &bytes).map(|()| bytes)
        };
        let code = String::from_utf8(stamped(CODE, LARGEST_CODE)?)
            .map_err(|error| format!("{CODE}: {error}"))?;
        let code = Code::parse(&code).map_err(|error| format!("{CODE}: {error}"))?;
        let trials = stamped(TRIALS, affordable(LARGEST))?;
        stamped(SCORES, affordable(LARGEST))?;
        let expected = folder_of(&code, &record, &bytes);
        if folder.file_name().is_none_or(|name| name != expected.as_str()) {
            return Err(format!("its folder has another name than its content: {expected}"));
        }
        let known = hash_code(&code.command, &record.files_of_code);
        if known != record.code {
            return Err(format!("{RERUN}: the code {}, expected {known}", record.code));
        }
        if !code.files.iter().all(|name| record.files_of_code.contains_key(name)) {
            return Err(format!("{RERUN}: it states no hash of a file of the code"));
        }
        Ok(Self { code, record, trials })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::league::blank_code;
    use uqbench_system::RealDisk;

    fn text() -> String {
        let mut text = blank_code("b").replace("authors = [\"\"]", "authors = [\"A\"]");
        for key in ["name", "licence", "description"] {
            text = text.replace(&format!("\n{key} = \"\""), &format!("\n{key} = \"mine\""));
        }
        text
    }

    fn written(into: &Path) -> io::Result<PathBuf> {
        let code = Code::parse(&text()).unwrap();
        let files_of_code = BTreeMap::from([("mine.py".to_owned(), "0".repeat(64))]);
        let record = Record {
            format: 0,
            board: "b".into(),
            code: hash_code(&code.command, &files_of_code),
            seed: u64::MAX,
            repeated: false,
            date: "2026-11-29".into(),
            by: Some("B".into()),
            program: "p".into(),
            machine: "m".into(),
            protocol: "standard".into(),
            datasets: vec!["yacht".into()],
            splits: 2,
            yardsticks: vec!["ridge".into()],
            files_of_code,
            files: BTreeMap::new(),
        };
        let (trials, scores) = (b"pack".to_vec(), "dataset\n".to_owned());
        let new = NewRerun { code: &code, text: text(), trials, scores, record };
        write_rerun(&RealDisk, into, new)
    }

    #[test]
    fn a_rerun_is_found_as_it_was_written_and_the_same_one_stays() {
        let place = tempfile::tempdir().unwrap();
        let folder = written(place.path()).unwrap();
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with(&format!("mine-1-rerun-{}-", u64::MAX)), "{name}");
        let stored = StoredRerun::open(&RealDisk, &folder).unwrap();
        assert_eq!((stored.record.seed, stored.trials.as_slice()), (u64::MAX, &b"pack"[..]));
        assert_eq!(written(place.path()).unwrap(), folder);
        let text = fs::read_to_string(folder.join(RERUN)).unwrap();
        assert!(text.contains("\nseed = \"18446744073709551615\"\n"), "{text}");
    }

    #[test]
    fn a_changed_rerun_is_told() {
        let place = tempfile::tempdir().unwrap();
        let folder = written(place.path()).unwrap();
        let change = |name: &str, from: &str, to: &str| {
            let path = folder.join(name);
            let before = fs::read_to_string(&path).unwrap();
            assert!(before.contains(from), "{from}");
            fs::write(&path, before.replace(from, to)).unwrap();
            let error = StoredRerun::open(&RealDisk, &folder).unwrap_err();
            fs::write(path, before).unwrap();
            error
        };
        for (name, from) in [(CODE, "mine.py"), (TRIALS, "pack"), (SCORES, "dataset")] {
            let error = change(name, from, "other");
            assert!(error.starts_with(&format!("{name}: SHA-256 ")), "{error}");
        }
        let error = change(RERUN, "repeated = false", "repeated = true");
        assert!(error.contains("its folder has another name"), "{error}");
        let error = change(RERUN, &u64::MAX.to_string(), "01");
        assert!(error.contains("decimal digits"), "{error}");
        let error = change(RERUN, "format = 1", "format = 2");
        assert!(error.contains("format 2, expected 1"), "{error}");
        let error = change(RERUN, "by = ", "bye = ");
        assert!(error.contains("unexpected content"), "{error}");
        fs::remove_file(folder.join(TRIALS)).unwrap();
        assert!(StoredRerun::open(&RealDisk, &folder).unwrap_err().starts_with("trials.pack: "));
    }
}
