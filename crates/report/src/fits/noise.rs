//! Tabulate the noise that Gaussian processes learned, and whether an end of its range stopped it.

use crate::grid::Grid;
use crate::place::place;
use crate::section::Section;
use uq_core::stats::Summary;
use uq_core::stats::digits::{NONE, mean_and_spread};
use uq_methods::side_tables::{LearnedNoise, SideTable};
use uqbench_judge::evidence::Evidence;

/// The noise of one experiment's fits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Noise {
    variance: Summary,
    /// Fits whose noise is at an end of its range; `None` where no fit has one that could be reached.
    at_bound: Option<usize>,
}

impl Noise {
    /// Over the repetitions; `None` where no fit reports any.
    fn of<'a>(tables: impl IntoIterator<Item = &'a SideTable>) -> Option<Self> {
        let told: Vec<LearnedNoise> = tables.into_iter().filter_map(LearnedNoise::of).collect();
        let variances: Vec<f64> = told.iter().map(|noise| noise.variance).collect();
        let flags: Vec<bool> = told.iter().filter_map(|noise| noise.at_bound).collect();
        let at_bound = (!flags.is_empty()).then(|| flags.iter().filter(|flag| **flag).count());
        Some(Self { variance: Summary::of(&variances)?, at_bound })
    }
}

/// The table of learned noise; `None` where no fit reports any.
pub fn section(evidence: &Evidence) -> Option<Section> {
    let mut grid = Grid::new(&["Dataset", "Column", "Variant", "#n", "#Noise variance", "#At its bound"]);
    for fits in &evidence.diagnostics {
        let Some(Noise { variance, at_bound }) = Noise::of(&fits.side_tables) else { continue };
        let noise = mean_and_spread(Some(variance.mean), variance.sd);
        let at_bound = at_bound.map_or(NONE.into(), |count| count.to_string());
        grid.push(place(evidence.results.plan, fits.experiment).into_iter().chain([
            variance.n.to_string(),
            noise,
            at_bound,
        ]));
    }
    let note = "Noise variance: mean ± standard deviation over n fits, in units of the variance of the training \
                target; at its bound: the number of fits whose noise variance is at an end of its allowed range, so \
                that the range determined it and not the data (–: the floor is added to the noise, so that the noise \
                never reaches it).";
    let title = "Learned noise of Gaussian processes".into();
    (!grid.rows.is_empty()).then(|| Section { title, grid, note: note.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_methods::side_tables::{FitNoise, ProcessNoise};

    #[test]
    fn noise_is_averaged_and_bounds_are_counted() {
        let fit =
            |noise_variance, noise_at_bound| FitNoise { noise_variance, noise_floor: None, noise_at_bound }.to_table();
        let found = Noise::of(&[fit(1e-6, true), fit(3e-6, false), fit(2e-6, true)]).unwrap();
        assert_eq!((found.variance.n, found.at_bound), (3, Some(2)));
        assert!((found.variance.mean - 2e-6).abs() < 1e-18);
        let found = Noise::of(&[ProcessNoise { variance: 0.25 }.to_table()]).unwrap();
        assert_eq!((found.variance.mean, found.at_bound), (0.25, None));
        let other = SideTable { name: FitNoise::NAME.into(), columns: vec![("rows".into(), vec![3.0])] };
        assert_eq!(Noise::of(&[other]), None);
    }
}
