//! Run every candidate on every fold, and score its predictions.

use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::{Array1, Axis, Slice, aview1};
use rayon::ThreadPool;

use super::chosen::settings;
use super::cost::{seconds_of_fold, work_of_folds};
use super::division::{Division, repetition};
use super::request::{context, request, streams};
use super::stop::{Aborted, Failure, Stop, Unfinished};
use super::{Evaluation, FoldScores, Problem, TestedRow, Tried, interval_metrics};
use crate::candidates::Candidate;
use crate::protocols::{self, Observed, Protocol, ScoreUnits, Setting, Source};
use crate::runner::progress::Progress;
use uq_core::metrics::{Crps, DiscretisedLogScore, LogLikelihood, MetricId, Mse, ScoreContext};
use uq_core::predictive::{Bounds, Predictive};
use uq_core::stats::order::Order;
use uq_core::{Dependence, Table};
use uq_methods::Guarantee;
use uqbench_data::own::{RowGroup, regions};
use uqbench_data::splits::clusters;
use uqbench_system::survive;

/// A fit of one fold, with its expected work in seconds.
pub(super) struct Task {
    pub candidate: usize,
    pub fold: u64,
    pub work: f64,
}

/// What came of a fit of one fold.
pub(super) type Scored = Result<FoldScores, Failure>;

/// A comparison whose fits are made one by one.
pub(super) struct Comparison<'a> {
    pub problem: Problem<'a>,
    pub candidates: &'a [Candidate],
    protocol: Protocol,
    log_score: Option<MetricId>,
}

impl<'a> Comparison<'a> {
    /// The comparison of these candidates.
    pub fn new(problem: Problem<'a>, candidates: &'a [Candidate]) -> Self {
        let log_score = match (problem.table.target_resolution, problem.discrete) {
            (Some(_), _) => Some(MetricId::DiscretisedLogScore(DiscretisedLogScore)),
            (None, true) => None,
            (None, false) => Some(MetricId::LogLikelihood(LogLikelihood)),
        };
        let protocol = problem.division.protocol(problem.folding);
        Self { problem, candidates, protocol, log_score }
    }

    /// The scores of a candidate on a fold, with this expected work in seconds. A spent budget ends
    /// no method that is sure to be tried.
    pub fn fit(&self, task: &Task, stop: &Stop, progress: &Progress) -> Scored {
        let candidate = &self.candidates[task.candidate];
        // Nobody knows in advance what a method of the user's own takes, and it was asked for by
        // its command.
        let is_bounded = !candidate.is_sure() && !candidate.is_external();
        let unbounded = stop.without_budget();
        let stop = if is_bounded { stop } else { &unbounded };
        if stop.cause().is_some() {
            return Err(Failure::Stopped);
        }
        let _at_work = progress.begin(task.work);
        let observed = observe(self.problem, &self.protocol, candidate, task.fold, stop);
        let scored = observed.map(|(observed, rows)| {
            scores(&observed, &rows, self.problem.bounds, self.log_score.as_ref())
        });
        if scored != Err(Failure::Stopped) {
            progress.advance(task.work);
        }
        scored
    }

    /// The evaluation of what came of each candidate's fits; a candidate without any is no part of
    /// it.
    pub fn evaluation(&self, folds: Vec<Option<Vec<Scored>>>, stop: &Stop) -> Evaluation {
        let problem = self.problem;
        let (mut methods, mut unfinished) = (Vec::new(), Vec::new());
        for (candidate, folds) in self.candidates.iter().zip(folds) {
            match folds.map(outcome) {
                None => {}
                Some(Ok(folds)) => methods.push(tried(problem, candidate, folds)),
                Some(Err((finished, fits))) => {
                    unfinished.push(Unfinished { id: candidate.id.to_string(), finished, fits })
                }
            }
        }
        let cause = stop.cause().filter(|_| !unfinished.is_empty());
        let table = problem.table;
        let smallest = problem.table.target.iter().copied().fold(f64::INFINITY, f64::min);
        Evaluation {
            bounds: problem.bounds,
            division: problem.division,
            folding: problem.folding,
            log_score: self.log_score,
            smallest,
            order: Order::test(&problem.table.target.to_vec()),
            kinds: [problem.categories, &regions_of_tested(table, problem.division)].concat(),
            stated: problem.stated.cloned(),
            clusters: clusters(table),
            inside: Vec::new(),
            left_out: Vec::new(),
            calibrated_by: None,
            slab: None,
            aborted: cause.map(|cause| Aborted { cause, unfinished }),
            methods,
        }
    }
}

