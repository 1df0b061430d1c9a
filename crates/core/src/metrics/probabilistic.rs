//! Score the predictive distribution by proper scoring rules, and its sharpness.

use ndarray::ArrayView1;

use super::interval::percent;
use super::{
    Direction, Metric, Parameter, Properties, ScoreContext, SkillKind, Tolerance, Unit, finite,
    mean_over_rows,
};
use crate::predictive::{Predictive, Quantity};

/// The sum of the log densities of the outcomes: −∞ where one has the density zero; `None` for no
/// row, or where an outcome is not finite or has no density.
///
/// # Panics
/// If `y` does not have one outcome for each point.
fn sum_of_logs(predictive: &Predictive, y: ArrayView1<f64>) -> Option<f64> {
    assert_eq!(predictive.len(), y.len(), "a score needs one outcome for each point");
    let logs =
        y.iter().enumerate().map(|(i, &y)| predictive.distribution().log_density(i, finite(y)?));
    let sum = logs.sum::<Option<f64>>()?;
    (!y.is_empty() && sum < f64::INFINITY).then_some(sum)
}

/// The rows at which the outcome has the density zero, so that the log-likelihood is −∞; none where
/// it is undefined.
pub fn impossible_rows(predictive: &Predictive, y: ArrayView1<f64>) -> usize {
    let is_impossible = |(i, y): (usize, &f64)| {
        predictive.distribution().log_density(i, *y) == Some(f64::NEG_INFINITY)
    };
    y.iter().enumerate().filter(|row| is_impossible(*row)).count()
}

/// The rows at which the outcome is where the prediction has a point mass, so that its density has
/// no bound, and the log-likelihood is undefined.
pub fn unbounded_rows(predictive: &Predictive, y: ArrayView1<f64>) -> usize {
    let is_unbounded = |(i, y): (usize, &f64)| {
        y.is_finite() && predictive.distribution().log_density(i, *y).is_none()
    };
    y.iter().enumerate().filter(|row| is_unbounded(*row)).count()
}

/// Mean log density of the outcomes.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct LogLikelihood;

impl Metric for LogLikelihood {
    fn properties(&self) -> Properties {
        Properties {
            name: "log-likelihood",
            label: "Log-likelihood".into(),
            direction: Direction::Higher,
            unit: Unit::Fixed("nat"),
            quantities: vec![Quantity::LogDensity],
            skill: Some(SkillKind::Nats),
            tolerance: Tolerance::Fixed(0.10),
            definition: "mean ln p(y) per test point, p a density per unit of the target. Good \
                         (1952), Rational decisions, JRSS B 14.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        sum_of_logs(predictive, y).map(|sum| sum / y.len() as f64)
    }
}

/// Sum of the negative log densities of the outcomes.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Nlpd;

impl Metric for Nlpd {
    fn properties(&self) -> Properties {
        Properties {
            name: "nlpd",
            label: "NLPD (sum)".into(),
            direction: Direction::Lower,
            unit: Unit::Fixed("nat"),
            quantities: vec![Quantity::LogDensity],
            skill: None,
            // A sum over the rows, so a tenth of a nat a row.
            tolerance: Tolerance::PerRow(0.10),
            definition: "sum of -ln p(y) over the test rows, each y by its own marginal density, \
                         noise included: it grows with their number. As Patel, Batra & Murphy \
                         (2022), Uncertainty disentanglement with non-stationary heteroscedastic \
                         Gaussian processes, Table 1, computed it.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        sum_of_logs(predictive, y).map(|sum| -sum)
    }
}

/// Mean continuous ranked probability score. Of 2 to 499 draws
/// ([`Samples`](crate::predictive::Samples)) it is the fair score, which may be negative.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Crps;

impl Metric for Crps {
    fn properties(&self) -> Properties {
        Properties {
            name: "crps",
            label: "CRPS".into(),
            direction: Direction::Lower,
            unit: Unit::Target,
            quantities: vec![Quantity::Crps],
            skill: Some(SkillKind::Share),
            tolerance: Tolerance::Share(0.10),
            definition: "mean of the integral of (F(x) - 1{y <= x})^2 over x. Gneiting & Raftery \
                         (2007), Strictly proper scoring rules, prediction, and estimation, JASA \
                         102, eq. (20).",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| predictive.distribution().crps(i, y))
    }
}

/// Mean log probability of the cell that rounding makes of the outcome.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct DiscretisedLogScore;

impl Metric for DiscretisedLogScore {
    fn properties(&self) -> Properties {
        Properties {
            name: "discretised-log-score",
            label: "Discretised log score".into(),
            direction: Direction::Higher,
            unit: Unit::Fixed("nat"),
            quantities: vec![Quantity::Probability],
            skill: Some(SkillKind::Nats),
            tolerance: Tolerance::Fixed(0.10),
            definition: "mean ln [F((y + D/2)-) - F((y - D/2)-)], D the resolution of the target: \
                         the log probability of the cell [y - D/2, y + D/2), at most 0; cells are \
                         closed below and open above, so that neighbouring ones share no atom. \
                         -inf where a cell has no probability; undefined for a target without \
                         resolution. Good (1952), Rational decisions, JRSS B 14; Gneiting & \
                         Raftery (2007), JASA 102, sec. 3 (categorical outcomes).",
        }
    }

