//! Try methods on a table of one's own: repeated five-fold cross-validation in parallel, nothing stored; then predict new rows.
//!
//! In each repeat every row is tested once, by models that are fitted on the rows of the other folds. Exact twins (rows of equal
//! features) stay in one fold, unless they are frequent. If fewer than half of the rows are distinct in their features,
//! equal features count as repeated measurements, which new rows will have too, unless the table holds every row several
//! times with its target.

mod plan;

use std::borrow::Cow;
use std::time::{Duration, Instant};

use ndarray::Array2;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::progress::Progress;
use crate::data::Table;
use crate::data::own::RowGroup;
use crate::data::scaling::Scaling;
use crate::data::splits::{copies, distinct_rows};
use crate::math::random::Streams;
use crate::methods::candidates::Candidate;
use crate::methods::{Context, Request};
use crate::metrics::{Crps, DiscretisedLogScore, IntervalScore, LogLikelihood, MetricId, Mpiw, Mse, ScoreContext};
use crate::predictive::{Predictive, central_levels};
use crate::protocols::{
    self, GroupedKFold, KFold, Observed, Protocol, Repetition, RowSubset, ScoreUnits, Setting, Source,
};
use crate::stats::order::Order;
use crate::system::{CancelToken, survive};

pub use plan::{Plan, expected_seconds, plan};

/// Number of folds.
pub const FOLDS: u64 = 5;

/// How often the rows are divided into folds anew: twice, and four times below 300 rows.
pub fn repeats(rows: usize) -> u64 {
    if rows < 300 { 4 } else { 2 }
}

/// A table and the settings of the comparison.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// All rows.
    pub table: &'a Table,
    /// Whether the target is discrete, so that a density of it is meaningless.
    pub discrete: bool,
    /// Probability of the central interval.
    pub level: f64,
    /// Root of all random streams.
    pub seed: u64,
    /// Rows of which the coverage is of interest.
    pub categories: &'a [RowGroup],
}

/// How rows are divided into folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Row by row: no two rows are equal in every feature.
    Rows,
    /// By groups of rows of equal features.
    Grouped {
        /// Number of rows that equal an earlier row in every feature.
        twins: usize,
    },
    /// Row by row, because so few rows have distinct features that equal rows count as repeated measurements.
    Repeated {
        /// Number of rows with distinct features.
        distinct: usize,
    },
}

impl Division {
    /// How this table is divided.
    pub fn of(table: &Table) -> Self {
        let (rows, distinct) = (table.rows(), distinct_rows(table));
        match distinct {
            all if all == rows => Self::Rows,
            few if 2 * few < rows && copies(table) == 1 => Self::Repeated { distinct: few },
            _ => Self::Grouped { twins: rows - distinct },
        }
    }

    fn protocol(self, repeats: u64) -> Protocol {
        match self {
            Self::Rows | Self::Repeated { .. } => Protocol::KFold(KFold { folds: FOLDS, repeats }),
            Self::Grouped { .. } => Protocol::GroupedKFold(GroupedKFold { folds: FOLDS, repeats }),
        }
    }
}

/// The results of all methods on all folds.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Probability of the central interval.
    pub level: f64,
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
    /// Rows of which the coverage is of interest.
    pub categories: Vec<RowGroup>,
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
    /// Lower end.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
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
    /// Mean width of the interval.
    pub width: Option<f64>,
    /// Mean interval score at the level.
    pub interval_score: Option<f64>,
    /// Mean continuous ranked probability score.
    pub crps: Option<f64>,
    /// Mean squared error of the predictive mean.
    pub mse: Option<f64>,
    /// The log score.
    pub log_score: Option<f64>,
    /// F(y−) and F(y) at the outcome of each test row.
    pub pit: Option<Vec<(f64, f64)>>,
    /// The test rows; none where an interval is undefined.
    pub rows: Vec<TestedRow>,
    /// Wall time of fit and prediction.
    pub seconds: f64,
}

