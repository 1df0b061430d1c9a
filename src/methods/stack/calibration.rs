//! Shift each quantile of a pool by its errors on rows that have not set the pool's weights.

use ndarray::{Array2, ArrayView1};
use serde::{Deserialize, Serialize};

use super::ID;
use crate::methods::FitError;
use crate::methods::conformal::{beyond, outward};
use crate::methods::state::require;
use crate::predictive::{Distribution, Quantiles};

/// Share of the deviation of the targets that a pool's standard deviation counts as at least.
const FLOOR: f64 = 0.01;

/// Pools of rows that have not set their weights, and the targets there.
#[derive(Serialize, Deserialize)]
pub(super) struct Calibration {
    pooled: Quantiles,
    targets: Vec<f64>,
    scales: Vec<f64>,
    floor: f64,
}

impl Calibration {
    /// From the pools' quantiles at increasing levels, n × levels, and the targets, n.
    pub(super) fn new(levels: Vec<f64>, values: Array2<f64>, targets: ArrayView1<f64>) -> Self {
        let deviation = targets.std(0.0);
        let floor = if deviation > 0.0 { FLOOR * deviation } else { 1.0 };
        let pooled = Quantiles { levels, values };
        let scales = scales(&pooled, floor);
        Self { pooled, targets: targets.to_vec(), scales, floor }
    }

    /// Checks what was read: increasing levels, and a target and a scale for each pool.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn check(&self) -> Result<(), String> {
        let Quantiles { levels, values } = &self.pooled;
        let rows = [self.targets.len(), self.scales.len()];
        require(
            !levels.is_empty() && values.dim() == (rows[0], levels.len()) && rows[0] == rows[1],
            "pools of another shape than their targets",
        )
    }

    /// c(p): the shift of the quantiles of a level, in standard deviations of the pool; `None` where it is infinite.
    fn shift(&self, level: f64) -> Option<f64> {
        let errors = self.targets.iter().zip(&self.scales).enumerate();
        let mut errors: Vec<f64> = errors.map(|(i, (y, scale))| (y - within(&self.pooled, i, level)) / scale).collect();
        errors.sort_unstable_by(f64::total_cmp);
        outward(&errors, level)
    }

    /// The calibrated quantiles of pools at the same levels; of the `wanted` levels those whose shift is finite.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where the shift of an `asked` level is infinite.
    pub(super) fn apply(&self, raw: Quantiles, wanted: Vec<f64>, asked: &[f64]) -> Result<Quantiles, FitError> {
        let mut shifts = Vec::new();
        for level in wanted {
            match self.shift(level) {
                Some(shift) => shifts.push((level, shift)),
                None if asked.contains(&level) => {
                    return Err(beyond(ID, 0.5 * (1.0 + (2.0 * level - 1.0).abs()), self.targets.len()));
                }
                None => {}
            }
        }
        let scales = scales(&raw, self.floor);
        let mut values = Array2::zeros((scales.len(), shifts.len()));
        for (i, (mut into, scale)) in values.rows_mut().into_iter().zip(scales).enumerate() {
            let shifted = shifts.iter().map(|&(level, shift)| within(&raw, i, level) + scale * shift);
            let mut shifted: Vec<f64> = shifted.collect();
            shifted.sort_unstable_by(f64::total_cmp);
            into.iter_mut().zip(shifted).for_each(|(value, of_level)| *value = of_level);
        }
        Ok(Quantiles { levels: shifts.into_iter().map(|(level, _)| level).collect(), values })
    }
}

/// The quantile of a level, or the outermost one beyond the levels.
fn within(pooled: &Quantiles, i: usize, level: f64) -> f64 {
    let row = pooled.values.row(i);
    let outer = if level < 0.5 { row[0] } else { row[row.len() - 1] };
    pooled.quantile(i, level).unwrap_or(outer)
}

/// The standard deviation of each row's pool, or `floor` where it is less.
fn scales(pooled: &Quantiles, floor: f64) -> Vec<f64> {
    (0..pooled.len()).map(|i| pooled.variance(i).map_or(floor, |variance| variance.sqrt().max(floor))).collect()
}
