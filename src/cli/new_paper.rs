//! `uqbench new paper`: start the folder of a paper.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{CliError, Ending, print};
use uqbench_run::benchmark::papers::is_stated;

/// The files of the folder, with their texts.
const FILES: [(&str, &str); 4] = [
    ("paper.toml", include_str!("../../examples/paper/paper.toml")),
    ("table-1.toml", include_str!("../../examples/paper/table-1.toml")),
    ("printed/table-1.csv", include_str!("../../examples/paper/printed/table-1.csv")),
    ("errata.md", include_str!("../../examples/paper/errata.md")),
];

/// The key of the paper in the example.
const KEY: &str = "my-paper";

/// Start the folder of a paper: what it is, one table, its printed numbers, and errata.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    uqbench new paper my-paper && uqbench run my-paper --profile full\n\n\
    docs/do/judge-a-paper.md describes the folder.")]
pub struct NewPaper {
    /// The folder, which must not exist or be empty.
    dir: PathBuf,
}

impl NewPaper {
    /// Writes the files.
    pub fn run(&self) -> Result<Ending, CliError> {
        let shown = self.dir.display();
        let is_taken = match fs::read_dir(&self.dir) {
            Ok(mut entries) => entries.next().is_some(),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        };
        if is_taken {
            return Err(CliError::Other(format!(
                "{shown} is there already, and nothing in it is replaced: name another folder"
            )));
        }
        let key = key_of(&self.dir);
        for (name, text) in FILES {
            let text = text.replace(KEY, &key).replacen("THIS-FOLDER", &shown.to_string(), 1);
            write(&self.dir.join(name), &text)?;
        }
        print(&format!(
            "wrote {shown} with an example; `uqbench run {shown} --profile full` runs it in under a \
             minute, and ends with the page of its verdicts\n"
        ))?;
        Ok(Ending::Done)
    }
}

/// A key of lower-case letters, digits and hyphens, of a folder's name.
fn key_of(dir: &Path) -> String {
    let name = dir.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let key: String = name.chars().map(plain).take(LONGEST).collect();
    match key.trim_matches('-') {
        key if key.is_empty() || !is_stated(key) => KEY.into(),
        key => key.into(),
    }
}

/// Most characters of a key.
const LONGEST: usize = 40;

/// Writes a new file and the folders above it.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    let written = folder
        .and_then(|()| fs::File::options().write(true).create_new(true).open(path))
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written
        .map_err(|error| CliError::Other(format!("{} cannot be written: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_that_of_the_folder() {
        for (dir, key) in
            [("gal2016", "gal2016"), ("a/My Paper_2/", "my-paper-2"), ("..", KEY), ("own", KEY)]
        {
            assert_eq!(key_of(Path::new(dir)), key);
        }
        assert_eq!(key_of(Path::new(&"n".repeat(90))).len(), LONGEST);
        assert!(FILES.iter().all(|(_, text)| text.len() < 4000));
    }
}
