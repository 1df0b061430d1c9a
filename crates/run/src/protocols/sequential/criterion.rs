//! Score points of a domain, of which the best is evaluated next.
//!
//! ```text
//! pi            ln P(y > b)                         b the best value that is known
//! ei            ln E max(0, y − b)
//! ucb-β         E[y|x] + β √Var[y|x]                JCM, Eq. (23)
//! entropy-ucb-β E[y|x] + β H_l(y|x)                 JCM, Eq. (25)
//! ```
//!
//! The target is in the units of the fit, where it has mean 0 and variance 1 over the known values:
//! β depends on them. Of a target times c, the third score is c times as large and chooses the same
//! point. The fourth is c E[y|x] + β (H_l + ln c), which chooses as β/c does in the old units: the
//! rule is not one rule until the unit of the target is stated.
//!
//! References: H. J. Kushner (1964); D. R. Jones, M. Schonlau, W. J. Welch (1998); N. Srinivas, A.
//! Krause, S. Kakade, M. Seeger: *Gaussian process optimization in the bandit setting*, ICML 2010.

use std::fmt;
use std::str::FromStr;

use ndarray::Array1;

use uq_core::predictive::{Form, Predictive};
use uq_methods::FitError;

/// A score of points by a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// The probability of a value above the best one.
    Pi,
    /// The expected improvement on the best value.
    Ei,
    /// The upper confidence bound, mean + β standard deviations.
    Ucb(Beta),
    /// The upper confidence bound with the lower bound of the entropy in place of the standard
    /// deviation.
    EntropyUcb(Beta),
}

/// The weight β of an upper confidence bound, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Beta(u32);

impl Beta {
    /// β.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl fmt::Display for Beta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl FromStr for Beta {
    type Err = ();

    /// Only the shortest decimal number with at most three decimals, so that each β has one name.
    fn from_str(text: &str) -> Result<Self, ()> {
        let value: f64 = text.parse().map_err(|_| ())?;
        let beta = Self((1000.0 * value).round() as u32);
        if value > 0.0 && value <= 1000.0 && beta.to_string() == text { Ok(beta) } else { Err(()) }
    }
}

const PI: &str = "pi";
const EI: &str = "ei";
const UCB: &str = "ucb-";
const ENTROPY_UCB: &str = "entropy-ucb-";

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pi => f.write_str(PI),
            Self::Ei => f.write_str(EI),
            Self::Ucb(beta) => write!(f, "{UCB}{beta}"),
            Self::EntropyUcb(beta) => write!(f, "{ENTROPY_UCB}{beta}"),
        }
    }
}

impl FromStr for Criterion {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let beta = |prefix: &str| text.strip_prefix(prefix).ok_or(())?.parse();
        match text {
            PI => Ok(Self::Pi),
            EI => Ok(Self::Ei),
            _ => beta(UCB).map(Self::Ucb).or_else(|()| beta(ENTROPY_UCB).map(Self::EntropyUcb)),
        }
    }
}

impl Criterion {
    /// The score of each point, n; the best one is `best` in the units of the prediction.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where the prediction has no such score, [`FitError::Diverged`]
    /// where a score is NaN.
    pub fn scores_of_points(
        self,
        predictive: &Predictive,
        best: f64,
    ) -> Result<Array1<f64>, FitError> {
        let bound =
            |beta: f64, width: Option<Array1<f64>>| Some(predictive.means()? + beta * width?);
        let (found, needed) = match self {
            Self::Pi => (predictive.ln_probabilities_above(best), "probabilities"),
            Self::Ei => (
                predictive.ln_expected_improvements(best),
                "a normal distribution or a mixture of normal ones",
            ),
            Self::Ucb(beta) => {
                let deviations = predictive.variances().map(|variances| variances.mapv(f64::sqrt));
                (bound(beta.value(), deviations), "a mean and a variance")
            }
            Self::EntropyUcb(beta) => {
                let found = bound(beta.value(), predictive.pairwise_entropies());
                (found, "a normal distribution or a mixture of normal ones")
            }
        };
        let scores = found.ok_or_else(|| {
            FitError::Unsupported(format!(
                "the acquisition `{self}` needs {needed}, and this method predicts none"
            ))
        })?;
        match scores.iter().position(|score| score.is_nan()) {
            Some(place) => Err(FitError::Diverged(format!(
                "the acquisition `{self}` has no score of point {place}"
            ))),
            None => Ok(scores),
        }
    }
}

/// Whether the entropy has its largest value at the same point as its lower bound H_l (1 or 0); NaN
/// where the prediction is no mixture.
pub fn entropy_agrees(predictive: &Predictive) -> f64 {
    let Form::Mixture(mixture) = &predictive.form else { return f64::NAN };
    let points = 0..predictive.len();
    let bounds: Vec<f64> = points.clone().map(|i| mixture.pairwise_entropy(i)).collect();
    let entropies: Vec<f64> = points.map(|i| mixture.entropy(i)).collect();
    f64::from(largest(&bounds) == largest(&entropies))
}

