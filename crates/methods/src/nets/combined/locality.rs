//! Draw batches of neighbouring rows, and weigh them so that on average a batch's loss is that of
//! all rows.
//!
//! A batch is the union of `secondary` rows (n), drawn without replacement from the `neighbours`
//! nearest ones (k, the row itself among them) of each of `primary` rows (m), which are drawn
//! without replacement from all N. The row j is among the nearest of c_j rows. With H_j,
//! hypergeometric, the number of these that were drawn,
//!
//! ```text
//! π_j = 1 − E (1 − n/k)^H_j,    Σ_j ℓ_j = E Σ_{j in the batch} ℓ_j / π_j,                      (1)
//! ```
//!
//! the estimator of Horvitz & Thompson.
//!
//! # References
//! D. G. Horvitz, D. J. Thompson: *A generalization of sampling without replacement from a finite
//! universe*, JASA 47, 1952.

use ndarray::ArrayView2;
use rand::RngExt;

use crate::parameter::parameters;
use uq_core::math::random::{Rng, shuffle_prefix};
use uq_math::neighbours::Neighbours;

parameters! {
    /// Numbers of rows that a batch is drawn from; each number is limited to the available rows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct LocalityUnits {
        /// Rows m with neighbourhoods.
        primary: usize, in 1..=100;
        /// Rows n that are drawn from each neighbourhood.
        secondary: usize, in 1..=1000;
        /// Rows k in each neighbourhood, the row itself among them.
        neighbours: usize, in 1..=1000;
    }
}

/// The nearest rows of each row, the nearest one first.
pub(super) struct Surroundings {
    neighbours: usize,
    /// n × neighbours.
    lists: Vec<usize>,
}

impl Surroundings {
    /// The `neighbours` nearest rows (all, where there are fewer) of each row of `points`, n × d, n
    /// ≥ 1.
    pub fn new(points: ArrayView2<f64>, neighbours: usize) -> Self {
        let neighbours = neighbours.clamp(1, points.nrows());
        let tree = Neighbours::new(points);
        let mut lists = Vec::with_capacity(points.nrows() * neighbours);
        let mut found = Vec::new();
        for (own, row) in points.rows().into_iter().enumerate() {
            tree.nearest(&row.to_vec(), neighbours, &mut found);
            // With more equal rows than `neighbours` the row itself might be left out; then no
            // batch might ever contain it.
            let place = found.iter().position(|f| f.1 == own).unwrap_or(neighbours - 1);
            found[place].1 = own;
            found.swap(0, place);
            lists.extend(found.iter().map(|f| f.1));
        }
        Self { neighbours, lists }
    }
}

/// Batches of neighbouring rows.
pub(super) struct Locality {
    surroundings: Surroundings,
    primary: usize,
    secondary: usize,
    /// π, n.
    inclusion: Vec<f64>,
}

impl Locality {
    /// Batches of these sizes; `surroundings` has at least as many neighbours as they need, or all
    /// rows.
    pub fn new(surroundings: &Surroundings, units: LocalityUnits) -> Self {
        let rows = surroundings.lists.len() / surroundings.neighbours;
        let neighbours = units.neighbours.min(surroundings.neighbours);
        let (primary, secondary) = (units.primary.min(rows), units.secondary.min(neighbours));
        let lists = surroundings.lists.chunks_exact(surroundings.neighbours);
        let lists: Vec<usize> = lists.flat_map(|list| list[..neighbours].iter().copied()).collect();
        let mut counts = vec![0_usize; rows];
        lists.iter().for_each(|&row| counts[row] += 1);
        let most = counts.iter().copied().max().unwrap_or(0);
        let missed = 1.0 - secondary as f64 / neighbours as f64;
        let by_count: Vec<f64> =
            (0..=most).map(|count| inclusion(rows, count, primary, missed)).collect();
        let inclusion = counts.iter().map(|&count| by_count[count]).collect();
        Self { surroundings: Surroundings { neighbours, lists }, primary, secondary, inclusion }
    }

    /// π of a row.
    pub fn inclusion(&self, row: usize) -> f64 {
        self.inclusion[row]
    }

    /// Writes the rows of a batch, in ascending order, to `batch`; `scratch` saves allocations.
    pub fn draw(&self, rng: &mut Rng, scratch: &mut Vec<usize>, batch: &mut Vec<usize>) {
        let rows = self.inclusion.len();
        batch.clear();
        // Floyd's choice of `primary` distinct rows; they stay before the secondary ones until all
        // are drawn.
        for last in rows - self.primary..rows {
            let row = rng.random_range(0..=last as u64) as usize;
            batch.push(if batch.contains(&row) { last } else { row });
        }
        for place in 0..self.primary {
            let neighbours = self.surroundings.neighbours;
            scratch.clear();
            scratch.extend_from_slice(
                &self.surroundings.lists[batch[place] * neighbours..][..neighbours],
            );
            shuffle_prefix(scratch, self.secondary, rng);
            batch.extend_from_slice(&scratch[..self.secondary]);
        }
        batch.drain(..self.primary);
        batch.sort_unstable();
        batch.dedup();
    }
}

