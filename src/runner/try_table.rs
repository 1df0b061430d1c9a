//! Try methods on a table of one's own: cross-validation in five folds in parallel, nothing stored; then predict new rows.
//!
//! [`Division`] says how rows are divided.

mod division;
mod plan;

use std::borrow::Cow;
use std::time::{Duration, Instant};

use ndarray::{Array1, Array2, aview1};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::progress::Progress;
use crate::data::own::{RowGroup, RowLabels, regions};
use crate::data::scaling::Scaling;
use crate::data::{Dependence, Table};
use crate::math::random::Streams;
use crate::methods::candidates::Candidate;
use crate::methods::{Context, Request};
use crate::metrics::{
    BoundCoverage, BoundDistance, Crps, DiscretisedLogScore, IntervalScore, LogLikelihood, MetricId, Mpiw, Mse, Picp,
    Pinball, ScoreContext,
};
use crate::predictive::{Bounds, Predictive, Side};
use crate::protocols::{
    self, KeptFit, Observed, Protocol, Repetition, RowSubset, ScoreUnits, Setting, Source, WholeFit,
};
use crate::stats::order::Order;
use crate::system::{CancelToken, survive};

pub use division::{Division, FOLDS, repeats, training_rows};
pub use plan::{Plan, expected_seconds, plan, seconds_of_one};

/// A table and the settings of the comparison.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// All rows.
    pub table: &'a Table,
    /// How they are divided.
    pub division: Division,
    /// Whether the target is discrete, so that a density of it is meaningless.
    pub discrete: bool,
    /// The intervals that are asked for.
    pub bounds: Bounds,
    /// Root of all random streams.
    pub seed: u64,
    /// Rows of each category, of which the coverage is of interest.
    pub categories: &'a [RowGroup],
    /// The column that says which rows depend on each other, if it is stated.
    pub stated: Option<&'a RowLabels>,
}

/// The results of all methods on all folds.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The intervals that were asked for.
    pub bounds: Bounds,
    /// How the rows were divided.
    pub division: Division,
    /// How often they were divided.
    pub repeats: u64,
    /// The log score of this target: of a density, of rounded values, or none.
    pub log_score: Option<MetricId>,
    /// Smallest target.
    pub smallest: f64,
    /// Whether the target depends on the order of the rows.
    pub order: Option<Order>,
    /// Rows of which the coverage is of interest: those of each category, and of each region of feature space.
    pub kinds: Vec<RowGroup>,
    /// The column that says which rows depend on each other, if it is stated.
    pub stated: Option<RowLabels>,
    /// One entry for each method, in the order of simplicity.
    pub methods: Vec<Tried>,
}

/// The result of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// Its name.
    pub id: Cow<'static, str>,
    /// A description of its parameters.
    pub settings: Cow<'static, str>,
    /// The coverage of its intervals that a theorem guarantees, if there is one.
    pub guaranteed: Option<f64>,
    /// Scores of each fold, one repeat after the other, or the reason of its first failure.
    pub folds: Result<Vec<FoldScores>, String>,
}

/// A test row's interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestedRow {
    /// Its place in the table, from 0.
    pub row: usize,
    /// The predicted mean, if it is defined.
    pub mean: Option<f64>,
    /// Lower end; −∞ where there is an upper bound alone.
    pub lower: f64,
    /// Upper end; ∞ where there is a lower bound alone.
    pub upper: f64,
    /// Its width; of one bound the distance from the predicted mean, where that is defined.
    pub width: Option<f64>,
    /// The outcome less the predicted mean, if that is defined.
    pub error: Option<f64>,
    /// Whether the outcome lies between them.
    pub covered: bool,
}

/// Scores of one fold's test rows, in the target's units; `None` where undefined.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldScores {
    /// Number of training rows.
    pub train_rows: usize,
    /// Number of test rows.
    pub test_rows: usize,
    /// Test rows whose outcome lies in its interval.
    pub covered: Option<usize>,
    /// Mean width of the interval; of one bound its mean distance from the predicted mean.
    pub width: Option<f64>,
    /// Mean interval score at the level; of one bound the mean pinball loss of its quantile.
    pub interval_score: Option<f64>,
    /// Mean continuous ranked probability score.
    pub crps: Option<f64>,
    /// Mean squared error of the predictive mean.
    pub mse: Option<f64>,
    /// The log score.
    pub log_score: Option<f64>,
    /// Test rows whose log score is −∞, because their outcome has density or probability 0; counted where they decide
    /// the mean.
    pub impossible: usize,
    /// F(y−) and F(y) at the outcome of each test row.
    pub pit: Option<Vec<(f64, f64)>>,
    /// The test rows; none where an interval is undefined.
    pub rows: Vec<TestedRow>,
    /// Wall time of fit and prediction.
    pub seconds: f64,
}

