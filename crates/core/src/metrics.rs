//! Score predictive distributions against outcomes. Each metric is one struct, with its definition,
//! direction and unit.
//!
//! To add a metric: write a struct that implements [`Metric`], in the file of its family or in a
//! new one, and add its line to the list below.

mod bound;
mod calibration;
mod conditional;
mod cost;
mod crps_part;
mod fold;
mod follows;
mod id;
mod interval;
mod metric;
mod optimisation;
mod parameter;
mod point;
mod probabilistic;
mod properties;
mod references;
mod text;
mod threshold_weighted;
mod truth;
mod variance;

pub use crps_part::DecompositionPart;
pub use follows::{Truth, Uncertainty};
pub use interval::percent;
pub use metric::{Direction, Metric, RowFacts, ScoreContext, SkillKind, mean_over_rows};
pub use parameter::Parameter;
pub use probabilistic::{impossible_rows, unbounded_rows};
pub use properties::{Properties, Tolerance, Unit};
pub use references::{Publication, publications};
pub use text::ParseMetricError;
pub use threshold_weighted::Tail;
pub use variance::VariancePart;

use crate::predictive::Side;
use metric::{finite, row_losses};

// Every metric with the defaults of its parameters, in the order of a listing.
id::metrics! {
    point::Rmse,
    point::Mse,
    point::Mae,
    point::NormalisedRmse,
    point::RmseOfDraws,
    probabilistic::LogLikelihood,
    probabilistic::Nlpd,
    probabilistic::Crps,
    crps_part::CrpsPart { part: DecompositionPart::Miscalibration },
    threshold_weighted::ThresholdWeightedCrps { threshold: 0.75, tail: Tail::Upper },
    interval::Picp { level: 0.95 },
    interval::Mpiw { level: 0.95 },
    interval::MpiwRange { level: 0.95 },
    interval::IntervalScore { level: 0.95 },
    bound::BoundCoverage { level: 0.95, side: Side::Upper },
    bound::BoundDistance { level: 0.95, side: Side::Upper },
    fold::MaxFoldMse { folds: 100 },
    interval::SigmaCoverage { k: 1.0 },
    probabilistic::DiscretisedLogScore,
    probabilistic::Pinball { level: 0.95 },
    probabilistic::Sharpness,
    calibration::PitCalibration,
    conditional::CoverageByWidth { level: 0.95, groups: 10 },
    conditional::CoverageByRegion { level: 0.95 },
    conditional::CoverageByNoise { level: 0.95, groups: 10 },
    truth::TruthMse,
    truth::NoiseAccuracy { factor: 1.5 },
    variance::VarianceRatio { part: VariancePart::Total, low: -1.0, high: 1.0 },
    follows::Follows { uncertainty: Uncertainty::Total, truth: Truth::Density },
    truth::Roughness { low: -6.0, high: 6.0 },
    variance::MeanVariance { part: VariancePart::Total },
    optimisation::BestValue,
    optimisation::SimpleRegret,
    cost::FitSeconds,
    cost::PredictSeconds,
    cost::FitCpuSeconds,
    cost::PredictCpuSeconds,
    cost::IntervalCpuSeconds,
    cost::PeakMemory,
}

#[cfg(test)]
mod tests;
