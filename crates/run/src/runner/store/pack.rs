//! A store in one sealed file: the records, scores and side tables of its trials, and the
//! predictions that pages need.
//!
//! ```text
//! uqbench-pack 2                        the format
//! 3f2a…                                 SHA-256 of all bytes that follow
//! Zstandard of:
//!  {"key":…,"files":[["result.json",812],…]}  one line for each trial, in the order that compresses best
//!   the bytes of its files, one after the other
//! ```
//!
//! Sealed files are packed without their seal, which follows from the content. A packed trial may
//! lack its predictions: [`Store::file`](super::Store::file) then names the pack and the trial.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use zstd::{Decoder, Encoder};

use super::StoreError;
use crate::runner::file_format::{FileFormat, Unsealed};
use crate::runner::key::TrialKey;
use crate::runner::record::{PROVENANCE, RESULT, ROWS, SIDE_TABLES, open_seal, sealed};
use uq_methods::side_tables::SideTable;
use uqbench_system::machine::affordable;

/// The format that this program writes, and the newest one that it reads.
pub(super) const PACK_FORMAT: u64 = 2;
/// Kind and format of packs.
const FILE: FileFormat =
    FileFormat { magic: "uqbench-pack", format: PACK_FORMAT, oldest: PACK_FORMAT };
/// Most bytes that a pack may unpack to: some 1.7 million trials of 10 kB.
const LARGEST: u64 = 1 << 34;
/// Bytes to which any pack may unpack, and how many more for each of its own bytes: committed packs
/// unpack to 32 times theirs at most.
const ALLOWED: (u64, u64) = (1 << 28, 300);
/// Level of compression: the smallest output of all levels on packs of ours, at some 2 MB a second.
const LEVEL: i32 = 17;
/// Most bytes that are compressed at this level, which takes one to two minutes: three times the
/// largest committed pack. Committed packs stay the same to the byte.
const SLOW: u64 = 1 << 28;
/// Level of compression of more bytes: 16 GiB would take one to two hours at the other one.
const FAST_LEVEL: i32 = 3;
/// Most bytes of the line before a trial's files.
const LONGEST_HEAD: u64 = 1 << 12;

/// Name of a trial's chosen side tables, where a pack lacks the others.
pub(super) const CHOSEN_TABLES: &str = "tables.json";

/// Some of a trial's side tables.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Chosen {
    /// The names of all of them.
    pub all: Vec<String>,
    /// The side tables that were chosen.
    pub tables: Vec<SideTable>,
}

impl Chosen {
    /// The wanted tables.
    ///
    /// # Errors
    /// The name of a wanted table that was not chosen.
    pub fn wanted(self, wanted: impl Fn(&str) -> bool) -> Result<Vec<SideTable>, String> {
        let is_here = |name: &String| self.tables.iter().any(|table| table.name == *name);
        if let Some(name) = self.all.iter().find(|name| wanted(name) && !is_here(name)) {
            return Err(format!("side table `{name}`"));
        }
        Ok(self.tables.into_iter().filter(|table| wanted(&table.name)).collect())
    }

    /// The tables of either of two choices of the same trial.
    pub fn joined(mut self, other: Self) -> Self {
        self.tables.extend(other.tables);
        let place = |table: &SideTable| self.all.iter().position(|name| *name == table.name);
        self.tables.sort_by_key(place);
        self.tables.dedup_by(|a, b| a.name == b.name);
        self
    }
}

/// Names of a trial's derived scores and of its last failure in a pack.
pub(super) const SCORES_FILE: &str = "scores.json";
pub(super) const FAILURE_FILE: &str = "failure.json";

/// The names that a trial's files have in a pack.
const NAMES: [&str; 7] =
    [RESULT, ROWS, SIDE_TABLES, PROVENANCE, CHOSEN_TABLES, SCORES_FILE, FAILURE_FILE];

/// The packed files of one trial by name, sealed ones with their seal.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// The line before a trial's bytes.
#[derive(Serialize, Deserialize)]
struct Head {
    key: TrialKey,
    files: Vec<(String, u64)>,
}

/// Whether a file's content is sealed.
fn is_sealed(name: &str) -> bool {
    name != ROWS
}

/// The level of compression for `bytes` bytes.
fn level(bytes: u64) -> i32 {
    if bytes > SLOW { FAST_LEVEL } else { LEVEL }
}

/// A pack that is being made.
pub(super) struct Packing {
    out: Encoder<'static, Vec<u8>>,
    /// Bytes that were compressed so far.
    bytes: u64,
}

impl Packing {
    /// An empty one, for trials of `bytes` bytes in all.
    ///
    /// # Errors
    /// [`StoreError::Compressed`].
    pub fn of(bytes: u64) -> Result<Self, StoreError> {
        let mut out = Encoder::new(Vec::new(), level(bytes)).map_err(unwritable)?;
        out.long_distance_matching(true).map_err(unwritable)?;
        Ok(Self { out, bytes: 0 })
    }

