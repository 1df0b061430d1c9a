//! Tell how often quantiles of predicted rows were in the wrong order before they were sorted.

use crate::evidence::Evidence;
use crate::methods::SideTable;
use crate::report::grid::Grid;
use crate::report::place::place;
use crate::report::section::Section;
use crate::stats::digits::abscissa;

/// What a fit calls the table: `level`, `next_level` and the `share_of_rows` whose quantiles at both are in the wrong order.
const NAME: &str = "predicted-crossings";

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
    /// Over the repetitions, which ask for the same levels; `None` without one.
    fn of(repetitions: &[&SideTable]) -> Option<Self> {
        let columns = |side_table: &&SideTable| {
            let column = |name: &str| side_table.column(name).map(<[f64]>::to_vec);
            Some((column("level")?, column("next_level")?, column("share_of_rows")?))
        };
        let all: Vec<(Vec<f64>, Vec<f64>, Vec<f64>)> = repetitions.iter().filter_map(columns).collect();
        let (levels, next, _) = all.first()?;
        let share = |pair: usize| all.iter().map(|a| a.2[pair]).sum::<f64>() / all.len() as f64;
        let shares: Vec<f64> = (0..levels.len()).map(share).collect();
        let (place, most) = shares.iter().copied().enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        Some(Self { pairs: shares.len(), mean, most, between: (levels[place], next[place]) })
    }
}

/// The table of crossings; `None` where no method has counted any.
pub fn section(evidence: &Evidence) -> Option<Section> {
    let mut grid =
        Grid::new(&["Dataset", "Column", "Variant", "#n", "#Pairs", "#Crossed, %", "#Most, %", "Between the levels"]);
    for fits in &evidence.diagnostics {
        let found = fits.named(NAME);
        let Some(Crossed { pairs, mean, most, between: (low, high) }) = Crossed::of(&found) else { continue };
        let rest = [
            found.len().to_string(),
            pairs.to_string(),
            format!("{:.2}", 100.0 * mean),
            format!("{:.2}", 100.0 * most),
            if most > 0.0 { format!("{} and {}", abscissa(low), abscissa(high)) } else { "–".into() },
        ];
        grid.rows.push(place(evidence.results.plan, fits.experiment).into_iter().chain(rest).collect());
    }
    let note = "Crossed: share of the test rows at which the method's own quantiles at two neighbouring levels are in the wrong \
                order, before they are sorted, in the mean over the pairs of levels and n repetitions; most: of the pair where \
                it is largest, in the mean over the repetitions. All answered levels count, also those between the \
                tables' ones.";
    let title = "Quantiles in the wrong order before sorting".into();
    (!grid.rows.is_empty()).then(|| Section { title, grid, note: note.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_averaged_and_the_worst_pair_is_named() {
        let repetition = |shares: [f64; 2]| {
            let columns = [("level", [0.1, 0.5]), ("next_level", [0.5, 0.9]), ("share_of_rows", shares)];
            SideTable { name: NAME.into(), columns: columns.map(|(name, v)| (name.to_owned(), v.to_vec())).into() }
        };
        let found = Crossed::of(&[&repetition([0.0, 0.25]), &repetition([0.5, 0.75])]).unwrap();
        assert_eq!(found, Crossed { pairs: 2, mean: 0.375, most: 0.5, between: (0.5, 0.9) });
        assert_eq!(Crossed::of(&[]), None);
    }
}
