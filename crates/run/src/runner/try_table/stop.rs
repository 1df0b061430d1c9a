//! End a comparison before its last fit: where the user asks for it, at a deadline, or where its
//! budget of processor time is spent. Time chooses nothing else.

use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use uq_core::CancelToken;
use uq_methods::{Context, FitError};
use uqbench_system::processor_time::program_cpu;

/// How often a comparison looks whether its budget is spent.
const LOOK: Duration = Duration::from_millis(20);

/// When fits end although they have not finished.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    cancel: CancelToken,
    deadline: Option<Instant>,
    /// The program's processor time at which they end.
    spent_at: Option<Duration>,
    /// What running fits look at, where more than the user's signal ends them.
    ends: Option<CancelToken>,
}

/// What has ended them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The user, by Ctrl-C or another signal.
    User,
    /// The deadline.
    Deadline,
    /// The budget of processor time.
    Budget,
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
        Self { cancel, deadline, ..Self::default() }
    }

    /// This stop, which also ends fits after this processor time from now on, where the operating
    /// system tells it.
    #[must_use]
    pub fn after_processor_time(self, seconds: f64) -> Self {
        let limit = Duration::try_from_secs_f64(seconds).ok();
        Self {
            spent_at: program_cpu().zip(limit).map(|(now, limit)| now.saturating_add(limit)),
            ..self
        }
    }

    /// Never.
    pub fn never() -> Self {
        Self::default()
    }

    /// This stop without the deadline and the budget.
    #[must_use]
    pub fn without_deadline(&self) -> Self {
        Self { deadline: None, ..self.without_budget() }
    }

    /// This stop without the budget.
    #[must_use]
    pub(super) fn without_budget(&self) -> Self {
        Self { spent_at: None, ends: None, ..self.clone() }
    }

    /// Runs this with a stop that also ends fits which are running when the budget is spent.
    pub fn watched<T>(&self, run: impl FnOnce(&Self) -> T) -> T {
        if self.spent_at.is_none() {
            return run(self);
        }
        let ends = CancelToken::default();
        let watched = Self { ends: Some(ends.clone()), ..self.clone() };
        thread::scope(|scope| {
            let over = CancelToken::default();
            let is_over = over.clone();
            scope.spawn(move || {
                while !is_over.is_cancelled() && self.cause().is_none() {
                    thread::sleep(LOOK);
                }
                ends.cancel();
            });
            let _until = Until(over);
            run(&watched)
        })
    }

    /// Why fits end now; `None` where they go on.
    pub fn cause(&self) -> Option<Cause> {
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let is_spent = || self.spent_at.zip(program_cpu()).is_some_and(|(limit, now)| now >= limit);
        if self.cancel.is_cancelled() {
            Some(Cause::User)
        } else if is_late {
            Some(Cause::Deadline)
        } else {
            is_spent().then_some(Cause::Budget)
        }
    }

    /// The context of a fit that ends so, and at a deadline of its own where it has one.
    pub(super) fn applied(&self, context: Context, own: Option<Instant>) -> Context {
        let deadline = [self.deadline, own].into_iter().flatten().min();
        context.stopping(self.ends.as_ref().unwrap_or(&self.cancel).clone(), deadline)
    }

    /// What an error means: a fit that has noticed the stop did not fail.
    pub(super) fn failure(&self, error: FitError) -> Failure {
        match error {
            FitError::Cancelled | FitError::TimedOut if self.cause().is_some() => Failure::Stopped,
            other => Failure::Failed(other.to_string()),
        }
    }
}

/// Says that a run is over, also where it panics.
struct Until(CancelToken);

impl Drop for Until {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::math::random::Streams;

    #[test]
    fn a_spent_budget_ends_running_fits_and_no_others() {
        let stop = Stop::never().after_processor_time(0.0);
        assert_eq!((stop.cause(), stop.without_budget().cause()), (Some(Cause::Budget), None));
        let ended = stop.watched(|stop| {
            let context = stop.applied(Context::new(Streams::new(1, "t")), None);
            let start = Instant::now();
            while context.checkpoint().is_ok() && start.elapsed() < Duration::from_secs(30) {
                thread::sleep(LOOK);
            }
            stop.failure(context.checkpoint().unwrap_err())
        });
        assert_eq!(ended, Failure::Stopped);
        let rich = Stop::never().after_processor_time(1e9);
        assert_eq!(
            rich.watched(|stop| stop
                .applied(Context::new(Streams::new(1, "t")), None)
                .checkpoint()),
            Ok(())
        );
        let after = stop.without_deadline().applied(Context::new(Streams::new(1, "t")), None);
        assert_eq!(after.checkpoint(), Ok(()), "the fit of all rows");
    }

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
        assert_eq!(
            stop.failure(FitError::Diverged("x".into())),
            Failure::Failed("diverged: x".into())
        );
        let over = Stop::new(CancelToken::default(), Some(now));
        assert_eq!((over.cause(), over.without_deadline().cause()), (Some(Cause::Deadline), None));
        assert_eq!(over.failure(FitError::TimedOut), Failure::Stopped);
    }
}
