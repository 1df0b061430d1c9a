//! Tabulate what the CRPS of each method is made of, on each dataset.

use super::first_trial;
use crate::grid::Grid;
use crate::section::Section;
use crate::words::decomposed as words;
use uq_core::metrics::{CrpsPart, DecompositionPart, MetricId};
use uq_core::stats::Summary;
use uq_core::stats::digits::{NONE, mean_and_spread};
use uqbench_judge::evidence::field::Field;
use uqbench_judge::evidence::imputation::Imputation;
use uqbench_judge::evidence::losses::Losses;

/// The metrics that the table needs.
pub fn parts_of_crps() -> Vec<MetricId> {
    CrpsPart::every().map(MetricId::CrpsPart).to_vec()
}

/// A row for each dataset and method. The field's metrics are those of [`parts_of_crps`].
pub fn section(field: &Field) -> Section {
    let mut grid = Grid::new(&[
        "Dataset",
        "Method",
        "#n",
        "#Miscalibration",
        "#If calibrated",
        "#Discrimination",
        "#Uncertainty",
        "#Comparable pairs",
    ]);
    let losses: Vec<Losses> = (0..field.metrics.len())
        .map(|metric| Losses::new(field, field, metric, &Imputation::Drop))
        .collect();
    for (at, block) in field.blocks.iter().enumerate() {
        for (entrant, name) in field.entrants.iter().enumerate() {
            let summary = |losses: &Losses| {
                let (_, scores) = losses.blocks.get(at)?;
                let given: Vec<f64> = scores.scores[entrant].iter().flatten().copied().collect();
                Summary::from_values(&given)
            };
            let all: Vec<Option<Summary>> = losses.iter().map(summary).collect();
            let Some(first) = all.iter().flatten().next() else { continue };
            let mut row = vec![block.heading.clone(), name.heading.clone(), first.n.to_string()];
            let cells = losses.iter().zip(&all).map(|(losses, summary)| match summary {
                Some(summary) if is_share(&losses.metric) => words::share(summary.mean),
                Some(summary) => mean_and_spread(Some(summary.mean), summary.sd),
                None => NONE.to_owned(),
            });
            row.extend(cells);
            grid.push_of_trials(row, first_trial(block, entrant));
        }
    }
    Section { title: words::TITLE.into(), grid, note: words::over_trials() }
}

fn is_share(metric: &MetricId) -> bool {
    *metric == MetricId::CrpsPart(CrpsPart { part: DecompositionPart::Comparable })
}
