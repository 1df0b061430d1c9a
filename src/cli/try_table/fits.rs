//! Run the fits of a comparison and the one of all rows, and say how long they are expected to take.

use rayon::ThreadPool;

use crate::cli::new_rows::unfitted;
use crate::cli::{CliError, Ending};
use crate::data::counted;
use crate::methods::candidates::Candidate;
use crate::protocols::WholeFit;
use crate::runner::progress::Progress;
use crate::runner::try_table::{
    Cause, Evaluation, Failure, Problem, Stop, evaluate, expected_seconds, fit, seconds_of_one, training_rows,
    work_of_folds,
};
use crate::stats::digits::duration;
use crate::system::notice::say;

/// The comparison; says how long it is expected to take, and shows its progress.
pub(super) fn compared(problem: Problem, candidates: &[Candidate], pool: &ThreadPool, stop: &Stop) -> Evaluation {
    let (table, folding, threads) = (problem.table, problem.folding, pool.current_num_threads());
    let fits = candidates.len() as u64 * folding.fits();
    say(format!(
        "try: {fits} fits of {:.0} rows and {}, expected to take about {} on {}",
        training_rows(table, folding),
        counted(table.columns(), "feature"),
        duration(expected_seconds(table, folding, candidates, threads)),
        counted(threads, "thread")
    ));
    let (work, is_known) = work_of_folds(table, folding, candidates);
    let seconds = work.iter().sum::<f64>() * folding.fits() as f64;
    let progress = Progress::of_work("try", fits, "fits", seconds, is_known.then_some(threads as f64));
    let evaluation = evaluate(problem, candidates, pool, stop, &progress);
    progress.finish();
    evaluation
}

/// How the command ends after this comparison.
pub(super) fn ending(evaluation: &Evaluation) -> Ending {
    match evaluation.aborted.as_ref().map(|aborted| aborted.cause) {
        None => Ending::Done,
        Some(Cause::User) => Ending::Interrupted,
        Some(Cause::Deadline) => Ending::Incomplete,
    }
}

/// The fit of all rows of the method that predicts; says how long it is expected to take. `None` where it was stopped.
pub(super) fn whole_fit(problem: Problem, chosen: &Candidate, stop: &Stop) -> Result<Option<WholeFit>, CliError> {
    if let Some(seconds) = seconds_of_one(problem.table, chosen) {
        let rows = problem.table.rows();
        say(format!("`{}` is fitted on all {rows} rows, expected to take about {}", chosen.id, duration(seconds)));
    }
    match fit(problem.table, problem.seed, chosen, stop) {
        Ok(fit) => Ok(Some(fit)),
        Err(Failure::Stopped) => Ok(None),
        Err(Failure::Failed(why)) => Err(unfitted(chosen, &why)),
    }
}
