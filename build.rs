//! Embed the files that belong to the program, by their paths in the repository: one that lies in
//! its folder does, without a list to edit.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

/// Folders and the endings of their files, as in `uqbench_system::carried`, which a test compares.
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

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let mut paths = vec![SCORECARD.to_owned()];
    for (folder, endings) in FOLDERS {
        println!(
            "cargo::rerun-if-changed={}",
            if folder.is_empty() { "data-manifest.toml" } else { folder }
        );
        for entry in fs::read_dir(Path::new(&root).join(folder))? {
            let name = entry?.file_name().into_string().unwrap_or_default();
            if endings.iter().any(|ending| name.ends_with(ending)) {
                paths.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
            }
        }
    }
    add_papers(Path::new(&root), PAPERS.0, &mut paths)?;
    println!("cargo::rerun-if-changed={}", PAPERS.0);
    println!("cargo::rerun-if-changed={SCORECARD}");
    paths.sort();
    let mut lines = String::new();
    for path in paths {
        // The folder is read when the program is compiled: this table outlives a move of the
        // repository.
        let _ = writeln!(
            lines,
            "    ({path:?}, include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))),",
            format!("/{path}")
        );
    }
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let table = format!(
        "/// The files, by path.\nconst FILES: &[uqbench_system::carried::File] = &[\n{lines}];\n"
    );
    fs::write(Path::new(&out).join("carried.rs"), table)
}

/// Adds the files of a folder of the papers and of the folders in it.
fn add_papers(root: &Path, folder: &str, paths: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            add_papers(root, &path, paths)?;
        } else if PAPERS.1.iter().any(|ending| path.ends_with(ending)) {
            paths.push(path);
        }
    }
    Ok(())
}
