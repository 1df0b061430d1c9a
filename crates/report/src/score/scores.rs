//! Tabulate every score of every method.

use crate::grid::Grid;
use crate::section::Section;
use crate::words::score as words;
use crate::words::signs::APPROXIMATED;
use uq_core::predictive::Exactness;
use uq_core::stats::digits::mean_and_spread;
use uqbench_judge::evidence::own_predictions::{Evaluation, OwnPredictions, Scored};

/// One row for each metric, one column for each method.
pub fn section(predictions: &OwnPredictions, evaluation: &Evaluation) -> Section {
    let mut head = vec!["Metric".to_owned(), "Better".to_owned()];
    head.extend(predictions.methods.iter().map(|method| format!("#{}", method.method)));
    let mut grid = Grid::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    for (place, metric) in evaluation.metrics.iter().enumerate() {
        let cells = evaluation.methods.iter().map(|method| cell(&method.scores[place]));
        grid.push([metric.label(), metric.direction().to_string()].into_iter().chain(cells));
    }
    let mut hows: Vec<&str> = Vec::new();
    for scored in evaluation.methods.iter().flat_map(|method| &method.scores) {
        if let (Exactness::Approximate(how), Some(_)) = (scored.exactness, scored.score)
            && !hows.contains(&how)
        {
            hows.push(how);
        }
    }
    Section { title: "Scores".into(), grid, note: words::scores(&hows) }
}

fn cell(scored: &Scored) -> String {
    let is_marked = matches!(scored.exactness, Exactness::Approximate(_)) && scored.score.is_some();
    let mark = if is_marked { APPROXIMATED.sign } else { "" };
    let exact = scored.exact.map(|(low, high)| format!(" ({low:.3} to {high:.3})"));
    let score = match (scored.score, &exact) {
        (Some(share), Some(_)) => format!("{share:.3}"),
        (score, _) => mean_and_spread(score, scored.half_width),
    };
    format!("{mark}{score}{}", exact.unwrap_or_default())
}
