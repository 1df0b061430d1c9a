//! Flag the columns whose coverage on validation rows is not their level, which a paper prints as `none`.

use super::results::{Results, Series};
use crate::benchmark::Validation;
use crate::stats::Summary;

/// The result of validation for a column on a dataset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flag {
    /// Coverage of the held-out training rows over the repetitions.
    pub coverage: Summary,
    /// Whether its mean is too far from the level: the column is flagged `none`.
    pub none: bool,
}

impl Flag {
    fn new(validation: &Validation, coverage: Summary) -> Self {
        Self { coverage, none: !validation.allows(coverage.mean) }
    }
}

/// The result of validation for a column; `None` where the benchmark has no validation, or no repetition has a
/// coverage.
pub fn flag(results: &Results, series: &Series) -> Option<Flag> {
    let validation = results.plan.benchmark.validation?;
    let coverage = results.validation_of(series)?.summary(&validation.metric())?;
    Some(Flag::new(&validation, coverage))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_mean_outside_the_tolerance_is_flagged() {
        let validation = Validation { fraction: 0.1, level: 0.95, tolerance: 0.025 };
        let flagged = |coverages: &[f64]| Flag::new(&validation, Summary::of(coverages).unwrap()).none;
        // One split far out does not matter where the mean is near: 0.95.
        assert!(!flagged(&[0.90, 1.0]));
        assert!(flagged(&[0.90, 0.94]));
        assert!(flagged(&[1.0, 0.96]));
        assert!(!flagged(&[0.975]));
    }
}
