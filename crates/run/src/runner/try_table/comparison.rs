//! Make the fits of a comparison, and score their predictions.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use ndarray::{Array1, Array2, Axis, aview1};
use rayon::ThreadPool;

use super::chosen::settings;
use super::held_out::{Divided, HeldOut};
use super::learners::{Learner, Learners, PlannedFit};
use super::request::{context, request, streams};
use super::stop::{Failure, Stop, Unfinished};
use super::{ChosenSetting, FoldScores, Problem, TestedRow, Tried, interval_metrics};
use crate::candidates::Candidate;
use crate::protocols::{FitTables, WholeFit};
use crate::runner::progress::Progress;
use uq_core::math::random::Streams;
use uq_core::metrics::{Crps, DiscretisedLogScore, LogLikelihood, MetricId, Mse, ScoreContext};
use uq_core::predictive::{Bounds, Predictive};
use uq_core::scaling::Scaling;
use uq_core::{Dependence, Table};
use uq_methods::stack::Stack;
use uq_methods::{Context, FitError, Guarantee, Method, Request};
use uqbench_data::imputation::Imputation;
use uqbench_data::splits::Split;
use uqbench_system::survive;

/// What came of a fold.
pub(super) type Scored = Result<FoldScores, Failure>;

/// What came of a fit.
pub(super) enum Made {
    /// Of a candidate: the scores of each fold that it has not seen.
    Scored(Result<Vec<FoldScores>, Failure>),
    /// Of a member: what it predicts in the folds that it has not seen.
    Predicted(Result<Predicted, Failure>),
}

/// What a member of stacks predicts in the folds that a fit of it has not seen.
pub(super) struct Predicted {
    /// Its quantiles at the levels of [`Stack::levels`], held-out rows × levels.
    pub quantiles: Array2<f64>,
    /// What the fit has chosen.
    pub settings: Vec<ChosenSetting>,
    /// Wall time of fit and prediction.
    pub seconds: f64,
}

/// A comparison, with the fits that were made for it.
pub(super) struct Comparison<'a> {
    pub problem: Problem<'a>,
    pub learners: Learners<'a>,
    pub divided: Divided,
    log_score: Option<MetricId>,
    made: HashMap<(Learner, HeldOut), Made>,
}

/// A fit's answer at the rows of its held-out folds.
struct Answer {
    predictive: Predictive,
    tables: FitTables,
    seconds: f64,
}

/// The prediction of rows that a fit has not seen.
pub(super) struct Prediction<'a> {
    pub predictive: &'a Predictive,
    /// The places of the rows in the table.
    pub rows: &'a [usize],
    pub train_rows: usize,
    pub settings: Vec<ChosenSetting>,
    pub seconds: f64,
}

impl<'a> Comparison<'a> {
    pub fn new(problem: Problem<'a>, candidates: &'a [Candidate]) -> Result<Self, String> {
        let log_score = match (problem.table.target_resolution, problem.discrete) {
            (Some(_), _) => Some(MetricId::DiscretisedLogScore(DiscretisedLogScore)),
            (None, true) => None,
            (None, false) => Some(MetricId::LogLikelihood(LogLikelihood)),
        };
        Ok(Self {
            problem,
            learners: Learners::new(problem, candidates),
            divided: Divided::new(&problem)?,
            log_score,
            made: HashMap::new(),
        })
    }

    /// Makes these fits, the cheapest learners first, so that a run which is stopped has finished as
    /// many methods as it can; those of unknown cost last.
    pub fn make(
        &mut self,
        fits: Vec<PlannedFit>,
        pool: &ThreadPool,
        stop: &Stop,
        progress: &Progress,
    ) {
        let (mut costs, mut known) = (HashMap::<Learner, f64>::new(), (0.0, 0.0));
        for fit in &fits {
            *costs.entry(fit.learner).or_default() += fit.seconds.unwrap_or(f64::INFINITY);
            if let Some(seconds) = fit.seconds {
                known = (known.0 + seconds, known.1 + 1.0);
            }
        }
        // What is unknown counts as the mean of what is known.
        let mean = if known.1 > 0.0 { known.0 / known.1 } else { 1.0 };
        let mut ordered: Vec<&PlannedFit> = fits.iter().collect();
        ordered.sort_by(|a, b| costs[&a.learner].total_cmp(&costs[&b.learner]));
        let make =
            |fit: &&PlannedFit| self.make_fit(fit, fit.seconds.unwrap_or(mean), stop, progress);
        let made = in_order(pool, &ordered, make);
        let keys = ordered.iter().map(|fit| (fit.learner, fit.held_out));
        self.made.extend(keys.zip(made));
    }

