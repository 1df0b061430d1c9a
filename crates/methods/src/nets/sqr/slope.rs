//! Compute loss and gradient of a network of quantiles on one batch.
//!
//! ```text
//! ŷ(x, τ) = a(x W + u(τ) w + b) v + c,  loss = mean of ℓ_τ(ŷ(x_i, τ), y_i) over the rows i and their levels τ
//! ```
//!
//! u(τ) is the network's input of the level. The levels of a row share x W + b, and one product
//! gives the derivatives by W and b of all of them. The derivatives are written by hand, because on
//! a tape most of the time passes between the products.

use faer::Accum;
use faer::traits::pulp::Simd;
use ndarray::ArrayView2;

use super::level_input;
use crate::nets::gather::append_row;
use crate::nets::{Layer, Mlp};
use uq_math::autodiff::{Bend, Bent};
use uq_math::matrix_product::{Factor, LANES, multiply};

/// Rows whose hidden units stay in the fastest cache.
const BLOCK: usize = 64;

/// Units whose derivatives are summed over all rows at once.
const FEW: usize = 8;

/// A network of quantiles and the memory of its steps.
pub(super) struct QuantileLoss<'a> {
    features: ArrayView2<'a, f64>,
    target: ArrayView2<'a, f64>,
    first: Layer,
    second: Layer,
    /// Numbers of one block of n rows: x, a place without a level, and 1, the input of b; n × (d +
    /// 2).
    inputs: Vec<f64>,
    /// n.
    outcomes: Vec<f64>,
    /// x W + b, then the derivatives by it, n × h.
    hidden: Vec<f64>,
    /// For each row and level of a block the input u(τ) and the derivative by the output.
    pulls: Vec<(f64, f64)>,
}

impl<'a> QuantileLoss<'a> {
    /// For a network of the shape of `net` (d features and the level, one hidden layer of h units,
    /// one output) and the rows of `features` (N × d) and `target` (N × 1).
    pub fn new(features: ArrayView2<'a, f64>, target: ArrayView2<'a, f64>, net: &Mlp) -> Self {
        let layers: Vec<Layer> = net.layers().collect();
        let (first, second) = (layers[0], layers[1]);
        let hidden = vec![0.0; BLOCK * first.units];
        let (inputs, outcomes, pulls) = (Vec::new(), Vec::new(), Vec::new());
        Self { features, target, first, second, inputs, outcomes, hidden, pulls }
    }

    /// The mean loss over `rows`, of which each has as many of the `levels` (row by row).
    /// Overwrites `gradient`, where it is given, with the derivatives.
    pub fn mean(
        &mut self,
        theta: &[f64],
        rows: &[usize],
        levels: &[f64],
        mut gradient: Option<&mut [f64]>,
    ) -> f64 {
        let Self { features, target, first, second, inputs, outcomes, hidden, pulls } = self;
        let (columns, units, each) = (first.inputs + 1, first.units, levels.len() / rows.len());
        let (own, of_level) = (first.weights..first.bias + units, first.bias - units..first.bias);
        if let Some(gradient) = gradient.as_deref_mut() {
            gradient.fill(0.0);
        }
        let mut total = 0.0;
        for (rows, levels_of) in rows.chunks(BLOCK).zip(levels.chunks(BLOCK * each)) {
            inputs.clear();
            outcomes.clear();
            for &row in rows {
                append_row(inputs, features, row);
                inputs.extend([0.0, 1.0]);
                outcomes.push(target[(row, 0)]);
            }
            let inputs = Factor::new(inputs, rows.len(), columns);
            let hidden = &mut hidden[..rows.len() * units];
            multiply(
                hidden,
                Accum::Replace,
                inputs,
                Factor::new(&theta[own.clone()], columns, units),
                1.0,
            );
            let by = gradient.as_deref_mut().map(|gradient| {
                let (of_first, of_second) = gradient.split_at_mut(second.weights);
                let (output, bias) = of_second.split_at_mut(units);
                Derivatives { level: &mut of_first[of_level.clone()], output, bias: &mut bias[0] }
            });
            total += first.activation.run(Levels {
                hidden,
                outcomes,
                levels: levels_of,
                level: &theta[of_level.clone()],
                output: &theta[second.weights..second.bias],
                bias: theta[second.bias],
                share: 1.0 / levels.len() as f64,
                pulls,
                by,
            });
            if let Some(gradient) = gradient.as_deref_mut() {
                let by_hidden = Factor::new(hidden, rows.len(), units);
                multiply(
                    &mut gradient[own.clone()],
                    Accum::Add,
                    inputs.transpose(),
                    by_hidden,
                    1.0,
                );
            }
        }
        total
    }
}

