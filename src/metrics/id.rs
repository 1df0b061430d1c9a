//! Name metrics with their parameters, as text that a benchmark file or a command line holds: `picp(level=0.95)`.

use std::fmt;
use std::str::FromStr;

use ndarray::ArrayView1;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::fold::MaxFoldMse;
use super::interval::{IntervalScore, Mpiw, MpiwRange, Picp, SigmaCoverage};
use super::point::{Mae, Mse, Rmse};
use super::probabilistic::{Crps, LogLikelihood};
use super::time::{FitSeconds, PredictSeconds};
use super::{Direction, Metric, ScoreContext};
use crate::data::{did_you_mean, nearest_name};
use crate::predictive::{Exactness, Form, Predictive};

/// A metric with its parameters. Text form: the name, and the parameters in parentheses where it has any.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum MetricId {
    /// `rmse`: root of the mean squared error of the predictive mean.
    Rmse,
    /// `mse`: mean squared error of the predictive mean.
    Mse,
    /// `mae`: mean absolute error of the predictive mean.
    Mae,
    /// `log-likelihood`: mean log density per test point.
    LogLikelihood,
    /// `crps`: mean continuous ranked probability score.
    Crps,
    /// `picp(level=0.95)`: coverage of the central interval.
    Picp {
        /// Probability of the interval, in (0, 1).
        level: f64,
    },
    /// `mpiw(level=0.95)`: mean width of the central interval.
    Mpiw {
        /// Probability of the interval, in (0, 1).
        level: f64,
    },
    /// `mpiw-range(level=0.95)`: the same by the range of the dataset's target.
    MpiwRange {
        /// Probability of the interval, in (0, 1).
        level: f64,
    },
    /// `interval-score(level=0.95)`: mean interval score.
    IntervalScore {
        /// Probability of the interval, in (0, 1).
        level: f64,
    },
    /// `max-fold-mse(folds=100)`: largest mean squared error over bins of the target-sorted rows.
    MaxFoldMse {
        /// Number of bins, at least 1.
        folds: usize,
    },
    /// `sigma-coverage(k=1)`: coverage of the band mean ± k standard deviations.
    SigmaCoverage {
        /// Half the band's width in standard deviations, above 0.
        k: f64,
    },
    /// `fit-seconds`: wall time of the fit.
    FitSeconds,
    /// `predict-seconds`: wall time of the prediction.
    PredictSeconds,
}

/// Why a text names no metric.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParseMetricError {
    /// No metric has this name.
    #[error("there is no metric `{found}`{}; `uqbench list metrics` shows them all", did_you_mean(nearest))]
    UnknownName {
        /// The name.
        found: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// The metric has no such parameter, or the text is not of the form `name(parameter=value)`.
    #[error("metric '{found}': expected the form '{expected}'")]
    Form {
        /// The text.
        found: String,
        /// The metric with its default parameters.
        expected: MetricId,
    },
    /// The parameter's value is no number or out of range.
    #[error("metric '{metric}': {parameter} is '{found}', expected {expected}")]
    Value {
        /// The metric's name.
        metric: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The value.
        found: String,
        /// The range.
        expected: &'static str,
    },
}

impl MetricId {
    /// Every metric with its default parameters, in the order of a listing.
    pub fn all() -> [Self; 13] {
        let level = 0.95;
        [
            Self::Rmse,
            Self::Mse,
            Self::Mae,
            Self::LogLikelihood,
            Self::Crps,
            Self::Picp { level },
            Self::Mpiw { level },
            Self::MpiwRange { level },
            Self::IntervalScore { level },
            Self::MaxFoldMse { folds: 100 },
            Self::SigmaCoverage { k: 1.0 },
            Self::FitSeconds,
            Self::PredictSeconds,
        ]
    }

