//! Find the benchmark files: one that lies in `benchmarks/` belongs to the program, without a list to edit.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let mut text = String::new();
    for (list, what, folder) in [
        ("FILES", "The benchmark files of the repository, by name.", "benchmarks"),
        ("PUBLISHED", "The files of printed numbers, by name.", "benchmarks/published"),
    ] {
        println!("cargo::rerun-if-changed={folder}");
        let entries = files(&Path::new(&root).join(folder))?.join("\n");
        let _ = write!(text, "/// {what}\nconst {list}: &[(&str, &str)] = &[\n{entries}\n];\n");
    }
    fs::write(Path::new(&out).join("benchmarks.rs"), text)
}

/// A line of source for each TOML file of a folder: its name without ending, and its text.
fn files(folder: &Path) -> io::Result<Vec<String>> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let (Some(name), Some("toml")) = (path.file_stem(), path.extension().and_then(|ending| ending.to_str())) {
            lines.push(format!("    ({:?}, include_str!({path:?})),", name.to_string_lossy()));
        }
    }
    lines.sort();
    Ok(lines)
}
