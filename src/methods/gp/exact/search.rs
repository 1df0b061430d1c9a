//! Search the parameters under which the observations are most probable: type-II maximum likelihood by L-BFGS.

use faer::Par;
use rand::RngExt;

use crate::data::Table;
use crate::math::lbfgs::{Interval, LbfgsError, Minimum, Settings, minimise};
use crate::math::random::Rng;
use crate::methods::FitError;
use crate::methods::gp::kernels::{Kernel, Points, Shape};
use crate::methods::gp::process::Likelihood;
use crate::methods::scales::Scales;

/// Noise variance of the first start, in units of the target's variance.
const FIRST_NOISE: f64 = 0.1;

/// A drawn length scale differs from that of the first start by at most this factor's logarithm.
const SPREAD: f64 = 2.0;

/// A parameter this close to an end of its range, in its logarithm, is said to be at it.
const AT_THE_END: f64 = 0.01;

/// A length scale longer than that of the first start by more than this factor's logarithm is all but flat.
const FREE: f64 = 1.0;

/// Largest noise variance.
const NOISE_CEILING: f64 = 10.0;

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// k(x, x) of a stationary part.
    Variance,
    /// The length scale of a feature, counted among those that vary.
    LengthScale(usize),
    /// The rational quadratic's α.
    Alpha,
    /// The noise variance.
    Noise,
}

impl Role {
    /// The range of the parameter's logarithm.
    fn interval(self, noise_floor: f64) -> Interval {
        let (low, high) = match self {
            Self::Variance => (1e-6, 1e6),
            Self::LengthScale(_) => (1e-3, 1e5),
            Self::Alpha => (1e-3, 1e5),
            Self::Noise => (noise_floor, NOISE_CEILING),
        };
        // Parameters are checked: the floor is above zero and below the ceiling.
        Interval::between(low.ln(), high.ln()).unwrap_or(Interval::LINE)
    }
}

/// The parameters of a kernel and then the noise: what each is, and where it may lie.
pub(super) struct Space {
    pub kernel: Kernel,
    pub roles: Vec<(usize, Role)>,
    pub bounds: Vec<Interval>,
    pub noise_floor: f64,
}

impl Space {
    pub fn new(kernel: Kernel, noise_floor: f64) -> Self {
        let mut roles = Vec::with_capacity(kernel.parameters() + 1);
        let parts = kernel.stationary_parts();
        for (place, part) in parts.iter().enumerate() {
            roles.push((place, Role::Variance));
            roles.extend((0..part.length_scales.len()).map(|f| (place, Role::LengthScale(f))));
            if part.shape == Shape::RationalQuadratic {
                roles.push((place, Role::Alpha));
            }
        }
        roles.push((parts.len(), Role::Noise));
        let bounds = roles.iter().map(|(_, role)| role.interval(noise_floor)).collect();
        Self { kernel, roles, bounds, noise_floor }
    }

    /// Where the first search starts: length scales √d, at which two points of standardised features are as far apart as two length
    /// scales on average, unit variance, and a little noise.
    pub fn first_start(&self) -> Vec<f64> {
        let parts = self.kernel.stationary_parts();
        let inputs = parts.first().map_or(0, |part| part.length_scales.len());
        let value = |(_, role): &(usize, Role)| match role {
            Role::Variance | Role::Alpha => 0.0,
            Role::LengthScale(_) => 0.5 * (inputs as f64).ln(),
            Role::Noise => FIRST_NOISE.ln(),
        };
        self.roles.iter().map(value).collect()
    }

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

    /// The parameters with their logarithms: a kernel, and the noise variance.
    pub fn read(&self, logarithms: &[f64]) -> (Kernel, f64) {
        let mut kernel = self.kernel.clone();
        kernel.set_log_parameters(&logarithms[..kernel.parameters()]);
        (kernel, logarithms[self.roles.len() - 1].exp())
    }

    /// Whether each parameter is at an end of its range.
    pub fn at_bound(&self, logarithms: &[f64]) -> Vec<bool> {
        logarithms.iter().zip(&self.bounds).map(|(x, bound)| bound.is_active(*x, AT_THE_END)).collect()
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