/// Eq. (1): 1 − E `missed`^H, where H of `primary` rows, drawn from `rows`, are among `count`.
fn inclusion(rows: usize, count: usize, primary: usize, missed: f64) -> f64 {
    // probabilities[h] = P(H = h) after some draws.
    let mut probabilities = vec![0.0; primary + 1];
    probabilities[0] = 1.0;
    for drawn in 0..primary {
        for hits in (0..=drawn).rev() {
            let hit = (count as f64 - hits as f64).max(0.0) / (rows - drawn) as f64;
            probabilities[hits + 1] += hit * probabilities[hits];
            probabilities[hits] *= 1.0 - hit;
        }
    }
    let terms = probabilities.iter().enumerate().skip(1);
    terms.map(|(hits, probability)| probability * (1.0 - missed.powi(hits as i32))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};
    use rand::SeedableRng;

    /// Every set of `size` of the items, as often as it is equally likely.
    fn subsets(items: &[usize], size: usize) -> Vec<Vec<usize>> {
        if size == 0 {
            return vec![vec![]];
        }
        let rest = |i: usize| subsets(&items[i + 1..], size - 1).into_iter();
        (0..items.len())
            .flat_map(|i| rest(i).map(move |set| [vec![items[i]], set].concat()))
            .collect()
    }

    #[test]
    fn the_weighted_loss_is_unbiased_over_all_batches() {
        let points = array![[0.0], [1.0], [1.5], [4.0], [4.2], [9.0]];
        let losses = [3.0, -1.0, 0.25, 7.0, 2.0, -5.0];
        for (primary, secondary, neighbours) in
            [(1, 2, 3), (2, 2, 3), (3, 1, 4), (2, 3, 3), (6, 2, 3)]
        {
            let surroundings = Surroundings::new(points.view(), 4);
            let locality =
                Locality::new(&surroundings, LocalityUnits { primary, secondary, neighbours });
            let list = |row: usize| &surroundings.lists[4 * row..][..neighbours];
            let (mut total, mut batches) = (0.0, 0.0);
            for primaries in subsets(&[0, 1, 2, 3, 4, 5], primary) {
                let mut unions = vec![vec![]];
                for row in primaries {
                    let drawn = subsets(list(row), secondary);
                    unions = unions
                        .iter()
                        .flat_map(|u| drawn.iter().map(move |d| [&u[..], d].concat()))
                        .collect();
                }
                // As many unions for each set of primary rows: all are equally likely.
                for mut batch in unions {
                    batch.sort_unstable();
                    batch.dedup();
                    total +=
                        batch.iter().map(|&row| losses[row] / locality.inclusion(row)).sum::<f64>();
                    batches += 1.0;
                }
            }
            let mean: f64 = total / batches;
            assert!((mean - 6.25).abs() < 1e-11, "{primary} {secondary} {neighbours}: {mean}");
        }
    }

    #[test]
    fn rows_are_drawn_with_their_inclusion_probability() {
        let points = Array2::from_shape_fn((12, 2), |(i, j)| ((i * (5 + j)) % 7) as f64);
        let surroundings = Surroundings::new(points.view(), 5);
        let locality =
            Locality::new(&surroundings, LocalityUnits { primary: 3, secondary: 2, neighbours: 4 });
        let mut rng = Rng::seed_from_u64(5);
        let (mut counts, mut scratch, mut batch) = ([0.0; 12], vec![], vec![]);
        let draws = 40_000;
        for _ in 0..draws {
            locality.draw(&mut rng, &mut scratch, &mut batch);
            assert!(
                batch.len() <= 6 && batch.windows(2).all(|pair| pair[0] < pair[1]),
                "{batch:?}"
            );
            batch.iter().for_each(|&row| counts[row] += 1.0);
        }
        for (row, count) in counts.iter().enumerate() {
            let (found, expected) = (count / f64::from(draws), locality.inclusion(row));
            // Five standard deviations of a proportion.
            assert!(
                (found - expected).abs() < 5.0 * 0.5 / f64::from(draws).sqrt(),
                "{row}: {found}, {expected}"
            );
        }
    }

    #[test]
    fn equal_rows_and_small_tables_are_drawn_too() {
        let surroundings = Surroundings::new(Array2::zeros((40, 1)).view(), 5);
        let locality =
            Locality::new(&surroundings, LocalityUnits { primary: 2, secondary: 5, neighbours: 5 });
        assert!((0..40).all(|row| locality.inclusion(row) > 0.0));
        let surroundings = Surroundings::new(array![[1.0], [2.0]].view(), 50);
        let locality = Locality::new(
            &surroundings,
            LocalityUnits { primary: 9, secondary: 40, neighbours: 50 },
        );
        let (mut scratch, mut batch) = (vec![], vec![]);
        locality.draw(&mut Rng::seed_from_u64(1), &mut scratch, &mut batch);
        assert_eq!((batch, locality.inclusion(0)), (vec![0, 1], 1.0));
    }
}