/// Runs every candidate on every fold, the cheapest candidates first, one fit on each thread of
/// `pool` at a time. The scores do not depend on the number of threads. A method that fails does
/// not affect other methods; one that `stop` has left without a fold is no part of the comparison.
/// What a budget has left out is known to the plan, and not added here.
pub fn evaluate(
    problem: Problem,
    candidates: &[Candidate],
    pool: &ThreadPool,
    stop: &Stop,
    progress: &Progress,
) -> Evaluation {
    let comparison = Comparison::new(problem, candidates);
    let tasks = tasks(problem, candidates);
    let mut folds: Vec<Vec<Scored>> = candidates.iter().map(|_| Vec::new()).collect();
    let fit = |task: &Task| comparison.fit(task, stop, progress);
    for (task, scored) in tasks.iter().zip(in_order(pool, &tasks, fit)) {
        folds[task.candidate].push(scored);
    }
    comparison.evaluation(folds.into_iter().map(Some).collect(), stop)
}

/// The regions of the rows that are tested: rows before the first block in time are not, and would
/// leave regions with few rows.
fn regions_of_tested(table: &Table, division: Division) -> Vec<RowGroup> {
    let start = match division {
        Division::Blocks { start } => start,
        Division::Rows
        | Division::Grouped { .. }
        | Division::Repeated { .. }
        | Division::Groups { .. } => 0,
    };
    let mut regions =
        regions(table.features.slice_axis(Axis(0), Slice::from(start..)), &table.feature_names);
    regions.iter_mut().flat_map(|region| &mut region.rows).for_each(|row| *row += start);
    regions
}

/// All fits, the cheapest first, so that a run which is stopped has finished as many methods as it
/// can; those of unknown cost last.
fn tasks(problem: Problem, candidates: &[Candidate]) -> Vec<Task> {
    let (work, _) = work_of_folds(problem.table, problem.folding, candidates);
    let seconds =
        |place: usize| seconds_of_fold(problem.table, problem.folding, &candidates[place]);
    let cost = |&place: &usize| seconds(place).unwrap_or(f64::INFINITY);
    let mut places: Vec<usize> = (0..candidates.len()).collect();
    places.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    let of = |candidate: usize| {
        let work = work[candidate];
        (0..problem.folding.fits()).map(move |fold| Task { candidate, fold, work })
    };
    places.into_iter().flat_map(of).collect()
}

/// The results of tasks, in their order. Each thread of `pool` takes the next task as soon as it is
/// free.
pub(super) fn in_order<T: Sync, R: Send>(
    pool: &ThreadPool,
    tasks: &[T],
    run: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let of_thread = || {
        let taken = std::iter::from_fn(|| {
            let place = next.fetch_add(1, Ordering::Relaxed);
            tasks.get(place).map(|task| (place, run(task)))
        });
        taken.collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, R)> = pool.broadcast(|_| of_thread()).into_iter().flatten().collect();
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, result)| result).collect()
}

/// The scores of every fold, or the reason of the first failure.
///
/// # Errors
/// How many fits have finished, and how many there are, where a fold was stopped and none has
/// failed.
pub(super) fn outcome(
    folds: Vec<Scored>,
) -> Result<Result<Vec<FoldScores>, String>, (usize, usize)> {
    let (fits, mut finished) = (folds.len(), Vec::new());
    for fold in folds {
        match fold {
            Ok(scores) => finished.push(scores),
            Err(Failure::Failed(why)) => return Ok(Err(why)),
            Err(Failure::Stopped) => {}
        }
    }
    if finished.len() == fits { Ok(Ok(finished)) } else { Err((finished.len(), fits)) }
}

/// A method of the comparison.
fn tried(problem: Problem, candidate: &Candidate, folds: Result<Vec<FoldScores>, String>) -> Tried {
    let (id, settings) = (candidate.id.clone(), candidate.settings.clone());
    Tried { id, settings, guaranteed: guaranteed(problem, candidate), folds }
}

