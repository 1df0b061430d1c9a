//! Render the scores of predictions that one already has: a page, its numbers, and figures.

mod calibration;
mod coverage;
mod differences;
mod numbers;
mod scores;

use crate::document::Document;
use crate::export::documents;
use crate::grid::counted;
use crate::section::Page;
use crate::site::single::single;
use uq_core::metrics::percent;
use uq_core::stats::jackknife::GROUPS;
use uqbench_data::own::{Finding, Severity};
use uqbench_judge::evidence::own_predictions::{Basis, Evaluation, OwnForm, OwnPredictions};
use uqbench_run::benchmark::report_files;

/// Name of the page and prefix of its figures.
const NAME: &str = report_files::SCORE;

/// What a page says besides its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The files, for headings.
    pub files: String,
    /// The column of the outcomes.
    pub target: String,
    /// Half width of the region of practical equivalence: a share of the reference's mean loss; nat
    /// for log scores.
    pub rope: f64,
    /// What was found in the files: the page repeats the warnings.
    pub findings: Vec<Finding>,
}

/// The page with its numbers (`score.md`, `.tex`, `.csv`, `.json`), the page of the site and
/// figures (`.svg`).
pub fn render(
    subject: &Subject,
    predictions: &OwnPredictions,
    evaluation: &Evaluation,
) -> Vec<Document> {
    let mut page = Page::new(format!("Scores of {}", subject.files));
    page.name_metrics(evaluation.metrics.iter().copied());
    for (words, metric) in coverage::METRICS {
        if let Some(at) = evaluation.position(metric) {
            page.name_metric(words, evaluation.metrics[at]);
        }
    }
    let mut figures = Vec::new();
    page.text(about(subject, predictions, evaluation));
    warnings(&subject.findings).for_each(|warning| page.text(warning));
    page.section(scores::section(predictions, evaluation));
    if let Some(sentence) = left_out(evaluation) {
        page.text(sentence);
    }
    page.section(coverage::section(predictions, evaluation));
    if let Some(section) = coverage::by_group(predictions, evaluation) {
        page.section(section);
    }
    calibration::draw_all(&mut page, &mut figures, subject, predictions);
    differences::add(&mut page, &mut figures, subject, predictions, evaluation);
    let mut all = documents(NAME, &page, &numbers::grid(predictions, evaluation));
    all.push(single(&[], NAME, &page, &figures));
    all.extend(figures);
    all
}

/// How many rows, test sets and methods there are, and how intervals are made.
fn about(subject: &Subject, predictions: &OwnPredictions, evaluation: &Evaluation) -> String {
    let (rows, splits) = (counted(predictions.y.len(), "row"), predictions.splits.len());
    let forms: Vec<String> = predictions
        .methods
        .iter()
        .map(|method| format!("{} ({})", method.method, method.form))
        .collect();
    let intervals = if splits > 1 {
        format!(
            "Scores are means over {splits} test sets. Intervals are Student's over these, widened \
             for training sets that overlap (Nadeau and Bengio 2003, {:.3} test rows for each \
             training row{}).",
            evaluation.overlap.test_to_train,
            basis(evaluation)
        )
    } else {
        format!(
            "The rows are one test set and count as independent. Intervals are Student's over the \
             pseudo-values of the jackknife, random groups of rows ({GROUPS}, or single rows where \
             there are fewer) left out in turn; they say nothing of other fits of the methods."
        )
    };
    let level = percent(evaluation.level);
    let mut text = format!(
        "{rows}, outcomes in the column {}. Methods: {}. Level of the central intervals: {level}. \
         {intervals} Every interval is a 95 % interval.",
        subject.target,
        forms.join("; ")
    );
    if let Some(step) = evaluation.grain.step {
        text += &format!(
            " The outcomes are multiples of {step}, so that a density of them has no bound: the \
             discretised log score replaces the log-likelihood."
        );
    } else if evaluation.grain.discrete {
        text += " The outcomes are discrete, so that a density of them has no bound: there is no \
                 log score.";
    }
    if predictions.methods.iter().any(|method| method.form == OwnForm::Interval) {
        text += " Ends of an interval say nothing of the distribution elsewhere: they have the \
                 scores of intervals alone, and those of the column mean where there is one.";
    }
    if predictions.methods.iter().any(|method| method.infinite.is_some()) {
        text += " Some intervals have an infinite end: they cover all outcomes on that side, and \
                 scores that grow with it are infinite.";
    }
    text
}

/// Where the number of training rows is taken from.
fn basis(evaluation: &Evaluation) -> &'static str {
    match evaluation.overlap.basis {
        Basis::OneSet | Basis::Stated => "",
        Basis::CrossValidation => ", as in one cross-validation",
        Basis::Rest => ", the rows that a test set leaves of all tested ones",
        Basis::AtLeastRest => {
            ", if a training set is all other tested rows; --train-rows states it"
        }
        Basis::Unknown => ", because nothing tells the training sets' size; --train-rows states it",
    }
}

/// What warns of the numbers, for the page.
fn warnings(findings: &[Finding]) -> impl Iterator<Item = String> + '_ {
    let all = findings.iter().filter(|finding| finding.severity == Severity::Warning);
    all.map(|finding| format!("Warning: {}.", finding.text.to_string().trim_end_matches('.')))
}

/// The metrics that no method defines.
fn left_out(evaluation: &Evaluation) -> Option<String> {
    let names: Vec<String> = evaluation.undefined.iter().map(|metric| metric.to_string()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Not defined by these predictions, or by what is known of these rows: {}. The command \
             “uqbench list metrics” has the definitions.",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests;
