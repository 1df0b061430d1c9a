//! Judge a bound of a mixture's entropy by integration over random mixtures: a theorem fails by one counterexample.

use ndarray::Array2;
use rand::RngExt;

use super::kind::{Finding, JudgeClaim};
use super::outcome::Judged;
use crate::benchmark::claims::{Bound, EntropyBound};
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use crate::math::random::Streams;
use crate::methods::mixture::entropy::EntropyBounds;
use crate::predictive::{Distribution, Mixture};

/// Random mixtures of each number of components and spread.
const CASES: usize = 40;

/// What rounding may take from a bound, in nats.
const SLACK: f64 = 1e-9;

impl JudgeClaim for EntropyBound {
    fn columns<'a>(&self, _: &'a Results) -> Vec<Series<'a>> {
        Vec::new()
    }

    fn own(&self, _: &Evidence) -> Result<Finding, EvidenceError> {
        Ok(over_random_mixtures(self.bound))
    }
}

/// Whether the bound holds for random mixtures of 2, 3 and 8 components, near together and far apart, and in how many.
fn over_random_mixtures(bound: Bound) -> Finding {
    let (mut cases, mut held) = (0, 0);
    for (components, spread) in [(2, 1.0), (2, 10.0), (3, 1.0), (3, 10.0), (8, 1.0), (8, 10.0)] {
        let mixture = random(components, spread);
        for i in 0..CASES {
            let (Some(entropy), Some(bounds)) = (entropy(&mixture, i), EntropyBounds::of(&mixture, i)) else {
                continue;
            };
            let holds = match bound {
                Bound::Pairwise => bounds.pairwise <= entropy + SLACK,
                Bound::ComponentAverage => bounds.component_average >= entropy - SLACK,
            };
            cases += 1;
            held += usize::from(holds);
        }
    }
    let judged = if cases > 0 && held == cases { Judged::Holds } else { Judged::Fails };
    let note = format!(
        "the bound holds in {held} of {cases} random mixtures, their entropy by integration; not judged by runs"
    );
    (judged, note, cases)
}

/// Mixtures with means within ±`spread` and standard deviations from 0.3 to 1.5.
fn random(components: usize, spread: f64) -> Mixture {
    let mut rng = Streams::new(1, "claims").stream("entropy", (100 * components) as u64 + spread as u64);
    let shape = (CASES, components);
    let mut weights = Array2::from_shape_simple_fn(shape, || rng.random_range(0.02..1.0));
    for mut row in weights.rows_mut() {
        let sum = row.sum();
        row /= sum;
    }
    let means = Array2::from_shape_simple_fn(shape, || rng.random_range(-spread..spread));
    let variances = Array2::from_shape_simple_fn(shape, || rng.random_range(0.3_f64..1.5).powi(2));
    Mixture { weights, means, variances }
}

/// −∫ p ln p by the trapezoidal rule, which converges faster than any power for such functions.
fn entropy(mixture: &Mixture, i: usize) -> Option<f64> {
    let (means, sds) = (mixture.means.row(i), mixture.variances.row(i).mapv(f64::sqrt));
    let widest = sds.iter().copied().fold(0.0, f64::max);
    let low = means.iter().copied().fold(f64::INFINITY, f64::min) - 12.0 * widest;
    let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max) + 12.0 * widest;
    let width = 0.05 * sds.iter().copied().fold(f64::INFINITY, f64::min);
    let steps = ((high - low) / width) as usize;
    let term = |step: usize| {
        let log_density = mixture.log_density(i, low + width * step as f64)?;
        Some(-log_density.exp() * log_density)
    };
    let sum: Option<f64> = (0..=steps).map(term).sum();
    Some(width * sum?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn one_normal_distribution_has_its_closed_form() {
        let mixture = Mixture { weights: array![[1.0]], means: array![[7.0]], variances: array![[4.0]] };
        let exact = 0.5 * (2.0 * std::f64::consts::PI * std::f64::consts::E * 4.0).ln();
        assert!((entropy(&mixture, 0).unwrap() - exact).abs() < 1e-12);
    }

    /// By Huber et al. (2008) the one is a lower bound; the other is the entropy given the component, which is lower too.
    #[test]
    fn the_lower_bound_holds_and_the_printed_upper_one_never() {
        let (judged, note, n) = over_random_mixtures(Bound::Pairwise);
        assert_eq!((judged, n), (Judged::Holds, 240), "{note}");
        let (judged, note, _) = over_random_mixtures(Bound::ComponentAverage);
        assert_eq!(judged, Judged::Fails);
        assert!(note.starts_with("the bound holds in 0 of 240 random mixtures"), "{note}");
    }
}
