//! Turn point predictions into the predictive form that every method answers in.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::{FitError, Reading};
use crate::predictive::{Atoms, Form, Predictive};

/// Checks what a method with one reading over `columns` features is asked: the reading and the number of features.
///
/// # Errors
/// [`FitError::Unsupported`] for another reading or another number of features.
pub(super) fn check_ask(reading: &Reading, columns: usize, features: ArrayView2<f64>) -> Result<(), FitError> {
    if *reading != Reading::MAIN {
        return Err(FitError::Unsupported(format!("no reading `{reading}`, expected `{}`", Reading::MAIN)));
    }
    let found = features.ncols();
    if found != columns {
        return Err(FitError::Unsupported(format!("fitted on {columns} features, asked to predict from {found}")));
    }
    Ok(())
}

/// One atom of weight one at each of n points: a prediction that says nothing about its uncertainty.
pub(super) fn one_atom(values: Array1<f64>) -> Predictive {
    let form = Form::Atoms(Atoms { values: values.insert_axis(Axis(1)), weights: Array2::ones((1, 1)) });
    Predictive { form, split: None }
}
