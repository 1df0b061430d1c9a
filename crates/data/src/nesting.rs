//! Refuse TOML with too many unclosed brackets before it is parsed.

use serde::de::Error;

/// Largest number of brackets that may be open at a time. The parser does not keep its own limit
/// while it recovers from an error: a few thousand unclosed brackets overflow its stack and end the
/// program.
const DEEPEST: usize = 1000;

/// Refuses text with more than 1000 open brackets. Brackets in strings and comments count too.
///
/// # Errors
/// A parser's error that names the line.
pub fn check_nesting(text: &str) -> Result<(), toml::de::Error> {
    let (mut open, mut line) = (0_usize, 1_usize);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            b'\n' => line += 1,
            _ => {}
        }
        if open > DEEPEST {
            let message = format!(
                "line {line}: more than {DEEPEST} brackets are open, expected each of them to be \
                 closed"
            );
            return Err(toml::de::Error::custom(message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_without_end_are_refused_before_they_are_parsed() {
        // Found by fuzzing: 3000 such lines overflowed a stack of 2 MiB.
        let text = "columns = [{ reading  values = [8.0] }\n".repeat(100_000);
        let error = check_nesting(&text).unwrap_err().to_string();
        assert!(error.contains("line 999: more than 1000 brackets are open"), "{error}");
        assert_eq!(check_nesting(&"a = [[1], [2]]\n".repeat(5000)), Ok(()));
        for file in [
            include_str!("../../../benchmarks/papers/jcm/jcm-table-2.toml"),
            include_str!("../../../data-manifest.toml"),
        ] {
            assert_eq!(check_nesting(file), Ok(()));
        }
    }
}
