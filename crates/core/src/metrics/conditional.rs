//! Score coverage within groups of rows: of similar predicted width, of one region of feature
//! space, of similar true noise.
//!
//! Coverage over all rows can be right although some rows are covered too often and others too
//! seldom. Coverage at every single x cannot be guaranteed without assumptions (Foygel Barber,
//! Candès, Ramdas & Tibshirani 2021, Inf. Inference 10), and one outcome for each x cannot show it.
//! Groups of rows are scored instead.

use std::collections::BTreeMap;

use ndarray::{Array1, ArrayView1};

use super::interval::{interval_ends, percent};
use super::{
    Direction, Metric, Parameter, Properties, ScoreContext, Tolerance, Unit, finite, row_losses,
};
use crate::math::bins::near_equal_bins;
use crate::predictive::Predictive;

/// Sizes that differ by at most this share of the largest one are ties, so that rounding does not
/// order equal sizes.
const SAME_SIZE: f64 = 1e-9;

/// Largest deviation of the central interval's coverage from its level over groups of rows; `None`
/// for no group, or where any outcome or interval is not finite.
fn largest_coverage_error(
    predictive: &Predictive,
    y: ArrayView1<f64>,
    level: f64,
    groups: impl IntoIterator<Item = Vec<usize>>,
) -> Option<f64> {
    let covered = row_losses(predictive, y, |i, y| {
        let (lower, upper) = predictive.interval(i, level)?;
        Some(f64::from(lower <= y && y <= upper))
    })?;
    groups
        .into_iter()
        .filter(|group| !group.is_empty())
        .map(|group| group.iter().map(|&row| covered[row]).sum::<f64>() / group.len() as f64)
        .map(|coverage| (coverage - level).abs())
        .reduce(f64::max)
        .and_then(finite)
}

/// Rows sorted by a size of zero or more and cut into near-equal groups, ties in row order.
fn groups_by_size(sizes: &[f64], groups: usize) -> Vec<Vec<usize>> {
    let grain = SAME_SIZE * sizes.iter().copied().fold(0.0, f64::max);
    // Where all sizes are zero, the grain is zero too, and all are ties.
    let key = |row: usize| if grain > 0.0 { (sizes[row] / grain).round() } else { 0.0 };
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|&a, &b| key(a).total_cmp(&key(b)));
    near_equal_bins(sizes.len(), groups).into_iter().map(|group| order[group].to_vec()).collect()
}

/// The numbers of the rows, if all are known and finite.
///
/// # Panics
/// If there is not one number for each row.
pub(super) fn known(fact: Option<&Array1<f64>>, rows: usize) -> Option<Vec<f64>> {
    let fact = fact?;
    assert_eq!(fact.len(), rows, "a fact about the rows needs one number for each row");
    fact.iter().map(|&value| finite(value)).collect()
}

/// Largest deviation of coverage from its level over groups of rows of similar width.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct CoverageByWidth {
    /// Probability of the interval, in (0, 1).
    pub level: f64,
    /// Number of groups, at least 1.
    pub groups: usize,
}

impl Metric for CoverageByWidth {
    fn properties(&self) -> Properties {
        Properties {
            name: "coverage-by-width",
            label: format!(
                "Coverage error by width ({}, {} groups)",
                percent(self.level),
                self.groups
            ),
            direction: Direction::Lower,
            unit: Unit::None,
            quantities: interval_ends(self.level),
            skill: None,
            tolerance: Tolerance::None,
            definition: "max over groups of |share of l <= y <= u in the group, less level|, [l, \
                         u] the central interval of the level; rows are sorted by u - l, ties (to \
                         1e-9 of the largest width) in row order, and cut into near-equal groups, \
                         longer ones first. Its size depends on the rows per group: compare equal \
                         numbers of rows only. After the size-stratified coverage of Angelopoulos \
                         & Bates (2023), Found. Trends Mach. Learn. 16, which takes the smallest \
                         coverage.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level), Parameter::count("groups", &mut self.groups)]
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        let widths = row_losses(predictive, y, |i, _| {
            predictive.interval(i, self.level).map(|(low, high)| high - low)
        })?;
        largest_coverage_error(predictive, y, self.level, groups_by_size(&widths, self.groups))
    }
}

/// Largest deviation of coverage from its level over regions of feature space.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct CoverageByRegion {
    /// Probability of the interval, in (0, 1).
    pub level: f64,
}

