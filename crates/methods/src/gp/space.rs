//! Define the parameters of a kernel and the noise, their ranges, and the start of a search for
//! them.
//!
//! A parameter is searched by its logarithm. Features and target are standardised, so that lengths
//! and variances have no unit.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::kernels::{Kernel, Shape};
use crate::SideTable;
use crate::engine::scales::Scales;
use uq_core::math::random::Rng;
use uq_math::lbfgs::Interval;

/// Noise variance of the first start, in units of the target's variance.
const FIRST_NOISE: f64 = 0.1;

/// Noise variance of the first start where length scales have a prior. Long ones explain few rows
/// by noise, a maximum of its own, unless the search comes from little noise.
const NOISE_UNDER_PRIOR: f64 = 1e-4;

/// Logarithms of the factors by which a drawn length scale and noise differ from those of the first
/// start.
const DRAWN_LENGTH_SCALE: (f64, f64) = (-1.0, 2.0);
const DRAWN_NOISE: (f64, f64) = (-2.3, 2.3);

/// Logarithm of the factor between the length scales of one part and the next where the first
/// search starts.
const APART: f64 = 1.1;

/// A parameter this close to an end of its range, in its logarithm, counts as at it.
const AT_THE_END: f64 = 0.01;

/// A length scale this close to an end of its range, in its logarithm, counts as at it: the
/// likelihood is flat where a feature is switched off, so that a search stops short of the end.
const LENGTH_SCALE_AT_THE_END: f64 = 0.2;

/// Variance of the logarithm of a length scale under its prior.
const PRIOR_VARIANCE: f64 = 3.0;

/// Largest noise variance.
const NOISE_CEILING: f64 = 10.0;

/// The meaning of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// Ranges of the parameters of a kernel: smallest and largest value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ranges {
    /// Of a variance.
    pub variance: (f64, f64),
    /// Of a length scale.
    pub length_scale: (f64, f64),
    /// Of the rational quadratic's α.
    pub alpha: (f64, f64),
}

impl Role {
    /// The range of the parameter's logarithm.
    fn interval(self, ranges: &Ranges, noise_floor: f64) -> Interval {
        let (low, high) = match self {
            Self::Variance => ranges.variance,
            Self::LengthScale(_) => ranges.length_scale,
            Self::Alpha => ranges.alpha,
            Self::Noise => (noise_floor, NOISE_CEILING),
        };
        // Parameters are checked: the floor is above zero and below the ceiling.
        Interval::between(low.ln(), high.ln()).unwrap_or(Interval::LINE)
    }
}

/// The parameters of a kernel and then the noise, with their meanings and ranges.
#[derive(Serialize, Deserialize)]
pub(super) struct Space {
    pub kernel: Kernel,
    pub roles: Vec<(usize, Role)>,
    pub bounds: Vec<Interval>,
    pub noise_floor: f64,
    /// Whether the features of a part share one length scale: its places then hold equal numbers.
    shared: bool,
    /// The mean of the logarithm of each feature's length scale under its prior; empty without a
    /// prior.
    prior: Vec<f64>,
}

impl Space {
    pub fn new(kernel: Kernel, ranges: &Ranges, noise_floor: f64) -> Self {
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
        let bounds = roles.iter().map(|(_, role)| role.interval(ranges, noise_floor)).collect();
        Self { kernel, roles, bounds, noise_floor, shared: false, prior: Vec::new() }
    }

    /// The same space with one length scale for all features of a part, if `shared`.
    #[must_use]
    pub fn sharing_length_scales(self, shared: bool) -> Self {
        Self { shared, ..self }
    }

    /// The same space with the prior ln ℓ_j ~ N(√2 + ½ ln d, 3) of each length scale in the units
    /// of the features before they were standardised (Hvarfner, Hellsten & Nardi 2024, Section 4).
    /// The search starts at its mean, with little noise.
    #[must_use]
    pub fn with_length_scale_prior(self, scales: &Scales) -> Self {
        let mean = std::f64::consts::SQRT_2 + 0.5 * (scales.varying.len().max(1) as f64).ln();
        Self {
            prior: scales.varying.iter().map(|(_, scale)| mean - scale.scale.ln()).collect(),
            ..self
        }
    }

    /// The places of length scales, each with the mean of its prior; none without a prior.
    fn priors(&self) -> impl Iterator<Item = (usize, f64)> {
        let of_role = |(place, (_, role)): (usize, &(usize, Role))| match role {
            Role::LengthScale(feature) => self.prior.get(*feature).map(|mean| (place, *mean)),
            Role::Variance | Role::Alpha | Role::Noise => None,
        };
        self.roles.iter().enumerate().filter_map(of_role)
    }

    /// −ln of the length scales' prior at the logarithms of the parameters, up to a constant; 0
    /// without a prior.
    pub fn penalty(&self, logarithms: &[f64]) -> f64 {
        self.priors()
            .map(|(place, mean)| 0.5 * (logarithms[place] - mean).powi(2) / PRIOR_VARIANCE)
            .sum()
    }

