//! Say why a report, or a part of a page, cannot be rendered.

use thiserror::Error;

use super::drawn::DrawingError;
use super::trial::ShowError;
use uqbench_judge::evidence::EvidenceError;
use uqbench_run::runner::store::StoreError;

/// Why a report cannot be rendered.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A figure cannot be drawn.
    #[error(transparent)]
    Drawing(#[from] DrawingError),
    /// A trial's page cannot be written.
    #[error(transparent)]
    Trial(#[from] ShowError),
    /// A stored trial cannot be used.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
}

impl ReportError {
    /// Whether pages need what a pack does not have, because it was made for other pages.
    pub fn is_not_packed(&self) -> bool {
        matches!(self.of_store(), Some(StoreError::NotPacked { .. }))
    }

    /// The error of the store behind it, if there is one.
    fn of_store(&self) -> Option<&StoreError> {
        match self {
            Self::Store(error)
            | Self::Evidence(EvidenceError::Store(error))
            | Self::Trial(ShowError::Store(error) | ShowError::Evidence(EvidenceError::Store(error))) => Some(error),
            _ => None,
        }
    }

    /// Whether it is of the content of one block of a page, so that all else can be shown. A store that cannot be read is of all.
    fn is_of_one_block(&self) -> bool {
        match (self.of_store(), self) {
            (Some(error), _) => matches!(error, StoreError::Damaged { .. }),
            (None, Self::Evidence(EvidenceError::Published { .. })) => false,
            (None, _) => true,
        }
    }
}

/// The parts of a page that cannot be shown: each costs itself alone.
#[derive(Default)]
pub(super) struct Lacks(Vec<String>);

impl Lacks {
    /// What a step gives; nothing where it fails for its own content, which is kept for the page.
    pub fn or_none<T: Default, E: Into<ReportError>>(&mut self, step: Result<T, E>) -> Result<T, ReportError> {
        self.kept(step, |error| error.to_string())
    }

    /// The same of one of several pages, which is named.
    pub fn or_none_of<T: Default, E: Into<ReportError>>(
        &mut self,
        what: &str,
        step: Result<T, E>,
    ) -> Result<T, ReportError> {
        self.kept(step, |error| format!("{what}: {error}"))
    }

    fn kept<T: Default, E: Into<ReportError>>(
        &mut self,
        step: Result<T, E>,
        tell: impl Fn(&ReportError) -> String,
    ) -> Result<T, ReportError> {
        match step.map_err(Into::into) {
            Err(error) if error.is_of_one_block() => {
                self.0.push(tell(&error));
                Ok(T::default())
            }
            step => step,
        }
    }

    /// Adds what could not be read.
    pub fn extend(&mut self, unread: uqbench_judge::report::Lacks) {
        self.0.extend(unread.into_words());
    }

    /// Whether everything can be shown so far.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What cannot be shown, and why.
    pub fn told(self) -> impl Iterator<Item = String> {
        self.0.into_iter()
    }
}
