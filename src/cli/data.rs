//! `uqbench data`: list, fetch, verify, describe, export and pack datasets.

mod own_table;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use ndarray::ArrayView1;

use self::own_table::OwnTableArgs;
use super::CliError;
use super::own_file::OwnFile;
use super::wording::Worded;
use uq_core::Table;
use uq_core::names::counted;
use uq_core::printable::printable;
use uqbench_data::{
    DataError, Dataset, Description, Library, Loaded, Manifest, Status, own, write_data_pack,
};
use uqbench_report::long_table::{LongTable, TableFormat, Values};
use uqbench_run::benchmark::LONGEST;
use uqbench_system::files::write_output;

/// Fetch, verify, describe, export and pack datasets.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example: uqbench data fetch yacht concrete --mirror /srv/uq-data")]
pub struct DataCommand {
    /// The action.
    #[command(subcommand)]
    pub action: DataAction,
}

/// The actions on datasets.
#[derive(Clone, Debug, Subcommand)]
pub enum DataAction {
    /// Show each dataset's size and licence, and whether it is cached or bundled: an older name of
    /// `uqbench list datasets`.
    #[command(hide = true, after_help = "Example: uqbench data list --cache /tmp/uq-data")]
    List,
    /// Fetch datasets into the cache: all of them, or those named.
    #[command(after_help = "Example: uqbench data fetch concrete kin8nm")]
    Fetch {
        /// Keys of datasets, such as `yacht` or `california:raw`.
        #[arg(value_name = "KEY")]
        keys: Vec<String>,
        /// Longest time of the download of one file, in seconds [default: six hours].
        #[arg(
            long,
            value_name = "SECONDS",
            value_parser = clap::value_parser!(u64).range(1..=LONGEST),
        )]
        timeout: Option<u64>,
    },
    /// Hash and parse the cached and bundled datasets, all or those named, without network access.
    #[command(after_help = "Example: uqbench data verify")]
    Verify {
        /// Keys of datasets, such as `yacht` or `california:raw`.
        #[arg(value_name = "KEY")]
        keys: Vec<String>,
    },
    /// Show a dataset's columns, its quirks, and what makes scores on it optimistic.
    #[command(
        after_help = "Example: uqbench data describe wine-red, or uqbench data describe my.csv \
                      --target y"
    )]
    Describe {
        /// The dataset's key; with --target a file of your own, as `uqbench try` reads it.
        #[arg(value_name = "KEY")]
        key: String,
        /// What is to be known of a file.
        #[command(flatten)]
        own: OwnTableArgs,
    },
    /// Write a dataset as a CSV file with a header, the features and the target last. An existing
    /// file is replaced.
    #[command(after_help = "Example: uqbench data export yacht yacht.csv")]
    Export {
        /// The dataset's key.
        #[arg(value_name = "KEY")]
        key: String,
        /// The file to write: Parquet or Arrow by its ending, else CSV.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Write the files of datasets into one zip file, which serves others as --mirror. Bundled
    /// datasets are left out, because every program has them. An existing file is replaced.
    #[command(after_help = "Example: uqbench data pack league-data.zip diamonds ames")]
    Pack {
        /// The file to write.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Keys of datasets; see that their licences allow copies.
        #[arg(value_name = "KEY", required = true)]
        keys: Vec<String>,
    },
}

impl DataCommand {
    /// The longest time of a download, where it is stated.
    pub(super) fn timeout(&self) -> Option<Duration> {
        match &self.action {
            DataAction::Fetch { timeout, .. } => timeout.map(Duration::from_secs),
            _ => None,
        }
    }

    /// The table of one's own that is to be described, if it is one.
    ///
    /// # Errors
    /// As [`OwnTableArgs::of`].
    pub(super) fn own_table(&self) -> Result<Option<OwnFile>, CliError> {
        match &self.action {
            DataAction::Describe { key, own } => own.of(key),
            _ => Ok(None),
        }
    }
}

/// Describes a table of one's own, and returns the exit code. A closed pipe is not an error.
///
/// # Errors
/// [`CliError`] as [`own_table::describe`].
pub(super) fn describe_own(file: &OwnFile, out: &mut dyn Write) -> Result<u8, CliError> {
    match own_table::describe(file, out) {
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        ended => ended.map(|()| 0),
    }
}