    /// The name without parameters.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rmse => "rmse",
            Self::Mse => "mse",
            Self::Mae => "mae",
            Self::LogLikelihood => "log-likelihood",
            Self::Crps => "crps",
            Self::Picp { .. } => "picp",
            Self::Mpiw { .. } => "mpiw",
            Self::MpiwRange { .. } => "mpiw-range",
            Self::IntervalScore { .. } => "interval-score",
            Self::MaxFoldMse { .. } => "max-fold-mse",
            Self::SigmaCoverage { .. } => "sigma-coverage",
            Self::FitSeconds => "fit-seconds",
            Self::PredictSeconds => "predict-seconds",
        }
    }

    /// Name and version, under which a score is cached: `crps@1`.
    pub fn versioned(&self) -> String {
        format!("{self}@{}", self.version())
    }

    /// Raised whenever the same input would give another score.
    pub fn version(&self) -> u32 {
        self.metric().version()
    }

    /// Which scores are better.
    pub fn direction(&self) -> Direction {
        self.metric().direction()
    }

    /// The heading of a table's column or a figure's axis.
    pub fn label(&self) -> String {
        self.metric().label()
    }

    /// The score's unit, given the target's; empty where there is none.
    pub fn unit(&self, target_unit: &str) -> String {
        self.metric().unit(target_unit)
    }

    /// Formula and literature.
    pub fn definition(&self) -> &'static str {
        self.metric().definition()
    }

    /// The score; `None` where it is undefined, where there is no row, and where any number is not finite.
    ///
    /// # Panics
    /// If `y` does not have one outcome a point.
    pub fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        self.metric().score(predictive, y, context)
    }

    /// Whether the score of a form is exact, approximate (and how) or undefined.
    pub fn exactness(&self, form: &Form) -> Exactness {
        self.metric().exactness(form)
    }

    /// What computes the score.
    fn metric(&self) -> Box<dyn Metric> {
        match *self {
            Self::Rmse => Box::new(Rmse),
            Self::Mse => Box::new(Mse),
            Self::Mae => Box::new(Mae),
            Self::LogLikelihood => Box::new(LogLikelihood),
            Self::Crps => Box::new(Crps),
            Self::Picp { level } => Box::new(Picp { level }),
            Self::Mpiw { level } => Box::new(Mpiw { level }),
            Self::MpiwRange { level } => Box::new(MpiwRange { level }),
            Self::IntervalScore { level } => Box::new(IntervalScore { level }),
            Self::MaxFoldMse { folds } => Box::new(MaxFoldMse { folds }),
            Self::SigmaCoverage { k } => Box::new(SigmaCoverage { k }),
            Self::FitSeconds => Box::new(FitSeconds),
            Self::PredictSeconds => Box::new(PredictSeconds),
        }
    }

    /// The metric of this name with the given text as its parameter's value.
    fn with_value(self, text: &str) -> Result<Self, ParseMetricError> {
        let metric = self.name();
        let reject = |parameter, expected| ParseMetricError::Value { metric, parameter, found: text.into(), expected };
        let number = text.parse::<f64>().ok();
        let level = || number.filter(|l| *l > 0.0 && *l < 1.0).ok_or(reject("level", "a number between 0 and 1"));
        Ok(match self {
            Self::Picp { .. } => Self::Picp { level: level()? },
            Self::Mpiw { .. } => Self::Mpiw { level: level()? },
            Self::MpiwRange { .. } => Self::MpiwRange { level: level()? },
            Self::IntervalScore { .. } => Self::IntervalScore { level: level()? },
            Self::MaxFoldMse { .. } => {
                let folds = text.parse().ok().filter(|folds| *folds > 0);
                Self::MaxFoldMse { folds: folds.ok_or(reject("folds", "a whole number of at least 1"))? }
            }
            Self::SigmaCoverage { .. } => {
                let k = number.filter(|k| k.is_finite() && *k > 0.0);
                Self::SigmaCoverage { k: k.ok_or(reject("k", "a number above 0"))? }
            }
            plain => plain,
        })
    }

    /// The parameter's name and value, where there is one.
    fn parameter(&self) -> Option<(&'static str, String)> {
        match self {
            Self::Picp { level } | Self::Mpiw { level } | Self::MpiwRange { level } | Self::IntervalScore { level } => {
                Some(("level", level.to_string()))
            }
            Self::MaxFoldMse { folds } => Some(("folds", folds.to_string())),
            Self::SigmaCoverage { k } => Some(("k", k.to_string())),
            _ => None,
        }
    }
}

