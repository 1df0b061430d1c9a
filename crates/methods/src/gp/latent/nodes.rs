//! Weigh the nodes of the grid for a row: the inner loops of training, and of drawing latent
//! points.
//!
//! ```text
//! q(x_n = g) ∝ p(g) ∏_d exp(−((y_nd − f_dg)² + v_dg) / 2σ_d²) ∝ exp(bias_g + Σ_d y_nd slope_dg)  (d)
//! ```
//!
//! is the best q(x_n) given q(θ), with f and v the mean and variance of f_d at a node. Factors that
//! are the same at all nodes are left out. It may have several modes.

use faer::traits::pulp::{Arch, Simd, WithSimd};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::weights::{Moments, Posterior};
use uq_core::math::random::Rng;
use uq_core::math::vectorised::exp;

/// The logarithm of a node's weight as a linear function of the known numbers of the row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// One number for each node, G.
    pub bias: Vec<f64>,
    /// One row for each known number, each G.
    pub slopes: Vec<f64>,
}

impl Scores {
    /// (d).
    pub fn of(&mut self, log_prior: &[f64], posterior: &Posterior) {
        let nodes = log_prior.len();
        self.bias.clear();
        self.bias.extend(log_prior);
        self.slopes.clear();
        let functions =
            posterior.mean.chunks_exact(nodes).zip(posterior.variance.chunks_exact(nodes));
        for ((mean, variance), noise) in functions.zip(&posterior.noise) {
            self.slopes.extend(mean.iter().map(|f| f / noise));
            let terms = mean.iter().zip(variance).map(|(f, v)| 0.5 * (f * f + v) / noise);
            self.bias.iter_mut().zip(terms).for_each(|(bias, term)| *bias -= term);
        }
    }
}

/// Results of a pass over the rows besides the moments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Passed {
    /// Σ_n ln Σ_g exp(score).
    pub log_normalisers: f64,
}

/// Weighs all nodes for every row of `known` (n × p, row by row) and adds up the weights, and the
/// weights times the rows of `targets` (n × D); `row` is memory for one row's weights.
pub fn pass(
    scores: &Scores,
    (known, targets): (&[f64], &[f64]),
    (rows, outputs): (usize, usize),
    moments: &mut Moments,
    row: &mut Vec<f64>,
) -> Passed {
    let nodes = scores.bias.len();
    for (buffer, size) in
        [(&mut moments.weights, nodes), (&mut moments.targets, outputs * nodes), (row, nodes)]
    {
        buffer.clear();
        buffer.resize(size, 0.0);
    }
    Arch::new().dispatch(Pass { scores, known, targets, rows, outputs, moments, row })
}

/// Weighs all nodes for one row, given its known numbers in `scores`: weights that sum to 1.
pub fn weigh(scores: &Scores, known: &[f64], row: &mut [f64]) {
    Arch::new().dispatch(Weigh { scores, known, row });
}

struct Pass<'a> {
    scores: &'a Scores,
    known: &'a [f64],
    targets: &'a [f64],
    rows: usize,
    outputs: usize,
    moments: &'a mut Moments,
    row: &'a mut [f64],
}

impl WithSimd for Pass<'_> {
    type Output = Passed;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Passed {
        let Self { scores, known, targets, rows, outputs, moments, row } = self;
        let columns = known.len() / rows.max(1);
        let nodes = row.len();
        let mut log_normalisers = 0.0;
        for n in 0..rows {
            log_normalisers += softmax(scores, &known[n * columns..(n + 1) * columns], row);
            for (sum, weight) in moments.weights.iter_mut().zip(&*row) {
                *sum += weight;
            }
            for (d, sums) in moments.targets.chunks_exact_mut(nodes).enumerate() {
                let target = targets[n * outputs + d];
                for (sum, weight) in sums.iter_mut().zip(&*row) {
                    *sum += target * weight;
                }
            }
        }
        Passed { log_normalisers }
    }
}

struct Weigh<'a> {
    scores: &'a Scores,
    known: &'a [f64],
    row: &'a mut [f64],
}

impl WithSimd for Weigh<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        softmax(self.scores, self.known, self.row);
    }
}

/// Numbers that are added up side by side: a fixed order, whatever the processor.
const LANES: usize = 8;