    /// Adds the derivatives of [`Self::penalty`].
    pub fn add_penalty_slopes(&self, logarithms: &[f64], gradient: &mut [f64]) {
        self.priors().for_each(|(place, mean)| {
            gradient[place] += (logarithms[place] - mean) / PRIOR_VARIANCE
        });
    }

    /// Applies `share` to the length scales of each part, where they are shared.
    fn share(&self, values: &mut [f64], share: impl Fn(&mut [f64])) {
        let is_scale = |place: &(usize, Role)| matches!(place.1, Role::LengthScale(_));
        let runs = self.roles.chunk_by(|a, b| a.0 == b.0 && is_scale(a) == is_scale(b));
        let mut rest = values;
        for run in runs.take_while(|_| self.shared) {
            let (own, others) = rest.split_at_mut(run.len());
            if is_scale(&run[0]) {
                share(own);
            }
            rest = others;
        }
    }

    /// Replaces the derivatives by the length scales that a part shares by their mean: the
    /// gradient's projection onto equal length scales, so that a search that starts with equal ones
    /// keeps them equal, and its steps have the slope that the gradient says.
    pub fn project(&self, gradient: &mut [f64]) {
        self.share(gradient, |own| own.fill(own.iter().sum::<f64>() / own.len() as f64));
    }

    /// The first start: length scales √d, at which two points of standardised features are as far
    /// apart as two length scales on average (longer in the parts of a sum or product after the
    /// first: parts of one shape that started equal would stay so), unit variance, and a little
    /// noise.
    pub fn first_start(&self) -> Vec<f64> {
        let parts = self.kernel.stationary_parts();
        let inputs = parts.first().map_or(0, |part| part.length_scales.len());
        let value = |(part, role): &(usize, Role)| match role {
            Role::Variance | Role::Alpha => 0.0,
            Role::LengthScale(feature) => {
                self.prior.get(*feature).copied().unwrap_or(0.5 * (inputs as f64).ln())
                    + *part as f64 * APART
            }
            Role::Noise if self.prior.is_empty() => FIRST_NOISE.ln(),
            Role::Noise => NOISE_UNDER_PRIOR.max(self.noise_floor).ln(),
        };
        self.roles.iter().map(value).collect()
    }

    /// Another start: in half of the cases smoother and noisier than the first, because the wide
    /// maxima lie there.
    pub fn drawn_start(&self, rng: &mut Rng) -> Vec<f64> {
        let first = self.first_start();
        let moved = first.iter().zip(&self.roles).map(|(first, (_, role))| {
            let (low, high) = match role {
                Role::Variance | Role::Alpha => (-1.0, 1.0),
                Role::LengthScale(_) => DRAWN_LENGTH_SCALE,
                Role::Noise => DRAWN_NOISE,
            };
            first + rng.random_range(low..high)
        });
        let mut start: Vec<f64> = moved.collect();
        self.share(&mut start, |own| own.fill(own[0]));
        start
    }

    /// The parameters with their logarithms: a kernel, and the noise variance.
    pub fn read(&self, logarithms: &[f64]) -> (Kernel, f64) {
        let mut kernel = self.kernel.clone();
        kernel.set_log_parameters(&logarithms[..kernel.parameters()]);
        (kernel, logarithms[self.roles.len() - 1].exp())
    }

    /// Whether each parameter is at an end of its range.
    pub fn at_bound(&self, logarithms: &[f64]) -> Vec<bool> {
        let places = logarithms.iter().zip(&self.bounds).zip(&self.roles);
        let near = |role: &Role| match role {
            Role::LengthScale(_) => LENGTH_SCALE_AT_THE_END,
            Role::Variance | Role::Alpha | Role::Noise => AT_THE_END,
        };
        places.map(|((x, bound), (_, role))| bound.is_active(*x, near(role))).collect()
    }

    /// `kernel`, a row for each parameter of this kernel (its part, its feature, −1 for a variance
    /// and −2 for α, its value, and whether it is at an end of its range), and `feature_scales`.
    /// `at_bound` may be longer than the kernel's parameters.
    pub fn side_tables(
        &self,
        kernel: &Kernel,
        at_bound: &[bool],
        scales: &Scales,
    ) -> [SideTable; 2] {
        let column_of = |role: Role| match role {
            Role::LengthScale(place) => scales.varying[place].0 as f64,
            Role::Variance => -1.0,
            Role::Alpha => -2.0,
            Role::Noise => -3.0,
        };
        let roles = &self.roles[..kernel.parameters()];
        let at_bound = &at_bound[..roles.len()];
        let of_kernel = vec![
            ("part".into(), roles.iter().map(|(part, _)| *part as f64).collect()),
            ("feature".into(), roles.iter().map(|(_, role)| column_of(*role)).collect()),
            ("value".into(), kernel.log_parameters().into_iter().map(f64::exp).collect()),
            ("at_bound".into(), at_bound.iter().map(|at| f64::from(*at)).collect()),
        ];
        let of_features = vec![
            ("feature".into(), scales.varying.iter().map(|(column, _)| *column as f64).collect()),
            ("scale".into(), scales.varying.iter().map(|(_, scale)| scale.scale).collect()),
        ];
        [("kernel", of_kernel), ("feature_scales", of_features)]
            .map(|(name, columns)| SideTable { name: name.into(), columns })
    }
}
