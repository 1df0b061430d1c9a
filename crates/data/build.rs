//! Find the bundled data: a file that lies in the folder `data` belongs to the program, without a list to edit.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folder, seen from this crate.
const FOLDER: &str = "../../data";

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    println!("cargo::rerun-if-changed={FOLDER}");
    let mut lines = String::new();
    for (name, path) in files(&Path::new(&root).join(FOLDER), ".gz")? {
        let _ = writeln!(lines, "    ({name:?}, include_bytes!({path:?})),");
    }
    let list = format!("/// The bundled data, by name.\nconst FILES: &[(&str, &[u8])] = &[\n{lines}];\n");
    fs::write(Path::new(&out).join("bundled.rs"), list)
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
