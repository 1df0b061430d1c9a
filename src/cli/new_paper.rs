//! `uqbench new paper`: start the folder of a paper.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{CliError, Ending, print};

/// The files of the folder, with their texts.
const FILES: [(&str, &str); 4] = [
    ("paper.toml", include_str!("../../examples/paper/paper.toml")),
    ("table-1.toml", include_str!("../../examples/paper/table-1.toml")),
    ("printed/table-1.csv", include_str!("../../examples/paper/printed/table-1.csv")),
    ("errata.md", include_str!("../../examples/paper/errata.md")),
];

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
        for (name, text) in FILES {
            let text = text.replacen("THIS-FOLDER", &shown.to_string(), 1);
            write(&self.dir.join(name), &text)?;
        }
        print(&format!(
            "wrote {shown} with an example; `uqbench run {shown} --profile full` runs it in under a \
             minute, and ends with the page of its verdicts\n"
        ))?;
        Ok(Ending::Done)
    }
}

/// Writes a new file and the folders above it.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    let written = folder
        .and_then(|()| fs::File::options().write(true).create_new(true).open(path))
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written
        .map_err(|error| CliError::Other(format!("{} cannot be written: {error}", path.display())))
}
