//! Know the units that people write below the names of columns.

/// Units that take no prefix, and words for none.
const WHOLE: [&str; 58] = [
    "%", "‰", "°", "°c", "°f", "degc", "degf", "deg", "degree", "degrees", "min", "h", "hr", "hrs",
    "hour", "hours", "d", "day", "days", "week", "weeks", "month", "months", "yr", "year", "years",
    "sec", "seconds", "minutes", "ft", "in", "inch", "mile", "miles", "mi", "mph", "knots", "kn",
    "lb", "lbs", "oz", "ppm", "ppb", "ppt", "ph", "psi", "atm", "mmhg", "gal", "acre", "ha", "usd",
    "eur", "gbp", "$", "€", "£", "¥",
];
/// Units that may have a prefix.
const SCALED: [&str; 33] = [
    "m", "g", "s", "A", "K", "mol", "cd", "Hz", "N", "Pa", "J", "W", "C", "V", "F", "Ω", "ohm",
    "Ohm", "S", "Wb", "T", "H", "lm", "lx", "Bq", "Gy", "Sv", "L", "l", "bar", "eV", "Wh", "t",
];
const PREFIXES: [&str; 17] =
    ["", "k", "M", "G", "T", "P", "h", "da", "d", "c", "m", "µ", "μ", "u", "n", "p", "f"];
/// Longest text of a unit, in characters.
const LONGEST: usize = 24;

/// Whether a cell is a unit, such as `m/s`, `[kWh]`, `µg m-3` or `°C`.
pub(super) fn is_unit(cell: &str) -> bool {
    let inner = cell.trim_matches(['[', ']', '(', ')', ' ']);
    if inner.is_empty() || cell.chars().count() > LONGEST {
        return false;
    }
    let parts =
        inner.split(['/', '*', '·', ' ', '.', '⋅', '(', ')']).filter(|part| !part.is_empty());
    let mut count = 0;
    let all =
        parts.inspect(|_| count += 1).all(|part| is_simple(part) || part == "1" || part == "per");
    all && count > 0 && inner.chars().any(|c| c.is_alphabetic() || "%‰°$€£¥Ω".contains(c))
}

/// Whether a text is one unit, perhaps with an exponent.
fn is_simple(part: &str) -> bool {
    let without = part.trim_end_matches(|c: char| c.is_ascii_digit() || "²³⁻¹^-−".contains(c));
    let is_scaled = |text: &str| {
        PREFIXES
            .iter()
            .any(|prefix| text.strip_prefix(prefix).is_some_and(|unit| SCALED.contains(&unit)))
    };
    WHOLE.contains(&without.to_lowercase().as_str()) || is_scaled(without)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_known() {
        for unit in [
            "m/s",
            "°C",
            "[kWh]",
            "(km/h)",
            "µg m-3",
            "W/m²",
            "kg/m^3",
            "m s-1",
            "%",
            "hPa",
            "mm",
            "MW",
            "EUR/MWh",
            "deg",
            "K",
            "1/s",
            "mol/L",
            "J kg-1 K-1",
            "days",
        ] {
            assert!(is_unit(unit), "{unit}");
        }
        for text in [
            "",
            "abc",
            "red",
            "1",
            "2.5",
            "m/x",
            "n.a.",
            "-",
            "NA",
            "yes",
            "a sentence of five long words",
        ] {
            assert!(!is_unit(text), "{text}");
        }
    }
}