/// The metrics of coverage, width and score of intervals. The score is proper: the interval score, or of one bound the pinball
/// loss of its quantile, which the interval score is made of.
pub fn interval_metrics(bounds: Bounds) -> [MetricId; 3] {
    let Bounds { level, side } = bounds;
    match bounds.quantile_level() {
        None => [
            MetricId::Picp(Picp { level }),
            MetricId::Mpiw(Mpiw { level }),
            MetricId::IntervalScore(IntervalScore { level }),
        ],
        Some(of_bound) => [
            MetricId::BoundCoverage(BoundCoverage { level, side }),
            MetricId::BoundDistance(BoundDistance { level, side }),
            MetricId::Pinball(Pinball { level: of_bound }),
        ],
    }
}

/// Runs every candidate on every fold, one on each thread of `pool` at a time. The scores do not depend on the number
/// of threads. A method that fails does not affect other methods.
pub fn evaluate(problem: Problem, candidates: &[Candidate], pool: &ThreadPool, progress: &Progress) -> Evaluation {
    let log_score = match (problem.table.target_resolution, problem.discrete) {
        (Some(_), _) => Some(MetricId::DiscretisedLogScore(DiscretisedLogScore)),
        (None, true) => None,
        (None, false) => Some(MetricId::LogLikelihood(LogLikelihood)),
    };
    let repeats = repeats(problem.table);
    let (protocol, fits) = (problem.division.protocol(repeats), FOLDS * repeats);
    let tasks: Vec<(&Candidate, u64)> =
        candidates.iter().flat_map(|candidate| (0..fits).map(move |fold| (candidate, fold))).collect();
    let one = |&(candidate, fold): &(&Candidate, u64)| {
        let scores = observe(problem, &protocol, candidate, fold)
            .map(|(observed, rows)| scores(&observed, &rows, problem.bounds, log_score.as_ref()));
        progress.advance(1.0);
        scores
    };
    let mut all: Vec<Result<FoldScores, String>> = pool.install(|| tasks.par_iter().map(one).collect());
    // The theorems are about exchangeable rows.
    let guaranteed = |candidate: &Candidate| match problem.table.dependence {
        Dependence::Unknown => {
            let (level, rows) = (problem.bounds.level, problem.table.rows());
            match problem.bounds.side {
                Side::Both => candidate.method.guaranteed_coverage(level, rows),
                Side::Lower | Side::Upper => candidate.method.guaranteed_bound(level, rows),
            }
        }
        Dependence::Groups(_) | Dependence::Periods(_) => None,
    };
    let tried = |candidate: &Candidate| Tried {
        id: candidate.id.clone(),
        settings: candidate.settings.clone(),
        guaranteed: guaranteed(candidate),
        folds: all.drain(..fits as usize).collect(),
    };
    let methods = candidates.iter().map(tried).collect();
    let smallest = problem.table.target.iter().copied().fold(f64::INFINITY, f64::min);
    let order = Order::of(&problem.table.target.to_vec());
    let kinds = [problem.categories, &regions(problem.table.features.view(), &problem.table.feature_names)].concat();
    let stated = problem.stated.cloned();
    let Problem { bounds, division, .. } = problem;
    Evaluation { bounds, division, repeats, log_score, smallest, order, kinds, stated, methods }
}

/// A candidate's fit of all rows of `table`. The same table and seed give the same fit, whatever was compared.
///
/// # Errors
/// A message that states why it failed.
pub fn fit(table: &Table, seed: u64, candidate: &Candidate) -> Result<WholeFit, String> {
    let context = of_all_rows(seed, candidate);
    survive(|| WholeFit::new(table, Scaling::TrainRows, candidate.method.as_ref(), &context))?
        .map_err(|error| error.to_string())
}

/// The fit of a candidate that was kept.
///
/// # Errors
/// A message that states why it cannot be made again.
pub fn restore(kept: &KeptFit, candidate: &Candidate) -> Result<WholeFit, String> {
    survive(|| WholeFit::restored(kept, candidate.method.as_ref()))?.map_err(|error| error.to_string())
}

