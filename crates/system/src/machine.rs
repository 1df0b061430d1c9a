//! Report the machine's processor, memory and load on Linux. On other systems the functions return
//! `None`.

use std::fs::read_to_string;

use super::control_group;

/// Model of the processor and number of threads.
pub fn processor() -> Option<String> {
    let text = read_to_string("/proc/cpuinfo").ok()?;
    let model = text
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))?
        .1
        .trim()
        .to_owned();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Some(format!("{model}, {threads} thread{}", if threads == 1 { "" } else { "s" }))
}

/// Name of the host.
pub fn host() -> Option<String> {
    read_to_string("/proc/sys/kernel/hostname").ok().map(|name| name.trim().to_owned())
}

/// An identifier of the running system, which containers of one machine share, and machines of one
/// name do not.
pub fn boot() -> Option<String> {
    read_to_string("/proc/sys/kernel/random/boot_id").ok().map(|id| id.trim().to_owned())
}

/// Average number of running and waiting tasks over the last minute, of the whole machine.
pub fn load() -> Option<f64> {
    read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// Bytes of memory that a new process could use: the smaller of the machine's available memory and
/// what the limits of the process's control groups leave.
pub fn free_memory() -> Option<u64> {
    let available = field(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    Some(control_group::memory_left().map_or(available, |left| left.min(available)))
}

/// The number of bytes asked for, or fewer where less memory is free.
pub fn affordable(bytes: u64) -> u64 {
    free_memory().map_or(bytes, |free| free.min(bytes))
}

/// How many processes of this process's control group the kernel has ended for lack of memory.
pub fn ended_for_memory() -> Option<u64> {
    control_group::ended_for_memory()
}

/// Largest resident memory of a process so far, in bytes. It is the memory of a single trial only
/// if the process ran no other trial.
pub fn peak_memory(process: u32) -> Option<u64> {
    field(&read_to_string(format!("/proc/{process}/status")).ok()?, "VmHWM:")
}

/// Forgets a process's peak so far, so that [`peak_memory`] is that of what follows; false where
/// the system cannot. What the process still holds counts on.
pub fn reset_peak_memory(process: u32) -> bool {
    std::fs::write(format!("/proc/{process}/clear_refs"), "5").is_ok()
}

/// Resident memory of a process, in bytes.
pub fn resident_memory(process: u32) -> Option<u64> {
    field(&read_to_string(format!("/proc/{process}/status")).ok()?, "VmRSS:")
}

/// Memory of a process in bytes, where a page that several processes share is divided among them.
pub fn proportional_memory(process: u32) -> Option<u64> {
    field(&read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?, "Pss:")
}

/// A field in KiB, as bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Whether this processor multiplies and adds in one step, which rounds once.
pub fn fuses() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_read_in_bytes() {
        let text = "MemTotal:       24672348 kB\nMemAvailable:   22000000 kB\n";
        assert_eq!(field(text, "MemAvailable:"), Some(22_000_000 * 1024));
        assert_eq!(field(text, "VmHWM:"), None);
    }
}
