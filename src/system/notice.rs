//! Write messages to standard error, and ignore failures to do so.

use std::fmt::Display;
use std::io::{Write, stderr};

/// Writes one line to standard error. If it cannot be written (full disk, closed pipe, closed terminal), the line is
/// lost and no trial stops.
pub fn say(message: impl Display) {
    let _ = stderr().lock().write_all(format!("{message}\n").as_bytes());
}