impl Metric for CoverageByRegion {
    fn properties(&self) -> Properties {
        Properties {
            name: "coverage-by-region",
            label: format!("Coverage error by region ({})", percent(self.level)),
            direction: Direction::Lower,
            unit: Unit::None,
            quantities: interval_ends(self.level),
            skill: None,
            tolerance: Tolerance::None,
            definition: "max over regions of |share of l <= y <= u in the region, less level|, [l, \
                         u] the central interval of the level; regions of feature space are those \
                         of three median cuts, each along the feature that spreads most in its \
                         part (at most 8 regions of about equal numbers of training rows; our \
                         choice), made from the training rows' features alone; regions without a \
                         test row do not count. Its size depends on the rows per region: compare \
                         equal test rows only. Undefined for trials stored before regions were. \
                         Feature-stratified coverage of Angelopoulos & Bates (2023), Found. Trends \
                         Mach. Learn. 16, which takes the smallest coverage; after Romano, Barber, \
                         Sabatti & Candes (2020), Harvard Data Sci. Rev. 2(2).",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level)]
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        let mut regions: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (row, region) in known(context.facts.region.as_ref(), y.len())?.into_iter().enumerate()
        {
            regions.entry(region.to_bits()).or_default().push(row);
        }
        largest_coverage_error(predictive, y, self.level, regions.into_values())
    }
}

/// Largest deviation of coverage from its level over groups of rows of similar true noise.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct CoverageByNoise {
    /// Probability of the interval, in (0, 1).
    pub level: f64,
    /// Number of groups, at least 1.
    pub groups: usize,
}

