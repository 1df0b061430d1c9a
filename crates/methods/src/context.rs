//! Carry what a fit may use besides its rows: random streams, a deadline, a request to stop, and a
//! host of methods outside of this program.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use super::FitError;
use uq_core::CancelToken;
use uq_core::math::random::{Rng, Streams};

/// What a fit or a prediction may use besides its rows. Shared and `Sync`: no generator is passed
/// around.
#[derive(Clone, Debug)]
pub struct Context {
    streams: Streams,
    cancel: CancelToken,
    deadline: Option<Instant>,
    host: Option<Arc<dyn Any + Send + Sync>>,
}

impl Context {
    /// A context over a family of streams, without deadline and without host.
    pub fn new(streams: Streams) -> Self {
        Self { streams, cancel: CancelToken::default(), deadline: None, host: None }
    }

    /// The same context with a host: what a method outside of this crate needs to run, such as the
    /// place of its program.
    #[must_use]
    pub fn hosted<H: Any + Send + Sync>(self, host: Option<Arc<H>>) -> Self {
        Self { host: host.map(|host| host as Arc<dyn Any + Send + Sync>), ..self }
    }

    /// The host, where it is one of this type.
    pub fn host<H: Any>(&self) -> Option<&H> {
        self.host.as_deref()?.downcast_ref()
    }

    /// The same context that stops when `cancel` says so or `deadline` has passed.
    #[must_use]
    pub fn stopping(self, cancel: CancelToken, deadline: Option<Instant>) -> Self {
        Self { cancel, deadline, ..self }
    }

    /// The random stream for the `index`-th use of `purpose`.
    pub fn stream(&self, purpose: &str, index: u64) -> Rng {
        self.streams.stream(purpose, index)
    }

    /// The context of the `index`-th member of `purpose`, with streams of its own.
    #[must_use]
    pub fn child(&self, purpose: &str, index: u64) -> Self {
        Self { streams: self.streams.child(purpose, index), ..self.clone() }
    }

    /// How linear algebra inside the trial may run: on one thread, because trials are the parallel
    /// tasks.
    pub fn par(&self) -> faer::Par {
        faer::Par::Seq
    }

    /// Returns early when the trial should stop; call it once per unit of work of about a
    /// millisecond.
    ///
    /// # Errors
    /// [`FitError::Cancelled`] or [`FitError::TimedOut`].
    pub fn checkpoint(&self) -> Result<(), FitError> {
        if self.cancel.is_cancelled() {
            return Err(FitError::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(FitError::TimedOut),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn checkpoint_distinguishes_cancel_from_deadline() {
        let context = Context::new(Streams::new(1, "t"));
        assert_eq!(context.checkpoint(), Ok(()));
        let late = context
            .clone()
            .stopping(CancelToken::default(), Some(Instant::now() - Duration::from_secs(1)));
        assert_eq!(late.checkpoint(), Err(FitError::TimedOut));
        let cancel = CancelToken::default();
        let stopped = context.stopping(cancel.clone(), None).child("member", 1);
        assert_eq!(stopped.checkpoint(), Ok(()));
        cancel.cancel();
        assert_eq!(stopped.checkpoint(), Err(FitError::Cancelled));
    }
}
