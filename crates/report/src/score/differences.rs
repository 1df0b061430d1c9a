//! Compare the methods with the first one, by every proper score that any two of them have.

use super::{NAME, Subject};
use crate::comparison::Terms;
use crate::comparison::datasets::differences;
use crate::comparison::methods::{gains_figure, slug};
use crate::document::Document;
use crate::section::Page;
use crate::words::score::READING;
use uq_core::metrics::MetricId;
use uqbench_judge::evidence::field::Field;
use uqbench_judge::evidence::imputation::Imputation;
use uqbench_judge::evidence::losses::Losses;
use uqbench_judge::evidence::own_predictions::{Evaluated, Evaluation, OwnPredictions};
use uqbench_judge::judgement::duels::duels;

/// The scores that methods are compared by.
const COMPARED: [&str; 5] =
    ["crps", "rmse", "log-likelihood", "discretised-log-score", "interval-score"];

/// Adds a table and a figure for each score to a page; nothing for a single method.
pub fn add(
    page: &mut Page,
    figures: &mut Vec<Document>,
    subject: &Subject,
    predictions: &OwnPredictions,
    evaluation: &Evaluation,
) {
    if predictions.methods.len() < 2 {
        return;
    }
    let places: Vec<usize> = COMPARED.iter().filter_map(|name| evaluation.position(name)).collect();
    let metrics: Vec<MetricId> = places.iter().map(|&place| evaluation.metrics[place]).collect();
    let repetitions = |place: usize| {
        let longest =
            evaluation.methods.iter().map(|method| method.scores[place].repetitions.len()).max();
        let of_method = |method: &Evaluated| {
            let own = &method.scores[place].repetitions;
            (0..longest.unwrap_or(0)).map(|i| own.get(i).copied()).collect()
        };
        evaluation.methods.iter().map(of_method).collect()
    };
    let names: Vec<String> =
        predictions.methods.iter().map(|method| method.method.clone()).collect();
    let scores = places.iter().map(|&place| repetitions(place)).collect();
    let approximations = |place: &usize| {
        evaluation
            .methods
            .iter()
            .map(|method| method.scores[*place].approximation.clone())
            .collect()
    };
    let approximations = places.iter().map(approximations).collect();
    let field = Field::of_scores(
        &subject.files,
        &names,
        &metrics,
        scores,
        approximations,
        evaluation.overlap.test_to_train,
    );
    let terms = Terms { rope: subject.rope, imputation: Imputation::Drop, origin: String::new() };
    for metric in 0..metrics.len() {
        let losses = Losses::new(&field, &field, metric, &terms.imputation);
        let duels = duels(&losses, terms.rope);
        if let Some(section) = differences(&losses, &duels, &terms) {
            page.section(section);
        }
        if let Some(figure) = gains_figure(&losses, &duels) {
            page.draw(figures, format!("{NAME}-{}-gains", slug(&losses.metric)), &figure);
        }
    }
    page.text(READING);
}
