//! Predictive distributions: a method's prediction of the target at each row.
//!
//! There is one file for each form: normal, mixture, Student t, quantiles, samples, weighted atoms,
//! smoothed atoms, piecewise constant. Every form implements [`Distribution`], which returns `None` where the form
//! does not define the quantity; start there. A [`Predictive`] is a form and, where the method
//! defines one, its split into aleatoric and epistemic variance. Methods return it, protocols
//! convert it to the target's units, and metrics score it.

mod atoms;
mod bounds;
mod crps;
mod distribution;
mod gaussian;
mod improvement;
mod mixture;
mod moved;
mod outcomes;
mod piecewise;
mod quantiles;
mod recalibration;
mod samples;
mod select;
mod smoothed;
mod student_t;
mod summary;
mod validate;

use std::fmt;

use ndarray::{Array1, ArrayView1};

pub use atoms::Atoms;
pub use bounds::{Bounds, Side};
pub use distribution::{Distribution, Exactness, Quantity};
pub use gaussian::Gaussian;
pub use mixture::Mixture;
pub use piecewise::Piecewise;
pub use quantiles::Quantiles;
pub use recalibration::{IntervalOutcome, Recalibration, Unmoved};
pub use samples::Samples;
pub use smoothed::{Kernel, Smoothed};
pub use student_t::StudentT;
pub use summary::{Cells, SUMMARY_LEVELS, Summary};
pub use validate::InvalidPredictive;

/// The predictive distributions of the target at n points, in the target's units.
///
/// ```
/// use ndarray::array;
/// use uq_core::predictive::{Form, Gaussian, Predictive};
///
/// // Normal distributions at two points.
/// let form = Form::Gaussian(Gaussian { mean: array![1.0, 5.0], variance: array![4.0, 0.25] });
/// let predictive = Predictive::new(form);
/// assert_eq!(predictive.means(), Some(array![1.0, 5.0]));
///
/// // The central 95 % interval at the first point is 1 ± 1.96 · 2.
/// let (low, high) = predictive.interval(0, 0.95).unwrap();
/// assert!((low + 2.919928).abs() < 1e-6 && (high - 4.919928).abs() < 1e-6);
///
/// // A median, and the probability of at most 6 at the second point: two standard deviations above the mean.
/// let distribution = predictive.distribution();
/// assert_eq!(distribution.quantile(1, 0.5), Some(5.0));
/// assert!((distribution.cdf(1, 6.0).unwrap() - 0.977250).abs() < 1e-6);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Predictive {
    /// The distribution at each point.
    pub form: Form,
    /// The aleatoric and epistemic variance at each point, set by the method, never derived from
    /// the form.
    pub split: Option<Split>,
}

/// Variances that a method calls aleatoric and epistemic, each n, in squared units; `None` where it
/// defines none. They need not add up to the variance of the form. The metrics
/// `mean-variance(part=aleatoric)` and `mean-variance(part=epistemic)` score them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Split {
    /// Noise in the data.
    pub aleatoric: Option<Array1<f64>>,
    /// Uncertainty of the model about the noise-free function.
    pub epistemic: Option<Array1<f64>>,
}

/// The forms that a predictive distribution can take.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Normal distributions.
    Gaussian(Gaussian),
    /// Student-t distributions.
    StudentT(StudentT),
    /// Mixtures of normal distributions.
    Mixture(Mixture),
    /// Weighted points.
    Atoms(Atoms),
    /// Quantiles at fixed probability levels.
    Quantiles(Quantiles),
    /// Draws.
    Samples(Samples),
    /// Piecewise constant densities with exponential tails.
    Piecewise(Piecewise),
    /// Weighted points that a kernel makes smooth.
    Smoothed(Smoothed),
    /// A summary of a form that was too large to store.
    Summary(Box<Summary>),
}

/// The name of a form, without its numbers.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// [`Form::Gaussian`].
    Gaussian,
    /// [`Form::StudentT`].
    StudentT,
    /// [`Form::Mixture`].
    Mixture,
    /// [`Form::Atoms`].
    Atoms,
    /// [`Form::Quantiles`].
    Quantiles,
    /// [`Form::Samples`].
    Samples,
    /// [`Form::Piecewise`].
    Piecewise,
    /// [`Form::Smoothed`].
    Smoothed,
}

