//! Show the progress of a run on standard error: a bar with the remaining time, or plain lines where standard error is
//! no terminal.

use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::journal::Steps;
use crate::system::notice::say;

/// The progress of a run.
pub struct Progress {
    bar: ProgressBar,
    plain: Option<Arc<Lines>>,
    running: Running,
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

/// Plain lines: one after two seconds, then one every ten seconds.
struct Lines {
    state: Mutex<State>,
    ended: Condvar,
}

struct State {
    running: Running,
    label: String,
    unit: &'static str,
    done: u64,
    total: u64,
    start: Instant,
    is_over: bool,
}

/// Time before the first plain line.
const FIRST: Duration = Duration::from_secs(2);
/// Time between two plain lines.
const INTERVAL: Duration = Duration::from_secs(10);

impl Progress {
    /// A display of `total` items of this unit, such as `trials`.
    pub fn new(label: &str, total: u64, unit: &'static str) -> Self {
        let running = Running::default();
        if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(total);
            let template = format!("{{prefix}} [{{bar:30}}] {{pos}}/{{len}} {unit}, {{eta}} left{{steps}} {{msg}}");
            let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
            let shown = running.clone();
            let steps = move |_: &ProgressState, out: &mut dyn std::fmt::Write| _ = write!(out, "{shown}");
            bar.set_style(style.with_key("steps", steps).progress_chars("=> "));
            bar.set_prefix(label.to_owned());
            bar.enable_steady_tick(Duration::from_secs(1));
            return Self { bar, plain: None, running };
        }
        let (label, start) = (label.into(), Instant::now());
        let state = State { running: running.clone(), label, unit, done: 0, total, start, is_over: false };
        let lines = Arc::new(Lines { state: Mutex::new(state), ended: Condvar::new() });
        let own = lines.clone();
        // If the thread that writes them cannot be started, there are no lines, and the run goes on.
        let _ = std::thread::Builder::new().name("progress".into()).spawn(move || own.write());
        Self { bar: ProgressBar::hidden(), plain: Some(lines), running }
    }

    /// A display that shows nothing.
    pub fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), plain: None, running: Running::default() }
    }

    /// Shows how many of its `most` steps a sequential trial has made, until the result is dropped.
    pub fn watch(&self, name: String, steps: Steps, most: usize) -> Watched {
        let sequence = Arc::new(Sequence { name, steps, most });
        self.running.list().push(sequence.clone());
        Watched { running: self.running.clone(), sequence }
    }

    /// Names what is at work from now on, such as the next benchmark; the count goes on.
    pub fn enter(&self, label: &str) {
        self.bar.set_prefix(label.to_owned());
        if let Some(lines) = &self.plain {
            lines.state().label = label.into();
        }
    }

    /// Counts one more item.
    pub fn advance(&self) {
        self.bar.inc(1);
        if let Some(lines) = &self.plain {
            lines.state().done += 1;
        }
    }

    /// Prints a message without disturbing the bar.
    pub fn say(&self, message: &str) {
        self.bar.suspend(|| say(message));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
        if let Some(lines) = &self.plain {
            lines.state().is_over = true;
            lines.ended.notify_all();
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

impl std::fmt::Display for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let running = self.list().clone();
        running.iter().try_for_each(|one| write!(f, "; {}: step {} of {}", one.name, one.steps.count(), one.most))
    }
}

impl Lines {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) {
        let mut pause = FIRST;
        let mut state = self.state();
        loop {
            let waited = self.ended.wait_timeout_while(state, pause, |state| !state.is_over);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.is_over {
                return;
            }
            say(&*state);
            pause = INTERVAL;
        }
    }
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}/{} {}", self.label, self.done, self.total, self.unit)?;
        let passed = self.start.elapsed().as_secs_f64();
        if self.done == 0 {
            return write!(f, " after {passed:.0} s{}", self.running);
        }
        let left = passed / self.done as f64 * self.total.saturating_sub(self.done) as f64;
        write!(f, ", about {left:.0} s left{}", self.running)
    }
}
