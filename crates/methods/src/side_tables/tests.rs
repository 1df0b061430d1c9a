//! Check what every type must hold: the stored text, and that reading it gives the same value
//! again.

use std::fmt::Debug;

use super::SideTable;

/// Checks that a value is stored as exactly this text, is read from it again, and is not read where
/// a column is missing, other than an `optional` one.
pub fn assert_stored<T: PartialEq + Debug>(
    value: &T,
    table: &SideTable,
    from_table: impl Fn(&SideTable) -> Option<T>,
    text: &str,
    optional: &[&str],
) {
    assert_eq!(serde_json::to_string(table).unwrap(), text);
    let stored: SideTable = serde_json::from_str(text).unwrap();
    assert_eq!(from_table(&stored).as_ref(), Some(value));
    for place in 0..stored.columns.len() {
        let mut less = stored.clone();
        let (column, _) = less.columns.remove(place);
        assert_eq!(
            from_table(&less).is_some(),
            optional.contains(&column.as_str()),
            "without {column}"
        );
    }
}