impl Kind {
    /// Whether a form of this kind computes `quantity` exactly, approximately or not at all.
    ///
    /// For [`Kind::Quantiles`] the result for a quantile holds for levels between the given ones.
    pub fn exactness(self, quantity: Quantity) -> Exactness {
        match self {
            Self::Gaussian => Gaussian::exactness_of(quantity),
            Self::StudentT => StudentT::exactness_of(quantity),
            Self::Mixture => Mixture::exactness_of(quantity),
            Self::Atoms => Atoms::exactness_of(quantity),
            Self::Quantiles => Quantiles::exactness_of(quantity),
            Self::Samples => Samples::exactness_of(quantity),
            Self::Piecewise => Piecewise::exactness_of(quantity),
            Self::Smoothed => Smoothed::exactness_of(quantity),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gaussian => "gaussian",
            Self::StudentT => "student-t",
            Self::Mixture => "mixture",
            Self::Atoms => "atoms",
            Self::Quantiles => "quantiles",
            Self::Samples => "samples",
            Self::Piecewise => "piecewise",
            Self::Smoothed => "smoothed",
        })
    }
}

impl Form {
    /// The distributions as a trait object.
    pub fn distribution(&self) -> &dyn Distribution {
        match self {
            Self::Gaussian(form) => form,
            Self::StudentT(form) => form,
            Self::Mixture(form) => form,
            Self::Atoms(form) => form,
            Self::Quantiles(form) => form,
            Self::Samples(form) => form,
            Self::Piecewise(form) => form,
            Self::Smoothed(form) => form,
            Self::Summary(form) => form.as_ref(),
        }
    }

    /// The kind of form; for a summary the kind that it was made from.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Gaussian(_) => Kind::Gaussian,
            Self::StudentT(_) => Kind::StudentT,
            Self::Mixture(_) => Kind::Mixture,
            Self::Atoms(_) => Kind::Atoms,
            Self::Quantiles(_) => Kind::Quantiles,
            Self::Samples(_) => Kind::Samples,
            Self::Piecewise(_) => Kind::Piecewise,
            Self::Smoothed(_) => Kind::Smoothed,
            Self::Summary(summary) => summary.source,
        }
    }

    /// Whether the form has lost part of the distribution, so that its scores hold for one outcome
    /// only.
    pub fn is_lossy(&self) -> bool {
        matches!(self, Self::Summary(_))
    }
}

impl Predictive {
    /// A predictive distribution without a split into aleatoric and epistemic variance.
    pub fn new(form: Form) -> Self {
        Self { form, split: None }
    }

    /// This prediction with the split that the method defines.
    #[must_use]
    pub fn with_split(self, split: Split) -> Self {
        Self { split: Some(split), ..self }
    }