    fn score(
        &self,
        predictive: &Predictive,
        y: ArrayView1<f64>,
        context: &ScoreContext,
    ) -> Option<f64> {
        let half = finite(0.5 * context.target_resolution?).filter(|half| *half > 0.0)?;
        assert_eq!(predictive.len(), y.len(), "a score needs one outcome for each point");
        let mut sum = 0.0;
        for (i, &y) in y.iter().enumerate() {
            let y = finite(y)?;
            sum += predictive.distribution().ln_probability(i, y - half, y + half)?;
        }
        (!y.is_empty()).then(|| sum / y.len() as f64)
    }
}

/// Mean pinball loss of a quantile.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Pinball {
    /// Probability of the quantile, in (0, 1).
    pub level: f64,
}

impl Metric for Pinball {
    fn properties(&self) -> Properties {
        Properties {
            name: "pinball",
            label: format!("Pinball loss ({})", percent(self.level)),
            direction: Direction::Lower,
            unit: Unit::Target,
            quantities: vec![Quantity::Quantile(self.level)],
            skill: Some(SkillKind::Share),
            tolerance: Tolerance::Share(0.10),
            definition: "mean of level (y - q) for y >= q and (1 - level) (q - y) for y < q, q the \
                         predictive quantile of the level; at 1/2 half the absolute error of the \
                         median. Koenker & Bassett (1978), Regression quantiles, Econometrica 46; \
                         Gneiting (2011), Making and evaluating point forecasts, JASA 106.",
        }
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter::level(&mut self.level)]
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, y| {
            let error = y - predictive.distribution().quantile(i, self.level)?;
            Some(if error >= 0.0 { self.level * error } else { (self.level - 1.0) * error })
        })
    }
}

/// Mean predictive standard deviation.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Sharpness;

impl Metric for Sharpness {
    fn properties(&self) -> Properties {
        Properties {
            name: "sharpness",
            label: "Sharpness".into(),
            direction: Direction::Lower,
            unit: Unit::Target,
            quantities: vec![Quantity::Mean, Quantity::Variance],
            skill: None,
            tolerance: Tolerance::None,
            definition: "mean predictive standard deviation, which does not depend on the \
                         outcomes: compare calibrated predictions only. Gneiting, Balabdaoui & \
                         Raftery (2007), Probabilistic forecasts, calibration and sharpness, JRSS \
                         B 69.",
        }
    }

    fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, _: &ScoreContext) -> Option<f64> {
        mean_over_rows(predictive, y, |i, _| {
            // A row without a mean has no distribution, whatever its variance.
            predictive.distribution().mean(i)?;
            predictive.distribution().variance(i).map(f64::sqrt)
        })
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, array};

    use super::{
        Crps, DiscretisedLogScore, LogLikelihood, Metric, Pinball, ScoreContext, Sharpness,
        impossible_rows, unbounded_rows,
    };
    use crate::predictive::{
        Atoms, Form, Gaussian, Mixture, Predictive, Quantiles, Samples, StudentT,
    };

    fn gaussian(mean: Array1<f64>, variance: Array1<f64>) -> Predictive {
        Predictive::new(Form::Gaussian(Gaussian { mean, variance }))
    }

    fn discretised(
        predictive: &Predictive,
        y: &Array1<f64>,
        resolution: Option<f64>,
    ) -> Option<f64> {
        let context = ScoreContext { target_resolution: resolution, ..ScoreContext::default() };
        DiscretisedLogScore.score(predictive, y.view(), &context)
    }

    /// ∫ of the density over [low, high] by Simpson's rule.
    fn mass(predictive: &Predictive, low: f64, high: f64) -> f64 {
        let (steps, density) =
            (2000_u32, |x| predictive.distribution().log_density(0, x).unwrap().exp());
        let width = (high - low) / f64::from(steps);
        let weight = |k| if k == 0 || k == steps { 1.0 } else { 2.0 + 2.0 * f64::from(k % 2) };
        (0..=steps).map(|k| weight(k) * density(low + width * f64::from(k))).sum::<f64>() * width
            / 3.0
    }

    #[test]
    fn rows_of_density_0_and_rows_without_a_bound_are_counted_and_decide_the_log_likelihood() {
        let y = array![0.0, 1.0, 2.0];
        let score = |predictive: &Predictive| {
            LogLikelihood.score(predictive, y.view(), &ScoreContext::default())
        };
        let counts = |predictive: &Predictive| {
            (impossible_rows(predictive, y.view()), unbounded_rows(predictive, y.view()))
        };
        let beside = gaussian(array![0.0, 1.5, 0.0], array![1.0, 0.0, 1.0]);
        assert_eq!((score(&beside), counts(&beside)), (Some(f64::NEG_INFINITY), (1, 0)));
        let on = gaussian(array![0.0, 1.0, 0.0], array![1.0, 0.0, 1.0]);
        assert_eq!((score(&on), counts(&on)), (None, (0, 1)));
        let plain = gaussian(array![0.0, 1.0, 0.0], array![1.0, 1.0, 1.0]);
        assert!(score(&plain).is_some_and(f64::is_finite) && counts(&plain) == (0, 0));
    }

    #[test]
    fn the_discretised_log_score_is_the_log_of_the_densitys_integral_over_the_cell() {
        let forms = [
            Form::Gaussian(Gaussian { mean: array![5.2], variance: array![0.6] }),
            Form::StudentT(StudentT {
                location: array![5.2],
                scale: array![0.7],
                degrees_of_freedom: array![3.3],
            }),
            Form::Mixture(Mixture {
                weights: array![[0.3, 0.7]],
                means: array![[4.0, 6.5]],
                variances: array![[0.2, 0.9]],
            }),
        ];
        for predictive in forms.map(Predictive::new) {
            for y in [3.0, 5.0, 6.0, 8.0] {
                let expected = mass(&predictive, y - 0.5, y + 0.5).ln();
                let found = discretised(&predictive, &array![y], Some(1.0)).unwrap();
                assert!(
                    (found - expected).abs() < 1e-9 && found < 0.0,
                    "{y}: {found} against {expected}"
                );
            }
        }
    }

    #[test]
    fn the_discretised_log_score_is_bounded_where_the_log_density_is_not() {
        let y = array![5.0, 6.0];
        // A point mass on the outcomes has probability one; the log density grows without bound.
        assert_eq!(discretised(&gaussian(y.clone(), array![0.0, 0.0]), &y, Some(1.0)), Some(0.0));
        let sharp = discretised(&gaussian(y.clone(), array![1e-20, 1e-20]), &y, Some(1.0)).unwrap();
        assert!(sharp.abs() < 1e-15, "{sharp}");
        // For a fine resolution it is the log density and ln D.
        let smooth = gaussian(array![4.8, 6.3], array![0.5, 0.7]);
        let density = LogLikelihood.score(&smooth, y.view(), &ScoreContext::default()).unwrap();
        let resolution = 0.5_f64.powi(20);
        let fine = discretised(&smooth, &y, Some(resolution)).unwrap();
        assert!((fine - density - resolution.ln()).abs() < 1e-10);
    }

    #[test]
    fn the_discretised_log_score_counts_atoms_in_half_open_cells() {
        let atoms = |values| {
            Predictive::new(Form::Atoms(Atoms { values, weights: array![[0.1, 0.2, 0.7]] }))
        };
        // The cell of 5 is [4.5, 5.5): the atom on its lower end is in, the one on its upper end
        // belongs to 6.
        let predictive = atoms(array![[4.5, 5.0, 5.5]]);
        assert!(
            (discretised(&predictive, &array![5.0], Some(1.0)).unwrap() - 0.3_f64.ln()).abs()
                < 1e-15
        );
        assert!(
            (discretised(&predictive, &array![6.0], Some(1.0)).unwrap() - 0.7_f64.ln()).abs()
                < 1e-15
        );
        // One impossible outcome among others.
        let two = atoms(array![[4.5, 5.0, 5.5], [4.5, 5.0, 5.5]]);
        assert_eq!(discretised(&two, &array![5.0, 9.0], Some(1.0)), Some(f64::NEG_INFINITY));
        let draws =
            Predictive::new(Form::Samples(Samples { values: array![[5.0, 5.4, 6.0, 7.0]] }));
        assert_eq!(discretised(&draws, &array![5.0], Some(1.0)), Some(0.5_f64.ln()));
    }

    #[test]
    fn the_discretised_log_score_needs_a_resolution() {
        let predictive = gaussian(array![0.0], array![1.0]);
        for resolution in [None, Some(0.0), Some(-1.0), Some(f64::NAN), Some(f64::INFINITY)] {
            assert_eq!(discretised(&predictive, &array![0.0], resolution), None, "{resolution:?}");
        }
        assert!(
            discretised(&predictive.summarised(array![0.0].view(), None), &array![0.0], Some(1.0))
                .is_none()
        );
    }

    #[test]
    fn a_summary_keeps_the_discretised_log_score_of_its_own_resolution() {
        let y = array![0.5, 1.5, 900.0];
        let exact = gaussian(array![0.0, 1.0, 0.0], array![1.0, 2.0, 0.0]);
        let summary = exact.summarised(y.view(), Some(0.5));
        assert_eq!(summary.validate(), Ok(()));
        assert_eq!(
            discretised(&summary, &y, Some(0.5)),
            Some(f64::NEG_INFINITY),
            "an atom at 0 is far from 900"
        );
        let (y, exact) = (array![0.5, 1.5], gaussian(array![0.0, 1.0], array![1.0, 2.0]));
        let summary = exact.summarised(y.view(), Some(0.5));
        let found = discretised(&summary, &y, Some(0.5));
        assert!(found.is_some() && found == discretised(&exact, &y, Some(0.5)), "{found:?}");
        assert_eq!(discretised(&summary, &y, Some(1.0)), None, "cells of another width");
        assert_eq!(discretised(&summary, &(&y + 1.0), Some(0.5)), None, "other outcomes");
        assert_eq!(
            summary.summarised(y.view(), Some(0.5)),
            summary,
            "a summary of a summary is the same"
        );
    }

    #[test]
    fn pinball_loss_is_hand_computed_and_integrates_to_the_crps() {
        let levels = vec![0.1, 0.5, 0.9];
        let values = array![[0.0, 1.0, 4.0], [0.0, 1.0, 4.0]];
        let quantiles = Predictive::new(Form::Quantiles(Quantiles { levels, values }));
        let y = array![6.0, 1.0];
        let pinball = |predictive: &Predictive, y: &Array1<f64>, level| {
            Pinball { level }.score(predictive, y.view(), &ScoreContext::default())
        };
        // 0.9 × 2 above and 0.1 × 3 below.
        assert!((pinball(&quantiles, &y, 0.9).unwrap() - (1.8 + 0.3) / 2.0).abs() < 1e-15);
        assert!((pinball(&quantiles, &y, 0.5).unwrap() - 1.25).abs() < 1e-15);
        assert_eq!(pinball(&quantiles, &y, 0.95), None);
        // CRPS = 2 ∫ pinball(level) d level (Gneiting & Raftery 2007, sec. 4.2), by the midpoint
        // rule.
        let predictive = gaussian(array![0.3], array![2.0]);
        let y = array![1.7];
        let pieces = 20_000_u32;
        let level = |k: u32| (f64::from(k) + 0.5) / f64::from(pieces);
        let sum: f64 = (0..pieces).map(|k| pinball(&predictive, &y, level(k)).unwrap()).sum();
        let crps = Crps.score(&predictive, y.view(), &ScoreContext::default()).unwrap();
        assert!((2.0 * sum / f64::from(pieces) - crps).abs() < 1e-4);
    }

    #[test]
    fn sharpness_is_the_mean_standard_deviation() {
        let sharpness =
            |p: &Predictive, y: Array1<f64>| Sharpness.score(p, y.view(), &ScoreContext::default());
        assert_eq!(
            sharpness(&gaussian(array![0.0, 5.0], array![4.0, 16.0]), array![9.0, 9.0]),
            Some(3.0)
        );
        // Equal atoms at ±1 have standard deviation 1, and Student's t √(ν/(ν − 2)), if ν > 2.
        let atoms = Atoms { values: array![[-1.0, 1.0]], weights: array![[0.5, 0.5]] };
        assert_eq!(sharpness(&Predictive::new(Form::Atoms(atoms)), array![0.0]), Some(1.0));
        let t = |nu| StudentT {
            location: array![0.0],
            scale: array![2.0],
            degrees_of_freedom: array![nu],
        };
        let student = |nu| sharpness(&Predictive::new(Form::StudentT(t(nu))), array![0.0]);
        assert!((student(4.0).unwrap() - 8.0_f64.sqrt()).abs() < 1e-14);
        assert_eq!(student(2.0), None);
    }
}