/// Runs the command and returns its exit code: 0, or 1 if a dataset was wrong or damaged. A dataset
/// that is only unavailable is reported, and is a failure only if it was requested by name. A
/// closed pipe is not an error. `width` is that of the terminal to which `out` writes, if it is one.
///
/// # Errors
/// [`DataError::Unknown`] for an unknown key, [`DataError::Output`] if the output cannot be
/// written, and for `describe` the error of loading the table.
pub fn run(
    command: &DataCommand,
    library: &Library,
    width: Option<usize>,
    out: &mut dyn Write,
) -> Result<u8, DataError> {
    let manifest = Manifest::shipped()?;
    let written = match &command.action {
        DataAction::List => list(manifest, library, width, out),
        DataAction::Fetch { keys, .. } => {
            let chosen = choose(manifest, keys)?;
            each(&chosen, !keys.is_empty(), out, |dataset| library.fetch(dataset))
        }
        DataAction::Verify { keys } => {
            let chosen = choose(manifest, keys)?;
            each(&chosen, !keys.is_empty(), out, |dataset| library.verify(dataset))
        }
        DataAction::Describe { key, .. } => {
            let dataset = manifest.get(key)?;
            let loaded = library.loaded(dataset)?;
            describe(dataset, &loaded, out).map(|()| 0)
        }
        DataAction::Export { key, file } => {
            let table = library.load(manifest.get(key)?)?;
            let bytes = exported(&table, file).map_err(|why| DataError::Output {
                message: format!("{}: {why}", file.display()),
            })?;
            write_output(file, &bytes).map_err(|error| output(file, &error))?;
            writeln!(
                out,
                "wrote {}: {}, {}, target \"{}\"",
                file.display(),
                counted(table.rows(), "row"),
                counted(table.columns(), "feature"),
                printable(&table.target_name, 60)
            )
            .map(|()| 0)
        }
        DataAction::Pack { file, keys } => {
            let members = write_data_pack(library, &choose(manifest, keys)?, file)?;
            let files = counted(members.len(), "file");
            writeln!(out, "wrote {}: {files}", file.display()).map(|()| 0)
        }
    };
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        Err(error) => Err(DataError::Output { message: error.to_string() }),
        Ok(code) => Ok(code),
    }
}

/// The bytes of a table's file: Parquet or Arrow where the file's ending says so, else CSV.
fn exported(table: &Table, file: &Path) -> Result<Vec<u8>, String> {
    let Some(format @ (TableFormat::Parquet | TableFormat::Arrow)) = TableFormat::of(file) else {
        return Ok(own::csv(table));
    };
    let numbers =
        |values: ArrayView1<f64>| Values::Number(values.iter().copied().map(Some).collect());
    let features = table.feature_names.iter().zip(table.features.columns());
    let all = features.chain([(&table.target_name, table.target.view())]);
    let columns = all.map(|(name, values)| (name.clone(), numbers(values))).collect();
    LongTable::of_columns(table.rows(), columns).bytes(format)
}

fn output(file: &Path, error: &io::Error) -> DataError {
    DataError::Output { message: format!("{}: {error}", file.display()) }
}

/// The named datasets, or all without their variants.
fn choose<'a>(manifest: &'a Manifest, keys: &[String]) -> Result<Vec<&'a Dataset>, DataError> {
    if keys.is_empty() {
        return Ok(manifest.datasets().iter().collect());
    }
    keys.iter().map(|key| manifest.get(key)).collect()
}

/// Longest licence that a list shows, in characters.
const LONGEST_LICENCE: usize = 400;

/// A line for each dataset of at most `width` columns, where that is known: of a longer one the end
/// of the licence is left out.
fn list(
    manifest: &Manifest,
    library: &Library,
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let all = || manifest.datasets().iter().chain(manifest.variants());
    let longest = all().map(|dataset| dataset.key.chars().count()).max().unwrap_or(0);
    let head = format!("{:<longest$} {:>6} {:>8}  {:<8} ", "key", "rows", "features", "at hand");
    // What is cut ends with one more character, an ellipsis.
    let room =
        width.map_or(LONGEST_LICENCE, |width| width.saturating_sub(1 + head.chars().count()));
    writeln!(out, "{head}licence")?;
    let mut code = 0;
    for dataset in all() {
        let (at_hand, wrong) = match library.status(dataset) {
            Ok(Status::Cached(_)) => ("cached", None),
            Ok(Status::Bundled) => ("bundled", None),
            Ok(Status::Absent) => ("no", None),
            Ok(Status::Damaged(path)) => {
                ("DAMAGED", Some(printable(&path.display().to_string(), 160)))
            }
            Err(error) => ("UNKNOWN", Some(error.worded())),
        };
        let (key, rows, features) = (&dataset.key, dataset.rows, dataset.columns());
        let licence = printable(&dataset.licence, room);
        writeln!(out, "{key:<longest$} {rows:>6} {features:>8}  {at_hand:<8} {licence}")?;
        if let Some(wrong) = wrong {
            code = 1;
            writeln!(out, "  {at_hand}: {wrong}")?;
        }
    }
    Ok(code)
}

