//! `uqbench audit`: check a table of one's own without a fit.

use clap::Args;

use super::own_file::{Examined, OwnFile};
use super::wording::Worded;
use super::{CliError, Ending, print_markdown};
use uq_core::names::counted;
use uq_core::printable::printable;
use uqbench_data::own::{Finding, Severity};
use uqbench_report::export::page_in_markdown;
use uqbench_report::grid::Grid;
use uqbench_report::section::{Page, Section};
use uqbench_report::try_table::finding_of_order;

/// Check a CSV file of your own, and list all that may make its scores wrong; runs nothing.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit code: 0 without a warning, 3 with one, 1 for a file that cannot be used.\n\n\
                  Example: uqbench audit my.csv --target y"
)]
pub struct Audit {
    #[command(flatten)]
    own: OwnFile,
}

impl Audit {
    /// Reads the table and prints its findings, the gravest first.
    pub fn run(&self) -> Result<Ending, CliError> {
        let Examined { own, mut findings, .. } =
            self.own.examined(self.own.dependence()?.as_ref())?;
        findings.extend(finding_of_order(&own.table));
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        let mut page = Page::new(self.own.title());
        let (rows, features) =
            (counted(own.table.rows(), "row"), counted(own.table.columns(), "feature"));
        page.text(format!("{rows}, {features}."));
        if findings.is_empty() {
            page.text("No findings.");
        } else {
            let mut grid = Grid::new(&["Severity", "Finding"]);
            let row = |f: &Finding| [f.severity.to_string(), printable(&f.text.worded(), 600)];
            grid.extend(findings.iter().map(row));
            let note =
                "A note says how the table was read. A warning says what may make scores or \
                 predictions wrong."
                    .into();
            page.section(Section { title: "Findings".into(), grid, note });
        }
        print_markdown(&page_in_markdown(&page))?;
        let is_grave = findings.iter().any(|finding| finding.severity > Severity::Note);
        Ok(if is_grave { Ending::Suspicious } else { Ending::Done })
    }
}