    /// Number of points, n.
    pub fn len(&self) -> usize {
        self.distribution().len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The distributions as a trait object, for calls such as `predictive.distribution().mean(i)`.
    pub fn distribution(&self) -> &dyn Distribution {
        self.form.distribution()
    }

    /// The pairs (F(y−), F(y)) of outcomes `y` (n), between which the probability integral
    /// transform lies; `None` where F is undefined at any of them.
    ///
    /// # Panics
    /// If `y` does not have one outcome for each point.
    pub fn transforms(&self, y: ArrayView1<f64>) -> Option<Vec<(f64, f64)>> {
        assert_eq!(self.len(), y.len(), "a transform needs one outcome for each point");
        let distribution = self.distribution();
        let pair = |(i, &y): (usize, &f64)| {
            let at = distribution.cdf(i, y)?.clamp(0.0, 1.0);
            // Rounding must not reverse the order of the pair.
            Some((distribution.cdf_below(i, y)?.clamp(0.0, at), at))
        };
        y.iter().enumerate().map(pair).collect()
    }

    /// The n predictive means; `None` if any is undefined.
    pub fn means(&self) -> Option<Array1<f64>> {
        (0..self.len()).map(|i| self.distribution().mean(i)).collect()
    }

    /// The n predictive variances; `None` if any is undefined.
    pub fn variances(&self) -> Option<Array1<f64>> {
        (0..self.len()).map(|i| self.distribution().variance(i)).collect()
    }

    /// At each of the n points a lower bound of the differential entropy in nats: of a mixture
    /// [`Mixture::pairwise_entropy`], of a normal distribution the same for one component, ½ ln
    /// 4πσ². `None` for other forms.
    pub fn pairwise_entropies(&self) -> Option<Array1<f64>> {
        match &self.form {
            Form::Mixture(mixture) => {
                Some((0..mixture.means.nrows()).map(|i| mixture.pairwise_entropy(i)).collect())
            }
            Form::Gaussian(gaussian) => {
                Some(gaussian.variance.mapv(|v| 0.5 * (4.0 * std::f64::consts::PI * v).ln()))
            }
            _ => None,
        }
    }

    /// The central interval of probability `level` at point `i`: from the (1 − level)/2 to the (1 +
    /// level)/2 quantile.
    pub fn interval(&self, i: usize, level: f64) -> Option<(f64, f64)> {
        let (lower, upper) = central_levels(level);
        Some((self.distribution().quantile(i, lower)?, self.distribution().quantile(i, upper)?))
    }

    /// The band of `k` standard deviations about the mean at point `i`: mean ± k·sd.
    pub fn sigma_interval(&self, i: usize, k: f64) -> Option<(f64, f64)> {
        let mean = self.distribution().mean(i)?;
        let half_width = k * self.distribution().variance(i)?.sqrt();
        Some((mean - half_width, mean + half_width))
    }

    /// The distribution of y' = shift + scale·y: from scaled to original units, or back.
    ///
    /// Log densities gain −ln(scale), variances (the split's included) a factor scale².
    ///
    /// # Errors
    /// [`InvalidPredictive::Affine`] unless `shift` is finite and `scale` finite and positive.
    pub fn affine(&self, shift: f64, scale: f64) -> Result<Self, InvalidPredictive> {
        if !(shift.is_finite() && scale.is_finite() && scale > 0.0) {
            return Err(InvalidPredictive::Affine { shift, scale });
        }
        let form = match &self.form {
            Form::Gaussian(form) => Form::Gaussian(form.affine(shift, scale)),
            Form::StudentT(form) => Form::StudentT(form.affine(shift, scale)),
            Form::Mixture(form) => Form::Mixture(form.affine(shift, scale)),
            Form::Atoms(form) => Form::Atoms(form.affine(shift, scale)),
            Form::Quantiles(form) => Form::Quantiles(form.affine(shift, scale)),
            Form::Samples(form) => Form::Samples(form.affine(shift, scale)),
            Form::Piecewise(form) => Form::Piecewise(form.affine(shift, scale)),
            Form::Smoothed(form) => Form::Smoothed(form.affine(shift, scale)),
            Form::Summary(form) => Form::Summary(Box::new(form.affine(shift, scale))),
        };
        let square = |variance: &Option<Array1<f64>>| variance.as_ref().map(|v| v * scale.powi(2));
        let split = self.split.as_ref().map(|split| Split {
            aleatoric: square(&split.aleatoric),
            epistemic: square(&split.epistemic),
        });
        Ok(Self { form, split })
    }

    /// Checks that there is at least one point, and that the numbers define a distribution at each
    /// point.
    ///
    /// # Errors
    /// [`InvalidPredictive`] with the first row at fault: numbers that are not finite, negative
    /// variances, weights that are negative or do not sum to one, crossing quantiles, arrays of
    /// unequal length, no points.
    pub fn validate(&self) -> Result<(), InvalidPredictive> {
        self.distribution().validate()?;
        let Some(split) = &self.split else { return Ok(()) };
        for (what, part) in
            [("aleatoric variance", &split.aleatoric), ("epistemic variance", &split.epistemic)]
        {
            if let Some(variance) = part {
                validate::length(what, variance.len(), self.len())?;
                validate::nonnegative(what, variance.view())?;
            }
        }
        Ok(())
    }

    /// The summary that the store keeps when this form is too large. It is valid for the outcomes
    /// `y` (n) only, and keeps the probability of the cell of width `resolution` about each, where
    /// the target has one.
    ///
    /// # Panics
    /// If `y` does not have one outcome for each point.
    #[must_use]
    pub fn summarised(&self, y: ArrayView1<f64>, resolution: Option<f64>) -> Self {
        Self {
            form: Form::Summary(Box::new(Summary::summarise(&self.form, y, resolution))),
            split: self.split.clone(),
        }
    }
}

/// The two probability levels that bound the central interval of probability `level`.
pub fn central_levels(level: f64) -> (f64, f64) {
    (0.5 - 0.5 * level, 0.5 + 0.5 * level)
}

#[cfg(test)]
mod tests;
