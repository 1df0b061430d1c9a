//! Move the predictive distribution of each point by a number of its own.

use ndarray::{Array1, Axis};

use super::{Form, Predictive, Summary};

impl Predictive {
    /// The distribution of y + `by`, n, in the target's units: each point's number is its own.
    ///
    /// # Panics
    /// If `by` does not have one number for each point.
    #[must_use]
    pub fn moved(mut self, by: &Array1<f64>) -> Self {
        assert_eq!(self.len(), by.len(), "a move needs one number for each point");
        let column = by.view().insert_axis(Axis(1));
        match &mut self.form {
            Form::Gaussian(form) => form.mean += by,
            Form::StudentT(form) => form.location += by,
            Form::Mixture(form) => form.means += &column,
            Form::Atoms(form) => form.values += &column,
            Form::Quantiles(form) => form.values += &column,
            Form::Samples(form) => form.values += &column,
            // The points may share one row of edges.
            Form::Piecewise(form) => form.edges = &form.edges + &column,
            Form::Smoothed(form) => form.values += &column,
            Form::Summary(form) => form.move_by(by),
        }
        self
    }
}

impl Summary {
    fn move_by(&mut self, by: &Array1<f64>) {
        self.outcomes += by;
        if let Some(mean) = &mut self.mean {
            *mean += by;
        }
        if let Some(quantiles) = &mut self.quantiles {
            quantiles.values += &by.view().insert_axis(Axis(1));
        }
    }
}