    /// One fit, of this expected work in seconds. A spent budget ends no method that is sure to be
    /// tried.
    fn make_fit(&self, fit: &PlannedFit, work: f64, stop: &Stop, progress: &Progress) -> Made {
        // Nobody knows in advance what a method of the user's own takes, and it was asked for by
        // its command.
        let is_bounded = match fit.learner {
            Learner::Candidate(place) => {
                let candidate = &self.learners.candidates[place];
                !candidate.is_sure() && !candidate.is_external()
            }
            Learner::Member(_) => true,
        };
        let unbounded = stop.without_budget();
        let stop = if is_bounded { stop } else { &unbounded };
        let is_stopped = stop.cause().is_some();
        let at_work = (!is_stopped).then(|| progress.begin(work));
        let made = match fit.learner {
            Learner::Candidate(_) if is_stopped => Made::Scored(Err(Failure::Stopped)),
            Learner::Member(_) if is_stopped => Made::Predicted(Err(Failure::Stopped)),
            Learner::Candidate(place) => Made::Scored(self.score(place, fit.held_out, stop)),
            Learner::Member(place) => Made::Predicted(self.predict(place, fit.held_out, stop)),
        };
        drop(at_work);
        let is_made = !matches!(
            made,
            Made::Scored(Err(Failure::Stopped)) | Made::Predicted(Err(Failure::Stopped))
        );
        if is_made {
            progress.advance(work);
        }
        made
    }

    /// The scores of a candidate in each of the held-out folds.
    fn score(
        &self,
        place: usize,
        held_out: HeldOut,
        stop: &Stop,
    ) -> Result<Vec<FoldScores>, Failure> {
        let candidate = &self.learners.candidates[place];
        let split = self.divided.split(held_out);
        let request = request(self.problem.bounds, split.train.len(), candidate.method.as_ref());
        let streams = streams(self.problem.seed, candidate).child("held out", held_out.number());
        let context = context(candidate, streams, stop);
        let fit = Fit { method: &*candidate.method, scaling: candidate.scaling, is_filled: false };
        let Answer { predictive, tables, seconds } =
            fit.answer(self.problem.table, &split, &request, &context, stop)?;
        let settings = settings(&tables.own, &tables.parts);
        let of_fold = |fold: usize| {
            let place: Vec<usize> = self.divided.place(held_out, fold).collect();
            self.scores(&Prediction {
                predictive: &predictive.select(&place),
                rows: self.divided.tested(held_out.division, fold),
                train_rows: split.train.len(),
                settings: settings.clone(),
                seconds,
            })
        };
        Ok(held_out.folds().map(of_fold).collect())
    }

    /// What a member predicts in the held-out folds.
    fn predict(&self, place: usize, held_out: HeldOut, stop: &Stop) -> Result<Predicted, Failure> {
        let member = &self.learners.members[place];
        let streams = Streams::new(self.problem.seed, &format!("try/member/{}", member.name))
            .child("held out", held_out.number());
        let context = stop.applied(Context::new(streams), None);
        let request =
            Request { quantile_levels: Stack::levels(), split: false, ..Request::default() };
        let (method, scaling) = (member.method, member.scaling);
        let fit = Fit { method, scaling, is_filled: member.is_filled };
        let split = self.divided.split(held_out);
        let Answer { predictive, tables, seconds } =
            fit.answer(self.problem.table, &split, &request, &context, stop)?;
        let quantiles =
            Stack::quantiles(method, &predictive).map_err(|error| stop.failure(error))?;
        Ok(Predicted { quantiles, settings: settings(&tables.own, &tables.parts), seconds })
    }

    /// What a member predicts in the folds that a fit has not seen.
    pub fn predicted(&self, member: usize, held_out: HeldOut) -> Result<&Predicted, Failure> {
        match self.made.get(&(Learner::Member(member), held_out)) {
            Some(Made::Predicted(found)) => found.as_ref().map_err(Clone::clone),
            Some(Made::Scored(_)) | None => Err(Failure::Stopped),
        }
    }

    /// The scores of a candidate in a fold, by a fit without these folds, of which the fold is one.
    fn scored(&self, candidate: usize, held_out: HeldOut, fold: usize) -> Scored {
        if let Some(stack) = self.learners.stack(candidate) {
            return self.pooled(stack, held_out, fold);
        }
        match self.made.get(&(Learner::Candidate(candidate), held_out)) {
            Some(Made::Scored(Ok(scores))) => {
                let place = held_out.folds().position(|other| other == fold);
                place.and_then(|place| scores.get(place).cloned()).ok_or(Failure::Stopped)
            }
            Some(Made::Scored(Err(failure))) => Err(failure.clone()),
            Some(Made::Predicted(_)) | None => Err(Failure::Stopped),
        }
    }

