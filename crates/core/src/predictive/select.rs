//! Take some of the points of a predictive distribution.

use ndarray::{Array1, Array2, Axis};

use super::{
    Atoms, Cells, Form, Gaussian, Mixture, Piecewise, Predictive, Quantiles, Samples, Smoothed,
    Split, StudentT, Summary,
};

impl Predictive {
    /// The distributions at these points, in this order.
    ///
    /// # Panics
    /// If there is no such point.
    #[must_use]
    pub fn select(&self, points: &[usize]) -> Self {
        let split = self.split.as_ref().map(|split| Split {
            aleatoric: split.aleatoric.as_ref().map(|part| pick(part, points)),
            epistemic: split.epistemic.as_ref().map(|part| pick(part, points)),
        });
        Self { form: self.form.select(points), split }
    }
}

impl Form {
    fn select(&self, points: &[usize]) -> Self {
        let one = |values: &Array1<f64>| pick(values, points);
        let rows = |values: &Array2<f64>| values.select(Axis(0), points);
        match self {
            Self::Gaussian(form) => {
                Self::Gaussian(Gaussian { mean: one(&form.mean), variance: one(&form.variance) })
            }
            Self::StudentT(form) => Self::StudentT(StudentT {
                location: one(&form.location),
                scale: one(&form.scale),
                degrees_of_freedom: one(&form.degrees_of_freedom),
            }),
            Self::Mixture(form) => Self::Mixture(Mixture {
                weights: shared(&form.weights, points),
                means: rows(&form.means),
                variances: rows(&form.variances),
            }),
            Self::Atoms(form) => Self::Atoms(Atoms {
                values: rows(&form.values),
                weights: shared(&form.weights, points),
            }),
            Self::Quantiles(form) => Self::Quantiles(Quantiles {
                levels: form.levels.clone(),
                values: rows(&form.values),
            }),
            Self::Samples(form) => Self::Samples(Samples { values: rows(&form.values) }),
            Self::Piecewise(form) => Self::Piecewise(Piecewise {
                edges: shared(&form.edges, points),
                masses: rows(&form.masses),
                tails: shared(&form.tails, points),
            }),
            Self::Smoothed(form) => Self::Smoothed(Smoothed {
                values: rows(&form.values),
                weights: shared(&form.weights, points),
                bandwidth: one(&form.bandwidth),
                kernel: form.kernel,
            }),
            Self::Summary(form) => Self::Summary(Box::new(form.select(points))),
        }
    }
}

impl Summary {
    fn select(&self, points: &[usize]) -> Self {
        let part =
            |values: &Option<Array1<f64>>| values.as_ref().map(|values| pick(values, points));
        let cells = |cells: &Cells| Cells {
            width: cells.width,
            ln_probability: pick(&cells.ln_probability, points),
        };
        let quantiles = |quantiles: &Quantiles| Quantiles {
            levels: quantiles.levels.clone(),
            values: quantiles.values.select(Axis(0), points),
        };
        Self {
            source: self.source,
            outcomes: pick(&self.outcomes, points),
            mean: part(&self.mean),
            variance: part(&self.variance),
            log_density: part(&self.log_density),
            cdf: part(&self.cdf),
            cdf_below: part(&self.cdf_below),
            crps: part(&self.crps),
            cells: self.cells.as_ref().map(cells),
            quantiles: self.quantiles.as_ref().map(quantiles),
        }
    }
}

fn pick(values: &Array1<f64>, points: &[usize]) -> Array1<f64> {
    values.select(Axis(0), points)
}

/// Rows of these points, where one row may serve all points.
fn shared(values: &Array2<f64>, points: &[usize]) -> Array2<f64> {
    if values.nrows() == 1 { values.clone() } else { values.select(Axis(0), points) }
}
