//! Remove leftovers of killed runs in the folder of unfinished work. Only names that this program gives are removed,
//! and no link is followed.

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::runner::key::TrialKey;
use crate::runner::record::{PROVENANCE, RESULT, ROWS, SIDE_TABLES};
use crate::system::disk::{Disk, Kind, patiently};
use crate::system::files::random_digits;

/// Name of a trial's folder while it is written, and of a damaged trial in quarantine.
pub(super) fn trial_name(key: &TrialKey) -> String {
    format!("{key}-{}", random_digits())
}

/// Name of a file while it is written.
pub(super) fn file_name() -> String {
    format!("file-{}", random_digits())
}

/// The trial whose folder has such a name, of this version or of an earlier one (process and number).
pub(super) fn key_of(name: &str) -> Option<TrialKey> {
    let (key, rest) = name.split_at_checked(TrialKey::LENGTH)?;
    TrialKey::parse(key).filter(|_| is_suffix(rest))
}

fn is_suffix(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('-') else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let random = rest.len() == 32 && rest.bytes().all(|b| b.is_ascii_hexdigit());
    random || rest.split_once('-').is_some_and(|(process, number)| digits(process) && digits(number))
}

/// Removes leftovers. Entries with other names and links stay.
pub(super) fn sweep(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
    for name in patiently(|| disk.list(folder))? {
        let path = folder.join(&name);
        let Some(name) = name.to_str() else { continue };
        match patiently(|| disk.kind(&path))? {
            Kind::File if name.strip_prefix("file").is_some_and(is_suffix) => remove_file(disk, &path)?,
            Kind::Folder if key_of(name).is_some() => remove_trial(disk, &path)?,
            _ => {}
        }
    }
    Ok(())
}

/// Removes a trial's folder with the files that a trial has; a folder that holds anything else stays.
pub(super) fn remove_trial(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
    for name in [RESULT, ROWS, SIDE_TABLES, PROVENANCE] {
        let path = folder.join(name);
        match disk.kind(&path) {
            Ok(Kind::File) => remove_file(disk, &path)?,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    match disk.remove_folder(folder) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) => Ok(()),
        end => end,
    }
}

fn remove_file(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    match disk.remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        end => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_our_own_scheme_are_known() {
        let key = TrialKey::parse(&"ab".repeat(32)).unwrap();
        assert_eq!(key_of(&trial_name(&key)), Some(key.clone()));
        assert_eq!(key_of(&format!("{key}-4711-0")), Some(key.clone()), "an earlier version's");
        for foreign in
            ["notes", "key-1-0", &format!("{key}"), &format!("{key}-"), &format!("{key}-a-b"), &"é".repeat(40)]
        {
            assert_eq!(key_of(foreign), None, "{foreign}");
        }
        assert!(file_name().strip_prefix("file").is_some_and(is_suffix) && is_suffix("-12-3"));
        assert!(!is_suffix("-x") && !is_suffix("system"));
    }
}
