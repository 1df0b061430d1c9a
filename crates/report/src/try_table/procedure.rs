//! Judge what the whole procedure covers, choice included, at rows that have chosen nothing.
//!
//! Rows that choose a method also make its coverage look good. Where the rows of each fold, which
//! have not chosen the method that predicts them, are covered too rarely, the coverage of the
//! recommended method is no promise.
//!
//! What the interval is about is the coverage of the model that is delivered, at new rows, with its
//! training rows and its choice as they are. The exact interval of the tested rows, or that of
//! their clusters, contains it in 92 to 98 % of simulated tables
//! (docs/understand/coverage-of-try.md). No interval does where clusters are few, or rows are in
//! time.

use uq_core::stats::clusters::{self, Cluster};
use uq_core::stats::coverage::Kept;
use uqbench_run::runner::try_table::{Division, Evaluation, FoldScores};

use super::choice::{Rated, choice, chosen_without};
use super::estimate::{About, ChosenBy, Estimate, Overstated};
use super::summary::{coverage, summed};

/// How many times fewer rows an interval counts where each row was tested once: the estimate varies
/// more than one over several divisions, and with it contained the coverage of the model in 91 % of
/// simulated tables only.
const FEWER: f64 = 1.2;

/// The estimate; `None` where some fold chooses no method.
pub(super) fn estimate(evaluation: &Evaluation) -> Option<Estimate> {
    let folds = chosen_without(evaluation)?;
    let covered = folds.iter().map(|fold| fold.covered).sum::<Option<usize>>()?;
    let tested = folds.iter().map(|fold| fold.test_rows).sum();
    let repeats = (folds.len() as u64 / evaluation.folding.folds).max(1);
    let coverage = coverage(covered, tested, repeats)?;
    let about_this_model = match evaluation.division {
        Division::Rows if repeats > 1 => coverage.interval(),
        Division::Rows => coverage.interval_of_fewer(FEWER),
        Division::Grouped { .. } | Division::Groups { .. } => {
            clusters::interval(&of_clusters(evaluation, &folds))
        }
        Division::Repeated { .. } | Division::Blocks { .. } => None,
    };
    let interval = about_this_model.or_else(|| coverage.interval());
    Some(Estimate {
        coverage,
        interval,
        kept: coverage.judged_by(interval, evaluation.bounds.level),
        about: if about_this_model.is_some() { About::ThisModel } else { About::TrainingSets },
        chosen_by: if evaluation.inside.is_empty() {
            ChosenBy::OtherFolds
        } else {
            ChosenBy::TrainingRows
        },
    })
}

/// The tested rows of each cluster: each row once, with the share of the times that it was covered.
fn of_clusters(evaluation: &Evaluation, folds: &[&FoldScores]) -> Vec<Cluster> {
    let count = evaluation.clusters.iter().max().map_or(0, |last| last + 1);
    let mut clusters = vec![Cluster::default(); count];
    let tests = folds.len() as f64 / evaluation.folding.folds as f64;
    for row in folds.iter().flat_map(|fold| &fold.rows) {
        if let Some(cluster) =
            evaluation.clusters.get(row.row).and_then(|cluster| clusters.get_mut(*cluster))
        {
            cluster.rows += 1.0 / tests;
            cluster.covered += f64::from(u8::from(row.covered)) / tests;
        }
    }
    clusters
}

/// The recommended method of a procedure that covers too few rows, whatever it covers itself.
/// `None` where that is not so, and where no method is recommended.
pub(super) fn overstated(evaluation: &Evaluation) -> Option<Overstated> {
    let all = summed(evaluation);
    let chosen = choice(&Rated::all(&all)).ok()?.chosen;
    let estimate = estimate(evaluation).filter(|found| found.kept == Kept::TooLow)?;
    let (coverage, _) = chosen.summed.coverage?;
    Some(Overstated { estimate, method: chosen.id().to_owned(), coverage })
}
