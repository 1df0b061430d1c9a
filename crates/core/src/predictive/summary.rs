//! Summarise a distribution that is too large to store: the quantities that scores need, at one
//! outcome for each point.

use ndarray::{Array1, Array2, ArrayView1};

use super::distribution::{finite, ln_of_probability};
use super::{
    Distribution, Exactness, Form, InvalidPredictive, Kind, Quantiles, Quantity, validate,
};

/// The levels at which a summary keeps quantiles.
pub const SUMMARY_LEVELS: [f64; 27] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.16, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6,
    0.65, 0.7, 0.75, 0.8, 0.84, 0.85, 0.9, 0.95, 0.975, 0.99, 0.995,
];

/// The lossy record of n distributions and n outcomes.
///
/// A part is present only if the source defines it at every point. Log density, distribution
/// function, CRPS and the probability of the outcome's cell are defined only for the outcome that
/// the summary was made with (bit for bit, or mapped by the same `shift + scale * y`).
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The form that was summarised. It determines which quantities are exact.
    pub source: Kind,
    /// Outcomes y, n.
    pub outcomes: Array1<f64>,
    /// Means, n.
    pub mean: Option<Array1<f64>>,
    /// Variances, n, in squared units.
    pub variance: Option<Array1<f64>>,
    /// ln p(y), n; −∞ where an outcome is impossible.
    pub log_density: Option<Array1<f64>>,
    /// F(y), n.
    pub cdf: Option<Array1<f64>>,
    /// F(y−), n.
    pub cdf_below: Option<Array1<f64>>,
    /// CRPS at y, n, in the target's units.
    pub crps: Option<Array1<f64>>,
    /// Probabilities of the outcomes' cells, for a target that is rounded.
    pub cells: Option<Cells>,
    /// Quantiles at those of [`SUMMARY_LEVELS`] that the source defines.
    pub quantiles: Option<Quantiles>,
}

/// The probability of each outcome's cell, [y − D/2, y + D/2).
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// Width D: the resolution of the target, in its units.
    pub width: f64,
    /// ln P(y − D/2 ≤ Y < y + D/2), n; −∞ where a cell has no probability.
    pub ln_probability: Array1<f64>,
}

impl Cells {
    /// The ends of the cell of y.
    fn ends(width: f64, y: f64) -> (f64, f64) {
        let half = 0.5 * width;
        (y - half, y + half)
    }
}

impl Summary {
    /// Summarises a form for the outcomes `y` (n) of a target with this resolution, if it has one.
    ///
    /// # Panics
    /// If `y` does not have one outcome for each point.
    pub fn summarise(form: &Form, y: ArrayView1<f64>, resolution: Option<f64>) -> Self {
        let from = form.distribution();
        let short = Self::at_outcomes(form, y, resolution);
        let n = y.len();
        let kept: Vec<(f64, Array1<f64>)> = SUMMARY_LEVELS
            .iter()
            .filter_map(|&level| Some((level, from.quantiles(level)?)))
            .collect();
        let quantiles = (!kept.is_empty()).then(|| Quantiles {
            levels: kept.iter().map(|(level, _)| *level).collect(),
            values: Array2::from_shape_fn((n, kept.len()), |(i, l)| kept[l].1[i]),
        });
        Self { crps: (0..n).map(|i| from.crps(i, y[i])).collect(), quantiles, ..short }
    }

    /// The summary without quantiles and CRPS, which cost far more than the rest where a mixture
    /// has many components.
    ///
    /// # Panics
    /// As [`Summary::summarise`].
    pub fn at_outcomes(form: &Form, y: ArrayView1<f64>, resolution: Option<f64>) -> Self {
        let from = form.distribution();
        assert_eq!(from.len(), y.len(), "a summary needs one outcome for each point");
        let n = y.len();
        let column =
            |ask: &dyn Fn(usize) -> Option<f64>| (0..n).map(ask).collect::<Option<Array1<f64>>>();
        let cells =
            resolution.filter(|width| width.is_finite() && *width > 0.0).and_then(|width| {
                let cell = |i: usize| Cells::ends(width, y[i]);
                let ln_probability = column(&|i| from.ln_probability(i, cell(i).0, cell(i).1))?;
                Some(Cells { width, ln_probability })
            });
        Self {
            source: form.kind(),
            mean: column(&|i| from.mean(i)),
            variance: column(&|i| from.variance(i)),
            log_density: column(&|i| from.log_density(i, y[i])),
            cdf: column(&|i| from.cdf(i, y[i])),
            cdf_below: column(&|i| from.cdf_below(i, y[i])),
            crps: None,
            cells,
            quantiles: None,
            outcomes: y.to_owned(),
        }
    }

    pub(super) fn affine(&self, shift: f64, scale: f64) -> Self {
        let map =
            |part: &Option<Array1<f64>>, g: &dyn Fn(f64) -> f64| part.as_ref().map(|v| v.mapv(g));
        Self {
            outcomes: self.outcomes.mapv(|y| shift + scale * y),
            mean: map(&self.mean, &|x| shift + scale * x),
            variance: map(&self.variance, &|x| scale.powi(2) * x),
            log_density: map(&self.log_density, &|x| x - scale.ln()),
            crps: map(&self.crps, &|x| scale * x),
            cells: self
                .cells
                .as_ref()
                .map(|cells| Cells { width: scale * cells.width, ..cells.clone() }),
            quantiles: self.quantiles.as_ref().map(|q| q.affine(shift, scale)),
            ..self.clone()
        }
    }

    /// The stored number at point `i`, if it was made with the outcome `y`.
    fn stored(&self, part: &Option<Array1<f64>>, i: usize, y: f64) -> Option<f64> {
        if self.outcomes[i] == y { part.as_ref().map(|v| v[i]) } else { None }
    }

