//! Find where in feature space the intervals of a method cover rows most rarely.

use ndarray::Axis;

use super::{Problem, TestedRow, Tried};
use uq_core::math::random::Streams;
use uq_core::stats::coverage::Coverage;
use uq_core::stats::slab::{self, WorstSlab};

/// Most features that are named.
const NAMED: usize = 3;

/// A slab of feature space, with the coverage of its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Slab {
    /// The method.
    pub method: String,
    /// Where it is.
    pub place: SlabPlace,
    /// Of the rows that have chosen it.
    pub searched: Coverage,
    /// Of the other rows.
    pub tested: Coverage,
    /// Least and greatest share of covered rows that the same search finds where coverage is even.
    pub even: (f64, f64),
}

/// Where a slab is.
#[derive(Clone, Debug, PartialEq)]
pub enum SlabPlace {
    /// Between two values of a feature.
    Feature {
        /// Its name.
        name: String,
        /// Smallest value, in its unit.
        low: f64,
        /// Largest value.
        high: f64,
    },
    /// Between two values of a sum of features, each less its mean and in standard deviations.
    Sum {
        /// Name and weight of the features with the largest weights.
        weights: Vec<(String, f64)>,
        /// Number of the others.
        others: usize,
        /// Smallest sum.
        low: f64,
        /// Largest sum.
        high: f64,
    },
}

/// The slab in which the method covers the rows of the first division most rarely, found on one
/// half of them and judged on the other. `None` where there are too few rows, and where the method
/// has no intervals.
pub fn worst_slab(problem: &Problem, tried: &Tried) -> Option<Slab> {
    let folds = tried.folds.as_ref().ok()?.iter().take(problem.folding.folds as usize);
    let mut rows: Vec<&TestedRow> = folds.flat_map(|fold| &fold.rows).collect();
    rows.sort_by_key(|row| row.row);
    let places: Vec<usize> = rows.iter().map(|row| row.row).collect();
    let covered: Vec<bool> = rows.iter().map(|row| row.covered).collect();
    let features = problem.table.features.select(Axis(0), &places);
    let streams = Streams::new(problem.seed, "worst slab");
    let found = slab::worst_slab(features.view(), &covered, &streams)?;
    let place = place(&found, &problem.table.feature_names);
    let WorstSlab { searched, tested: others, even, .. } = found;
    Some(Slab { method: tried.id.to_string(), place, searched, tested: others, even })
}

/// Where a slab is, by the names of the features.
fn place(found: &WorstSlab, names: &[String]) -> SlabPlace {
    let WorstSlab { direction, center, scale, low, high, .. } = found;
    let mut order: Vec<usize> = (0..direction.len()).filter(|j| direction[*j] != 0.0).collect();
    order.sort_by(|a, b| direction[*b].abs().total_cmp(&direction[*a].abs()).then(a.cmp(b)));
    match &order[..] {
        [j] => {
            let in_unit = |end: f64| center[*j] + scale[*j] * end / direction[*j];
            let (one, other) = (in_unit(*low), in_unit(*high));
            SlabPlace::Feature {
                name: names[*j].clone(),
                low: one.min(other),
                high: one.max(other),
            }
        }
        all => SlabPlace::Sum {
            weights: all.iter().take(NAMED).map(|j| (names[*j].clone(), direction[*j])).collect(),
            others: all.len().saturating_sub(NAMED),
            low: *low,
            high: *high,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(direction: Vec<f64>) -> WorstSlab {
        let coverage = Coverage { covered: 1, rows: 2 };
        let features = direction.len();
        WorstSlab {
            direction,
            center: vec![10.0; features],
            scale: vec![2.0; features],
            low: -1.0,
            high: 0.5,
            searched: coverage,
            tested: coverage,
            even: (0.5, 0.6),
        }
    }

    #[test]
    fn a_slab_of_one_feature_is_in_its_unit_and_another_names_the_largest_weights() {
        let names: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        let of = |direction: &[f64]| place(&found(direction.to_vec()), &names);
        let one = |low: f64, high: f64| SlabPlace::Feature { name: "b".into(), low, high };
        assert_eq!(of(&[0.0, 1.0, 0.0, 0.0]), one(8.0, 11.0));
        assert_eq!(of(&[0.0, -1.0, 0.0, 0.0]), one(9.0, 12.0));
        let SlabPlace::Sum { weights, others, .. } = of(&[0.1, -0.5, 0.2, 0.8]) else { panic!() };
        let named: Vec<&str> = weights.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!((named, others), (vec!["d", "b", "c"], 1));
    }
}
