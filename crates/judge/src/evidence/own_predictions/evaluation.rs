//! Score the predictions of each method by every metric that they define, with intervals.
//!
//! Of several test sets a score is the mean over them, and its repetitions are theirs. Of one test
//! set the repetitions are the pseudo-values of the [`jackknife`](uq_core::stats::jackknife) over
//! groups of rows, which count as independent. [`corrected`](uq_core::stats::corrected) makes an
//! interval of the repetitions, with the same correction for training sets that overlap as in a
//! comparison of methods.

use ndarray::Array1;
use rayon::prelude::*;

use super::approximation::Approximation;
use super::form::OwnForm;
use super::levels::{central, rounded};
use super::overlap::{Overlap, TrainRows};
use super::pairing::{OwnPredictions, Predictor};
use super::part::Part;
use uq_core::metrics::{MetricId, Pinball, RowFacts, ScoreContext};
use uq_core::predictive::{Exactness, Form, Predictive, Quantity};
use uq_core::stats::corrected::Corrected;
use uq_core::stats::coverage::Coverage;
use uq_core::stats::jackknife::pseudo_values;
use uq_core::stats::paired::ALPHA;
use uqbench_data::own::Grain;

/// The level of intervals where neither an option nor a file states one.
const LEVEL: f64 = 0.9;

/// One score of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The score: of one test set, or the mean over several. `None` where it is undefined.
    pub score: Option<f64>,
    /// How exactly the form of the predictions defines it.
    pub exactness: Exactness,
    /// The scores of the test sets, or the pseudo-values of one; empty where there are none.
    pub repetitions: Vec<f64>,
    /// Half width of the 95 % interval; `None` for fewer than two repetitions, for an infinite one,
    /// and for a share of rows.
    pub half_width: Option<f64>,
    /// The exact 95 % interval of a share of rows: Clopper and Pearson's, of the distinct rows of
    /// all test sets.
    pub exact: Option<(f64, f64)>,
    /// What its approximation takes of the distribution, where methods of other forms have other
    /// scores of the same distribution.
    pub approximation: Option<Approximation>,
}

impl Scored {
    /// The ends of the 95 % interval.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.exact
            .or_else(|| Some((self.score? - self.half_width?, self.score? + self.half_width?)))
    }
}

/// The scores of one method, by metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// Each metric's score of all rows.
    pub scores: Vec<Scored>,
    /// Each metric's score, by test set; empty for one test set.
    pub by_split: Vec<Vec<Option<f64>>>,
    /// Each metric's score, by group of rows.
    pub by_group: Vec<Vec<Option<f64>>>,
    /// Rows in their central interval; `None` where a quantile is undefined.
    pub covered: Option<Vec<bool>>,
}

/// The scores of all methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Probability of the central intervals.
    pub level: f64,
    /// How far training sets overlap.
    pub overlap: Overlap,
    /// Resolution of the outcomes.
    pub grain: Grain,
    /// The metrics that any method defines.
    pub metrics: Vec<MetricId>,
    /// The metrics that none of them defines.
    pub undefined: Vec<MetricId>,
    /// One entry for each method.
    pub methods: Vec<Evaluated>,
}

/// The level of the central intervals where no option states one: the widest central interval whose
/// ends the first method with quantiles gives, or 0.9.
pub fn default_level(predictions: &OwnPredictions) -> f64 {
    let levels = predictions.methods.iter().find_map(|method| match &method.predictive.form {
        Form::Quantiles(form) => Some(&form.levels),
        _ => None,
    });
    let is_central = |(lower, upper): &(&f64, &f64)| {
        **lower > 0.0 && **lower < 0.5 && (*lower + *upper - 1.0).abs() < 1e-9
    };
    let widest = levels.and_then(|levels| {
        let pairs = levels.iter().flat_map(|lower| levels.iter().map(move |upper| (lower, upper)));
        pairs.filter(is_central).map(|(lower, _)| 1.0 - 2.0 * lower).reduce(f64::max)
    });
    widest.map_or(LEVEL, rounded)
}

impl Evaluation {
    /// Scores all methods. Of several test sets `train_rows` is the mean number of training rows;
    /// without it, and where the file does not state it, the tested rows tell it ([`Overlap`]).
    pub fn of(predictions: &OwnPredictions, level: f64, train_rows: Option<u64>) -> Self {
        let stated = TrainRows { mean: train_rows, of_first: predictions.train_rows };
        let grain = Grain::of(&predictions.distinct_outcomes());
        let mut all = Self {
            level,
            overlap: Overlap::new(&predictions.splits, &predictions.identities, stated),
            grain,
            metrics: metrics(level, grain),
            undefined: Vec::new(),
            methods: Vec::new(),
        };
        all.methods =
            predictions.methods.iter().map(|method| all.evaluate(predictions, method)).collect();
        all.drop_undefined();
        all
    }