    /// The methods by their scores in these folds, each with the folds that its fit has not seen;
    /// and those that were stopped.
    pub fn tried(
        &self,
        folds: &[(HeldOut, usize)],
        pool: &ThreadPool,
    ) -> (Vec<Tried>, Vec<Unfinished>) {
        let candidates = self.learners.candidates;
        let each: Vec<(usize, HeldOut, usize)> = (0..candidates.len())
            .flat_map(|candidate| {
                folds.iter().map(move |&(held_out, fold)| (candidate, held_out, fold))
            })
            .collect();
        let mut scored = in_order(pool, &each, |&(candidate, held_out, fold)| {
            self.scored(candidate, held_out, fold)
        })
        .into_iter();
        let (mut methods, mut unfinished) = (Vec::new(), Vec::new());
        for candidate in candidates {
            match outcome(scored.by_ref().take(folds.len()).collect()) {
                Ok(folds) => methods.push(tried(self.problem, candidate, folds)),
                Err((finished, fits)) => {
                    unfinished.push(Unfinished { id: candidate.id.to_string(), finished, fits });
                }
            }
        }
        (methods, unfinished)
    }

    /// The log score of the target.
    pub fn log_score(&self) -> Option<MetricId> {
        self.log_score
    }

    /// The scores of a prediction.
    pub fn scores(&self, prediction: &Prediction) -> FoldScores {
        scores(self.problem, prediction, self.log_score.as_ref())
    }
}

/// A method as it is fitted.
struct Fit<'a> {
    method: &'a dyn Method,
    scaling: Scaling,
    /// Whether missing features are filled in although it takes them.
    is_filled: bool,
}

impl Fit<'_> {
    /// The answer of a fit of the training rows at the test rows.
    fn answer(
        &self,
        table: &Table,
        split: &Split,
        request: &Request,
        context: &Context,
        stop: &Stop,
    ) -> Result<Answer, Failure> {
        let mut train = table.select(&split.train);
        let mut features = table.features.select(Axis(0), &split.test);
        if self.is_filled {
            let imputation = Imputation::by(&train.features, false);
            imputation.fill(&mut train.features);
            imputation.fill(&mut features);
        }
        let start = Instant::now();
        let answer = || {
            let fit = WholeFit::new(&train, self.scaling, self.method, context)?;
            let predictive = fit.predict(&features, self.method, request, context)?;
            Ok::<_, FitError>((predictive, fit.tables()))
        };
        let (predictive, tables) =
            survive(answer).map_err(Failure::Failed)?.map_err(|error| stop.failure(error))?;
        Ok(Answer { predictive, tables, seconds: start.elapsed().as_secs_f64() })
    }
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
pub(super) fn tried(
    problem: Problem,
    candidate: &Candidate,
    folds: Result<Vec<FoldScores>, String>,
) -> Tried {
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

/// The scores of a prediction of rows of the table.
fn scores(problem: Problem, prediction: &Prediction, log_score: Option<&MetricId>) -> FoldScores {
    let Problem { table, bounds, .. } = problem;
    let Prediction { predictive, rows, .. } = *prediction;
    let y = table.target.select(Axis(0), rows);
    let context = ScoreContext {
        target_range: table.target_range(),
        target_resolution: table.target_resolution,
        ..ScoreContext::default()
    };
    let score = |metric: MetricId| metric.score(predictive, y.view(), &context);
    let tested = tested(predictive, rows, &y, bounds);
    let [_, width, interval_score] = interval_metrics(bounds);
    let logs = log_score.and_then(|metric| Some((*metric, score(*metric)?)));
    let decided = logs.filter(|(_, mean)| *mean == f64::NEG_INFINITY);
    let impossible = decided.map_or(0, |(metric, _)| impossible(predictive, &y, metric, &context));
    FoldScores {
        train_rows: prediction.train_rows,
        test_rows: rows.len(),
        covered: tested.as_ref().map(|rows| rows.iter().filter(|row| row.covered).count()),
        width: score(width),
        interval_score: score(interval_score),
        crps: score(MetricId::Crps(Crps)),
        mse: score(MetricId::Mse(Mse)),
        log_score: logs.map(|(_, mean)| mean),
        impossible,
        pit: predictive.transforms(y.view()),
        rows: tested.unwrap_or_default(),
        settings: prediction.settings.clone(),
        seconds: prediction.seconds,
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

/// The interval of each row; `None` where one is undefined.
fn tested(
    predictive: &Predictive,
    rows: &[usize],
    y: &Array1<f64>,
    bounds: Bounds,
) -> Option<Vec<TestedRow>> {
    let distribution = predictive.distribution();
    let of_row = |(i, (&row, &y)): (usize, (&usize, &f64))| {
        let (lower, upper) = bounds.interval(predictive, i)?;
        let mean = distribution.mean(i);
        let error = mean.map(|mean| y - mean);
        let width = bounds.width(predictive, i);
        let covered = lower <= y && y <= upper;
        Some(TestedRow { row, outcome: y, mean, lower, upper, width, error, covered })
    };
    rows.iter().zip(y).enumerate().map(of_row).collect()
}
