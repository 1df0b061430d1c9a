//! Know the words that stand for a missing value.
//!
//! Among numbers and dates every such word is missing. In a category some words may be levels:
//! `None` and `nil` say that there is none of a thing, as in "None, Basic, Full", and `-` beside
//! `+` is a sign. They stay levels there, and nothing is lost: a level of its own and a feature
//! that says where the value is missing are the same column of 0 and 1.

use super::number::Cell;

/// Words that are missing in every column, in small letters. Databases write `\N` and `(null)`.
const WORDS: [&str; 12] =
    ["-", "--", ".", "..", "#n/a", "#na", "n.a.", "<na>", "nat", "missing", "\\n", "(null)"];
/// Words that are missing where numbers or dates are expected, and may be levels of a category.
const LEVELS: [&str; 2] = ["none", "nil"];
/// Words that are missing in a column with empty cells. Where no cell is empty, nothing says that
/// they are no levels: `NA` is Namibia and North America.
const NAMES: [&str; 6] = ["na", "n/a", "nan", "null", "none", "nil"];
/// What a spreadsheet writes where a formula has failed, and dashes of typesetters.
const FAILURES: [&str; 9] = [
    "#div/0!",
    "#null!",
    "#value!",
    "#ref!",
    "#num!",
    "#name?",
    "#getting_data",
    "\u{2013}",
    "\u{2014}",
];

/// Whether a cell that is no number stands for a missing one in a column of numbers or dates.
pub(super) fn is_missing_number(text: &str) -> bool {
    is_missing_level(text) || is_one_of(text, &LEVELS)
}

/// Whether a cell stands for a missing value in a column of categories.
pub(super) fn is_missing_level(text: &str) -> bool {
    Cell::of(text) == Cell::Missing || is_one_of(text, &WORDS) || is_failure(text)
}

/// Whether a cell has a word that may be a level, such as `NA`.
pub(super) fn is_name(text: &str) -> bool {
    is_one_of(text, &NAMES)
}

/// Whether a cell is a failed formula or a dash that is no minus: nothing says for certain that it
/// was left empty.
pub(super) fn is_failure(text: &str) -> bool {
    text.starts_with(['#', '\u{2013}', '\u{2014}']) && is_one_of(text, &FAILURES)
}

/// Whether a text is one of these words, in small or capital letters.
fn is_one_of(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_words_for_a_missing_number_are_known() {
        for text in [
            "", "NA", "-", ".", "None", "#N/A", "n.a.", "<NA>", "\\N", "(null)", "#DIV/0!",
            "\u{2014}",
        ] {
            assert!(is_missing_number(text), "{text}");
        }
        for text in ["0", "no", "-1", "unknown", "#1", "N", "\\", "\u{2014}5"] {
            assert!(!is_missing_number(text), "{text}");
        }
        assert!(is_missing_level("n.a.") && !is_missing_level("None") && !is_missing_level("nil"));
    }
}
