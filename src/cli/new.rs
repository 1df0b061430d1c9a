//! `uqbench new`: start a benchmark of one's own tables, a method, or the folder of a paper.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use toml::Value;

use super::cells::CellArgs;
use super::chosen::Chosen;
use super::format_args::FormatArgs;
use super::method::write_template;
use super::new_paper::NewPaper;
use super::options::Selection;
use super::own_datasets::{Sides, first_look};
use super::own_file::{OwnFile, tell};
use super::{CliError, Ending, print};
use uqbench_data::own::{is_standard_input, stem};
use uqbench_run::benchmark::report_files::LONGEST_ID;
use uqbench_run::benchmark::{Benchmark, find_all};
use uqbench_run::external::template::template;
use uqbench_run::runner::plan::{Filter, plan};

/// A benchmark of one table, with comments.
const TEMPLATE: &str = include_str!("../../docs/do/own-table-template.toml");

/// Its name in the template, of the benchmark, the dataset and the figure.
const NAME: &str = "my-table";

/// The protocol in the template.
const ROW_BY_ROW: &str =
    "# Ten random splits with a tenth of the rows to test. Others: { k-fold = { folds = 5, repeats = 2 } };
# { grouped = { test = { fraction = 0.1 } } } keeps rows of equal features on one side.
protocol = { holdout = { test = { fraction = 0.1 } } }
";

/// The protocol for a table with rows of equal features.
const TWINS_TOGETHER: &str = "# Ten random splits with a tenth of the rows to test. Rows of equal features, which this table has, stay on one side.
# { holdout = { test = { fraction = 0.1 } } } would put copies of training rows into the test set.
protocol = { grouped = { test = { fraction = 0.1 } } }
";

/// Start something of your own: a benchmark, a method, or the folder of a paper.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    after_help = "Examples:\n  \
    uqbench new mine.toml --table mine.csv --target y && uqbench run mine.toml --profile quick\n  \
    uqbench new mine.toml --like baselines-standard --datasets boston,yacht --with \"python3 mine.py\"\n  \
    uqbench new mine.py && uqbench method check python3 mine.py\n  \
    uqbench new paper my-paper && uqbench run my-paper --profile full"
)]
pub struct New {
    #[command(subcommand)]
    folder: Option<NewFolder>,
    #[command(flatten)]
    file: NewFile,
}

/// What is a folder.
#[derive(Debug, Subcommand)]
enum NewFolder {
    Paper(NewPaper),
}

impl New {
    /// Writes the file, or the files of the folder.
    pub fn run(&self) -> Result<Ending, CliError> {
        match (&self.folder, &self.file.file) {
            (Some(NewFolder::Paper(paper)), _) => paper.run(),
            (None, Some(path)) => self.file.run(path),
            (None, None) => {
                let expected = "expected the name of a new file, or `paper` and that of a folder";
                Err(CliError::Usage(expected.into()))
            }
        }
    }
}

/// A new file.
#[derive(Debug, Args)]
struct NewFile {
    /// The file to write. A name in .toml is a commented benchmark file, in .py or .R a small whole
    /// method. An existing file is not replaced.
    #[arg(required = true)]
    file: Option<PathBuf>,
    /// The table, which is read to see that it can be used; its path is written as it is relative
    /// to the benchmark file's folder.
    #[arg(long, value_name = "FILE", requires = "target")]
    table: Option<PathBuf>,
    /// The column of the table to predict.
    #[arg(long, value_name = "COLUMN", requires = "table")]
    target: Option<String>,
    #[command(flatten)]
    format: FormatArgs,
    /// Benchmarks of which the file selects a part: wherever a command takes benchmarks, the name
    /// of the file then stands for them and for the options below.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', conflicts_with = "table")]
    like: Vec<String>,
    #[command(flatten)]
    selection: Selection,
}