    fn evaluate(&self, predictions: &OwnPredictions, method: &Predictor) -> Evaluated {
        let every: Vec<usize> = (0..predictions.y.len()).collect();
        let of_rows = |rows: &[usize]| self.scores(predictions, method, rows);
        let of_parts =
            |parts: &[Part]| parts.par_iter().map(|part| of_rows(&part.rows)).collect::<Vec<_>>();
        let several = predictions.splits.len() > 1;
        let whole = of_rows(&every);
        let by_split = if several { of_parts(&predictions.splits) } else { Vec::new() };
        let without: Vec<Vec<Option<f64>>> = match several {
            true => Vec::new(),
            false => predictions.without_groups().par_iter().map(|rows| of_rows(rows)).collect(),
        };
        let column = |all: &[Vec<Option<f64>>], metric: usize| {
            all.iter().map(|one| one[metric]).collect::<Option<Vec<f64>>>()
        };
        let one = |(metric, id): (usize, &MetricId)| {
            let (score, repetitions) = if several {
                let scores = column(&by_split, metric).unwrap_or_default();
                let mean = scores.iter().sum::<f64>() / scores.len() as f64;
                ((!scores.is_empty()).then_some(mean), scores)
            } else {
                let without =
                    column(&without, metric).filter(|_| is_smooth(id)).unwrap_or_default();
                (
                    whole[metric],
                    whole[metric].map_or(Vec::new(), |whole| pseudo_values(whole, &without)),
                )
            };
            let corrected = Corrected::compare(&repetitions, self.overlap.test_to_train);
            let exact = whole[metric].filter(|_| is_share(id));
            let exact =
                exact.and_then(|share| distinct_coverage(share, predictions.distinct).interval());
            let exactness = exactness(method, id);
            Scored {
                score,
                exactness,
                repetitions,
                half_width: corrected
                    .filter(|_| !is_share(id))
                    .map(|corrected| corrected.half_width(ALPHA)),
                exact,
                approximation: Approximation::of(&method.predictive.form, exactness),
            }
        };
        let is_covered = |row: usize| {
            let (lower, upper) = method.predictive.interval(row, self.level)?;
            Some((lower..=upper).contains(&predictions.y[row]))
        };
        Evaluated {
            scores: self.metrics.iter().enumerate().map(one).collect(),
            by_group: of_parts(&predictions.groups),
            by_split,
            covered: every.iter().map(|&row| is_covered(row)).collect(),
        }
    }

    /// Each metric's score of some rows.
    fn scores(
        &self,
        predictions: &OwnPredictions,
        method: &Predictor,
        rows: &[usize],
    ) -> Vec<Option<f64>> {
        let y: Array1<f64> = rows.iter().map(|&row| predictions.y[row]).collect();
        let mut region = vec![0.0; predictions.y.len()];
        for (number, group) in predictions.groups.iter().enumerate() {
            group.rows.iter().for_each(|&row| region[row] = number as f64);
        }
        let region = rows.iter().map(|&row| region[row]).collect();
        let facts = RowFacts {
            region: (!predictions.groups.is_empty()).then_some(region),
            ..RowFacts::default()
        };
        let context =
            ScoreContext { target_resolution: self.grain.step, facts, ..ScoreContext::default() };
        let predictive = method.predictive.select(rows);
        let point = method.point.as_ref().map(|point| point.select(rows));
        let one = |metric: &MetricId| {
            let source = source(&predictive, point.as_ref(), metric);
            let is_defined = exactness(method, metric) != Exactness::Undefined;
            let score = metric.score(source, y.view(), &context).filter(|_| is_defined)?;
            Some(
                method
                    .infinite
                    .as_ref()
                    .map_or(score, |infinite| infinite.score(metric, rows, score)),
            )
        };
        self.metrics.iter().map(one).collect()
    }

    /// Moves the metrics without any score to [`Evaluation::undefined`].
    fn drop_undefined(&mut self) {
        let is_defined = |metric: &usize| {
            self.methods.iter().any(|method| method.scores[*metric].score.is_some())
        };
        let (kept, dropped): (Vec<usize>, Vec<usize>) =
            (0..self.metrics.len()).partition(is_defined);
        let pick = |all: &[Option<f64>]| kept.iter().map(|&metric| all[metric]).collect::<Vec<_>>();
        self.undefined = dropped.iter().map(|&metric| self.metrics[metric]).collect();
        for method in &mut self.methods {
            method.scores = kept.iter().map(|&metric| method.scores[metric].clone()).collect();
            method.by_split = method.by_split.iter().map(|scores| pick(scores)).collect();
            method.by_group = method.by_group.iter().map(|scores| pick(scores)).collect();
        }
        self.metrics = kept.iter().map(|&metric| self.metrics[metric]).collect();
    }

