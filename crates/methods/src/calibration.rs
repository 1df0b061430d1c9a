//! Shift each quantile of a prediction by its errors on rows that the fit has not seen.

use ndarray::{Array2, ArrayView1, Axis};
use serde::{Deserialize, Serialize};

use super::FitError;
use super::conformal::beyond;
use super::state::require;
use uq_core::predictive::{Distribution, Quantiles};

/// Share of the deviation of the targets that a prediction's standard deviation counts as at least.
const FLOOR: f64 = 0.01;

/// Predictions of rows that their fits have not seen, and the targets there.
#[derive(Serialize, Deserialize)]
pub(super) struct Calibration {
    unseen: Quantiles,
    targets: Vec<f64>,
    scales: Vec<f64>,
    floor: f64,
}

impl Calibration {
    /// From the quantiles at increasing levels, n × levels, and the targets, n.
    pub(super) fn new(levels: Vec<f64>, values: Array2<f64>, targets: ArrayView1<f64>) -> Self {
        let deviation = targets.std(0.0);
        let floor = if deviation > 0.0 { FLOOR * deviation } else { 1.0 };
        let unseen = Quantiles { levels, values };
        let scales = scales(&unseen, floor);
        Self { unseen, targets: targets.to_vec(), scales, floor }
    }

    /// That of these rows alone, by their places.
    pub(super) fn of_rows(&self, rows: &[usize]) -> Self {
        let of = |all: &[f64]| rows.iter().map(|&row| all[row]).collect();
        let Quantiles { levels, values } = &self.unseen;
        Self {
            unseen: Quantiles { levels: levels.clone(), values: values.select(Axis(0), rows) },
            targets: of(&self.targets),
            scales: of(&self.scales),
            floor: self.floor,
        }
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.targets.len()
    }

    /// Checks what was read: increasing levels, and a target and a scale for each prediction.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn check(&self) -> Result<(), String> {
        let Quantiles { levels, values } = &self.unseen;
        let rows = [self.targets.len(), self.scales.len()];
        require(
            !levels.is_empty() && values.dim() == (rows[0], levels.len()) && rows[0] == rows[1],
            "predictions of another shape than their targets",
        )
    }

    /// The errors of the quantiles of a level, in standard deviations of the prediction, in the
    /// order of the rows.
    pub(super) fn errors(&self, level: f64) -> Vec<f64> {
        let rows = self.targets.iter().zip(&self.scales).enumerate();
        rows.map(|(i, (y, scale))| (y - within(&self.unseen, i, level)) / scale).collect()
    }

    /// The calibrated quantiles of `raw` predictions at the same levels; of the `wanted` levels
    /// those whose shift is finite. `shift` is that of a level with these errors, in standard
    /// deviations of the prediction; `None` where it is infinite.
    ///
    /// # Errors
    /// [`FitError::Unsupported`], in the name of the method `id`, where the shift of an `asked`
    /// level is infinite.
    pub(super) fn apply(
        &self,
        id: &str,
        raw: &Quantiles,
        wanted: Vec<f64>,
        asked: &[f64],
        shift: impl Fn(f64, Vec<f64>) -> Option<f64>,
    ) -> Result<Quantiles, FitError> {
        let mut shifts = Vec::new();
        for level in wanted {
            match shift(level, self.errors(level)) {
                Some(shift) => shifts.push((level, shift)),
                None if asked.contains(&level) => {
                    return Err(beyond(id, 0.5 * (1.0 + (2.0 * level - 1.0).abs()), self.rows()));
                }
                None => {}
            }
        }
        let scales = scales(raw, self.floor);
        let mut values = Array2::zeros((scales.len(), shifts.len()));
        for (i, (mut into, scale)) in values.rows_mut().into_iter().zip(scales).enumerate() {
            let shifted =
                shifts.iter().map(|&(level, shift)| within(raw, i, level) + scale * shift);
            let mut shifted: Vec<f64> = shifted.collect();
            shifted.sort_unstable_by(f64::total_cmp);
            into.iter_mut().zip(shifted).for_each(|(value, of_level)| *value = of_level);
        }
        Ok(Quantiles { levels: shifts.into_iter().map(|(level, _)| level).collect(), values })
    }
}

/// The quantile of a level, or the outermost one beyond the levels.
fn within(of: &Quantiles, i: usize, level: f64) -> f64 {
    let row = of.values.row(i);
    let outer = if level < 0.5 { row[0] } else { row[row.len() - 1] };
    of.quantile(i, level).unwrap_or(outer)
}

/// The standard deviation of each row's prediction, or `floor` where it is less.
fn scales(of: &Quantiles, floor: f64) -> Vec<f64> {
    (0..of.len())
        .map(|i| of.variance(i).map_or(floor, |variance| variance.sqrt().max(floor)))
        .collect()
}
