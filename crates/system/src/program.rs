//! Tell one build of this program from another.

use std::hash::Hasher;
use std::sync::OnceLock;
use std::{fs, hash};

/// A fingerprint of the bytes of this program: two builds differ in it whatever their version says.
/// Not a cryptographic hash, and not the same by another release of Rust. `None` where the bytes
/// cannot be read.
pub fn fingerprint() -> Option<&'static str> {
    static FINGERPRINT: OnceLock<Option<String>> = OnceLock::new();
    let read = || {
        let bytes = fs::read(std::env::current_exe().ok()?).ok()?;
        // The standard library's hash is fast in a debug build, too, whose program is large.
        let mut hasher = hash::DefaultHasher::new();
        hasher.write(&bytes);
        Some(format!("{:016x}", hasher.finish()))
    };
    FINGERPRINT.get_or_init(read).as_deref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_one_fingerprint() {
        assert_eq!(fingerprint().unwrap().len(), 16);
        assert_eq!(fingerprint(), fingerprint());
    }
}
