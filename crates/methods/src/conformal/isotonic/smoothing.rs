//! Choose the kernel and the bandwidth that make weighted points smooth, by the density of outcomes
//! that were not used.

use serde::{Deserialize, Serialize};

use super::ID;
use crate::engine::search::{Search, side_table};
use crate::side_tables::{Candidates, Outcome};
use crate::state::require;
use crate::{Context, FitError, SideTable};
use uq_core::math::quantile::interpolated_quantile;
use uq_core::predictive::Kernel;
use uq_core::stats::isotonic::WeightedPoints;

/// The bandwidths that are searched begin at the rule of thumb divided by this.
const SMALLEST: f64 = 1e3;

/// The density of a kernel that is narrower by this factor shows whether it grows without bound.
const NARROWER: f64 = 1e2;

/// Steps of the grid over ln h.
const STEPS: usize = 16;

/// Golden sections about the grid's best point: each leaves 0.618 of the interval.
const SECTIONS: usize = 20;

/// A kernel and its bandwidth, in the target's units, with what was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Smoothing {
    pub(super) kernel: Kernel,
    pub(super) bandwidth: f64,
    pub(super) tried: SideTable,
}

/// A kernel and a bandwidth.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    kernel: Kernel,
    bandwidth: f64,
}

impl Candidate {
    /// Degrees of freedom, infinite for a normal kernel, and the bandwidth.
    fn numbers(&self) -> Vec<f64> {
        let degrees = match self.kernel {
            Kernel::Normal => f64::INFINITY,
            Kernel::StudentT { degrees_of_freedom } => degrees_of_freedom,
        };
        vec![degrees, self.bandwidth]
    }
}

impl Smoothing {
    pub(super) fn check(&self) -> Result<(), String> {
        let positive = self.bandwidth.is_finite() && self.bandwidth > 0.0;
        require(positive, "a bandwidth that is not above zero")
    }

    /// The kernel and bandwidth of the greatest mean log density of `outcomes`, given the points of
    /// each of their rows; `targets` are those of the fit, ascending.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where the targets do not vary; [`FitError::Diverged`] where no
    /// density is finite; those of the checkpoints.
    pub(super) fn choose(
        degrees_of_freedom: &[f64],
        points: &[WeightedPoints],
        outcomes: &[f64],
        targets: &[f64],
        context: &Context,
    ) -> Result<Self, FitError> {
        let rule = silverman(targets).ok_or_else(|| {
            FitError::Unsupported(format!("{ID}: a kernel needs targets that vary"))
        })?;
        let largest = targets[targets.len() - 1] - targets[0];
        let held_out = HeldOut { points, outcomes };
        let smallest = rule / SMALLEST;
        let grows = |kernel: Kernel| {
            held_out.loss(kernel, smallest / NARROWER) < held_out.loss(kernel, smallest)
        };
        let mut search = Search::default();
        let heaviest = degrees_of_freedom.iter().copied().fold(f64::INFINITY, f64::min);
        let kernels: Vec<Kernel> = match grows(student_t(heaviest)) {
            false => {
                let others = degrees_of_freedom.iter().map(|&degrees| student_t(degrees));
                std::iter::once(Kernel::Normal).chain(others).collect()
            }
            true if !grows(Kernel::Normal) => vec![Kernel::Normal],
            true => {
                let candidate = Candidate { kernel: Kernel::Normal, bandwidth: rule };
                search.add(candidate, Ok(-held_out.loss(Kernel::Normal, rule)))?;
                Vec::new()
            }
        };
        for kernel in kernels {
            let (bandwidth, loss) = held_out.best_bandwidth(kernel, smallest, largest, context)?;
            let score = match loss.is_finite() {
                true => Ok(-loss),
                false => Err(FitError::Diverged(format!("{ID}: no density is finite"))),
            };
            search.add(Candidate { kernel, bandwidth }, score)?;
        }
        let describe = |candidate: &Candidate| format!("{:?}", candidate.kernel);
        let &chosen = search.chosen(ID, describe)?;
        let tried = side_table(
            Candidates::CHOICE,
            &["degrees_of_freedom", "bandwidth"],
            Candidate::numbers,
            Outcome::ValidationLoss,
            search.scored().map(|(candidate, score)| (candidate, -score)),
            &chosen,
        );
        Ok(Self { kernel: chosen.kernel, bandwidth: chosen.bandwidth, tried })
    }
}

