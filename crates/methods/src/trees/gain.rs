//! Judge splits by how far apart they put the targets of both sides, or the distributions of these
//! targets.
//!
//! Both gains are a squared distance of means, times the product of both weights over their sum: of
//! the targets themselves, or of their embedding by random Fourier features, whose distance
//! estimates the maximum mean discrepancy (MMD) of two distributions.

use super::weights::Weights;
use uq_core::math::random::Rng;
use uq_math::normal_draws::fill_standard_normal;

/// A map of targets to vectors, centred in each node. A split's gain is |s_l|² / (w_l w_r), s_l
/// being the left side's sum.
pub(super) trait Gain {
    /// A sum of vectors.
    type Sum;
    /// The sum of no target.
    const ZERO: Self::Sum;

    /// Centres the vectors of a node's members. Returns the members' weight.
    fn enter(&mut self, members: &[u32], weights: &impl Weights, rng: &mut Rng) -> f64;

    /// Adds a row's vector.
    fn add(&self, sum: &mut Self::Sum, row: usize, weight: f64);

    /// The squared length of a sum.
    fn square(sum: &Self::Sum) -> f64;
}

/// Targets, centred and scaled so that no square overflows.
pub(super) struct Squares {
    targets: Vec<f64>,
    /// Their mean in the node.
    mean: f64,
}

impl Squares {
    pub(super) fn new(target: &[f64], members: &[u32], weights: &impl Weights) -> Self {
        let (mean, scale) = centre_and_scale(target, members, weights);
        Self { targets: target.iter().map(|y| (y - mean) / scale).collect(), mean: 0.0 }
    }
}

/// The members' mean, and the largest distance to it, or 1 where it is 0.
fn centre_and_scale(target: &[f64], members: &[u32], weights: &impl Weights) -> (f64, f64) {
    let total: f64 = members.iter().map(|&i| weights.of(i as usize)).sum();
    let mean =
        members.iter().map(|&i| weights.of(i as usize) * (target[i as usize] / total)).sum::<f64>();
    let spread = members.iter().map(|&i| (target[i as usize] - mean).abs()).fold(0.0, f64::max);
    (mean, if spread > 0.0 { spread } else { 1.0 })
}

impl Gain for Squares {
    type Sum = f64;
    const ZERO: f64 = 0.0;

    fn enter(&mut self, members: &[u32], weights: &impl Weights, _: &mut Rng) -> f64 {
        let (mut sum, mut weight) = (0.0, 0.0);
        for &i in members {
            let w = weights.of(i as usize);
            sum += w * self.targets[i as usize];
            weight += w;
        }
        self.mean = sum / weight;
        weight
    }

    fn add(&self, sum: &mut f64, row: usize, weight: f64) {
        *sum += weight * (self.targets[row] - self.mean);
    }

    fn square(sum: &f64) -> f64 {
        sum * sum
    }
}

/// Random frequencies of a node, as many as the package `drf` has.
const FREQUENCIES: usize = 10;

/// Cosines and sines of the target at random frequencies, drawn anew in each node: the means of two
/// sides are as far apart, on average over frequencies, as the Gaussian kernel's MMD.
pub(super) struct Fourier<'a> {
    target: &'a [f64],
    /// Length scale σ of the kernel exp(−(y − y')² / 2σ²), in units of the target.
    bandwidth: f64,
    waves: Vec<[f64; 2 * FREQUENCIES]>,
}

impl<'a> Fourier<'a> {
    /// `bandwidth` is positive.
    pub(super) fn new(target: &'a [f64], bandwidth: f64) -> Self {
        Self { target, bandwidth, waves: vec![[0.0; 2 * FREQUENCIES]; target.len()] }
    }
}

