//! Score a fit on held-out rows; higher is better.

use serde::{Deserialize, Serialize};

use crate::FitError;
use crate::parameter::Such;
use uq_core::Table;
use uq_core::metrics::percent;
use uq_core::predictive::{Distribution, Predictive, central_levels};

/// Slack of a comparison of decimal fractions, which are not exact in binary.
const ROUNDING: f64 = 1e-9;

/// The score of a fit on the held-out rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValidationScore {
    /// Mean log density, or mean log probability of the outcome's cell.
    #[default]
    LogDensity,
    /// Minus the mean continuous ranked probability score.
    Crps,
    /// Minus the mean pinball loss over the levels.
    Pinball,
    /// Minus the mean width of the central intervals of a level, where their coverage is near it.
    NarrowestCovering {
        /// Probability of the interval, in (0, 1).
        level: f64,
        /// The coverage differs from the level by less than this.
        tolerance: f64,
    },
}

impl ValidationScore {
    /// The scores that are allowed.
    pub(super) const ALLOWED: Such<Self> = Such(
        "\"log-density\", \"crps\", \"pinball\" or { narrowest-covering = { level, tolerance } } \
         with a level between 0 and 1 and a tolerance above 0",
        |score| match score {
            Self::NarrowestCovering { level, tolerance } => {
                *level > 0.0 && *level < 1.0 && *tolerance > 0.0 && tolerance.is_finite()
            }
            _ => true,
        },
    );

    /// The levels, increasing, of the quantiles that a fit has to predict: the given ones and those
    /// of the score.
    pub(super) fn levels(self, given: &[f64]) -> Vec<f64> {
        let mut levels = given.to_vec();
        if let Self::NarrowestCovering { level, .. } = self {
            levels.extend(<[f64; 2]>::from(central_levels(level)));
            levels.sort_unstable_by(f64::total_cmp);
            levels.dedup_by(|a, b| (*a - *b).abs() < ROUNDING);
        }
        levels
    }

    /// The score of a prediction of the held-out rows; `None` where it is undefined. `levels` are
    /// those of the pinball loss.
    ///
    /// # Errors
    /// [`FitError::NoneCovers`] where the share of the outcomes strictly inside their intervals
    /// differs from the level by the tolerance or more.
    pub(super) fn of(
        self,
        predictive: &Predictive,
        held_out: &Table,
        levels: &[f64],
    ) -> Result<Option<f64>, FitError> {
        let distribution = predictive.distribution();
        let mean = |of_row: &dyn Fn(usize, f64) -> Option<f64>| {
            let total: Option<f64> =
                held_out.target.iter().enumerate().map(|(i, &y)| of_row(i, y)).sum();
            total.map(|total| total / held_out.rows() as f64).filter(|mean| !mean.is_nan())
        };
        Ok(match self {
            Self::LogDensity => mean(&|i, y| match held_out.target_resolution {
                Some(step) => distribution.ln_probability(i, y - 0.5 * step, y + 0.5 * step),
                None => distribution.log_density(i, y),
            }),
            Self::Crps => mean(&|i, y| distribution.crps(i, y).map(|loss| -loss)),
            Self::Pinball => mean(&|i, y| pinball(distribution, i, y, levels).map(|loss| -loss)),
            Self::NarrowestCovering { level, tolerance } => {
                let ends = |i| predictive.interval(i, level);
                let coverage =
                    mean(&|i, y| ends(i).map(|(low, high)| f64::from(low < y && y < high)));
                if let Some(share) =
                    coverage.filter(|share| (share - level).abs() >= tolerance - ROUNDING)
                {
                    return Err(FitError::NoneCovers(format!(
                        "its {} intervals hold a share of {} of the held-out outcomes, expected \
                         one that differs from {level} by less than {tolerance}",
                        percent(level),
                        (share * 1e4).round() / 1e4
                    )));
                }
                mean(&|i, _| ends(i).map(|(low, high)| low - high))
            }
        })
    }
}

/// Mean pinball loss of the quantiles at the levels; `None` where one of them is undefined.
fn pinball(distribution: &dyn Distribution, i: usize, y: f64, levels: &[f64]) -> Option<f64> {
    let loss = |&level: &f64| {
        let error = y - distribution.quantile(i, level)?;
        Some(if error >= 0.0 { level * error } else { (level - 1.0) * error })
    };
    let total: Option<f64> = levels.iter().map(loss).sum();
    total.map(|total| total / levels.len() as f64)
}
