//! Mark and tabulate the columns that validation flags `none`.

use super::grid::Grid;
use super::section::Section;
use super::signs::NO_COVERAGE;
use uq_core::metrics::percent;
use uq_core::stats::digits::{NONE, mean_and_spread};
use uqbench_judge::evidence::validation::flag;
use uqbench_judge::evidence::{Results, Series};
use uqbench_run::benchmark::Validation;

/// The mark of a column's numbers: empty where it is not flagged.
pub fn mark(results: &Results, series: &Series) -> &'static str {
    if flag(results, series).is_some_and(|flag| flag.none) { NO_COVERAGE.sign } else { "" }
}

/// What the mark means, to be put at the end of a sentence; empty where the benchmark does not validate.
pub fn note(results: &Results) -> String {
    let rule = results.plan.benchmark.validation.map(|validation| rule(&validation));
    rule.map(|rule| format!("; {} none: {rule}", NO_COVERAGE.sign)).unwrap_or_default()
}

/// When a column is flagged.
fn rule(validation: &Validation) -> String {
    let Validation { fraction, level, tolerance } = validation;
    format!(
        "{} intervals of a second fit cover on average a share outside {level} ± {tolerance} of the \
         {} of the training rows that are held out from it; test rows are not used",
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
        let coverage = flag.and_then(|flag| flag.coverage);
        let word = match flag {
            Some(flag) if flag.none => "none",
            Some(_) => "",
            None => NONE,
        };
        grid.push(vec![
            series.dataset.heading.clone(),
            series.column.heading.clone(),
            series.variant().unwrap_or_default().into(),
            mean_and_spread(coverage.map(|c| c.mean), coverage.and_then(|c| c.sd)),
            flag.map_or(0, |flag| flag.n).to_string(),
            word.into(),
        ]);
    }
    let chosen = results.experiments.iter().any(|repetitions| repetitions.experiment.chooses_by_coverage);
    let own_choice = if chosen {
        "; a column without a coverage chooses its settings by coverage itself, and is flagged where no repetition has a setting \
         with the required one"
    } else {
        ""
    };
    let note = format!(
        "Flagged none: {}{own_choice}. The flag is chosen once, at {}, and used at every level. A mean nearer to its bound than the \
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
