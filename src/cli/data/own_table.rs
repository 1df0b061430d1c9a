//! Describe a table of one's own, in the form of the datasets of the program.

use std::io::{self, Write};
use std::path::Path;

use clap::Args;

use super::short;
use crate::cli::CliError;
use crate::cli::cells::CellArgs;
use crate::cli::format_args::FormatArgs;
use crate::cli::own_file::{Examined, OwnFile};
use crate::cli::wording::Worded;
use uq_core::printable::printable;
use uqbench_data::own::{Cells, Content, DescribedColumn};
use uqbench_data::{ColumnSummary, Description, Manifest, parsed_sha256};
use uqbench_report::try_table::finding_of_order;

/// Most levels of a category that are named.
const MOST_LEVELS: usize = 6;

/// Longest name of a column, in characters.
const WIDEST: usize = 40;

/// What is to be known of a table of one's own.
#[derive(Args, Clone, Debug)]
pub struct OwnTableArgs {
    /// Column to predict; KEY is then a file of your own.
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
    /// Columns of the file to leave out, such as row numbers and names.
    #[arg(long, value_name = "COLUMN,…", requires = "target")]
    drop: Vec<String>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    cells: CellArgs,
}

impl OwnTableArgs {
    /// The table, if this argument names one.
    ///
    /// # Errors
    /// [`CliError::Usage`] for a file without a column to predict.
    pub fn of(&self, key: &str) -> Result<Option<OwnFile>, CliError> {
        let is_dataset = || Manifest::shipped().is_ok_and(|manifest| manifest.get(key).is_ok());
        match &self.target {
            Some(target) => {
                let Self { drop, format, cells, .. } = self.clone();
                Ok(Some(OwnFile::plain(key.into(), target.clone(), drop, format, cells)))
            }
            None if Path::new(key).is_file() && !is_dataset() => Err(CliError::Usage(format!(
                "{key} is a file: name the column to predict, as in `uqbench data describe {key} \
                 --target COLUMN`"
            ))),
            None => Ok(None),
        }
    }
}

/// Prints what is in a table, and all findings on it.
///
/// # Errors
/// [`CliError`] for a file that cannot be used as a table, or an output that cannot be written.
pub fn describe(file: &OwnFile, out: &mut dyn Write) -> Result<(), CliError> {
    let cells = file.read_cells()?;
    let mut examined = file.examined_cells(&cells, None)?;
    examined.findings.extend(finding_of_order(&examined.own.table));
    let columns = examined.own.describe_columns(&cells)?;
    Ok(write(&file.name(), &cells, &examined, &columns, out)?)
}

fn write(
    name: &str,
    cells: &Cells,
    Examined { own, findings, .. }: &Examined,
    columns: &[DescribedColumn],
    out: &mut dyn Write,
) -> io::Result<()> {
    let (table, description) = (&own.table, Description::of(&own.table));
    writeln!(out, "{}: {}", printable(name, 100), printable(&table.target_name, 60))?;
    let (rows, features, all) = (table.rows(), table.columns(), cells.names().len());
    writeln!(out, "{rows} rows, {features} features made of {} of {all} columns", columns.len())?;
    writeln!(out, "parsed matrix: SHA-256 {}\n", parsed_sha256(table))?;
    let names =
        columns.iter().map(|column| column.name.as_str()).chain([table.target_name.as_str()]);
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0).clamp(6, WIDEST + 1);
    let [min, mean, sd, max] = ["min", "mean", "sd", "max"].map(|head| format!("{head:>12}"));
    writeln!(
        out,
        "{:<width$} {:<8} {:>7} {min} {mean} {sd} {max}  levels",
        "column", "type", "missing"
    )?;
    for DescribedColumn { name, missing, content } in columns {
        let (kind, range, levels) = in_cells(content);
        let name = printable(name, WIDEST);
        writeln!(
            out,
            "{}",
            format!("{name:<width$} {kind:<8} {missing:>7} {range}  {levels}").trim_end()
        )?;
    }
    if let Some(target) = description.columns.last() {
        let (name, missing) = (printable(&table.target_name, WIDEST), cells.rows() - rows);
        writeln!(out, "{name:<width$} {:<8} {missing:>7} {}  (target)", "number", numbers(target))?;
    }
    writeln!(out, "\n{} distinct targets", description.distinct_targets)?;
    findings.iter().try_for_each(|finding| writeln!(out, "{}", printable(&finding.worded(), 600)))
}

/// Type, range and levels of a column.
fn in_cells(content: &Content) -> (&'static str, String, String) {
    match content {
        Content::Numbers(summary) => ("number", numbers(summary), String::new()),
        Content::Dates([first, last]) => {
            let [first, last] = [first, last].map(|end| printable(end, 19));
            ("date", format!("{first:>12} {:>25} {last:>12}", ""), String::new())
        }
        Content::Levels(levels) => ("category", " ".repeat(51), named(levels)),
    }
}

fn numbers(summary: &ColumnSummary) -> String {
    [summary.min, summary.mean, summary.sd, summary.max]
        .map(|number| format!("{:>12}", short(number)))
        .join(" ")
}

/// The number of levels, and the most frequent ones with their numbers of rows.
fn named(levels: &[(String, usize)]) -> String {
    let shown = levels
        .iter()
        .take(MOST_LEVELS)
        .map(|(level, rows)| format!("\"{}\" {rows}", printable(level, 30)));
    let more = if levels.len() > MOST_LEVELS { ", …" } else { "" };
    format!("{}: {}{more}", levels.len(), shown.collect::<Vec<_>>().join(", "))
}
