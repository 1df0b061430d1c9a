//! Tell the noise that Gaussian processes learned, and whether a bound, not the data, decided it.

use crate::evidence::Evidence;
use crate::methods::SideTable;
use crate::report::grid::Grid;
use crate::report::place::place;
use crate::report::section::Section;
use crate::stats::Summary;
use crate::stats::digits::mean_and_spread;

/// The noise of one experiment's fits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Noise {
    variance: Summary,
    /// Fits whose noise is at an end of its range; `None` where no fit has one that could be reached.
    at_bound: Option<usize>,
}

impl Noise {
    /// Over the repetitions; `None` where no fit tells any. In `fit` stand `noise_variance` in units of the training target's variance, and
    /// `noise_at_bound`, 1 where it is at an end of its range; in `noise` stands the `variance` of a process that learns it by
    /// minibatches, whose floor is added and so never reached.
    fn of<'a>(tables: impl IntoIterator<Item = &'a SideTable>) -> Option<Self> {
        let one = |table: &SideTable, name: &str| table.column(name)?.first().copied();
        let told = |table: &SideTable| match table.name.as_str() {
            "fit" => Some((one(table, "noise_variance")?, Some(one(table, "noise_at_bound")?))),
            "noise" => Some((one(table, "variance")?, None)),
            _ => None,
        };
        let (variances, flags): (Vec<f64>, Vec<Option<f64>>) = tables.into_iter().filter_map(told).unzip();
        let flags: Vec<f64> = flags.into_iter().flatten().collect();
        let at_bound = (!flags.is_empty()).then(|| flags.iter().filter(|flag| **flag == 1.0).count());
        Some(Self { variance: Summary::of(&variances)?, at_bound })
    }
}

/// The table of learned noise; `None` where no fit tells any.
pub fn section(evidence: &Evidence) -> Option<Section> {
    let mut grid = Grid::new(&["Dataset", "Column", "Variant", "#n", "#Noise variance", "#At its bound"]);
    for fits in &evidence.diagnostics {
        let Some(Noise { variance, at_bound }) = Noise::of(&fits.side_tables) else { continue };
        let noise = mean_and_spread(Some(variance.mean), variance.sd);
        let at_bound = at_bound.map_or("–".into(), |count| count.to_string());
        grid.rows.push(
            place(evidence.results.plan, fits.experiment)
                .into_iter()
                .chain([variance.n.to_string(), noise, at_bound])
                .collect(),
        );
    }
    let note = "Noise variance: mean ± standard deviation over n fits, in units of the variance of the training target; at its bound: \
                the number of fits whose noise variance is at an end of its allowed range, so that the range decided it and \
                not the data (–: the floor is added to the noise, so that nothing can stop at it).";
    let title = "Learned noise of Gaussian processes".into();
    (!grid.rows.is_empty()).then(|| Section { title, grid, note: note.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_averaged_and_bounds_are_counted() {
        let fit = |noise: f64, at_bound: f64| SideTable {
            name: "fit".into(),
            columns: vec![("noise_variance".into(), vec![noise]), ("noise_at_bound".into(), vec![at_bound])],
        };
        let found = Noise::of(&[fit(1e-6, 1.0), fit(3e-6, 0.0), fit(2e-6, 1.0)]).unwrap();
        assert_eq!((found.variance.n, found.at_bound), (3, Some(2)));
        assert!((found.variance.mean - 2e-6).abs() < 1e-18);
        let by_minibatches = SideTable { name: "noise".into(), columns: vec![("variance".into(), vec![0.25])] };
        let found = Noise::of(&[by_minibatches]).unwrap();
        assert_eq!((found.variance.mean, found.at_bound), (0.25, None));
        let other = SideTable { name: "fit".into(), columns: vec![("rows".into(), vec![3.0])] };
        assert_eq!(Noise::of(&[other]), None);
    }
}
