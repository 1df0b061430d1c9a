//! `uqbench audit-table`: what a printed table says of itself, without a run.

use std::path::Path;

use clap::Args;

use super::{CliError, Ending, print_markdown};
use uqbench_judge::audit_table::{Audit, ReadError, References, Table};
use uqbench_report::audit_table::page;
use uqbench_report::export::page_in_markdown;
use uqbench_run::benchmark::find_all;
use uqbench_system::named_file::read_regular_text;

/// Largest file of printed numbers, in bytes.
const LARGEST: u64 = 16 << 20;

/// Audit the printed numbers of a table: what they say of themselves and of each other; runs
/// nothing.
#[derive(Debug, Args)]
#[command(after_help = "Exit code: 3 where a theorem excludes a number, else 0.\n\n\
    Examples:\n  uqbench audit-table printed.csv\n  uqbench audit-table jcm-table-2\n  \
    uqbench audit-table my-paper\n\n\
    docs/understand/audit-table.md derives the rules, and counts their hits and false alarms.")]
pub struct AuditTable {
    /// Files of printed numbers in .csv, benchmarks, or papers by their keys or folders.
    #[arg(required = true)]
    tables: Vec<String>,
}

impl AuditTable {
    /// Prints a page for each table.
    pub fn run(&self) -> Result<Ending, CliError> {
        let references = References::carried();
        let mut excludes = false;
        for name in &self.tables {
            for (title, table) in tables(name)? {
                let audit = Audit::new(&table, &references);
                excludes |= audit.excludes();
                print_markdown(&page_in_markdown(&page(&title, &table, &audit)))?;
            }
        }
        Ok(if excludes { Ending::Suspicious } else { Ending::Done })
    }
}

/// The tables that a name stands for, with their titles. Benchmarks without printed numbers have
/// none.
fn tables(name: &str) -> Result<Vec<(String, Table)>, CliError> {
    let wrong = |error: ReadError| CliError::Other(format!("{name}: {error}"));
    if Path::new(name).extension().is_some_and(|ending| ending == "csv") {
        let text = read_regular_text(Path::new(name), LARGEST)
            .map_err(|error| CliError::Other(format!("{name} cannot be read: {error}")))?;
        return Ok(vec![(format!("Audit of {name}"), Table::parse(&text).map_err(wrong)?)]);
    }
    let mut found = Vec::new();
    for benchmark in find_all(name)? {
        match Table::of_benchmark(&benchmark) {
            Ok(table) => found.push((format!("Audit of {}", benchmark.id), table)),
            Err(ReadError::Nothing) => {}
            Err(error) => return Err(wrong(error)),
        }
    }
    if found.is_empty() {
        return Err(CliError::Other(format!(
            "{name}: it has no printed numbers of what a rule reads, such as RMSE, log-likelihood \
             or coverage, in the units of the data"
        )));
    }
    Ok(found)
}
