//! Say which program this is, and tell one build of it from another.

use std::fmt::{self, Display, Formatter};
use std::hash::Hasher;
use std::sync::OnceLock;
use std::{fs, hash};

/// A program: uqbench, or one that adds methods to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name, as it is typed.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// The program of these crates.
pub const UQBENCH: Program = Program { name: "uqbench", version: env!("CARGO_PKG_VERSION") };

static THIS: OnceLock<Program> = OnceLock::new();

impl Program {
    /// The program that runs: [`UQBENCH`], unless its `main` has introduced another.
    pub fn this() -> Self {
        *THIS.get().unwrap_or(&UQBENCH)
    }

    /// Makes this the program that runs, in its records and messages. The first one stays.
    pub fn introduce(self) {
        THIS.get_or_init(|| self);
    }
}

/// `uqbench 0.1.0`, or `mine 1.2.0 (uqbench 0.1.0)`.
impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)?;
        if *self == UQBENCH { Ok(()) } else { write!(f, " ({UQBENCH})") }
    }
}

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
    fn a_program_of_others_names_uqbench_beside_itself() {
        let mine = Program { name: "mine", version: "1.2.0" };
        let uqbench = format!("uqbench {}", env!("CARGO_PKG_VERSION"));
        assert_eq!(mine.to_string(), format!("mine 1.2.0 ({uqbench})"));
        assert_eq!(Program::this().to_string(), uqbench);
    }

    #[test]
    fn a_program_has_one_fingerprint() {
        assert_eq!(fingerprint().unwrap().len(), 16);
        assert_eq!(fingerprint(), fingerprint());
    }
}
