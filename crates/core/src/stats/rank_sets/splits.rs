//! Rank methods on datasets that are given, by their losses over splits.
//!
//! The mean over D datasets of the logarithm of a method's mean loss x̄ over n splits, each of which
//! tests n₂ rows and trains on n₁. For two methods j and k, to first order in the losses:
//!
//! ```text
//! m_j      = (1/D) Σ_d ln x̄_dj                                              (1)
//! u_dsj    = x_dsj / x̄_dj                                                   (2)
//! se_jk²   = (1/D²) Σ_d (1/n + n₂/n₁) s²_d(u_j − u_k)                       (3)
//! m* − m   = (1/D) Σ_d √((1/n + n₂/n₁)(n − 1)/χ²) S_d^½ z                   (4)
//! t*_jk    = [(m*_j − m_j) − (m*_k − m_k)] / se_jk                          (5)
//! ```
//!
//! (3) is the variance for overlapping training sets, (4) draws from a Student distribution with n −
//! 1 degrees of freedom for each dataset, S_d the covariance of the methods' u over its splits, z
//! standard normal: a dataset of few splits counts with its few degrees of freedom.
//!
//! *References:* (3): Nadeau & Bengio (2003), Machine Learning 52, 239-281; (4): Corani & Benavoli
//! (2015), Machine Learning 100, 285-304, for two methods.

use super::{Pair, RankSets};
use crate::math::random::Rng;
use crate::math::special::normal_quantile;
use crate::stats::rounding::TIED;
use rand::RngExt;

/// The losses on one dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct Splits {
    /// Losses of each method by split: all lists are of one length.
    pub losses: Vec<Vec<f64>>,
    /// Number of test rows divided by number of training rows.
    pub test_to_train: f64,
}

/// A dataset's part of the draws.
struct Part {
    /// u less 1 of equation 2, by split and method.
    deviations: Vec<Vec<f64>>,
    /// 1/n + n₂/n₁.
    widening: f64,
}

impl Part {
    /// The part of a dataset, and the logarithms of its mean losses; `None` for fewer than two
    /// splits and for a mean loss that has no logarithm.
    fn measure(dataset: &Splits) -> Option<(Self, Vec<f64>)> {
        let splits = dataset.losses.first()?.len();
        let means: Vec<f64> =
            dataset.losses.iter().map(|of| of.iter().sum::<f64>() / splits as f64).collect();
        if splits < 2 || !means.iter().all(|mean| *mean > 0.0 && mean.is_finite()) {
            return None;
        }
        let of_split = |split: usize| {
            dataset.losses.iter().zip(&means).map(|(of, mean)| of[split] / mean - 1.0).collect()
        };
        let widening = 1.0 / splits as f64 + dataset.test_to_train;
        let part = Self { deviations: (0..splits).map(of_split).collect(), widening };
        Some((part, means.into_iter().map(f64::ln).collect()))
    }

    fn degrees(&self) -> f64 {
        (self.deviations.len() - 1) as f64
    }

    /// The variance of the mean difference of two methods.
    fn variance(&self, a: usize, b: usize) -> f64 {
        let squares = self.deviations.iter().map(|of| (of[a] - of[b]).powi(2)).sum::<f64>();
        self.widening * squares / self.degrees()
    }

    /// Adds a draw of the deviations of all means, equation 4.
    fn draw(&self, to: &mut [f64], rng: &mut Rng) {
        // χ² is a sum of squares; S^½ z a combination of the deviations of the splits.
        let mut squares = 0.0;
        for _ in 0..self.deviations.len() - 1 {
            squares += normal(rng).powi(2);
        }
        let scale = (self.widening / squares).sqrt();
        for of in &self.deviations {
            let weight = scale * normal(rng);
            to.iter_mut().zip(of).for_each(|(to, deviation)| *to += weight * deviation);
        }
    }
}

fn normal(rng: &mut Rng) -> f64 {
    normal_quantile(rng.random_range(f64::EPSILON..1.0))
}

