//! Find the benchmark files: one that lies in the folder `benchmarks` belongs to the program, without a list to edit.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folder, seen from this crate.
const FOLDER: &str = "../../benchmarks";

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let list = |list: &str, what: &str, folder: &str| {
        println!("cargo::rerun-if-changed={folder}");
        let mut lines = String::new();
        for (name, path) in files(&Path::new(&root).join(folder), ".toml")? {
            let _ = writeln!(lines, "    ({name:?}, include_str!({path:?})),");
        }
        Ok::<_, io::Error>(format!("/// {what}\nconst {list}: &[(&str, &str)] = &[\n{lines}];\n"))
    };
    let benchmarks = list("FILES", "The benchmark files, by name.", FOLDER)?
        + &list("PUBLISHED", "The files of printed numbers, by name.", &format!("{FOLDER}/published"))?;
    fs::write(Path::new(&out).join("benchmarks.rs"), benchmarks)
}

/// The files of a folder with this ending, by name without it.
fn files(folder: &Path, ending: &str) -> io::Result<BTreeMap<String, PathBuf>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(ending));
        if let Some(name) = name {
            found.insert(name.to_owned(), path);
        }
    }
    Ok(found)
}
