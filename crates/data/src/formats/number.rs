//! Read one number.

/// The finite number in a cell's text, or a message with what was expected. Surrounding blanks are
/// ignored.
pub(super) fn parse(text: &str) -> Result<f64, &'static str> {
    let text = text.trim();
    if text.is_empty() {
        return Err("a number (a missing value is not allowed)");
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err("a finite number"),
        Err(_) if is_missing(text) => Err("a number (a missing value is not allowed)"),
        Err(_) if text.contains(',') => Err("a number with a decimal point, not a comma"),
        Err(_) => Err("a number"),
    }
}

fn is_missing(text: &str) -> bool {
    matches!(text.to_ascii_lowercase().as_str(), "na" | "n/a" | "null" | "none" | "?" | "-")
}

/// The number nearest to `number` that has `digits` significant decimal digits (1 to 17).
pub(super) fn round_to_significant(number: f64, digits: u8) -> f64 {
    let after_point = usize::from(digits.max(1)) - 1;
    // The decimal text is rounded from the exact binary value, so that no product with a power of
    // ten is rounded.
    format!("{number:.after_point$e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_and_what_is_none() {
        assert_eq!(parse(" 1.5e3 "), Ok(1500.0));
        assert_eq!(parse("-0"), Ok(-0.0));
        for text in ["", " ", "NA", "?"] {
            assert_eq!(parse(text), Err("a number (a missing value is not allowed)"), "{text:?}");
        }
        for text in ["NaN", "inf", "-Infinity", "1e999"] {
            assert_eq!(parse(text), Err("a finite number"), "{text:?}");
        }
        assert_eq!(parse("3,5"), Err("a number with a decimal point, not a comma"));
        assert_eq!(parse("0x10"), Err("a number"));
    }

    #[test]
    fn significant_digits_count_from_the_first_nonzero_one() {
        assert_eq!(round_to_significant(-0.076_722_825_88, 5), -0.076_723);
        assert_eq!(round_to_significant(123_456.7, 5), 123_460.0);
        assert_eq!(round_to_significant(0.0, 5), 0.0);
    }

    proptest! {
        #[test]
        fn any_text_is_a_finite_number_or_an_error(text in ".*") {
            if let Ok(number) = parse(&text) {
                prop_assert!(number.is_finite());
            }
        }

        #[test]
        fn seventeen_digits_change_nothing(number in proptest::num::f64::NORMAL) {
            prop_assert_eq!(round_to_significant(number, 17), number);
        }
    }
}
