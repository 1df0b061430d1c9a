//! Read a user's table as a command asks for it, and say what was found on the way.

use std::path::PathBuf;

use clap::Args;

use super::CliError;
use crate::data::own::{Cells, Charset, Finding, OwnTable, is_standard_input, suspicions};
use crate::data::{Description, printable};
use crate::system::notice::say;

/// A table of one's own.
#[derive(Debug, Args)]
pub struct OwnFile {
    /// Table with a header: text between commas, semicolons, tabs or vertical bars, or Parquet, also compressed by gzip; -
    /// is standard input. Columns of text are one-hot encoded; missing numbers are filled in by each fit.
    #[arg(value_name = "FILE")]
    pub table: PathBuf,
    /// Column to predict.
    #[arg(long, value_name = "COLUMN")]
    target: String,
    /// Columns to leave out, such as row numbers and names.
    #[arg(long, value_name = "COLUMN,…")]
    drop: Vec<String>,
    /// Column that identifies the rows: it is no feature, and predictions of new rows repeat it.
    #[arg(long, value_name = "COLUMN")]
    pub id: Option<String>,
    /// Characters of text files: utf-8 or latin-1.
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub encoding: Charset,
}

impl OwnFile {
    /// Reads the table, and writes all findings to standard error.
    pub fn read(&self) -> Result<OwnTable, CliError> {
        let (own, findings) = self.examined()?;
        findings.iter().for_each(|finding| say(printable(&finding.to_string(), 600)));
        Ok(own)
    }

    /// The table, and all findings on it.
    pub fn examined(&self) -> Result<(OwnTable, Vec<Finding>), CliError> {
        let cells = Cells::read_as(&self.table, self.encoding)?;
        let own = OwnTable::new(&cells, &self.target, &self.dropped(&cells)?)?;
        let mut findings = own.findings.clone();
        findings.extend(Description::of(&own.table).warnings.into_iter().map(Finding::warning));
        findings.extend(suspicions(&own.table));
        Ok((own, findings))
    }

    /// The columns that are no features: each value of `--drop` as a whole if a column has that name, otherwise its parts
    /// between commas; and the one that identifies the rows.
    fn dropped(&self, cells: &Cells) -> Result<Vec<String>, CliError> {
        let one = |value: &String| -> Vec<String> {
            if cells.names().contains(value) {
                return vec![value.clone()];
            }
            value.split(',').map(|name| name.trim().to_owned()).collect()
        };
        let mut dropped: Vec<String> = self.drop.iter().flat_map(one).collect();
        if let Some(id) = &self.id {
            if *id == self.target {
                return Err(CliError::Usage(format!("--id: \"{}\" is the target", printable(id, 60))));
            }
            dropped.push(cells.names()[cells.place("--id", id)?].clone());
        }
        Ok(dropped)
    }

    /// The file's name without its folder.
    pub fn name(&self) -> String {
        if is_standard_input(&self.table) {
            return "standard input".into();
        }
        self.table.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Target and file, as a heading.
    pub fn title(&self) -> String {
        format!("{} of {}", printable(&self.target, 60), printable(&self.name(), 100))
    }

    /// The beginning of the names of files that are written about the table.
    pub fn stem(&self) -> String {
        if is_standard_input(&self.table) {
            return "standard-input".into();
        }
        self.table.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}