/// Runs every candidate on every fold, one on each thread of `pool` at a time. The scores do not depend on the number
/// of threads. A method that fails does not affect other methods.
pub fn evaluate(problem: Problem, candidates: &[Candidate], pool: &ThreadPool, progress: &Progress) -> Evaluation {
    let division = Division::of(problem.table);
    let log_score = match (problem.table.target_resolution, problem.discrete) {
        (Some(_), _) => Some(MetricId::DiscretisedLogScore(DiscretisedLogScore)),
        (None, true) => None,
        (None, false) => Some(MetricId::LogLikelihood(LogLikelihood)),
    };
    let repeats = repeats(problem.table.rows());
    let (protocol, fits) = (division.protocol(repeats), FOLDS * repeats);
    let tasks: Vec<(&Candidate, u64)> =
        candidates.iter().flat_map(|candidate| (0..fits).map(move |fold| (candidate, fold))).collect();
    let one = |&(candidate, fold): &(&Candidate, u64)| {
        let scores = observe(problem, &protocol, candidate, fold)
            .map(|(observed, rows)| scores(&observed, &rows, problem.level, log_score.as_ref()));
        progress.advance(1.0);
        scores
    };
    let mut all: Vec<Result<FoldScores, String>> = pool.install(|| tasks.par_iter().map(one).collect());
    let tried = |candidate: &Candidate| Tried {
        id: candidate.id.clone(),
        settings: candidate.settings.clone(),
        guaranteed: candidate.method.guaranteed_coverage(problem.level, problem.table.rows()),
        folds: all.drain(..fits as usize).collect(),
    };
    let methods = candidates.iter().map(tried).collect();
    let smallest = problem.table.target.iter().copied().fold(f64::INFINITY, f64::min);
    let order = Order::of(&problem.table.target.to_vec());
    let categories = problem.categories.to_vec();
    Evaluation { level: problem.level, division, repeats, log_score, smallest, order, categories, methods }
}

