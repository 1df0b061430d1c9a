//! Search the parameters under which the observations are most probable: type-II maximum likelihood by L-BFGS.

use faer::Par;
use rand::RngExt;

use crate::data::Table;
use crate::math::lbfgs::{LbfgsError, Minimum, Settings, minimise};
use crate::math::random::Rng;
use crate::methods::FitError;
use crate::methods::gp::kernels::Points;
use crate::methods::gp::process::Likelihood;
use crate::methods::gp::space::{Ranges, Role, Space};
use crate::methods::scales::Scales;

/// A drawn length scale differs from that of the first start by at most this factor's logarithm.
const SPREAD: f64 = 2.0;

/// A length scale longer than that of the first start by more than this factor's logarithm is all but flat.
const FREE: f64 = 1.0;

/// Where parameters may lie: far beyond what standardised rows can tell. Another range is another method version.
pub(super) const RANGES: Ranges = Ranges { variance: (1e-6, 1e6), length_scale: (1e-3, 1e5), alpha: (1e-3, 1e5) };

impl Space {
    /// Where another search starts.
    pub fn drawn_start(&self, rng: &mut Rng) -> Vec<f64> {
        let first = self.first_start();
        let moved = first.iter().zip(&self.roles).map(|(first, (_, role))| {
            first
                + match role {
                    Role::Variance | Role::Alpha => rng.random_range(-1.0..1.0),
                    Role::LengthScale(_) => rng.random_range(-SPREAD..SPREAD),
                    Role::Noise => rng.random_range(-5.0..1.0),
                }
        });
        moved.collect()
    }

    /// The same parameters with long length scales made shorter: far out the likelihood is flat, and a search would not come back
    /// where a few rows saw nothing in a feature in which all rows see something.
    pub fn freed(&self, logarithms: &[f64]) -> Vec<f64> {
        let first = self.first_start();
        let freed = logarithms.iter().zip(first.iter().zip(&self.roles)).map(|(x, (first, (_, role)))| match role {
            Role::LengthScale(_) => x.min(first + FREE),
            _ => *x,
        });
        freed.collect()
    }

    /// −ln p(y); NaN where the covariance has no Cholesky factor.
    pub fn negative(&self, likelihood: &mut Likelihood, logarithms: &[f64]) -> f64 {
        let (kernel, noise) = self.read(logarithms);
        likelihood.negative(&kernel, noise, &mut vec![0.0; logarithms.len()]).unwrap_or(f64::NAN)
    }

    /// Minimises −ln p(y) from `start`; `None` where it is undefined there.
    ///
    /// # Errors
    /// The first of `checkpoint`, which is asked at each evaluation.
    pub fn maximise(
        &self,
        likelihood: &mut Likelihood,
        start: &[f64],
        settings: &Settings,
        mut checkpoint: impl FnMut() -> Result<(), FitError>,
    ) -> Result<Option<Minimum>, FitError> {
        let mut kernel = self.kernel.clone();
        let count = kernel.parameters();
        let negative = |logarithms: &[f64], gradient: &mut [f64]| {
            checkpoint()?;
            kernel.set_log_parameters(&logarithms[..count]);
            // What has no Cholesky factor is a step too far.
            Ok(likelihood.negative(&kernel, logarithms[count].exp(), gradient).unwrap_or(f64::NAN))
        };
        match minimise(negative, start, &self.bounds, settings) {
            Ok(minimum) => Ok(Some(minimum)),
            Err(LbfgsError::UndefinedStart { .. }) => Ok(None),
            Err(LbfgsError::Stopped(error)) => Err(error),
        }
    }
}

/// Observations that a likelihood is made of: n × d features and n targets.
pub(super) struct Observations {
    pub features: Vec<f64>,
    pub inputs: usize,
    pub targets: Vec<f64>,
}

impl Observations {
    /// The standardised rows of a table.
    pub fn new(scales: &Scales, table: &Table) -> Self {
        let features = scales.given(table.features.view()).iter().copied().collect();
        Self { features, inputs: scales.varying.len(), targets: scales.targets(table).iter().copied().collect() }
    }

    pub fn points(&self) -> Points<'_> {
        Points::new(&self.features, self.targets.len(), self.inputs)
    }

    pub fn likelihood(&self, par: Par) -> Likelihood<'_> {
        Likelihood::new(self.points(), &self.targets, par)
    }

    /// Some of the rows.
    pub fn select(&self, rows: &[usize]) -> Self {
        let points = self.points();
        let features = rows.iter().flat_map(|row| points.row(*row)).copied().collect();
        Self { features, inputs: self.inputs, targets: rows.iter().map(|row| self.targets[*row]).collect() }
    }
}
