//! Flag the columns whose intervals do not cover their level on validation rows: what a paper prints as `none`.

use super::grid::{Grid, mean_and_spread};
use super::section::Section;
use crate::benchmark::Validation;
use crate::evidence::results::{Results, Series};
use crate::metrics::percent;
use crate::stats::Summary;

/// The mark of a flagged number.
const MARK: &str = "‡";

/// What validation says of a column on a dataset.
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

/// What validation says of a column; `None` where the benchmark does not validate, or no repetition has a coverage.
pub fn flag(results: &Results, series: &Series) -> Option<Flag> {
    let validation = results.plan.benchmark.validation?;
    let coverage = results.validation_of(series)?.summary(&validation.metric())?;
    Some(Flag::new(&validation, coverage))
}

/// The mark of a column's numbers: empty where it is not flagged.
pub fn mark(results: &Results, series: &Series) -> &'static str {
    if flag(results, series).is_some_and(|flag| flag.none) { MARK } else { "" }
}

/// What the mark means, to be put at the end of a sentence; empty where the benchmark does not validate.
pub fn note(results: &Results) -> String {
    let rule = results.plan.benchmark.validation.map(|validation| rule(&validation));
    rule.map(|rule| format!("; {MARK} none: {rule}")).unwrap_or_default()
}

/// When a column is flagged.
fn rule(validation: &Validation) -> String {
    let Validation { fraction, level, tolerance } = validation;
    format!(
        "{} intervals of a second fit cover, in the mean over the repetitions, a share outside {level} ± {tolerance} of the \
         {} of the training rows that it does not see; test rows have no part in this",
        percent(*level),
        percent(*fraction)
    )
}

/// The table of validation coverages; `None` where the benchmark does not validate.
pub fn section(results: &Results) -> Option<Section> {
    let validation = results.plan.benchmark.validation?;
    let mut grid = Grid::new(&["Dataset", "Column", "Variant", "#Validation coverage", "#n", "Flag"]);
    for series in results.series() {
        let flag = flag(results, &series);
        let coverage = flag.map(|flag| flag.coverage);
        let word = match flag {
            Some(flag) if flag.none => "none",
            Some(_) => "",
            None => "–",
        };
        grid.rows.push(vec![
            series.dataset.heading.clone(),
            series.column.heading.clone(),
            series.variant().unwrap_or_default().into(),
            mean_and_spread(coverage.map(|c| c.mean), coverage.and_then(|c| c.sd)),
            coverage.map_or(0, |c| c.n).to_string(),
            word.into(),
        ]);
    }
    let note = format!(
        "Flagged none: {}. The flag is chosen once, at {}, and used at every level. A mean nearer to its bound than the \
         standard deviation divided by √n could have come out on the other side.",
        rule(&validation),
        percent(validation.level)
    );
    Some(Section {
        title: format!("Coverage of {} intervals on validation rows", percent(validation.level)),
        grid,
        note,
    })
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