/// A candidate's prediction at new rows after a fit of all rows, in the target's units.
///
/// # Errors
/// A message that states why it failed.
pub fn predict(problem: Problem, candidate: &Candidate, features: &Array2<f64>) -> Result<Predictive, String> {
    let context = context(candidate, streams(problem.seed, candidate).child("all rows", 0));
    let (table, method, request) = (problem.table, candidate.method.as_ref(), request(problem.level));
    survive(|| protocols::predict_new_rows(table, features, Scaling::TrainRows, method, &request, &context))?
        .map_err(|error| error.to_string())
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
fn request(level: f64) -> Request {
    let (lower, upper) = central_levels(level);
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
    let request = request(problem.level);
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
fn scores(observed: &Observed, rows: &[usize], level: f64, log_score: Option<&MetricId>) -> FoldScores {
    let context = ScoreContext {
        target_range: observed.target_range,
        target_resolution: observed.target_resolution,
        ..ScoreContext::default()
    };
    let predictive = observed.readings.first().map(|(_, predictive)| predictive);
    let score = |metric: MetricId| metric.score(predictive?, observed.y.view(), &context);
    let tested = predictive.and_then(|predictive| tested(predictive, observed, rows, level));
    FoldScores {
        train_rows: observed.train_rows,
        test_rows: observed.y.len(),
        covered: tested.as_ref().map(|rows| rows.iter().filter(|row| row.covered).count()),
        width: score(MetricId::Mpiw(Mpiw { level })),
        interval_score: score(MetricId::IntervalScore(IntervalScore { level })),
        crps: score(MetricId::Crps(Crps)),
        mse: score(MetricId::Mse(Mse)),
        log_score: log_score.and_then(|metric| score(*metric)),
        pit: predictive.and_then(|predictive| predictive.transforms(observed.y.view())),
        rows: tested.unwrap_or_default(),
        seconds: (observed.fit_time + observed.predict_time).as_secs_f64(),
    }
}

/// The interval of each test row; `None` where one is undefined.
fn tested(predictive: &Predictive, observed: &Observed, rows: &[usize], level: f64) -> Option<Vec<TestedRow>> {
    let distribution = predictive.distribution();
    let one = |(i, (&row, &y)): (usize, (&usize, &f64))| {
        let (lower, upper) = predictive.interval(i, level)?;
        let mean = distribution.mean(i);
        let error = mean.map(|mean| y - mean);
        Some(TestedRow { row, mean, lower, upper, error, covered: lower <= y && y <= upper })
    };
    rows.iter().zip(&observed.y).enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::special::normal_quantile;
    use crate::methods::candidates::candidates;
    use crate::methods::registry;
    use ndarray::Array1;
    use rayon::ThreadPoolBuilder;

    /// y = 2 x + noise whose n values are normal scores in an order that is independent of x.
    fn line(n: usize) -> Table {
        let noise = |i: usize| normal_quantile((((i * 37) % n) as f64 + 0.5) / n as f64);
        let features = Array2::from_shape_fn((n, 1), |(i, _)| i as f64 / n as f64 * 10.0);
        let target = Array1::from_shape_fn(n, |i| 2.0 * features[(i, 0)] + noise(i));
        Table::unnamed(features, target)
    }

    fn tried(table: &Table, names: &[&str], threads: usize) -> Evaluation {
        let names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let problem = Problem { table, discrete: false, level: 0.9, seed: 1, categories: &[] };
        let mut evaluation = evaluate(problem, &candidates(&names).unwrap(), &pool, &Progress::hidden());
        let folds = evaluation.methods.iter_mut().flat_map(|method| method.folds.iter_mut().flatten());
        folds.for_each(|fold| fold.seconds = 0.0);
        evaluation
    }

    #[test]
    fn a_line_with_normal_noise_has_the_scores_that_theory_gives() {
        let evaluation = tried(&line(500), &["linear-gaussian"], 2);
        let folds = evaluation.methods.iter().find(|m| m.id == "linear-gaussian").unwrap().folds.as_ref().unwrap();
        assert_eq!(folds.len(), 10);
        assert!(folds.iter().all(|fold| (fold.train_rows, fold.test_rows) == (400, 100)));
        let mean = |value: &dyn Fn(&FoldScores) -> f64| folds.iter().map(value).sum::<f64>() / 10.0;
        // N(0, 1) noise: the interval is 2 × 1.645 wide, the CRPS 1/√π, the log density −½ ln(2πe).
        assert!((mean(&|f| f.width.unwrap()) - 3.29).abs() < 0.05);
        assert!((mean(&|f| f.crps.unwrap()) - 0.5642).abs() < 0.01);
        assert!((mean(&|f| f.log_score.unwrap()) + 1.419).abs() < 0.02);
        assert!((mean(&|f| f.mse.unwrap()) - 1.0).abs() < 0.03);
        let covered: usize = folds.iter().map(|f| f.covered.unwrap()).sum();
        assert!(covered.abs_diff(900) <= 16, "{covered} of 1000");
        assert!(
            folds.iter().all(|f| f.pit.as_ref().unwrap().iter().all(|(below, at)| below == at)),
            "a density has no jumps"
        );
    }

    #[test]
    fn threads_and_other_methods_change_nothing() {
        let table = line(60);
        let names = ["linear-gaussian", "calibrated-tree", "dtb"];
        let all = tried(&table, &names, 1);
        assert_eq!(all, tried(&table, &names, 3));
        let alone = tried(&table, &["dtb"], 2);
        assert_eq!(alone.methods.last(), all.methods.last(), "dtb beside linear-gaussian or not");
    }

    #[test]
    fn a_method_that_panics_or_cannot_is_told_and_the_others_go_on() {
        let wide = Table::unnamed(
            Array2::from_shape_fn((30, 40), |(i, j)| ((i * (j + 2) * 7 + i * i * (j + 1)) % 31) as f64),
            Array1::from_shape_fn(30, |i| (i * i % 17) as f64),
        );
        let mut all = candidates(&["linear-gaussian".into(), "dtb".into()]).unwrap();
        let panics = registry::build("mock", &serde_json::json!({ "behaviour": "panic" })).unwrap();
        all.push(Candidate { id: "mock".into(), settings: "".into(), method: panics, cost: None, host: None });
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let problem = Problem { table: &wide, discrete: false, level: 0.9, seed: 1, categories: &[] };
        let evaluation = evaluate(problem, &all, &pool, &Progress::hidden());
        let linear = evaluation.methods.iter().find(|m| m.id == "linear-gaussian").unwrap();
        let why = linear.folds.as_ref().unwrap_err();
        assert!(why.contains("needs more training rows than independent columns"), "{why}");
        let mock = evaluation.methods.last().unwrap().folds.as_ref().unwrap_err();
        assert!(mock.starts_with("panicked: "), "{mock}");
        assert_eq!(evaluation.methods.iter().filter(|m| m.folds.is_ok()).count(), 3);
        assert!(predict(problem, all.last().unwrap(), &wide.features).unwrap_err().starts_with("panicked: "));
    }

    #[test]
    fn twins_are_grouped_unless_they_are_the_rule() {
        let of = |values: &[f64]| {
            let n = values.len();
            Division::of(&Table::unnamed(Array2::from_shape_vec((n, 1), values.to_vec()).unwrap(), Array1::zeros(n)))
        };
        assert_eq!(of(&[1.0, 2.0, 3.0]), Division::Rows);
        assert_eq!(of(&[1.0, 2.0, 2.0, 3.0]), Division::Grouped { twins: 1 });
        assert_eq!(of(&[1.0, 2.0, 2.0, 1.0, 1.0]), Division::Repeated { distinct: 2 });
        assert_eq!(of(&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0]), Division::Grouped { twins: 4 }, "pasted three times");
    }

    #[test]
    fn the_interval_is_asked_for_once() {
        assert_eq!(request(0.95).quantile_levels.len(), Request::default().quantile_levels.len());
        assert!(
            request(0.93).quantile_levels.contains(&0.035)
                || request(0.93).quantile_levels.iter().any(|l| (l - 0.035).abs() < 1e-12)
        );
    }
}