impl fmt::Display for MetricId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parameter() {
            None => f.write_str(self.name()),
            Some((parameter, value)) => write!(f, "{}({parameter}={value})", self.name()),
        }
    }
}

impl FromStr for MetricId {
    type Err = ParseMetricError;

    /// Reads `name` (with the default parameter) or `name(parameter=value)`; blanks do not matter.
    fn from_str(text: &str) -> Result<Self, ParseMetricError> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (name, arguments) = match compact.split_once('(') {
            None => (compact.as_str(), None),
            Some((name, arguments)) => (name, Some(arguments)),
        };
        let Some(metric) = Self::all().into_iter().find(|metric| metric.name() == name) else {
            let nearest = nearest_name(name, Self::all().iter().map(Self::name));
            return Err(ParseMetricError::UnknownName { found: name.into(), nearest });
        };
        let Some(arguments) = arguments else { return Ok(metric) };
        let value = metric
            .parameter()
            .and_then(|(parameter, _)| arguments.strip_suffix(')')?.strip_prefix(parameter)?.strip_prefix('='));
        match value {
            Some(value) => metric.with_value(value),
            None => Err(ParseMetricError::Form { found: text.into(), expected: metric }),
        }
    }
}

impl From<MetricId> for String {
    fn from(metric: MetricId) -> Self {
        metric.to_string()
    }
}

impl TryFrom<String> for MetricId {
    type Error = ParseMetricError;

    fn try_from(text: String) -> Result<Self, ParseMetricError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_reads_back_as_the_same_metric() {
        for metric in MetricId::all() {
            assert_eq!(metric.to_string().parse(), Ok(metric));
            assert_eq!(metric.name().parse(), Ok(metric), "the bare name has the default parameter");
            let json = serde_json::to_string(&metric).unwrap();
            assert_eq!(json, format!("\"{metric}\""));
            assert_eq!(serde_json::from_str::<MetricId>(&json).unwrap(), metric);
        }
        assert_eq!("picp( level = 0.9 )".parse(), Ok(MetricId::Picp { level: 0.9 }));
        assert_eq!(MetricId::SigmaCoverage { k: 1.0 }.to_string(), "sigma-coverage(k=1)");
        assert_eq!(MetricId::MaxFoldMse { folds: 100 }.label(), "Maximum fold loss (100 folds)");
        assert_eq!(MetricId::Mpiw { level: 0.07 }.label(), "MPIW (7 %)");
        assert_eq!(MetricId::Crps.versioned(), "crps@1");
    }

    #[test]
    fn a_wrong_text_is_told_what_is_expected() {
        let message = |text: &str| text.parse::<MetricId>().unwrap_err().to_string();
        let unknown = message("rsme");
        assert_eq!(unknown, "unknown metric 'rsme'; did you mean 'rmse'? `uqbench list` shows all metrics");
        assert!(message("MPIW-rage(level=0.9)").contains("did you mean 'mpiw-range'"));
        assert_eq!(message("picp(lvl=0.9)"), "metric 'picp(lvl=0.9)': expected the form 'picp(level=0.95)'");
        assert_eq!(message("crps(level=0.9)"), "metric 'crps(level=0.9)': expected the form 'crps'");
        assert!(message("picp(level=0.9").contains("expected the form"));
        assert_eq!(message("picp(level=95)"), "metric 'picp': level is '95', expected a number between 0 and 1");
        assert!(message("max-fold-mse(folds=0)").contains("a whole number of at least 1"));
        assert!(message("sigma-coverage(k=nan)").contains("a number above 0"));
    }

    #[test]
    fn units_follow_the_target() {
        assert_eq!(MetricId::Mse.unit("m"), "m²");
        assert_eq!(MetricId::Mse.unit("m/s"), "(m/s)²");
        assert_eq!(MetricId::Mse.unit(""), "");
        assert_eq!(MetricId::Crps.unit("MPa"), "MPa");
        assert_eq!(MetricId::Picp { level: 0.9 }.unit("MPa"), "");
        assert_eq!(MetricId::FitSeconds.unit("MPa"), "s");
    }
}
