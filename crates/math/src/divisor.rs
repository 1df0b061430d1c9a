//! Divisors of whole numbers.

/// The largest whole number that divides both; the other number where one is 0.
pub fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::greatest_common_divisor;

    #[test]
    fn known_divisors() {
        for (a, b, divisor) in
            [(12, 18, 6), (18, 12, 6), (7, 0, 7), (0, 7, 7), (0, 0, 0), (9, 28, 1)]
        {
            assert_eq!(greatest_common_divisor(a, b), divisor);
        }
    }
}
