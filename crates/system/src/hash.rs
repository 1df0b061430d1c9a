//! Compute SHA-256 hashes as text.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// SHA-256 of `bytes`, lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// As [`sha256`], of all that can be read.
///
/// # Errors
/// The operating system's error.
pub fn sha256_of(mut source: impl Read) -> io::Result<String> {
    let (mut hash, mut block) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match source.read(&mut block) {
            Ok(0) => return Ok(hexadecimal(&hash.finalize())),
            Ok(count) => hash.update(&block[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Bytes as lower-case hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_nothing_is_the_known_one() {
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let bytes = [7; 100_000];
        assert_eq!(sha256_of(&bytes[..]).unwrap(), sha256(&bytes));
    }
}
