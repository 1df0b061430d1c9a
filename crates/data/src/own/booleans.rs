//! Know the words for true and false, in whatever case they are written.

/// Pairs of words in small letters.
const PAIRS: [[&str; 2]; 11] = [
    ["true", "false"],
    ["yes", "no"],
    ["ja", "nein"],
    ["wahr", "falsch"],
    ["oui", "non"],
    ["vrai", "faux"],
    ["t", "f"],
    ["y", "n"],
    ["j", "n"],
    ["1", "0"],
    ["1.0", "0.0"],
];

/// What a word means, if it is one of these.
pub(super) fn meaning(text: &str) -> Option<bool> {
    let is = |place: usize| PAIRS.iter().any(|pair| pair[place].eq_ignore_ascii_case(text));
    if is(0) { Some(true) } else { is(1).then_some(false) }
}

/// Whether these texts mean true and false, and nothing else: a single letter counts beside those
/// of its own pair alone, because T and N may be anything, and letters or numbers alone count where
/// both meanings occur.
pub(super) fn are_booleans<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> bool {
    let mut meanings = [false; 2];
    for text in texts.clone() {
        let Some(meaning) = meaning(text) else { return false };
        meanings[usize::from(meaning)] = true;
    }
    let letters = || {
        texts
            .clone()
            .filter(|text| text.len() == 1 && !text.starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_of =
        |pair: &[&str; 2], text: &str| pair.iter().any(|word| word.eq_ignore_ascii_case(text));
    let is_one_pair = PAIRS.iter().any(|pair| letters().all(|text| is_of(pair, text)));
    let is_word = |text: &str| text.len() > 1 && !text.starts_with(|c: char| c.is_ascii_digit());
    is_one_pair && (meanings == [true; 2] || (meanings != [false; 2] && texts.clone().all(is_word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_true_and_false_are_known_in_every_case() {
        for text in ["true", "True", "TRUE", "T", "y", "Yes", "YES", "J", "ja", "1", "WAHR"] {
            assert_eq!(meaning(text), Some(true), "{text}");
        }
        for text in ["false", "FALSE", "f", "N", "no", "Nein", "0", "0.0"] {
            assert_eq!(meaning(text), Some(false), "{text}");
        }
        for text in ["", "2", "maybe", "on", "tr", "00"] {
            assert_eq!(meaning(text), None, "{text}");
        }
    }

    #[test]
    fn a_column_is_boolean_where_nothing_else_is_plausible() {
        for texts in [
            &["True", "FALSE"][..],
            &["Y", "n"],
            &["yes", "No", "1", "0"],
            &["T", "f", "true"],
            &["TRUE", "True"],
            &["J", "N"],
        ] {
            assert!(are_booleans(texts.iter().copied()), "{texts:?}");
        }
        for texts in [
            &["T", "N"][..],
            &["T", "F", "Y"],
            &["F", "M"],
            &["T"],
            &["1"],
            &["yes", "no", "unknown"],
            &[],
            &["Y", "J", "N"],
        ] {
            assert!(!are_booleans(texts.iter().copied()), "{texts:?}");
        }
    }
}
