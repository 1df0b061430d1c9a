//! Count the fits that had not converged after their last step.

use std::collections::BTreeMap;

use super::diagnostics::FitDiagnostics;
use super::results::Series;
use uq_methods::side_tables::{Converged, SideTable};

/// Fits of one experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Count {
    /// Number of fits that had not converged.
    pub unconverged: usize,
    /// Number of fits that report whether they converged.
    pub fits: usize,
}

impl Count {
    /// Counts over the tables of all fits; `None` where none reports convergence.
    fn of<'a>(tables: impl IntoIterator<Item = &'a SideTable>) -> Option<Self> {
        let told: Vec<bool> = tables.into_iter().filter_map(Converged::of).collect();
        let unconverged = told.iter().filter(|converged| !**converged).count();
        (!told.is_empty()).then_some(Self { unconverged, fits: told.len() })
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
    use uq_methods::side_tables::Capped;

    #[test]
    fn fits_that_tell_nothing_are_not_counted() {
        let fit = |cap_reached| Capped { cap_reached }.to_table();
        let other = SideTable { name: Capped::NAME.into(), columns: Vec::new() };
        let tables = [fit(true), other.clone(), fit(false), fit(true)];
        let found = Count::of(&tables).unwrap();
        assert_eq!(found, Count { unconverged: 2, fits: 3 });
        assert_eq!(Count::of(&[other]), None);
    }
}
