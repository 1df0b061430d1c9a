//! Compare the methods with the first one, by every proper score that any two of them have.

use super::{NAME, Subject};
use crate::comparison::Terms;
use crate::comparison::datasets::differences;
use crate::comparison::methods::{gains_figure, slug};
use crate::document::Document;
use crate::section::Page;
use uq_core::metrics::MetricId;
use uqbench_judge::evidence::field::Field;
use uqbench_judge::evidence::imputation::Imputation;
use uqbench_judge::evidence::losses::Losses;
use uqbench_judge::evidence::own_predictions::{Evaluated, Evaluation, OwnPredictions};
use uqbench_judge::judgement::duels::duels;

/// The scores that methods are compared by.
const COMPARED: [&str; 5] =
    ["crps", "rmse", "log-likelihood", "discretised-log-score", "interval-score"];

/// How to read the tables.
const READING: &str = "Gain: mean loss of the reference less that of the method on the same rows; \
    positive means that the method is better. n: test sets, or groups of rows of one test set. \
    Interval and p: Student's over them, Holm-corrected at 5 % over the comparisons of the table. \
    Decision: better or worse where the corrected p is below 0.05; equivalent where the whole \
    interval lies inside the region of practical equivalence; both where both hold; else \
    undecided. P(better), P(equivalent), P(worse): posterior of the correlated t-test (Corani and \
    Benavoli 2015) that the gain lies above, inside or below the region; it is not corrected for \
    the number of comparisons, and decides nothing. Detectable: the smallest gain that this design \
    would find significant on its own. None, approximated: one of the two scores is made of few \
    quantiles, so that it would differ although the predictions were the same.";

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
