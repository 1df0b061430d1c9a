//! Flag the columns whose coverage on validation rows is not their level, which a paper prints as
//! `none`.

use super::results::{Results, Series};
use uq_core::stats::Summary;
use uqbench_run::benchmark::Validation;
use uqbench_run::runner::outcome::Outcome;

/// The result of validation for a column on a dataset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flag {
    /// Coverage of the held-out training rows over the repetitions; `None` for a method that
    /// chooses its settings by coverage itself.
    pub coverage: Option<Summary>,
    /// Number of repetitions that it rests on.
    pub n: usize,
    /// Whether the mean coverage is too far from the level, or no repetition has a setting with the
    /// required coverage: the column is flagged `none`.
    pub none: bool,
}

impl Flag {
    fn of_coverage(validation: &Validation, coverage: Summary) -> Self {
        Self { coverage: Some(coverage), n: coverage.n, none: !validation.allows(coverage.mean) }
    }

    /// The flag of a method that chooses by coverage, from the outcomes of its repetitions; `None`
    /// where none counts.
    fn of_choices<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Option<Self> {
        let (mut found, mut uncovered) = (0, 0);
        for outcome in outcomes {
            match outcome {
                Outcome::Ok => found += 1,
                Outcome::NoneCovers(_) => uncovered += 1,
                Outcome::Diverged(_) | Outcome::Unsupported(_) => {}
            }
        }
        let n = found + uncovered;
        (n > 0).then_some(Self { coverage: None, n, none: found == 0 })
    }
}

/// The result of validation for a column; `None` where the benchmark has no validation, or no
/// repetition has a coverage.
pub fn flag(results: &Results, series: &Series) -> Option<Flag> {
    let validation = results.plan.benchmark.validation?;
    if series.repetitions.experiment.chooses_by_coverage {
        return Flag::of_choices(series.repetitions.outcomes());
    }
    let coverage = results.validation_of(series)?.summary(&validation.metric())?;
    Some(Flag::of_coverage(&validation, coverage))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_mean_outside_the_tolerance_is_flagged() {
        let validation = Validation { fraction: 0.1, level: 0.95, tolerance: 0.025 };
        let flagged = |coverages: &[f64]| {
            Flag::of_coverage(&validation, Summary::from_values(coverages).unwrap()).none
        };
        // One split far out does not matter where the mean is near: 0.95.
        assert!(!flagged(&[0.90, 1.0]));
        assert!(flagged(&[0.90, 0.94]));
        assert!(flagged(&[1.0, 0.96]));
        assert!(!flagged(&[0.975]));
    }

    #[test]
    fn a_choice_by_coverage_is_none_where_no_repetition_has_one() {
        let of = |outcomes: &[Outcome]| {
            Flag::of_choices(outcomes.iter()).map(|flag| (flag.n, flag.none))
        };
        let uncovered = Outcome::NoneCovers("too narrow".into());
        assert_eq!(of(&[uncovered.clone(), uncovered.clone()]), Some((2, true)));
        assert_eq!(of(&[uncovered.clone(), Outcome::Ok]), Some((2, false)));
        // What diverged says nothing about coverage.
        assert_eq!(of(&[Outcome::Diverged("lost".into()), uncovered]), Some((1, true)));
        assert_eq!(of(&[Outcome::Unsupported("one row".into())]), None);
    }
}