impl NewFile {
    /// Writes the file.
    fn run(&self, path: &Path) -> Result<Ending, CliError> {
        let shown = path.display();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_method = template(ending).is_some();
        if !is_method && ending != "toml" {
            let message = "the name must end in .toml for a benchmark, in .py or .R for a method";
            return Err(CliError::Usage(format!("{shown}: {message}")));
        }
        if !self.like.is_empty() && ending == "toml" {
            return self.write_selection(path);
        }
        if !self.selection.is_whole() || !self.selection.with.is_empty() || !self.like.is_empty() {
            return Err(CliError::Usage(
                "--methods, --datasets, --splits and --with select a part of benchmarks, in a \
                 file in .toml: --like NAME names them"
                    .into(),
            ));
        }
        if is_method && (self.table.is_some() || self.format != FormatArgs::default()) {
            return Err(CliError::Usage(format!(
                "{shown}: a method takes no table; `uqbench new FILE.toml --table` starts a \
                 benchmark of one"
            )));
        }
        if is_method {
            return write_template(path);
        }
        if self.table.is_none() && self.format != FormatArgs::default() {
            return Err(CliError::Usage(
                "--encoding, --separator and --sheet are of a table: --table FILE names it".into(),
            ));
        }
        let mut warnings = Vec::new();
        let mut text = TEMPLATE.replace(NAME, &name_of(path));
        if let Some((table, target)) = self.table.as_ref().zip(self.target.as_ref()) {
            let own = OwnFile::plain(
                table.clone(),
                target.clone(),
                Vec::new(),
                self.format.clone(),
                CellArgs::default(),
            );
            if is_standard_input(table) {
                return Err(CliError::Usage(
                    "--table: expected the path of a file, which several processes read".into(),
                ));
            }
            let (sides, found) = first_look(&own)?;
            if sides == Sides::Together {
                text = text.replacen(ROW_BY_ROW, TWINS_TOGETHER, 1);
            }
            warnings = found;
            let name = table.file_name().unwrap_or_default().to_string_lossy();
            for (key, in_template, value) in [
                ("title", "Methods on my table", format!("Methods on {target} of {name}")),
                ("heading", "My table", stem(table)),
                ("file", "my.csv", as_written(path, table)?),
                ("target", "y", target.clone()),
                ("encoding", "utf-8", self.format.encoding.to_string()),
            ] {
                text = text.replacen(&key_line(key, in_template), &key_line(key, &value), 1);
            }
            let encoding = key_line("encoding", &self.format.encoding.to_string());
            text = text.replacen(&encoding, &(encoding.clone() + &self.further_keys()), 1);
        }
        let text = text.replacen("THIS-FILE", &shown.to_string(), 1);
        write(path, &text)?;
        tell(&warnings);
        print(&format!("wrote {shown}; `uqbench run {shown} --profile quick` runs it\n"))?;
        Ok(Ending::Done)
    }

    /// Writes a file that selects a part of benchmarks.
    fn write_selection(&self, path: &Path) -> Result<Ending, CliError> {
        let Selection { profile, methods, datasets, splits, .. } = &self.selection;
        let found: Vec<_> =
            self.like.iter().map(|name| find_all(name)).collect::<Result<_, _>>()?;
        let benchmarks: Vec<Benchmark> = found.into_iter().flatten().collect();
        // Names are checked when the file is written, not when it is first used.
        let (methods, datasets) = (methods.clone(), datasets.clone());
        plan(&benchmarks, *profile, &Filter { datasets, methods, splits: *splits })?;
        write(path, &Chosen::new(&self.like, &self.selection).text()?)?;
        let shown = path.display();
        print(&format!("wrote {shown}; `uqbench run {shown}` runs it\n"))?;
        Ok(Ending::Done)
    }

    /// The lines of a dataset's keys for what is said of its file beside its encoding.
    fn further_keys(&self) -> String {
        let separator =
            self.format.separator.map(|separator| key_line("separator", separator.name()));
        let sheet = self.format.sheet.as_deref().map(|name| key_line("sheet", name));
        separator.into_iter().chain(sheet).map(|line| format!("\n{line}")).collect()
    }
}

/// A key of a benchmark file with its value.
fn key_line(key: &str, value: &str) -> String {
    format!("{key} = {}", Value::String(value.into()))
}

/// Writes the new file.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let written = fs::File::options().write(true).create_new(true).open(path);
    let written = written.and_then(|mut file| file.write_all(text.as_bytes()));
    let shown = path.display();
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => CliError::Other(format!(
            "{shown} is there already, and is not replaced: choose another name, or remove the \
             file first"
        )),
        _ => CliError::Other(format!("{shown} cannot be written: {error}")),
    })
}

/// The table's path for the benchmark file: its name alone where both are in one folder, else
/// the absolute path.
fn as_written(path: &Path, table: &Path) -> Result<String, CliError> {
    let absolute = |path: &Path| {
        std::path::absolute(path)
            .map_err(|error| CliError::Other(format!("{}: {error}", path.display())))
    };
    let (table, file) = (absolute(table)?, absolute(path)?);
    let path =
        if table.parent() == file.parent() { table.file_name().map(Path::new) } else { None };
    let path = path.unwrap_or(&table).to_str().map(str::to_owned);
    path.ok_or_else(|| {
        CliError::Usage(format!("{}: a path in a benchmark file must be UTF-8", table.display()))
    })
}

/// A name of lower-case letters, digits and hyphens, of a file's.
fn name_of(file: &Path) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = stem(file).chars().map(plain).collect();
    let short = name.trim_matches('-').get(..LONGEST_ID).unwrap_or(name.trim_matches('-'));
    match short.trim_matches('-') {
        "" => NAME.into(),
        name => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_a_benchmark_may_have() {
        let cases = [
            ("houses.toml", "houses"),
            ("a/My Houses 2.toml", "my-houses-2"),
            ("_.toml", NAME),
            ("é.toml", NAME),
        ];
        for (file, name) in cases {
            assert_eq!(name_of(Path::new(file)), name);
        }
        assert_eq!(name_of(Path::new(&format!("{}.toml", "n".repeat(230)))).len(), LONGEST_ID);
    }

    #[test]
    fn the_template_has_the_protocol_that_twins_replace() {
        assert_eq!(TEMPLATE.matches(ROW_BY_ROW).count(), 1);
    }
}