    /// Adds a trial after the others.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] for a sealed file whose checksum is wrong;
    /// [`StoreError::Compressed`].
    pub fn add(&mut self, key: &TrialKey, files: &Files) -> Result<(), StoreError> {
        let damaged = |message: String| StoreError::Damaged { key: key.clone(), message };
        let mut head = Head { key: key.clone(), files: Vec::new() };
        let mut bodies = Vec::new();
        for (name, bytes) in files {
            let body = if is_sealed(name) { open_seal(bytes).map_err(damaged)? } else { bytes };
            head.files.push((name.clone(), body.len() as u64));
            bodies.push(body);
        }
        let line = serde_json::to_string(&head).map_err(|error| unwritable(error.into()))? + "\n";
        self.bytes += line.len() as u64 + bodies.iter().map(|body| body.len() as u64).sum::<u64>();
        self.out.write_all(line.as_bytes()).map_err(unwritable)?;
        bodies.into_iter().try_for_each(|body| self.out.write_all(body)).map_err(unwritable)
    }

    /// Its bytes.
    ///
    /// # Errors
    /// [`StoreError::Compressed`].
    pub fn finish(self) -> Result<Vec<u8>, StoreError> {
        let pack = FILE.seal(&self.out.finish().map_err(unwritable)?);
        let (found, most) = (self.bytes, allowed(pack.len() as u64));
        if found < most {
            return Ok(pack);
        }
        let message = format!(
            "it would unpack to {found} bytes, expected less than {most}; pack fewer benchmarks at \
             a time"
        );
        Err(StoreError::Compressed { message })
    }
}

fn unwritable(error: io::Error) -> StoreError {
    StoreError::Compressed { message: error.to_string() }
}

/// Number of bytes of a trial's files.
pub(super) fn size(files: &Files) -> u64 {
    files.values().map(|bytes| bytes.len() as u64).sum()
}

/// The bytes of a pack of these trials, in the given order.
///
/// # Errors
/// As [`Packing::add`].
pub(super) fn write(trials: &[(&TrialKey, &Files)]) -> Result<Vec<u8>, StoreError> {
    let mut packing = Packing::of(trials.iter().map(|(_, files)| size(files)).sum())?;
    trials.iter().try_for_each(|(key, files)| packing.add(key, files))?;
    packing.finish()
}

/// Whether a file starts as packs do.
pub(super) fn is_pack(path: &Path) -> bool {
    let mut first = vec![0; FILE.magic.len()];
    path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok()
        && first == FILE.magic.as_bytes()
}

/// Why a file is not read as a pack.
pub(super) enum Unpacked {
    /// It is something else.
    Foreign(String),
    /// A newer program wrote it.
    Newer(u64),
}

/// The trials of a pack, in its order.
///
/// # Errors
/// [`Unpacked`].
pub(super) fn read(pack: &[u8]) -> Result<Vec<(TrialKey, Files)>, Unpacked> {
    read_at_most(pack, affordable(allowed(pack.len() as u64)))
}

/// Most bytes to which a pack of `bytes` bytes may unpack: a small one that claims to be huge was
/// made to fill the memory.
fn allowed(bytes: u64) -> u64 {
    LARGEST.min(ALLOWED.0 + ALLOWED.1 * bytes)
}

fn read_at_most(pack: &[u8], largest: u64) -> Result<Vec<(TrialKey, Files)>, Unpacked> {
    let content = FILE.open(pack).map_err(|why| match why {
        Unsealed::Foreign => Unpacked::Foreign("it is another kind of file".into()),
        Unsealed::Damaged(why) => Unpacked::Foreign(why.into()),
        Unsealed::Older => Unpacked::Foreign(
            "its format is no longer read; the version of uqbench that wrote it reads it".into(),
        ),
        Unsealed::Newer(format) => Unpacked::Newer(format),
    })?;
    let unpacked = |error: io::Error| Unpacked::Foreign(format!("its content: {error}"));
    let mut from = io::BufReader::new(Decoder::new(content).map_err(unpacked)?.take(largest));
    let (mut trials, mut known): (Vec<(TrialKey, Files)>, HashMap<TrialKey, usize>) =
        Default::default();
    loop {
        let trial = next(&mut from);
        if from.get_ref().limit() == 0 {
            let most = format!(
                "it unpacks to {largest} bytes or more; pack fewer benchmarks at a time, or let \
                 other programs free memory"
            );
            return Err(Unpacked::Foreign(most));
        }
        match trial.map_err(unpacked)? {
            Some((key, files)) => match known.get(&key) {
                None => {
                    known.insert(key.clone(), trials.len());
                    trials.push((key, files));
                }
                Some(&at) if trials[at].1 == files => {}
                Some(_) => {
                    return Err(Unpacked::Foreign(format!(
                        "it has trial {key} twice with different content"
                    )));
                }
            },
            None => return Ok(trials),
        }
    }
}

