//! Search the parameters under which the observations are most probable: type-II maximum likelihood
//! by L-BFGS.

use faer::Par;
use ndarray::{Array2, ArrayView2};

use crate::FitError;
use crate::gp::inducing::distinct_rows;
use crate::gp::kernels::Points;
use crate::gp::process::Likelihood;
use crate::gp::space::{Ranges, Role, Space};
use uq_math::lbfgs::{LbfgsError, Minimum, Search, Settings};

/// Range of the parameters, far wider than standardised rows can determine. Another range is
/// another method version.
pub(super) const RANGES: Ranges =
    Ranges { variance: (1e-6, 1e6), length_scale: (1e-3, 1e5), alpha: (1e-3, 1e5) };

/// Logarithms of the factors by which length scales and noise of the rough start differ from those
/// of the first.
const ROUGH_LENGTH_SCALE: f64 = -2.3;
const ROUGH_NOISE: f64 = -4.6;

impl Space {
    /// The start of a search whose process is so rough, and so free of noise, that it correlates
    /// little but equal rows.
    pub fn rough_start(&self) -> Vec<f64> {
        let moved =
            self.first_start().into_iter().zip(&self.roles).map(|(first, (_, role))| match role {
                Role::LengthScale(_) => first + ROUGH_LENGTH_SCALE,
                Role::Noise => first + ROUGH_NOISE,
                Role::Variance | Role::Alpha => first,
            });
        moved.collect()
    }

    /// Minimises −ln p(y), and −ln of the length scales' prior where there is one, from the point
    /// of `search`; `None` where it is undefined there. The search minimises −ln p(y) for each row,
    /// so that it may continue on other rows; `settings` and the minimum are of all rows of
    /// `likelihood`.
    ///
    /// # Errors
    /// The first error of `checkpoint`, which is called at each evaluation.
    pub fn maximise(
        &self,
        likelihood: &mut Likelihood,
        search: &mut Search,
        settings: &Settings,
        mut checkpoint: impl FnMut() -> Result<(), FitError>,
    ) -> Result<Option<Minimum>, FitError> {
        let mut kernel = self.kernel.clone();
        let count = kernel.parameters();
        let rows = likelihood.rows() as f64;
        let negative = |logarithms: &[f64], gradient: &mut [f64]| {
            checkpoint()?;
            kernel.set_log_parameters(&logarithms[..count]);
            // A covariance without a Cholesky factor means that the step is too long.
            let value =
                likelihood.negative(&kernel, logarithms[count].exp(), gradient).unwrap_or(f64::NAN);
            let value = value + self.penalty(logarithms);
            self.add_penalty_slopes(logarithms, gradient);
            gradient.iter_mut().for_each(|slope| *slope /= rows);
            Ok(value / rows)
        };
        let of_a_row = Settings {
            gradient_tolerance: settings.gradient_tolerance / rows,
            value_tolerance: settings.value_tolerance / rows,
            ..*settings
        };
        match search.go_on(negative, &of_a_row) {
            Ok(found) => {
                let (value, gradient_norm) = (found.value * rows, found.gradient_norm * rows);
                Ok(Some(Minimum { value, gradient_norm, ..found }))
            }
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
    /// Standardised rows x (n × d) and y (n × 1), both in standard layout.
    pub fn new(x: Array2<f64>, y: Array2<f64>) -> Self {
        let inputs = x.ncols();
        Self {
            features: x.into_raw_vec_and_offset().0,
            inputs,
            targets: y.into_raw_vec_and_offset().0,
        }
    }

    pub fn points(&self) -> Points<'_> {
        Points::new(&self.features, self.targets.len(), self.inputs)
    }

    pub fn likelihood(&self, par: Par) -> Likelihood<'_> {
        Likelihood::new(self.points(), &self.targets, par)
    }

    /// Whether two rows are equal in every feature.
    pub fn has_twins(&self) -> bool {
        let shape = (self.targets.len(), self.inputs);
        ArrayView2::from_shape(shape, &self.features)
            .is_ok_and(|rows| distinct_rows(rows).len() < rows.nrows())
    }

    /// Some of the rows.
    pub fn select(&self, rows: &[usize]) -> Self {
        let points = self.points();
        let features = rows.iter().flat_map(|row| points.row(*row)).copied().collect();
        Self {
            features,
            inputs: self.inputs,
            targets: rows.iter().map(|row| self.targets[*row]).collect(),
        }
    }
}
