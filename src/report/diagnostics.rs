//! Collect the small tables that fits left behind, over the repetitions of each experiment.

use rayon::prelude::*;

use super::scorecard::{Row, Scorecard, joined};
use crate::benchmark::label_text;
use crate::evidence::results::{Results, Series};
use crate::evidence::trials::{EvidenceError, side_tables};
use crate::methods::SideTable;
use crate::runner::store::Store;

/// What the fits of one experiment left behind.
pub struct FitDiagnostics<'a> {
    /// Its columns, the readings of one fit: never empty.
    pub columns: Vec<Series<'a>>,
    /// The wanted tables of all finished repetitions, in their order.
    pub side_tables: Vec<SideTable>,
}

impl FitDiagnostics<'_> {
    /// The tables of this name, one a repetition that has it.
    pub fn named(&self, name: &str) -> Vec<&SideTable> {
        self.side_tables.iter().filter(|side_table| side_table.name == name).collect()
    }

    /// Adds a sentence to the remarks of the scorecard's numbers of these columns.
    pub fn remark(&self, card: &mut Scorecard, sentence: &str) {
        for series in &self.columns {
            let (method, variant) = (label_text(&series.column.labels), series.variant().unwrap_or_default());
            let own = |row: &&mut Row| {
                let of_column = (row.method.as_str(), row.variant.as_str()) == (method.as_str(), variant);
                row.claim.is_empty() && row.n > 0 && row.dataset == series.dataset.key && of_column
            };
            for row in card.rows.iter_mut().filter(own) {
                row.note = joined(std::mem::take(&mut row.note), sentence);
            }
        }
    }

    /// Where it belongs in a table: dataset, headings of its columns, variant.
    pub fn place(&self) -> [String; 3] {
        let series = &self.columns[0];
        let headings: Vec<&str> = self.columns.iter().map(|series| series.column.heading.as_str()).collect();
        [series.dataset.heading.clone(), headings.join(", "), series.variant().unwrap_or_default().into()]
    }
}

/// The tables of these names of each experiment that has any. Where the first finished repetition has none, none of the others is
/// looked at; repetitions with other seeds, and those that validate, are not among them.
///
/// # Errors
/// [`EvidenceError`] where stored trials cannot be read.
pub fn collect<'a>(
    results: &'a Results,
    names: &[&str],
    store: &Store,
) -> Result<Vec<FitDiagnostics<'a>>, EvidenceError> {
    let mut experiments: Vec<Vec<Series<'a>>> = Vec::new();
    for series in results.series() {
        match experiments.last_mut().filter(|group| std::ptr::eq(group[0].repetitions, series.repetitions)) {
            Some(group) => group.push(series),
            None => experiments.push(vec![series]),
        }
    }
    let of_experiment = |columns: Vec<Series<'a>>| -> Result<Option<FitDiagnostics<'a>>, EvidenceError> {
        let mut found = Vec::new();
        for result in columns[0].finished() {
            found.extend(side_tables(result, store)?.into_iter().filter(|a| names.contains(&a.name.as_str())));
            if found.is_empty() {
                return Ok(None);
            }
        }
        Ok((!found.is_empty()).then_some(FitDiagnostics { columns, side_tables: found }))
    };
    let all = experiments.into_par_iter().map(of_experiment).collect::<Result<Vec<_>, _>>()?;
    Ok(all.into_iter().flatten().collect())
}
