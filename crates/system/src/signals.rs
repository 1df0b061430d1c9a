//! Turn Ctrl-C into a request to stop.

use std::io;

use super::notice::say;
use uq_core::CancelToken;

/// First signal: the token is cancelled, so that trials in flight are dropped and finished ones
/// stay. Second signal: the program ends at once with code 130; every file is then complete or
/// absent.
///
/// The signals are interrupt, terminate and, on Linux, hang-up. A signal that was ignored when the
/// program started, as `nohup` does with hang-up, stays ignored.
///
/// # Errors
/// The operating system's error where a signal cannot be handled.
pub fn stop_on_interrupt() -> io::Result<CancelToken> {
    let cancel = CancelToken::default();
    handle(cancel.clone())?;
    Ok(cancel)
}

#[cfg(unix)]
fn handle(cancel: CancelToken) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // Other systems do not report whether hang-up is ignored. Its default action ends the program,
    // and every file is then complete or absent.
    let wanted: &[i32] =
        if cfg!(target_os = "linux") { &[SIGINT, SIGTERM, SIGHUP] } else { &[SIGINT, SIGTERM] };
    let mut signals = Signals::new(wanted.iter().filter(|signal| !is_ignored(**signal)))?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for _ in signals.forever() {
            if cancel.is_cancelled() {
                std::process::exit(130);
            }
            cancel.cancel();
            say("stopping; once more to stop at once");
        }
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn handle(cancel: CancelToken) -> io::Result<()> {
    ctrlc::set_handler(move || {
        if cancel.is_cancelled() {
            std::process::exit(130);
        }
        cancel.cancel();
        say("stopping; once more to stop at once");
    })
    .map_err(io::Error::other)
}

/// Whether this process ignores a signal, by Linux' mask of ignored signals.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
