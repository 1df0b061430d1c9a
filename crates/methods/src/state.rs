//! Write a fit as bytes, and make it again from them.
//!
//! The bytes are the name of the method and then what the fit consists of, as postcard writes it:
//! every bit of a number is kept, so that the fit that is read predicts what the written one does.
//! A method that holds other methods has their fits' bytes inside its own, and lets each of them
//! read its own.
//!
//! Bytes may come from a file that someone has changed. Whatever is read is therefore checked by
//! the model before it is used: places lie inside of what they lead into, shapes belong together,
//! and a walk from node to node goes forward.

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use thiserror::Error;

use super::Fitted;

/// Why a fit cannot be written, or made again.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StateError {
    /// The method keeps no state.
    #[error("this method keeps no fitted state")]
    Unsupported,
    /// It is the state of another method.
    #[error("the state is of a fit of `{found}`, expected one of `{expected}`")]
    Foreign {
        /// The method that reads it.
        expected: String,
        /// The method that wrote it.
        found: String,
    },
    /// It is not what the method has written.
    #[error("the state of a fit of `{method}` is damaged: {why}")]
    Damaged {
        /// The method.
        method: String,
        /// What is wrong.
        why: String,
    },
    /// It cannot be written.
    #[error("the fit of `{method}` cannot be written: {why}")]
    Unwritable {
        /// The method.
        method: String,
        /// What is wrong.
        why: String,
    },
}

impl StateError {
    /// A state that the method does not write.
    pub fn damaged(method: &str, why: impl Into<String>) -> Self {
        Self::Damaged { method: method.into(), why: why.into() }
    }
}

/// A fit that is made again.
pub type Restored = Result<Box<dyn Fitted>, StateError>;

/// The state of a fit of the method `id` that consists of `content`.
///
/// # Errors
/// [`StateError::Unwritable`].
pub fn write(id: &str, content: &impl Serialize) -> Result<Vec<u8>, StateError> {
    postcard::to_allocvec(&(id, content))
        .map_err(|error| StateError::Unwritable { method: id.into(), why: error.to_string() })
}

/// What a fit of the method `id` consists of.
///
/// # Errors
/// [`StateError::Foreign`] and [`StateError::Damaged`].
pub fn read<T: DeserializeOwned>(id: &str, state: &[u8]) -> Result<T, StateError> {
    let unread = |error: postcard::Error| StateError::damaged(id, error.to_string());
    let (found, rest) = postcard::take_from_bytes::<&str>(state).map_err(unread)?;
    if found != id {
        let found = uq_core::printable::printable(found, 60);
        return Err(StateError::Foreign { expected: id.into(), found });
    }
    let (content, rest) = postcard::take_from_bytes(rest).map_err(unread)?;
    match rest.len() {
        0 => Ok(content),
        more => Err(StateError::damaged(id, format!("{more} bytes follow it"))),
    }
}

/// The reason `why` unless `holds`.
///
/// # Errors
/// The reason.
pub fn require(holds: bool, why: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why.into()) }
}

/// Writes the states of fits inside another one.
///
/// # Errors
/// Where one of them has none.
pub(super) fn of_fits<S: Serializer>(
    fits: &[Box<dyn Fitted>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let states: Result<Vec<Vec<u8>>, StateError> = fits.iter().map(|fit| fit.state()).collect();
    states.map_err(serde::ser::Error::custom)?.serialize(serializer)
}

/// Writes the state of a fit inside another one.
///
/// # Errors
/// Where it has none.
pub(super) fn of_fit<S: Serializer>(
    fit: &impl AsRef<dyn Fitted>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    fit.as_ref().state().map_err(serde::ser::Error::custom)?.serialize(serializer)
}

/// Parameters inside a state, as the JSON that they are written in elsewhere, too: some of them
/// leave out what was added later, which only a format with names can read.
pub(super) mod as_json {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::parameter::Parameters;

    /// Writes parameters.
    ///
    /// # Errors
    /// The serializer's.
    pub fn serialize<P: Serialize, S: Serializer>(
        parameters: &P,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serde_json::to_string(parameters).map_err(S::Error::custom)?.serialize(serializer)
    }

    /// Reads parameters, and checks each of them by itself.
    ///
    /// # Errors
    /// The deserializer's, and that of a parameter out of its range.
    pub fn deserialize<'de, P: DeserializeOwned + Parameters, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<P, D::Error> {
        let parameters: P =
            serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)?;
        parameters.check().map_err(D::Error::custom)?;
        Ok(parameters)
    }
}

#[cfg(test)]
mod tests;
