//! Score intervals: central ones, from quantile (1 − level)/2 to (1 + level)/2, and bands about the
//! mean.

use std::f64::consts::FRAC_1_SQRT_2;

use ndarray::ArrayView1;

use super::{
    Direction, Metric, Parameter, Properties, ScoreContext, SkillKind, Tolerance, Unit, finite,
    mean_over_rows,
};
use crate::math::erf::erf;
use crate::predictive::{Predictive, Quantity, central_levels};

/// Both ends of the central interval.
pub(super) fn interval_ends(level: f64) -> Vec<Quantity> {
    let (lower, upper) = central_levels(level);
    vec![Quantity::Quantile(lower), Quantity::Quantile(upper)]
}

/// A level as it stands in headings and sentences: `95 %`.
pub fn percent(level: f64) -> String {
    // Rounded, because 0.07 × 100 is not 7 in floating point.
    format!("{} %", (level * 1e10).round() / 1e8)
}

/// Coverage (prediction interval coverage probability): the share of the outcomes in their central
/// interval, ends included.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Picp {
    /// Probability of the interval, in (0, 1).
    pub level: f64,
}

impl Metric for Picp {
    fn properties(&self) -> Properties {
        Properties {
            name: "picp",
            label: format!("PICP ({})", percent(self.level)),
            direction: Direction::Target(self.level),
            unit: Unit::None,
            quantities: interval_ends(self.level),
            skill: None,
            tolerance: Tolerance::Fixed(0.02),
            definition: "prediction interval coverage probability: the share of outcomes with l <= \
                         y <= u, [l, u] the central interval of the level. Khosravi, Nahavandi, \
                         Creighton & Atiya (2011), IEEE Trans. Neural Networks 22(3).",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level)]
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| {
            let (lower, upper) = predictive.interval(i, self.level)?;
            Some(f64::from(lower <= y && y <= upper))
        })
    }
}

/// Mean width of the central interval.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Mpiw {
    /// Probability of the interval, in (0, 1).
    pub level: f64,
}

impl Metric for Mpiw {
    fn properties(&self) -> Properties {
        Properties {
            name: "mpiw",
            label: format!("MPIW ({})", percent(self.level)),
            direction: Direction::Lower,
            unit: Unit::Target,
            quantities: interval_ends(self.level),
            skill: None,
            tolerance: Tolerance::Share(0.10),
            definition: "mean prediction interval width: mean (u - l), [l, u] the central interval \
                         of the level; to be read beside PICP. Khosravi, Nahavandi, Creighton & \
                         Atiya (2011), IEEE Trans. Neural Networks 22(3).",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level)]
    }

    fn width_of(&self) -> Option<f64> {
        Some(self.level)
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, _| {
            predictive.interval(i, self.level).map(|(lower, upper)| upper - lower)
        })
    }
}

/// Mean width of the central interval as a share of the target's range.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct MpiwRange {
    /// Probability of the interval, in (0, 1).
    pub level: f64,
}

impl Metric for MpiwRange {
    fn properties(&self) -> Properties {
        Properties {
            name: "mpiw-range",
            label: format!("MPIW by range ({})", percent(self.level)),
            direction: Direction::Lower,
            unit: Unit::None,
            quantities: interval_ends(self.level),
            skill: None,
            tolerance: Tolerance::Share(0.10),
            definition: "MPIW divided by the range (max - min) of the whole dataset's target; \
                         undefined for a constant target. Khosravi, Nahavandi, Creighton & Atiya \
                         (2011), IEEE Trans. Neural Networks 22(3) (as NMPIW).",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level)]
    }

    fn width_of(&self) -> Option<f64> {
        Some(self.level)
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        let width = Mpiw { level: self.level }.score(predictive, y, context)?;
        let (smallest, largest) = context.target_range?;
        finite(width / (largest - smallest)).filter(|_| largest > smallest)
    }
}

/// Mean interval score.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct IntervalScore {
    /// Probability of the interval, in (0, 1).
    pub level: f64,
}

impl Metric for IntervalScore {
    fn properties(&self) -> Properties {
        Properties {
            name: "interval-score",
            label: format!("Interval score ({})", percent(self.level)),
            direction: Direction::Lower,
            unit: Unit::Target,
            quantities: interval_ends(self.level),
            skill: Some(SkillKind::Share),
            tolerance: Tolerance::Share(0.10),
            definition: "mean of (u - l) + 2/a (l - y) 1{y < l} + 2/a (y - u) 1{y > u}, [l, u] the \
                         central interval of the level, a = 1 - level. Gneiting & Raftery (2007), \
                         JASA 102, eq. (43).",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level)]
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| {
            let (lower, upper) = predictive.interval(i, self.level)?;
            let outside = (lower - y).max(0.0) + (y - upper).max(0.0);
            Some(upper - lower + 2.0 / (1.0 - self.level) * outside)
        })
    }
}

/// Share of the outcomes within k standard deviations of the mean.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct SigmaCoverage {
    /// Half the band's width in standard deviations, above 0.
    pub k: f64,
}

impl Metric for SigmaCoverage {
    fn properties(&self) -> Properties {
        Properties {
            name: "sigma-coverage",
            label: format!("Coverage of mean ± {} sd", self.k),
            // The coverage that a normal distribution has.
            direction: Direction::Target(erf(self.k * FRAC_1_SQRT_2)),
            unit: Unit::None,
            quantities: vec![Quantity::Mean, Quantity::Variance],
            skill: None,
            tolerance: Tolerance::Fixed(0.02),
            definition: "the share of outcomes with |y - m| <= k s, m and s the predictive mean \
                         and standard deviation; the target is a normal distribution's coverage, \
                         erf(k / sqrt 2).",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::number("k", &mut self.k, "a number above 0", |k| k.is_finite() && k > 0.0)]
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| {
            let (lower, upper) = predictive.sigma_interval(i, self.k)?;
            Some(f64::from(lower <= y && y <= upper))
        })
    }
}
