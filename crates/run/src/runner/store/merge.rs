//! Join stores and packs: every trial once, and nothing where two of them disagree.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::json;

use super::error::{reading, writing};
use super::format::{FAILURES, PACKED, SCORES, TRIALS};
use super::pack::{self, CHOSEN_TABLES, Chosen, FAILURE_FILE, Files, Packing, SCORES_FILE};
use super::sweep::{file_name, sweep_merges};
use super::{Found, Store, StoreError};
use crate::external::contract::Description;
use crate::runner::attempt::Attempt;
use crate::runner::cache::Cache;
use crate::runner::key::TrialKey;
use crate::runner::layout;
use crate::runner::record::{
    PROVENANCE, Provenance, RESULT, ROWS, SIDE_TABLES, TrialResult, seal, unseal,
};
use uqbench_system::disk::Durability;
use uqbench_system::files::{sweep_beside, sync_below, write_whole};
use uqbench_system::{Disk, Patient, RealDisk};

/// What a new store or pack has.
#[derive(Debug)]
pub struct Merged {
    /// Number of trials, failed ones included.
    pub trials: usize,
    /// Trials of a store that only packs without their predictions have: a metric or a figure that
    /// is new to them cannot be made.
    pub lacking: BTreeSet<TrialKey>,
    /// Unfinished trials whose steps the sources have, and the new store has not: only a run on its
    /// own store goes on from them.
    pub with_steps: usize,
}

/// Whether two results of one trial are the same: equal bytes of predictions and side tables. The
/// words of a reason may differ, because they may come from two versions of the program.
fn agree(a: &TrialResult, b: &TrialResult) -> bool {
    a.outcome.word() == b.outcome.word()
        && a.files == b.files
        && a.layout == b.layout
        && a.test_rows == b.test_rows
}

/// The side tables that either of two packs has of one trial, sealed.
fn both(one: &[u8], other: &[u8]) -> Option<Vec<u8>> {
    let chosen = |text: &[u8]| unseal::<Chosen>(text).ok();
    seal(&chosen(one)?.joined(chosen(other)?)).ok().map(String::into_bytes)
}

/// The keys of the trials of all sources, failed ones included.
fn keys_of(sources: &[Store]) -> Result<BTreeSet<TrialKey>, StoreError> {
    let mut keys = BTreeSet::new();
    for source in sources {
        keys.extend(source.keys_with_failures()?);
    }
    Ok(keys)
}

/// The files of one trial from every source that has them, because packs may lack different ones. A
/// trial that is damaged in one source is taken from another one. No files where all that the
/// sources have of it is damaged.
///
/// # Errors
/// [`StoreError::Disagree`] where two sources have other bytes for it.
fn files_of(sources: &[Store], key: &TrialKey) -> Result<Files, StoreError> {
    let mut files = Files::new();
    let mut first = None;
    let mut caches = Vec::new();
    for source in sources {
        let Found::Finished(result) = source.find(key)? else { continue };
        match &first {
            None => first = Some((source, result.clone())),
            Some((other, found)) if !agree(found, &result) => {
                let (one, other) = (other.root().into(), source.root().into());
                return Err(StoreError::Disagree { key: key.clone(), one, other });
            }
            Some(_) => {}
        }
        for (name, bytes) in source.finished_files(key, &result)? {
            let bytes = match files.remove(&name) {
                None => bytes,
                Some(known) if name == CHOSEN_TABLES => both(&known, &bytes).unwrap_or(known),
                // Where and when it ran, and the words of a reason, may differ: the order of the
                // sources does not choose.
                Some(known) => known.min(bytes),
            };
            files.insert(name, bytes);
        }
        let sealed = source.derived(key)?;
        caches.extend(
            sealed.and_then(|sealed| Cache::of(&result, &sealed)).map(|cache| (source, cache)),
        );
    }
    if let Some((_, result)) = &first {
        let joined = joined_cache(result, &files, caches)?;
        files.extend(joined.map(|sealed| (SCORES_FILE.to_owned(), sealed)));
    }
    if files.contains_key(SIDE_TABLES) {
        files.remove(CHOSEN_TABLES);
    }
    if first.is_none() {
        let failures =
            sources.iter().map(|source| source.failure_file(key)).collect::<Result<Vec<_>, _>>()?;
        let started =
            |bytes: &[u8]| Attempt::read(bytes).ok().and_then(|attempt| Some(attempt.run?.started));
        let last =
            failures.into_iter().flatten().max_by_key(|bytes| (started(bytes), bytes.clone()));
        files.extend(last.map(|bytes| (FAILURE_FILE.to_owned(), bytes)));
    }
    Ok(files)
}

