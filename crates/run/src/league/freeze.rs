//! Freeze code before the splits on which it will run are drawn: copy its files into a folder of
//! their own, and hash them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::code::Code;
use crate::external::Place;
use crate::runner::key::canonical;
use uqbench_system::Scratch;
use uqbench_system::disk::open_regular;
use uqbench_system::hash::sha256;

/// Most bytes of a file of code.
const LARGEST: u64 = 1 << 32;

/// Code whose files were copied. The copies run, whatever becomes of the files.
#[derive(Debug)]
pub struct Frozen {
    /// The SHA-256 of each file, by its name.
    pub files: BTreeMap<String, String>,
    /// The folder from which they were copied.
    origin: PathBuf,
    copies: Scratch,
}

impl Frozen {
    /// Copies the files of code that lie in `folder`, and hashes the copies.
    ///
    /// # Errors
    /// The file that cannot be copied, with the reason; the word of the command that is a file of
    /// `folder` and is not named.
    pub fn copy(code: &Code, folder: &Path) -> Result<Self, String> {
        let is_forgotten =
            |word: &&String| !code.files.contains(word) && folder.join(word.as_str()).is_file();
        if let Some(word) =
            code.command.iter().find(|word| !word.starts_with('/') && is_forgotten(word))
        {
            return Err(format!(
                "the command has the file `{word}`, which is not among `files`: name it there"
            ));
        }
        let copies = Scratch::new()
            .map_err(|error| format!("a folder of temporary files cannot be made: {error}"))?;
        for name in &code.files {
            let failed = |error: io::Error| format!("`{name}` cannot be copied: {error}");
            check_no_link(folder, name).map_err(failed)?;
            let (from, to) = (folder.join(name), copies.path().join(name));
            open_regular(&from, LARGEST).map_err(failed)?;
            fs::create_dir_all(to.parent().unwrap_or(copies.path())).map_err(failed)?;
            // A copy has the permissions of its source, so that a script stays executable.
            fs::copy(&from, &to).map_err(failed)?;
        }
        let mut frozen = Self { files: BTreeMap::new(), origin: folder.into(), copies };
        frozen.files = code.given().hashes(&frozen.place(code))?;
        Ok(frozen)
    }

    /// Where the copies are.
    pub fn place(&self, code: &Code) -> Place {
        place(code, self.copies.path())
    }

    /// Refuses files that are not those that were copied.
    ///
    /// # Errors
    /// The first file that has changed, or cannot be read any more.
    pub fn check_unchanged(&self, code: &Code) -> Result<(), String> {
        let found = code.given().hashes(&place(code, &self.origin))?;
        match self.files.iter().find(|(name, hash)| found.get(*name) != Some(hash)) {
            None => Ok(()),
            Some((name, hash)) => Err(format!(
                "`{name}` has changed while its code ran: SHA-256 {}, expected {hash}",
                found.get(name).map_or("", String::as_str)
            )),
        }
    }
}

/// The SHA-256 of a command and of the names and hashes of all files.
pub fn hash_code(command: &[String], files: &BTreeMap<String, String>) -> String {
    sha256(canonical(&json!({ "command": command, "files": files })).as_bytes())
}

fn place(code: &Code, folder: &Path) -> Place {
    let files = code.files.iter().map(|name| (name.clone(), folder.join(name))).collect();
    Place { folder: folder.into(), files }
}

/// Refuses a path that leads through a link: it may leave the folder.
fn check_no_link(folder: &Path, name: &str) -> io::Result<()> {
    let mut path = folder.to_owned();
    for part in Path::new(name) {
        path.push(part);
        if fs::symlink_metadata(&path)?.is_symlink() {
            let why = "it is a symbolic link or behind one, expected the file itself";
            return Err(io::Error::other(why));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::league::blank_code;

    fn code(command: &str, files: &str) -> Code {
        let text = blank_code("b")
            .replace("name = \"\"", "name = \"mine\"")
            .replace("licence = \"\"", "licence = \"MIT\"")
            .replace("description = \"\"", "description = \"d\"")
            .replace("authors = [\"\"]", "authors = [\"A\"]")
            .replace("\"python3 mine.py\"", command)
            .replace("[\"mine.py\"]", files);
        Code::parse(&text).unwrap()
    }

    #[test]
    fn named_files_alone_are_copied_and_a_change_is_told() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        for name in ["run.sh", "sub/net.py", "unnamed"] {
            fs::write(at(name), name).unwrap();
        }
        let code = code("\"sh run.sh\"", "[\"run.sh\", \"sub/net.py\"]");
        let frozen = Frozen::copy(&code, place.path()).unwrap();
        assert_eq!(frozen.files["sub/net.py"], sha256(b"sub/net.py"));
        let copies = frozen.place(&code);
        assert!(copies.folder.join("sub/net.py").is_file());
        assert!(!copies.folder.join("unnamed").exists());
        frozen.check_unchanged(&code).unwrap();
        fs::write(at("sub/net.py"), "other").unwrap();
        let message = frozen.check_unchanged(&code).unwrap_err();
        assert!(message.starts_with("`sub/net.py` has changed while its code ran: "), "{message}");
        fs::remove_file(at("run.sh")).unwrap();
        assert!(frozen.check_unchanged(&code).unwrap_err().contains("run.sh cannot be read"));
        assert_eq!(fs::read(copies.files["sub/net.py"].clone()).unwrap(), b"sub/net.py");
    }

    #[test]
    fn what_cannot_be_frozen_is_told() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at("run.sh"), "").unwrap();
        fs::write(at("other"), "").unwrap();
        fs::create_dir(at("folder")).unwrap();
        let refused = |command: &str, files: &str| {
            Frozen::copy(&code(command, files), place.path()).unwrap_err()
        };
        assert!(refused("\"sh run.sh\"", "[\"run.sh\", \"gone\"]").starts_with("`gone` cannot be"));
        assert!(
            refused("\"sh run.sh\"", "[\"run.sh\", \"folder\"]").starts_with("`folder` cannot")
        );
        let message = refused("\"sh run.sh other\"", "[\"run.sh\"]");
        assert!(message.contains("the file `other`, which is not among `files`"), "{message}");
        #[cfg(unix)]
        for (link, name) in [("link", "link"), ("away", "away/run.sh")] {
            let to = if link == "link" { at("run.sh") } else { place.path().to_owned() };
            std::os::unix::fs::symlink(to, at(link)).unwrap();
            let message = refused("\"sh run.sh\"", &format!("[\"run.sh\", \"{name}\"]"));
            assert!(message.contains("it is a symbolic link"), "{message}");
        }
    }

    #[test]
    fn command_and_names_enter_the_hash() {
        let files = |name: &str| BTreeMap::from([(name.to_owned(), "0".repeat(64))]);
        let hash = |command: &str, name: &str| hash_code(&[command.to_owned()], &files(name));
        assert_eq!(hash("a", "f"), hash("a", "f"));
        assert_ne!(hash("a", "f"), hash("b", "f"));
        assert_ne!(hash("a", "f"), hash("a", "g"));
    }
}
