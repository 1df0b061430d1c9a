//! Score one bound: the quantile of a level, taken as an upper or as a lower bound of the outcome.
//!
//! The proper score of a bound is the pinball loss of its quantile ([`Pinball`](super::Pinball)).
//! The interval score of probability 1 - a is 2/a times the sum of the pinball losses of its two
//! ends (Bracher, Ray, Gneiting & Reich 2021, PLOS Computational Biology 17(2)), so that the loss
//! of one end is its counterpart for one bound.

use ndarray::ArrayView1;

use super::interval::percent;
use super::{
    Direction, Metric, Parameter, Properties, ScoreContext, Tolerance, Unit, mean_over_rows,
};
use crate::predictive::{Bounds, Predictive, Quantity, Side};

/// The choices of `side`: a central interval has metrics of its own.
const SIDES: &[Side] = &[Side::Upper, Side::Lower];

/// A probability in (1/2, 1).
fn level(level: &mut f64) -> Parameter<'_> {
    Parameter::number("level", level, "a number above 0.5 and below 1", |level| {
        level > 0.5 && level < 1.0
    })
}

/// Share of the outcomes within their bound.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct BoundCoverage {
    /// Probability of the bound, in (1/2, 1).
    pub level: f64,
    /// Which bound: upper or lower.
    pub side: Side,
}

impl BoundCoverage {
    fn bounds(&self) -> Bounds {
        Bounds { level: self.level, side: self.side }
    }
}

impl Metric for BoundCoverage {
    fn properties(&self) -> Properties {
        Properties {
            name: "bound-coverage",
            label: format!("Coverage of the {} bound ({})", self.side, percent(self.level)),
            direction: Direction::Target(self.level),
            unit: Unit::None,
            quantities: self
                .bounds()
                .quantile_level()
                .map(Quantity::Quantile)
                .into_iter()
                .collect(),
            skill: None,
            tolerance: Tolerance::Fixed(0.02),
            definition: "the share of outcomes with y <= u, u the quantile of the level (side \
                         upper), or with y >= l, l the quantile of 1 - level (side lower): what \
                         the PICP is of a central interval.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            level(&mut self.level),
            Parameter::choice("side", &mut self.side, SIDES, "upper or lower"),
        ]
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| {
            let (lower, upper) = self.bounds().interval(predictive, i)?;
            Some(f64::from(lower <= y && y <= upper))
        })
    }
}

/// Mean distance of the bound from the predictive mean.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct BoundDistance {
    /// Probability of the bound, in (1/2, 1).
    pub level: f64,
    /// Which bound: upper or lower.
    pub side: Side,
}

impl BoundDistance {
    fn bounds(&self) -> Bounds {
        Bounds { level: self.level, side: self.side }
    }
}