/// What is derived from a trial in any of these sources, sealed. The scores of a pack, and those of
/// a source without predictions, are compared with the predictions where any source has these.
///
/// # Errors
/// [`StoreError::FalseScores`] where scores are not those of the predictions;
/// [`StoreError::ScoresDisagree`] where two sources state different ones.
fn joined_cache(
    result: &TrialResult,
    files: &Files,
    caches: Vec<(&Store, Cache)>,
) -> Result<Option<Vec<u8>>, StoreError> {
    let key = || result.key.clone();
    let provenance = files.get(PROVENANCE).and_then(|text| unseal::<Provenance>(text).ok());
    let rows = || {
        let decoded = layout::decode(&result.layout, files.get(ROWS)?);
        decoded.and_then(|decoded| decoded.checked(result.test_rows)).ok()
    };
    // Costs stay those of the first one: it is the source of the provenance that is kept.
    let mut caches: Vec<(bool, &Store, Cache)> = caches
        .into_iter()
        .map(|(source, cache)| {
            let own = source.file_of(&result.key, PROVENANCE)?;
            Ok((own.as_ref() != files.get(PROVENANCE), source, cache))
        })
        .collect::<Result<_, StoreError>>()?;
    caches.sort_by_key(|(is_other, ..)| *is_other);
    let mut all: Option<(&Store, Cache)> = None;
    for (_, source, cache) in caches {
        let false_one = match source.contradiction(result)? {
            None if !source.has(&result.key, ROWS)? => {
                rows().and_then(|decoded| cache.contradiction(result, decoded, provenance.as_ref()))
            }
            found => found,
        };
        if let Some(message) = false_one {
            return Err(StoreError::FalseScores {
                key: key(),
                source_of_it: source.root().into(),
                message,
            });
        }
        all = Some(match all {
            None => (source, cache),
            Some((first, known)) => {
                let disagree = |message| StoreError::ScoresDisagree {
                    key: key(),
                    one: first.root().into(),
                    other: source.root().into(),
                    message,
                };
                (first, known.joined(cache).map_err(disagree)?)
            }
        });
    }
    let unwritable = |error: serde_json::Error| StoreError::Unwritable {
        key: key(),
        message: error.to_string(),
    };
    all.map(|(_, cache)| cache.sealed().map_err(unwritable)).transpose()
}

/// What the sealed record of a finished trial says after its key: the specification, then the
/// result.
fn after_key(files: &Files) -> Option<&[u8]> {
    let record = files.get(RESULT)?;
    let specification =
        record.windows(SPECIFICATION.len()).position(|part| part == SPECIFICATION)?;
    Some(&record[specification..])
}

/// The name of the specification in a record. Nothing but the checksum and the key precedes it.
const SPECIFICATION: &[u8] = b"\"spec\":";

/// A new pack of the trials of all sources, and their number. The trials are in the order of their
/// specifications, then those that failed in the order of their keys: trials of one dataset and
/// method are then beside each other, and compress better than in the order of their keys, which
/// are hashes. Whatever the order of the sources, this one is the same, because no two trials have
/// the same specification.
///
/// Each trial is read twice, for its place and to be packed, so that its files are in memory once,
/// in its source.
fn joined_pack(sources: &[Store]) -> Result<(Vec<u8>, usize), StoreError> {
    let (mut places, mut bytes) = (Vec::new(), 0);
    for key in keys_of(sources)? {
        let files = files_of(sources, &key)?;
        if !files.is_empty() {
            bytes += pack::size(&files);
            let record = after_key(&files).map(<[u8]>::to_vec);
            places.push((record.is_none(), record, key));
        }
    }
    places.sort_unstable();
    let mut packing = Packing::of(bytes)?;
    for (.., key) in &places {
        packing.add(key, &files_of(sources, key)?)?;
    }
    Ok((packing.finish()?, places.len()))
}

impl Store {
    /// Every file that the store has of a finished trial.
    fn finished_files(&self, key: &TrialKey, result: &TrialResult) -> Result<Files, StoreError> {
        let mut files = Files::new();
        for name in [RESULT, PROVENANCE, CHOSEN_TABLES]
            .into_iter()
            .chain(result.files.keys().map(String::as_str))
        {
            files.extend(self.file_of(key, name)?.map(|bytes| (name.to_owned(), bytes)));
        }
        Ok(files)
    }

