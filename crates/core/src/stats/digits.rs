//! Write numbers with as many digits as their spread determines.

/// Smallest number that is written without an exponent.
const PLAIN: f64 = 1e-4;

/// Numbers from here on are written with an exponent.
const LARGE: f64 = 1e10;

/// A spread below this share of its number comes from the rounding of floating-point sums.
const ROUNDING: f64 = 1e-9;

/// The level at which p-values are judged.
const ALPHA: f64 = super::paired::ALPHA;

/// What stands where there is no number.
pub const NONE: &str = "–";

/// A number with as many digits after the point as its spread has when written with two significant
/// digits. Without a spread the number has four significant digits.
pub fn number(value: f64, spread: Option<f64>) -> String {
    let spread = spread.filter(|s| *s > 0.0 && s.is_finite());
    let decimals = match spread {
        Some(s) => (1 - s.log10().floor() as i32).clamp(0, 6),
        None if value == 0.0 || !value.is_finite() => 0,
        None => (3 - (value.abs() * (1.0 + ROUNDING)).log10().floor() as i32).clamp(0, 6),
    };
    if value != 0.0 && value.abs() < PLAIN && spread.is_none_or(|s| s < PLAIN) {
        return format!("{value:.1e}");
    }
    if value.is_finite() && value.abs() >= LARGE {
        return large(value, spread);
    }
    format!("{value:.*}", usize::try_from(decimals).unwrap_or(0))
}

/// A large number with an exponent, down to the second digit of its spread; two digits without a
/// spread.
fn large(value: f64, spread: Option<f64>) -> String {
    let below =
        spread.map_or(1, |s| value.abs().log10().floor() as i32 + 1 - s.log10().floor() as i32);
    format!("{value:.*e}", usize::try_from(below.clamp(1, 15)).unwrap_or(1))
}

/// The shortest text from which the same number is read: with an exponent where it would have more
/// than 20 digits without one. Empty without a number.
pub fn exact(value: Option<f64>) -> String {
    match value {
        None => String::new(),
        Some(value)
            if value != 0.0 && value.is_finite() && !(1e-20..1e20).contains(&value.abs()) =>
        {
            format!("{value:e}")
        }
        Some(value) => value.to_string(),
    }
}

/// A number with six decimals, or with an exponent where it is large.
pub fn compared(value: f64) -> String {
    if value.is_finite() && value.abs() >= LARGE {
        format!("{value:.6e}")
    } else {
        format!("{value:.6}")
    }
}

/// `mean ± spread`, or [`NONE`] where there is no number. A spread that is nothing but rounding is
/// written as 0.
pub fn mean_and_spread(mean: Option<f64>, spread: Option<f64>) -> String {
    match (mean, spread) {
        (None, _) => NONE.into(),
        (Some(m), None) => number(m, None),
        (Some(m), Some(s)) => {
            let s = if s < ROUNDING * m.abs() { 0.0 } else { s };
            format!("{} ± {}", number(m, Some(s)), number(s, Some(s)))
        }
    }
}

/// An expected time in seconds, without a fraction of its unit, because such an estimate is rough.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "a second or less".into(),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

/// An abscissa with all its digits: `0.05`, `1e-10`.
pub fn abscissa(x: f64) -> String {
    if x != 0.0 && x.abs() < 1e-3 { format!("{x:e}") } else { x.to_string() }
}

/// A p-value to three digits; more where it would round up to the level at which it is judged.
pub fn p_value(p: f64) -> String {
    if p < 0.001 {
        return "< 0.001".into();
    }
    let is_told =
        |digits: &usize| p >= ALPHA || format!("{p:.digits$}") < format!("{ALPHA:.digits$}");
    let digits = (3..12).find(is_told).unwrap_or(12);
    format!("{p:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_p_value_below_the_level_never_looks_like_the_level() {
        for (p, text) in [
            (0.0496, "0.0496"),
            (0.049_96, "0.04996"),
            (0.05, "0.050"),
            (0.0504, "0.050"),
            (0.0494, "0.049"),
        ] {
            assert_eq!(p_value(p), text);
        }
        assert_eq!([p_value(0.000_9), p_value(0.25), p_value(1.0)], ["< 0.001", "0.250", "1.000"]);
    }

    #[test]
    fn digits_follow_the_spread() {
        assert_eq!(mean_and_spread(Some(0.53712), Some(0.0123)), "0.537 ± 0.012");
        assert_eq!(mean_and_spread(Some(32.25), Some(4.2)), "32.2 ± 4.2");
        assert_eq!(mean_and_spread(Some(1234.5), Some(120.0)), "1234 ± 120");
        assert_eq!(mean_and_spread(Some(0.53712), None), "0.5371");
        assert_eq!(mean_and_spread(None, None), "–");
        assert_eq!(number(f64::NEG_INFINITY, None), "-inf");
        assert_eq!(mean_and_spread(Some(-5.289e249), Some(f64::INFINITY)), "-5.3e249 ± inf");
        assert_eq!(mean_and_spread(Some(1.234_567e12), Some(2.5e9)), "1.2346e12 ± 2500000000");
        assert_eq!(
            [f64::MAX, -f64::MAX, 1e10].map(|huge| number(huge, None)),
            ["1.8e308", "-1.8e308", "1.0e10"]
        );
        assert_eq!(number(9.9e9, None), "9900000000");
        let texts = [
            Some(-5.289e249),
            Some(1e-300),
            Some(0.1),
            Some(1e19),
            Some(f64::NEG_INFINITY),
            Some(0.0),
            None,
        ]
        .map(exact);
        assert_eq!(texts, ["-5.289e249", "1e-300", "0.1", "10000000000000000000", "-inf", "0", ""]);
        assert_eq!([0.0, 0.05, 1e-10, 2.5e-4].map(abscissa), ["0", "0.05", "1e-10", "2.5e-4"]);
        assert_eq!(mean_and_spread(Some(0.000_001_2), Some(0.000_000_3)), "1.2e-6 ± 3.0e-7");
        assert_eq!(
            mean_and_spread(Some(0.6), Some(1.2e-16)),
            "0.6000 ± 0",
            "rounding of a sum is no spread"
        );
        assert_eq!(number(1.0 - 1e-15, None), "1.000", "nor does it cost a digit");
        assert_eq!(
            mean_and_spread(Some(0.000_03), Some(0.02)),
            "0.000 ± 0.020",
            "both with the same digits"
        );
    }
}
