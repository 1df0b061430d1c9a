//! Show how far a run is on standard error: a bar with the remaining time, or plain lines where no one watches.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How far a run is.
pub struct Progress {
    bar: ProgressBar,
    plain: Option<Mutex<Plain>>,
}

/// State of the plain lines.
struct Plain {
    label: String,
    done: u64,
    total: u64,
    start: Instant,
    printed: Instant,
}

/// Time between two plain lines.
const INTERVAL: Duration = Duration::from_secs(10);

impl Progress {
    /// A display of `total` trials.
    pub fn new(label: &str, total: u64) -> Self {
        if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(total);
            let template = "{prefix} [{bar:30}] {pos}/{len} trials, {eta} left {msg}";
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            bar.set_style(style.progress_chars("=> "));
            bar.set_prefix(label.to_owned());
            return Self { bar, plain: None };
        }
        let now = Instant::now();
        let plain = Plain { label: label.into(), done: 0, total, start: now, printed: now };
        Self { bar: ProgressBar::hidden(), plain: Some(Mutex::new(plain)) }
    }

    /// A display that shows nothing.
    pub fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), plain: None }
    }

    /// One more trial has ended.
    pub fn advance(&self) {
        self.bar.inc(1);
        let Some(Ok(mut plain)) = self.plain.as_ref().map(Mutex::lock) else { return };
        plain.done += 1;
        if plain.printed.elapsed() >= INTERVAL {
            plain.printed = Instant::now();
            let left = plain.start.elapsed().as_secs_f64() / plain.done as f64 * (plain.total - plain.done) as f64;
            eprintln!("{}: {}/{} trials, about {left:.0} s left", plain.label, plain.done, plain.total);
        }
    }

    /// Says something without disturbing the bar.
    pub fn say(&self, message: &str) {
        self.bar.suspend(|| eprintln!("{message}"));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