/// Derivatives, to which those of a block are added.
struct Derivatives<'a> {
    /// By w.
    level: &'a mut [f64],
    /// By v.
    output: &'a mut [f64],
    /// By c.
    bias: &'a mut f64,
}

/// The outputs of a block of rows at their levels.
struct Levels<'a> {
    /// x W + b; it is replaced by the derivatives by it, where derivatives are wanted.
    hidden: &'a mut [f64],
    outcomes: &'a [f64],
    levels: &'a [f64],
    /// w.
    level: &'a [f64],
    /// v.
    output: &'a [f64],
    /// c.
    bias: f64,
    /// One over the number of losses of the batch.
    share: f64,
    /// Memory for the input u(τ) of each row and level, and the derivative by the output.
    pulls: &'a mut Vec<(f64, f64)>,
    by: Option<Derivatives<'a>>,
}

impl Bent for Levels<'_> {
    /// The sum of the losses times the share.
    type Output = f64;

    /// First the outputs of all rows, then the derivatives, a few units of all rows at a time:
    /// their sums stay in registers.
    #[inline(always)]
    fn run<B: Bend, S: Simd>(self, _: S) -> f64 {
        let Self { hidden, outcomes, levels, level: w, output, bias, share, pulls, by } = self;
        let (units, each) = (output.len(), levels.len() / outcomes.len());
        let mut total = 0.0;
        pulls.clear();
        for ((sums, y), levels) in
            hidden.chunks_exact(units).zip(outcomes).zip(levels.chunks_exact(each))
        {
            for &level in levels {
                let input = level_input(level);
                let error = y - (output_at::<B>(sums, (input, w), output) + bias);
                let slope = if error < 0.0 { level - 1.0 } else { level };
                total += share * slope * error;
                pulls.push((input, -share * slope));
            }
        }
        let Some(by) = by else { return total };
        pulls.iter().for_each(|(_, pull)| *by.bias += pull);
        let mut few = FewUnits {
            hidden,
            pulls,
            each,
            level: w,
            output,
            by_level: by.level,
            by_output: by.output,
        };
        for first in (0..units).step_by(FEW) {
            match units - first {
                FEW.. => few.differentiate::<B, FEW>(first),
                rest => (0..rest).for_each(|unit| few.differentiate::<B, 1>(first + unit)),
            }
        }
        total
    }
}

/// Σ_j a(s_j + u w_j) v_j, in the order of [`dot`](uq_math::matrix_product::dot).
#[inline(always)]
fn output_at<B: Bend>(sums: &[f64], (input, w): (f64, &[f64]), v: &[f64]) -> f64 {
    let (sums, w, v) = (sums.chunks_exact(LANES), w.chunks_exact(LANES), v.chunks_exact(LANES));
    let term = |((sum, w), v): ((&f64, &f64), &f64)| B::value(sum + input * w) * v;
    let rest: f64 = sums.remainder().iter().zip(w.remainder()).zip(v.remainder()).map(term).sum();
    let mut lanes = [0.0; LANES];
    for ((sums, w), v) in sums.zip(w).zip(v) {
        for (lane, all) in lanes.iter_mut().zip(sums.iter().zip(w).zip(v)) {
            *lane += term(all);
        }
    }
    lanes.iter().sum::<f64>() + rest
}

/// The derivatives of a block of rows.
struct FewUnits<'a> {
    /// x W + b, which is replaced by the derivatives by it.
    hidden: &'a mut [f64],
    /// For each row and level the input u(τ) and the derivative by the output.
    pulls: &'a [(f64, f64)],
    /// Levels of a row.
    each: usize,
    level: &'a [f64],
    output: &'a [f64],
    by_level: &'a mut [f64],
    by_output: &'a mut [f64],
}

