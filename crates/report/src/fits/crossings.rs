//! Tabulate how often quantiles of predicted rows were in the wrong order before they were sorted.

use crate::grid::Grid;
use crate::place::place;
use crate::section::Section;
use uq_core::stats::digits::{NONE, abscissa};
use uq_methods::side_tables::Crossings;
use uqbench_judge::evidence::Evidence;

/// Shares of crossed rows over the pairs of neighbouring levels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Crossed {
    pairs: usize,
    /// Mean share over pairs and repetitions.
    mean: f64,
    /// The largest mean share of a pair over the repetitions.
    most: f64,
    /// Its levels.
    between: (f64, f64),
}

impl Crossed {
    /// Over the repetitions, which request the same levels; `None` without one.
    fn of(repetitions: &[Crossings]) -> Option<Self> {
        let Crossings { level, next_level, .. } = repetitions.first()?;
        let share =
            |pair: usize| repetitions.iter().map(|one| one.share_of_rows[pair]).sum::<f64>() / repetitions.len() as f64;
        let shares: Vec<f64> = (0..level.len()).map(share).collect();
        let (place, most) = shares.iter().copied().enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        Some(Self { pairs: shares.len(), mean, most, between: (level[place], next_level[place]) })
    }
}

/// The table of crossings; `None` where no method has counted any.
pub fn section(evidence: &Evidence) -> Option<Section> {
    let mut grid =
        Grid::new(&["Dataset", "Column", "Variant", "#n", "#Pairs", "#Crossed, %", "#Most, %", "Between the levels"]);
    for fits in &evidence.diagnostics {
        let found: Vec<Crossings> =
            fits.named(Crossings::PREDICTED).into_iter().filter_map(Crossings::from_table).collect();
        let Some(Crossed { pairs, mean, most, between: (low, high) }) = Crossed::of(&found) else { continue };
        let rest = [
            found.len().to_string(),
            pairs.to_string(),
            format!("{:.2}", 100.0 * mean),
            format!("{:.2}", 100.0 * most),
            if most > 0.0 { format!("{} and {}", abscissa(low), abscissa(high)) } else { NONE.into() },
        ];
        grid.push(place(evidence.results.plan, fits.experiment).into_iter().chain(rest));
    }
    let note = "Crossed: share of the test rows at which the method's own quantiles at two neighbouring levels are in \
                the wrong order, before they are sorted, in the mean over the pairs of levels and n repetitions; most: \
                of the pair where it is largest, in the mean over the repetitions. All levels of the method count, \
                also those between the tables' ones.";
    let title = "Quantiles in the wrong order before sorting".into();
    (!grid.rows.is_empty()).then(|| Section { title, grid, note: note.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_averaged_and_the_worst_pair_is_named() {
        let repetition = |shares: [f64; 2]| {
            let (level, next_level) = (vec![0.1, 0.5], vec![0.5, 0.9]);
            Crossings { level, next_level, share_of_rows: shares.to_vec() }
        };
        let found = Crossed::of(&[repetition([0.0, 0.25]), repetition([0.5, 0.75])]).unwrap();
        assert_eq!(found, Crossed { pairs: 2, mean: 0.375, most: 0.5, between: (0.5, 0.9) });
        assert_eq!(Crossed::of(&[]), None);
    }
}
