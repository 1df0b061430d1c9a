//! Show a text of others safely.

/// A text of a file or host without control characters, at most `limit` characters long, safe to
/// print on a terminal.
pub fn printable(text: &str, limit: usize) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    // Marks that change the direction of writing can make a terminal show a different text.
    let clean = clean.filter(|c| !turns(*c));
    let mut short: String = clean.take(limit + 1).collect();
    if short.chars().count() > limit {
        short = short.chars().take(limit).chain(['…']).collect();
    }
    short
}

/// Whether a character changes the direction of writing, so that a text looks like another one.
pub fn turns(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_strips_control_characters_and_cuts() {
        assert_eq!(printable("a\x1b[31mb\u{202e}\r\n", 80), "a [31mb  ");
        assert_eq!(printable("abcdef", 3), "abc…");
        assert_eq!(printable("abc", 3), "abc");
    }
}
