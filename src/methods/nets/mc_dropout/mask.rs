//! Draw dropout masks, and pass rows through a network under them.

use ndarray::{Array2, ArrayView2};
use rand::RngExt;

use crate::math::random::Rng;
use crate::methods::nets::Mlp;
use crate::methods::{Context, FitError};

/// Fills `mask` with 0 of probability p = `rate` (to 2⁻³²) and 1/(1 − p) else, so that the mean of a number does not
/// change.
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
pub(super) struct Passes(Vec<Vec<f64>>);

impl Passes {
    /// Draws the masks of each pass from the stream `pass`; that of the inputs is all ones unless they are dropped.
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

    /// The only output of `net` at each row of `features` in each pass, n × T.
    ///
    /// A mask on a layer's inputs is one on the rows of its weights.
    ///
    /// # Errors
    /// [`FitError::Cancelled`] and [`FitError::TimedOut`] before the next pass.
    pub fn predict(
        &self,
        net: &Mlp,
        parameters: &[f64],
        features: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Array2<f64>, FitError> {
        let mut outputs = Array2::zeros((features.nrows(), self.0.len()));
        let mut masked = parameters.to_vec();
        for (mask, mut into) in self.0.iter().zip(outputs.columns_mut()) {
            context.checkpoint()?;
            let mut factors = mask.iter();
            for layer in net.layers() {
                let places = layer.weights..layer.bias;
                let rows = masked[places.clone()].chunks_exact_mut(layer.units);
                let given = parameters[places].chunks_exact(layer.units);
                // The factors come last: when a zip ends, its first iterator has already been advanced.
                for ((to, from), factor) in rows.zip(given).zip(factors.by_ref()) {
                    to.iter_mut().zip(from).for_each(|(to, from)| *to = factor * from);
                }
            }
            into.assign(&net.predict(&masked, features).column(0));
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
                mask.chunks_exact(2).filter(|pair| pair[0] == 0.0 && pair[1] == 0.0).count() as f64 / 50_000.0;
            assert!(
                (neighbours - rate * rate).abs() <= 4.0 * (rate * rate / 50_000.0).sqrt(),
                "halves are independent"
            );
        }
    }
}