impl Metric for BoundDistance {
    fn properties(&self) -> Properties {
        let quantile = self.bounds().quantile_level().map(Quantity::Quantile);
        Properties {
            name: "bound-distance",
            label: format!("Distance of the {} bound ({})", self.side, percent(self.level)),
            direction: Direction::Lower,
            unit: Unit::Target,
            quantities: quantile.into_iter().chain([Quantity::Mean]).collect(),
            skill: None,
            tolerance: Tolerance::Share(0.10),
            definition: "mean of u - m, u the quantile of the level (side upper), or of m - l, l \
                         the quantile of 1 - level (side lower), m the predictive mean: the width \
                         of one side; to be read beside the coverage of the bound.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            level(&mut self.level),
            Parameter::choice("side", &mut self.side, SIDES, "upper or lower"),
        ]
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, _| self.bounds().width(predictive, i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{IntervalScore, MetricId, Pinball};
    use crate::predictive::{Form, Gaussian};
    use ndarray::{Array1, array};
    use proptest::collection::vec;
    use proptest::prelude::{prop_assert, proptest};

    fn normal(mean: &[f64], sd: f64) -> Predictive {
        let (mean, variance) =
            (Array1::from(mean.to_vec()), Array1::from_elem(mean.len(), sd * sd));
        Predictive::new(Form::Gaussian(Gaussian { mean, variance }))
    }

    #[test]
    fn a_bound_covers_what_lies_on_its_side() {
        // The upper bound of N(0, 1) at 0.9 is 1.28, the lower one -1.28.
        let (predictive, y) = (normal(&[0.0; 4], 1.0), array![-5.0, -1.0, 1.2, 1.4]);
        let context = ScoreContext::default();
        let share =
            |side| BoundCoverage { level: 0.9, side }.score(&predictive, y.view(), &context);
        assert_eq!((share(Side::Upper), share(Side::Lower)), (Some(0.75), Some(0.75)));
        let distance =
            BoundDistance { level: 0.9, side: Side::Lower }.score(&predictive, y.view(), &context);
        assert!((distance.unwrap() - 1.281_551_565_544_6).abs() < 1e-9);
        let metric: MetricId = "bound-coverage(level=0.9,side=lower)".parse().unwrap();
        assert_eq!(
            metric,
            MetricId::BoundCoverage(BoundCoverage { level: 0.9, side: Side::Lower })
        );
        for wrong in ["bound-coverage(level=0.4,side=lower)", "bound-coverage(level=0.9,side=both)"]
        {
            assert!(wrong.parse::<MetricId>().is_err(), "{wrong}");
        }
    }

    proptest! {
        /// Bracher et al. (2021), with their 2/a in front: two bounds together have the score of
        /// the interval between them.
        #[test]
        fn the_interval_score_is_made_of_the_losses_of_both_bounds(
            means in vec(-5.0_f64..5.0, 1..20),
            shift in -3.0_f64..3.0,
            level in 0.51_f64..0.995,
        ) {
            let predictive = normal(&means, 1.3);
            let y: Array1<f64> = means.iter().map(|mean| mean * 0.5 + shift).collect();
            let score = |metric: &dyn Metric| {
                metric.score(&predictive, y.view(), &ScoreContext::default()).unwrap()
            };
            let loss =
                |side| score(&Pinball { level: Bounds { level, side }.quantile_level().unwrap() });
            // Both bounds of level p are the ends of the central interval of probability 2p - 1.
            let whole = score(&IntervalScore { level: 2.0 * level - 1.0 });
            let sum = (loss(Side::Lower) + loss(Side::Upper)) / (1.0 - level);
            prop_assert!((whole - sum).abs() < 1e-8 * whole.abs().max(1.0), "{} {}", whole, sum);
        }

        /// Over an exponential distribution the expected loss of the bound q is exp(-q) + (1 -
        /// p)(q - 1), in closed form. It is lowest at the true quantile, -ln(1 - p): the loss is
        /// proper.
        #[test]
        fn the_true_bound_has_the_lowest_expected_loss(
            level in 0.55_f64..0.99,
            wrong in 0.05_f64..6.0,
        ) {
            let expected = |q: f64| (1.0 - level) * (q - 1.0) + (-q).exp();
            let best = -(1.0 - level).ln();
            prop_assert!(expected(best) <= expected(wrong) + 1e-12);
            // The metric, as the mean over the distribution's quantiles at 4000 midpoints.
            let y: Array1<f64> =
                (0..4000).map(|i| -(1.0 - (f64::from(i) + 0.5) / 4000.0).ln()).collect();
            let quantiles = crate::predictive::Quantiles {
                levels: vec![level],
                values: ndarray::Array2::from_elem((y.len(), 1), wrong),
            };
            let found = Pinball { level }.score(
                &Predictive::new(Form::Quantiles(quantiles)),
                y.view(),
                &ScoreContext::default(),
            );
            prop_assert!(
                (found.unwrap() - expected(wrong)).abs() < 2e-3,
                "{:?} {}",
                found,
                expected(wrong)
            );
        }
    }
}