    /// The finite parts with their names and whether they must not be negative.
    fn parts(&self) -> [(&'static str, &Option<Array1<f64>>, bool); 5] {
        [
            ("summary mean", &self.mean, false),
            ("summary variance", &self.variance, true),
            ("summary F(y)", &self.cdf, true),
            ("summary F(y-)", &self.cdf_below, true),
            ("summary CRPS", &self.crps, true),
        ]
    }
}

impl Distribution for Summary {
    fn len(&self) -> usize {
        self.outcomes.len()
    }

    fn mean(&self, i: usize) -> Option<f64> {
        self.mean.as_ref().and_then(|v| finite(v[i]))
    }

    fn variance(&self, i: usize) -> Option<f64> {
        self.variance.as_ref().and_then(|v| finite(v[i]))
    }

    fn log_density(&self, i: usize, y: f64) -> Option<f64> {
        self.stored(&self.log_density, i, y).and_then(ln_of_probability)
    }

    fn cdf(&self, i: usize, y: f64) -> Option<f64> {
        self.stored(&self.cdf, i, y).and_then(finite)
    }

    fn cdf_below(&self, i: usize, y: f64) -> Option<f64> {
        self.stored(&self.cdf_below, i, y).and_then(finite)
    }

    /// Defined for the outcome's own cell alone.
    fn ln_probability(&self, i: usize, low: f64, high: f64) -> Option<f64> {
        let cells = self.cells.as_ref()?;
        let own = Cells::ends(cells.width, self.outcomes[i]) == (low, high);
        own.then(|| cells.ln_probability[i]).and_then(ln_of_probability)
    }

    fn quantile(&self, i: usize, level: f64) -> Option<f64> {
        self.quantiles.as_ref().and_then(|q| q.quantile(i, level))
    }

    fn crps(&self, i: usize, y: f64) -> Option<f64> {
        self.stored(&self.crps, i, y).and_then(finite)
    }

    /// Undefined: the score is kept as a whole.
    fn crps_within(&self, _: usize, _: f64, _: f64, _: f64) -> Option<f64> {
        None
    }

    fn exactness(&self, quantity: Quantity) -> Exactness {
        let kept = match quantity {
            Quantity::Mean => self.mean.is_some(),
            Quantity::Variance => self.variance.is_some(),
            Quantity::LogDensity => self.log_density.is_some(),
            Quantity::Cdf => self.cdf.is_some() && self.cdf_below.is_some(),
            Quantity::Crps => self.crps.is_some(),
            Quantity::Probability => self.cells.is_some(),
            Quantity::CrpsWithin => false,
            Quantity::Quantile(_) => {
                let grid =
                    self.quantiles.as_ref().map_or(Exactness::Undefined, |q| q.exactness(quantity));
                return grid.and(self.source.exactness(quantity));
            }
        };
        if kept { self.source.exactness(quantity) } else { Exactness::Undefined }
    }

    fn validate(&self) -> Result<(), InvalidPredictive> {
        let n = self.outcomes.len();
        validate::finite("outcomes", self.outcomes.view())?;
        for (what, part, at_least_zero) in self.parts() {
            if let Some(values) = part {
                validate::length(what, values.len(), n)?;
                let check = if at_least_zero { validate::nonnegative } else { validate::finite };
                check(what, values.view())?;
            }
        }
        if let Some(log_density) = &self.log_density {
            validate::length("summary log density", log_density.len(), n)?;
            // The density of an impossible outcome is 0; that of another one is finite.
            let known = log_density.mapv(|log| if log == f64::NEG_INFINITY { 0.0 } else { log });
            validate::finite("summary log density", known.view())?;
        }
        if let Some(cells) = &self.cells {
            validate::length("summary ln P(cell)", cells.ln_probability.len(), n)?;
            // The probabilities themselves: finite, where the logarithm of 0 is not.
            validate::nonnegative("summary P(cell)", cells.ln_probability.mapv(f64::exp).view())?;
        }
        if let Some(quantiles) = &self.quantiles {
            validate::length("the column of summary quantiles", quantiles.len(), n)?;
            quantiles.validate()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::predictive::{Mixture, Predictive};

    #[test]
    fn a_summary_keeps_that_an_outcome_is_impossible() {
        // Two components without spread: the outcome of the first row is between them.
        let mixture = Mixture {
            weights: array![[0.5, 0.5], [0.5, 0.5]],
            means: array![[0.0, 1.0], [0.0, 1.0]],
            variances: array![[0.0, 0.0], [1.0, 1.0]],
        };
        let y = array![0.5, 0.5];
        let whole = Predictive::new(Form::Mixture(mixture));
        let summary = whole.summarised(y.view(), None);
        assert_eq!(summary.validate(), Ok(()));
        let logs = |predictive: &Predictive, y: f64| {
            [0, 1].map(|row| predictive.distribution().log_density(row, y))
        };
        assert_eq!(logs(&summary, 0.5), logs(&whole, 0.5));
        assert_eq!(logs(&summary, 0.5)[0], Some(f64::NEG_INFINITY));
        let moved = summary.affine(1.0, 2.0).unwrap();
        assert_eq!((logs(&moved, 2.0)[0], moved.validate()), (Some(f64::NEG_INFINITY), Ok(())));
        assert_eq!(summary.summarised(y.view(), None), summary);
        for wrong in [f64::NAN, f64::INFINITY] {
            let Form::Summary(mut broken) = summary.form.clone() else { panic!("it is a summary") };
            broken.log_density = Some(array![wrong, 0.0]);
            assert!(broken.validate().is_err(), "{wrong}");
        }
    }
}