fn student_t(degrees_of_freedom: f64) -> Kernel {
    Kernel::StudentT { degrees_of_freedom }
}

/// 0.9 min(s, IQR/1.349) n^−1/5 of ascending numbers (B. W. Silverman, 1986, *Density estimation*,
/// equation 3.31), s alone where the quartiles are equal; `None` where the numbers do not vary.
fn silverman(sorted: &[f64]) -> Option<f64> {
    let n = sorted.len() as f64;
    let mean = sorted.iter().sum::<f64>() / n;
    let squares: f64 = sorted.iter().map(|y| (y - mean).powi(2)).sum();
    let deviation = (squares / (n - 1.0)).sqrt();
    let quartile = |level: f64| interpolated_quantile(sorted, level);
    let between = quartile(0.75)? - quartile(0.25)?;
    let spread = if between > 0.0 { deviation.min(between / 1.349) } else { deviation };
    let rule = 0.9 * spread * n.powf(-0.2);
    (rule.is_finite() && rule > 0.0).then_some(rule)
}

/// Rows that were held out: the points of each, and its outcome.
struct HeldOut<'a> {
    points: &'a [WeightedPoints],
    outcomes: &'a [f64],
}

impl HeldOut<'_> {
    /// The mean of −ln f.
    fn loss(&self, kernel: Kernel, bandwidth: f64) -> f64 {
        let ln_peak = kernel.ln_density(0.0) - bandwidth.ln();
        let row = |(points, &y): (&WeightedPoints, &f64)| {
            let z = |value: f64| (y - value) / bandwidth;
            let relative = kernel.sum_relative_densities(points, z);
            if relative > 0.0 {
                return -ln_peak - relative.ln();
            }
            // All densities are below the smallest number: the largest term stands for the sum.
            let term = |&(value, weight): &(f64, f64)| weight.ln() + kernel.ln_density(z(value));
            bandwidth.ln() - points.iter().map(term).fold(f64::NEG_INFINITY, f64::max)
        };
        self.points.iter().zip(self.outcomes).map(row).sum::<f64>() / self.outcomes.len() as f64
    }

    /// The bandwidth from `smallest` to `largest` with the least loss, and the loss.
    fn best_bandwidth(
        &self,
        kernel: Kernel,
        smallest: f64,
        largest: f64,
        context: &Context,
    ) -> Result<(f64, f64), FitError> {
        let loss = |ln_h: f64| -> Result<f64, FitError> {
            context.checkpoint()?;
            let loss = self.loss(kernel, ln_h.exp());
            Ok(if loss.is_nan() { f64::INFINITY } else { loss })
        };
        let (from, to) = (smallest.ln(), largest.max(2.0 * smallest).ln());
        let step = (to - from) / STEPS as f64;
        let mut best = (from, f64::INFINITY);
        for i in 0..=STEPS {
            let at = from + step * i as f64;
            let found = loss(at)?;
            if found < best.1 {
                best = (at, found);
            }
        }
        let ratio = 0.5 * (5_f64.sqrt() - 1.0);
        let section =
            |low: f64, high: f64| (high - ratio * (high - low), low + ratio * (high - low));
        let (mut low, mut high) = ((best.0 - step).max(from), (best.0 + step).min(to));
        let (mut a, mut b) = section(low, high);
        let (mut at_a, mut at_b) = (loss(a)?, loss(b)?);
        for _ in 0..SECTIONS {
            for (at, found) in [(a, at_a), (b, at_b)] {
                if found < best.1 {
                    best = (at, found);
                }
            }
            if at_a <= at_b {
                (high, b, at_b) = (b, a, at_a);
                a = section(low, high).0;
                at_a = loss(a)?;
            } else {
                (low, a, at_a) = (a, b, at_b);
                b = section(low, high).1;
                at_b = loss(b)?;
            }
        }
        Ok((best.0.exp(), best.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::math::random::Streams;

    fn context() -> Context {
        Context::new(Streams::new(1, "smoothing"))
    }

    #[test]
    fn the_rule_of_thumb_is_silvermans() {
        // statsmodels 0.14: bw_silverman([1, 2, 4, 8, 16]) and of [0, 1, 1, 1, 1, 9].
        assert!(
            (silverman(&[1.0, 2.0, 4.0, 8.0, 16.0]).unwrap() - 2.901_267_741_927_025).abs() < 1e-12
        );
        let deviation =
            (((13.0_f64 / 6.0).powi(2) + 4.0 * (7.0_f64 / 6.0).powi(2) + (41.0_f64 / 6.0).powi(2))
                / 5.0)
                .sqrt();
        let expected = 0.9 * deviation * 6.0_f64.powf(-0.2);
        assert!((silverman(&[0.0, 1.0, 1.0, 1.0, 1.0, 9.0]).unwrap() - expected).abs() < 1e-12);
        assert_eq!(silverman(&[3.0, 3.0, 3.0]), None);
    }

    #[test]
    fn the_bandwidth_of_one_point_a_row_is_the_root_mean_square_distance() {
        // For a normal kernel about one point the best h² is the mean square of y − point.
        let distances = [0.3, -1.2, 0.7, 2.0, -0.4];
        let points: Vec<WeightedPoints> = (0..5).map(|i| vec![(f64::from(i), 1.0)]).collect();
        let outcomes: Vec<f64> =
            distances.iter().enumerate().map(|(i, by)| i as f64 + by).collect();
        let held_out = HeldOut { points: &points, outcomes: &outcomes };
        let (h, _) = held_out.best_bandwidth(Kernel::Normal, 1e-3, 100.0, &context()).unwrap();
        let expected = (distances.iter().map(|by| by * by).sum::<f64>() / 5.0).sqrt();
        assert!((h / expected - 1.0).abs() < 1e-3, "{h} {expected}");
        // Far from all points densities underflow, and their logarithms do not.
        let loss = held_out.loss(Kernel::Normal, 1e-3);
        let direct: f64 = distances.iter().map(|by: &f64| 0.5 * (by / 1e-3).powi(2)).sum();
        assert!(
            (loss - (direct / 5.0 + (2.0 * std::f64::consts::PI).ln() / 2.0 + 1e-3_f64.ln())).abs()
                < 1e-6 * loss
        );
    }

    #[test]
    fn outcomes_that_equal_points_get_the_rule_of_thumb() {
        let targets = [3.0, 4.0, 5.0, 5.0, 6.0, 6.0, 7.0, 8.0];
        let points: Vec<WeightedPoints> =
            (0..8).map(|_| targets.iter().map(|&y| (y, 0.125)).collect()).collect();
        let choose = |outcomes: &[f64]| {
            Smoothing::choose(&[5.0, 2.0], &points, outcomes, &targets, &context()).unwrap()
        };
        let found = choose(&targets);
        assert_eq!(found.kernel, Kernel::Normal);
        assert_eq!(Some(found.bandwidth), silverman(&targets));
        assert_eq!(found.check(), Ok(()));
        // Between the points it is searched, and no kernel with a smaller loss was left out.
        let between: Vec<f64> = targets.iter().map(|y| y + 0.37).collect();
        let found = choose(&between);
        let held_out = HeldOut { points: &points, outcomes: &between };
        let loss = held_out.loss(found.kernel, found.bandwidth);
        for kernel in [Kernel::Normal, student_t(5.0), student_t(2.0)] {
            for h in [0.05, 0.1, 0.2, 0.4, 0.8, 1.6] {
                assert!(held_out.loss(kernel, h) >= loss - 1e-9);
            }
        }
        let error = Smoothing::choose(&[2.0], &points, &targets, &[1.0, 1.0], &context());
        assert!(matches!(error, Err(FitError::Unsupported(_))));
    }
}
