//! Read what a file of printed numbers says of how a number was made. An audit of the table needs it;
//! it identifies no column.

use std::collections::BTreeMap;

use super::mistakes::SHOWN;
use uq_core::printable::printable;

/// What is said of how a number was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    /// Test rows of each split.
    pub test_rows: Option<usize>,
    /// Whether its splits are the published ones of the standard datasets.
    pub is_standard: bool,
    /// Whether each split's predictions are normal with one variance.
    pub one_variance: Option<bool>,
    /// Whether all intervals of all splits have one width and are centred on the predictions.
    pub constant_width: Option<bool>,
}

impl Stated {
    /// The names of its fields.
    pub const FIELDS: [&str; 4] = [TEST_ROWS, PROTOCOL, ONE_VARIANCE, CONSTANT_WIDTH];

    /// Takes its fields out of those of a number.
    ///
    /// # Errors
    /// The field that has another value than it may have, and what was expected.
    pub(super) fn take(fields: &mut BTreeMap<String, String>) -> Result<Self, String> {
        let mut take = |name: &str| fields.remove(name).filter(|text| !text.is_empty());
        let wrong = |field: &str, found: &str, expected: &str| {
            format!("{field}: found \"{}\", expected {expected}", printable(found, SHOWN))
        };
        let test_rows = take(TEST_ROWS).map(|found| {
            let rows = found.parse::<usize>().ok().filter(|rows| *rows > 0);
            let expected = "a whole number above 0, the test rows of one split";
            rows.ok_or_else(|| wrong(TEST_ROWS, &found, expected))
        });
        let protocol = take(PROTOCOL);
        if let Some(found) = protocol.as_ref().filter(|found| *found != "standard") {
            return Err(wrong(PROTOCOL, found, "\"standard\", the published splits"));
        }
        let mut answer = |field: &str| match take(field).as_deref() {
            None => Ok(None),
            Some("yes") => Ok(Some(true)),
            Some("no") => Ok(Some(false)),
            Some(found) => Err(wrong(field, found, "yes or no")),
        };
        Ok(Self {
            one_variance: answer(ONE_VARIANCE)?,
            constant_width: answer(CONSTANT_WIDTH)?,
            test_rows: test_rows.transpose()?,
            is_standard: protocol.is_some(),
        })
    }
}

const TEST_ROWS: &str = "test_rows";
const PROTOCOL: &str = "protocol";
const ONE_VARIANCE: &str = "one_variance";
const CONSTANT_WIDTH: &str = "constant_width";

#[cfg(test)]
mod tests {
    use super::*;

    fn take(field: &str, value: &str) -> Result<Stated, String> {
        Stated::take(&mut BTreeMap::from([(field.to_owned(), value.to_owned())]))
    }

    #[test]
    fn what_is_stated_is_read_and_a_wrong_value_is_named() {
        assert_eq!(take(TEST_ROWS, "51").unwrap().test_rows, Some(51));
        assert_eq!(take(ONE_VARIANCE, "no").unwrap().one_variance, Some(false));
        assert!(take(PROTOCOL, "standard").unwrap().is_standard);
        assert_eq!(take("method", "GP").unwrap(), Stated::default());
        assert!(take(CONSTANT_WIDTH, "maybe").unwrap_err().contains("expected yes or no"));
        assert!(take(TEST_ROWS, "0").unwrap_err().starts_with("test_rows: found \"0\""));
        assert!(take(PROTOCOL, "mine").unwrap_err().contains("\"standard\""));
    }
}