    /// A pack of everything that the store has of finished and of failed trials, and their number.
    /// Damaged trials are left out.
    ///
    /// # Errors
    /// As [`Store::merge`].
    pub fn pack_everything(&self) -> Result<(Vec<u8>, usize), StoreError> {
        joined_pack(std::slice::from_ref(self))
    }

    /// Joins stores and packs into a new store, or into a new pack where `into` ends in `.pack`.
    /// `into` appears in one step, or not at all.
    ///
    /// # Errors
    /// [`StoreError::Disagree`] where two sources have other bytes for one trial;
    /// [`StoreError::Taken`] where `into` exists.
    pub fn merge(sources: &[Self], into: &Path) -> Result<Merged, StoreError> {
        Self::merge_on(Arc::new(RealDisk), sources, into)
    }

    /// As [`Store::merge`], on the given disk. Every file is written, then all are synchronised,
    /// then they get their place: one by one they would take some ten times as long.
    ///
    /// # Errors
    /// As [`Store::merge`].
    pub fn merge_on(
        disk: Arc<dyn Disk>,
        sources: &[Self],
        into: &Path,
    ) -> Result<Merged, StoreError> {
        let disk = Patient::with(disk);
        if disk.kind(into).is_ok() {
            return Err(StoreError::Taken { path: into.into() });
        }
        if into.extension().is_some_and(|ending| ending == "pack") {
            let (pack, trials) = joined_pack(sources)?;
            write_whole(disk.as_ref(), into, &pack).map_err(writing(into))?;
            sweep_beside(into);
            return Ok(Merged {
                trials,
                lacking: BTreeSet::new(),
                with_steps: Store::with_steps(sources)?,
            });
        }
        sweep_merges(disk.as_ref(), into).map_err(writing(into))?;
        let temporary = into.with_file_name(format!(".{}", file_name()));
        let placed = write_store(&disk, &temporary, sources).and_then(|(merged, being_written)| {
            sync_below(disk.as_ref(), &temporary).map_err(writing(&temporary))?;
            disk.rename(&temporary, into).map_err(writing(into))?;
            drop(being_written); // another merge takes what nobody has locked for a leftover
            Ok(merged)
        });
        if placed.is_err() {
            let _ = std::fs::remove_dir_all(&temporary); // the first error is the one to report
        }
        let merged = placed?;
        let parent =
            into.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
        disk.sync_folder(parent).map_err(reading(parent))?;
        Ok(merged)
    }
}

/// Whether no source has every file of a finished trial, of which all sources together have these.
fn is_lacking(sources: &[Store], key: &TrialKey, files: &Files) -> Result<bool, StoreError> {
    for source in sources {
        if let Found::Finished(result) = source.find(key)? {
            return Ok(!result.files.keys().all(|name| files.contains_key(name)));
        }
    }
    Ok(false)
}

/// What external methods said of themselves. Of two answers of one method the one whose text is
/// greater, whatever the order of the sources: which version is shown is decided by the trials.
fn descriptions(sources: &[Store]) -> Result<BTreeMap<String, Description>, StoreError> {
    let mut all: BTreeMap<String, Description> = BTreeMap::new();
    for source in sources {
        for (identity, description) in source.descriptions()? {
            let text = |of: &Description| json!(of).to_string();
            match all.get(&identity) {
                Some(known) if text(known) >= text(&description) => {}
                _ => drop(all.insert(identity, description)),
            }
        }
    }
    Ok(all)
}

