//! Warn of tables of a benchmark file as `uqbench audit` does.

use std::collections::HashSet;

use super::CliError;
use super::own_file::{Examined, OwnFile, tell};
use uq_core::Table;
use uqbench_data::own::{Finding, Severity, Words};
use uqbench_data::splits::distinct_rows;
use uqbench_report::try_table::finding_of_order;
use uqbench_run::protocols::Protocol;
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::try_table::Division;

/// Fewest distinct rows that are divided by groups of equal ones.
const FEWEST_GROUPS: usize = 10;

/// Where a protocol puts rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sides {
    /// Rows of equal features on one side of every split, otherwise by chance.
    Together,
    /// Each by chance.
    Apart,
    /// In the order of the table or of a feature.
    InOrder,
}

impl Sides {
    fn of(protocol: &Protocol) -> Self {
        match protocol {
            Protocol::Grouped(_) | Protocol::GroupedKFold(_) => Self::Together,
            Protocol::RollingOrigin(_) | Protocol::Gap(_) | Protocol::Tail(_) => Self::InOrder,
            _ => Self::Apart,
        }
    }

    /// What suits a table: rows of equal features together, if it has any.
    fn best(table: &Table) -> Self {
        let distinct = distinct_rows(table);
        if distinct < table.rows() && distinct >= FEWEST_GROUPS {
            Self::Together
        } else {
            Self::Apart
        }
    }

    /// The division of `try` that treats rows of equal features so.
    fn division(self, table: &Table) -> Division {
        let (rows, distinct) = (table.rows(), distinct_rows(table));
        match self {
            _ if rows == distinct => Division::Rows,
            Self::Together => Division::Grouped { twins: rows - distinct },
            Self::Apart | Self::InOrder => Division::Repeated { distinct },
        }
    }
}

/// Where a new benchmark of a table should put its rows, and the warnings of `audit` on it.
///
/// # Errors
/// [`CliError`] for a file that cannot be used.
pub fn first_look(own: &OwnFile) -> Result<(Sides, Vec<Finding>), CliError> {
    let mut sides = Sides::Apart;
    let found = warnings(own, |table| {
        sides = Sides::best(table);
        sides
    })?;
    Ok((sides, found))
}

/// The warnings of `audit` on a table whose rows are divided so, in the words of a benchmark file.
fn warnings(own: &OwnFile, sides: impl FnOnce(&Table) -> Sides) -> Result<Vec<Finding>, CliError> {
    let mut in_order = false;
    let divide = |table: &Table| {
        let sides = sides(table);
        in_order = sides == Sides::InOrder;
        Ok(sides.division(table))
    };
    let Examined { own, findings, .. } = own.examined_in(&own.read_cells()?, None, divide)?;
    let order = finding_of_order(&own.table).filter(|_| !in_order);
    let all = findings.into_iter().chain(order).filter(|finding| finding.severity > Severity::Note);
    // The names of the library are the keys of the file, and no option stands for them.
    Ok(all.map(|finding| Finding { text: finding.text.to_string().into(), ..finding }).collect())
}

/// Writes the warnings on the tables of one's own that these plans run on to standard error, once
/// for each.
///
/// # Errors
/// [`CliError`] for a file that cannot be used any more.
pub fn warn(plans: &[Plan]) -> Result<(), CliError> {
    let mut seen = HashSet::new();
    for plan in plans {
        let used: HashSet<usize> =
            plan.all_experiments().map(|experiment| experiment.dataset).collect();
        let sides = Sides::of(&plan.benchmark.protocol);
        let rows =
            plan.benchmark.datasets.iter().enumerate().filter(|(place, _)| used.contains(place));
        for (row, own) in rows.filter_map(|(_, row)| Some((row, row.own.as_ref()?))) {
            if seen.insert((own.sha256.clone(), own.path.clone(), sides)) {
                let named = |finding: Finding| Finding {
                    text: Words::from(format!("dataset `{}`: ", row.key)) + finding.text,
                    ..finding
                };
                let found = warnings(&OwnFile::of_dataset(own), |_| sides)?;
                tell(&found.into_iter().map(named).collect::<Vec<_>>());
            }
        }
    }
    Ok(())
}
