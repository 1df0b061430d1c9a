//! Compare the processor time of a method with the time that has passed.

use std::ops::Add;
use std::time::Duration;

use super::finding::Finding;

/// Time that cannot be told from none: processor time is measured in ticks, and a process starts on
/// another processor.
const SLACK: Duration = Duration::from_millis(300);

/// The time of some answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Wall time.
    pub wall: Duration,
    /// Processor time of all processes of the method.
    pub processor: Duration,
}

impl Add for Spent {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wall: self.wall + other.wall, processor: self.processor + other.processor }
    }
}

impl Spent {
    /// Whether one thread can have used this processor time, which is `None` where the operating
    /// system does not tell it.
    pub fn finding(all: Option<Self>) -> Finding {
        let what = "it uses one thread, as it is asked";
        let Some(Self { wall, processor }) = all else {
            return Finding::noted(
                what,
                "not measured: this operating system does not tell the time of processes",
            );
        };
        let found = format!(
            "{:.1} s of processor time in {:.1} s",
            processor.as_secs_f64(),
            wall.as_secs_f64()
        );
        match processor > wall * 3 / 2 + SLACK {
            true => Finding::failed(
                what,
                format!("{found}: trials run in parallel, each on one thread"),
            ),
            false => Finding::passed(what, found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::check::Verdict;

    #[test]
    fn more_processor_time_than_time_means_several_threads() {
        let verdict = |wall: u64, processor: u64| {
            let [wall, processor] = [wall, processor].map(Duration::from_millis);
            Spent::finding(Some(Spent { wall, processor } + Spent::default())).verdict
        };
        assert_eq!(
            [verdict(2000, 1900), verdict(2000, 2100), verdict(10, 200)],
            [Verdict::Passed; 3]
        );
        assert_eq!([verdict(2000, 4000), verdict(100, 900)], [Verdict::Failed; 2]);
        assert_eq!(Spent::finding(None).verdict, Verdict::Noted);
    }
}
