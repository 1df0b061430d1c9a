//! Fit a network to a table, and answer with the function's mean and variance at new rows.

use ndarray::{Array2, ArrayView2};

use super::climb::{ClimbSettings, Climbed, climb};
use super::network::Network;
use super::start::Start;
use crate::data::Table;
use crate::methods::gp::inducing::InducingStart;
use crate::methods::scales::Scales;
use crate::methods::{Context, FitError, Reading, SideTable};
use crate::predictive::Predictive;

/// Checks that the main reading is asked for.
///
/// # Errors
/// [`FitError::Unsupported`] for another one.
pub(in crate::methods::gp) fn check_reading(id: &str, reading: &Reading) -> Result<(), FitError> {
    if *reading == Reading::MAIN {
        return Ok(());
    }
    let main = Reading::MAIN;
    Err(FitError::Unsupported(format!("{id} has the reading '{main}' only, asked for '{reading}'")))
}

/// A trained network and its columns' scales.
pub(in crate::methods::gp) struct VariationalFit {
    network: Network,
    climbed: Climbed,
    scales: Scales,
    training: ClimbSettings,
}

impl VariationalFit {
    /// Starts from k-means of the rows (stream `inducing`) and climbs.
    ///
    /// # Errors
    /// [`FitError`] for rows that cannot be standardised, no feature that varies, and as [`climb`].
    pub fn new(
        id: &str,
        start: &Start,
        inducing: usize,
        training: &ClimbSettings,
        rows: &Table,
        context: &Context,
    ) -> Result<Self, FitError> {
        context.checkpoint()?;
        let scales = Scales::new(id, rows)?;
        if scales.varying.is_empty() {
            return Err(FitError::Unsupported(format!("{id} needs a feature that varies, found none")));
        }
        let (x, y) = (scales.given(rows.features.view()), scales.targets(rows));
        let points = InducingStart::new(x.view(), inducing, &mut context.stream("inducing", 0)).points;
        let (network, theta) = start.build(x.view(), points.view())?;
        let y: Vec<f64> = y.iter().copied().collect();
        let climbed = climb(&network, &theta, (x.view(), &y), training, context)?;
        Ok(Self { network, climbed, scales, training: *training })
    }

    /// The noise's variance, in standardised units.
    pub fn noise(&self) -> f64 {
        self.network.noise_variance(&self.climbed.theta)
    }

    /// The function's means and variances, n × `samples`, standardised; the s-th sample's noise comes from the stream `samples`, s.
    ///
    /// # Errors
    /// [`FitError`] for another number of features, a kernel matrix without a factor, or when told to stop.
    pub fn function(
        &self,
        id: &str,
        features: ArrayView2<f64>,
        samples: usize,
        context: &Context,
    ) -> Result<(Array2<f64>, Array2<f64>), FitError> {
        self.scales.check(id, features)?;
        let (x, n) = (self.scales.given(features), features.nrows());
        let (theta, d) = (&self.climbed.theta, x.ncols());
        let room = self.training.batch.min(n).max(1);
        let mut work = self.network.work(room);
        self.network.prepare(theta, &mut work)?;
        let mut inputs = vec![0.0; room * d];
        let (mut means, mut variances) = (Array2::zeros((n, samples)), Array2::zeros((n, samples)));
        let mut streams: Vec<_> = (0..samples).map(|s| context.stream("samples", s as u64)).collect();
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

    /// The answer in the target's units, checked.
    ///
    /// # Errors
    /// [`FitError::Diverged`] for numbers that are not finite.
    pub fn in_units(&self, id: &str, standardised: Predictive) -> Result<Predictive, FitError> {
        let target = self.scales.target;
        let answer = standardised.affine(target.shift, target.scale);
        let answer = answer.map_err(|error| FitError::Diverged(format!("{id}: {error}")))?;
        answer.validate().map_err(|error| FitError::Diverged(format!("{id}: {error}")))?;
        Ok(answer)
    }

    /// How training ended, the bound's trace, and what was learned of the kernels, in standardised units.
    pub fn side_tables(&self) -> Vec<SideTable> {
        let mut side_tables = self.climbed.side_tables(&self.training);
        let theta = &self.climbed.theta;
        let (mut layer_of, mut input_of, mut scale_of, mut variance_of) = (vec![], vec![], vec![], vec![]);
        for (l, layer) in self.network.layers.iter().enumerate() {
            for (k, ln_scale) in theta[layer.ln_scales()].iter().enumerate() {
                layer_of.push((l + 1) as f64);
                input_of.push((k + 1) as f64);
                scale_of.push(ln_scale.exp());
                variance_of.push(theta[layer.ln_variance()].exp());
            }
        }
        let columns =
            [("layer", layer_of), ("input", input_of), ("length_scale", scale_of), ("signal_variance", variance_of)];
        let columns = columns.map(|(name, values)| (name.to_owned(), values)).to_vec();
        side_tables.push(SideTable { name: "kernels".into(), columns });
        let noise = vec![("variance".to_owned(), vec![self.noise()])];
        side_tables.push(SideTable { name: "noise".into(), columns: noise });
        side_tables
    }
}