impl RankSets {
    /// The ranks that methods may have on these datasets, over other splits. All sets together
    /// contain all true ranks with probability 1 − `alpha`, by this number of `draws`.
    ///
    /// `None` for no dataset, for one with fewer than two splits, and for a mean loss that is not
    /// positive and finite.
    pub fn over_splits(
        datasets: &[Splits],
        draws: usize,
        stream: &mut Rng,
        alpha: f64,
    ) -> Option<Self> {
        let parts: Vec<(Part, Vec<f64>)> =
            datasets.iter().map(Part::measure).collect::<Option<_>>()?;
        let (count, methods) = (parts.len() as f64, parts.first()?.1.len());
        let mean = |method: usize| parts.iter().map(|(_, logs)| logs[method]).sum::<f64>() / count;
        let means: Vec<f64> = (0..methods).map(mean).collect();
        let mut pairs = Vec::new();
        for a in 0..methods {
            for b in a + 1..methods {
                let variance: f64 = parts.iter().map(|(part, _)| part.variance(a, b)).sum();
                let error = variance.sqrt() / count; // (3)
                if error > TIED {
                    let (low, high) = if means[a] < means[b] { (a, b) } else { (b, a) };
                    pairs.push(Pair {
                        low,
                        high,
                        t: (means[a] - means[b]).abs() / error,
                        of: error,
                    });
                }
            }
        }
        let draw = |_| {
            let mut one = vec![0.0; methods];
            parts.iter().for_each(|(part, _)| part.draw(&mut one, stream));
            one.iter_mut().for_each(|deviation| *deviation /= count);
            one
        };
        let draws: Vec<Vec<f64>> = (0..draws).map(draw).collect();
        let t = |one: &Vec<f64>, pair: &Pair<f64>| (one[pair.low] - one[pair.high]).abs() / pair.of;
        let count = draws.len() + 1;
        Some(Self::decide(means, pairs, (&draws, count), t, alpha)) // (5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Streams;
    use crate::stats::corrected::Corrected;

    fn stream(name: &str, index: u64) -> Rng {
        Streams::new(2, "rank sets over splits").stream(name, index)
    }

    /// Losses of methods with these logarithms of their means.
    fn dataset(logs: &[f64], splits: usize, rng: &mut Rng) -> Splits {
        let shared: Vec<f64> = (0..splits).map(|_| 0.1 * normal(rng)).collect();
        let draw = |log: &f64| {
            shared.iter().map(|shared| (log + shared + 0.1 * normal(rng)).exp()).collect()
        };
        Splits { losses: logs.iter().map(draw).collect(), test_to_train: 0.0 }
    }

    #[test]
    fn methods_far_apart_have_one_rank_each_and_equal_ones_every_rank() {
        let mut rng = stream("losses", 0);
        let far: Vec<Splits> = (0..3).map(|_| dataset(&[1.0, 0.0, 2.0], 10, &mut rng)).collect();
        let found = RankSets::over_splits(&far, 999, &mut stream("draws", 0), 0.05).unwrap();
        assert_eq!(found.ranks, [2, 1, 3]);
        assert!(
            found
                .sets
                .iter()
                .zip(&found.ranks)
                .all(|(set, rank)| { (set.best, set.worst) == (*rank, *rank) })
        );
        let one = dataset(&[0.0], 10, &mut rng).losses.remove(0);
        let same = Splits { losses: vec![one.clone(), one], test_to_train: 0.1 };
        let found = RankSets::over_splits(&[same], 99, &mut stream("draws", 0), 0.05).unwrap();
        assert_eq!((found.ranks, found.sets[0].worst, found.sets[1].best), (vec![1, 1], 2, 1));
    }

    #[test]
    fn a_pair_on_one_dataset_is_decided_as_by_the_corrected_test() {
        // With u = x/x̄ the two tests differ by the second order of small differences alone.
        for seed in 0..20 {
            let mut rng = stream("pair", seed);
            let mut data = dataset(&[0.0, 0.05], 12, &mut rng);
            data.test_to_train = 0.1;
            let differences: Vec<f64> =
                data.losses[1].iter().zip(&data.losses[0]).map(|(a, b)| a - b).collect();
            let p = Corrected::compare(&differences, 0.1).unwrap().p_value();
            let mut draws = stream("draws", seed);
            let found = RankSets::over_splits(&[data], 4999, &mut draws, 0.05).unwrap();
            if !(0.03..0.08).contains(&p) {
                assert_eq!(found.separates(0, 1) || found.separates(1, 0), p < 0.05, "{p}");
            }
        }
    }

    #[test]
    fn what_has_one_split_or_no_logarithm_has_no_sets() {
        let rank = |losses: Vec<Vec<f64>>| {
            let data = [Splits { losses, test_to_train: 0.1 }];
            RankSets::over_splits(&data, 9, &mut stream("draws", 0), 0.05)
        };
        assert!(rank(vec![vec![1.0], vec![2.0]]).is_none());
        assert!(rank(vec![vec![1.0, 2.0], vec![0.0, 0.0]]).is_none());
        assert!(RankSets::over_splits(&[], 9, &mut stream("draws", 0), 0.05).is_none());
    }

    #[test]
    fn sets_contain_all_true_ranks_as_often_as_they_state() {
        // As in the test over datasets: more than 27 of 300 with a probability of less than 0.002.
        // One of the datasets has four splits.
        let wrong = (0..300).filter(|seed| {
            let mut rng = stream("coverage", *seed);
            let data: Vec<Splits> = [4, 10, 10]
                .map(|splits| dataset(&[0.0, 0.0, 0.0, 0.4, 0.4], splits, &mut rng))
                .into();
            let found = RankSets::over_splits(&data, 199, &mut rng, 0.05).unwrap();
            let is_wrong = |(at, set): (usize, &super::super::RankSet)| {
                if at < 3 { set.best > 1 || set.worst < 3 } else { set.best > 4 || set.worst < 5 }
            };
            found.sets.iter().enumerate().any(is_wrong)
        });
        let wrong = wrong.count();
        assert!(wrong <= 27, "{wrong} of 300");
    }
}
