//! Run the fits of a comparison and the one of all rows, and say how long they are expected to
//! take.

use rayon::ThreadPool;

use crate::cli::new_rows::unfitted;
use crate::cli::{CliError, Ending};
use uq_core::names::counted;
use uq_core::stats::digits::duration;
use uqbench_run::candidates::Candidate;
use uqbench_run::protocols::WholeFit;
use uqbench_run::runner::progress::Progress;
use uqbench_run::runner::try_table::{
    Cause, Evaluation, Expected, Failure, LeftOut, Problem, Stop, evaluate, expected, fit,
    seconds_of_one, training_rows,
};
use uqbench_system::notice::say;

/// How long a comparison is expected to take, in words.
pub(super) fn expected_time(
    problem: &Problem,
    candidates: &[Candidate],
    inside: bool,
    threads: usize,
) -> String {
    let seconds = expected(problem, candidates, inside).on(threads);
    format!("{} on {}", duration(seconds), counted(threads, "thread"))
}

/// How many fits there are, and how long they are expected to take.
pub(super) fn describe_fits(
    problem: &Problem,
    candidates: &[Candidate],
    inside: bool,
    threads: usize,
) -> String {
    format!(
        "try: {} fits of at most {:.0} rows and {}, expected to take about {}",
        expected(problem, candidates, inside).fits,
        training_rows(problem.table, problem.folding),
        counted(problem.table.columns(), "feature"),
        expected_time(problem, candidates, inside, threads)
    )
}

/// The comparison, and where `inside` says so those on the training rows of each fold alone; shows
/// their progress.
pub(super) fn compared(
    problem: Problem,
    candidates: &[Candidate],
    inside: bool,
    pool: &ThreadPool,
    stop: &Stop,
) -> Evaluation {
    let Expected { fits, seconds, is_known, .. } = expected(&problem, candidates, inside);
    let rate = is_known.then_some(pool.current_num_threads() as f64);
    let progress = Progress::of_work("try", fits, "fits", seconds, rate);
    let evaluation =
        stop.watched(|stop| evaluate(problem, candidates, inside, pool, stop, &progress));
    progress.finish();
    evaluation
}

/// Moves the methods that a spent budget has ended to those that it has left out. Returns their
/// names.
pub(super) fn cut_by_budget(
    evaluation: &mut Evaluation,
    problem: &Problem,
    candidates: &[Candidate],
) -> Vec<String> {
    let Some(aborted) = evaluation.aborted.take_if(|aborted| aborted.cause == Cause::Budget) else {
        return Vec::new();
    };
    let names: Vec<String> = aborted.unfinished.into_iter().map(|of| of.id).collect();
    let cut = candidates.iter().filter(|candidate| names.iter().any(|name| *name == candidate.id));
    evaluation.left_out.extend(cut.map(|candidate| LeftOut::expected(candidate, problem)));
    names
}

/// How the command ends after this comparison.
pub(super) fn ending(evaluation: &Evaluation) -> Ending {
    match evaluation.aborted.as_ref().map(|aborted| aborted.cause) {
        None => Ending::Done,
        Some(Cause::User) => Ending::Interrupted,
        Some(Cause::Deadline | Cause::Budget) => Ending::Incomplete,
    }
}

/// The fit of all rows of the method that predicts; says how long it is expected to take. `None`
/// where it was stopped.
pub(super) fn whole_fit(
    problem: Problem,
    chosen: &Candidate,
    stop: &Stop,
) -> Result<Option<WholeFit>, CliError> {
    if let Some(seconds) = seconds_of_one(problem.table, chosen) {
        let rows = problem.table.rows();
        say(format!(
            "`{}` is fitted on all {rows} rows, expected to take about {}",
            chosen.id,
            duration(seconds)
        ));
    }
    match fit(problem.table, problem.seed, chosen, stop) {
        Ok(fit) => Ok(Some(fit)),
        Err(Failure::Stopped) => Ok(None),
        Err(Failure::Failed(why)) => Err(unfitted(chosen, &why)),
    }
}
