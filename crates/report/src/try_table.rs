//! Render what methods did on a table of one's own: a table, a recommendation with its reason,
//! predictions of new rows.

mod answer;
mod calibration;
mod choice;
mod comparison;
mod division;
pub mod estimate;
pub(crate) mod fate;
mod figure;
mod headline;
mod held_out;
mod kinds;
pub(crate) mod log_score;
mod noiseless;
mod numbers;
pub(crate) mod order;
mod own_tables;
mod predictions;
mod procedure;
pub mod reason;
mod recommend;
mod settings;
mod summary;
mod warnings;

pub use answer::answer;
use answer::recommended_method;
use calibration::Calibrated;
pub use comparison::comparison;
pub use division::finding_of_order;
pub use figure::figure;
pub use headline::warning_of_procedure;
use held_out::held_out;
pub use held_out::{RowNames, tested_rows};
pub use noiseless::warning_of_noiseless;
pub use numbers::numbers;
pub use own_tables::{NAME as OWN_TABLES, TITLE as OWN_TABLES_TITLE, own_tables};
pub use predictions::{Asked, NewRows, Predictions, is_heading, predictions};
use recommend::best_of_features;
pub use recommend::{Recommendation, promises, recommend};
pub use settings::{Whole, chosen_settings, settings_in_words, settings_numbers};
pub use summary::seconds;

use crate::document::Document;
use crate::export::escape;
use crate::grid::Grid;
use crate::section::{Block, Page, Section};
use crate::words::try_table::bounds::Words;
use crate::words::try_table::division::table;
use crate::words::try_table::{notes, slab};
use division::blocks;
use fate::fate;
use log_score::impossible;
use summary::{Summed, summed};
use uq_core::metrics::{Crps, MetricId, Rmse};
use uq_core::printable::printable;
use uq_core::stats::digits::{NONE, mean_and_spread};
use uq_methods::Guarantee;
use uqbench_run::runner::try_table::{Evaluation, interval_metrics};

/// The table of a comparison, as its page names it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Target and file.
    pub title: &'a str,
    /// The target.
    pub target: &'a str,
    /// Number of rows.
    pub rows: usize,
    /// Number of features.
    pub features: usize,
    /// What was found on the table that may make scores or predictions wrong.
    pub warnings: &'a [String],
    /// How the file was read.
    pub notes: &'a [String],
    /// What to run next, in Markdown.
    pub next: &'a [String],
}

/// The page of an evaluation: the answer, how rows were divided, warnings, one row for each method,
/// the reasons of the recommendation, and its limits.
pub fn page(subject: &Subject, evaluation: &Evaluation) -> Page {
    let mut page = answer(subject, evaluation);
    add_rest(&mut page, subject, evaluation);
    page
}

/// The same page with figures, whose files begin with `stem`, and with the settings that were
/// chosen.
pub fn illustrated(
    subject: &Subject,
    evaluation: &Evaluation,
    whole: Option<Whole>,
    stem: &str,
) -> (Page, Vec<Document>) {
    let (mut page, mut figures) = (answer(subject, evaluation), Vec::new());
    let recommendation = recommend(evaluation);
    let chosen = recommended_method(&recommendation, evaluation);
    if let Some(drawing) = chosen.and_then(|tried| held_out(tried, subject, evaluation)) {
        page.draw(&mut figures, format!("{stem}-held-out"), &drawing);
        page.first = page.blocks.len();
    }
    let calibrated = chosen.and_then(|tried| Calibrated::of(tried, evaluation));
    if let Some(calibrated) = &calibrated {
        page.blocks.push(Block::Markdown(calibrated.text()));
        page.draw(&mut figures, format!("{stem}-calibration"), &calibrated.figure());
    }
    add_rest(&mut page, subject, evaluation);
    if let Some(drawing) = figure(subject.title, evaluation) {
        page.draw(&mut figures, format!("{stem}-reliability"), &drawing);
        if let (Some(Block::Figure { folded, .. }), true) =
            (page.blocks.last_mut(), calibrated.is_some())
        {
            *folded = true;
        }
    }
    page.blocks.extend(chosen_settings(evaluation, whole));
    if !subject.notes.is_empty() {
        page.blocks.push(Block::Markdown(notes::reading(subject.notes)));
    }
    (page, figures)
}

