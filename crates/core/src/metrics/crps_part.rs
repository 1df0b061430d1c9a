//! Score a part of the isotonic decomposition of the mean CRPS.

use std::fmt;

use ndarray::ArrayView1;

use super::{Direction, Metric, Parameter, Properties, ScoreContext, Tolerance, Unit, finite};
use crate::crps_decomposition::OrderedForecasts;
use crate::math::random::Streams;
use crate::predictive::{Predictive, Quantity};

/// A part of the mean CRPS, or what it needs to be read.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize)]
pub enum DecompositionPart {
    /// What recalibrated forecasts gain.
    Miscalibration,
    /// The miscalibration of outcomes that are drawn from the forecasts, mean of 20 draws.
    Calibrated,
    /// What recalibrated forecasts gain over the outcomes' own distribution.
    Discrimination,
    /// The CRPS of the outcomes' own distribution.
    Uncertainty,
    /// Share of the pairs of rows whose forecasts are comparable.
    Comparable,
}

impl DecompositionPart {
    /// Every part, in the order of a table.
    pub const ALL: [Self; 5] = [
        Self::Miscalibration,
        Self::Calibrated,
        Self::Discrimination,
        Self::Uncertainty,
        Self::Comparable,
    ];
}

impl fmt::Display for DecompositionPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Miscalibration => "miscalibration",
            Self::Calibrated => "calibrated",
            Self::Discrimination => "discrimination",
            Self::Uncertainty => "uncertainty",
            Self::Comparable => "comparable",
        })
    }
}

/// One part of the isotonic decomposition of the mean CRPS.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct CrpsPart {
    /// Which part.
    pub part: DecompositionPart,
}

impl CrpsPart {
    /// One metric for each part.
    pub fn every() -> [Self; 5] {
        DecompositionPart::ALL.map(|part| Self { part })
    }
}

impl Metric for CrpsPart {
    fn properties(&self) -> Properties {
        let is_share = self.part == DecompositionPart::Comparable;
        Properties {
            name: "crps-part",
            label: match self.part {
                DecompositionPart::Miscalibration => "Miscalibration",
                DecompositionPart::Calibrated => "Miscalibration if calibrated",
                DecompositionPart::Discrimination => "Discrimination",
                DecompositionPart::Uncertainty => "Uncertainty of the outcomes",
                DecompositionPart::Comparable => "Comparable pairs",
            }
            .into(),
            direction: match self.part {
                DecompositionPart::Discrimination | DecompositionPart::Comparable => {
                    Direction::Higher
                }
                _ => Direction::Lower,
            },
            unit: if is_share { Unit::None } else { Unit::Target },
            quantities: vec![Quantity::Crps, Quantity::Quantile(0.5)],
            skill: None,
            tolerance: match self.part {
                DecompositionPart::Calibrated | DecompositionPart::Comparable => Tolerance::None,
                _ => Tolerance::Share(0.10),
            },
            definition: "CRPS = miscalibration - discrimination + uncertainty. Uncertainty: the \
                         CRPS of the empirical distribution of the test outcomes; discrimination: \
                         what recalibrated forecasts gain over it; miscalibration: what they gain \
                         over the forecasts. Recalibrated: isotonic distributional regression of \
                         the test outcomes on the forecasts, compared at 27 quantiles, fitted and \
                         scored on the same rows; so miscalibration is above 0 for calibrated \
                         forecasts, too: part calibrated is its mean over 20 sets of outcomes that \
                         are drawn from the forecasts. Part comparable: the share of pairs of rows \
                         of which no quantile of one exceeds that of the other; where it is small, \
                         miscalibration says little. More than 500 rows that are not all comparable \
                         are recalibrated in random parts. Arnold, Walz, Ziegel & Gneiting (2024), \
                         Decompositions of the mean continuous ranked probability score, Electronic \
                         Journal of Statistics 18.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::choice(
            "part",
            &mut self.part,
            &DecompositionPart::ALL,
            "miscalibration, calibrated, discrimination, uncertainty or comparable",
        )]
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        let forecasts = OrderedForecasts::new(predictive)?;
        let decomposition = forecasts.decompose(y)?;
        finite(match self.part {
            DecompositionPart::Miscalibration => decomposition.miscalibration,
            DecompositionPart::Calibrated => {
                forecasts.calibrated(&Streams::new(0, "crps-part"))?.mean()
            }
            DecompositionPart::Discrimination => decomposition.discrimination,
            DecompositionPart::Uncertainty => decomposition.uncertainty,
            DecompositionPart::Comparable => decomposition.comparable,
        })
    }
}
