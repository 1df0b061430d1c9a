//! Turn point predictions into a predictive form.

use ndarray::{Array1, Array2, Axis};

use uq_core::predictive::{Atoms, Form, Predictive};

/// One atom of weight one at each of n points: a prediction without uncertainty.
pub(super) fn one_atom(values: Array1<f64>) -> Predictive {
    let form =
        Form::Atoms(Atoms { values: values.insert_axis(Axis(1)), weights: Array2::ones((1, 1)) });
    Predictive { form, split: None }
}
