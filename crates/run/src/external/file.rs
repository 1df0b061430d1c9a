//! Hash a file of a method, which may be large, but neither without end nor a folder.

use std::io::{self, Read};
use std::path::Path;

use uqbench_system::disk::open_regular;
use uqbench_system::hash::sha256_of;

/// Most bytes of a file of a method: it is copied into the folder of each process.
pub(super) const LARGEST_FILE: u64 = 1 << 32;

/// The SHA-256 of a file of a method.
///
/// # Errors
/// As [`open_regular`].
pub(super) fn hash_file(path: &Path) -> io::Result<String> {
    sha256_of(open_regular(path, LARGEST_FILE)?.take(LARGEST_FILE))
}