/// Place of the largest number, the first of equal ones.
pub fn largest(numbers: &[f64]) -> usize {
    (1..numbers.len()).fold(0, |best, i| if numbers[i] > numbers[best] { i } else { best })
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;
    use uq_core::predictive::{Gaussian, Mixture, Samples};

    fn criterion(name: &str) -> Criterion {
        name.parse().unwrap()
    }

    fn mixture(weights: [f64; 2], means: [[f64; 2]; 3], sds: [[f64; 2]; 3]) -> Predictive {
        let matrix = |rows: [[f64; 2]; 3]| Array2::from_shape_fn((3, 2), |(i, j)| rows[i][j]);
        let variances = matrix(sds).mapv(|sd| sd * sd);
        let weights = Array2::from_shape_fn((1, 2), |(_, j)| weights[j]);
        Predictive::new(Form::Mixture(Mixture { weights, means: matrix(means), variances }))
    }

    #[test]
    fn bounds_are_those_of_their_formulas() {
        let normal = Gaussian { mean: array![0.0, 1.0], variance: array![4.0, 0.25] };
        let normal = Predictive::new(Form::Gaussian(normal));
        assert_eq!(criterion("ucb-2").scores_of_points(&normal, 0.0).unwrap(), array![4.0, 2.0]);
        let found = criterion("entropy-ucb-0.5").scores_of_points(&normal, 0.0).unwrap();
        let expected =
            |mean: f64, variance: f64| mean + 0.25 * (4.0 * std::f64::consts::PI * variance).ln();
        assert!(
            (found[0] - expected(0.0, 4.0)).abs() < 1e-14
                && (found[1] - expected(1.0, 0.25)).abs() < 1e-14
        );
        let pi = criterion("pi").scores_of_points(&normal, 1.0).unwrap();
        assert!((pi[1] - 0.5_f64.ln()).abs() < 1e-14);
    }

    #[test]
    fn a_target_ten_times_as_large_changes_the_entropys_rule_alone_as_a_tenth_of_beta_does() {
        let one = mixture(
            [0.4, 0.6],
            [[0.0, 1.0], [0.5, -0.5], [1.5, 0.0]],
            [[0.1, 1.0], [0.5, 2.0], [0.2, 0.3]],
        );
        let ten = one.affine(0.0, 10.0).unwrap();
        let scores = |name: &str, predictive: &Predictive| {
            criterion(name).scores_of_points(predictive, 0.0).unwrap()
        };
        let differences =
            |scores: Array1<f64>, unit: f64| scores.mapv(|score| (score - scores[0]) / unit);
        for (at_ten, at_one) in [("ucb-2", "ucb-2"), ("entropy-ucb-2", "entropy-ucb-0.2")] {
            let (a, b) =
                (differences(scores(at_ten, &ten), 10.0), differences(scores(at_one, &one), 1.0));
            assert!((&a - &b).iter().all(|d| d.abs() < 1e-12), "{at_ten}: {a} {b}");
        }
        let changed = differences(scores("entropy-ucb-2", &ten), 10.0)
            - differences(scores("entropy-ucb-2", &one), 1.0);
        assert!(changed.iter().any(|d| d.abs() > 0.1), "{changed}");
    }

    #[test]
    fn the_entropy_and_its_bound_may_choose_different_points() {
        // One component: both rise with its width. Where components are apart, the bound gains more
        // than the entropy.
        let same = mixture([0.5, 0.5], [[0.0, 0.0]; 3], [[1.0, 1.0], [2.0, 2.0], [1.5, 1.5]]);
        assert_eq!(entropy_agrees(&same), 1.0);
        // Of N(0, s²) the bound is ½ ln 4πs², and H is ½(1 − ln 2) = 0.153 more. Of two components
        // of width 1 far apart, H is 0.153 more too, but as they meet the gap changes: widths at
        // which one of the two is ahead by less than the change.
        let gap = |predictive: &Predictive, i: usize| match &predictive.form {
            Form::Mixture(mixture) => mixture.entropy(i) - mixture.pairwise_entropy(i),
            _ => f64::NAN,
        };
        let apart = mixture(
            [0.5, 0.5],
            [[0.0, 0.0], [-1.5, 1.5], [0.0, 0.0]],
            [[1.0, 1.0], [1.0, 1.0], [0.1, 0.1]],
        );
        let (narrow, met) = (gap(&apart, 0), gap(&apart, 1));
        assert!(
            (narrow - 0.5 * (1.0 - 2_f64.ln())).abs() < 1e-9 && (met - narrow).abs() > 0.01,
            "{narrow} {met}"
        );
        // A single component whose entropy lies between the two.
        let entropy = match &apart.form {
            Form::Mixture(mixture) => mixture.entropy(1),
            _ => f64::NAN,
        };
        let unit = 0.5 * (2.0 * std::f64::consts::PI * std::f64::consts::E).ln();
        let sd = (entropy - unit + 0.5 * (narrow - met)).exp();
        let contest = mixture(
            [0.5, 0.5],
            [[0.0, 0.0], [-1.5, 1.5], [0.0, 0.0]],
            [[sd, sd], [1.0, 1.0], [0.1, 0.1]],
        );
        assert_eq!(entropy_agrees(&contest), 0.0);
    }

    #[test]
    fn what_has_no_score_is_refused_and_nan_diverges() {
        let samples = Predictive::new(Form::Samples(Samples { values: array![[1.0, 2.0]] }));
        let refused = criterion("ei").scores_of_points(&samples, 0.0).unwrap_err().to_string();
        assert!(refused.contains("the acquisition `ei` needs a normal distribution"), "{refused}");
        let nan = Predictive::new(Form::Gaussian(Gaussian {
            mean: array![0.0, f64::NAN],
            variance: array![1.0, 1.0],
        }));
        let diverged = criterion("ei").scores_of_points(&nan, 0.0).unwrap_err().to_string();
        assert!(diverged.contains("no score of point 1"), "{diverged}");
    }
}