/// One line for each dataset, then a line with the counts.
fn each(
    datasets: &[&Dataset],
    named: bool,
    out: &mut dyn Write,
    load: impl Fn(&Dataset) -> Result<Loaded, DataError>,
) -> io::Result<u8> {
    let (mut good, mut unavailable, mut unkept, mut wrong) = (0, 0, 0, 0);
    for dataset in datasets {
        match load(dataset) {
            Ok(loaded) => {
                good += 1;
                writeln!(
                    out,
                    "ok           {}: {} rows, {}",
                    dataset.key,
                    loaded.table.rows(),
                    loaded.origin
                )?;
                if dataset.parsed_sha256.is_none() {
                    let hash = &loaded.parsed_sha256;
                    writeln!(
                        out,
                        "             its matrix is not pinned yet; found parsed_sha256 = \
                         \"{hash}\""
                    )?;
                }
            }
            Err(error @ DataError::Cache { .. }) => {
                unkept += 1;
                writeln!(out, "not kept     {}: {}", dataset.key, error.worded())?;
            }
            Err(error) if error.is_unavailable() => {
                unavailable += 1;
                writeln!(out, "unavailable  {}", error.worded())?;
            }
            Err(error) => {
                wrong += 1;
                writeln!(out, "WRONG        {}", error.worded())?;
            }
        }
    }
    let kept = if unkept > 0 { format!(", {unkept} not kept") } else { String::new() };
    writeln!(
        out,
        "{good} of {} datasets ok, {unavailable} unavailable{kept}, {wrong} wrong",
        datasets.len()
    )?;
    Ok(u8::from(wrong + unkept > 0 || (named && unavailable > 0)))
}

fn describe(dataset: &Dataset, loaded: &Loaded, out: &mut dyn Write) -> io::Result<()> {
    let description = Description::of(&loaded.table);
    writeln!(out, "{}: {}", dataset.key, dataset.title)?;
    let features = counted(dataset.columns(), "feature");
    writeln!(out, "{} rows, {features}; source used: {}", dataset.rows, loaded.origin)?;
    writeln!(out, "licence: {}", dataset.licence)?;
    match &dataset.doi {
        Some(doi) => writeln!(out, "cite: {} doi:{doi}", dataset.citation)?,
        None => writeln!(out, "cite: {}", dataset.citation)?,
    }
    writeln!(out, "home: {}", dataset.home)?;
    writeln!(out, "parsed matrix: SHA-256 {}", loaded.parsed_sha256)?;
    writeln!(out)?;
    let width = description
        .columns
        .iter()
        .map(|column| column.name.chars().count())
        .max()
        .unwrap_or(0)
        .min(56);
    writeln!(
        out,
        "{:<width$} {:>12} {:>12} {:>12} {:>12}  unit",
        "column", "min", "mean", "sd", "max"
    )?;
    let last = description.columns.len().saturating_sub(1);
    for (index, column) in description.columns.iter().enumerate() {
        let numbers = [column.min, column.mean, column.sd, column.max]
            .map(|number| format!("{:>12}", short(number)));
        let role = if index == last { "  (target)" } else { "" };
        writeln!(
            out,
            "{:<width$} {}  {}{role}",
            printable(&column.name, 55),
            numbers.join(" "),
            column.unit
        )?;
    }
    writeln!(out, "\n{} distinct targets", description.distinct_targets)?;
    for note in &description.notes {
        writeln!(out, "note: {}", printable(note, 300))?;
    }
    let twins = description
        .twins()
        .map(|twins| format!("{twins}: a random split puts the same row on both sides"));
    for warning in twins.into_iter().chain(description.all_warnings()) {
        writeln!(out, "warning: {}", printable(&warning, 300))?;
    }
    for quirk in &dataset.quirks {
        writeln!(out, "note: {quirk}")?;
    }
    Ok(())
}

/// A number with six significant digits.
fn short(number: f64) -> String {
    let magnitude = number.abs();
    if number == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e9).contains(&magnitude) {
        return format!("{number:.5e}");
    }
    let decimals = (5 - magnitude.log10().floor() as i32).max(0) as usize;
    let text = format!("{number:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests;
