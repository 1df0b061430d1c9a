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
    Cause, Evaluation, Failure, LeftOut, Problem, Stop, evaluate, evaluate_inside,
    expected_seconds, expected_seconds_inside, fit, fits_inside, seconds_of_one, training_rows,
    work_of_folds,
};
use uqbench_system::notice::say;

/// The processor time that the comparisons on the training rows of each fold alone are expected to
/// take, in seconds; 0 without these.
fn seconds_inside(problem: &Problem, candidates: &[Candidate], inside: bool) -> f64 {
    let seconds = inside.then(|| expected_seconds_inside(problem, candidates)).flatten();
    seconds.unwrap_or_default()
}

/// How long a comparison is expected to take, in words.
pub(super) fn expected_time(
    problem: &Problem,
    candidates: &[Candidate],
    inside: bool,
    threads: usize,
) -> String {
    let folds = expected_seconds(problem.table, problem.folding, candidates, threads);
    let inside = seconds_inside(problem, candidates, inside) / threads as f64;
    format!("{} on {}", duration(folds + inside), counted(threads, "thread"))
}

/// How many fits there are, and how long they are expected to take.
pub(super) fn describe_fits(
    problem: &Problem,
    candidates: &[Candidate],
    inside: bool,
    threads: usize,
) -> String {
    let (table, folding) = (problem.table, problem.folding);
    let fits = candidates.len() as u64 * folding.fits();
    let again = match inside {
        true => format!(
            " and {} on the training rows of each fold alone",
            candidates.len() as u64 * fits_inside(problem)
        ),
        false => String::new(),
    };
    format!(
        "try: {fits} fits of {:.0} rows and {}{again}, expected to take about {}",
        training_rows(table, folding),
        counted(table.columns(), "feature"),
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
    let (table, folding, threads) = (problem.table, problem.folding, pool.current_num_threads());
    let seconds_inside = seconds_inside(&problem, candidates, inside);
    let fits = candidates.len() as u64 * folding.fits();
    let fits_inside = if inside { candidates.len() as u64 * fits_inside(&problem) } else { 0 };
    let (work, is_known) = work_of_folds(table, folding, candidates);
    let seconds = work.iter().sum::<f64>() * folding.fits() as f64 + seconds_inside;
    let rate = is_known.then_some(threads as f64);
    let progress = Progress::of_work("try", fits + fits_inside, "fits", seconds, rate);
    let evaluation = stop.watched(|stop| {
        let mut evaluation = evaluate(problem, candidates, pool, stop, &progress);
        if inside && evaluation.aborted.is_none() {
            evaluation.inside = evaluate_inside(problem, candidates, pool, stop, &progress);
        }
        evaluation
    });
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
