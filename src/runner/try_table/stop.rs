//! End a comparison before its last fit: where the user asks for it, or at a deadline. Time chooses nothing else.

use std::time::Instant;

use thiserror::Error;

use crate::methods::{Context, FitError};
use crate::system::CancelToken;

/// When fits end although they have not finished.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    cancel: CancelToken,
    deadline: Option<Instant>,
}

/// What has ended them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The user, by Ctrl-C or another signal.
    User,
    /// The deadline.
    Deadline,
}

/// Why a fit has no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// The comparison was stopped.
    #[error("stopped")]
    Stopped,
    /// The method failed, with the reason.
    #[error("{0}")]
    Failed(String),
}

/// What a comparison that was stopped has left undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aborted {
    /// What has stopped it.
    pub cause: Cause,
    /// The methods that had not finished every fold.
    pub unfinished: Vec<Unfinished>,
}

/// A method that had not finished every fold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Its name.
    pub id: String,
    /// Fits that had finished.
    pub finished: usize,
    /// All its fits.
    pub fits: usize,
}

impl Stop {
    /// Where `cancel` says so, or at `deadline`.
    pub fn new(cancel: CancelToken, deadline: Option<Instant>) -> Self {
        Self { cancel, deadline }
    }

    /// Never.
    pub fn never() -> Self {
        Self::default()
    }

    /// The same without the deadline.
    #[must_use]
    pub fn without_deadline(&self) -> Self {
        Self { cancel: self.cancel.clone(), deadline: None }
    }

    /// Why fits end now; `None` where they go on.
    pub fn cause(&self) -> Option<Cause> {
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.cancel.is_cancelled() { Some(Cause::User) } else { is_late.then_some(Cause::Deadline) }
    }

    /// The context of a fit that ends so, and at a deadline of its own where it has one.
    pub(super) fn applied(&self, context: Context, own: Option<Instant>) -> Context {
        let deadline = [self.deadline, own].into_iter().flatten().min();
        context.stopping(self.cancel.clone(), deadline)
    }

    /// What an error means: a fit that has noticed the stop did not fail.
    pub(super) fn failure(&self, error: FitError) -> Failure {
        match error {
            FitError::Cancelled | FitError::TimedOut if self.cause().is_some() => Failure::Stopped,
            other => Failure::Failed(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Streams;
    use std::time::Duration;

    #[test]
    fn a_signal_or_a_deadline_ends_fits_and_a_methods_own_deadline_is_its_failure() {
        let (cancel, now) = (CancelToken::default(), Instant::now());
        let stop = Stop::new(cancel.clone(), Some(now + Duration::from_secs(3600)));
        let context = |own| stop.applied(Context::new(Streams::new(1, "t")), own);
        assert_eq!((stop.cause(), context(None).checkpoint()), (None, Ok(())));
        let late = context(Some(now)).checkpoint().unwrap_err();
        assert_eq!(stop.failure(late), Failure::Failed("deadline passed".into()));
        cancel.cancel();
        assert_eq!(stop.cause(), Some(Cause::User));
        assert_eq!(stop.failure(context(None).checkpoint().unwrap_err()), Failure::Stopped);
        assert_eq!(stop.failure(FitError::Diverged("x".into())), Failure::Failed("diverged: x".into()));
        let over = Stop::new(CancelToken::default(), Some(now));
        assert_eq!((over.cause(), over.without_deadline().cause()), (Some(Cause::Deadline), None));
        assert_eq!(over.failure(FitError::TimedOut), Failure::Stopped);
    }
}
