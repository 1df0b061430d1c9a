//! Score intervals: central ones, from quantile (1 − level)/2 to (1 + level)/2, and bands about the mean.

use std::f64::consts::FRAC_1_SQRT_2;

use ndarray::ArrayView1;

use super::{Direction, Metric, Parameter, ScoreContext, SkillKind, finite, mean_over_rows};
use crate::math::erf::erf;
use crate::predictive::{Exactness, Form, Predictive, Quantity, central_levels};

/// Exactness of both ends of the central interval.
pub(super) fn interval_exactness(form: &Form, level: f64) -> Exactness {
    let (lower, upper) = central_levels(level);
    let of = |level| form.distribution().exactness(Quantity::Quantile(level));
    of(lower).and(of(upper))
}

/// A level as it stands in headings and sentences: `95 %`.
pub fn percent(level: f64) -> String {
    // Rounded, because 0.07 × 100 is not 7 in floating point.
    format!("{} %", (level * 1e10).round() / 1e8)
}

/// Share of the outcomes in their central interval, ends included.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Picp {
    /// Probability of the interval, in (0, 1).
    pub level: f64,
}

impl Metric for Picp {
    fn name(&self) -> &'static str {
        "picp"
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level)]
    }

    fn direction(&self) -> Direction {
        Direction::Target(self.level)
    }

    fn label(&self) -> String {
        format!("PICP ({})", percent(self.level))
    }

    fn definition(&self) -> &'static str {
        "prediction interval coverage probability: the share of outcomes with l <= y <= u, [l, u] the central interval of \
         the level. Khosravi, Nahavandi, Creighton & Atiya (2011), IEEE Trans. Neural Networks 22(3)."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| {
            let (lower, upper) = predictive.interval(i, self.level)?;
            Some(f64::from(lower <= y && y <= upper))
        })
    }

    fn exactness(&self, form: &Form) -> Exactness {
        interval_exactness(form, self.level)
    }

    fn tolerance(&self, _: f64, _: f64) -> f64 {
        0.02
    }
}

/// Mean width of the central interval.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Mpiw {
    /// Probability of the interval, in (0, 1).
    pub level: f64,
}

impl Metric for Mpiw {
    fn name(&self) -> &'static str {
        "mpiw"
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level)]
    }

    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        format!("MPIW ({})", percent(self.level))
    }

    fn unit(&self, target_unit: &str) -> String {
        target_unit.into()
    }

    fn definition(&self) -> &'static str {
        "mean prediction interval width: mean (u - l), [l, u] the central interval of the level; to be read beside PICP. \
         Khosravi, Nahavandi, Creighton & Atiya (2011), IEEE Trans. Neural Networks 22(3)."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, _| predictive.interval(i, self.level).map(|(lower, upper)| upper - lower))
    }

    fn exactness(&self, form: &Form) -> Exactness {
        interval_exactness(form, self.level)
    }

    fn tolerance(&self, printed: f64, _: f64) -> f64 {
        0.10 * printed.abs()
    }

    fn width_of(&self) -> Option<f64> {
        Some(self.level)
    }
}

/// Mean width of the central interval as a share of the target's range.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct MpiwRange {
    /// Probability of the interval, in (0, 1).
    pub level: f64,
}

impl Metric for MpiwRange {
    fn name(&self) -> &'static str {
        "mpiw-range"
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level)]
    }

    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        format!("MPIW by range ({})", percent(self.level))
    }

    fn definition(&self) -> &'static str {
        "MPIW divided by the range (max - min) of the whole dataset's target; undefined for a constant target. Khosravi, \
         Nahavandi, Creighton & Atiya (2011), IEEE Trans. Neural Networks 22(3) (as NMPIW)."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        let width = Mpiw { level: self.level }.score(predictive, y, context)?;
        let (smallest, largest) = context.target_range?;
        finite(width / (largest - smallest)).filter(|_| largest > smallest)
    }

    fn exactness(&self, form: &Form) -> Exactness {
        interval_exactness(form, self.level)
    }

    fn tolerance(&self, printed: f64, _: f64) -> f64 {
        0.10 * printed.abs()
    }

    fn width_of(&self) -> Option<f64> {
        Some(self.level)
    }
}

/// Mean interval score.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct IntervalScore {
    /// Probability of the interval, in (0, 1).
    pub level: f64,
}

impl Metric for IntervalScore {
    fn name(&self) -> &'static str {
        "interval-score"
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level)]
    }

    fn direction(&self) -> Direction {
        Direction::Lower
    }

    fn label(&self) -> String {
        format!("Interval score ({})", percent(self.level))
    }

    fn unit(&self, target_unit: &str) -> String {
        target_unit.into()
    }

    fn definition(&self) -> &'static str {
        "mean of (u - l) + 2/a (l - y) 1{y < l} + 2/a (y - u) 1{y > u}, [l, u] the central interval of the level, \
         a = 1 - level. Gneiting & Raftery (2007), JASA 102, eq. (43)."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| {
            let (lower, upper) = predictive.interval(i, self.level)?;
            let outside = (lower - y).max(0.0) + (y - upper).max(0.0);
            Some(upper - lower + 2.0 / (1.0 - self.level) * outside)
        })
    }

    fn exactness(&self, form: &Form) -> Exactness {
        interval_exactness(form, self.level)
    }

    fn skill(&self) -> Option<SkillKind> {
        Some(SkillKind::Share)
    }
}

/// Share of the outcomes within k standard deviations of the mean.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct SigmaCoverage {
    /// Half the band's width in standard deviations, above 0.
    pub k: f64,
}

impl Metric for SigmaCoverage {
    fn name(&self) -> &'static str {
        "sigma-coverage"
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::number("k", &mut self.k, "a number above 0", |k| k.is_finite() && k > 0.0)]
    }

    /// The coverage that a normal distribution has.
    fn direction(&self) -> Direction {
        Direction::Target(erf(self.k * FRAC_1_SQRT_2))
    }

    fn label(&self) -> String {
        format!("Coverage of mean ± {} sd", self.k)
    }

    fn definition(&self) -> &'static str {
        "the share of outcomes with |y - m| <= k s, m and s the predictive mean and standard deviation; the target is a \
         normal distribution's coverage, erf(k / sqrt 2)."
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| {
            let (lower, upper) = predictive.sigma_interval(i, self.k)?;
            Some(f64::from(lower <= y && y <= upper))
        })
    }

    fn exactness(&self, form: &Form) -> Exactness {
        form.distribution().exactness(Quantity::Mean).and(form.distribution().exactness(Quantity::Variance))
    }

    fn tolerance(&self, _: f64, _: f64) -> f64 {
        0.02
    }
}
