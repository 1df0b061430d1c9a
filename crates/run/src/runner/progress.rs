//! Show the progress of a run on standard error: a bar with the remaining time, or plain lines
//! where standard error is no terminal.

mod kinds;

use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

pub use self::kinds::Kind;
use self::kinds::Kinds;
use super::journal::Steps;
use uqbench_system::elapsed;
use uqbench_system::notice::say;

/// The progress of a run.
pub struct Progress {
    bar: ProgressBar,
    is_plain: bool,
    shown: Arc<Shown>,
}

/// The sequential trials that run now.
#[derive(Clone, Default)]
struct Running(Arc<Mutex<Vec<Arc<Sequence>>>>);

/// A sequential trial.
struct Sequence {
    name: String,
    steps: Steps,
    most: usize,
}

/// A sequential trial whose steps are shown until this is dropped.
pub struct Watched {
    running: Running,
    sequence: Arc<Sequence>,
}

/// An item at work, until this is dropped.
pub struct Begun {
    shown: Arc<Shown>,
    number: u64,
}

/// An item at work: when it began, and its expected work.
struct AtWork {
    number: u64,
    start: Instant,
    work: f64,
}

/// What is shown: by the bar, or as plain lines, one after two seconds, then at times that grow to a
/// minute, because each line tells how long it takes.
struct Shown {
    state: Mutex<State>,
    ended: Condvar,
}

struct State {
    running: Running,
    label: String,
    unit: &'static str,
    done: u64,
    total: u64,
    work: Work,
    kinds: Kinds,
    /// Items at work, and how many have begun.
    begun: (Vec<AtWork>, u64),
    start: Instant,
    is_over: bool,
}

/// The work of a run, in seconds of processor time that its items are expected to take. Where
/// nothing is expected, each item is a unit of work.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Work {
    done: f64,
    left: f64,
    /// Work in a second as it is expected: the number of threads; `None` where the first items have
    /// to tell.
    rate: Option<f64>,
}

/// The expected rate of work counts as if it had been observed for this time, in seconds.
const TRUST: f64 = 60.0;

/// Most of its work that an item at work is taken to have done, however long it takes.
const MOST_DONE: f64 = 0.9;

impl Work {
    /// Time left after this time, in seconds; `None` while nothing tells it. `at_work` are the
    /// times since the items at work began, in seconds, and their expected work: without them the
    /// time left grows until a long item ends.
    fn time_left(&self, passed: f64, at_work: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
        let Some(rate) = self.rate else {
            return (self.done > 0.0).then(|| self.left * passed / self.done);
        };
        let begun: f64 = at_work.map(|(time, work)| time.min(MOST_DONE * work)).sum();
        let done = self.done + begun + TRUST * rate;
        Some((self.left - begun).max(0.0) * (passed + TRUST) / done)
    }
}

/// Time before the first plain line.
const FIRST: Duration = Duration::from_secs(2);
/// Time before the second plain line; it doubles from line to line.
const INTERVAL: Duration = Duration::from_secs(10);
/// Longest time between two plain lines.
const LONGEST: Duration = Duration::from_secs(60);

impl Progress {
    /// A display of `total` items of this unit, such as `trials`, which are equally long as far as
    /// is known.
    pub fn new(label: &str, total: u64, unit: &'static str) -> Self {
        Self::start(label, total, unit, Work { done: 0.0, left: total as f64, rate: None })
    }

    /// A display of `total` items whose processor time is expected to be `seconds` in all. `rate`
    /// is the number of items at a time, where these times can be trusted.
    pub fn of_work(
        label: &str,
        total: u64,
        unit: &'static str,
        seconds: f64,
        rate: Option<f64>,
    ) -> Self {
        Self::start(label, total, unit, Work { done: 0.0, left: seconds, rate })
    }

