//! Say why a fit or a prediction failed, and whether the method or the run is the cause.

use thiserror::Error;

use uq_math::least_squares::LeastSquaresError;

/// Why a method could not fit or predict.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// A number is not finite, or an iteration did not converge: a final outcome of the trial.
    #[error("diverged: {0}")]
    Diverged(String),
    /// A matrix could not be factorised: a final outcome, reported as diverged.
    #[error("singular: {0}")]
    Singular(String),
    /// The method does not handle this problem (too many rows, one row, no such reading): a final
    /// outcome.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// What a method outside of this program needs is not at hand, such as weights: an attempt,
    /// tried again on resume.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// A method outside of this program failed in another way than it may: an attempt, tried again
    /// on resume.
    #[error("{0}")]
    Crashed(String),
    /// A method outside of this program took more memory than it may: an attempt, tried again on
    /// resume.
    #[error("out of memory")]
    OutOfMemory,
    /// No setting of a search has intervals of the required coverage, for which a paper prints
    /// `none`: a final outcome.
    #[error("none: {0}")]
    NoneCovers(String),
    /// The machine failed, not the method: an attempt, tried again at once.
    #[error("{0}")]
    Lost(String),
    /// The run was cancelled: nothing is stored.
    #[error("cancelled")]
    Cancelled,
    /// The trial's deadline has passed: an attempt, tried again on resume.
    #[error("deadline passed")]
    TimedOut,
}

impl From<LeastSquaresError> for FitError {
    fn from(error: LeastSquaresError) -> Self {
        match error {
            LeastSquaresError::NotFinite { .. } => Self::Unsupported(error.to_string()),
            LeastSquaresError::NoConvergence { .. } => Self::Diverged(error.to_string()),
        }
    }
}
