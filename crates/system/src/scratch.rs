//! Make a folder for a short time, which nobody else can read.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};

use super::files::random_digits;

/// An empty folder of the user in the system's folder of temporary files. Dropping it removes it
/// with all that it holds.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes the folder.
    ///
    /// # Errors
    /// The operating system's error.
    pub fn new() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("uqbench-{}", random_digits()));
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path)?;
        Ok(Self(path))
    }

    /// Its absolute path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0); // a supervisor may have removed it first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_there_until_it_is_dropped() {
        let (one, two) = (Scratch::new().unwrap(), Scratch::new().unwrap());
        assert_ne!(one.path(), two.path());
        fs::create_dir(one.path().join("inner")).unwrap();
        fs::write(one.path().join("inner/file"), "x").unwrap();
        let path = one.path().to_owned();
        drop(one);
        assert!(!path.exists() && two.path().is_dir());
    }
}
