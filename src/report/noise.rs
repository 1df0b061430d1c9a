//! Tell the noise that Gaussian processes learned, and whether a bound, not the data, decided it.

use super::artefacts::Left;
use super::grid::{Grid, mean_and_spread};
use super::section::Section;
use super::statistics::Summary;
use crate::methods::Artefact;

/// What a fit calls the table: `noise_variance` in units of the training target's variance, and `noise_at_bound`, 1 where it is
/// at an end of its range.
pub const NAME: &str = "fit";

/// The noise of one experiment's fits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Noise {
    variance: Summary,
    /// Fits whose noise is at an end of its range.
    at_bound: usize,
}

impl Noise {
    /// Over the repetitions; `None` where no fit tells both.
    fn of(fits: &[&Artefact]) -> Option<Self> {
        let one = |fit: &&Artefact, name: &str| fit.column(name)?.first().copied();
        let both = |fit: &&Artefact| one(fit, "noise_variance").zip(one(fit, "noise_at_bound"));
        let (variances, flags): (Vec<f64>, Vec<f64>) = fits.iter().filter_map(both).unzip();
        let at_bound = flags.iter().filter(|flag| **flag == 1.0).count();
        Some(Self { variance: Summary::of(&variances)?, at_bound })
    }
}

/// The table of learned noise; `None` where no fit tells any.
pub fn section(left: &[Left]) -> Option<Section> {
    let mut grid = Grid::new(&["Dataset", "Column", "Variant", "#n", "#Noise variance", "#At its bound"]);
    for left in left {
        let Some(Noise { variance, at_bound }) = Noise::of(&left.named(NAME)) else { continue };
        let noise = mean_and_spread(Some(variance.mean), variance.sd);
        grid.rows.push(left.place().into_iter().chain([variance.n.to_string(), noise, at_bound.to_string()]).collect());
    }
    let note = "Noise variance: mean ± standard deviation over n fits, in units of the variance of the training target; at its bound: \
                the number of fits whose noise variance is at an end of its allowed range, so that the range decided it and \
                not the data.";
    let title = "Learned noise of Gaussian processes".into();
    (!grid.rows.is_empty()).then(|| Section { title, grid, note: note.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_averaged_and_bounds_are_counted() {
        let fit = |noise: f64, at_bound: f64| Artefact {
            name: NAME.into(),
            columns: vec![("noise_variance".into(), vec![noise]), ("noise_at_bound".into(), vec![at_bound])],
        };
        let found = Noise::of(&[&fit(1e-6, 1.0), &fit(3e-6, 0.0), &fit(2e-6, 1.0)]).unwrap();
        assert_eq!((found.variance.n, found.at_bound), (3, 2));
        assert!((found.variance.mean - 2e-6).abs() < 1e-18);
        let other = Artefact { name: NAME.into(), columns: vec![("rows".into(), vec![3.0])] };
        assert_eq!(Noise::of(&[&other]), None);
    }
}
