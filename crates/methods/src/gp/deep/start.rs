//! Build a network over inducing points, and the parameters that it starts from.

use faer::{Mat, Side};
use ndarray::{Array2, ArrayView2};

use super::layer::{Layer, MeanFunction};
use super::network::Network;
use crate::FitError;

/// What a network starts from, in standardised units.
#[derive(Clone, Copy, Debug)]
pub(in crate::gp) struct Start {
    /// Layers, at least one.
    pub layers: usize,
    /// Largest number of outputs of an inner layer.
    pub width: usize,
    /// Variance of q at the inducing points of inner layers; it is 1, the prior's, in the last.
    pub inner_variance: f64,
    /// White noise of inner layers, as a share of the signal's variance.
    pub inner_noise: f64,
    /// σ².
    pub noise: f64,
    /// Smallest σ².
    pub noise_floor: f64,
    /// ε.
    pub jitter: f64,
    /// Whether each input of a layer has a length scale of its own, which starts at √d; otherwise
    /// all share one, from 1.
    pub ard: bool,
}

impl Start {
    /// A network for rows x (n × d) with inducing points z (M × d), and its first parameters:
    /// variance 1, m = 0.
    ///
    /// # Errors
    /// [`FitError::Singular`] where the principal components of more than `width` features cannot
    /// be computed.
    pub fn build(
        &self,
        x: ArrayView2<f64>,
        z: ArrayView2<f64>,
    ) -> Result<(Network, Vec<f64>), FitError> {
        let mut layers: Vec<Layer> = Vec::with_capacity(self.layers);
        let mut points = vec![z.to_owned()];
        for l in 1..=self.layers {
            let inputs = points[l - 1].ncols();
            let last = l == self.layers;
            let outputs = if last { 1 } else { inputs.min(self.width) };
            let (mean, next) = if last {
                (MeanFunction::Zero, points[l - 1].clone())
            } else if outputs == inputs {
                (MeanFunction::Identity, points[l - 1].clone())
            } else {
                let projection = principal_components(x, outputs)?;
                let next = points[l - 1].dot(&projection);
                (MeanFunction::Linear(projection.iter().copied().collect()), next)
            };
            let white = if last { 0.0 } else { self.inner_noise };
            let at = layers.last().map_or(0, Layer::end);
            layers.push(Layer::new((inputs, outputs), z.nrows(), mean, (white, self.jitter), at));
            points.push(next);
        }
        let network = Network { layers, noise_floor: self.noise_floor, ard: self.ard };
        let mut theta = vec![0.0; network.end()];
        for (layer, points) in network.layers.iter().zip(&points) {
            theta[layer.ln_scales()].fill(if self.ard {
                0.5 * (layer.inputs as f64).ln()
            } else {
                0.0
            });
            for (to, from) in theta[layer.inducing()].iter_mut().zip(points) {
                *to = *from;
            }
            let last = layer.end() == network.noise();
            let sd = if last { 1.0 } else { self.inner_variance.sqrt() };
            for block in &layer.blocks {
                layer.visit_triangle(block, |place, diagonal| {
                    theta[place] = if diagonal { sd } else { 0.0 }
                });
            }
        }
        theta[network.noise()] = self.noise.ln();
        Ok((network, theta))
    }
}

/// The first `count` eigenvectors of xᵀ x, largest first: d × count.
fn principal_components(x: ArrayView2<f64>, count: usize) -> Result<Array2<f64>, FitError> {
    let d = x.ncols();
    let gram = x.t().dot(&x);
    let gram = Mat::from_fn(d, d, |i, j| gram[(i, j)]);
    let eigen = gram.self_adjoint_eigen(Side::Lower).map_err(|error| {
        FitError::Singular(format!("the features have no principal components: {error:?}"))
    })?;
    // They come smallest first.
    Ok(Array2::from_shape_fn((d, count), |(i, j)| eigen.U()[(i, d - 1 - j)]))
}
