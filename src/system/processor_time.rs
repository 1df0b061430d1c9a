//! Measure the processor time of a thread.

use std::time::Duration;

/// Processor time of this thread since then.
pub fn since(before: Option<Duration>) -> Option<Duration> {
    thread_cpu().zip(before).map(|(now, before)| now.saturating_sub(before))
}

/// Processor time of this thread so far, where the operating system reports it.
pub fn thread_cpu() -> Option<Duration> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let now = clock_gettime(ClockId::ThreadCPUTime);
        Some(Duration::new(u64::try_from(now.tv_sec).ok()?, u32::try_from(now.tv_nsec).ok()?))
    }
    #[cfg(not(unix))]
    None
}
