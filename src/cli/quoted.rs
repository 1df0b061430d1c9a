//! Write a text as one word of a command that is shown.

use std::borrow::Cow;

use uq_core::printable::printable;

/// Longest word, in characters: that of a path.
const LONGEST: usize = 4096;

/// A text as one word of a shell, without what would end the code of Markdown.
pub fn quoted(text: &str) -> String {
    let text = printable(text, LONGEST).replace('`', "?");
    shlex::try_quote(&text).map_or_else(|_| text.clone(), Cow::into_owned)
}
