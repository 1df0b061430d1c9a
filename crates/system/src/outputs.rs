//! Make room for outputs before the work that they are about: a missing folder is made, and what
//! cannot be written is refused.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, is_separator};

use super::files::temporary_name;

/// Makes the folder of an output file, and tries whether a file can be written there.
///
/// # Errors
/// The operating system's error, and a message for a path that is a folder or leads through a file.
pub fn prepare_file(path: &Path) -> io::Result<()> {
    let is_folder = path.to_string_lossy().ends_with(is_separator) || path.is_dir();
    if is_folder || path.file_name().is_none() {
        return Err(refused("it is a folder, expected a file"));
    }
    match fs::metadata(path) {
        // A device or a pipe is written to, not replaced.
        Ok(there) if !there.is_file() => Ok(()),
        _ => prepare_folder(path.parent().unwrap_or(Path::new(""))),
    }
}

/// Makes a folder of output files, and tries whether a file can be written there.
///
/// # Errors
/// The operating system's error, and a message for a path that is a file or leads through one.
pub fn prepare_folder(path: &Path) -> io::Result<()> {
    let folder = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    if let Some(file) = folder.ancestors().find(|part| part.is_file()) {
        return Err(refused(&format!("{} is a file, expected a folder", file.display())));
    }
    fs::create_dir_all(folder)?;
    let probe = folder.join(temporary_name("probe"));
    fs::File::create_new(&probe)?;
    fs::remove_file(probe)
}

fn refused(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_folder_is_made_and_nothing_is_left_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a/b/p.csv");
        prepare_file(&out).unwrap();
        assert_eq!(fs::read_dir(folder.path().join("a/b")).unwrap().count(), 0);
        prepare_folder(&folder.path().join("c/d")).unwrap();
        assert!(folder.path().join("c/d").is_dir());
        fs::write(&out, "old").unwrap();
        prepare_file(&out).unwrap();
        assert_eq!(fs::read_to_string(&out).unwrap(), "old", "an existing file stays");
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(prepare_file(folder.path()).is_err(), "a folder");
        assert!(prepare_file(&folder.path().join("new/")).is_err(), "meant as a folder");
        assert!(
            prepare_file(&file.join("p.csv")).is_err() && prepare_folder(&file).is_err(),
            "through a file"
        );
        assert!(prepare_file(Path::new("")).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_takes_no_files_is_refused_and_a_device_is_not() {
        assert!(prepare_file(Path::new("/proc/p.csv")).is_err());
        assert!(prepare_file(Path::new("/dev/null")).is_ok());
    }
}
