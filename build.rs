//! Find the benchmark files and the bundled data: one that lies in its folder belongs to the program, without a list to edit.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let list = |list: &str, what: &str, of: &str, (folder, ending): (&str, &str), include: &str| {
        println!("cargo::rerun-if-changed={folder}");
        let mut lines = String::new();
        for (name, path) in files(&Path::new(&root).join(folder), ending)? {
            let _ = writeln!(lines, "    ({name:?}, {include}!({path:?})),");
        }
        Ok::<_, io::Error>(format!("/// {what}\nconst {list}: &[(&str, &{of})] = &[\n{lines}];\n"))
    };
    let (benchmarks, published) = (("benchmarks", ".toml"), ("benchmarks/published", ".toml"));
    let benchmarks = list("FILES", "The benchmark files, by name.", "str", benchmarks, "include_str")?
        + &list("PUBLISHED", "The files of printed numbers, by name.", "str", published, "include_str")?;
    let data = list("FILES", "The bundled data, by name.", "[u8]", ("data", ".gz"), "include_bytes")?;
    fs::write(Path::new(&out).join("benchmarks.rs"), benchmarks)?;
    fs::write(Path::new(&out).join("bundled.rs"), data)
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