/// exp(score) / Σ exp(score), and ln Σ exp(score).
#[inline(always)]
fn softmax(scores: &Scores, known: &[f64], row: &mut [f64]) -> f64 {
    row.copy_from_slice(&scores.bias);
    for (value, slopes) in known.iter().zip(scores.slopes.chunks_exact(row.len())) {
        for (score, slope) in row.iter_mut().zip(slopes) {
            *score += value * slope;
        }
    }
    let mut largest = [f64::NEG_INFINITY; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (most, score) in largest.iter_mut().zip(chunk) {
            *most = if *score > *most { *score } else { *most };
        }
    }
    let top = largest.iter().chain(rest).fold(f64::NEG_INFINITY, |most, score| most.max(*score));
    let mut sums = [0.0; LANES];
    let (chunks, rest) = row.as_chunks_mut::<LANES>();
    for chunk in chunks {
        for (sum, score) in sums.iter_mut().zip(chunk) {
            *score = exp(*score - top);
            *sum += *score;
        }
    }
    for (sum, score) in sums.iter_mut().zip(rest) {
        *score = exp(*score - top);
        *sum += *score;
    }
    let total: f64 = sums.iter().sum();
    let factor = 1.0 / total;
    for weight in row.iter_mut() {
        *weight *= factor;
    }
    top + total.ln()
}

/// Turns weights that sum to 1 into their running sums.
pub fn accumulate(weights: &mut [f64]) {
    let mut sum = 0.0;
    for weight in weights {
        sum += *weight;
        *weight = sum;
    }
}

/// Draws a node, given the running sums of the weights.
pub fn draw(sums: &[f64], rng: &mut Rng) -> usize {
    let total = sums.last().copied().unwrap_or(1.0);
    let level = rng.random::<f64>() * total;
    sums.partition_point(|sum| *sum <= level).min(sums.len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Three known numbers, two targets, 19 nodes, so that the last lane is incomplete.
    fn scores() -> Scores {
        let number = |i: usize| ((i * 7919) % 101) as f64 / 25.0 - 2.0;
        Scores { bias: (0..19).map(number).collect(), slopes: (19..76).map(number).collect() }
    }

    #[test]
    fn weights_are_normalised_exponentials_and_the_pass_adds_them_up() {
        let scores = scores();
        let known = [0.3, -1.0, 2.0, 50.0, 40.0, -300.0];
        let targets = [1.0, 2.0, -3.0, 5.0];
        let (mut moments, mut row) = (Moments::default(), Vec::new());
        let found = pass(&scores, (&known, &targets), (2, 2), &mut moments, &mut row);
        let (mut expected, mut of_targets, mut logs) = (vec![0.0; 19], vec![0.0; 38], 0.0);
        for (known, targets) in known.chunks(3).zip(targets.chunks(2)) {
            let score = |g: usize| {
                scores.bias[g] + (0..3).map(|k| known[k] * scores.slopes[k * 19 + g]).sum::<f64>()
            };
            let top = (0..19).map(score).fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = (0..19).map(|g| (score(g) - top).exp()).sum();
            logs += top + total.ln();
            let mut alone = vec![0.0; 19];
            weigh(&scores, known, &mut alone);
            for g in 0..19 {
                let weight = (score(g) - top).exp() / total;
                assert!((weight - alone[g]).abs() < 1e-14);
                expected[g] += weight;
                (0..2).for_each(|d| of_targets[d * 19 + g] += targets[d] * weight);
            }
        }
        assert!((found.log_normalisers - logs).abs() < 1e-10);
        assert!(moments.weights.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-13));
        assert!(moments.targets.iter().zip(&of_targets).all(|(a, b)| (a - b).abs() < 1e-13));
    }

    #[test]
    fn draws_follow_the_weights() {
        let mut sums = [0.1, 0.0, 0.6, 0.3, 0.0];
        accumulate(&mut sums);
        let (mut rng, mut counts) = (Rng::seed_from_u64(1), [0.0_f64; 5]);
        for _ in 0..100_000 {
            counts[draw(&sums, &mut rng)] += 1e-5;
        }
        for (found, expected) in counts.iter().zip([0.1, 0.0, 0.6, 0.3, 0.0]) {
            // Four standard deviations of a share.
            assert!(
                (found - expected).abs() < 4.0 * (0.25_f64 / 1e5).sqrt() + 1e-12
                    && (expected > 0.0 || *found == 0.0)
            );
        }
    }
}
