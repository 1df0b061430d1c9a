//! Say why a mixture cannot be fitted.

use thiserror::Error;

use crate::FitError;

/// Why rows and settings give no mixture.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MixtureError {
    /// A number of rows, columns or components is not what it should be.
    #[error("mixture: {what} is {found}, expected {expected}")]
    Shape {
        /// What was counted.
        what: &'static str,
        /// The count found.
        found: usize,
        /// What it should be.
        expected: String,
    },
    /// A setting is out of its range.
    #[error("mixture: {what} is {found}, expected {expected}")]
    Setting {
        /// The setting.
        what: &'static str,
        /// Its value.
        found: f64,
        /// Its range.
        expected: &'static str,
    },
    /// There are more components than distinct rows.
    #[error(
        "mixture: {components} components need as many distinct rows, found {distinct}; ask for \
         fewer components"
    )]
    TooFewRows {
        /// The requested number of components.
        components: usize,
        /// Distinct rows.
        distinct: usize,
    },
    /// A row has no finite density.
    #[error(
        "mixture: row {row} (from 0) holds a number that is not finite or lies too far from all \
         others"
    )]
    NotFinite {
        /// The row.
        row: usize,
    },
    /// A covariance is not positive definite.
    #[error(
        "mixture: the covariance of component {component} is singular to rounding; raise the \
         covariance floor, standardise the columns, or ask for fewer components"
    )]
    Singular {
        /// The component, from 0.
        component: usize,
    },
}

impl From<MixtureError> for FitError {
    fn from(error: MixtureError) -> Self {
        match error {
            MixtureError::Singular { .. } => Self::Singular(error.to_string()),
            _ => Self::Unsupported(error.to_string()),
        }
    }
}