/// Writes a store of the trials of all sources into a new folder. It is not synchronised.
/// The store that is returned holds its lock.
fn write_store(
    disk: &Arc<dyn Disk>,
    root: &Path,
    sources: &[Store],
) -> Result<(Merged, Store), StoreError> {
    let being_written = Store::open_patient(disk.clone(), root.to_owned())?;
    being_written.keep_descriptions(&descriptions(sources)?)?;
    let mut merged =
        Merged { trials: 0, lacking: BTreeSet::new(), with_steps: Store::with_steps(sources)? };
    for key in keys_of(sources)? {
        let files = files_of(sources, &key)?;
        if files.is_empty() {
            continue;
        }
        merged.trials += 1;
        let part = &key.as_str()[..2];
        let own = root.join(TRIALS).join(part).join(key.as_str());
        for (name, bytes) in &files {
            let path = match name.as_str() {
                SCORES_FILE => root.join(SCORES).join(part).join(format!("{key}.json")),
                FAILURE_FILE => root.join(FAILURES).join(format!("{key}.json")),
                _ => own.join(name),
            };
            let folder = path.parent().unwrap_or(root);
            disk.create_folders(folder).map_err(writing(folder))?;
            disk.write_new(&path, bytes, Durability::Cached).map_err(writing(&path))?;
        }
        if is_lacking(sources, &key, &files)? {
            let path = own.join(PACKED);
            disk.write_new(&path, b"a pack without predictions\n", Durability::Cached)
                .map_err(writing(&path))?;
            merged.lacking.insert(key);
        }
    }
    Ok((merged, being_written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::{Profile, find};
    use crate::runner::key::TrialSpec;
    use crate::runner::layout::Layout;
    use crate::runner::outcome::{Failure, Outcome};
    use crate::runner::plan::{Filter, plan, trials};
    use crate::runner::record::{Provenance, TrialRecord};

    /// A trial that a method refused.
    fn record(key: &TrialKey, spec: TrialSpec, why: &str) -> TrialRecord {
        let result = TrialResult {
            key: key.clone(),
            spec,
            outcome: Outcome::Unsupported(why.into()),
            train_rows: 0,
            test_rows: 0,
            target_range: None,
            target_resolution: None,
            layout: Layout::default(),
            files: BTreeMap::new(),
        };
        TrialRecord { result, files: BTreeMap::new(), provenance: Provenance::default() }
    }

    #[test]
    fn a_merged_pack_has_like_trials_together_whatever_the_order_of_its_sources() {
        let plans =
            plan(&[find("dtb-table-1").unwrap()], Profile::Smoke, &Filter::default()).unwrap();
        let mut planned = trials(&plans);
        let failed = planned.split_off(planned.len() - 2);
        let folder = tempfile::tempdir().unwrap();
        let stores = ["a", "b", "c"].map(|name| Store::open(folder.path().join(name)).unwrap());
        for (at, trial) in planned.iter().enumerate() {
            let spec = trial.experiment.spec(trial.split);
            stores[at % 3].keep(&record(&trial.key, spec.clone(), "x")).unwrap();
            // Some trials are in two stores, which say it in other words.
            if at % 5 == 0 {
                stores[(at + 1) % 3].keep(&record(&trial.key, spec, "another word")).unwrap();
            }
        }
        for (at, trial) in failed.iter().enumerate() {
            stores[at]
                .remember_attempt(&trial.key, &Attempt::before_start(Failure::TimedOut))
                .unwrap();
        }
        let open = |name: &str| Store::open_existing(folder.path().join(name)).unwrap();
        let merged = |names: &[&str], into: &str| {
            let into = folder.path().join(into);
            Store::merge(&names.iter().map(|name| open(name)).collect::<Vec<_>>(), &into).unwrap();
            pack::read(&std::fs::read(into).unwrap()).ok().unwrap()
        };
        let keys = |found: &[(TrialKey, Files)]| {
            found.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>()
        };
        let one = merged(&["a", "b", "c"], "one.pack");
        for (at, names) in [["c", "b", "a"], ["b", "c", "a"]].iter().enumerate() {
            assert_eq!(keys(&merged(names, &format!("again-{at}.pack"))), keys(&one));
        }
        // Packs of parts in another order give the same one, too.
        merged(&["c", "b"], "part.pack");
        assert_eq!(keys(&merged(&["part.pack", "a"], "of-parts.pack")), keys(&one));
        assert_eq!(one.len(), planned.len() + failed.len());
        assert!(one[planned.len()..].iter().all(|(_, files)| files.keys().eq([FAILURE_FILE])));
        // All splits of a method on a dataset stand together.
        let but_split = |(_, files): &(TrialKey, Files)| {
            let result: TrialResult = unseal(&files[RESULT]).unwrap();
            serde_json::to_string(&TrialSpec { split: 0, ..result.spec }).unwrap()
        };
        let mut groups: Vec<String> = one[..planned.len()].iter().map(but_split).collect();
        let distinct = groups.iter().cloned().collect::<BTreeSet<_>>().len();
        groups.dedup();
        assert!(
            groups.len() == distinct && distinct < planned.len(),
            "{} of {distinct}",
            groups.len()
        );
    }
}
