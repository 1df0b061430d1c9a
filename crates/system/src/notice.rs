//! Write messages to standard error without what would command a terminal, and ignore failures to
//! do so.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{Write, stderr};

use uq_core::printable::turns;

/// Writes one message to standard error, without characters that command a terminal. If it cannot
/// be written (full disk, closed pipe, closed terminal), it is lost and no trial stops.
pub fn say(message: impl Display) {
    let text = message.to_string();
    let _ = stderr().lock().write_all(format!("{}\n", harmless(&text)).as_bytes());
}

/// A text of several lines in which others may have written, with U+FFFD in place of each character
/// that commands a terminal or changes the direction of writing. Tabs and ends of lines stay.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace(is_command, "\u{fffd}"))
}

/// Whether a character commands a terminal or changes the direction of writing; tabs and ends of
/// lines do not.
pub fn is_command(c: char) -> bool {
    turns(c) || (c.is_control() && !matches!(c, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_that_commands_a_terminal_is_left() {
        let hostile = "a\u{1b}[2Jb\u{9b}31mc\u{7}d\re\u{202e}f\u{8}\n\tg";
        let shown = harmless(hostile);
        assert!(!shown.contains(is_command) && shown.ends_with("\n\tg"), "{shown:?}");
        assert_eq!(shown.chars().filter(|c| *c == '\u{fffd}').count(), 6);
        for honest in ["größer ≥ 1", "a\nb\tc", "日本", ""] {
            assert!(matches!(harmless(honest), Cow::Borrowed(same) if same == honest));
        }
        assert_eq!(harmless("two\r\nlines"), "two\nlines");
    }
}
