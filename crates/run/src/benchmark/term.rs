//! Explain words of a benchmark's headings to a reader who has not read the paper.

use serde::{Deserialize, Serialize};

/// A word or letter of headings, and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The word, as headings have it.
    pub word: String,
    /// What it means: the rest of the sentence that the word begins, without a full stop.
    pub meaning: String,
}

impl Term {
    /// The word and its meaning.
    pub fn sentence(&self) -> String {
        format!("“{}” {}", self.word, self.meaning)
    }

    /// Whether a heading has the word as a whole: `DT` is in `DT, weak` and not in `DTB`.
    pub fn is_in(&self, heading: &str) -> bool {
        let is_edge = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        !self.word.is_empty()
            && heading.match_indices(&self.word).any(|(at, found)| {
                is_edge(heading[..at].chars().next_back())
                    && is_edge(heading[at + found.len()..].chars().next())
            })
    }
}

#[cfg(test)]
mod tests {
    use super::Term;

    #[test]
    fn a_term_is_a_whole_word_of_a_heading() {
        let is_in =
            |word: &str, heading| Term { word: word.into(), meaning: "it".into() }.is_in(heading);
        assert!(
            is_in("DT", "DT, weak")
                && is_in("T = U", "Uniform, strong, T = U")
                && is_in("ℓ", "(ℓ, σ)-GP")
        );
        assert!(
            is_in("GP", "SGP, GP")
                && !is_in("GP", "SGP")
                && !is_in("DT", "DTB")
                && !is_in("", "DTB")
        );
    }
}
