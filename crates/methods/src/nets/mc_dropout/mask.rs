//! Draw dropout masks, and pass rows through a network under them.

use faer::Accum;
use ndarray::{Array2, ArrayView2, Axis};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::nets::{Layer, Mlp};
use crate::state::require;
use crate::{Context, FitError};
use uq_core::math::random::Rng;
use uq_math::matrix_product::{Factor, dot, multiply};

/// Passes, and rows, whose hidden units are computed by one product: few enough to stay in cache.
const GROUP: usize = 8;
const BLOCK: usize = 64;

/// Fills `mask` with 0 of probability p = `rate` (to 2⁻³²) and 1/(1 − p) else, so that the mean of
/// a number does not change.
pub(super) fn fill_mask(mask: &mut [f64], rate: f64, rng: &mut Rng) {
    let kept = 1.0 / (1.0 - rate);
    let dropped_below = (rate * 2_f64.powi(32)).round() as u64;
    let factor = |bits: u64| if bits < dropped_below { 0.0 } else { kept };
    for pair in mask.chunks_mut(2) {
        // One half of the bits for each of two numbers.
        let bits = rng.random::<u64>();
        for (value, bits) in pair.iter_mut().zip([bits >> 32, bits & 0xffff_ffff]) {
            *value = factor(bits);
        }
    }
}

/// The masks of T passes: for each the factors of all layers' inputs, layer by layer.
#[derive(Serialize, Deserialize)]
pub(super) struct Passes(Vec<Vec<f64>>);

impl Passes {
    /// Draws the masks of each pass from the stream `pass`; that of the inputs is all ones unless
    /// they are dropped.
    pub fn draw(net: &Mlp, rate: f64, drop_inputs: bool, count: usize, context: &Context) -> Self {
        let factors: usize = net.layers().map(|layer| layer.inputs).sum();
        let kept = if drop_inputs { 0 } else { net.inputs() };
        let pass = |t| {
            let mut mask = vec![0.0; factors];
            fill_mask(&mut mask, rate, &mut context.stream("pass", t));
            mask[..kept].fill(1.0);
            mask
        };
        Self((0..count as u64).map(pass).collect())
    }

    /// Checks masks that were read: there is a pass, and each has a factor for each input of both
    /// layers.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, net: &Mlp) -> Result<(), String> {
        let layers: Vec<Layer> = net.layers().collect();
        let factors: usize = layers.iter().map(|layer| layer.inputs).sum();
        let whole = !self.0.is_empty() && self.0.iter().all(|mask| mask.len() == factors);
        require(layers.len() == 2 && layers[0].units > 0 && whole, "masks of another network")
    }

    /// The output of `net` (d inputs, one hidden layer of h units, one output) at each row of
    /// `features` (n × d) in each pass, n × T.
    ///
    /// A mask on a layer's inputs is one on the rows of its weights: W₁ and b₁ of several passes
    /// stand side by side in one matrix, so that one product gives the hidden units of all of them.
    ///
    /// # Errors
    /// [`FitError::Cancelled`] and [`FitError::TimedOut`] before the next passes.
    pub fn predict(
        &self,
        net: &Mlp,
        parameters: &[f64],
        features: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Array2<f64>, FitError> {
        let layers: Vec<Layer> = net.layers().collect();
        let (first, second) = (layers[0], layers[1]);
        let (inputs, units) = (first.inputs, first.units);
        let given = &parameters[first.weights..first.bias + units];
        let mut outputs = Array2::zeros((features.nrows(), self.0.len()));
        let (mut wide, mut last, mut rows, mut hidden) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (group, mut into) in
            self.0.chunks(GROUP).zip(outputs.axis_chunks_iter_mut(Axis(1), GROUP))
        {
            context.checkpoint()?;
            wide.clear();
            for (j, row) in given.chunks_exact(units).enumerate() {
                // The row behind those of W₁ is b₁, which is not masked.
                let factor = |mask: &Vec<f64>| if j < inputs { mask[j] } else { 1.0 };
                wide.extend(
                    group
                        .iter()
                        .flat_map(|mask| row.iter().map(move |weight| factor(mask) * weight)),
                );
            }
            last.clear();
            let weights = &parameters[second.weights..second.bias];
            last.extend(
                group.iter().flat_map(|mask| {
                    mask[inputs..].iter().zip(weights).map(|(z, weight)| z * weight)
                }),
            );
            let all = group.len() * units;
            let blocks = features
                .axis_chunks_iter(Axis(0), BLOCK)
                .zip(into.axis_chunks_iter_mut(Axis(0), BLOCK));
            for (block, mut into) in blocks {
                rows.clear();
                block
                    .rows()
                    .into_iter()
                    .for_each(|row| rows.extend(row.iter().copied().chain([1.0])));
                hidden.resize(block.nrows() * all, 0.0);
                let left = Factor::new(&rows, block.nrows(), inputs + 1);
                multiply(
                    &mut hidden,
                    Accum::Replace,
                    left,
                    Factor::new(&wide, inputs + 1, all),
                    1.0,
                );
                first.activation.apply(&mut hidden);
                for (hidden, mut into) in hidden.chunks_exact(all).zip(into.rows_mut()) {
                    let passes = hidden.chunks_exact(units).zip(last.chunks_exact(units));
                    for (to, (hidden, last)) in into.iter_mut().zip(passes) {
                        *to = parameters[second.bias] + dot(hidden, last);
                    }
                }
            }
        }
        Ok(outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn masks_have_their_rate_and_keep_the_mean() {
        for rate in [0.0, 0.05, 0.5] {
            let mut mask = vec![9.0; 100_001];
            fill_mask(&mut mask, rate, &mut Rng::seed_from_u64(5));
            let dropped = mask.iter().filter(|&&z| z == 0.0).count() as f64 / 100_001.0;
            // Four standard deviations of a share of 100 001.
            let tolerance = 4.0 * (rate * (1.0 - rate) / 100_001.0_f64).sqrt();
            assert!((dropped - rate).abs() <= tolerance, "{dropped} against {rate}");
            assert!(mask.iter().all(|&z| z == 0.0 || z == 1.0 / (1.0 - rate)));
            let neighbours =
                mask.chunks_exact(2).filter(|pair| pair[0] == 0.0 && pair[1] == 0.0).count() as f64
                    / 50_000.0;
            assert!(
                (neighbours - rate * rate).abs() <= 4.0 * (rate * rate / 50_000.0).sqrt(),
                "halves are independent"
            );
        }
    }
}