impl Metric for CoverageByNoise {
    fn properties(&self) -> Properties {
        Properties {
            name: "coverage-by-noise",
            label: format!(
                "Coverage error by noise ({}, {} groups)",
                percent(self.level),
                self.groups
            ),
            direction: Direction::Lower,
            unit: Unit::None,
            quantities: interval_ends(self.level),
            skill: None,
            tolerance: Tolerance::None,
            definition: "max over groups of |share of l <= y <= u in the group, less level|, [l, \
                         u] the central interval of the level; rows are sorted by the true \
                         standard deviation of their noise, ties in row order, and cut into \
                         near-equal groups, longer ones first. Undefined where the true noise is \
                         unknown, which is everywhere but on simulated problems with noisy test \
                         rows. Its size depends on the rows per group: compare equal numbers of \
                         rows only. Conditional coverage under heteroscedastic noise as in Romano, \
                         Patterson & Candes (2019), NeurIPS 32, and Feldman, Bates & Romano \
                         (2021), NeurIPS 34.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level), Parameter::count("groups", &mut self.groups)]
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        let noise = known(context.facts.noise.as_ref(), y.len())?;
        largest_coverage_error(predictive, y, self.level, groups_by_size(&noise, self.groups))
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::math::special::normal_quantile;
    use crate::metrics::{Picp, RowFacts};
    use crate::predictive::{Form, Gaussian};

    fn gaussian(mean: Array1<f64>, variance: Array1<f64>) -> Predictive {
        Predictive::new(Form::Gaussian(Gaussian { mean, variance }))
    }

    fn with_region(region: Array1<f64>) -> ScoreContext {
        ScoreContext {
            facts: RowFacts { region: Some(region), ..RowFacts::default() },
            ..ScoreContext::default()
        }
    }

    fn with_noise(noise: Array1<f64>) -> ScoreContext {
        ScoreContext {
            facts: RowFacts { noise: Some(noise), ..RowFacts::default() },
            ..ScoreContext::default()
        }
    }

    #[test]
    fn coverage_by_region_is_the_largest_error_of_a_region() {
        // Regions 0, 2 and 5 cover 1 of 1, 1 of 2 and 0 of 1: the level 0.5 is missed by 0.5, 0 and
        // 0.5; 0.8 by 0.8.
        let predictive = gaussian(Array1::zeros(4), Array1::ones(4));
        let y = array![0.0, 9.0, 9.0, 0.0];
        let context = with_region(array![2.0, 2.0, 5.0, 0.0]);
        assert_eq!(Picp { level: 0.5 }.score(&predictive, y.view(), &context), Some(0.5));
        let score = |level, context: &ScoreContext| {
            CoverageByRegion { level }.score(&predictive, y.view(), context)
        };
        assert_eq!(score(0.5, &context), Some(0.5));
        assert_eq!(score(0.8, &context), Some(0.8));
        assert_eq!(score(0.5, &with_region(array![1.0, 1.0, 2.0, 2.0])), Some(0.0));
        assert_eq!(
            score(0.5, &with_region(Array1::zeros(4))),
            Some(0.0),
            "one region: the coverage itself"
        );
        assert_eq!(score(0.5, &ScoreContext::default()), None, "a trial without regions");
        assert_eq!(score(0.5, &with_noise(Array1::ones(4))), None);
    }

    #[test]
    fn constant_width_under_growing_noise_has_the_coverage_error_of_its_closed_form() {
        // Noise of standard deviation 0.5, 1 and 2 in three groups of rows that are interleaved;
        // predicted is 1. The coverage at level 0.95 is 2Φ(z/s) − 1 with z = 1.959964: 0.9999114,
        // 0.95 and 0.6729050 (Python 3, math.erf).
        let n = 3000;
        let sd = Array1::from_shape_fn(n, |i| [2.0, 0.5, 1.0][i % 3]);
        let y =
            Array1::from_shape_fn(n, |i| sd[i] * normal_quantile(((i / 3) as f64 + 0.5) / 1000.0));
        let predictive = gaussian(Array1::zeros(n), Array1::ones(n));
        let score = |groups| {
            CoverageByNoise { level: 0.95, groups }.score(
                &predictive,
                y.view(),
                &with_noise(sd.clone()),
            )
        };
        assert!((score(3).unwrap() - (0.95 - 0.672_905_0)).abs() < 1e-3, "{:?}", score(3));
        let overall = (0.999_911_4 + 0.95 + 0.672_905_0) / 3.0;
        assert!((score(1).unwrap() - (0.95_f64 - overall).abs()).abs() < 1e-3, "{:?}", score(1));
        // With the true noise predicted, every group is covered as it should be.
        let honest = gaussian(Array1::zeros(n), sd.mapv(|s| s * s));
        let found = CoverageByNoise { level: 0.95, groups: 3 }
            .score(&honest, y.view(), &with_noise(sd))
            .unwrap();
        assert!(found < 1e-3, "{found}");
        assert_eq!(
            CoverageByNoise { level: 0.95, groups: 3 }.score(
                &predictive,
                y.view(),
                &ScoreContext::default()
            ),
            None,
            "unknown noise"
        );
    }

    #[test]
    fn equal_noise_stays_in_row_order() {
        let predictive = gaussian(Array1::zeros(4), Array1::ones(4));
        let context = with_noise(Array1::from_elem(4, 0.3));
        let by_noise = |y: &Array1<f64>, level| {
            CoverageByNoise { level, groups: 2 }.score(&predictive, y.view(), &context)
        };
        assert_eq!(by_noise(&array![0.0, 0.0, 9.0, 9.0], 0.75), Some(0.75));
        assert_eq!(by_noise(&array![0.0, 9.0, 0.0, 9.0], 0.5), Some(0.0));
    }

    #[test]
    fn coverage_by_width_is_the_largest_error_of_a_group() {
        let by_width = |predictive: &Predictive, y: &Array1<f64>, groups| {
            CoverageByWidth { level: 0.5, groups }.score(
                predictive,
                y.view(),
                &ScoreContext::default(),
            )
        };
        // Two rows are too narrow and missed, two too wide and covered: PICP is exactly ½.
        let predictive = gaussian(Array1::zeros(4), array![1e-4, 1e4, 1e-4, 1e4]);
        let y = array![1.0, 1.0, -1.0, -1.0];
        assert_eq!(
            Picp { level: 0.5 }.score(&predictive, y.view(), &ScoreContext::default()),
            Some(0.5)
        );
        assert_eq!(by_width(&predictive, &y, 1), Some(0.0));
        assert_eq!(by_width(&predictive, &y, 2), Some(0.5));
        assert_eq!(by_width(&predictive, &y, 3), Some(0.5), "groups of 2, 1 and 1 rows");
        assert_eq!(by_width(&predictive, &y, 100), Some(0.5), "a group of each row");
        assert_eq!(
            by_width(&gaussian(array![0.0], array![0.0]), &array![0.0], 10),
            Some(0.5),
            "one row of no width"
        );
    }

    #[test]
    fn equal_widths_stay_in_row_order_despite_rounding() {
        // Rows 0 and 1 are covered, 2 and 3 missed; the means make the widths differ by rounding.
        let mean = array![1e5, 1.0 / 3.0, -1e4, 0.1];
        let y = &mean + &array![0.0, 0.0, 9.0, 9.0];
        let predictive = gaussian(mean, Array1::ones(4));
        let score = CoverageByWidth { level: 0.75, groups: 2 }.score(
            &predictive,
            y.view(),
            &ScoreContext::default(),
        );
        assert_eq!(score, Some(0.75));
        let alternating = array![1e5, 1.0 / 3.0 + 9.0, -1e4, 9.1];
        let score = CoverageByWidth { level: 0.5, groups: 2 }.score(
            &predictive,
            alternating.view(),
            &ScoreContext::default(),
        );
        assert_eq!(score, Some(0.0));
    }
}
