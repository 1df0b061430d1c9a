//! Read quantile levels as central intervals: pairs symmetric about 1/2, and the median.

use crate::FitError;

/// How far rounding may keep two levels from being symmetric.
const SYMMETRY: f64 = 1e-9;

/// The requested intervals.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pairs {
    /// Lower levels α/2 and upper levels 1 − α/2, the outermost pair first.
    ends: Vec<(f64, f64)>,
    /// Whether level 1/2 is requested.
    pub(super) median: bool,
}

impl Pairs {
    /// # Errors
    /// [`FitError::Unsupported`] for no level, a level outside (0, 1), or one without its mirror
    /// image.
    pub(super) fn of(id: &str, asked: &[f64]) -> Result<Self, FitError> {
        let refuse = |message: String| Err(FitError::Unsupported(format!("{id}: {message}")));
        if asked.is_empty() {
            return refuse(
                "asked for no quantile level; a conformal method predicts requested intervals only"
                    .into(),
            );
        }
        if let Some(level) = asked.iter().find(|level| !(**level > 0.0 && **level < 1.0)) {
            return refuse(format!("asked for the quantile at {level}, expected levels in (0, 1)"));
        }
        let mut levels = asked.to_vec();
        levels.sort_unstable_by(f64::total_cmp);
        levels.dedup_by(|a, b| (*a - *b).abs() <= SYMMETRY);
        let alone =
            |level: &&f64| !levels.iter().any(|other| (*level + other - 1.0).abs() <= SYMMETRY);
        if let Some(level) = levels.iter().find(alone) {
            return refuse(format!(
                "asked for the quantile at {level} without that at {}; an end of a conformal \
                 interval means nothing without the other",
                1.0 - level
            ));
        }
        let half = levels.len() / 2;
        let ends = (0..half).map(|p| (levels[p], levels[levels.len() - 1 - p])).collect();
        Ok(Self { ends, median: levels.len() % 2 == 1 })
    }

    /// Number of intervals.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The intervals, the outermost first: lower level, upper level, probability 1 − α.
    pub(super) fn intervals(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        self.ends.iter().map(|&(lower, upper)| (lower, upper, upper - lower))
    }

    /// All levels, ascending.
    pub(super) fn levels(&self) -> Vec<f64> {
        let lower = self.ends.iter().map(|ends| ends.0);
        let upper = self.ends.iter().rev().map(|ends| ends.1);
        lower.chain(self.median.then_some(0.5)).chain(upper).collect()
    }
}