    /// The place of a metric among those that are defined.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.metrics.iter().position(|metric| metric.name() == name)
    }
}

impl Evaluated {
    /// How many of these rows lie in their central interval; `None` where that is undefined, or for
    /// no row. A row that is tested several times counts once, covered as often as on average.
    pub fn coverage(&self, predictions: &OwnPredictions, rows: &[usize]) -> Option<Coverage> {
        let all = self.covered.as_ref()?;
        let covered = rows.iter().filter(|&&row| all[row]).count();
        (!rows.is_empty()).then(|| {
            distinct_coverage(covered as f64 / rows.len() as f64, predictions.distinct_of(rows))
        })
    }
}

/// Every metric of predictions, its level that of the intervals. Log densities are left out where
/// outcomes are rounded or discrete, because a density has no bound there.
fn metrics(level: f64, grain: Grain) -> Vec<MetricId> {
    let has_density = grain.step.is_none() && !grain.discrete;
    let (lower, upper) = central(level);
    let mut all = Vec::new();
    for mut metric in MetricId::all().into_iter().filter(|metric| !metric.is_cost()) {
        // One bound has a level of its own, and says nothing of the other end of an interval.
        let of_bound = matches!(metric, MetricId::BoundCoverage(_) | MetricId::BoundDistance(_));
        if of_bound || is_no_score(&metric) || (metric.is_density() && !has_density) {
            continue;
        }
        if matches!(metric, MetricId::Pinball(_)) {
            all.extend([lower, 0.5, upper].map(|level| MetricId::Pinball(Pinball { level })));
            continue;
        }
        if let Some(parameter) =
            metric.parameters().into_iter().find(|parameter| parameter.name == "level")
        {
            // A level between 0 and 1 is in every metric's range.
            let _ = parameter.set(&level.to_string());
        }
        all.push(metric);
    }
    all
}

/// Whether a metric is no score of predictions and outcomes alone: it is of an optimisation, of a
/// variance that no side of which is better, or a part of another score, which [`decompose`] states.
///
/// [`decompose`]: super::decomposed::decompose
fn is_no_score(metric: &MetricId) -> bool {
    matches!(
        metric,
        MetricId::BestValue(_)
            | MetricId::SimpleRegret(_)
            | MetricId::MeanVariance(_)
            | MetricId::CrpsPart(_)
    )
}

/// Whether a score is a share of the rows, whose interval is binomial.
fn is_share(metric: &MetricId) -> bool {
    matches!(metric, MetricId::Picp(_) | MetricId::SigmaCoverage(_))
}

/// What a metric is computed from: the column `mean` for metrics of the mean alone, where there is
/// one.
pub(in crate::evidence) fn source<'a>(
    predictive: &'a Predictive,
    point: Option<&'a Predictive>,
    metric: &MetricId,
) -> &'a Predictive {
    let of_mean = metric.properties().quantities == [Quantity::Mean];
    point.filter(|_| of_mean).unwrap_or(predictive)
}

/// How exactly a method's predictions define a metric. Ends of an interval say nothing of the
/// distribution elsewhere, and quantiles say too little of F(y) beyond the outermost ones for a
/// test of its uniformity.
pub(super) fn exactness(method: &Predictor, metric: &MetricId) -> Exactness {
    let properties = metric.properties();
    let found =
        properties.exactness(&source(&method.predictive, method.point.as_ref(), metric).form);
    match method.form {
        OwnForm::Interval if found != Exactness::Exact => Exactness::Undefined,
        OwnForm::Quantiles if properties.quantities.contains(&Quantity::Cdf) => {
            Exactness::Undefined
        }
        _ => found,
    }
}

/// A share of rows, each of which counts once however often it is tested.
fn distinct_coverage(share: f64, distinct: usize) -> Coverage {
    Coverage { covered: (share * distinct as f64).round() as usize, rows: distinct }
}

/// Whether a score is a smooth function of means over rows. The jackknife does not hold for a
/// maximum over groups, nor for a distance that may be near zero.
fn is_smooth(metric: &MetricId) -> bool {
    !matches!(
        metric,
        MetricId::MaxFoldMse(_)
            | MetricId::CoverageByWidth(_)
            | MetricId::CoverageByRegion(_)
            | MetricId::PitCalibration(_)
    )
}