impl FewUnits<'_> {
    /// Those by what belongs to `N` units from the first one on.
    #[inline(always)]
    fn differentiate<B: Bend, const N: usize>(&mut self, first: usize) {
        let own = |from: &[f64]| -> [f64; N] {
            let from = &from[first..first + N];
            std::array::from_fn(|unit| from[unit])
        };
        let (w, v) = (own(self.level), own(self.output));
        let (mut by_level, mut by_output) = (own(self.by_level), own(self.by_output));
        let rows =
            self.hidden.chunks_exact_mut(self.output.len()).zip(self.pulls.chunks_exact(self.each));
        for (hidden, pulls) in rows {
            let sums = own(hidden);
            let mut by_sums = [0.0; N];
            for (input, pull) in pulls {
                for unit in 0..N {
                    let value = B::value(sums[unit] + input * w[unit]);
                    by_output[unit] += pull * value;
                    let by_sum = pull * v[unit] * B::slope(value);
                    by_level[unit] += input * by_sum;
                    by_sums[unit] += by_sum;
                }
            }
            hidden[first..first + N].copy_from_slice(&by_sums);
        }
        self.by_level[first..first + N].copy_from_slice(&by_level);
        self.by_output[first..first + N].copy_from_slice(&by_output);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;
    use rand::{RngExt, SeedableRng};
    use uq_core::math::random::Rng;
    use uq_math::autodiff::{Activation, Tape};

    #[test]
    fn loss_and_gradient_are_those_of_a_tape_in_whole_blocks_and_between() {
        let mut rng = Rng::seed_from_u64(3);
        let mut number = || rng.random::<f64>() - 0.5;
        let features = Array2::from_shape_simple_fn((90, 3), &mut number);
        let target = Array2::from_shape_simple_fn((90, 1), &mut number);
        for (activation, count, each) in [
            (Activation::Relu, 5, 2),
            (Activation::Tanh, BLOCK, 1),
            (Activation::Identity, BLOCK + 3, 2),
            (Activation::Relu, 90, 8),
        ] {
            let net = Mlp::new(&[4, 11, 1], activation);
            let theta: Vec<f64> = (0..net.end()).map(|_| number()).collect();
            let rows: Vec<usize> = (0..count).map(|i| (i * 37) % 90).collect();
            let levels: Vec<f64> = (0..count * each).map(|_| number() + 0.5).collect();
            let mut tape = Tape::new();
            let input = tape.constant_from(count * each, 4, |out| {
                for (i, out) in out.chunks_exact_mut(4).enumerate() {
                    features
                        .row(rows[i / each])
                        .iter()
                        .zip(&mut *out)
                        .for_each(|(x, out)| *out = *x);
                    out[3] = level_input(levels[i]);
                }
            });
            let y = tape.constant_from(count * each, 1, |out| {
                out.iter_mut().enumerate().for_each(|(i, out)| *out = target[(rows[i / each], 0)]);
            });
            let level = tape.constant(count * each, 1, &levels);
            let quantile = net.forward(&mut tape, &theta, input);
            let loss = tape.pinball(quantile, level, y);
            let loss = tape.mean(loss);
            let mut expected = vec![0.0; theta.len()];
            tape.backward(loss, &mut expected);
            let expected_loss = tape.scalar(loss);

            let mut quantiles = QuantileLoss::new(features.view(), target.view(), &net);
            let mut found = vec![9.0; theta.len()];
            let with = quantiles.mean(&theta, &rows, &levels, Some(&mut found));
            let without = quantiles.mean(&theta, &rows, &levels, None);
            assert_eq!(with, without);
            assert!(
                (with - expected_loss).abs() < 1e-14,
                "{activation:?}: {with} against {expected_loss}"
            );
            for (found, expected) in found.iter().zip(&expected) {
                assert!(
                    (found - expected).abs() < 1e-14,
                    "{activation:?}: {found} against {expected}"
                );
            }
        }
    }

    #[test]
    fn the_loss_is_smallest_at_the_quantile() {
        // Rows 0, 1, …, 9: every number from 2 to 3 is a quantile at 30 %. Without weights the
        // output is c.
        let (features, target) =
            (Array2::zeros((10, 1)), Array2::from_shape_fn((10, 1), |(i, _)| i as f64));
        let net = Mlp::new(&[2, 3, 1], Activation::Relu);
        let rows: Vec<usize> = (0..10).collect();
        let mut quantiles = QuantileLoss::new(features.view(), target.view(), &net);
        let mut loss = |q: f64| {
            let mut theta = vec![0.0; net.end()];
            theta[net.end() - 1] = q;
            quantiles.mean(&theta, &rows, &[0.3; 10], None)
        };
        assert!(
            (loss(2.0) - loss(3.0)).abs() < 1e-15 && loss(1.9) > loss(2.0) && loss(3.1) > loss(3.0)
        );
    }
}
