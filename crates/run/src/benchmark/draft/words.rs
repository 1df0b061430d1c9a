//! Put the messages of the TOML reader into words of this program: what was found, what was
//! expected.

use uq_core::names::{did_you_mean, nearest_name};

/// What is said of a key that is not there.
pub const MISSING: &str = "missing; add this key";

/// The reader's names of types, and ours.
const TYPES: [(&str, &str); 12] = [
    ("a string", "a text between quotation marks"),
    ("a boolean", "true or false"),
    ("a sequence", "a list between square brackets"),
    ("a map", "a table"),
    ("f64", "a number"),
    ("u64", "a whole number of 0 or more"),
    ("u32", "a whole number of 0 or more"),
    ("u16", "a whole number of 0 or more"),
    ("usize", "a whole number of 0 or more"),
    ("i64", "a whole number"),
    ("a nonzero u64", "a whole number of 1 or more"),
    ("path string", "a path between quotation marks"),
];

/// The key that a message calls missing.
pub fn missing_key(message: &str) -> Option<&str> {
    message.strip_prefix("missing field `")?.strip_suffix('`')
}

/// Whether a message says that there is no such key.
pub fn is_of_unknown_key(message: &str, key: &str) -> bool {
    message
        .strip_prefix("unknown field `")
        .is_some_and(|rest| rest.strip_prefix(key).is_some_and(|rest| rest.starts_with('`')))
}

/// Whether a message says that a table chooses nothing: of `{ kfold = … }` nothing is left without
/// the unknown name.
pub fn is_of_empty_choice(message: &str) -> bool {
    message == "wanted exactly 1 element, found 0 elements"
}

/// Where a message says that there is no such key: the known one that it most resembles, if any.
pub fn meant_key(message: &str) -> Option<Option<String>> {
    let (found, expected) = message.strip_prefix("unknown field `")?.split_once("`, expected ")?;
    Some(nearest(found, expected))
}

/// Where a message says that there is no such choice: the known one that it most resembles, if any.
pub fn meant_choice(message: &str) -> Option<String> {
    let (found, expected) =
        message.strip_prefix("unknown variant `")?.split_once("`, expected ")?;
    nearest(found, expected)
}

/// A message in our words.
pub fn worded(message: &str) -> String {
    let unknown = |kind: &str| message.strip_prefix(kind)?.split_once("`, expected ");
    if let Some((found, expected)) = unknown("unknown field `") {
        return format!(
            "there is no key `{found}`{}; expected {expected}",
            did_you_mean(&nearest(found, expected))
        );
    }
    if let Some((found, expected)) = unknown("unknown variant `") {
        return format!(
            "found `{found}`{}; expected {expected}",
            did_you_mean(&nearest(found, expected))
        );
    }
    let found = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|kind| message.strip_prefix(kind));
    match found.and_then(|found| found.rsplit_once(", expected ")) {
        Some((found, expected)) => format!("found {found}, expected {}", type_in_words(expected)),
        None => message.to_owned(),
    }
}

/// The most similar of the names between back quotes.
fn nearest(found: &str, expected: &str) -> Option<String> {
    nearest_name(found, expected.split('`').skip(1).step_by(2))
}

fn type_in_words(expected: &str) -> &str {
    let known = TYPES.iter().find(|(name, _)| *name == expected);
    known
        .map_or(if expected.starts_with("struct ") { "a table" } else { expected }, |(_, words)| {
            words
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_reader_are_put_into_words() {
        for (message, words) in [
            (
                "unknown field `titel`, expected `id` or `title`",
                "there is no key `titel`, did you mean `title`?; expected `id` or `title`",
            ),
            (
                "unknown variant `x`, expected one of `smoke`, `full`",
                "found `x`; expected one of `smoke`, `full`",
            ),
            (
                "invalid type: string \"a, expected b\", expected u64",
                "found string \"a, expected b\", expected a whole number of 0 or more",
            ),
            (
                "invalid value: integer `0`, expected a nonzero u64",
                "found integer `0`, expected a whole number of 1 or more",
            ),
            (
                "invalid type: integer `3`, expected struct Vary",
                "found integer `3`, expected a table",
            ),
            ("there is no metric `rsme`", "there is no metric `rsme`"),
        ] {
            assert_eq!(worded(message), words);
        }
        assert_eq!(missing_key("missing field `id`"), Some("id"));
        assert_eq!(missing_key("unknown field `id`"), None);
        let meant = |found: &str| {
            meant_choice(&format!("unknown variant `{found}`, expected `smoke` or `full`"))
        };
        assert_eq!((meant("ful"), meant("x")), (Some("full".into()), None));
        let is_of = |key| is_of_unknown_key("unknown field `ids`, expected `id`", key);
        assert!(is_of("ids") && !is_of("id"));
    }
}
