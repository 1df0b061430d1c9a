//! Files that belong to the program: the folders of papers, boards of the league, the manifest,
//! bundled data, the scorecard of the shipped run and the pack of one benchmark.
//!
//! The package `uqbench` embeds them and hands them down by [`carry`] before it does anything else.
//! A program that uses the other crates alone carries none, unless the environment variable
//! `UQBENCH_ROOT` names a checkout of the repository; cargo sets it for the tests there.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// Path in the repository, with `/`, and content.
pub type File = (&'static str, &'static [u8]);

/// The environment variable that names a checkout.
const ROOT: &str = "UQBENCH_ROOT";

/// Folders and the endings of their files.
const FOLDERS: [(&str, &[&str]); 5] = [
    ("", &["data-manifest.toml"]),
    ("benchmarks", &[".csv", ".txt"]),
    ("benchmarks/league", &[".toml"]),
    ("data", &[".gz"]),
    // The pack of the benchmark that a method of a user's own is compared on.
    ("reports/packs", &["baselines-standard.pack"]),
];

/// A folder with a folder of each paper, and the endings of the files in these and below.
const PAPERS: (&str, &[&str]) = ("benchmarks/papers", &[".toml", ".csv", ".csv.gz", ".md"]);

/// A file whose folder has others.
const SCORECARD: &str = "reports/scorecard.csv";

static FILES: OnceLock<Vec<File>> = OnceLock::new();

/// Hands the files down, in ascending order of their paths. Only the first call counts, and it
/// comes before anything reads one.
pub fn carry(files: &'static [File]) {
    let _ = FILES.set(files.to_vec());
}

fn files() -> &'static [File] {
    FILES.get_or_init(|| {
        std::env::var_os(ROOT).map(|root| of_checkout(Path::new(&root))).unwrap_or_default()
    })
}

/// The files of a checkout in ascending order of their paths, which stay in memory; those that
/// cannot be read are left out.
pub fn of_checkout(root: &Path) -> Vec<File> {
    let mut paths = vec![SCORECARD.to_owned()];
    for (folder, endings) in FOLDERS {
        for entry in fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
            let name = entry.file_name().into_string().unwrap_or_default();
            if endings.iter().any(|ending| name.ends_with(ending)) {
                paths.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
            }
        }
    }
    add_papers(root, PAPERS.0, &mut paths);
    paths.sort();
    let read = |path: String| {
        let content = fs::read(root.join(&path)).ok()?;
        Some((&*Box::leak(path.into_boxed_str()), &*Box::leak(content.into_boxed_slice())))
    };
    paths.into_iter().filter_map(read).collect()
}

/// Adds the files of a folder of the papers and of the folders in it.
fn add_papers(root: &Path, folder: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            add_papers(root, &path, paths);
        } else if PAPERS.1.iter().any(|ending| path.ends_with(ending)) {
            paths.push(path);
        }
    }
}

/// The paths of all files, in ascending order.
pub fn paths() -> impl Iterator<Item = &'static str> {
    files().iter().map(|(path, _)| *path)
}

/// The content of a file; `None` where the program does not carry it.
pub fn bytes(path: &str) -> Option<&'static [u8]> {
    let all = files();
    all.binary_search_by(|(own, _)| (*own).cmp(path)).ok().map(|place| all[place].1)
}

/// The text of a file; `None` where the program does not carry it, or it is none.
pub fn text(path: &str) -> Option<&'static str> {
    bytes(path).and_then(|bytes| std::str::from_utf8(bytes).ok())
}

/// The texts of the files of a folder with this ending, by name without it, in ascending order.
pub fn texts(folder: &str, ending: &str) -> Vec<(&'static str, &'static str)> {
    let text = |(name, content)| Some((name, std::str::from_utf8(content).ok()?));
    all_in(folder, ending).into_iter().filter_map(text).collect()
}

/// The files of a folder with this ending, by name without it, in ascending order.
pub fn all_in(folder: &str, ending: &str) -> Vec<File> {
    let inside = |(path, content): &File| {
        let name = path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(ending)?;
        Some((name, *content)).filter(|_| !name.contains('/'))
    };
    let mut found: Vec<File> = files().iter().filter_map(inside).collect();
    found.sort_unstable_by_key(|(name, _)| *name);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_path_and_by_folder() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let all = of_checkout(&root);
        assert!(all.is_sorted() && all.len() > 60);
        carry(Box::leak(all.into_boxed_slice()));
        assert!(text("data-manifest.toml").is_some_and(|text| text.contains("[[dataset]]")));
        assert!(bytes("data/boston.csv.gz").is_some() && text("data/boston.csv.gz").is_none());
        assert_eq!((bytes("Cargo.toml"), bytes("data/none.gz")), (None, None));
        let benchmarks = texts("benchmarks/papers/dtb", ".toml");
        assert!(
            benchmarks
                .iter()
                .any(|(name, text)| *name == "dtb-table-1" && text.contains("Table 1"))
        );
        assert!(benchmarks.is_sorted() && benchmarks.iter().all(|(name, _)| !name.contains('/')));
        assert!(!texts("benchmarks/papers/dtb/printed", ".csv").is_empty());
        assert!(paths().any(|path| path == "benchmarks/papers/jcm/errata.md"));
        let packs = all_in("reports/packs", ".pack");
        assert!(packs.iter().any(|(name, bytes)| *name == "baselines-standard" && bytes.len() > 9));
        assert!(texts("reports/packs", ".pack").is_empty(), "they are no texts");
    }

    #[test]
    fn a_folder_that_is_no_checkout_has_no_files() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(of_checkout(folder.path()), []);
    }
}
