//! Render the scores of predictions that one already has: a page, its numbers, and figures.

mod calibration;
mod coverage;
mod decomposition;
mod differences;
mod numbers;
mod scores;

use crate::document::Document;
use crate::export::documents;
use crate::section::Page;
use crate::site::single::single;
use crate::words::score as words;
use uqbench_data::own::{Finding, Severity};
use uqbench_judge::evidence::own_predictions::{Decomposed, Evaluation, OwnPredictions};
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
/// figures (`.svg`). The page says what the CRPS of each method is made of where that was asked for:
/// `decomposed` has an entry for each method, or none.
pub fn render(
    subject: &Subject,
    predictions: &OwnPredictions,
    evaluation: &Evaluation,
    decomposed: &[Option<Decomposed>],
) -> Vec<Document> {
    let mut page = Page::new(format!("Scores of {}", subject.files));
    page.name_metrics(evaluation.metrics.iter().copied());
    for (heading, metric) in coverage::METRICS {
        if let Some(at) = evaluation.position(metric) {
            page.name_metric(heading, evaluation.metrics[at]);
        }
    }
    let mut figures = Vec::new();
    page.text(words::about(&subject.target, predictions, evaluation));
    let warnings = subject.findings.iter().filter(|finding| finding.severity == Severity::Warning);
    warnings.for_each(|warning| page.text(words::warning(warning)));
    page.section(scores::section(predictions, evaluation));
    let undefined: Vec<String> = evaluation.undefined.iter().map(ToString::to_string).collect();
    if !undefined.is_empty() {
        page.text(words::undefined(&undefined));
    }
    if !decomposed.is_empty() {
        page.section(decomposition::section(predictions, evaluation, decomposed));
    }
    page.section(coverage::section(predictions, evaluation));
    if let Some(section) = coverage::by_group(predictions, evaluation) {
        page.section(section);
    }
    calibration::draw_all(&mut page, &mut figures, subject, predictions);
    differences::add(&mut page, &mut figures, subject, predictions, evaluation);
    let mut numbers = numbers::grid(predictions, evaluation);
    numbers.extend(decomposition::numbers(predictions, decomposed));
    let mut all = documents(NAME, &page, &numbers);
    all.push(single(&[], NAME, &page, &figures));
    all.extend(figures);
    all
}

#[cfg(test)]
mod tests;
