//! Fit a network to a table, and predict the function's mean and variance at new rows.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::climb::{ClimbSettings, Climbed, climb};
use super::network::{CHUNK, Network};
use super::start::Start;
use crate::gp::inducing::InducingStart;
use crate::side_tables::ProcessNoise;
use crate::state::as_json;
use crate::{Context, FitError, SideTable};

/// A trained network.
#[derive(Serialize, Deserialize)]
pub(in crate::gp) struct VariationalFit {
    network: Network,
    climbed: Climbed,
    #[serde(with = "as_json")]
    training: ClimbSettings,
}

impl VariationalFit {
    /// Starts from k-means of the standardised rows x (n × d; stream `inducing`) and climbs to
    /// their targets y (n × 1).
    ///
    /// # Errors
    /// [`FitError::Unsupported`] for d = 0; else as [`Start::build`] and [`climb`].
    pub fn new(
        id: &str,
        start: &Start,
        inducing: usize,
        training: &ClimbSettings,
        x: Array2<f64>,
        y: Array2<f64>,
        context: &Context,
    ) -> Result<Self, FitError> {
        if x.ncols() == 0 {
            return Err(FitError::Unsupported(format!(
                "{id} needs a feature that varies, found none"
            )));
        }
        let points =
            InducingStart::new(x.view(), inducing, &mut context.stream("inducing", 0)).points;
        let (network, theta) = start.build(x.view(), points.view())?;
        let y: Vec<f64> = y.iter().copied().collect();
        let climbed = climb(&network, &theta, x.view(), &y, training, context)?;
        Ok(Self { network, climbed, training: *training })
    }

    /// Checks a network that was read: it has the `features`, and its parameters.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, features: usize) -> Result<(), String> {
        self.network.check(features, self.climbed.theta.len())
    }

    /// The noise's variance, in standardised units.
    pub fn noise(&self) -> f64 {
        self.network.noise_variance(&self.climbed.theta)
    }

    /// The function's means and variances, n × `samples`, at standardised x (n × d); the s-th
    /// sample's noise comes from the stream `samples`, s.
    ///
    /// # Errors
    /// [`FitError`] for a kernel matrix without a factor, or when told to stop.
    pub fn function(
        &self,
        x: ArrayView2<f64>,
        samples: usize,
        context: &Context,
    ) -> Result<(Array2<f64>, Array2<f64>), FitError> {
        let (theta, (n, d)) = (&self.climbed.theta, x.dim());
        let room = CHUNK.min(n).max(1);
        let mut work = self.network.work::<f64>(room);
        self.network.prepare(theta, &mut work)?;
        let mut inputs = vec![0.0; room * d];
        let (mut means, mut variances) = (Array2::zeros((n, samples)), Array2::zeros((n, samples)));
        let mut streams: Vec<_> =
            (0..samples).map(|s| context.stream("samples", s as u64)).collect();
        for first in (0..n).step_by(room) {
            let columns = room.min(n - first);
            let inputs = &mut inputs[..columns * d];
            for b in 0..columns {
                for (k, value) in x.row(first + b).iter().enumerate() {
                    inputs[k * columns + b] = *value;
                }
            }
            for (s, rng) in streams.iter_mut().enumerate() {
                context.checkpoint()?;
                self.network.draw(columns, &mut work, rng);
                let (mean, variance) = self.network.propagate(theta, inputs, columns, &mut work);
                for (b, (mean, variance)) in mean.iter().zip(variance).enumerate() {
                    means[(first + b, s)] = *mean;
                    variances[(first + b, s)] = *variance;
                }
            }
        }
        Ok((means, variances))
    }

    /// How training ended, the bound's trace, and what was learned of the kernels, in standardised
    /// units.
    pub fn side_tables(&self) -> Vec<SideTable> {
        let mut side_tables = self.climbed.side_tables(&self.training);
        let theta = &self.climbed.theta;
        let (mut layer_of, mut input_of, mut scale_of, mut variance_of) =
            (vec![], vec![], vec![], vec![]);
        for (l, layer) in self.network.layers.iter().enumerate() {
            for (k, ln_scale) in theta[layer.ln_scales()].iter().enumerate() {
                layer_of.push((l + 1) as f64);
                input_of.push((k + 1) as f64);
                scale_of.push(ln_scale.exp());
                variance_of.push(theta[layer.ln_variance()].exp());
            }
        }
        let columns = [
            ("layer", layer_of),
            ("input", input_of),
            ("length_scale", scale_of),
            ("signal_variance", variance_of),
        ];
        let columns = columns.map(|(name, values)| (name.to_owned(), values)).to_vec();
        side_tables.push(SideTable { name: "kernels".into(), columns });
        side_tables.push(ProcessNoise { variance: self.noise() }.to_table());
        side_tables
    }
}
