//! Say something on standard error, whatever has become of it.

use std::fmt::Display;
use std::io::{Write, stderr};

/// Writes one line to standard error. A full disk, a closed pipe or a closed terminal stops no trial: the line is then lost.
pub fn say(message: impl Display) {
    let _ = stderr().lock().write_all(format!("{message}\n").as_bytes());
}
