//! Find, measure and end the processes that a process has started, and those that these have
//! started.
//!
//! Linux lists them in `/proc`. Elsewhere none is found, and only the process group of a child can
//! be ended.

use std::fs::{read_dir, read_to_string};
use std::time::Duration;

use super::machine::{proportional_memory, resident_memory};

/// Unit of the times in `/proc`: all platforms of Linux state them in hundredths of a second, but
/// for Alpha.
const TICK: Duration = Duration::from_millis(10);

/// A process, as `/proc` lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listed {
    id: u32,
    parent: u32,
    /// Whether it has ended, and its parent has not asked for its status yet.
    has_ended: bool,
    /// Its processor time in ticks.
    own: u64,
    /// Processor time in ticks of its descendants whose status was asked for.
    reaped: u64,
}

/// The numbers of all running descendants of the process `root`.
pub fn descendants(root: u32) -> Vec<u32> {
    below(root, &listed())
        .into_iter()
        .filter(|process| !process.has_ended)
        .map(|process| process.id)
        .collect()
}

/// The memory of these processes in bytes, shared pages counted once, if it is more than `limit`.
pub fn memory_above(processes: &[u32], limit: u64) -> Option<u64> {
    let sum = |memory: fn(u32) -> Option<u64>| {
        processes.iter().filter_map(|process| memory(*process)).sum::<u64>()
    };
    // Resident memory is quick to read, but counts a shared page in each of its processes.
    Some(limit).filter(|limit| sum(resident_memory) > *limit)?;
    Some(sum(|process| proportional_memory(process).or_else(|| resident_memory(process))))
        .filter(|sum| *sum > limit)
}

/// Processor time of all processes that this process, and those that these have started, up to now;
/// ended ones count once their parent has asked for their status. `None` where the operating system
/// does not list processes.
pub fn processor_time() -> Option<Duration> {
    time_below(std::process::id(), &listed())
}

/// Each process counts once: where it still is by its own time, and else in the time of that which
/// asked for its status.
fn time_below(root: u32, all: &[Listed]) -> Option<Duration> {
    let reaped = all.iter().find(|process| process.id == root)?.reaped;
    let ticks =
        below(root, all).iter().map(|process| process.own + process.reaped).sum::<u64>() + reaped;
    Some(TICK * u32::try_from(ticks).ok()?)
}

fn listed() -> Vec<Listed> {
    let Ok(entries) = read_dir("/proc") else { return Vec::new() };
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    ids.filter_map(|id| parsed(id, &read_to_string(format!("/proc/{id}/stat")).ok()?)).collect()
}

/// A line of `/proc/PID/stat`: number, name in parentheses, state, number of the parent, nine other
/// fields, then processor time by itself and in the system, and the same of its reaped descendants.
fn parsed(id: u32, line: &str) -> Option<Listed> {
    // A name may contain parentheses and spaces.
    let mut fields = line.rsplit_once(')')?.1.split_whitespace();
    let has_ended = matches!(fields.next()?, "Z" | "X");
    let parent = fields.next()?.parse().ok()?;
    let mut times = fields.skip(9).map_while(|field| field.parse::<u64>().ok());
    let mut both = || times.next().unwrap_or(0).saturating_add(times.next().unwrap_or(0));
    Some(Listed { id, parent, has_ended, own: both(), reaped: both() })
}

fn below(root: u32, all: &[Listed]) -> Vec<Listed> {
    let mut found: Vec<Listed> = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        let children = all.iter().filter(|process| process.parent == parent);
        let new: Vec<Listed> = children.filter(|child| !found.contains(child)).copied().collect();
        parents.extend(new.iter().map(|child| child.id));
        found.extend(new);
    }
    found
}

/// Ends all descendants of this process, whose orphans it adopts, except for the status of `main`,
/// which the caller asks for. Returns the number of processes besides `main` that were still
/// running.
#[cfg(unix)]
pub fn end_descendants(main: u32) -> usize {
    use rustix::process::{Signal, WaitOptions, waitpid};
    use std::time::{Duration, Instant};

    let (own, start) = (std::process::id(), Instant::now());
    // All are stopped before the first is ended, so that none starts another one meanwhile.
    let mut stopped: Vec<u32> = Vec::new();
    while start.elapsed() < Duration::from_secs(5) {
        let new: Vec<u32> =
            descendants(own).into_iter().filter(|id| !stopped.contains(id)).collect();
        if new.is_empty() {
            break;
        }
        new.iter().for_each(|id| signal(*id, Signal::STOP));
        stopped.extend(new);
    }
    while start.elapsed() < Duration::from_secs(10) {
        let left = below(own, &listed());
        for process in &left {
            match process.has_ended {
                false => signal(process.id, Signal::KILL),
                true if process.parent == own && process.id != main => {
                    _ = as_pid(process.id).map(|id| waitpid(Some(id), WaitOptions::NOHANG));
                }
                true => {}
            }
        }
        if left.iter().all(|process| process.has_ended) {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    stopped.iter().filter(|id| **id != main).count()
}

#[cfg(unix)]
fn as_pid(id: u32) -> Option<rustix::process::Pid> {
    i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw)
}

#[cfg(unix)]
fn signal(id: u32, signal: rustix::process::Signal) {
    // it may have ended by itself
    let _ = as_pid(id).map(|id| rustix::process::kill_process(id, signal));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_whatever_the_name_of_the_program_is() {
        let found =
            parsed(7, "7 (a b) c) S 3 7 7 0 -1 4194304 11 0 0 0 100 20 3000 4 20 0 1 0").unwrap();
        assert_eq!(found, Listed { id: 7, parent: 3, has_ended: false, own: 120, reaped: 3004 });
        assert!(parsed(8, "8 (sh) Z 7 7 7 0").unwrap().has_ended);
        assert_eq!(parsed(9, "9 (cut"), None);
    }

    #[test]
    fn children_and_their_children_are_found_and_no_others() {
        let process = |(id, parent)| Listed { id, parent, has_ended: false, own: 1, reaped: 10 };
        let all = [(2, 1), (3, 2), (4, 3), (5, 1), (6, 5), (7, 2)].map(process);
        let mut found: Vec<u32> = below(2, &all).iter().map(|process| process.id).collect();
        found.sort_unstable();
        assert_eq!(found, [3, 4, 7]);
        assert_eq!(below(6, &all), []);
        // The process itself does not count, what it has reaped does.
        assert_eq!(time_below(2, &all), Some(TICK * (3 * 11 + 10)));
        assert_eq!(time_below(6, &[]), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_is_among_the_descendants_and_has_memory() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        assert!(descendants(std::process::id()).contains(&child.id()));
        assert!(memory_above(&[child.id()], 0).is_some_and(|bytes| bytes > 0));
        assert_eq!(memory_above(&[child.id()], u64::MAX), None);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
