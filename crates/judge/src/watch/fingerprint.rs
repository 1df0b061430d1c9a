//! Know a row again without keeping it.

use uqbench_system::hash::sha256;

/// A number that stands for a row with this identifier and outcome: two rows have one number with a
/// probability of 2⁻⁶⁴.
pub fn fingerprint(id: &str, outcome: f64) -> u64 {
    let text = format!("{} {:016x}", id.trim(), outcome.to_bits());
    let digits = sha256(text.as_bytes());
    digits.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_known_by_its_identifier_and_its_outcome() {
        assert_eq!(fingerprint(" a ", 1.5), fingerprint("a", 1.5));
        assert_ne!(fingerprint("a", 1.5), fingerprint("a", 1.6));
        assert_ne!(fingerprint("a", 1.5), fingerprint("b", 1.5));
    }
}
