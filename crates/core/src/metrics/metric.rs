//! Say what a metric is, and what it is computed from.

use ndarray::{Array1, ArrayView1};
use serde::{Deserialize, Serialize};

use super::{Parameter, Properties};
use crate::predictive::{Predictive, Quantity};

/// Which scores are better.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Lower is better.
    Lower,
    /// Higher is better.
    Higher,
    /// Closer to this number is better: a coverage aims at its level.
    Target(f64),
}

impl Direction {
    /// Whether `a` is better than `b`; false for equally good scores and for NaN.
    pub fn prefers(self, a: f64, b: f64) -> bool {
        match self {
            Self::Lower => a < b,
            Self::Higher => a > b,
            Self::Target(target) => (a - target).abs() < (b - target).abs(),
        }
    }

    /// The score as a loss, so that lower is better: the score, its negative, or its distance from
    /// the aim.
    pub fn loss(self, score: f64) -> f64 {
        match self {
            Self::Lower => score,
            Self::Higher => -score,
            Self::Target(target) => (score - target).abs(),
        }
    }
}

impl std::fmt::Display for Direction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lower => f.write_str("lower"),
            Self::Higher => f.write_str("higher"),
            // Three digits are enough for a coverage such as erf(1/√2).
            Self::Target(aim) => write!(f, "near {}", (aim * 1e3).round() / 1e3),
        }
    }
}

/// What a metric may need besides predictions and outcomes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoreContext {
    /// Smallest and largest target of the whole dataset, in the units of the predictions.
    pub target_range: Option<(f64, f64)>,
    /// Distance of neighbouring values of a discrete or rounded target, in the units of the
    /// predictions.
    pub target_resolution: Option<f64>,
    /// Wall time of the fit, in seconds.
    pub fit_seconds: Option<f64>,
    /// Wall time of the prediction, in seconds.
    pub predict_seconds: Option<f64>,
    /// Processor time of the fit, in seconds.
    pub fit_cpu_seconds: Option<f64>,
    /// Processor time of the prediction, in seconds.
    pub predict_cpu_seconds: Option<f64>,
    /// Processor time of this reading's prediction and central 95 % intervals, in seconds.
    pub interval_cpu_seconds: Option<f64>,
    /// Largest resident memory of the process by the end of the trial, in bytes.
    pub peak_memory: Option<u64>,
    /// The test rows' only feature, n, where there is only one.
    pub x: Option<Array1<f64>>,
    /// What is known of each test row.
    pub facts: RowFacts,
}

/// What is known of each of the n test rows besides features and outcome.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowFacts {
    /// Index of the region of feature space that the row falls in, n, whole numbers from 0; `None`
    /// for a trial that was stored before regions were.
    pub region: Option<Array1<f64>>,
    /// True standard deviation of the noise, n, in the units of the predictions; `None` where it is
    /// unknown, or where the test rows have none.
    pub noise: Option<Array1<f64>>,
    /// Noise-free truth, n, in the units of the predictions; `None` where it is unknown, or is the
    /// outcome itself.
    pub truth: Option<Array1<f64>>,
    /// Density of the training inputs at each row, n, up to a common factor; `None` where it is
    /// unknown.
    pub density: Option<Array1<f64>>,
}

/// Which skill against a reference a score has; `stats::skill` computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkillKind {
    /// The relative reduction of the reference's mean score, for scores whose perfect value is 0.
    Share,
    /// The gain in the mean score, for log scores, which have no perfect value and whose zero
    /// depends on the unit.
    Nats,
}

/// A score of n predictive distributions against n outcomes.
///
/// A metric is a struct whose fields are its parameters. It states its [`Properties`] and computes
/// its score. The methods after `width_of` read the properties.
///
/// ```
/// use ndarray::array;
/// use uq_core::metrics::{Crps, Metric, ScoreContext};
/// use uq_core::predictive::{Form, Gaussian, Predictive};
///
/// let normal = Gaussian { mean: array![1.0], variance: array![4.0] };
/// let predictive = Predictive::new(Form::Gaussian(normal));
/// let score = Crps.score(&predictive, array![1.0].view(), &ScoreContext::default());
/// // At the mean of a normal distribution the CRPS is (√2 − 1)/√π standard deviations.
/// let expected = 2.0 * (2.0_f64.sqrt() - 1.0) / std::f64::consts::PI.sqrt();
/// assert!(score.is_some_and(|score| (score - expected).abs() < 1e-12));
/// ```
pub trait Metric {
    /// What is known of it before anything is scored.
    fn properties(&self) -> Properties;

    /// The parameters in the order of the text form, to be read or set.
    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        Vec::new()
    }

    /// Raised whenever the same input would give another score.
    fn version(&self) -> u32 {
        1
    }

    /// The score; `None` where it is undefined, where there is no row, and where any number is not
    /// finite. Only the log score of an outcome with probability zero is infinite.
    ///
    /// # Panics
    /// If `y` does not have one outcome for each point.
    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64>;

    /// Whether it measures the machine: time or memory, which no two runs share.
    fn is_cost(&self) -> bool {
        false
    }

    /// The level of the central interval whose width the score is; `None` for any other score. Such
    /// a score means nothing without the coverage at the level.
    fn width_of(&self) -> Option<f64> {
        None
    }

    /// The name without parameters, as a benchmark file has it.
    fn name(&self) -> &'static str {
        self.properties().name
    }

    /// Which scores are better.
    fn direction(&self) -> Direction {
        self.properties().direction
    }

    /// The heading of a table's column or a figure's axis.
    fn label(&self) -> String {
        self.properties().label
    }

    /// The score's unit, given the target's; empty where there is none.
    fn unit(&self, target_unit: &str) -> String {
        self.properties().unit.resolve(target_unit)
    }

    /// Whether it is made of log densities of the outcomes: their mean, or their sum with the other
    /// sign.
    fn is_density(&self) -> bool {
        self.properties().quantities.contains(&Quantity::LogDensity)
    }

    /// The kind of its skill.
    fn skill(&self) -> Option<SkillKind> {
        self.properties().skill
    }

    /// The tolerance δ, in units of the score, within which a mean is close to the value `printed`
    /// of test sets of `rows` rows.
    fn tolerance(&self, printed: f64, rows: f64) -> f64 {
        self.properties().tolerance.margin(printed, rows)
    }
}

/// The mean of `loss(row, y)` over the rows; `None` for no row, or where any outcome or loss is not
/// a finite number.
///
/// # Panics
/// If `y` does not have one outcome for each point.
pub fn mean_over_rows(
    predictive: &Predictive,
    y: ArrayView1<f64>,
    loss: impl Fn(usize, f64) -> Option<f64>,
) -> Option<f64> {
    let losses = row_losses(predictive, y, loss)?;
    finite(losses.iter().sum::<f64>() / losses.len() as f64)
}

/// `loss(row, y)` of each row; `None` for no row, or where any outcome or loss is not a finite
/// number.
pub(super) fn row_losses(
    predictive: &Predictive,
    y: ArrayView1<f64>,
    loss: impl Fn(usize, f64) -> Option<f64>,
) -> Option<Vec<f64>> {
    assert_eq!(predictive.len(), y.len(), "a score needs one outcome for each point");
    if y.is_empty() {
        return None;
    }
    y.iter().enumerate().map(|(i, &y)| loss(i, finite(y)?).and_then(finite)).collect()
}

/// The number if it is finite.
pub(super) fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}