/// A fit's prediction at new rows, in the target's units. The same fit, seed and intervals give the same numbers, whether the fit
/// was made or restored.
///
/// # Errors
/// A message that states why it failed.
pub fn predict(
    fit: &WholeFit,
    bounds: Bounds,
    seed: u64,
    candidate: &Candidate,
    features: &Array2<f64>,
) -> Result<Predictive, String> {
    let context = of_all_rows(seed, candidate);
    let request = request(bounds);
    survive(|| fit.predict(features, candidate.method.as_ref(), &request, &context))?.map_err(|error| error.to_string())
}

/// The streams of a fit of all rows and of its predictions.
fn of_all_rows(seed: u64, candidate: &Candidate) -> Context {
    context(candidate, streams(seed, candidate).child("all rows", 0))
}

/// The streams and the host of a candidate; an external method also has a deadline.
fn context(candidate: &Candidate, streams: Streams) -> Context {
    let seconds = candidate.host.as_ref().and_then(|host| host.bounds.seconds);
    let deadline = seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
    Context::new(streams).stopping(CancelToken::default(), deadline).hosted(candidate.host.clone())
}

/// The random streams of a method, which depend on its name.
fn streams(seed: u64, candidate: &Candidate) -> Streams {
    Streams::new(seed, &format!("try/{}", candidate.id))
}

/// The request contains the ends of the interval, for methods that return quantiles.
fn request(bounds: Bounds) -> Request {
    let (lower, upper) = bounds.levels();
    let mut request = Request::default();
    request.quantile_levels.retain(|known| (known - lower).abs() > 1e-9 && (known - upper).abs() > 1e-9);
    request.quantile_levels.extend([lower, upper]);
    request.quantile_levels.sort_by(f64::total_cmp);
    request
}

/// A fit's predictions, and the places of their rows in the table.
fn observe(
    problem: Problem,
    protocol: &Protocol,
    candidate: &Candidate,
    fold: u64,
) -> Result<(Observed, Vec<usize>), String> {
    let request = request(problem.bounds);
    let setting = Setting {
        protocol,
        repetition: Repetition {
            dataset: "",
            rows: RowSubset::All,
            split: fold,
            streams: Streams::new(problem.seed, "try"),
        },
        scaling: Scaling::TrainRows,
        score_units: ScoreUnits::Target,
        request: &request,
    };
    let context = context(candidate, streams(problem.seed, candidate).child("fold", fold));
    let rows = protocol.kind().divide(&setting.repetition, problem.table).map_err(|error| error.to_string())?.test;
    survive(|| protocols::run(&setting, Source::Table(problem.table), candidate.method.as_ref(), &context))?
        .map(|observed| (observed, rows))
        .map_err(|error| error.to_string())
}

/// The scores of a method's first reading at these rows of the table.
fn scores(observed: &Observed, rows: &[usize], bounds: Bounds, log_score: Option<&MetricId>) -> FoldScores {
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
    let impossible =
        decided.map_or(0, |((metric, _), predictive)| impossible(predictive, &observed.y, metric, &context));
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
        seconds: (observed.fit_time + observed.predict_time).as_secs_f64(),
    }
}

/// How many outcomes have a log score of −∞.
fn impossible(predictive: &Predictive, y: &Array1<f64>, log_score: MetricId, context: &ScoreContext) -> usize {
    let of_row = |row: usize| log_score.score(&predictive.select(&[row]), aview1(&[y[row]]), context);
    (0..y.len()).filter(|&row| of_row(row) == Some(f64::NEG_INFINITY)).count()
}

/// The interval of each test row; `None` where one is undefined.
fn tested(predictive: &Predictive, observed: &Observed, rows: &[usize], bounds: Bounds) -> Option<Vec<TestedRow>> {
    let distribution = predictive.distribution();
    let one = |(i, (&row, &y)): (usize, (&usize, &f64))| {
        let (lower, upper) = bounds.of(predictive, i)?;
        let mean = distribution.mean(i);
        let error = mean.map(|mean| y - mean);
        let width = bounds.width(predictive, i);
        Some(TestedRow { row, mean, lower, upper, width, error, covered: lower <= y && y <= upper })
    };
    rows.iter().zip(&observed.y).enumerate().map(one).collect()
}

#[cfg(test)]
mod tests;
