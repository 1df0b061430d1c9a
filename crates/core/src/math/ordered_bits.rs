//! Map numbers to whole numbers of the same order, for sorting by digits and for keys of sets and
//! maps.

/// Bits that have the order of the numbers; −0 and 0 give the same bits. A NaN comes after
/// infinity, or before −infinity if its sign bit is set; NaNs are equal if all their bits are.
#[inline]
pub fn ordered_bits(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

#[cfg(test)]
mod tests {
    use super::ordered_bits;
    use proptest::prelude::{prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn bits_order_as_numbers_do(a: f64, b: f64) {
            if let Some(order) = a.partial_cmp(&b) {
                prop_assert_eq!(ordered_bits(a).cmp(&ordered_bits(b)), order);
            }
        }
    }

    #[test]
    fn both_zeros_are_one_key_between_the_smallest_numbers() {
        let tiny = f64::from_bits(1);
        assert_eq!(ordered_bits(0.0), ordered_bits(-0.0));
        assert!(ordered_bits(-tiny) < ordered_bits(-0.0) && ordered_bits(0.0) < ordered_bits(tiny));
        assert!(ordered_bits(f64::NEG_INFINITY) < ordered_bits(f64::MIN));
        let nan = f64::NAN.copysign(1.0);
        assert!(
            ordered_bits(nan) > ordered_bits(f64::INFINITY)
                && ordered_bits(-nan) < ordered_bits(f64::NEG_INFINITY)
        );
    }
}
