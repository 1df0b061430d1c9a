//! Count the fits that had not converged after their last step.

use std::collections::BTreeMap;

use super::diagnostics::FitDiagnostics;
use super::results::Series;
use crate::methods::SideTable;

/// Names of the side tables that report convergence: `converged` of `convergence`; `cap_reached` of `fit`; of `starts`,
/// `cap_reached` of the start that was chosen.
pub const NAMES: [&str; 3] = ["convergence", "fit", "starts"];

/// Fits of one experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count {
    /// Number of fits that had not converged.
    pub unconverged: usize,
    /// Number of fits that report whether they converged.
    pub fits: usize,
}

impl Count {
    /// Counts over the tables of all fits; `None` where none reports convergence.
    fn of<'a>(tables: impl IntoIterator<Item = &'a SideTable>) -> Option<Self> {
        let told: Vec<bool> = tables.into_iter().filter_map(ended_early).collect();
        let unconverged = told.iter().filter(|early| **early).count();
        (!told.is_empty()).then_some(Self { unconverged, fits: told.len() })
    }
}

/// Whether a table reports that its fit had not converged; `None` where the table has no such column.
fn ended_early(table: &SideTable) -> Option<bool> {
    let number = |name: &str, place: usize| table.column(name)?.get(place).copied();
    match table.name.as_str() {
        "convergence" => Some(number("converged", 0)? == 0.0),
        "fit" => Some(number("cap_reached", 0)? == 1.0),
        "starts" => {
            let chosen = table.column("chosen")?.iter().position(|chosen| *chosen == 1.0)?;
            Some(number("cap_reached", chosen)? == 1.0)
        }
        _ => None,
    }
}

/// Number of fits of each experiment that had not converged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unconverged {
    /// By the experiment's index in the plan.
    counts: BTreeMap<usize, Count>,
}

impl Unconverged {
    /// Counts for the experiments whose fits report convergence.
    pub fn of(diagnostics: &[FitDiagnostics]) -> Self {
        let count = |fits: &FitDiagnostics| Some((fits.experiment, Count::of(&fits.side_tables)?));
        Self { counts: diagnostics.iter().filter_map(count).collect() }
    }

    /// The count for a column's fits; `None` where they do not report convergence.
    pub fn count(&self, series: &Series) -> Option<Count> {
        self.counts.get(&series.id.experiment).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, columns: &[(&str, &[f64])]) -> SideTable {
        let columns = columns.iter().map(|(name, values)| ((*name).to_owned(), values.to_vec())).collect();
        SideTable { name: name.into(), columns }
    }

    #[test]
    fn each_table_tells_in_its_own_words() {
        assert_eq!(ended_early(&table("convergence", &[("steps", &[5.0]), ("converged", &[0.0])])), Some(true));
        assert_eq!(ended_early(&table("convergence", &[("converged", &[1.0])])), Some(false));
        assert_eq!(ended_early(&table("fit", &[("cap_reached", &[1.0])])), Some(true));
        assert_eq!(ended_early(&table("fit", &[("noise_variance", &[1.0])])), None, "the exact process' table");
        let starts = |chosen: &[f64]| table("starts", &[("cap_reached", &[1.0, 0.0, 1.0]), ("chosen", chosen)]);
        assert_eq!(ended_early(&starts(&[0.0, 1.0, 0.0])), Some(false), "what the others did does not matter");
        assert_eq!(ended_early(&starts(&[0.0, 0.0, 1.0])), Some(true));
        assert_eq!(ended_early(&table("trace", &[("converged", &[0.0])])), None);
    }

    #[test]
    fn fits_that_tell_nothing_are_not_counted() {
        let fit = |cap: f64| table("fit", &[("cap_reached", &[cap])]);
        let tables = [fit(1.0), table("fit", &[]), fit(0.0), fit(1.0)];
        let found = Count::of(&tables).unwrap();
        assert_eq!(found, Count { unconverged: 2, fits: 3 });
        assert_eq!(Count::of(&[table("fit", &[])]), None);
    }
}