/// Adds what comes after the answer.
fn add_rest(page: &mut Page, subject: &Subject, evaluation: &Evaluation) {
    let methods = summed(evaluation);
    page.text(table(subject.rows, subject.features, evaluation));
    let recommended = recommend(evaluation);
    let chosen = recommended_method(&recommended, evaluation);
    let of_table = subject.warnings.iter().map(|warning| escape(&printable(warning, 600)));
    let all = headline::warnings(chosen, evaluation).into_iter().chain(of_table);
    let each: String = all.map(|warning| format!("- Warning: {warning}\n")).collect();
    if !each.is_empty() {
        page.blocks.push(Block::Markdown(each));
    }
    page.section(Section {
        title: "Methods".into(),
        grid: grid(&methods, evaluation),
        note: notes::methods(evaluation, &impossible(evaluation)),
    });
    let fates = methods.iter().map(|method| {
        let fate = escape(&notes::fate(&fate(method)));
        format!("- `{}`: {}.{fate}\n", method.tried.id, method.tried.settings)
    });
    page.blocks.push(Block::Markdown(fates.collect()));
    if !evaluation.left_out.is_empty() {
        page.blocks.push(Block::Markdown(notes::left_out(&evaluation.left_out)));
    }
    page.blocks.push(Block::Markdown(recommended.text()));
    // Where none is recommended in time, the blocks show how coverage is lost.
    let in_time =
        chosen.or_else(|| best_of_features(evaluation)).and_then(|tried| blocks(tried, evaluation));
    let of_kinds = chosen.and_then(|chosen| kinds::section(chosen, evaluation));
    in_time.into_iter().chain(of_kinds).for_each(|section| page.section(section));
    if let (Some(slab), Some(chosen)) = (&evaluation.slab, chosen) {
        let found = slab::found(slab, evaluation.bounds);
        page.blocks.push(Block::Markdown(format!("## {}\n\n{found}\n", slab::title(&chosen.id))));
    }
}

/// Says which metrics the headings of columns name.
fn name_metrics(page: &mut Page, evaluation: &Evaluation) {
    let words = Words::of(evaluation.bounds);
    let of_interval = ["Coverage", words.width_column, words.score_column]
        .into_iter()
        .zip(interval_metrics(evaluation.bounds));
    for (heading, metric) in of_interval {
        page.name_metric(heading.trim_start_matches('#'), metric);
    }
    page.name_metrics(
        [MetricId::Crps(Crps), MetricId::Rmse(Rmse)].into_iter().chain(evaluation.log_score),
    );
}

/// One row for each method.
fn grid(methods: &[Summed], evaluation: &Evaluation) -> Grid {
    let words = Words::of(evaluation.bounds);
    let mut head = vec![
        "Method",
        "#Coverage",
        "95 % interval",
        "Judged",
        "#Guaranteed",
        words.width_column,
        words.score_column,
        "#CRPS",
        "#RMSE",
    ];
    let log_score = evaluation.log_score.map(|metric| format!("#{}", metric.label()));
    head.extend(log_score.as_deref());
    let mut grid = Grid::new(&head);
    for method in methods {
        let mut cells = vec![method.tried.id.to_string()];
        cells.extend(coverage_cells(method));
        cells.extend([
            guaranteed(method),
            mean_and_spread(method.width, None),
            mean_and_spread(method.interval_score, None),
            mean_and_spread(method.crps(), method.crps.and_then(|crps| crps.sd)),
            mean_and_spread(method.rmse, None),
        ]);
        cells.extend(log_score.as_ref().map(|_| mean_and_spread(method.log_score, None)));
        grid.push(cells);
    }
    grid
}

/// What a theorem guarantees; nothing of a method that failed.
fn guaranteed(method: &Summed) -> String {
    match (&method.tried.folds, &method.tried.guaranteed) {
        (Err(_), _) => NONE.into(),
        (Ok(_), Some(Guarantee { least, .. })) => format!("{least:.3}"),
        (Ok(_), None) => "none".into(),
    }
}

fn coverage_cells(method: &Summed) -> [String; 3] {
    let none = || NONE.to_owned();
    let Some((coverage, kept)) = method.coverage else { return [none(), none(), none()] };
    let interval =
        coverage.interval().map_or_else(none, |(low, high)| format!("{low:.3} to {high:.3}"));
    [format!("{:.3}", coverage.share()), interval, kept.words(coverage.rows)]
}

#[cfg(test)]
mod tests;
