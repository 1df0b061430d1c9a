//! List the metrics with their parameters.

use ndarray::ArrayView1;
use serde::{Deserialize, Serialize};

use super::calibration::PitCalibration;
use super::conditional::{CoverageByNoise, CoverageByRegion, CoverageByWidth};
use super::cost::{FitCpuSeconds, FitSeconds, IntervalCpuSeconds, PeakMemory, PredictSeconds};
use super::fold::MaxFoldMse;
use super::interval::{IntervalScore, Mpiw, MpiwRange, Picp, SigmaCoverage};
use super::local::{MeanVariance, NoiseAccuracy, Roughness, TruthMse, VariancePart, VarianceRatio};
use super::point::{Mae, Mse, Rmse};
use super::probabilistic::{Crps, DiscretisedLogScore, LogLikelihood, Nlpd, Pinball, Sharpness};
use super::{Direction, Metric, ScoreContext};
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
    /// `nlpd`: sum of the negative log densities over the test rows.
    Nlpd,
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
    /// `discretised-log-score`: mean log probability of the cell of a rounded outcome.
    DiscretisedLogScore,
    /// `pinball(level=0.95)`: mean pinball loss of a quantile.
    Pinball {
        /// Probability of the quantile, in (0, 1).
        level: f64,
    },
    /// `sharpness`: mean predictive standard deviation.
    Sharpness,
    /// `pit-calibration`: distance of the probability integral transform from uniform.
    PitCalibration,
    /// `coverage-by-width(level=0.95,groups=10)`: largest coverage error over groups of rows of similar width.
    CoverageByWidth {
        /// Probability of the interval, in (0, 1).
        level: f64,
        /// Number of groups, at least 1.
        groups: usize,
    },
    /// `coverage-by-region(level=0.95)`: largest coverage error over regions of feature space.
    CoverageByRegion {
        /// Probability of the interval, in (0, 1).
        level: f64,
    },
    /// `coverage-by-noise(level=0.95,groups=10)`: largest coverage error over groups of rows of similar true noise.
    CoverageByNoise {
        /// Probability of the interval, in (0, 1).
        level: f64,
        /// Number of groups, at least 1.
        groups: usize,
    },
    /// `truth-mse`: mean squared error of the predictive mean against the noise-free truth.
    TruthMse,
    /// `noise-accuracy(factor=1.5)`: share of rows whose predictive standard deviation is near the noise's true one.
    NoiseAccuracy {
        /// How far off it may be, as a factor above 1.
        factor: f64,
    },
    /// `variance-ratio(part=total,low=-1,high=1)`: mean variance on an interval of x by that elsewhere.
    VarianceRatio {
        /// Which variance: `total`, `aleatoric` or `epistemic`.
        part: VariancePart,
        /// Lower end of the interval.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// `roughness(low=-6,high=6)`: second differences of the predictive mean on an interval of x by those of the truth.
    Roughness {
        /// Lower end of the interval.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// `mean-variance(part=total)`: mean variance over the test rows.
    MeanVariance {
        /// Which variance: `total`, `aleatoric` or `epistemic`.
        part: VariancePart,
    },
    /// `fit-seconds`: wall time of the fit.
    FitSeconds,
    /// `predict-seconds`: wall time of the prediction.
    PredictSeconds,
    /// `fit-cpu-seconds`: processor time of the fit.
    FitCpuSeconds,
    /// `interval-cpu-seconds`: processor time of one reading's prediction and intervals.
    IntervalCpuSeconds,
    /// `peak-memory`: largest resident memory.
    PeakMemory,
}

impl MetricId {
    /// Every metric with its default parameters, in the order of a listing.
    pub fn all() -> [Self; 29] {
        let level = 0.95;
        [
            Self::Rmse,
            Self::Mse,
            Self::Mae,
            Self::LogLikelihood,
            Self::Nlpd,
            Self::Crps,
            Self::Picp { level },
            Self::Mpiw { level },
            Self::MpiwRange { level },
            Self::IntervalScore { level },
            Self::MaxFoldMse { folds: 100 },
            Self::SigmaCoverage { k: 1.0 },
            Self::DiscretisedLogScore,
            Self::Pinball { level },
            Self::Sharpness,
            Self::PitCalibration,
            Self::CoverageByWidth { level, groups: 10 },
            Self::CoverageByRegion { level },
            Self::CoverageByNoise { level, groups: 10 },
            Self::TruthMse,
            Self::NoiseAccuracy { factor: 1.5 },
            Self::VarianceRatio { part: VariancePart::Total, low: -1.0, high: 1.0 },
            Self::Roughness { low: -6.0, high: 6.0 },
            Self::MeanVariance { part: VariancePart::Total },
            Self::FitSeconds,
            Self::PredictSeconds,
            Self::FitCpuSeconds,
            Self::IntervalCpuSeconds,
            Self::PeakMemory,
        ]
    }

    /// What every trial is scored by as it finishes, whatever its benchmark asks: methods are compared by these.
    pub fn standard() -> [Self; 4] {
        [Self::Crps, Self::Rmse, Self::Picp { level: 0.95 }, Self::LogLikelihood]
    }

    /// The name without parameters.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rmse => "rmse",
            Self::Mse => "mse",
            Self::Mae => "mae",
            Self::LogLikelihood => "log-likelihood",
            Self::Nlpd => "nlpd",
            Self::Crps => "crps",
            Self::Picp { .. } => "picp",
            Self::Mpiw { .. } => "mpiw",
            Self::MpiwRange { .. } => "mpiw-range",
            Self::IntervalScore { .. } => "interval-score",
            Self::MaxFoldMse { .. } => "max-fold-mse",
            Self::SigmaCoverage { .. } => "sigma-coverage",
            Self::DiscretisedLogScore => "discretised-log-score",
            Self::Pinball { .. } => "pinball",
            Self::Sharpness => "sharpness",
            Self::PitCalibration => "pit-calibration",
            Self::CoverageByWidth { .. } => "coverage-by-width",
            Self::CoverageByRegion { .. } => "coverage-by-region",
            Self::CoverageByNoise { .. } => "coverage-by-noise",
            Self::TruthMse => "truth-mse",
            Self::NoiseAccuracy { .. } => "noise-accuracy",
            Self::VarianceRatio { .. } => "variance-ratio",
            Self::Roughness { .. } => "roughness",
            Self::MeanVariance { .. } => "mean-variance",
            Self::FitSeconds => "fit-seconds",
            Self::PredictSeconds => "predict-seconds",
            Self::FitCpuSeconds => "fit-cpu-seconds",
            Self::IntervalCpuSeconds => "interval-cpu-seconds",
            Self::PeakMemory => "peak-memory",
        }
    }

    /// Name and version, under which a score is cached: `crps@1`.
    pub fn versioned(&self) -> String {
        format!("{self}@{}", self.version())
    }

    /// Whether it measures the machine: time or memory, which no two runs share.
    pub fn is_cost(&self) -> bool {
        matches!(
            self,
            Self::FitSeconds | Self::PredictSeconds | Self::FitCpuSeconds | Self::IntervalCpuSeconds | Self::PeakMemory
        )
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

    /// The score; `None` where it is undefined, where there is no row, and where any number is not finite. Only the log
    /// score of an outcome without probability is infinite.
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
            Self::Nlpd => Box::new(Nlpd),
            Self::Crps => Box::new(Crps),
            Self::Picp { level } => Box::new(Picp { level }),
            Self::Mpiw { level } => Box::new(Mpiw { level }),
            Self::MpiwRange { level } => Box::new(MpiwRange { level }),
            Self::IntervalScore { level } => Box::new(IntervalScore { level }),
            Self::MaxFoldMse { folds } => Box::new(MaxFoldMse { folds }),
            Self::SigmaCoverage { k } => Box::new(SigmaCoverage { k }),
            Self::DiscretisedLogScore => Box::new(DiscretisedLogScore),
            Self::Pinball { level } => Box::new(Pinball { level }),
            Self::Sharpness => Box::new(Sharpness),
            Self::PitCalibration => Box::new(PitCalibration),
            Self::CoverageByWidth { level, groups } => Box::new(CoverageByWidth { level, groups }),
            Self::CoverageByRegion { level } => Box::new(CoverageByRegion { level }),
            Self::CoverageByNoise { level, groups } => Box::new(CoverageByNoise { level, groups }),
            Self::TruthMse => Box::new(TruthMse),
            Self::NoiseAccuracy { factor } => Box::new(NoiseAccuracy { factor }),
            Self::Roughness { low, high } => Box::new(Roughness { low, high }),
            Self::VarianceRatio { part, low, high } => Box::new(VarianceRatio { part, low, high }),
            Self::MeanVariance { part } => Box::new(MeanVariance { part }),
            Self::FitSeconds => Box::new(FitSeconds),
            Self::PredictSeconds => Box::new(PredictSeconds),
            Self::FitCpuSeconds => Box::new(FitCpuSeconds),
            Self::IntervalCpuSeconds => Box::new(IntervalCpuSeconds),
            Self::PeakMemory => Box::new(PeakMemory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_follow_the_target() {
        assert_eq!(MetricId::Mse.unit("m"), "m²");
        assert_eq!(MetricId::Mse.unit("m/s"), "(m/s)²");
        assert_eq!(MetricId::Mse.unit(""), "");
        assert_eq!(MetricId::Crps.unit("MPa"), "MPa");
        assert_eq!(MetricId::Picp { level: 0.9 }.unit("MPa"), "");
        assert_eq!(MetricId::FitSeconds.unit("MPa"), "s");
        assert_eq!(MetricId::Pinball { level: 0.9 }.unit("MPa"), "MPa");
        assert_eq!(MetricId::DiscretisedLogScore.unit("MPa"), "nat");
        assert_eq!(MetricId::PeakMemory.unit("MPa"), "MiB");
    }
}
