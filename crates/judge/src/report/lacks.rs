//! Collect what of a report cannot be read or computed, so that all else is shown.

use serde::Serialize;

use uqbench_run::runner::store::StoreError;

use crate::evidence::EvidenceError;

/// A part of a report that is lacking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lack {
    /// Its name; empty where the error says it.
    pub part: String,
    /// Why it is lacking.
    pub error: String,
    /// Whether stored bytes are damaged.
    pub is_damage: bool,
}

/// The parts of a report that are lacking: each costs itself alone.
#[derive(Debug, Default)]
pub struct Lacks(Vec<Lack>);

impl EvidenceError {
    /// Whether a page needs what a pack does not have, because it was made for other pages.
    pub fn is_not_packed(&self) -> bool {
        matches!(self, Self::Store(StoreError::NotPacked { .. }))
    }

    /// Whether it is of the content of one part of a report, so that all else can be shown. A store
    /// that cannot be read is of all.
    fn is_of_one_part(&self) -> bool {
        match self {
            Self::Store(error) => matches!(error, StoreError::Damaged { .. }),
            Self::Damaged { .. } => true,
        }
    }
}

impl Lacks {
    /// What a step gives; nothing where it fails for its own content, which is noted.
    ///
    /// # Errors
    /// [`EvidenceError`] where the store cannot be read.
    pub fn or_none<T: Default>(
        &mut self,
        step: Result<T, EvidenceError>,
    ) -> Result<T, EvidenceError> {
        self.or_none_of("", step)
    }

    /// What a step on one of several parts gives; nothing where it fails for its own content, which
    /// is noted with the part's name.
    ///
    /// # Errors
    /// [`EvidenceError`] where the store cannot be read.
    pub fn or_none_of<T: Default>(
        &mut self,
        part: &str,
        step: Result<T, EvidenceError>,
    ) -> Result<T, EvidenceError> {
        match step {
            Err(error) if error.is_of_one_part() => {
                let is_damage = matches!(error, EvidenceError::Store(StoreError::Damaged { .. }));
                self.0.push(Lack { part: part.into(), error: error.to_string(), is_damage });
                Ok(T::default())
            }
            step => step,
        }
    }

    /// Whether nothing is lacking so far.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is lacking, and why.
    pub fn into_all(self) -> Vec<Lack> {
        self.0
    }
}
