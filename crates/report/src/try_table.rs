//! Render what methods did on a table of one's own: a table, a recommendation with its reason,
//! predictions of new rows.

mod choice;
mod comparison;
mod division;
pub mod estimate;
pub(crate) mod fate;
mod figure;
mod headline;
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

pub use comparison::comparison;
pub use division::finding_of_order;
pub use figure::figure;
pub use headline::warning_of_procedure;
pub use noiseless::warning_of_noiseless;
pub use numbers::numbers;
pub use own_tables::{NAME as OWN_TABLES, TITLE as OWN_TABLES_TITLE, own_tables};
pub use predictions::{Asked, NewRows, Predictions, is_heading, predictions};
use recommend::best_of_features;
pub use recommend::{Recommendation, promises, recommend};
pub use settings::{Whole, chosen_settings, settings_in_words, settings_numbers};
pub use summary::seconds;

use crate::export::escape;
use crate::grid::Grid;
use crate::section::{Block, Page, Section};
use crate::words::try_table::bounds::Words;
use crate::words::try_table::division::table;
use crate::words::try_table::notes;
use division::blocks;
use fate::fate;
use log_score::impossible;
use summary::{Summed, summed};
use uq_core::metrics::{Crps, MetricId, Rmse};
use uq_core::printable::printable;
use uq_core::stats::digits::{NONE, mean_and_spread};
use uq_methods::Guarantee;
use uqbench_run::runner::try_table::{Evaluation, interval_metrics};

/// The page of an evaluation: how rows were divided, warnings, one row for each method, the
/// recommendation, and its limits. `title` names table and target; `warnings` are those on the
/// table.
pub fn page(
    title: &str,
    rows: usize,
    features: usize,
    warnings: &[String],
    evaluation: &Evaluation,
) -> Page {
    let methods = summed(evaluation);
    let mut page = Page::new(title);
    name_metrics(&mut page, evaluation);
    page.blocks.extend(headline::stopped(evaluation));
    page.text(table(rows, features, evaluation));
    let recommended = recommend(evaluation);
    let chosen =
        evaluation.methods.iter().find(|tried| Some(&*tried.id) == recommended.method.as_deref());
    let of_table = warnings.iter().map(|warning| escape(&printable(warning, 600)));
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
    page
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
