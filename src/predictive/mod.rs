//! What a method believes about the target: one file a form.

use ndarray::{Array1, Array2};

/// What a method believes about the target at each of n points, in the target's units.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictive {
    /// The distribution at each point.
    pub form: Form,
    /// The aleatoric and epistemic variance at each point, set by the method, never derived from the form.
    pub split: Option<Split>,
}

/// Variances that a method calls aleatoric and epistemic, each n, in squared units; `None` where it defines none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Split {
    /// Noise in the data.
    pub aleatoric: Option<Array1<f64>>,
    /// What the model does not know.
    pub epistemic: Option<Array1<f64>>,
}

/// The forms that a predictive distribution can take.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Weighted points.
    Atoms(Atoms),
}

/// Weighted points: values n × m; weights 1 × m (the same at every point) or n × m, rows summing to one.
#[derive(Clone, Debug, PartialEq)]
pub struct Atoms {
    /// Values, n × m.
    pub values: Array2<f64>,
    /// Weights, 1 × m or n × m.
    pub weights: Array2<f64>,
}
