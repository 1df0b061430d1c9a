//! Read the entries that were added to a board, but for reruns. Each is checked and scored anew: what
//! a file says of itself is not believed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::cli::CliError;
use crate::cli::wording::Worded;
use uq_core::metrics::MetricId;
use uqbench_data::Library;
use uqbench_data::number_file::read_bytes;
use uqbench_judge::evidence::brought::{
    Brought, Refusal, Refusals, find_needed, limits, read_submission,
};
use uqbench_run::benchmark::Benchmark;
use uqbench_run::league::entry::{Stored, Tier, folders};
use uqbench_run::league::{Board, Card, LeagueError, Truth};
use uqbench_system::{Disk, Patient};

/// What a folder has of a board.
#[derive(Debug, Default)]
pub struct Entries {
    /// The entries with their scores, by the names of their folders.
    pub brought: Vec<Brought>,
    /// Their cards, by key.
    pub cards: BTreeMap<String, Card>,
    /// Those that are left out.
    pub left_out: Vec<LeftOut>,
}

/// An entry that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The name of its folder.
    pub folder: String,
    /// Why, in words.
    pub why: String,
}

impl LeftOut {
    /// The entry in this folder, and why it is left out.
    pub fn new(folder: &Path, why: String) -> Self {
        let folder = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { folder, why }
    }
}

/// Reads all entries of a board from the folder `dir`, in which each board has a folder of its own,
/// and scores them by these metrics. Of data those datasets alone are needed that an entry needs.
///
/// # Errors
/// [`CliError`] where the folder cannot be listed, or where rows of the board cannot be divided.
pub fn read_entries(
    dir: &Path,
    benchmark: &Benchmark,
    metrics: &[MetricId],
    library: &Library,
) -> Result<Entries, CliError> {
    let of_board = dir.join(&benchmark.id);
    let disk = Patient::machine();
    let found = list(&disk, &of_board, Tier::Claimed)?;
    let mut entries = Entries::default();
    if found.is_empty() {
        return Ok(entries);
    }
    let board = Board::new(benchmark)?;
    let (mut needed, mut opened) = (BTreeSet::new(), Vec::new());
    for folder in found {
        let one = Stored::open(&disk, &folder)
            .and_then(|stored| find_datasets(&stored, &board).map(|keys| (stored, keys)));
        needed.extend(one.iter().flat_map(|(_, keys)| keys.iter().cloned()));
        opened.push((folder, one));
    }
    let (board, missing) = board.keep(&Vec::from_iter(needed)).find_at_hand(library);
    let truths = board.truths(library)?;
    let mut known: Vec<(String, String)> = Vec::new();
    for (folder, one) in opened {
        let read = one.and_then(|(stored, keys)| {
            check_at_hand(&keys, &missing)?;
            score(&stored, &board, &truths, metrics, &known)
        });
        match read {
            Ok((brought, card, predictions)) => {
                known.push((predictions, brought.heading.clone()));
                entries.cards.insert(brought.key.clone(), card);
                entries.brought.push(brought);
            }
            Err(why) => entries.left_out.push(LeftOut::new(&folder, why)),
        }
    }
    Ok(entries)
}

/// The datasets that an entry needs, by key.
fn find_datasets(stored: &Stored, board: &Board) -> Result<Vec<String>, String> {
    if !stored.card.part {
        return Ok(board.datasets.iter().map(|dataset| dataset.key.clone()).collect());
    }
    let (file, bytes) = read_predictions(stored, board)?;
    find_needed(&file, &bytes, &stored.card, board).map_err(|refusals| refusals.to_string())
}

/// The name and the bytes of an entry's file of predictions, which are those of its record.
fn read_predictions(stored: &Stored, board: &Board) -> Result<(String, Vec<u8>), String> {
    let path = stored.predictions();
    let bytes = read_bytes(&path, &limits(board)).map_err(|error| error.to_string())?;
    stored.check_predictions(&bytes)?;
    Ok((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes))
}

/// Refuses an entry that needs a dataset which is not at hand.
fn check_at_hand(needed: &[String], missing: &BTreeMap<String, LeagueError>) -> Result<(), String> {
    let why: Vec<String> =
        needed.iter().filter_map(|key| Some(missing.get(key)?.worded())).collect();
    if why.is_empty() { Ok(()) } else { Err(why.join("; ")) }
}

/// The folders of all entries of a tier in that of their board.
///
/// # Errors
/// [`CliError`] where they cannot be listed.
pub fn list(disk: &dyn Disk, of_board: &Path, tier: Tier) -> Result<Vec<PathBuf>, CliError> {
    folders(disk, of_board, tier).map_err(|error| {
        CliError::Other(format!("the entries in {} cannot be read: {error}", of_board.display()))
    })
}

/// The scores of an entry, its card, and the hash of its predictions. `known` has the hashes and
/// the names of those before it.
fn score(
    stored: &Stored,
    board: &Board,
    truths: &[Vec<Truth>],
    metrics: &[MetricId],
    known: &[(String, String)],
) -> Result<(Brought, Card, String), String> {
    let card = &stored.card;
    let (file, bytes) = read_predictions(stored, board)?;
    let submission = read_submission(&file, &bytes, card, board, truths);
    let submission = submission.map_err(|refusals| refusals.to_string())?;
    let hash = submission.predictions.sha256();
    if hash != stored.record.predictions {
        return Err(format!(
            "the values of its predictions have the SHA-256 {hash}, expected {}",
            stored.record.predictions
        ));
    }
    let mut refusals = submission.check(board, truths);
    let same = known.iter().find(|(other, _)| *other == hash);
    refusals.extend(same.map(|(_, heading)| Refusal::SameAs { heading: heading.clone() }));
    if !refusals.is_empty() {
        return Err(Refusals(refusals).to_string());
    }
    let scores = submission.scores(card, board, truths, metrics);
    let brought = Brought {
        approximations: submission.approximations(metrics),
        ..Brought::new(card, &stored.record.key, board, &scores)
    };
    Ok((brought, card.clone(), hash))
}