    fn start(label: &str, total: u64, unit: &'static str, work: Work) -> Self {
        let (running, start) = (Running::default(), Instant::now());
        let begun = (Vec::new(), 0);
        let state = State {
            running,
            label: label.into(),
            unit,
            done: 0,
            total,
            work,
            kinds: Kinds::default(),
            begun,
            start,
            is_over: false,
        };
        let shown = Arc::new(Shown { state: Mutex::new(state), ended: Condvar::new() });
        let own = shown.clone();
        if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(total);
            let template =
                format!("{{prefix}} [{{bar:30}}] {{pos}}/{{len}} {unit}{{left}} {{msg}}");
            let style = ProgressStyle::with_template(&template)
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let left = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                _ = write!(out, "{}", own.state().left())
            };
            bar.set_style(style.with_key("left", left).progress_chars("=> "));
            bar.set_prefix(label.to_owned());
            bar.enable_steady_tick(Duration::from_secs(1));
            return Self { bar, is_plain: false, shown };
        }
        // If the thread that writes them cannot be started, there are no lines, and the run goes
        // on.
        let _ = std::thread::Builder::new().name("progress".into()).spawn(move || own.write());
        Self { bar: ProgressBar::hidden(), is_plain: true, shown }
    }

    /// A display that shows nothing.
    pub fn hidden() -> Self {
        let work = Work { done: 0.0, left: 0.0, rate: None };
        let (running, start) = (Running::default(), Instant::now());
        let (label, begun) = (String::new(), (Vec::new(), 0));
        let (unit, kinds) = ("items", Kinds::default());
        let state = State {
            running,
            label,
            unit,
            done: 0,
            total: 0,
            work,
            kinds,
            begun,
            start,
            is_over: true,
        };
        let shown = Arc::new(Shown { state: Mutex::new(state), ended: Condvar::new() });
        Self { bar: ProgressBar::hidden(), is_plain: false, shown }
    }

    /// Shows how many of its `most` steps a sequential trial has made, until the result is dropped.
    pub fn watch(&self, name: String, steps: Steps, most: usize) -> Watched {
        let sequence = Arc::new(Sequence { name, steps, most });
        let running = self.shown.state().running.clone();
        running.list().push(sequence.clone());
        Watched { running, sequence }
    }

    /// Names what is at work from now on, such as the next benchmark; the count goes on.
    pub fn enter(&self, label: &str) {
        self.bar.set_prefix(label.to_owned());
        self.shown.state().label = label.into();
    }

    /// An item begins with its expected `work`, in seconds; it is at work until the result is
    /// dropped.
    pub fn begin(&self, work: f64) -> Begun {
        let mut state = self.shown.state();
        let number = state.begun.1;
        state.begun.1 += 1;
        state.begun.0.push(AtWork { number, start: Instant::now(), work });
        Begun { shown: self.shown.clone(), number }
    }

    /// Counts one more item with its expected `work`, in seconds; an item that was done before is
    /// no work.
    pub fn advance(&self, work: f64) {
        self.bar.inc(1);
        let mut state = self.shown.state();
        state.done += 1;
        state.work.done += work;
        state.work.left = (state.work.left - work).max(0.0);
    }

    /// One of the items is of a kind whose work nobody has measured; its share of the expected work
    /// is a guess.
    pub fn expect(&self, kind: &Kind, guess: f64) {
        self.shown.state().kinds.expect(kind, guess);
    }

    /// What an item of a kind is expected to take in seconds by those that have ended; `None` for a
    /// kind that is not expected.
    pub fn expected(&self, kind: &Kind) -> Option<f64> {
        self.shown.state().kinds.each(kind)
    }

    /// Counts one more item of a kind, which has taken `seconds` seconds: the others are expected
    /// to take as long.
    pub fn advance_of(&self, kind: &Kind, seconds: f64) {
        self.bar.inc(1);
        let mut state = self.shown.state();
        state.done += 1;
        let grown = state.kinds.end(kind, seconds);
        state.work.done += seconds;
        state.work.left = (state.work.left + grown).max(0.0);
    }

    /// Prints a message without disturbing the bar.
    pub fn say(&self, message: &str) {
        self.bar.suspend(|| say(message));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
        if self.is_plain {
            self.shown.state().is_over = true;
            self.shown.ended.notify_all();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Running {
    fn list(&self) -> MutexGuard<'_, Vec<Arc<Sequence>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.running.list().retain(|other| !Arc::ptr_eq(other, &self.sequence));
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.shown.state().begun.0.retain(|item| item.number != self.number);
    }
}

impl std::fmt::Display for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let running = self.list().clone();
        running.iter().try_for_each(|one| {
            write!(f, "; {}: step {} of {}", one.name, one.steps.count(), one.most)
        })
    }
}

impl Shown {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) {
        let (mut pause, mut next) = (FIRST, INTERVAL);
        let mut state = self.state();
        loop {
            let waited = self.ended.wait_timeout_while(state, pause, |state| !state.is_over);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.is_over {
                return;
            }
            say(&*state);
            pause = next;
            next = (2 * next).min(LONGEST);
        }
    }
}

