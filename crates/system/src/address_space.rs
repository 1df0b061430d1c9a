//! Limit the address space of this process, or lift the limit.

use std::io;

/// Limits the address space of this process to this number of bytes, where the system supports it;
/// a later call may set another limit. `None` lifts the limit.
///
/// # Errors
/// The operating system's error; `Unsupported` for a limit on a system that has none.
pub fn limit_address_space(bytes: Option<u64>) -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let hard = getrlimit(Resource::As).maximum;
        let current = match (bytes, hard) {
            (Some(bytes), Some(hard)) => Some(bytes.min(hard)),
            (bytes, hard) => bytes.or(hard),
        };
        Ok(setrlimit(Resource::As, Rlimit { current, maximum: hard })?)
    }
    #[cfg(not(unix))]
    bytes.map_or(Ok(()), |_| Err(io::ErrorKind::Unsupported.into()))
}