impl Gain for Fourier<'_> {
    type Sum = [f64; 2 * FREQUENCIES];
    const ZERO: Self::Sum = [0.0; 2 * FREQUENCIES];

    fn enter(&mut self, members: &[u32], weights: &impl Weights, rng: &mut Rng) -> f64 {
        let mut frequencies = [0.0; FREQUENCIES];
        fill_standard_normal(&mut frequencies, rng);
        // Relative to one of them, which turns all waves by one angle and keeps arguments small.
        let origin = self.target[members[0] as usize];
        let (mut mean, mut weight) = (Self::ZERO, 0.0);
        for &i in members {
            let y = (self.target[i as usize] - origin) / self.bandwidth;
            let wave = &mut self.waves[i as usize];
            for (pair, frequency) in wave.chunks_exact_mut(2).zip(frequencies) {
                (pair[1], pair[0]) = (frequency * y).sin_cos();
            }
            let w = weights.of(i as usize);
            self.add(&mut mean, i as usize, w);
            weight += w;
        }
        mean.iter_mut().for_each(|sum| *sum /= weight);
        for &i in members {
            self.waves[i as usize].iter_mut().zip(mean).for_each(|(wave, mean)| *wave -= mean);
        }
        weight
    }

    fn add(&self, sum: &mut Self::Sum, row: usize, weight: f64) {
        sum.iter_mut().zip(&self.waves[row]).for_each(|(sum, wave)| *sum += weight * wave);
    }

    fn square(sum: &Self::Sum) -> f64 {
        sum.iter().map(|sum| sum * sum).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::weights::Ones;
    use rand::SeedableRng;

    /// w_l w_r / w² |mean_l − mean_r|² of complex waves, from the definition.
    fn by_definition(target: &[f64], left: &[bool], frequency: f64) -> f64 {
        let mean = |side: bool| {
            let rows: Vec<f64> =
                target.iter().zip(left).filter(|(_, l)| **l == side).map(|(y, _)| *y).collect();
            let n = rows.len() as f64;
            let sum =
                |wave: fn(f64) -> f64| rows.iter().map(|y| wave(frequency * y)).sum::<f64>() / n;
            (n, sum(f64::cos), sum(f64::sin))
        };
        let ((a, cos_a, sin_a), (b, cos_b, sin_b)) = (mean(true), mean(false));
        a * b / (a + b).powi(2) * ((cos_a - cos_b).powi(2) + (sin_a - sin_b).powi(2))
    }

    #[test]
    fn the_gain_of_waves_is_their_distance_by_definition() {
        let target = [0.3, -1.2, 2.5, 0.9, 0.0, 4.0, -0.7];
        let left = [true, false, true, true, false, false, true];
        let bandwidth = 1.7;
        let members: Vec<u32> = (0..7).collect();
        let mut gain = Fourier::new(&target, bandwidth);
        let weight = gain.enter(&members, &Ones, &mut Rng::seed_from_u64(3));
        let mut frequencies = [0.0; FREQUENCIES];
        fill_standard_normal(&mut frequencies, &mut Rng::seed_from_u64(3));
        let (mut sum, mut count) = (Fourier::ZERO, 0.0);
        for row in (0..7).filter(|&row| left[row]) {
            gain.add(&mut sum, row, 1.0);
            count += 1.0;
        }
        assert_eq!(weight, 7.0);
        let found = Fourier::square(&sum) / (count * (weight - count));
        let expected: f64 =
            frequencies.iter().map(|f| by_definition(&target, &left, f / bandwidth)).sum();
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    #[test]
    fn the_mean_distance_over_frequencies_is_the_kernels() {
        // MMD² of two points at distance t under exp(−t²/2σ²) is 2 − 2 exp(−t²/2σ²).
        let (target, bandwidth) = ([0.0, 1.3], 0.8);
        let mut gain = Fourier::new(&target, bandwidth);
        let mut rng = Rng::seed_from_u64(8);
        let (mut total, rounds) = (0.0, 4000);
        for _ in 0..rounds {
            gain.enter(&[0, 1], &Ones, &mut rng);
            let mut sum = Fourier::ZERO;
            gain.add(&mut sum, 0, 1.0);
            // Half the distance of the means, squared, for each frequency.
            total += 4.0 * Fourier::square(&sum) / FREQUENCIES as f64;
        }
        let expected = 2.0 - 2.0 * (-1.3_f64.powi(2) / (2.0 * bandwidth * bandwidth)).exp();
        assert!(
            (total / f64::from(rounds) - expected).abs() < 0.03,
            "{} {expected}",
            total / f64::from(rounds)
        );
    }
}
