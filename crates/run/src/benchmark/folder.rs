//! Read the files of a paper's folder, in the program or on disk, and none outside of it.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use uqbench_system::carried;
use uqbench_system::disk::read_regular;
use uqbench_system::named_file::read_regular_text;

/// The file that makes a folder that of a paper.
pub const PAPER: &str = "paper.toml";

/// The folder of the papers' folders in the program.
const PAPERS: &str = "benchmarks/papers";

/// Most benchmark files of a folder.
const MOST_FILES: usize = 500;

/// A paper's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Folder {
    /// One of the program, by the key of its paper.
    Carried(String),
    /// One on disk.
    OnDisk(PathBuf),
}

impl Folder {
    /// The folders of the program, in ascending order of their names.
    pub fn carried() -> Vec<Self> {
        let inside = |path: &str| {
            let (key, name) = path.strip_prefix(PAPERS)?.strip_prefix('/')?.split_once('/')?;
            (name == PAPER).then(|| Self::Carried(key.to_owned()))
        };
        carried::paths().filter_map(inside).collect()
    }

    /// The text of a file in the folder or below, of at most `largest` bytes.
    ///
    /// # Errors
    /// Why it cannot be read, or that it is outside of the folder.
    pub fn text(&self, name: &str, largest: u64) -> Result<Cow<'static, str>, String> {
        match self {
            Self::Carried(key) => {
                let text = carried::text(&format!("{PAPERS}/{key}/{name}"));
                text.map(Cow::Borrowed).ok_or_else(|| format!("uqbench has no file {name}"))
            }
            Self::OnDisk(root) => {
                let path = path_inside(root, Path::new(name))?;
                let text = read_regular_text(&path, largest);
                text.map(Cow::Owned).map_err(|error| format!("it cannot be read: {error}"))
            }
        }
    }

    /// As [`text`](Self::text), of any bytes.
    ///
    /// # Errors
    /// Why it cannot be read, or that it is outside of the folder.
    pub fn bytes(&self, name: &str, largest: u64) -> Result<Cow<'static, [u8]>, String> {
        match self {
            Self::Carried(key) => {
                let bytes = carried::bytes(&format!("{PAPERS}/{key}/{name}"));
                bytes.map(Cow::Borrowed).ok_or_else(|| format!("uqbench has no file {name}"))
            }
            Self::OnDisk(root) => {
                let path = path_inside(root, Path::new(name))?;
                let bytes = read_regular(&path, largest);
                bytes.map(Cow::Owned).map_err(|error| format!("it cannot be read: {error}"))
            }
        }
    }

    /// The names of its benchmark files, in ascending order.
    ///
    /// # Errors
    /// Why the folder cannot be listed, or that it has too many files.
    pub fn benchmark_files(&self) -> Result<Vec<String>, String> {
        let is_benchmark = |name: &String| name.ends_with(".toml") && name != PAPER;
        let mut names: Vec<String> = match self {
            Self::Carried(key) => carried::texts(&format!("{PAPERS}/{key}"), ".toml")
                .into_iter()
                .map(|(name, _)| format!("{name}.toml"))
                .collect(),
            Self::OnDisk(root) => {
                let wrong = |error: std::io::Error| format!("it cannot be listed: {error}");
                let entries = root.read_dir().map_err(wrong)?;
                let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
                let names = names.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
                names.into_iter().filter_map(|name| name.into_string().ok()).collect()
            }
        };
        names.retain(is_benchmark);
        names.sort();
        if names.len() > MOST_FILES {
            let found = names.len();
            return Err(format!("it has {found} files in .toml, expected at most {MOST_FILES}"));
        }
        Ok(names)
    }
}

/// The benchmark files of all folders of the program, by name without ending, in ascending order.
pub fn carried_benchmarks() -> Vec<(&'static str, &'static str)> {
    let is_benchmark = |path: &str| {
        let (_, name) = path.strip_prefix(PAPERS)?.strip_prefix('/')?.split_once('/')?;
        let name = name.strip_suffix(".toml")?;
        (!name.contains('/') && name != PAPER.trim_end_matches(".toml")).then_some(())
    };
    let mut all: Vec<(&str, &str)> = carried::paths()
        .filter(|path| is_benchmark(path).is_some())
        .filter_map(|path| {
            Some((path.rsplit('/').next()?.strip_suffix(".toml")?, carried::text(path)?))
        })
        .collect();
    all.sort_unstable();
    all
}

/// The path of a file that lies in a folder or below, with no link that leads out.
///
/// # Errors
/// That it is outside, or why it cannot be found.
pub fn path_inside(root: &Path, name: &Path) -> Result<PathBuf, String> {
    let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
    let outside = || "expected a file beside the benchmark file or in a folder below".to_owned();
    if !is_plain || name.as_os_str().is_empty() {
        return Err(outside());
    }
    let unread = |error: std::io::Error| format!("it cannot be read: {error}");
    let path = root.join(name);
    let (whole, real) =
        (root.canonicalize().map_err(unread)?, path.canonicalize().map_err(unread)?);
    if real.starts_with(whole) { Ok(real) } else { Err(format!("a link leads out: {}", outside())) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_of_the_program_and_one_on_disk_have_the_same_files() {
        let carried = Folder::Carried("dtb".into());
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/papers/dtb");
        let disk = Folder::OnDisk(root);
        let names = carried.benchmark_files().unwrap();
        assert!(names.contains(&"dtb-table-1.toml".to_owned()) && names.is_sorted());
        assert!(!names.contains(&PAPER.to_owned()));
        assert_eq!(names, disk.benchmark_files().unwrap());
        for name in ["paper.toml", "errata.md", "printed/dtb-table-1.csv"] {
            assert_eq!(carried.text(name, 1 << 20), disk.text(name, 1 << 20));
        }
        assert!(Folder::carried().contains(&carried));
        assert!(carried.text("none.csv", 9).is_err() && disk.text("none.csv", 9).is_err());
    }

    #[test]
    fn no_path_leads_out_of_a_folder() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("paper");
        fs::create_dir_all(root.join("printed")).unwrap();
        fs::write(outer.path().join("secret.csv"), "secret").unwrap();
        fs::write(root.join("printed/a.csv"), "a").unwrap();
        let folder = Folder::OnDisk(root.clone());
        assert_eq!(folder.text("printed/a.csv", 9).unwrap(), "a");
        let absolute = outer.path().join("secret.csv");
        for name in ["../secret.csv", "printed/../../secret.csv", absolute.to_str().unwrap(), ""] {
            let message = folder.text(name, 9).unwrap_err();
            assert!(message.contains("beside the benchmark file"), "{name}: {message}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&absolute, root.join("link.csv")).unwrap();
            let message = folder.text("link.csv", 9).unwrap_err();
            assert!(message.starts_with("a link leads out"), "{message}");
        }
        assert!(folder.text("printed/a.csv", 0).is_err(), "larger than allowed");
    }
}
