//! Remove leftovers of killed runs in the folder of unfinished work. Only names that this program
//! gives are removed, and no link is followed.
//!
//! The store's lock tells what runs on this host. On a network file system it may not reach other
//! hosts, so that their work in progress is told by its age. An entry is in use for the seconds in
//! which one trial is written.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use super::format::{LOCK, PACKED, Recognised, recognise};
use super::pack::CHOSEN_TABLES;
use crate::runner::key::TrialKey;
use crate::runner::record::{PROVENANCE, RESULT, ROWS, SIDE_TABLES};
use uqbench_system::disk::{Disk, Kind};
use uqbench_system::files::{host_digits, is_abandoned, remove_file};
use uqbench_system::notice::say;

/// Name of a trial's folder while it is written, and of a damaged trial in quarantine.
pub(super) fn trial_name(key: &TrialKey) -> String {
    format!("{key}-{}", host_digits())
}

/// Name of a file while it is written.
pub(super) fn file_name() -> String {
    format!("file-{}", host_digits())
}

/// The trial whose folder has such a name, of this version or of an earlier one (process and
/// number).
pub(super) fn key_of(name: &str) -> Option<TrialKey> {
    let (key, rest) = name.split_at_checked(TrialKey::LENGTH)?;
    TrialKey::parse(key).filter(|_| is_suffix(rest))
}

fn is_suffix(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('-') else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let random = rest.len() == 32 && rest.bytes().all(|b| b.is_ascii_hexdigit());
    random
        || rest.split_once('-').is_some_and(|(process, number)| digits(process) && digits(number))
}

/// Removes leftovers: those of this host at once, because the caller has the lock, and those of
/// others once they are old. Entries with other names and links stay.
pub(super) fn sweep(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
    let mut now = None;
    for name in disk.list(folder)? {
        let path = folder.join(&name);
        let Some(name) = name.to_str() else { continue };
        let kind = match disk.kind(&path) {
            // another host was faster
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            kind => kind?,
        };
        let is_leftover = match kind {
            Kind::File => name.strip_prefix("file").is_some_and(is_suffix),
            Kind::Folder => key_of(name).is_some(),
            _ => false,
        };
        let digits = name.rsplit('-').next().unwrap_or_default();
        if !is_leftover
            || !is_abandoned(disk, &path, digits, (&folder.join(file_name()), &mut now))?
        {
            continue;
        }
        if kind == Kind::File { remove_file(disk, &path)? } else { remove_trial(disk, &path)? }
    }
    Ok(())
}

/// Removes the stores that killed merges have left beside `into`, half written: those of this host
/// that no process has locked, and those of others once they are old.
pub(super) fn sweep_merges(disk: &dyn Disk, into: &Path) -> io::Result<()> {
    let parent = into.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    let names = match disk.list(parent) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()), // the merge will say so
        names => names?,
    };
    let mut now = None;
    for name in names {
        let path = parent.join(&name);
        let Some(name) =
            name.to_str().filter(|name| name.strip_prefix(".file").is_some_and(is_suffix))
        else {
            continue;
        };
        if !disk.kind(&path).is_ok_and(|kind| kind == Kind::Folder) || is_in_use(disk, &path) {
            continue;
        }
        let digits = name.rsplit('-').next().unwrap_or_default();
        let is_ours = matches!(recognise(disk, &path), Ok(Recognised::Marked | Recognised::Empty));
        let mut remove = || -> io::Result<()> {
            if is_ours
                && is_abandoned(
                    disk,
                    &path,
                    digits,
                    (&parent.join(format!(".{}", file_name())), &mut now),
                )?
            {
                std::fs::remove_dir_all(&path)?;
            }
            Ok(())
        };
        // It may be of another user: that is no reason not to merge.
        if let Err(error) = remove() {
            say(format!(
                "warning: {}, which a killed merge has left, cannot be removed: {error}",
                path.display()
            ));
        }
    }
    Ok(())
}

/// Whether another process holds the lock of a store. One that is about to be made is young: its
/// lock is not there yet, or for a moment nobody's.
fn is_in_use(disk: &dyn Disk, store: &Path) -> bool {
    let age = disk.modified(store).ok().and_then(|written| written.elapsed().ok());
    match std::fs::File::open(store.join(LOCK)) {
        Ok(file) => age.is_none_or(|age| age < TAKEN) || disk.try_lock(&file, false).is_err(),
        Err(_) => age.is_none_or(|age| age < YOUNG),
    }
}

/// A merge makes the lock of its store in its first moments.
const YOUNG: Duration = Duration::from_secs(60);
/// And takes it at once.
const TAKEN: Duration = Duration::from_secs(2);

/// Removes a trial's folder with the files that a trial has; a folder that holds anything else
/// stays.
pub(super) fn remove_trial(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
    for name in [RESULT, ROWS, SIDE_TABLES, PROVENANCE, CHOSEN_TABLES, PACKED] {
        let path = folder.join(name);
        match disk.kind(&path) {
            Ok(Kind::File) => remove_file(disk, &path)?,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    match disk.remove_folder(folder) {
        Err(error)
            if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) =>
        {
            Ok(())
        }
        end => end,
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::SystemTime;

    use super::*;
    use uqbench_system::RealDisk;
    use uqbench_system::files::{ABANDONED, is_own_host};

    #[test]
    fn only_names_of_our_own_scheme_are_known() {
        let key = TrialKey::parse(&"ab".repeat(32)).unwrap();
        assert_eq!(key_of(&trial_name(&key)), Some(key.clone()));
        assert_eq!(key_of(&format!("{key}-4711-0")), Some(key.clone()), "an earlier version's");
        for foreign in [
            "notes",
            "key-1-0",
            &format!("{key}"),
            &format!("{key}-"),
            &format!("{key}-a-b"),
            &"é".repeat(40),
        ] {
            assert_eq!(key_of(foreign), None, "{foreign}");
        }
        assert!(file_name().strip_prefix("file").is_some_and(is_suffix) && is_suffix("-12-3"));
        assert!(!is_suffix("-x") && !is_suffix("system"));
    }

    #[test]
    fn work_of_another_host_stays_until_it_is_old_by_the_clock_of_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let key = TrialKey::parse(&"ab".repeat(32)).unwrap();
        let other = if is_own_host(&"0f".repeat(16)) { "1e" } else { "0f" }.repeat(16);
        let (own, young) = (trial_name(&key), format!("{key}-{other}"));
        let (old, old_file) = (format!("{key}-7-1"), format!("file-{other}"));
        for name in [&own, &young, &old] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        for name in ["notes", &old_file, &file_name()] {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        for name in [&old, &old_file] {
            let written = SystemTime::now() - 2 * ABANDONED;
            File::open(folder.path().join(name)).unwrap().set_modified(written).unwrap();
        }
        sweep(&RealDisk, folder.path()).unwrap();
        assert_eq!(RealDisk.list(folder.path()).unwrap(), [young.as_str(), "notes"]);
    }
}
