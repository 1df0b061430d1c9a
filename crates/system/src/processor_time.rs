//! Measure the processor time of a thread, and of the whole program.

use std::time::Duration;

/// Processor time of this thread since then.
pub fn since(before: Option<Duration>) -> Option<Duration> {
    thread_cpu().zip(before).map(|(now, before)| now.saturating_sub(before))
}

/// Processor time of this thread so far, where the operating system reports it.
pub fn thread_cpu() -> Option<Duration> {
    #[cfg(unix)]
    return time(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(not(unix))]
    None
}

/// Processor time of all threads of this program so far, where the operating system reports it.
pub fn program_cpu() -> Option<Duration> {
    #[cfg(unix)]
    return time(rustix::time::ClockId::ProcessCPUTime);
    #[cfg(not(unix))]
    None
}

#[cfg(unix)]
fn time(clock: rustix::time::ClockId) -> Option<Duration> {
    let now = rustix::time::clock_gettime(clock);
    Some(Duration::new(u64::try_from(now.tv_sec).ok()?, u32::try_from(now.tv_nsec).ok()?))
}