fn next(from: &mut impl BufRead) -> io::Result<Option<(TrialKey, Files)>> {
    let mut line = Vec::new();
    from.take(LONGEST_HEAD).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let head: Head = serde_json::from_slice(&line)?;
    let mut files = Files::new();
    for (name, length) in head.files {
        if !NAMES.contains(&name.as_str()) {
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                format!("it has a file {name:?}, which no trial has"),
            ));
        }
        let mut body = Vec::new();
        from.take(length).read_to_end(&mut body)?;
        if body.len() as u64 != length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let bytes = if is_sealed(&name) { sealed(&body) } else { body };
        if files.insert(name.clone(), bytes).is_some() {
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                format!("a trial has the file {name:?} twice"),
            ));
        }
    }
    Ok(Some((head.key, files)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(names: &[&str]) -> Chosen {
        let tables = names
            .iter()
            .map(|name| SideTable { name: (*name).into(), columns: Vec::new() })
            .collect();
        Chosen { all: ["a", "b", "c"].map(str::to_owned).into(), tables }
    }

    fn names(tables: &[SideTable]) -> Vec<&str> {
        tables.iter().map(|table| table.name.as_str()).collect()
    }

    #[test]
    fn a_wanted_table_that_was_not_chosen_is_an_error_and_no_empty_answer() {
        assert_eq!(names(&chosen(&["a", "c"]).wanted(|name| name == "c").unwrap()), ["c"]);
        assert_eq!(
            names(&chosen(&["a", "c"]).wanted(|name| name == "d").unwrap()),
            Vec::<&str>::new()
        );
        assert_eq!(chosen(&["a", "c"]).wanted(|name| name == "b").unwrap_err(), "side table `b`");
    }

    #[test]
    fn two_choices_of_a_trial_are_joined_in_the_order_of_its_tables() {
        assert_eq!(names(&chosen(&["b", "c"]).joined(chosen(&["a", "b"])).tables), ["a", "b", "c"]);
    }

    #[test]
    fn more_than_256_mib_are_compressed_fast() {
        assert_eq!([0, 256 << 20, (256 << 20) + 1, LARGEST].map(level), [17, 17, 3, 3]);
    }

    #[test]
    fn trials_are_written_and_read_in_the_given_order() {
        let of = |digits: &str| (TrialKey::parse(&digits.repeat(32)).unwrap(), Files::new());
        let trials = [of("cd"), of("ab"), of("ef")];
        let pack = write(&[0, 1, 2].map(|at| (&trials[at].0, &trials[at].1))).unwrap();
        assert_eq!(read(&pack).ok().unwrap(), trials);
    }

    /// A pack of this content before it is compressed and sealed.
    fn packed(content: &str) -> Vec<u8> {
        let content = zstd::encode_all(content.as_bytes(), 1).unwrap();
        FILE.seal(&content)
    }

    #[test]
    fn a_pack_that_unpacks_to_too_much_says_so() {
        let line = format!("{{\"key\":\"{}\",\"files\":[]}}\n", "ab".repeat(32));
        let (pack, length) = (packed(&line), line.len() as u64);
        assert_eq!(read_at_most(&pack, length + 1).ok().unwrap().len(), 1);
        for largest in [1, length] {
            assert!(
                matches!(read_at_most(&pack, largest), Err(Unpacked::Foreign(why)) if why.contains("or more; pack fewer"))
            );
        }
    }

    #[test]
    fn what_no_trial_has_is_refused_although_the_seal_is_right() {
        let refusal = |content: &str| match read(&packed(content)) {
            Err(Unpacked::Foreign(why)) => why,
            _ => panic!("{content}"),
        };
        let key = "ab".repeat(32);
        assert_eq!(
            read(&packed(&format!("{{\"key\":\"{key}\",\"files\":[]}}\n"))).ok().unwrap().len(),
            1
        );
        for short in ["", "a", "äöü", &key[1..]] {
            assert!(
                refusal(&format!("{{\"key\":\"{short}\",\"files\":[]}}\n"))
                    .contains("is no trial's key"),
                "{short}"
            );
        }
        let file = |name: &str, length: u64| {
            format!("{{\"key\":\"{key}\",\"files\":[[\"{name}\",{length}]]}}\n")
        };
        assert!(refusal(&file("../../notes", 0)).contains("which no trial has"));
        assert!(refusal(&file("result.json", u64::MAX)).contains("end of file"));
        assert!(refusal(&"x".repeat(10_000)).starts_with("its content: "));
    }
}