impl State {
    /// The time that is left, and the steps of sequential trials.
    fn left(&self) -> String {
        let at_work =
            self.begun.0.iter().map(|item| (item.start.elapsed().as_secs_f64(), item.work));
        match self.work.time_left(self.start.elapsed().as_secs_f64(), at_work) {
            Some(left) => format!(
                ", about {} left{}",
                elapsed(Duration::try_from_secs_f64(left.ceil()).unwrap_or(Duration::MAX)),
                self.running
            ),
            None => self.running.to_string(),
        }
    }
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}/{} {}", self.label, self.done, self.total, self.unit)?;
        if self.done == 0 {
            write!(f, " after {:.0} s", self.start.elapsed().as_secs_f64())?;
        }
        f.write_str(&self.left())
    }
}

#[cfg(test)]
mod tests {
    use std::iter::empty;

    use super::*;

    #[test]
    fn time_left_follows_the_work_and_not_the_number_of_items() {
        // One hour of work is done, the long trial of three hours is not.
        let work = Work { done: 3600.0, left: 3.0 * 3600.0, rate: None };
        assert_eq!(work.time_left(1800.0, empty()), Some(5400.0));
        assert_eq!(Work { done: 0.0, ..work }.time_left(1800.0, empty()), None);
    }

    #[test]
    fn before_the_first_end_the_expected_rate_tells_the_time() {
        let work = Work { done: 0.0, left: 1200.0, rate: Some(2.0) };
        assert_eq!(work.time_left(0.0, empty()), Some(600.0));
        // A machine of half the speed: what is observed soon outweighs what was expected.
        let later = Work { done: 6000.0, left: 1000.0, ..work }.time_left(6000.0, empty()).unwrap();
        assert!((later - 1000.0).abs() < 20.0, "{later}");
    }

    #[test]
    fn while_long_items_are_at_work_the_time_left_does_not_grow() {
        let work = Work { done: 0.0, left: 7200.0, rate: Some(2.0) };
        let after = |passed: f64| {
            work.time_left(passed, [(passed, 1800.0), (passed, 1800.0)].into_iter()).unwrap()
        };
        // As fast as expected: an hour in all.
        assert!((after(600.0) - 3000.0).abs() < 1e-9, "{}", after(600.0));
        // They take longer than expected: the rate falls, and they are not done.
        assert!(after(3600.0) > 3600.0 && after(7200.0) > after(3600.0));
        let last = Work { done: 7000.0, left: 200.0, rate: Some(2.0) }
            .time_left(3600.0, std::iter::once((900.0, 200.0)));
        assert!(last.unwrap() > 5.0, "{last:?}");
    }

    #[test]
    fn an_item_is_at_work_until_it_is_dropped() {
        let progress = Progress::hidden();
        let (first, second) = (progress.begin(1.0), progress.begin(2.0));
        drop(first);
        assert_eq!(
            progress.shown.state().begun.0.iter().map(|item| item.work).collect::<Vec<_>>(),
            [2.0]
        );
        drop(second);
        assert!(progress.shown.state().begun.0.is_empty());
    }

    #[test]
    fn a_sequential_trial_shows_its_step_while_it_runs() {
        let folder = tempfile::tempdir().unwrap();
        for step in 0..3 {
            std::fs::write(folder.path().join(format!("random@{step}.step")), "").unwrap();
        }
        let progress = Progress::hidden();
        let steps = Steps::new(Arc::new(uqbench_system::RealDisk), folder.path().into());
        let watched = progress.watch("`jcm` on boston, split 1".into(), steps, 22);
        let shown = || progress.shown.state().to_string();
        assert!(shown().ends_with("; `jcm` on boston, split 1: step 3 of 22"), "{}", shown());
        drop(watched);
        assert!(!shown().contains("step"), "{}", shown());
    }

    #[test]
    fn the_time_left_counts_items_of_a_new_kind_by_what_the_first_took() {
        let progress = Progress::of_work("trials", 4, "trials", 31.0, None);
        let kind = Kind { method: "mine".into(), dataset: "d".into() };
        (0..3).for_each(|_| progress.expect(&kind, 10.0));
        assert_eq!(progress.expected(&kind), Some(10.0));
        progress.advance_of(&kind, 600.0);
        assert_eq!(progress.shown.state().work, Work { done: 600.0, left: 1201.0, rate: None });
        assert_eq!(progress.expected(&kind), Some(600.0));
    }

    #[test]
    fn what_was_done_before_is_no_work() {
        let progress = Progress::hidden();
        progress.shown.state().work = Work { done: 0.0, left: 10.0, rate: None };
        progress.advance(0.0);
        assert_eq!(progress.shown.state().work, Work { done: 0.0, left: 10.0, rate: None });
        progress.advance(4.0);
        assert_eq!(progress.shown.state().work, Work { done: 4.0, left: 6.0, rate: None });
    }
}