/// The coverage that a theorem guarantees, if there is one: the theorems are about exchangeable
/// rows.
fn guaranteed(problem: Problem, candidate: &Candidate) -> Option<Guarantee> {
    match problem.table.dependence {
        Dependence::Groups(_) | Dependence::Periods(_) => None,
        Dependence::Unknown => candidate.method.guarantee(problem.bounds, problem.table.rows()),
    }
}

/// A fit's predictions, and the places of their rows in the table.
fn observe(
    problem: Problem,
    protocol: &Protocol,
    candidate: &Candidate,
    fold: u64,
    stop: &Stop,
) -> Result<(Observed, Vec<usize>), Failure> {
    let repetition = repetition(problem.seed, fold);
    let failed = |why: String| Failure::Failed(why);
    let rows = protocol
        .kind()
        .divide(&repetition, problem.table)
        .map_err(|error| failed(error.to_string()))?;
    let setting = Setting {
        protocol,
        repetition,
        scaling: candidate.scaling,
        score_units: ScoreUnits::Target,
        request: &request(problem.bounds, rows.train.len(), candidate.method.as_ref()),
    };
    let context = context(candidate, streams(problem.seed, candidate).child("fold", fold), stop);
    survive(|| {
        protocols::run(&setting, Source::Table(problem.table), candidate.method.as_ref(), &context)
    })
    .map_err(failed)?
    .map(|observed| (observed, rows.test))
    .map_err(|error| stop.failure(error))
}

/// The scores of a method's first reading at these rows of the table.
fn scores(
    observed: &Observed,
    rows: &[usize],
    bounds: Bounds,
    log_score: Option<&MetricId>,
) -> FoldScores {
    let context = ScoreContext {
        target_range: observed.target_range,
        target_resolution: observed.target_resolution,
        ..ScoreContext::default()
    };
    let predictive = observed.readings.first().map(|(_, predictive)| predictive);
    let score = |metric: MetricId| metric.score(predictive?, observed.y.view(), &context);
    let tested = predictive.and_then(|predictive| tested(predictive, observed, rows, bounds));
    let [_, width, interval_score] = interval_metrics(bounds);
    let logs = log_score.and_then(|metric| Some((*metric, score(*metric)?)));
    let decided = logs.filter(|(_, mean)| *mean == f64::NEG_INFINITY).zip(predictive);
    let impossible = decided.map_or(0, |((metric, _), predictive)| {
        impossible(predictive, &observed.y, metric, &context)
    });
    FoldScores {
        train_rows: observed.train_rows,
        test_rows: observed.y.len(),
        covered: tested.as_ref().map(|rows| rows.iter().filter(|row| row.covered).count()),
        width: score(width),
        interval_score: score(interval_score),
        crps: score(MetricId::Crps(Crps)),
        mse: score(MetricId::Mse(Mse)),
        log_score: logs.map(|(_, mean)| mean),
        impossible,
        pit: predictive.and_then(|predictive| predictive.transforms(observed.y.view())),
        rows: tested.unwrap_or_default(),
        settings: settings(&observed.side_tables, &observed.parts),
        seconds: (observed.fit_time + observed.predict_time).as_secs_f64(),
    }
}

/// How many outcomes have a log score of −∞.
fn impossible(
    predictive: &Predictive,
    y: &Array1<f64>,
    log_score: MetricId,
    context: &ScoreContext,
) -> usize {
    let of_row =
        |row: usize| log_score.score(&predictive.select(&[row]), aview1(&[y[row]]), context);
    (0..y.len()).filter(|&row| of_row(row) == Some(f64::NEG_INFINITY)).count()
}

/// The interval of each test row; `None` where one is undefined.
fn tested(
    predictive: &Predictive,
    observed: &Observed,
    rows: &[usize],
    bounds: Bounds,
) -> Option<Vec<TestedRow>> {
    let distribution = predictive.distribution();
    let one = |(i, (&row, &y)): (usize, (&usize, &f64))| {
        let (lower, upper) = bounds.interval(predictive, i)?;
        let mean = distribution.mean(i);
        let error = mean.map(|mean| y - mean);
        let width = bounds.width(predictive, i);
        let covered = lower <= y && y <= upper;
        Some(TestedRow { row, outcome: y, mean, lower, upper, width, error, covered })
    };
    rows.iter().zip(&observed.y).enumerate().map(one).collect()
}
