//! Weigh calibration rows where new rows have other features: w(x) = exp(t·x), the known ratio of
//! both densities up to a factor.

use std::collections::BTreeMap;

use ndarray::{ArrayView1, aview1};
use serde::{Deserialize, Serialize};

use crate::FitError;
use crate::state::require;

/// How far rounding may keep a sum of weights from a level.
const TOLERANCE: f64 = 1e-9;

/// The weights of calibration rows, by group.
#[derive(Serialize, Deserialize)]
pub(super) struct Shift {
    tilt: Vec<f64>,
    groups: BTreeMap<u64, Exponents>,
}

/// ln w of a group's rows, and ln Σ w.
#[derive(Serialize, Deserialize)]
struct Exponents {
    rows: Vec<f64>,
    sum: f64,
}

/// The targets of equal errors at one row with their shares p_i, ascending.
pub(super) struct Weighted {
    targets: Vec<(f64, f64)>,
    /// The share of the new row itself, p_{n+1}.
    own: f64,
}

impl Shift {
    /// The weights of each group's rows. `tilt` has a number for each feature.
    pub(super) fn new<'a>(
        tilt: &[f64],
        groups: impl Iterator<Item = (u64, Vec<ArrayView1<'a, f64>>)>,
    ) -> Self {
        let exponents = |rows: Vec<ArrayView1<f64>>| {
            let rows: Vec<f64> = rows.into_iter().map(|x| aview1(tilt).dot(&x)).collect();
            let largest = rows.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum = largest + rows.iter().map(|row| (row - largest).exp()).sum::<f64>().ln();
            Exponents { rows, sum }
        };
        Self {
            tilt: tilt.to_vec(),
            groups: groups.map(|(group, rows)| (group, exponents(rows))).collect(),
        }
    }

    /// Checks weights that were read: a tilt for each feature, and a weight for each row of the
    /// groups with these counts.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn check(
        &self,
        columns: usize,
        counts: impl Iterator<Item = (u64, usize)>,
    ) -> Result<(), String> {
        let weighed = self.groups.iter().map(|(group, rows)| (*group, rows.rows.len()));
        require(self.tilt.len() == columns && weighed.eq(counts), "weights of other rows")
    }

    /// p_{n+1}, the share of the new row `x` among the rows of its group and itself; 1 where the
    /// group has none.
    pub(super) fn share_of_new(&self, group: u64, x: ArrayView1<f64>) -> f64 {
        let sum = self.groups.get(&group).map_or(f64::NEG_INFINITY, |rows| rows.sum);
        1.0 / (1.0 + (sum - aview1(&self.tilt).dot(&x)).exp())
    }

    /// The targets with their shares; they are in the order of the group's rows.
    pub(super) fn weigh(&self, group: u64, x: ArrayView1<f64>, targets: &[f64]) -> Weighted {
        let own = self.share_of_new(group, x);
        let share = |(row, sum): (&f64, f64)| (1.0 - own) * (row - sum).exp();
        let shares = self
            .groups
            .get(&group)
            .into_iter()
            .flat_map(|of| of.rows.iter().map(|row| share((row, of.sum))));
        let mut targets: Vec<(f64, f64)> = targets.iter().copied().zip(shares).collect();
        targets.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        Weighted { targets, own }
    }
}

impl Weighted {
    /// The quantile at a level, rounded outwards; `None` where it is infinite.
    pub(super) fn outward(&self, level: f64) -> Option<f64> {
        if level < 0.5 {
            self.below(level)
        } else if level > 0.5 {
            self.above(level)
        } else {
            Some(0.5 * (self.below(level)? + self.above(level)?))
        }
    }

    /// The largest target whose predecessors, and the new row, have a share of `level` at most.
    fn below(&self, level: f64) -> Option<f64> {
        let (mut sum, mut found) = (self.own, None);
        for &(target, share) in &self.targets {
            if sum > level + TOLERANCE {
                break;
            }
            found = Some(target);
            sum += share;
        }
        found
    }

    /// The smallest target that has, with its predecessors, a share of `level` at least.
    fn above(&self, level: f64) -> Option<f64> {
        let mut sum = 0.0;
        let reaches = |&&(_, share): &&(f64, f64)| {
            sum += share;
            sum >= level - TOLERANCE
        };
        self.targets.iter().find(reaches).map(|(target, _)| *target)
    }

    /// Why an interval of this probability is infinite at this row.
    pub(super) fn beyond(&self, id: &str, probability: f64, row: usize) -> FitError {
        FitError::Unsupported(format!(
            "{id}: an interval of probability {probability:.6} would be infinite in row {row} \
             (from 0), which has {:.3} of all weight under `tilt`; expected at most {:.3}: take \
             more calibration rows, a smaller tilt, or levels nearer to 0.5",
            self.own,
            1.0 - probability
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformal::outward;
    use ndarray::array;
    use proptest::prelude::{prop, prop_assert_eq, proptest};

    #[test]
    fn shares_and_quantiles_are_those_of_hand() {
        // Weights 1, 2, 4 and, for the new row, 1.
        let two = 2.0_f64.ln();
        let rows = [array![0.0], array![1.0], array![2.0]];
        let shift =
            Shift::new(&[two], [(7, rows.iter().map(|row| row.view()).collect())].into_iter());
        assert!((shift.share_of_new(7, array![0.0].view()) - 0.125).abs() < 1e-15);
        assert_eq!(shift.share_of_new(8, array![0.0].view()), 1.0);
        // In ascending order of targets: 10 with 4/8, 20 with 1/8, 30 with 2/8.
        let weighted = shift.weigh(7, array![0.0].view(), &[20.0, 30.0, 10.0]);
        let all = [
            (0.1, None),
            (0.125, Some(10.0)),
            (0.4, Some(10.0)),
            (0.625, Some(20.0)),
            (0.7, Some(30.0)),
        ];
        for (level, expected) in all {
            assert_eq!(weighted.outward(level), expected, "{level}");
        }
        assert_eq!(
            (weighted.outward(0.875), weighted.outward(0.9), weighted.outward(0.5)),
            (Some(30.0), None, Some(10.0))
        );
    }

    proptest! {
        #[test]
        fn without_a_tilt_the_ranks_are_those_of_equal_weights(
            targets in prop::collection::vec(-9_i32..9, 1..60),
            level in 0.01_f64..0.99,
        ) {
            let targets: Vec<f64> = targets.into_iter().map(f64::from).collect();
            let rows = vec![array![3.0]; targets.len()];
            let shift =
                Shift::new(&[0.0], [(0, rows.iter().map(|row| row.view()).collect())].into_iter());
            let mut sorted = targets.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            let weighted = shift.weigh(0, array![-5.0].view(), &targets);
            prop_assert_eq!(weighted.outward(level), outward(&sorted, level));
        }
    }
}
