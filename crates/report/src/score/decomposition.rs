//! Tabulate what the mean CRPS of each method is made of.

use crate::grid::Grid;
use crate::section::Section;
use crate::words::decomposed as words;
use crate::words::signs::APPROXIMATED;
use uq_core::crps_decomposition::{Calibrated, CrpsDecomposition};
use uq_core::metrics::{CrpsPart, DecompositionPart, MetricId};
use uq_core::predictive::Exactness;
use uq_core::stats::digits::{NONE, exact, mean_and_spread};
use uqbench_judge::evidence::own_predictions::{Decomposed, Evaluation, OwnPredictions};

/// One row for each method. A CRPS that its form approximates is marked, and so are the parts that
/// rest on it.
pub fn section(
    predictions: &OwnPredictions,
    evaluation: &Evaluation,
    decomposed: &[Option<Decomposed>],
) -> Section {
    let mut grid = Grid::new(&[
        "Method",
        "#CRPS",
        "#Miscalibration",
        "#If calibrated",
        "#Largest of 20 draws",
        "Judged",
        "#Discrimination",
        "#Uncertainty",
        "#Comparable pairs",
    ]);
    let number = |value: f64| mean_and_spread(Some(value), None);
    let crps = evaluation.position("crps");
    for (place, (method, decomposed)) in predictions.methods.iter().zip(decomposed).enumerate() {
        let exactness = crps.map(|crps| evaluation.methods[place].scores[crps].exactness);
        let mark = match exactness {
            Some(Exactness::Approximate(_)) => APPROXIMATED.sign,
            _ => "",
        };
        let marked = |value: Option<f64>| match value {
            Some(value) => format!("{mark}{}", number(value)),
            None => NONE.to_owned(),
        };
        let mut row = vec![method.method.clone()];
        row.extend(match decomposed {
            Some(Decomposed { mean, calibrated, .. }) => [
                marked(Some(mean.crps)),
                marked(Some(mean.miscalibration)),
                marked(calibrated.as_ref().map(Calibrated::mean)),
                marked(calibrated.as_ref().map(Calibrated::largest)),
                words::judge(mean, calibrated.as_ref()).into(),
                number(mean.discrimination),
                number(mean.uncertainty),
                words::share(mean.comparable),
            ],
            None => std::array::from_fn(|_| NONE.to_owned()),
        });
        grid.push(row);
    }
    let most_parts = decomposed.iter().flatten().map(|method| method.most_parts).max();
    Section { title: words::TITLE.into(), grid, note: words::note(most_parts.unwrap_or(1)) }
}

/// Rows of the table of all numbers: each part over all rows, and in each test set.
pub fn numbers(
    predictions: &OwnPredictions,
    decomposed: &[Option<Decomposed>],
) -> Vec<Vec<String>> {
    let several = predictions.splits.len() > 1;
    let mut rows = Vec::new();
    for (method, decomposed) in predictions.methods.iter().zip(decomposed) {
        let Some(decomposed) = decomposed else { continue };
        let row = |split: &str, count: usize, part: DecompositionPart, value: f64| {
            let metric = MetricId::CrpsPart(CrpsPart { part });
            let labels = [method.method.as_str(), split, ""].map(str::to_owned);
            let numbers = [metric.to_string(), count.to_string(), exact(Some(value))];
            let none = std::iter::repeat_n(String::new(), 3);
            labels.into_iter().chain(numbers).chain(none).collect::<Vec<String>>()
        };
        let all = predictions.y.len();
        rows.extend(parts(&decomposed.mean).map(|(part, value)| row("", all, part, value)));
        let calibrated = decomposed.calibrated.as_ref();
        rows.extend(
            calibrated
                .map(|calibrated| row("", all, DecompositionPart::Calibrated, calibrated.mean())),
        );
        if several {
            for (split, of_split) in predictions.splits.iter().zip(&decomposed.by_split) {
                rows.extend(
                    parts(of_split)
                        .map(|(part, value)| row(&split.name, split.rows.len(), part, value)),
                );
            }
        }
    }
    rows
}

/// Each part that the outcomes alone give.
fn parts(decomposition: &CrpsDecomposition) -> [(DecompositionPart, f64); 4] {
    [
        (DecompositionPart::Miscalibration, decomposition.miscalibration),
        (DecompositionPart::Discrimination, decomposition.discrimination),
        (DecompositionPart::Uncertainty, decomposition.uncertainty),
        (DecompositionPart::Comparable, decomposition.comparable),
    ]
}
